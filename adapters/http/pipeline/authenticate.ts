import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { FoundBot } from '../../../core/bots/index.ts';
import type { Core } from '../../../core/index.ts';
import type { Allowance } from '../../../core/identity/index.ts';
import {
  ENGINE_PER_MINUTE,
  PICTURES_PER_MINUTE,
  REFUSALS_PER_MINUTE,
  VISITS_PER_MINUTE,
  rateLimited,
} from '../../../core/identity/index.ts';
import type { Caller } from '../../../core/shared/caller.ts';
import type { Visitor } from '../../../core/shares/index.ts';
import type { DocumentServer } from '../route.ts';
import { DomainError } from '../../../core/shared/errors.ts';
import { headerOf } from '../request/headers.ts';
import { shareAccessCookie } from '../request/share-cookie.ts';
import { parseUuid } from '../validation/formats/uuid.ts';

const SCHEME = /^Bearer[ \t]+(\S+)[ \t]*$/i;

/**
 * Lets a request in: who is it (401), and does the minute's allowance hold (429). A bearer token that is refused counts
 * against the address it came from; a request without one, or with another scheme, guesses nothing and is not counted.
 */
export async function admit(core: Core, request: Request, response: Response): Promise<Caller> {
  let caller: Caller;
  try {
    caller = await callerOf(core, request);
  } catch (error) {
    if (bearerOf(request) !== undefined && error instanceof DomainError)
      refuseExceeded(await count(core, response, `ip:${request.ip ?? ''}`, REFUSALS_PER_MINUTE));
    throw error;
  }
  refuseExceeded(await countCaller(core, response, caller));
  return caller;
}

/** Who a request comes from, with the unlock token it carries. Whoever is nobody is refused, and not counted here. */
export async function callerOf(core: Core, request: IncomingMessage): Promise<Caller> {
  const caller = await core.identity.authenticate(bearerOf(request));
  const token = headerOf(request, 'x-hidden-token');
  return token ? { ...caller, hiddenToken: token } : caller;
}

/**
 * Lets somebody in who has no account: counted by the address they come from, and pictures apart from everything else,
 * because nobody asks for them one by one.
 */
export async function admitVisitor(
  core: Core,
  request: Request,
  response: ServerResponse,
  forPicture: boolean,
): Promise<Visitor> {
  const address = request.ip ?? '';
  const allowance = forPicture
    ? count(core, response, `pictures:${address}`, PICTURES_PER_MINUTE)
    : count(core, response, `visitor:${address}`, VISITS_PER_MINUTE);
  refuseExceeded(await allowance);
  const access = headerOf(request, 'x-share-access') ?? shareAccessCookie(request);
  const counts = request.method !== 'HEAD';
  return { address, counts, ...(access !== undefined && { access }) };
}

/**
 * Lets a platform in that brings something for a bot. As with bearer tokens a refusal counts against the address; what
 * is let in is not counted, for a busy group must not silence its bot.
 */
export async function admitPlatform(
  core: Core,
  request: Request,
  response: ServerResponse,
): Promise<FoundBot> {
  const secret = headerOf(request, 'x-telegram-bot-api-secret-token');
  const sent = parseUuid(String(request.params['bot_id']));
  try {
    return await core.bots.admitPlatform('uuid' in sent ? sent.uuid : '', secret);
  } catch (error) {
    if (secret !== undefined && error instanceof DomainError)
      refuseExceeded(await count(core, response, `ip:${request.ip ?? ''}`, REFUSALS_PER_MINUTE));
    throw error;
  }
}

/**
 * Lets the document server in, by the pass in the address that it was given. It comes from one address for everybody, so
 * it is counted for the owner, apart from what the owner asks; whoever tries passes that open nothing is like a visitor.
 */
export async function admitEngine(
  core: Core,
  request: Request,
  response: ServerResponse,
  door: 'file' | 'callback',
): Promise<DocumentServer> {
  const bearer = bearerOf(request);
  let pass;
  try {
    pass = core.office.passOf(String(request.params['pass']), door);
  } catch (error) {
    if (error instanceof DomainError)
      refuseExceeded(await count(core, response, `ip:${request.ip ?? ''}`, REFUSALS_PER_MINUTE));
    throw error;
  }
  const whose = 'scope' in pass ? pass.scope.ownerId : 'selftest';
  refuseExceeded(await count(core, response, `engine:${whose}`, ENGINE_PER_MINUTE));
  return { pass, ...(bearer !== undefined && { bearer }) };
}

const bearerOf = (request: IncomingMessage): string | undefined =>
  SCHEME.exec(headerOf(request, 'authorization') ?? '')?.[1];

/** Counts a request of a caller and tells what is left. Answers with what there is of an allowance. */
export const countCaller = (
  core: Core,
  response: ServerResponse,
  { limits, scope }: Caller,
): Promise<Allowance | undefined> =>
  count(core, response, `owner:${scope.ownerId}`, limits.requestsPerMinute);

async function count(
  core: Core,
  response: ServerResponse,
  who: string,
  limit: number,
): Promise<Allowance | undefined> {
  const allowance = await core.identity.countRequest(who, limit);
  if (allowance) tell(response, allowance);
  return allowance;
}

export function refuseExceeded(allowance: Allowance | undefined): void {
  if (allowance?.exceeded) throw rateLimited({}, allowance.resetSeconds);
}

function tell(response: ServerResponse, { limit, remaining, resetSeconds }: Allowance): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
}
