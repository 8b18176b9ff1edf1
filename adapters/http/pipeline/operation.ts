import type { AnswerSubscriber } from '../../../core/conversations/index.ts';
import { headerOf } from '../request/headers.ts';
import { changeFlowCookie, flowSecret } from '../request/flow-cookie.ts';
import { changeSessionCookie } from '../request/session-cookie.ts';
import { sendNotModified } from '../response/json.ts';
import { isRedirect, sendRedirect } from '../response/redirect.ts';
import { sendFileReply, sendReply } from '../response/reply.ts';
import type { AnyJsonRoute, AnyRequest, AnyTusRoute, Route } from '../route.ts';
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
  rightsOf,
  type Actor,
} from './idempotency.ts';
import { discardFiles, type RequestBody } from './read-body.ts';
import {
  disableIdleTimeout,
  openAnswerChannel,
  sendEvents,
  sendsEvents,
  sendWhileSignedIn,
  whileSignedIn,
} from './streaming.ts';
import { createValidator, withSentValue } from './validate.ts';

export const isTus = (route: Route): route is AnyTusRoute => 'tus' in route.reply;

type Operate = (exchange: Exchange, principal: Principal, body: RequestBody) => Promise<void>;

/** The stages of a route from validate on. Files of the body that the operation does not claim are discarded. */
export function createOperation(route: Route, context: ServerContext): Operate {
  const validate = createValidator(route);
  requireUnguessable(route);
  const reply = 'present' in route ? createJsonReply(route, context) : undefined;
  const operate: Operate = async (exchange, principal, body) => {
    const values = validate(exchange, body);
    if (principal.kind === 'owner' && route.access === 'owner')
      context.core.identity.authorize(principal.caller, route);
    requireConnected(exchange);
    if (route.longRunning) disableIdleTimeout(exchange);
    const input = inputFor(route, exchange, principal, body, values);
    if (reply) await reply(exchange, input, principal, body);
    else if (isTus(route)) await sendTusReply(exchange, principal, input);
    else if (isRedirect(route)) await sendRedirect(exchange, route, input);
    else if (sendsEvents(route)) await sendEvents(exchange, route, input);
    else if (!('present' in route)) {
      const send = () => sendFileReply(exchange, route, input);
      await (principal.kind === 'owner'
        ? sendWhileSignedIn(exchange, principal.caller, send)
        : send());
    }
  };
  return async (exchange, principal, body) => {
    try {
      // A client may take minutes to send a body: one who was signed out meanwhile changes nothing.
      if (exchange.hasLateBody && principal.kind === 'owner')
        await context.core.identity.requireCredential(principal.caller);
      await operate(exchange, principal, body);
    } catch (error) {
      throw withSentValue(error, exchange, body);
    } finally {
      if (body.files.length > 0 && !body.filesClaimed)
        await discardFiles(context.core, principal, body.files);
    }
  };
}

/** The library of the protocol is loaded with its first request. */
async function sendTusReply(
  exchange: Exchange,
  principal: Principal,
  { params }: AnyRequest,
): Promise<void> {
  const { describeTus, respondToTus } = await import('../tus/respond.ts');
  if (principal.kind !== 'owner') return describeTus(exchange);
  const { upload_id: id } = params as { readonly upload_id?: string };
  return respondToTus(exchange, principal.caller, id);
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
    client: kind === 'sign-in' ? principal.client : undefined,
    current: kind === 'sign-in' ? principal.current : undefined,
    flowSecret: kind === 'sign-in' ? flowSecret(exchange) : undefined,
    params,
    query,
    body,
    files,
    texts,
    source,
    subscriber: subscriberOf(route, exchange, principal),
    languages: headerOf(exchange.request, 'accept-language') ?? '',
  };
  return input as AnyRequest;
}

/** The receiver of an answer's progress. Without events the progress is dropped. */
function subscriberOf(route: Route, exchange: Exchange, principal: Principal): AnswerSubscriber {
  const events = 'events' in route ? route.events : undefined;
  const subscriber = openAnswerChannel(exchange, events);
  return events && principal.kind === 'owner'
    ? whileSignedIn(exchange, principal.caller, subscriber)
    : subscriber;
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
  // An answer may take minutes: a caller who was signed out meanwhile must not get it.
  const requireSignedIn = async (principal: Principal) => {
    if (route.events && principal.kind === 'owner')
      await core.identity.requireCredential(principal.caller);
  };
  return async (exchange, input, principal, body) => {
    const { request } = exchange;
    if (etag) {
      // Computed before the reply: if the state changes in between, the next request gets the new reply, never a wrong
      // 304.
      exchange.etag = await etag(request.url ?? '', input);
      if (isFresh(request, exchange.etag)) return sendNotModified(exchange);
    }
    const actor = runOnce && mayCreate(route, principal) ? actorOf(principal) : undefined;
    const usesKey = route.usesKey?.(input.body) ?? true;
    const key = actor && usesKey ? keyOf(exchange, route.access) : undefined;
    if (!runOnce || !actor || key === undefined) {
      claimFiles(body);
      const result = await route.run(core, input);
      const reply = present(result);
      await requireSignedIn(principal);
      const change = route.setsCookie?.(result);
      if (change) changeSessionCookie(exchange, change);
      const flow = route.setsFlowCookie?.(result);
      if (flow) changeFlowCookie(exchange, flow);
      return sendReply(exchange, route, input, reply);
    }
    const run = (caller: Actor) => {
      claimFiles(body);
      const field = principal.kind === 'visitor' ? { host: caller } : { caller };
      return route.run(core, { ...input, ...field } as AnyRequest);
    };
    const rights = principal.kind === 'owner' ? rightsOf(principal.caller) : '';
    const fingerprint = fingerprintOf(exchange, body.bytes, body.multipart, rights);
    const { params } = input;
    const { reply, repeated } = await runOnce({ caller: actor, params, key, fingerprint, run });
    await requireSignedIn(principal);
    if (repeated) exchange.response.setHeader('Idempotent-Replayed', 'true');
    return sendReply(exchange, route, input, reply, repeated);
  };
}

/** Whether the request can create something that a repeat must not create again. */
const mayCreate = ({ createsHistoryOnly }: AnyJsonRoute, principal: Principal): boolean =>
  !createsHistoryOnly || principal.kind !== 'owner' || principal.caller.mayStoreHistory;

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
