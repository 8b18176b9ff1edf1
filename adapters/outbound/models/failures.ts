import { ModelError } from '../../../ports/language-model.ts';
import type { ConnectionSentence } from '../../../ports/reasons.ts';
import type { FetchErrorCause } from '../../../ports/web-pages.ts';
import { toFetchError } from '../fetch-errors.ts';

const failed = (reason: ConnectionSentence): ModelError => new ModelError('failed', reason);

export type ModelFailure = ModelError;

const CUT_OFF: ConnectionSentence = 'The answer of the model was cut off.';

export const tooSlow = (ms: number): ModelError =>
  new ModelError('deadline', `The model did not answer within ${ms / 1000} seconds.`);
export const tooLong = (): ModelError => failed('The answer of the model is too long.');
export const cutOff = (): ModelError => failed(CUT_OFF);
export const notAModel = (): ModelError =>
  failed('The server at this address is not a model service. The address often ends with /v1.');
export const unreadable = (): ModelError => failed('The answer of the model cannot be read.');
export const brokenOff = (): ModelError => failed('The model broke its answer off with an error.');

export const withheld = (): ModelError => failed('The model service withheld the answer.');

export const noTools = (): ModelError =>
  failed('This model does not support tools. The agent needs another model.');
export const contextTooLong = (status: number): ModelError =>
  failed(
    `The request is longer than the context of the model (status ${status}). Correct context_tokens.`,
  );

/** Message for an unsuccessful status, without anything of the body. `retryAfter` as in its ModelError. */
export function rejectedWith(status: number, retryAfter: number | null = null): ModelError {
  if (status < 300) return notAModel();
  return isBusy(status, retryAfter)
    ? new ModelError('busy', sentence(status), retryAfter ?? defaultRetryAfter(status))
    : failed(sentence(status));
}

/** Refusals for a while: limits, a model that is being loaded, and proxies whose server restarts. */
const BUSY: readonly number[] = [408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529];
/** Refusals of the service itself that mean it will be back. */
const BACK_SOON: readonly number[] = [503, 529];
const BACK_SOON_SECONDS = 5;

const isBusy = (status: number, retryAfter: number | null): boolean =>
  BUSY.includes(status) || (status >= 500 && retryAfter !== null);

const defaultRetryAfter = (status: number): number | null =>
  BACK_SOON.includes(status) ? BACK_SOON_SECONDS : null;

function sentence(status: number): ConnectionSentence {
  if (status < 400)
    return `The address redirects to another one, which is not followed (status ${status}).`;
  if (status === 401 || status === 403)
    return `The model service does not accept the key (status ${status}).`;
  if (status === 404)
    return `The model service does not know this model, or this address (status ${status}).`;
  if (status === 408 || status === 425 || status === 429)
    return `The model service accepts no more requests at the moment (status ${status}).`;
  return status < 500
    ? `The model service does not accept the request (status ${status}).`
    : `The model service failed (status ${status}).`;
}

const BY_CAUSE: Partial<Record<FetchErrorCause, ConnectionSentence>> = {
  address: 'The address leads to a destination that this service does not connect to.',
  unresolvable: 'The host name of the model service is unknown.',
  unreachable: 'The model service cannot be reached.',
  tls: 'The certificate of the model service is not valid.',
};

/** Maps a network error; a programming error is returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (error instanceof ModelError) return error;
  const fetchError = toFetchError(error, { maxBytes: 0, timeMs: 0, contentType: 'page' });
  if (!fetchError) return error;
  const reason = BY_CAUSE[fetchError.cause] ?? CUT_OFF;
  // A server that restarts refuses connections meanwhile.
  return fetchError.cause === 'unreachable' ? new ModelError('busy', reason) : failed(reason);
}
