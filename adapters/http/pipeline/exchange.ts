import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateLimitState } from '../../../core/identity/index.ts';
import type { Core } from '../../../core/index.ts';
import type { BaseUrl } from '../pages/base-url.ts';
import type { ReplacedSecrets } from '../request/replaced-secrets.ts';
import { newRequestId } from '../request/request-id.ts';
import type { EventStream } from '../response/event-stream.ts';
import type { Route } from '../route.ts';
import type { AccessEntry } from '../server/access-log.ts';
import { NO_PERMIT, type Permit } from './permit.ts';

/** Path parameters by name, decoded. */
export type Params = Readonly<Record<string, string>>;

export const NO_PARAMS: Params = Object.freeze({});

/** State that all requests of a server share. */
export interface ServerContext {
  readonly core: Core;
  readonly baseUrl: BaseUrl;
  /** Number of reverse proxies in front of the service. */
  readonly trustProxy: number;
  /** Whether `CORS_ORIGINS` lists any: every response then depends on `Origin`. */
  readonly variesByOrigin: boolean;
  readonly replacedSecrets: ReplacedSecrets;
  /** Compares every reply with its schema: for tests. */
  readonly checkReplies: boolean;
  /** True once the process is about to exit: every response then closes its connection. */
  stopping(): boolean;
  onAccess(entry: AccessEntry): void;
  onError(requestId: string, error: unknown): void;
}

/** Responds to the requests of one path and method. Never rejects. */
export interface Handler {
  /** The path template; `none` if no path matches. */
  readonly template: string;
  readonly route?: Route;
  /** Whether it needs nothing of Express: see `isDirect`. */
  readonly isDirect: boolean;
  /** Answers with a promise if it finishes the exchange itself. */
  handle(exchange: Exchange): Promise<void> | void;
}

/** The fields of a request that may be logged: no address, which may hold a secret, no header, query or body. */
export interface RequestSummary {
  readonly requestId: string;
  readonly method: string;
  /** The path template of the route; `none` if no route matches. */
  readonly route: string;
}

/**
 * A request and its response on the way through the stages. A class, so that all instances share one hidden class: object
 * literals with accessors would each get their own, and keep the request alive until a full garbage collection.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: ServerContext;
  permit: Permit = NO_PERMIT;
  /** When the work on it began, by the clock of the process. */
  startedAt = performance.now();
  /** Set once the request is routed. */
  handler: Handler | undefined = undefined;
  params: Params = NO_PARAMS;
  /** The owner of the requested data, for the access log. */
  ownerId: string | undefined = undefined;
  /** The state of the rate limit, for the response headers. */
  rateLimit: RateLimitState | undefined = undefined;
  /** The ETag that was computed before the operation ran. */
  etag: string | undefined = undefined;
  /** The format of the response, of errors as well. */
  format: 'json' | 'page' = 'json';
  stream: EventStream | undefined = undefined;
  /** Whether the session cookie has identified the caller. */
  hasSessionCookie = false;
  /** Whether the body was still arriving when the caller was identified. */
  hasLateBody = false;
  /** Whether the common headers are set on the response: see `response/common-headers.ts`. */
  hasCommonHeaders = false;
  #requestId: string | undefined = undefined;
  #isFinished = false;

  constructor(request: IncomingMessage, response: ServerResponse, context: ServerContext) {
    this.request = request;
    this.response = response;
    this.context = context;
    (response as ExchangeResponse).exchange = this;
  }

  /** The client's id of the request if it is well-formed, else a new one. The log and the response have the same one. */
  get requestId(): string {
    return (this.#requestId ??= newRequestId(this.request));
  }

  /** The route, unless the path or the method matches none. */
  get route(): Route | undefined {
    return this.handler?.route;
  }

  /** The path template, for logs. */
  get template(): string {
    return this.handler?.template ?? 'none';
  }

  /** The path of the target as sent, without the query. */
  get path(): string {
    const { url = '' } = this.request;
    const end = url.indexOf('?');
    return end === -1 ? url : url.slice(0, end);
  }

  /** Logs an error that is not the client's. */
  report(error: unknown): void {
    this.context.onError(this.requestId, error);
  }

  /** Ends the work on the request: releases the permit and writes the access log. Later calls have no effect. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.permit.release();
    const { request, response, context, ownerId } = this;
    context.onAccess({
      requestId: this.requestId,
      method: request.method ?? '',
      route: this.template,
      status: response.statusCode,
      ms: Math.round((performance.now() - this.startedAt) * 10) / 10,
      ...(ownerId !== undefined && { ownerId }),
    });
  }

  describe(): RequestSummary {
    const { method = '' } = this.request;
    return { requestId: this.requestId, method, route: this.template };
  }
}

interface ExchangeResponse extends ServerResponse {
  exchange?: Exchange;
}

/** The exchange of a response, where only the response is at hand: in event listeners and in Express. */
export const exchangeOf = (response: ServerResponse): Exchange | undefined =>
  (response as ExchangeResponse).exchange;
