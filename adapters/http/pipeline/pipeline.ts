import { setCommonHeaders } from '../response/common-headers.ts';
import { abandon, sendError } from '../response/error.ts';
import type { AnyJsonRoute, Route } from '../route.ts';
import { authenticate, findUploadTarget } from './authenticate.ts';
import { rejectCrossSite } from './csrf.ts';
import type { Exchange, ServerContext } from './exchange.ts';
import { negotiate } from './negotiate.ts';
import { createOperation, isTus, requireConnected } from './operation.ts';
import { limit } from './rate-limit.ts';
import { NO_BODY, readRequestBody } from './read-body.ts';

/** Responds to a request that matches the route. Never rejects. */
export type Pipeline = (exchange: Exchange) => Promise<void>;

/**
 * An owner's read of JSON, without a body, a page or events. It needs nothing of Express, and no header is set before its
 * response is sent.
 */
export const isDirect = (route: Route): route is AnyJsonRoute =>
  'present' in route &&
  route.access === 'owner' &&
  !route.body &&
  !route.events &&
  !route.page &&
  !route.errorPage &&
  !route.longRunning &&
  !route.acceptsIdempotencyKey;

/**
 * The stages of a route, compiled once: negotiate, authenticate (401), limit (429), other sites (403), body (413),
 * validate (422), run, present, send. The order is promised by the interface. A stage that a route does not need is not called.
 */
export function createPipeline(route: Route, context: ServerContext): Pipeline {
  const stages = createStages(route, context);
  return async (exchange) => {
    try {
      try {
        await stages(exchange);
      } catch (error) {
        await sendError(exchange, error);
      }
      exchange.finish();
    } catch (error) {
      abandon(exchange, error);
    }
  };
}

function createStages(route: Route, context: ServerContext): Pipeline {
  const isPlain = isDirect(route);
  const operate = createOperation(route, context);
  return async (exchange) => {
    if (!isPlain) {
      setCommonHeaders(exchange);
      negotiate(exchange, route);
      if (isTus(route)) exchange.response.setHeader('Tus-Resumable', '1.0.0');
    }
    const identified = await authenticate(exchange, route);
    if (isPlain) requireConnected(exchange);
    await limit(exchange, route, identified);
    rejectCrossSite(exchange, route, identified);
    const principal =
      identified.kind === 'visitor'
        ? await findUploadTarget(exchange, route, identified)
        : identified;
    const body = route.body ? await readRequestBody(exchange, route, principal) : NO_BODY;
    await operate(exchange, principal, body);
  };
}
