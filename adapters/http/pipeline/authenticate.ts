import type { IncomingMessage } from 'node:http';
import type { FoundBot } from '../../../core/bots/index.ts';
import type { Caller, Client } from '../../../core/shared/caller.ts';
import { DomainError } from '../../../core/shared/errors.ts';
import type { Visitor } from '../../../core/shares/index.ts';
import { clientAddress } from '../request/forwarded.ts';
import { headerOf } from '../request/headers.ts';
import { changeSessionCookie, sessionSecret } from '../request/session-cookie.ts';
import { shareAccessCookie } from '../request/share-cookie.ts';
import type { Route } from '../route.ts';
import { parseUuid } from '../validation/formats/uuid.ts';
import { isOfOtherOrigin } from './csrf.ts';
import type { Exchange } from './exchange.ts';
import type { Principal, VisitorPrincipal } from './principal.ts';
import { limitFailedAuthentication } from './rate-limit.ts';

const ANONYMOUS: Principal = { kind: 'anonymous' };

/** Identifies the sender, once per request (401). Each kind of access has its own credentials. */
export function authenticate(exchange: Exchange, route: Route): Promise<Principal> | Principal {
  switch (route.access) {
    case 'owner':
      return authenticateOwner(exchange);
    case 'visitor':
      return { kind: 'visitor', visitor: identifyVisitor(exchange) };
    case 'platform':
      return authenticatePlatform(exchange);
    case 'engine':
      return authenticateDocumentServer(exchange, route.capabilityKind ?? 'file');
    case 'sign-in':
      return identifyForSignIn(exchange);
    case 'public':
      return ANONYMOUS;
  }
}

const SCHEME = /^Bearer[ \t]+(\S+)[ \t]*$/i;

const bearerOf = (request: IncomingMessage): string | undefined =>
  SCHEME.exec(headerOf(request, 'authorization') ?? '')?.[1];

/** Where the request comes from. */
const clientOf = ({ request, context }: Exchange): Client => ({
  address: clientAddress(request, context.trustProxy),
  userAgent: headerOf(request, 'user-agent') ?? '',
});

/**
 * By a bearer token or the session cookie. The cookie is not tried if there is an `Authorization` header, of any scheme: its
 * sender has chosen other credentials. Rejected credentials count against the address they came from, and a rejected cookie
 * is cleared. A request without credentials, or with another scheme, guesses nothing and is not counted.
 */
async function authenticateOwner(exchange: Exchange): Promise<Principal> {
  const { request, context } = exchange;
  const bearer = bearerOf(request);
  const session =
    bearer === undefined && request.headers.authorization === undefined
      ? sessionSecret(exchange)
      : undefined;
  let caller: Caller;
  try {
    caller = await context.core.identity.authenticate({ bearer, session }, clientOf(exchange));
  } catch (error) {
    if (error instanceof DomainError) {
      if (session) changeSessionCookie(exchange, { kind: 'clear' });
      if (bearer !== undefined || session !== undefined) await limitFailedAuthentication(exchange);
    }
    throw error;
  }
  exchange.hasSessionCookie = session !== undefined;
  exchange.ownerId = caller.scope.ownerId;
  const hiddenToken = headerOf(request, 'x-hidden-token');
  return {
    kind: 'owner',
    caller: hiddenToken ? { ...caller, hiddenToken } : caller,
  };
}

/**
 * Signing in needs no credentials. The session of a valid cookie is known to the operation, which may renew it, unless a page
 * of another origin sent the browser. An invalid cookie is cleared and has no other effect. A bearer token is not looked at.
 */
async function identifyForSignIn(exchange: Exchange): Promise<Principal> {
  const client = clientOf(exchange);
  const session = isOfOtherOrigin(exchange) ? undefined : sessionSecret(exchange);
  if (session === undefined) return { kind: 'sign-in', client };
  try {
    const current = await exchange.context.core.identity.authenticate({ session }, client);
    return { kind: 'sign-in', client, current };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (session !== '') changeSessionCookie(exchange, { kind: 'clear' });
    return { kind: 'sign-in', client };
  }
}

function identifyVisitor({ request, context }: Exchange): Visitor {
  const access = headerOf(request, 'x-share-access') ?? shareAccessCookie(request);
  return {
    address: clientAddress(request, context.trustProxy),
    counts: request.method !== 'HEAD',
    ...(access !== undefined && { access }),
  };
}

/** Finds the owner that a visitor's files go to, before any of the body is read. */
export async function findUploadTarget(
  { request, params, context }: Exchange,
  route: Route,
  principal: VisitorPrincipal,
): Promise<Principal> {
  if (!('host' in route) || !route.host) return principal;
  const mayRepeat = headerOf(request, 'idempotency-key') !== undefined;
  const target = await route.host(context.core, principal.visitor, params, mayRepeat);
  return { ...principal, target };
}

/** By the webhook secret of a bot, which its platform sends. A rejected secret counts against the address. */
async function authenticatePlatform(exchange: Exchange): Promise<Principal> {
  const { request, params, context } = exchange;
  const secret = headerOf(request, 'x-telegram-bot-api-secret-token');
  const sent = parseUuid(String(params['bot_id']));
  let bot: FoundBot;
  try {
    bot = await context.core.bots.admitPlatform('uuid' in sent ? sent.uuid : '', secret);
  } catch (error) {
    if (secret !== undefined && error instanceof DomainError)
      await limitFailedAuthentication(exchange);
    throw error;
  }
  exchange.ownerId = bot.scope.ownerId;
  return { kind: 'platform', bot };
}

/** By the capability in the path. A path that opens nothing counts against the address. */
async function authenticateDocumentServer(
  exchange: Exchange,
  kind: 'file' | 'callback',
): Promise<Principal> {
  const { request, params, context } = exchange;
  const bearer = bearerOf(request);
  try {
    const pass = context.core.office.openCapability(String(params['pass']), kind);
    return { kind: 'document-server', engine: { pass, ...(bearer !== undefined && { bearer }) } };
  } catch (error) {
    if (error instanceof DomainError) await limitFailedAuthentication(exchange);
    throw error;
  }
}
