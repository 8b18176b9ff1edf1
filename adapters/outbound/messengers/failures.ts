import { PortFailure } from '../../../ports/failures.ts';
import { MessengerRefusal } from '../../../ports/messenger.ts';
import type { RefusalCause } from '../../../ports/web-pages.ts';
import { refusalOf } from '../refusals.ts';
import { at, idAt, textAt } from './fields.ts';

/** Nothing of what was sent or answered, and no cause: the token stands in the address of every request. */
const failed = (reason: string): PortFailure => new PortFailure('messenger', reason);

export const closing = (): PortFailure =>
  failed('The service is closing and asks the platform no more.');
export const tooSlow = (ms: number): PortFailure =>
  failed(`The platform gave no answer within ${ms / 1_000} seconds.`);
export const tooLong = (): PortFailure =>
  failed('The answer of the platform is longer than what is read of one.');
export const noPlatform = (): PortFailure =>
  failed('What answers at the address of the platform is no Bot API.');
export const unreadable = (): PortFailure => failed('The answer of the platform can not be read.');
const brokenOff = (): PortFailure => failed('The answer of the platform was cut off.');
export const brokenDown = (status: number): PortFailure =>
  failed(`The platform failed (status ${status}).`);

export const unauthorized = (): MessengerRefusal =>
  new MessengerRefusal('unauthorized', 'The platform does not accept the token.');

/** Of `too_many` where the platform does not say. */
const USUAL_WAIT = 5;
const LONGEST_WAIT = 86_400;
/** What status 400 says of chats where the bot has no business. */
const NO_WAY_IN =
  /chat not found|not a member|was kicked|no rights|not enough rights|administrator rights|group chat was deactivated|_FORBIDDEN|CHANNEL_(PRIVATE|INVALID)|CHAT_(ID_INVALID|RESTRICTED|ADMIN_REQUIRED)|PEER_ID_INVALID/i;

/** What an answer that is not `ok` says, told in words of our own. */
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
  // What is not found is the bot of the token; a method that the platform does not have says so.
  if (code === 401 || (code === 404 && !/method/i.test(description))) return unauthorized();
  if (code === 409)
    return new MessengerRefusal('conflict', 'The updates of the bot go to somebody else.');
  if (code === 403 || (code === 400 && NO_WAY_IN.test(description)))
    return new MessengerRefusal('forbidden', 'The bot may not do this in this chat.');
  return new MessengerRefusal('refused', `The platform refuses this (code ${code}).`);
}

function tooMany(seconds: unknown): MessengerRefusal {
  const told = Number.isSafeInteger(seconds) ? (seconds as number) : USUAL_WAIT;
  const retryAfter = Math.min(Math.max(told, 1), LONGEST_WAIT);
  return new MessengerRefusal('too_many', 'The platform is asked too often.', { retryAfter });
}

const BY_CAUSE: Partial<Record<RefusalCause, string>> = {
  address: 'The address of the platform leads to a place that this service does not go to.',
  unresolvable: 'There is no platform of this name.',
  unreachable: 'The platform can not be reached.',
  too_slow: 'The platform gave no answer in time.',
  tls: 'The platform can not prove who it is: its certificate is not valid.',
};

/** What an error of the network says; one of our own defects is given back as it is. */
export function failureOf(error: unknown): unknown {
  if (error instanceof MessengerRefusal || error instanceof PortFailure) return error;
  const refusal = refusalOf(error, { maxBytes: 0, timeMs: 0, wanted: 'page' });
  if (refusal) return failed(BY_CAUSE[refusal.cause] ?? brokenOff().message);
  // Whatever has a code is told by the system.
  return typeof at(error, 'code') === 'string' ? failed('The platform can not be reached.') : error;
}
