import type { AnswerSubscriber } from '../../../core/conversations/index.ts';
import { UnavailableError } from '../../../ports/errors.ts';
import type { Caller } from '../../../core/shared/caller.ts';
import { DomainError } from '../../../core/shared/errors.ts';
import { noSubscriber } from '../../../core/shared/stream-subscriber.ts';
import { EventStream, wantsEvents } from '../response/event-stream.ts';
import { headerOf } from '../request/headers.ts';
import type { AnyEventsRoute, AnyJsonRoute, AnyRequest, Route } from '../route.ts';
import type { Exchange } from './exchange.ts';
import type { ErrorReply } from './errors.ts';

type Events = NonNullable<AnyJsonRoute['events']>;

/**
 * Until the response is made the connection may be silent for longer than others: the operation has a deadline of its own.
 * A client that then does not read is disconnected as usual. The wait does not count as work.
 */
export function disableIdleTimeout({ request: { socket }, response, permit }: Exchange): void {
  const idleMs = socket.timeout ?? 0;
  permit.suspend();
  socket.setTimeout(0);
  response.once('prefinish', () => socket.setTimeout(idleMs));
}

/** The subscriber that an operation sends its progress to: a stream of events if the client accepts that. */
export function openAnswerChannel(
  exchange: Exchange,
  events: Events | undefined,
): AnswerSubscriber {
  if (!events) return noSubscriber;
  disableIdleTimeout(exchange);
  const { request, response } = exchange;
  const disconnected = disconnectOf(exchange);
  if (!events.always && !wantsEvents(request))
    return { send: () => Promise.resolve(), disconnected };
  const stream = new EventStream(response, events.always ? 'from the start' : 'once begun');
  exchange.stream = stream;
  return { send: (news) => stream.send(events.of(news)), disconnected };
}

const disconnectOf = ({ response }: Exchange): Promise<void> =>
  new Promise((resolve) =>
    response.once('close', () => {
      if (!response.writableFinished) resolve();
    }),
  );

export const sendsEvents = (route: Route): route is AnyEventsRoute => 'events' in route.reply;

/** Runs an operation that sends events until it ends. */
export async function sendEvents(
  exchange: Exchange,
  route: AnyEventsRoute,
  input: AnyRequest,
): Promise<void> {
  disableIdleTimeout(exchange);
  const { request, response, context } = exchange;
  const stream = new EventStream(response, 'once begun');
  exchange.stream = stream;
  await route.run(context.core, input as never, headerOf(request, 'last-event-id'), {
    send: (event) => stream.send(event),
    // A response to HEAD has no events: it ends after the first.
    disconnected: request.method === 'HEAD' ? Promise.resolve() : disconnectOf(exchange),
  });
  stream.end();
}

/** How long an answer or a file may be sent after its token was revoked or its session ended. */
const CREDENTIAL_CHECK_MS = 1_000;

/** The same subscriber while the credential of the request is valid: then it ends with `unauthorized`. */
export function whileSignedIn(
  { context }: Exchange,
  caller: Caller,
  subscriber: AnswerSubscriber,
): AnswerSubscriber {
  let checkedAt = performance.now();
  return {
    disconnected: subscriber.disconnected,
    send: async (news) => {
      const now = performance.now();
      if (now - checkedAt >= CREDENTIAL_CHECK_MS) {
        checkedAt = now;
        await context.core.identity.requireCredential(caller);
      }
      return subscriber.send(news);
    },
  };
}

/**
 * Sends a file while the credential of the request is valid: then the response is truncated, so that the client notices. An
 * outage of the database does not end it.
 */
export async function sendWhileSignedIn(
  exchange: Exchange,
  caller: Caller,
  send: () => Promise<void>,
): Promise<void> {
  const { context, response } = exchange;
  let isChecking = false;
  const check = async () => {
    isChecking = true;
    try {
      await context.core.identity.requireCredential(caller);
    } catch (error) {
      if (error instanceof DomainError) response.destroy();
      else if (!(error instanceof UnavailableError)) exchange.report(error);
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => {
    if (response.headersSent && !isChecking) void check();
  }, CREDENTIAL_CHECK_MS);
  try {
    await send();
  } finally {
    clearInterval(timer);
  }
}

/** Ends a stream that has begun with an error. */
export async function sendErrorEvent(stream: EventStream, { body }: ErrorReply): Promise<void> {
  const { code, detail } = body;
  await stream.send({ event: 'error', data: { code, detail } });
  stream.end();
}
