import type { Request, Response } from 'express';

/** One server-sent event (HTML standard, §9.2): a name and its JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Whether the client would rather have events than JSON. Saying nothing, or accepting everything, means JSON. */
export const wantsEvents = (request: Request): boolean =>
  /text\/event-stream/i.test(request.headers.accept ?? '') &&
  request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';

export async function sendEvents(response: Response, events: Iterable<ServerEvent>): Promise<void> {
  response.set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  for (const { event, data } of events) {
    if (response.destroyed) return;
    const taken = response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (!taken)
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end();
}
