import { Readable } from 'node:stream';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import type { Deadline } from './deadline.ts';
import { S3Error, connectionError, errorResponse } from './errors.ts';
import {
  checkFailure,
  checkSuccess,
  documentOf,
  isDownload,
  type ResponseHead,
  type SignedRequest,
} from './response-checks.ts';

const MAX_HEADER_BYTES = 65_536;
const MAX_CONNECTIONS = 256;
const MAX_TEXT_BYTES = 8 * 2 ** 20;
const SLICE_BYTES = 65_536;
/** The only headers that the SDK gets. Others, if invalid, would make it fail. */
const FORWARDED_HEADERS = ['content-length', 'content-range', 'content-type', 'etag'] as const;
/** Status that makes the SDK parse an error document. */
const ERROR_STATUS = 500;

/** State of one exchange, passed through the SDK. */
export interface Exchange {
  readonly deadline: Deadline;
  /** Status of the response; 0 before. */
  status: number;
}

export interface HandlerOptions {
  readonly exchange?: Exchange;
  /** Declared by the SDK; the deadline takes its place. */
  readonly requestTimeout?: number;
}

interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | Readable;
}

/**
 * The transport of the SDK. Unlike the SDK's own one it connects through the given connector, limits silence in both
 * directions and the exchange as a whole, and follows no redirect. It rejects with S3Error for everything that is not a
 * response of S3; an error document of S3 is left to the SDK.
 */
export class RequestHandler {
  readonly #agent: Agent;

  constructor(connect: buildConnector.connector) {
    this.#agent = new Agent({
      connect,
      connections: MAX_CONNECTIONS,
      // The deadline of each exchange replaces these.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  async handle(
    request: SignedRequest,
    { exchange }: HandlerOptions = {},
  ): Promise<{ response: SdkResponse }> {
    if (!exchange) throw new TypeError('a command was sent without an exchange');
    const { deadline } = exchange;
    const { statusCode, headers, body } = await this.#send(request, deadline);
    const head: ResponseHead = { status: statusCode, header: headerOf(headers) };
    exchange.status = statusCode;
    const reply = (status: number, content: SdkResponse['body']) => ({
      response: { statusCode: status, headers: forwarded(head), body: content },
    });
    if (statusCode <= 299 && isDownload(request)) return reply(statusCode, body);
    const bytes = await readText(body, deadline);
    const text = bytes.toString();
    if (statusCode > 299) {
      // Without a document the SDK would make up a code from the status.
      if (text === '') throw errorResponse(statusCode, '');
      checkFailure(statusCode, text);
      return reply(statusCode, bytes);
    }
    const isSuccess = checkSuccess(request, head, text);
    return reply(isSuccess ? statusCode : ERROR_STATUS, documentOf(request, text));
  }

  /** Closes all connections at once, also those in use. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Part of the SDK's interface. There is nothing to configure. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {};
  }

  async #send(request: SignedRequest, deadline: Deadline): Promise<Dispatcher.ResponseData> {
    const { method, protocol, hostname, port, path, query, headers } = request;
    try {
      const response = await deadline.within(
        this.#agent.request({
          origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
          path: path + queryOf(query),
          method,
          headers,
          signal: deadline.signal,
          body: bodyOf(request, deadline),
        }),
      );
      // Errors of the body are reported to its reader.
      response.body.on('error', () => undefined);
      return response;
    } catch (error) {
      throw connectionError(error);
    }
  }
}

/** Reads a response body under the deadline. Rejects with S3Error. */
export async function* readBody(
  body: Readable,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  try {
    for (;;) {
      const { done, value } = await deadline.within(chunks.next());
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw connectionError(error);
  } finally {
    body.destroy();
  }
}

export async function readText(body: Readable, deadline: Deadline): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBody(body, deadline)) {
    size += chunk.length;
    if (size > MAX_TEXT_BYTES) throw new S3Error('malformed', 'an answer without an end');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function bodyOf({ body }: SignedRequest, deadline: Deadline): Readable | null {
  if (body === undefined || body === null || body === '') return null;
  const chunks =
    body instanceof Readable ? (body as AsyncIterable<Uint8Array>) : [Buffer.from(body as string)];
  return Readable.from(sliced(chunks, deadline), { objectMode: false });
}

/** In slices, so that the deadline sees progress. */
async function* sliced(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      deadline.touch();
      yield chunk.subarray(at, at + SLICE_BYTES);
    }
}

/** The query as the SDK has signed it: escaped as RFC 3986 says, sorted by name. */
function queryOf(query: SignedRequest['query']): string {
  const pairs = Object.entries(query)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) =>
      [value ?? ''].flat().map((each) => `${escaped(name)}=${escaped(each)}`),
    );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const forwarded = ({ header }: ResponseHead): Record<string, string> =>
  Object.fromEntries(
    FORWARDED_HEADERS.flatMap((name) => (header(name) === '' ? [] : [[name, header(name)]])),
  );

const headerOf =
  (headers: Dispatcher.ResponseData['headers']) =>
  (name: string): string => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return (typeof value === 'string' ? value : value?.[0]) ?? '';
  };
