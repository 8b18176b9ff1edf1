import { forbidden } from '../../../core/shared/common-errors.ts';
import { headerOf } from '../request/headers.ts';
import { sendNotModified } from '../response/json.ts';
import { sendFileReply, sendReply } from '../response/reply.ts';
import type { AnyJsonRoute, AnyRequest, Route } from '../route.ts';
import { compileReply, type RequestValues } from '../validation/compile-request.ts';
import { actorOf, type Principal } from './principal.ts';
import { etagFor, isFresh } from './conditional.ts';
import { CLIENT_CLOSED_REQUEST, HttpError } from './errors.ts';
import type { Exchange, ServerContext } from './exchange.ts';
import {
  createIdempotentRunner,
  fingerprintOf,
  keyOf,
  requireUnguessable,
  type Actor,
} from './idempotency.ts';
import type { RequestBody } from './read-body.ts';
import { disableIdleTimeout, openAnswerChannel } from './streaming.ts';
import { createValidator, withSentValue } from './validate.ts';

type Operate = (exchange: Exchange, principal: Principal, body: RequestBody) => Promise<void>;

/** The stages of a route from validate on. Files of the body that the operation does not claim are discarded. */
export function createOperation(route: Route, context: ServerContext): Operate {
  const validate = createValidator(route);
  requireUnguessable(route);
  const reply = 'present' in route ? createJsonReply(route, context) : undefined;
  const operate: Operate = async (exchange, principal, body) => {
    const values = validate(exchange, body);
    if (principal.kind === 'owner' && !principal.mayWrite) throw forbidden();
    requireConnected(exchange);
    if (route.longRunning) disableIdleTimeout(exchange);
    const input = inputFor(route, exchange, principal, body, values);
    if (reply) await reply(exchange, input, principal, body);
    else if (!('present' in route)) await sendFileReply(exchange, route, input);
  };
  return async (exchange, principal, body) => {
    try {
      await operate(exchange, principal, body);
    } catch (error) {
      throw withSentValue(error, exchange, body);
    } finally {
      if (body.files.length > 0 && !body.filesClaimed)
        await context.core.objects.discardFiles(body.files);
    }
  };
}

/** From here on the operation is responsible for the files, however it ends. */
function claimFiles(body: RequestBody): void {
  if (body.files.length > 0) body.filesClaimed = true;
}

/** Nothing is done for a client that has disconnected. */
export function requireConnected({ response }: Exchange): void {
  if (response.destroyed) throw new HttpError(CLIENT_CLOSED_REQUEST);
}

/** All fields in one literal, so that all inputs share one hidden class. */
function inputFor(
  route: Route,
  exchange: Exchange,
  principal: Principal,
  { files, texts, source }: RequestBody,
  { params, query, body }: RequestValues,
): AnyRequest {
  const { kind } = principal;
  const input: { readonly [K in keyof AnyRequest]: AnyRequest[K] | undefined } = {
    caller: kind === 'owner' ? principal.caller : undefined,
    visitor: kind === 'visitor' ? principal.visitor : undefined,
    bot: kind === 'platform' ? principal.bot : undefined,
    host: kind === 'visitor' ? principal.target : undefined,
    engine: kind === 'document-server' ? principal.engine : undefined,
    params,
    query,
    body,
    files,
    texts,
    source,
    subscriber: openAnswerChannel(exchange, 'events' in route ? route.events : undefined),
    languages: headerOf(exchange.request, 'accept-language') ?? '',
  };
  return input as AnyRequest;
}

type Reply = (
  exchange: Exchange,
  input: AnyRequest,
  principal: Principal,
  body: RequestBody,
) => Promise<void> | void;

/** Compares the ETag, runs the operation, at most once for an idempotency key, presents the result and sends it. */
function createJsonReply(route: AnyJsonRoute, { core, checkReplies }: ServerContext): Reply {
  const present = createPresenter(route, checkReplies);
  const etag = etagFor(route, core);
  const runOnce = route.acceptsIdempotencyKey
    ? createIdempotentRunner(route, core, present)
    : undefined;
  return async (exchange, input, principal, body) => {
    const { request } = exchange;
    if (etag) {
      // Computed before the reply: if the state changes in between, the next request gets the new reply, never a wrong
      // 304.
      exchange.etag = await etag(request.url ?? '', input);
      if (isFresh(request, exchange.etag)) return sendNotModified(exchange);
    }
    const actor = runOnce && actorOf(principal);
    const key = actor && keyOf(exchange, route.access);
    if (!runOnce || !actor || key === undefined) {
      claimFiles(body);
      return sendReply(exchange, route, input, present(await route.run(core, input)));
    }
    const run = (caller: Actor) => {
      claimFiles(body);
      const field = principal.kind === 'visitor' ? { host: caller } : { caller };
      return route.run(core, { ...input, ...field } as AnyRequest);
    };
    const fingerprint = fingerprintOf(exchange, body.bytes, body.multipart);
    const { params } = input;
    const { reply, repeated } = await runOnce({ caller: actor, params, key, fingerprint, run });
    if (repeated) exchange.response.setHeader('Idempotent-Replayed', 'true');
    return sendReply(exchange, route, input, reply, repeated);
  };
}

/** A route's `present`; with `checkReplies` a reply that violates its own schema is a defect (500). */
function createPresenter(route: AnyJsonRoute, checkReplies: boolean): (result: unknown) => unknown {
  const check = checkReplies ? compileReply(route.reply.json) : null;
  if (!check) return (result) => route.present(result);
  return (result) => {
    const reply = route.present(result);
    const violation = check(reply);
    if (violation) throw new Error(`${route.method} ${route.path} breaks its schema: ${violation}`);
    return reply;
  };
}
