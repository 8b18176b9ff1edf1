import type { Citation, IncompleteReason } from '../../ports/conversations.ts';
import type { FinishReason, LanguageModel, ModelMessage } from '../../ports/language-model.ts';
import { createCitationStream, type PromptPassage, type CitedChunk } from '../answers/index.ts';
import { streamModel, modelFailed, type ModelEngine } from '../models/index.ts';
import type { AnswerSubscriber } from './events.ts';

/** An answer as far as it was emitted. */
export interface PartialAnswer {
  content: string;
  readonly citations: Citation[];
  /** Why it ended before its end; null if it has not. */
  cutOff: IncompleteReason | null;
}

export const emptyAnswer = (): PartialAnswer => ({ content: '', citations: [], cutOff: null });

/** Why a model ended a reply before its end; null for a complete reply. */
export const cutOffBy = (reason: FinishReason): IncompleteReason | null =>
  reason === 'length' || reason === 'filtered' ? reason : null;

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
  let reader = createCitationStream(() => passages);
  const emitter = createAnswerEmitter(audience, sessionId, partial);
  const input = { endpoint: engine.endpoint, messages, totalMs };
  let spoke = false;
  for await (const event of streamModel(models, input, audience.disconnected)) {
    if (event.type === 'end') partial.cutOff = cutOffBy(event.reason);
    if (event.type === 'restart') {
      spoke = false;
      reader = createCitationStream(() => passages);
      emitter.restart([]);
    }
    if (event.type !== 'text') continue;
    spoke ||= event.text.trim() !== '';
    await emitter.emit(reader.feed(event.text));
  }
  // It may have requested tools although none were offered.
  if (!spoke) throw modelFailed('The model has returned an empty answer.');
  await emitter.emit(reader.end());
}

/** Emits an answer without leading and trailing white space; the session is the first event. */
export interface AnswerEmitter {
  emit(chunk: CitedChunk): Promise<void>;
  /**
   * What was emitted was not the answer, which begins with these chunks. They have been emitted before: nothing is
   * sent. The events of a stream then hold more than the answer, which is in the last one.
   */
  restart(kept: readonly CitedChunk[]): void;
}

export function createAnswerEmitter(
  audience: AnswerSubscriber,
  sessionId: string | null,
  partial: PartialAnswer,
): AnswerEmitter {
  let started = false;
  let blanks = '';
  /** Adds a chunk; returns the text of it that is due. */
  const add = ({ text, citations }: CitedChunk): string => {
    const complete = blanks + text;
    const stored = complete.trimEnd();
    blanks = complete.slice(stored.length);
    const delta = partial.content === '' ? stored.trimStart() : stored;
    if (partial.content === '') blanks = delta === '' ? '' : blanks;
    partial.content += delta;
    partial.citations.push(...citations);
    return delta;
  };
  return {
    emit: async (chunk) => {
      if (!started) await audience.send({ type: 'session', sessionId });
      started = true;
      const delta = add(chunk);
      if (delta !== '') await audience.send({ type: 'delta', text: delta });
      for (const citation of chunk.citations) await audience.send({ type: 'citation', citation });
    },
    restart: (kept) => {
      [partial.content, blanks] = ['', ''];
      partial.citations.length = 0;
      for (const chunk of kept) add(chunk);
    },
  };
}
