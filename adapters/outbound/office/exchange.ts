import { Agent, request as send } from 'undici';
import { guardedConnector, type OutboundRules } from '../connector.ts';
import type { Watch } from '../watch.ts';
import { cutOff, empty, packed, refusedWith, tooLarge } from './failures.ts';

const LONGEST_HEADERS = 65_536;

export interface Question {
  readonly url: string;
  /** Sent as JSON with POST; without it the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request over a dedicated connection with a streamed response: first its status, then its bytes. No redirect is
 * followed.
 */
export async function* exchange(
  rules: OutboundRules,
  { url, body, headers }: Question,
  connectMs: number,
  watch: Watch,
): AsyncGenerator<number | Uint8Array> {
  const agent = new Agent({
    connect: guardedConnector(rules, connectMs),
    // RequestTimeout enforces the time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: LONGEST_HEADERS,
  });
  const end = () => void agent.destroy().catch(() => undefined);
  watch.signal.addEventListener('abort', end, { once: true });
  try {
    const response = await watch.within(
      send(url, {
        dispatcher: agent,
        signal: watch.signal,
        method: body ? 'POST' : 'GET',
        headers: {
          accept: body ? 'application/json' : '*/*',
          'accept-encoding': 'identity',
          'user-agent': 'OwnerWorkspace',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body ? JSON.stringify(body) : null,
      }),
    );
    // An early end is reported to the consumer.
    response.body.on('error', () => undefined);
    if (String(response.headers['content-encoding'] ?? 'identity') !== 'identity') throw packed();
    yield response.statusCode;
    yield* announced(response.headers['content-length'], response.body, watch);
  } finally {
    watch.signal.removeEventListener('abort', end);
    end();
  }
}

async function* announced(
  length: string | string[] | undefined,
  body: AsyncIterable<Uint8Array>,
  watch: Watch,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let size = 0;
  for (;;) {
    const { done, value } = await watch.within(chunks.next());
    if (done) break;
    size += value.length;
    yield value;
  }
  if (length !== undefined && size !== Number(length)) throw cutOff();
}

/** A short response: its status and its text. */
export async function shortAnswer(
  answer: AsyncIterable<number | Uint8Array>,
  maxBytes: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const bytes: Uint8Array[] = [];
  let status = 0;
  let size = 0;
  for await (const part of answer) {
    if (typeof part === 'number') status = part;
    else {
      size += part.length;
      if (size > maxBytes) throw tooLarge();
      bytes.push(part);
    }
  }
  return { status, text: Buffer.concat(bytes).toString('utf8') };
}

/** The bytes of a file, streamed. */
export async function* fileBytes(
  answer: AsyncIterable<number | Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of answer) {
    if (typeof part === 'number') {
      if (part !== 200) throw refusedWith(part);
      continue;
    }
    size += part.length;
    if (size > maxBytes) throw tooLarge();
    yield part;
  }
  if (size === 0) throw empty();
}
