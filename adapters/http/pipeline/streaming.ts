import type { AnswerSubscriber } from '../../../core/conversations/index.ts';
import { noSubscriber } from '../../../core/shared/stream-subscriber.ts';
import { EventStream, wantsEvents } from '../response/event-stream.ts';
import type { AnyJsonRoute } from '../route.ts';
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
  const disconnected = new Promise<void>((resolve) =>
    response.once('close', () => {
      if (!response.writableFinished) resolve();
    }),
  );
  if (!events.always && !wantsEvents(request))
    return { send: () => Promise.resolve(), disconnected };
  const stream = new EventStream(response, events.always ? 'from the start' : 'once begun');
  exchange.stream = stream;
  return { send: (news) => stream.send(events.of(news)), disconnected };
}

/** Ends a stream that has begun with an error. */
export async function sendErrorEvent(stream: EventStream, { body }: ErrorReply): Promise<void> {
  const { code, detail } = body;
  await stream.send({ event: 'error', data: { code, detail } });
  stream.end();
}
