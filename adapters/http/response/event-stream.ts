import type { IncomingMessage, ServerResponse } from 'node:http';
import accepts from 'accepts';

/** One server-sent event (HTML standard, §9.2): a name and its JSON. */
export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
  /** What the client sends as `Last-Event-ID` when it connects again. One line. */
  readonly id?: string;
}

/** How often a silent stream sends a comment: proxies close connections that are silent for long. */
const HEARTBEAT_MS = 15_000;
/** How long a client may read nothing before it counts as disconnected. */
const STALL_TIMEOUT_MS = 60_000;

const EVENTS = 'text/event-stream; charset=utf-8';

/** Whether the client prefers events to JSON. Without `Accept`, or if it accepts everything, it gets JSON. */
export const wantsEvents = (request: IncomingMessage): boolean =>
  /text\/event-stream/i.test(request.headers.accept ?? '') &&
  accepts(request).types(['application/json; charset=utf-8', EVENTS]) === EVENTS;

/** A response as server-sent events. It begins with the first event: until then the response may still be another. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #stallTimeoutMs: number;
  #hasBegun = false;

  /** Heartbeats `from the start` begin the stream as well, for operations that may be silent for long. */
  constructor(
    response: ServerResponse,
    heartbeats: 'from the start' | 'once begun',
    stallTimeoutMs: number = STALL_TIMEOUT_MS,
  ) {
    this.#response = response;
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#heartbeat = setInterval(() => {
      if (this.#hasBegun || heartbeats === 'from the start') this.#write(':\n\n');
    }, HEARTBEAT_MS);
    response.once('close', () => clearInterval(this.#heartbeat));
  }

  /** Resolves when the client has read enough for the next event, or has disconnected. */
  async send({ event, data, id }: ServerEvent): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    const hasRoom = this.#write(`event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`);
    if (hasRoom) return;
    const stalled = setTimeout(() => response.destroy(), this.#stallTimeoutMs);
    const over = Promise.withResolvers<void>();
    response.on('drain', over.resolve).on('close', over.resolve);
    await over.promise;
    clearTimeout(stalled);
    response.off('drain', over.resolve).off('close', over.resolve);
  }

  end(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #write(text: string): boolean {
    const response = this.#response;
    if (!this.#hasBegun) {
      response.setHeader('Content-Type', EVENTS);
      response.setHeader('Cache-Control', 'private, no-store, no-transform');
      response.setHeader('X-Accel-Buffering', 'no');
    }
    this.#hasBegun = true;
    return response.write(text);
  }
}
