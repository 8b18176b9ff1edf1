import type { Citation } from '../../ports/conversations.ts';
import type { LanguageModel, ModelMessage } from '../../ports/language-model.ts';
import { citingReader, type OfferedPassage, type Told } from '../answers/index.ts';
import { drawn, modelFailed, type ModelEngine } from '../models/index.ts';
import type { AnswerAudience } from './events.ts';

/** An answer as far as it was emitted. */
export interface Said {
  content: string;
  readonly citations: Citation[];
}

export interface Question {
  readonly engine: ModelEngine;
  readonly messages: readonly ModelMessage[];
  readonly passages: readonly OfferedPassage[];
  readonly totalMs: number;
}

/**
 * Lets a model answer and emits final text immediately: verified quotations become citations, and others are removed.
 * `said` holds the emitted text also if the answer ends early.
 */
export async function speak(
  models: LanguageModel,
  { engine, messages, passages, totalMs }: Question,
  sessionId: string,
  audience: AnswerAudience,
  said: Said,
): Promise<void> {
  const reader = citingReader(() => passages);
  const tell = teller(audience, sessionId, said);
  const wanted = { endpoint: engine.endpoint, messages, totalMs };
  let spoke = false;
  for await (const event of drawn(models, wanted, audience.left)) {
    if (event.type !== 'text') continue;
    spoke ||= event.text.trim() !== '';
    await tell(reader.feed(event.text));
  }
  // It may have requested tools although none were offered.
  if (!spoke) throw modelFailed('The model has returned an empty answer.');
  await tell(reader.end());
}

/** Emits the session with the first text, and the answer without leading and trailing white space. */
export function teller(
  audience: AnswerAudience,
  sessionId: string,
  said: Said,
): (told: Told) => Promise<void> {
  let begun = false;
  let blanks = '';
  return async ({ text, citations }) => {
    if (!begun) await audience.tell({ type: 'session', sessionId });
    begun = true;
    const whole = blanks + text;
    const kept = whole.trimEnd();
    blanks = whole.slice(kept.length);
    const delta = said.content === '' ? kept.trimStart() : kept;
    if (said.content === '') blanks = delta === '' ? '' : blanks;
    if (delta !== '') {
      said.content += delta;
      await audience.tell({ type: 'delta', text: delta });
    }
    for (const citation of citations) {
      said.citations.push(citation);
      await audience.tell({ type: 'citation', citation });
    }
  };
}
