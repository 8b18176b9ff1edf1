import type { Request, Response } from 'express';

/** One server-sent event (HTML standard, §9.2): a name and its JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** How often a stream that says nothing shows that it is alive: what stands in between gives silent ones up. */
const HEARTBEAT_MS = 15_000;
/** How long a client may take in nothing of what it is told, before it counts as gone. */
const STALL_TIMEOUT_MS = 60_000;

const EVENTS = 'text/event-stream; charset=utf-8';

/** Whether the client would rather have events than JSON. Saying nothing, or accepting everything, means JSON. */
export const wantsEvents = (request: Request): boolean =>
  /text\/event-stream/i.test(request.headers.accept ?? '') &&
  request.accepts(['application/json; charset=utf-8', EVENTS]) === EVENTS;

/** An answer as server-sent events. It begins with the first of them: until then the answer may still be another. */
export class EventStream {
  readonly #response: Response;
  readonly #beat: NodeJS.Timeout;
  readonly #stalledMs: number;
  #begun = false;

  /** `beats` from the start on begin the stream as well, where a silence may last. */
  constructor(
    response: Response,
    beats: 'from the start' | 'once begun',
    stalledMs: number = STALL_TIMEOUT_MS,
  ) {
    this.#response = response;
    this.#stalledMs = stalledMs;
    this.#beat = setInterval(() => {
      if (this.#begun || beats === 'from the start') this.#write(':\n\n');
    }, HEARTBEAT_MS);
    response.once('close', () => clearInterval(this.#beat));
  }

  /** Settles when it was taken, or can not be taken any more. */
  async send({ event, data }: ServerEvent): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    const taken = this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (taken) return;
    const stalled = setTimeout(() => response.destroy(), this.#stalledMs);
    const over = Promise.withResolvers<void>();
    response.on('drain', over.resolve).on('close', over.resolve);
    await over.promise;
    clearTimeout(stalled);
    response.off('drain', over.resolve).off('close', over.resolve);
  }

  end(): void {
    clearInterval(this.#beat);
    this.#response.end();
  }

  #write(text: string): boolean {
    if (!this.#begun)
      this.#response.set({
        'Content-Type': EVENTS,
        'Cache-Control': 'private, no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
    this.#begun = true;
    return this.#response.write(text);
  }
}
