import type { IncomingMessage, ServerResponse } from 'node:http';
import { alone } from '../../../core/shared/audience.ts';
import type { Core } from '../../../core/index.ts';
import type { Caller } from '../../../core/shared/caller.ts';
import { DomainError, InvalidInput } from '../../../core/shared/errors.ts';
import { hasBody } from '../request/body-reader.ts';
import { accessEntry, stampHeaders, type AccessEntry, type EnvelopeOptions } from './access-log.ts';
import { matchesEtag, etagFor } from '../pipeline/conditional.ts';
import { CLIENT_CLOSED_REQUEST } from '../pipeline/errors.ts';
import { callerOf, countCaller, refuseExceeded } from '../pipeline/authenticate.ts';
import { headerOf } from '../request/headers.ts';
import { invalidInput } from '../pipeline/validate.ts';
import { createRouteTable } from './route-table.ts';
import { createPresenter } from '../pipeline/present.ts';
import { sendJson, sendNotModified } from '../response/json.ts';
import type { JsonRoute, Method, Route, RouteRequest } from '../route.ts';
import { compileRequest } from '../validation/compile-request.ts';

type AnyJson = JsonRoute<unknown, unknown, unknown, unknown, unknown>;
type Asked = RouteRequest<unknown, unknown, unknown>;

export interface ReadOptions extends EnvelopeOptions {
  readonly core: Core;
  /** Every path with its operations, in the order in which they are looked for. */
  readonly paths: ReadonlyMap<string, ReadonlyMap<Method, Route>>;
  readonly corsOrigins: readonly string[];
  /** Compares every reply with its own schema: for tests. */
  readonly checkReplies: boolean;
  onAccess(entry: AccessEntry): void;
}

/** A read that failed for another reason than who asks and what for: nothing is left to do but to tell. */
export interface Failed {
  readonly error: unknown;
  readonly route: Route;
  /** When it came, by the clock of the process. */
  readonly from: number;
  readonly ownerId: string | undefined;
}

/** How it ended: answered or left by its client, failed, or not touched. */
export type Attempt = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<'ended' | Failed | undefined>;

/**
 * The short way of a plain read: an owner asks for JSON, sends no body and gets no page. Such requests are nearly all
 * there are, and express costs several of them as much as the answer does. They are let in, counted, checked, run and
 * presented by the same functions as everything else. What is refused before it is counted is left to the long way, as
 * if this were not here.
 */
export function plainReads(
  options: ReadOptions,
): (request: IncomingMessage) => Attempt | undefined {
  type Slot = { readonly operations: ReadonlyMap<Method, Route>; readonly attempt?: Read };
  const slots = [...options.paths].map(([path, operations]): [string, Slot] => {
    const route = operations.get('get');
    const attempt = route && isPlain(route) ? { attempt: readAt(route, options) } : {};
    return [path, { operations, ...attempt }];
  });
  const find = createRouteTable(slots);
  // As in the long way: whoever stands beside a wider path lets other methods pass on to it.
  const fits = ({ operations }: Slot) =>
    operations.has('get') || ![...operations.values()].some(({ fallsThrough: besides }) => besides);
  return (request) => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    // A page of another origin needs headers of its own.
    if (headers.origin !== undefined || hasBody(request)) return undefined;
    const end = url.indexOf('?');
    const found = find(end === -1 ? url : url.slice(0, end), fits);
    const attempt = found?.value.attempt;
    return attempt && ((asked, response) => attempt(asked, response, found.params));
  };
}

const isPlain = (route: Route): route is AnyJson =>
  'present' in route &&
  route.access === 'owner' &&
  !route.body &&
  !route.events &&
  !route.page &&
  !route.errorPage &&
  !route.longRunning &&
  !route.acceptsIdempotencyKey;

type Read = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
) => ReturnType<Attempt>;

function readAt(route: AnyJson, options: ReadOptions): Read {
  const { core } = options;
  const validate = compileRequest(route);
  const present = createPresenter(route, options.checkReplies);
  const tag = etagFor(route, core);
  return async (request, response, params) => {
    const from = performance.now();
    const { url = '' } = request;
    let caller: Caller | undefined;
    const tell = (status: number, requestId: string) => {
      const told = { requestId, route: route.path, from, ownerId: caller?.scope.ownerId };
      options.onAccess(accessEntry(request, status, told));
      return 'ended' as const;
    };
    // Nothing is done for somebody who has gone while others had their turn.
    const left = () => tell(CLIENT_CLOSED_REQUEST.status, stampHeaders(options, request, response));
    try {
      caller = await callerOf(core, request).catch(refused);
      if (!caller) return undefined;
      const header = (name: string) => headerOf(request, name);
      const checked = validate({ params, url, header });
      if (!checked.ok) return undefined;
      if (response.destroyed) return left();
      // Where some origins are told more, whoever keeps an answer has to know that others would be told otherwise.
      if (options.corsOrigins.length > 0) response.setHeader('Vary', 'Origin');
      refuseExceeded(await countCaller(core, response, caller));
      if (response.destroyed) return left();
      const asked = {
        ...checked.values,
        caller,
        files: [],
        texts: [],
        source: '',
        audience: alone,
        languages: headerOf(request, 'accept-language') ?? '',
      } as unknown as Asked;
      // Before the answer is made: one that changes in between is asked for once more, and never taken for another.
      const etag = tag && (await tag(url, asked));
      const condition = request.headers['if-none-match'];
      const unchanged =
        etag !== undefined && condition !== undefined && matchesEtag(condition, etag);
      const reply = unchanged ? undefined : present(await route.run(core, asked));
      const requestId = stampHeaders(options, request, response);
      if (etag !== undefined) response.setHeader('ETag', etag);
      if (unchanged) sendNotModified(response);
      else sendJson(request, response, route.status?.(reply) ?? 200, JSON.stringify(reply));
      return tell(response.statusCode, requestId);
    } catch (thrown) {
      if (response.headersSent) throw thrown;
      const error =
        thrown instanceof InvalidInput ? invalidInput(thrown, { params, url }, undefined) : thrown;
      return { error, route, from, ownerId: caller?.scope.ownerId };
    }
  };
}

/** Whoever is nobody is met again on the long way, which counts refusals by their address. */
function refused(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
}
