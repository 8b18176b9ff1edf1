import { createParser } from 'eventsource-parser';
import type { Served } from './harness.ts';

/** An event as it came over the wire, its JSON read. */
export interface Received {
  readonly event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- black box: the shape is what the specs judge
  readonly data: any;
  readonly id?: string;
}

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The events received so far. */
  readonly events: Received[];
  /** All output that is not an event, such as a response that is not a stream. */
  text(): string;
  /** Once the other side has ended it. */
  readonly ended: Promise<void>;
  /** Disconnects. */
  leave(): void;
}

/** Posts a request and parses server-sent events as they arrive. */
export const openStream = (
  service: Served,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> =>
  receive(service.base + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** Gets a path like an EventSource does. */
export const followStream = (
  { base }: Pick<Served, 'base'>,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Stream> =>
  receive(base + path, { headers: { accept: 'text/event-stream', ...headers } });

async function receive(url: string, request: RequestInit): Promise<Stream> {
  const leaving = new AbortController();
  const response = await fetch(url, { ...request, signal: leaving.signal });
  const events: Received[] = [];
  let text = '';
  const parser = createParser({
    onEvent: ({ event = 'message', data, id }) =>
      events.push({ event, data: JSON.parse(data) as unknown, ...(id !== undefined && { id }) }),
  });
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk as Uint8Array, { stream: true });
      text += piece;
      parser.feed(piece);
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    ended,
    leave: () => leaving.abort(),
  };
}

/** The deltas, joined. */
export const told = ({ events }: Pick<Stream, 'events'>): string =>
  events
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => String(data.text))
    .join('');
