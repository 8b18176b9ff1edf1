import { Agent, request as send } from 'undici';
import { createSsrfSafeConnector, type OutboundPolicy } from '../ssrf-guard.ts';
import type { RequestTimeout } from '../request-timeout.ts';
import { cutOff, empty, unexpectedEncoding, rejectedWith, tooLarge } from './failures.ts';

const MAX_HEADER_BYTES = 65_536;

export interface Question {
  readonly url: string;
  /** Sent as JSON with POST; without it the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What precedes the bytes of a response. */
export interface ResponseHead {
  readonly status: number;
  /** The target of a redirect as sent; '' without one. */
  readonly location: string;
}

/**
 * A request over a dedicated connection with a streamed response: first its head, then its bytes. No redirect is
 * followed.
 */
export async function* exchange(
  rules: OutboundPolicy,
  { url, body, headers }: Question,
  connectMs: number,
  watch: RequestTimeout,
): AsyncGenerator<ResponseHead | Uint8Array, void> {
  const agent = new Agent({
    connect: createSsrfSafeConnector(rules, connectMs),
    // RequestTimeout enforces the time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
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
    yield {
      status: response.statusCode,
      location: String(response.headers['location'] ?? ''),
    };
    if (String(response.headers['content-encoding'] ?? 'identity') !== 'identity')
      throw unexpectedEncoding();
    yield* announced(response.headers['content-length'], response.body, watch);
  } finally {
    watch.signal.removeEventListener('abort', end);
    end();
  }
}

async function* announced(
  length: string | string[] | undefined,
  body: AsyncIterable<Uint8Array>,
  watch: RequestTimeout,
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
  answer: AsyncIterable<ResponseHead | Uint8Array>,
  maxBytes: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const bytes: Uint8Array[] = [];
  let status = 0;
  let size = 0;
  for await (const part of answer) {
    if (!(part instanceof Uint8Array)) {
      status = part.status;
      continue;
    }
    size += part.length;
    if (size > maxBytes) throw tooLarge();
    bytes.push(part);
  }
  return { status, text: Buffer.concat(bytes).toString('utf8') };
}

/** The bytes of a file, streamed: what follows its head. */
export async function* fileBytes(
  { status }: ResponseHead,
  rest: AsyncIterable<ResponseHead | Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of rest) {
    // Checked within the loop, which closes the response.
    if (status !== 200) throw rejectedWith(status);
    if (!(part instanceof Uint8Array)) continue;
    size += part.length;
    if (size > maxBytes) throw tooLarge();
    yield part;
  }
  if (status !== 200) throw rejectedWith(status);
  if (size === 0) throw empty();
}
