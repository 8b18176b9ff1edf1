import type { Citation } from '../../ports/conversations.ts';
import type { FinishReason, LanguageModel, ModelMessage } from '../../ports/language-model.ts';
import { createCitationStream, type PromptPassage, type CitedChunk } from '../answers/index.ts';
import { streamModel, modelFailed, type ModelEngine } from '../models/index.ts';
import type { AnswerSubscriber } from './events.ts';

/** An answer as far as it was emitted. */
export interface PartialAnswer {
  content: string;
  readonly citations: Citation[];
  /** The model has ended it before its end, by its limit of tokens or by a filter. */
  isCutOff: boolean;
}

export const emptyAnswer = (): PartialAnswer => ({ content: '', citations: [], isCutOff: false });

/** Whether a model ended a reply before its end. */
export const isCutOff = (reason: FinishReason): boolean =>
  reason === 'length' || reason === 'filtered';

export interface Question {
  readonly engine: ModelEngine;
  readonly messages: readonly ModelMessage[];
  readonly passages: readonly PromptPassage[];
  readonly totalMs: number;
}

/**
 * Lets a model answer and emits final text immediately: verified quotations become citations, and others are removed.
 * `partial` holds the emitted text also if the answer ends early.
 */
export async function streamAnswer(
  models: LanguageModel,
  { engine, messages, passages, totalMs }: Question,
  sessionId: string | null,
  audience: AnswerSubscriber,
  partial: PartialAnswer,
): Promise<void> {
  const reader = createCitationStream(() => passages);
  const tell = createAnswerEmitter(audience, sessionId, partial);
  const input = { endpoint: engine.endpoint, messages, totalMs };
  let spoke = false;
  for await (const event of streamModel(models, input, audience.disconnected)) {
    if (event.type === 'end') partial.isCutOff = isCutOff(event.reason);
    if (event.type !== 'text') continue;
    spoke ||= event.text.trim() !== '';
    await tell(reader.feed(event.text));
  }
  // It may have requested tools although none were offered.
  if (!spoke) throw modelFailed('The model has returned an empty answer.');
  await tell(reader.end());
}

/** Emits the session with the first text, and the answer without leading and trailing white space. */
export function createAnswerEmitter(
  audience: AnswerSubscriber,
  sessionId: string | null,
  partial: PartialAnswer,
): (told: CitedChunk) => Promise<void> {
  let started = false;
  let blanks = '';
  return async ({ text, citations }) => {
    if (!started) await audience.send({ type: 'session', sessionId });
    started = true;
    const complete = blanks + text;
    const stored = complete.trimEnd();
    blanks = complete.slice(stored.length);
    const delta = partial.content === '' ? stored.trimStart() : stored;
    if (partial.content === '') blanks = delta === '' ? '' : blanks;
    if (delta !== '') {
      partial.content += delta;
      await audience.send({ type: 'delta', text: delta });
    }
    for (const citation of citations) {
      partial.citations.push(citation);
      await audience.send({ type: 'citation', citation });
    }
  };
}
