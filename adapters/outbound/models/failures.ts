import { ModelFailure } from '../../../ports/language-model.ts';
import type { RefusalCause } from '../../../ports/web-pages.ts';
import { refusalOf } from '../refusals.ts';

const failed = (reason: string): ModelFailure => new ModelFailure('failed', reason);

export const tooSlow = (ms: number): ModelFailure =>
  new ModelFailure('deadline', `The model gave no answer within ${ms / 1000} seconds.`);
export const tooLong = (): ModelFailure =>
  failed('The answer of the model is longer than what is read of one.');
export const cutOff = (): ModelFailure => failed('The answer of the model was cut off.');
export const noModel = (): ModelFailure =>
  failed(
    'What answers at this address is no model. The address of its interface often ends with /v1.',
  );
export const unreadable = (): ModelFailure => failed('The answer of the model can not be read.');
export const brokenOff = (): ModelFailure =>
  failed('The model broke its answer off with an error.');

/** What a status that is no success says, and nothing of the body that came with it. */
export function refusedWith(status: number): ModelFailure {
  if (status < 300) return noModel();
  return failed(`${sentence(status)} (status ${status}).`);
}

function sentence(status: number): string {
  if (status < 400) return 'The address leads on to another one, which is not followed';
  if (status === 401 || status === 403) return 'The model service does not accept the key';
  if (status === 404) return 'The model service does not know this model, or this address';
  if (status === 408 || status === 425 || status === 429)
    return 'The model service takes no more requests at the moment';
  return status < 500
    ? 'The model service does not accept the request'
    : 'The model service failed';
}

const BY_CAUSE: Partial<Record<RefusalCause, string>> = {
  address: 'The address leads to a place that this service does not go to.',
  unresolvable: 'There is no model service of this name.',
  unreachable: 'The model service can not be reached.',
  tls: 'The model service can not prove who it is: its certificate is not valid.',
};

/** What an error of the network says; one of our own defects is given back as it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof ModelFailure) return error;
  const refusal = refusalOf(error, { maxBytes: 0, timeMs: 0, wanted: 'page' });
  return refusal ? failed(BY_CAUSE[refusal.cause] ?? cutOff().message) : error;
}
