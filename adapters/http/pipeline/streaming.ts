import type { Request, Response } from 'express';
import type { AnswerAudience } from '../../../core/conversations/index.ts';
import { alone } from '../../../core/shared/audience.ts';
import { EventStream, wantsEvents } from '../response/event-stream.ts';
import type { ErrorReply } from './errors.ts';
import type { JsonRoute } from '../route.ts';
import { Workload } from '../server/admission.ts';

type Events = NonNullable<JsonRoute<unknown, unknown, unknown, unknown, unknown>['events']>;

/** Who waits for an answer, and the stream it is told over where one was asked for. */
export interface Live {
  readonly audience: AnswerAudience;
  readonly stream?: EventStream;
}

/**
 * Until the answer is made the connection may be silent for longer than others: a deadline of the operation's own ends
 * it. Whoever then takes nothing of it in is given up as usual. It is not work that others would have to wait for.
 */
export function letLast({ socket }: Request, response: Response): void {
  const silenceMs = socket.timeout ?? 0;
  Workload.aside(response);
  socket.setTimeout(0);
  response.once('prefinish', () => socket.setTimeout(silenceMs));
}

export function liveFor(events: Events | undefined, request: Request, response: Response): Live {
  if (!events) return { audience: alone };
  letLast(request, response);
  const left = new Promise<void>((resolve) =>
    response.once('close', () => {
      if (!response.writableFinished) resolve();
    }),
  );
  if (!events.always && !wantsEvents(request))
    return { audience: { tell: () => Promise.resolve(), left } };
  const stream = new EventStream(response, events.always ? 'from the start' : 'once begun');
  response.locals['stream'] = stream;
  return { audience: { tell: (news) => stream.send(events.of(news)), left }, stream };
}

/** Tells a failure over a stream that has begun. Answers with nothing where there is none. */
export function tellFailure(response: Response, { body }: ErrorReply): Promise<void> | undefined {
  const stream = response.locals['stream'] as EventStream | undefined;
  if (!stream) return undefined;
  const { code, detail } = body;
  return stream.send({ event: 'error', data: { code, detail } }).then(() => stream.end());
}
