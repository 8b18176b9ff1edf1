import { PortFailure } from '../../../ports/failures.ts';
import { MessengerRefusal } from '../../../ports/messenger.ts';
import type { RefusalCause } from '../../../ports/web-pages.ts';
import { refusalOf } from '../refusals.ts';
import { at, idAt, textAt } from './fields.ts';

/** Errors contain nothing of the request or response, and no cause: the token is part of every URL. */
const failed = (reason: string): PortFailure => new PortFailure('messenger', reason);

export const closing = (): PortFailure => failed('The service is closing.');
export const tooSlow = (ms: number): PortFailure =>
  failed(`The platform did not answer within ${ms / 1_000} seconds.`);
export const tooLong = (): PortFailure => failed('The answer of the platform is too long.');
export const noPlatform = (): PortFailure =>
  failed('The server at the address of the platform is not a Bot API.');
export const unreadable = (): PortFailure => failed('The answer of the platform cannot be read.');
const brokenOff = (): PortFailure => failed('The answer of the platform was cut off.');
export const brokenDown = (status: number): PortFailure =>
  failed(`The platform failed (status ${status}).`);

export const unauthorized = (): MessengerRefusal =>
  new MessengerRefusal('unauthorized', 'The platform does not accept the token.');

/** For `too_many`, if the platform gives no delay. */
const USUAL_WAIT = 5;
const LONGEST_WAIT = 86_400;
/** Descriptions of status 400 for chats that the bot cannot access. */
const NO_WAY_IN =
  /chat not found|not a member|was kicked|no rights|not enough rights|administrator rights|group chat was deactivated|_FORBIDDEN|CHANNEL_(PRIVATE|INVALID)|CHAT_(ID_INVALID|RESTRICTED|ADMIN_REQUIRED)|PEER_ID_INVALID/i;

/** Maps a response that is not `ok` to an error with a message of the service. */
export function refusedWith(answer: unknown, status: number): Error {
  const given = at(answer, 'error_code');
  const code = Number.isSafeInteger(given) ? (given as number) : status;
  const parameters = at(answer, 'parameters');
  const movedTo = idAt(parameters, 'migrate_to_chat_id');
  const description = textAt(answer, 'description');
  if (code >= 500) return brokenDown(code);
  if (code === 429) return tooMany(at(parameters, 'retry_after'));
  if (movedTo !== undefined)
    return new MessengerRefusal('moved', 'The group has another id.', { movedTo });
  // `Not found` means the bot of the token; an unknown method has another description.
  if (code === 401 || (code === 404 && !/method/i.test(description))) return unauthorized();
  if (code === 409)
    return new MessengerRefusal('conflict', 'Another client receives the updates of the bot.');
  if (code === 403 || (code === 400 && NO_WAY_IN.test(description)))
    return new MessengerRefusal('forbidden', 'The bot may not do this in this chat.');
  return new MessengerRefusal('refused', `The platform rejected the request (code ${code}).`);
}

function tooMany(seconds: unknown): MessengerRefusal {
  const told = Number.isSafeInteger(seconds) ? (seconds as number) : USUAL_WAIT;
  const retryAfter = Math.min(Math.max(told, 1), LONGEST_WAIT);
  return new MessengerRefusal('too_many', 'Too many requests were sent to the platform.', {
    retryAfter,
  });
}

const BY_CAUSE: Partial<Record<RefusalCause, string>> = {
  address:
    'The address of the platform leads to a destination that this service does not connect to.',
  unresolvable: 'The host name of the platform is unknown.',
  unreachable: 'The platform cannot be reached.',
  too_slow: 'The platform did not answer in time.',
  tls: 'The certificate of the platform is not valid.',
};

/** Maps a network error; a programming error is returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (error instanceof MessengerRefusal || error instanceof PortFailure) return error;
  const refusal = refusalOf(error, { maxBytes: 0, timeMs: 0, wanted: 'page' });
  if (refusal) return failed(BY_CAUSE[refusal.cause] ?? brokenOff().message);
  // Errors with a code come from the system.
  return typeof at(error, 'code') === 'string' ? failed('The platform cannot be reached.') : error;
}
