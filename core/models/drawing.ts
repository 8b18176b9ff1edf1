import {
  ModelFailure,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
} from '../../ports/language-model.ts';
import { AudienceLeft } from '../shared/audience.ts';
import { deadlineMissed } from '../shared/common-errors.ts';
import { modelFailed } from './errors.ts';

/** Of an answer as it comes over the wire, where every word has a line of its own. */
export const MOST_ANSWER_BYTES = 16 * 2 ** 20;

/** Of its text, in UTF-16 units: some 60 000 tokens. It is read letter by letter and kept as a whole. */
const LONGEST_ANSWER = 2 ** 18;

export type Wanted = Omit<ModelRequest, 'idleMs' | 'maxBytes'>;

/**
 * What a model says, to its end. Ends with `deadline` when it is too slow, with `upstream_failed` when it fails or says
 * nothing, and with AudienceLeft as soon as nobody waits for it.
 */
export async function* drawn(
  models: LanguageModel,
  wanted: Wanted,
  left: Promise<void>,
): AsyncGenerator<ModelEvent> {
  // A model that is loaded only now may be silent for as long as the whole answer may take.
  const request = { ...wanted, idleMs: wanted.totalMs, maxBytes: MOST_ANSWER_BYTES };
  const events = models.answer(request)[Symbol.asyncIterator]();
  let gone = false;
  left
    .then(() => {
      gone = true;
      return events.return?.();
    })
    // An error of a model that is being stopped is ignored: the next event ends the loop anyway.
    .catch(() => undefined);
  let silent = true;
  let length = 0;
  try {
    for (;;) {
      const next = await events.next();
      if (gone) throw new AudienceLeft();
      if (next.done) return;
      const event = next.value;
      if (event.type === 'end' && silent) throw modelFailed(nothingSaid(event.reason));
      if (event.type === 'text') length += event.text.length;
      if (length > LONGEST_ANSWER) throw modelFailed(TOO_LONG);
      if (event.type !== 'text' || event.text.trim() !== '') silent = false;
      yield event;
    }
  } catch (error) {
    if (gone) throw new AudienceLeft();
    if (!(error instanceof ModelFailure)) throw error;
    throw error.kind === 'deadline' ? deadlineMissed() : modelFailed(error.message);
  } finally {
    await events.return?.();
  }
}

const TOO_LONG = 'The answer of the model is longer than what is read of one.';
const nothingSaid = (reason: string): string =>
  reason === 'filtered'
    ? 'The model service held the answer back.'
    : 'The model has answered with nothing.';

/** The whole text of an answer. */
export async function saidBy(
  models: LanguageModel,
  wanted: Wanted,
  left: Promise<void>,
): Promise<string> {
  let text = '';
  for await (const event of drawn(models, wanted, left))
    if (event.type === 'text') text += event.text;
  return text;
}
