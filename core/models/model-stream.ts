import {
  ModelError,
  type FinishReason,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
} from '../../ports/language-model.ts';
import type { ConnectionSentence } from '../../ports/reasons.ts';
import { ClientDisconnectedError } from '../shared/stream-subscriber.ts';
import { modelFailed, toCallerError } from './errors.ts';

/** Limit of the response body, in which every token is a separate event. */
export const MAX_ANSWER_BYTES = 16 * 2 ** 20;

/** Limit of the text, in UTF-16 units: some 60 000 tokens. It is parsed unit by unit and held in memory. */
const MAX_ANSWER_LENGTH = 2 ** 18;

export type GenerationOptions = Omit<ModelRequest, 'idleMs' | 'maxBytes'>;

/**
 * Streams a model's answer to its end. Ends with `deadline` if it is too slow, with `unavailable` if it is busy and
 * says until when, with `upstream_failed` if it fails or is empty, and with ClientDisconnectedError as soon as the client disconnects.
 */
export async function* streamModel(
  models: LanguageModel,
  input: GenerationOptions,
  left: Promise<void>,
): AsyncGenerator<ModelEvent> {
  // A model that has to be loaded first may be silent for the whole time limit.
  const request = { ...input, idleMs: input.totalMs, maxBytes: MAX_ANSWER_BYTES };
  const events = models.answer(request)[Symbol.asyncIterator]();
  let missing = false;
  left
    .then(() => {
      missing = true;
      return events.return?.();
    })
    // An error of a model that is being stopped is ignored: the next event ends the loop anyway.
    .catch(() => undefined);
  let silent = true;
  let length = 0;
  try {
    for (;;) {
      const next = await events.next();
      if (missing) throw new ClientDisconnectedError();
      if (next.done) return;
      const event = next.value;
      if (event.type === 'restart') {
        silent = true;
        length = 0;
      }
      if (event.type === 'end' && silent) throw modelFailed(emptyReply(event.reason));
      if (event.type === 'text') length += event.text.length;
      if (length > MAX_ANSWER_LENGTH) throw modelFailed(TOO_LONG);
      if (event.type === 'call' || (event.type === 'text' && event.text.trim() !== ''))
        silent = false;
      yield event;
    }
  } catch (error) {
    if (missing) throw new ClientDisconnectedError();
    if (!(error instanceof ModelError)) throw error;
    throw toCallerError(error);
  } finally {
    await events.return?.();
  }
}

const TOO_LONG: ConnectionSentence = 'The answer of the model is too long.';
const emptyReply = (reason: FinishReason): ConnectionSentence => {
  if (reason === 'filtered') return 'The model service withheld the answer.';
  return reason === 'length' ? AT_LIMIT : 'The model has returned an empty answer.';
};
const AT_LIMIT: ConnectionSentence =
  'The model reached its limit of tokens before the end of its answer.';

/** The text of an answer. */
export interface CollectedText {
  readonly text: string;
  /** Why it ends before its end, as a sentence for the user; undefined for a complete answer. */
  readonly cutOff: ConnectionSentence | undefined;
}

export async function collectText(
  models: LanguageModel,
  input: GenerationOptions,
  left: Promise<void>,
): Promise<CollectedText> {
  let text = '';
  let cutOff: ConnectionSentence | undefined;
  for await (const event of streamModel(models, input, left)) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'restart') text = '';
    if (event.type === 'end' && (event.reason === 'length' || event.reason === 'filtered'))
      cutOff = emptyReply(event.reason);
  }
  return { text, cutOff };
}
