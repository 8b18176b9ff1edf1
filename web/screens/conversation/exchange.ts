import type { components, operations } from '../../api/schema.js';
import type { NamedDocument } from '../../state/ask-about.ts';

export type Citation = components['schemas']['Citation'];
export type Chat = components['schemas']['ChatSession'];
type Message = components['schemas']['ChatMessage'];
export type Coverage = components['schemas']['Answer']['coverage'];

/** The built-in engine answers in the documents' own sentences. */
export const EXTRACTIVE = 'extractive';

/** Which engine is to answer. */
export type EngineChoice = NonNullable<
  operations['ask']['requestBody']['content']['application/json']['engine']
>;

/**
 * `searching` until the first word, `waiting` while the service is overloaded, then `writing`. `stopped` and `failed`
 * answers may have text: what came before.
 */
export type Phase = 'searching' | 'waiting' | 'writing' | 'complete' | 'stopped' | 'failed';

/** A question and its answer. */
export interface Exchange {
  readonly id: string;
  readonly question: string;
  /** The documents that the question was limited to. */
  readonly about: readonly NamedDocument[];
  readonly phase: Phase;
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly coverage: Coverage | null;
  /** `extractive`, or the name of a model. Null where it is not known. */
  readonly engine: string | null;
  /** Why a `stopped` answer is incomplete; null where that is not known. */
  readonly cutOff: Message['reason'];
  readonly error?: unknown;
}

export const isRunning = ({ phase }: Exchange): boolean =>
  phase === 'searching' || phase === 'waiting' || phase === 'writing';

export const newExchange = (question: string, about: readonly NamedDocument[]): Exchange => ({
  id: crypto.randomUUID(),
  question,
  about,
  phase: 'searching',
  text: '',
  citations: [],
  coverage: null,
  engine: null,
  cutOff: null,
});

/** The stored messages of a conversation in pairs. A question without an answer was stopped, or has failed. */
export function exchangesOf({ messages }: Pick<Chat, 'messages'>): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (message.role === 'user') exchanges.push(questionOf(message));
    else if (last && last.phase === 'stopped' && last.text === '')
      exchanges[exchanges.length - 1] = { ...last, ...answerOf(message) };
  }
  return exchanges;
}

/** A question without an answer that was asked again right after is shown once. */
export const withoutRepeated = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter((exchange, nth) => {
    const next = exchanges[nth + 1];
    return exchange.text !== '' || exchange.phase !== 'stopped' || !isSame(exchange, next);
  });

const isSame = ({ question, about }: Exchange, other: Exchange | undefined): boolean =>
  other?.question === question &&
  about.map(({ id }) => id).join() === other.about.map(({ id }) => id).join();

const questionOf = ({ id, content, attachments }: Message): Exchange => ({
  ...newExchange(
    content,
    attachments.map(({ object_id, filename }) => ({ id: object_id, name: filename })),
  ),
  id,
  phase: 'stopped',
});

export const answerOf = (
  message: Message,
): Pick<Exchange, 'phase' | 'text' | 'citations' | 'coverage' | 'engine' | 'cutOff'> => ({
  phase: message.incomplete ? 'stopped' : 'complete',
  text: message.content,
  citations: message.citations,
  coverage: message.coverage,
  engine: message.engine,
  cutOff: message.reason,
});
