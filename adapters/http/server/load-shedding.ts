import type { Request, Response } from 'express';
import { OVERLOADED } from '../pipeline/errors.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { setCommonHeaders } from '../response/common-headers.ts';
import { sendEarlyError } from '../response/error.ts';
import { corsMiddleware } from './cors.ts';

/** Clients that are rejected together should not retry together. */
const MIN_RETRY_AFTER_SECONDS = 1;
const MAX_RETRY_AFTER_SECONDS = 3;

/**
 * Makes the function that rejects a request with 503. It neither authenticates nor reads or counts anything: it has to cost
 * a small part of what it saves.
 */
export function createShedResponder(corsOrigins: readonly string[]): (exchange: Exchange) => void {
  const cors = corsOrigins.length > 0 ? corsMiddleware(corsOrigins) : undefined;
  const reject = (exchange: Exchange): void => {
    const spread = MAX_RETRY_AFTER_SECONDS - MIN_RETRY_AFTER_SECONDS + 1;
    const retryAfter = MIN_RETRY_AFTER_SECONDS + Math.floor(Math.random() * spread);
    sendEarlyError(exchange, { ...OVERLOADED, retryAfter });
  };
  return (exchange) => {
    if (!cors) return reject(exchange);
    const { request, response } = exchange;
    setCommonHeaders(exchange);
    // A preflight request is answered: otherwise its page could never be told to retry later.
    cors(request as Request, response as Response, () => reject(exchange));
    if (response.writableEnded) exchange.finish();
  };
}
