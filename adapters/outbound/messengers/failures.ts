import { UnavailableError } from '../../../ports/errors.ts';
import { MessengerError } from '../../../ports/messenger.ts';
import type { ConnectionSentence } from '../../../ports/reasons.ts';
import type { FetchErrorCause } from '../../../ports/web-pages.ts';
import { toFetchError } from '../fetch-errors.ts';
import { at, idAt, textAt } from './fields.ts';
import { refusedAddressReason } from './webhook-reasons.ts';

/** Errors contain nothing of the request or response, and no cause: the token is part of every URL. */
const failed = (reason: string): UnavailableError => new UnavailableError('messenger', reason);

export const closing = (): UnavailableError => failed('The service is closing.');
export const tooSlow = (ms: number): UnavailableError =>
  failed(`The platform did not answer within ${ms / 1_000} seconds.`);
export const tooLong = (): UnavailableError => failed('The answer of the platform is too long.');
export const notABotApi = (): UnavailableError =>
  failed('The server at the address of the platform is not a Bot API.');
export const unreadable = (): UnavailableError =>
  failed('The answer of the platform cannot be read.');
const brokenOff = (): UnavailableError => failed('The answer of the platform was cut off.');
export const brokenDown = (status: number): UnavailableError =>
  failed(`The platform failed (status ${status}).`);

export const unauthorized = (): MessengerError =>
  new MessengerError('unauthorized', 'The platform does not accept the token.');

/** For `too_many`, if the platform gives no delay. */
const DEFAULT_RETRY_AFTER_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Descriptions of status 400 for chats that the bot cannot access. */
const NO_WAY_IN =
  /chat not found|not a member|was kicked|no rights|not enough rights|administrator rights|group chat was deactivated|_FORBIDDEN|CHANNEL_(PRIVATE|INVALID)|CHAT_(ID_INVALID|RESTRICTED|ADMIN_REQUIRED)|PEER_ID_INVALID/i;

/** Maps a response that is not `ok` to an error with a message of the service. */
export function rejectedWith(answer: unknown, status: number, method: string): Error {
  const given = at(answer, 'error_code');
  const code = Number.isSafeInteger(given) ? (given as number) : status;
  const parameters = at(answer, 'parameters');
  const movedTo = idAt(parameters, 'migrate_to_chat_id');
  const description = textAt(answer, 'description');
  if (code >= 500) return brokenDown(code);
  if (code === 429) return tooMany(at(parameters, 'retry_after'));
  if (movedTo !== undefined)
    return new MessengerError('moved', 'The group has another id.', { movedTo });
  // `Not found` means the bot of the token; an unknown method has another description.
  if (code === 401 || (code === 404 && !/method/i.test(description))) return unauthorized();
  if (code === 409)
    return new MessengerError('conflict', 'Another client receives the updates of the bot.');
  if (method === 'setWebhook')
    return new MessengerError('refused', refusedAddressReason(description));
  if (code === 403 || (code === 400 && NO_WAY_IN.test(description)))
    return new MessengerError('forbidden', 'The bot may not do this in this chat.');
  return new MessengerError('refused', `The platform rejected the request (code ${code}).`);
}

function tooMany(seconds: unknown): MessengerError {
  const retrySeconds = Number.isSafeInteger(seconds)
    ? (seconds as number)
    : DEFAULT_RETRY_AFTER_SECONDS;
  const retryAfter = Math.min(Math.max(retrySeconds, 1), MAX_RETRY_AFTER_SECONDS);
  return new MessengerError('too_many', 'Too many requests were sent to the platform.', {
    retryAfter,
  });
}

const BY_CAUSE: Partial<Record<FetchErrorCause, ConnectionSentence>> = {
  address:
    'The address of the platform leads to a destination that this service does not connect to.',
  unresolvable: 'The host name of the platform is unknown.',
  unreachable: 'The platform cannot be reached.',
  too_slow: 'The platform did not answer in time.',
  tls: 'The certificate of the platform is not valid.',
};

/** Maps a network error; a programming error is returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (error instanceof MessengerError || error instanceof UnavailableError) return error;
  const fetchError = toFetchError(error, { maxBytes: 0, timeMs: 0, contentType: 'page' });
  if (fetchError) return failed(BY_CAUSE[fetchError.cause] ?? brokenOff().message);
  // Errors with a code come from the system.
  return typeof at(error, 'code') === 'string' ? failed('The platform cannot be reached.') : error;
}
