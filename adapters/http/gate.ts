import type { Request, Response } from 'express';
import type { Core } from '../../core/index.ts';
import type { Allowance } from '../../core/identity/index.ts';
import { ANONYMOUS_PER_MINUTE, rateLimited } from '../../core/identity/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { headerOf } from './headers.ts';

const SCHEME = /^Bearer[ \t]+(\S+)[ \t]*$/i;

/**
 * Lets a request in: who is it (401), and does the minute's allowance hold (429). A bearer token that is refused counts
 * against the address it came from; a request without one, or with another scheme, guesses nothing and is not counted.
 */
export async function admit(core: Core, request: Request, response: Response): Promise<Caller> {
  const bearer = SCHEME.exec(headerOf(request, 'authorization') ?? '')?.[1];
  let caller: Caller;
  try {
    caller = await core.identity.authenticate(bearer);
  } catch (error) {
    if (bearer !== undefined && error instanceof DomainError)
      await count(core, response, `ip:${request.ip ?? ''}`, ANONYMOUS_PER_MINUTE);
    throw error;
  }
  const { limits, scope } = caller;
  await count(core, response, `owner:${scope.ownerId}`, limits.requestsPerMinute);
  const token = headerOf(request, 'x-hidden-token');
  return token ? { ...caller, hiddenToken: token } : caller;
}

/** Lets somebody in who has no account: counted by the address they come from. */
export const admitVisitor = (core: Core, request: Request, response: Response): Promise<void> =>
  count(core, response, `ip:${request.ip ?? ''}`, ANONYMOUS_PER_MINUTE);

async function count(core: Core, response: Response, who: string, limit: number): Promise<void> {
  const allowance = await core.identity.countRequest(who, limit);
  if (!allowance) return;
  tell(response, allowance);
  if (allowance.exceeded) throw rateLimited({}, allowance.resetSeconds);
}

function tell(response: Response, { limit, remaining, resetSeconds }: Allowance): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
}
