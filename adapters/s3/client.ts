import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request as send, type buildConnector, type Dispatcher } from 'undici';
import { S3Failure, connectionFailure, isPassing, refusal } from './failures.ts';
import { bucketAddress, type S3Place } from './place.ts';
import { queryOf, signed } from './signature.ts';
import { Watch, type Patience } from './watch.ts';
import { readDocument } from './xml.ts';

/** A body that can be sent again. */
export interface Payload {
  readonly chunks: readonly Uint8Array[];
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix, whose slash it follows; none asks the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Payload;
}

export interface S3Answer {
  readonly status: number;
  header(name: string): string;
  readonly text: string;
}

export interface S3Stream extends Omit<S3Answer, 'text'> {
  readonly body: AsyncGenerator<Uint8Array, void>;
}

export interface S3Manner extends Patience {
  /** How often what may be repeated is tried. */
  readonly tries: number;
  readonly connectMs: number;
  /** Pause after the first try; it doubles. */
  readonly pauseMs: number;
}

/** Past this time without anything nothing is tried again: whoever waits for it is told. */
export const RETRY_WITHIN_MS = 15_000;
const LONGEST_HEADERS = 65_536;
const MOST_CONNECTIONS = 256;
const LONGEST_TEXT = 8 * 2 ** 20;
const SLICE = 65_536;
const NO_BODY: Payload = { chunks: [], size: 0, sha256: createHash('sha256').digest('hex') };

/** Signed requests to one bucket, each within its time and repeated where it may be. Rejects with S3Failure. */
export class S3Client {
  readonly #place: S3Place;
  readonly #base: URL;
  readonly #agent: Agent;
  readonly manner: S3Manner;

  /** `connect` makes the connections: whoever lets an owner choose the place hands in one that is guarded. */
  constructor(place: S3Place, connect: buildConnector.connector, manner: S3Manner) {
    this.#place = place;
    this.#base = new URL(bucketAddress(place));
    this.manner = manner;
    this.#agent = new Agent({
      connect,
      connections: MOST_CONNECTIONS,
      // The watch keeps the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: LONGEST_HEADERS,
    });
  }

  /** What every key stands behind. */
  get prefix(): string {
    return this.#place.prefix;
  }

  /** Ends what runs: only for when nobody waits for anything any more. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /**
   * Asks and judges the answer; `judge` throws S3Failure for one that is not what was asked for. `again` is told of each
   * repetition.
   */
  async ask<T>(
    request: S3Request,
    judge: (answer: S3Answer) => T,
    how: Partial<S3Manner> & { again?(): void } = {},
  ): Promise<T> {
    const manner = { ...this.manner, ...how };
    const until = performance.now() + RETRY_WITHIN_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return judge(await this.#answer(request, manner));
      } catch (error) {
        if (!isPassing(error) || attempt >= manner.tries || performance.now() > until) throw error;
      }
      how.again?.();
      await this.pause(attempt);
    }
  }

  /** Longer after every try, and never twice the same, so that many do not come back at once. */
  async pause(attempt: number): Promise<void> {
    await pause(this.manner.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }

  /** One try of a request whose answer is drawn from; one that is no success or no S3 rejects. */
  async open(request: S3Request): Promise<S3Stream> {
    const watch = new Watch(this.manner);
    const { statusCode: status, headers, body } = await this.#exchange(request, watch);
    const header = headerOf(headers);
    if (status > 299) throw await refusalOf(status, body, watch);
    return { status, header, body: drawn(body, watch) };
  }

  async #answer(request: S3Request, patience: Patience): Promise<S3Answer> {
    const watch = new Watch(patience);
    const { statusCode: status, headers, body } = await this.#exchange(request, watch);
    const header = headerOf(headers);
    if (status > 299) throw await refusalOf(status, body, watch);
    const text = await textOf(body, watch);
    if (isPage(header)) throw new S3Failure('garbled', 'a web page instead of an answer of S3');
    return { status, header, text };
  }

  async #exchange(
    { method, key, query = {}, headers = {}, body = NO_BODY }: S3Request,
    watch: Watch,
  ): Promise<Dispatcher.ResponseData> {
    const url = new URL(this.#base);
    if (key !== undefined) url.pathname += this.#place.prefix + key;
    else if (this.#place.pathStyle) url.pathname = url.pathname.slice(0, -1);
    url.search = queryOf(query);
    const hasBody = method === 'PUT' || method === 'POST';
    const all = { ...headers, ...(hasBody && { 'content-length': String(body.size) }) };
    const signable = { method, url, headers: all, bodyHash: body.sha256 };
    try {
      const response = await watch.within(
        send(url, {
          dispatcher: this.#agent,
          signal: watch.signal,
          method,
          headers: signed(this.#place, signable, new Date()),
          body: body.size > 0 ? Readable.from(slices(body, watch), { objectMode: false }) : null,
        }),
      );
      // That it ends early is heard by whoever draws from it.
      response.body.on('error', () => undefined);
      return response;
    } catch (error) {
      throw connectionFailure(error);
    }
  }
}

/** In pieces, so that it is seen to go on. */
async function* slices({ chunks }: Payload, watch: Watch): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SLICE) {
      watch.touch();
      yield chunk.subarray(at, at + SLICE);
    }
}

async function* drawn(
  body: Dispatcher.ResponseData['body'],
  watch: Watch,
): AsyncGenerator<Uint8Array, void> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  try {
    for (;;) {
      const { done, value } = await watch.within(chunks.next());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw connectionFailure(error);
  } finally {
    body.destroy();
  }
}

async function textOf(body: Dispatcher.ResponseData['body'], watch: Watch): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of drawn(body, watch)) {
    size += chunk.length;
    if (size > LONGEST_TEXT) throw new S3Failure('garbled', 'an answer without an end');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function refusalOf(
  status: number,
  body: Dispatcher.ResponseData['body'],
  watch: Watch,
): Promise<S3Failure> {
  const text = await textOf(body, watch);
  if (text === '') return refusal(status, '');
  try {
    const { root, texts } = readDocument(text);
    if (root === 'Error') return refusal(status, texts['Code'] ?? '');
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error;
  }
  // Of something in front of the server: what it does not know now it may know in a moment.
  return new S3Failure('garbled', `no answer of S3 with status ${status}`, status);
}

const isPage = (header: S3Answer['header']): boolean => /html/i.test(header('content-type'));

const headerOf =
  (headers: Dispatcher.ResponseData['headers']) =>
  (name: string): string => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return (typeof value === 'string' ? value : value?.[0]) ?? '';
  };
