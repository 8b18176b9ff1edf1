import type { ModelHabit } from '../../ports/language-model.ts';

/** What the owner should know of a working service, as sentences. Other habits make no difference to them. */
const NOTES = {
  no_streaming: 'It answers without streaming: an answer appears once it is complete.',
  no_system_role: 'It has no system messages: the rules are sent with the first message.',
  no_tools: 'It has no tools: the agent needs another model.',
  no_json_mode: 'It has no JSON mode: some of its findings may be unusable.',
  no_temperature: 'It accepts no temperature: yours is not sent.',
  open_reasoning: 'It reasons in the text: an answer appears once it has finished.',
} as const satisfies Partial<Record<ModelHabit, string>>;

export const NOTE_CODES = Object.keys(NOTES) as (keyof typeof NOTES)[];

export interface ConnectionNote {
  readonly code: keyof typeof NOTES;
  /** A sentence for the user. */
  readonly text: string;
}

/** The notes on what the last check has shown. */
export const notesOn = (habits: readonly ModelHabit[]): readonly ConnectionNote[] =>
  NOTE_CODES.filter((code) => habits.includes(code)).map((code) => ({ code, text: NOTES[code] }));
