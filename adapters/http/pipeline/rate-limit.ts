import {
  ENGINE_PER_MINUTE,
  THUMBNAILS_PER_MINUTE,
  FAILED_AUTH_PER_MINUTE,
  SIGN_INS_PER_MINUTE,
  VISITOR_REQUESTS_PER_MINUTE,
  rateLimited,
  type RateLimitState,
} from '../../../core/identity/index.ts';
import { clientNetwork } from '../../../core/shared/network.ts';
import { clientAddress } from '../request/forwarded.ts';
import { setRateLimitHeaders } from '../response/common-headers.ts';
import type { Route } from '../route.ts';
import type { Principal } from './principal.ts';
import type { Exchange } from './exchange.ts';

/**
 * Counts the request and rejects it above the limit of its minute (429).
 *
 * Owners have one limit each. Sign-ins and visitors are counted by network: an IPv4 address, or the /64 of an IPv6 address,
 * all of which one client controls. A visitor's thumbnails are counted apart, because a page loads many of them at once. A
 * document server has one address for all owners, so it is counted by the owner of its capability, apart from that owner's
 * own requests. Platforms are not counted: a busy group must not silence its bot.
 */
export function limit(
  exchange: Exchange,
  route: Route,
  principal: Principal,
): Promise<void> | void {
  switch (principal.kind) {
    case 'owner': {
      const { scope, limits } = principal.caller;
      return enforceLimit(exchange, `owner:${scope.ownerId}`, limits.requestsPerMinute);
    }
    case 'visitor': {
      const network = clientNetwork(principal.visitor.address);
      return route.isThumbnail
        ? enforceLimit(exchange, `pictures:${network}`, THUMBNAILS_PER_MINUTE)
        : enforceLimit(exchange, `visitor:${network}`, VISITOR_REQUESTS_PER_MINUTE);
    }
    case 'sign-in': {
      const network = clientNetwork(principal.client.address);
      return enforceLimit(exchange, `sign-in:${network}`, SIGN_INS_PER_MINUTE);
    }
    case 'document-server': {
      const { pass } = principal.engine;
      const owner = 'scope' in pass ? pass.scope.ownerId : 'selftest';
      return enforceLimit(exchange, `engine:${owner}`, ENGINE_PER_MINUTE);
    }
    case 'platform':
    case 'anonymous':
      return undefined;
  }
}

/** Counts a rejected secret against the network it came from. */
export function limitFailedAuthentication(exchange: Exchange): Promise<void> {
  const network = clientNetwork(clientAddress(exchange.request, exchange.context.trustProxy));
  return enforceLimit(exchange, `ip:${network}`, FAILED_AUTH_PER_MINUTE);
}

async function enforceLimit(exchange: Exchange, key: string, perMinute: number): Promise<void> {
  const state: RateLimitState | undefined = await exchange.context.core.identity.countRequest(
    key,
    perMinute,
  );
  if (!state) return;
  exchange.rateLimit = state;
  if (exchange.hasCommonHeaders) setRateLimitHeaders(exchange);
  if (state.exceeded) throw rateLimited({}, state.resetSeconds);
}
