import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { exchangeOf, type Exchange } from '../pipeline/exchange.ts';
import { setCommonHeaders } from '../response/common-headers.ts';
import { abandon, sendError } from '../response/error.ts';
import { corsMiddleware } from './cors.ts';

/**
 * Everything but plain reads goes through Express: CORS, then the handler that the router has found, and the error handler.
 * Express itself routes nothing.
 */
export function createExpressApp(corsOrigins: readonly string[]): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // Set regardless of NODE_ENV: Express's final error handler would otherwise send the stack of an error.
  app.set('env', 'production');
  app.use((_request, response, next) => {
    setCommonHeaders(exchangeIn(response));
    next();
  });
  if (corsOrigins.length > 0) {
    const cors = corsMiddleware(corsOrigins);
    app.use((request, response, next) => {
      cors(request, response, next);
      const exchange = exchangeIn(response);
      if (request.method === 'OPTIONS' && response.writableEnded) {
        // A preflight request, which no handler has seen.
        exchange.handler = undefined;
        exchange.finish();
      }
    });
  }
  app.use((_request, response) => {
    const exchange = exchangeIn(response);
    const end = exchange.handler?.handle(exchange);
    if (!end) exchange.finish();
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const exchange = exchangeIn(response);
    try {
      void sendError(exchange, error);
      exchange.finish();
    } catch (thrown) {
      abandon(exchange, thrown);
    }
  });
  return app;
}

function exchangeIn(response: Response): Exchange {
  const exchange = exchangeOf(response);
  if (!exchange) throw new Error('The request did not come by way of the server.');
  return exchange;
}
