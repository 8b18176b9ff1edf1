import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  GetObjectCommand,
  S3Client,
  S3ServiceException,
  type GetObjectCommandOutput,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { buildConnector } from 'undici';
import { bucketAddress, type BucketLocation } from './bucket-url.ts';
import { Deadline, type Timeouts } from './deadline.ts';
import { S3Error, errorResponse, isRetryable } from './errors.ts';
import { HashedBody } from './part-buffer.ts';
import {
  RequestHandler,
  readBody,
  readText,
  type Exchange,
  type HandlerOptions,
} from './request-handler.ts';
import { checkRange } from './response-checks.ts';

export interface S3Timeouts extends Timeouts {
  /** How often an operation is tried. */
  readonly tries: number;
  readonly connectMs: number;
  /** Pause after the first try; it doubles. */
  readonly pauseMs: number;
}

/** Options of a command: they reach the request handler with it. */
export interface ExchangeOptions extends HandlerOptions {
  readonly exchange: Exchange;
}

/** Sends one command. Called again for each retry. */
export type Operation<Output> = (sdk: S3Client, options: ExchangeOptions) => Promise<Output>;

export interface S3Stream {
  readonly head: GetObjectCommandOutput;
  readonly body: AsyncGenerator<Uint8Array, void>;
  /** Ends the response, also if its body was never read. */
  readonly close: () => void;
}

/** No retry begins later than this after the first try. */
export const MAX_RETRY_MS = 15_000;

/**
 * The SDK's client for one bucket. Every exchange has its timeouts, every operation its retries, and every error is an
 * S3Error.
 */
export class BucketClient {
  readonly timeouts: S3Timeouts;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly bucket: { readonly Bucket: string };
  readonly #handler: RequestHandler;
  readonly #sdk: S3Client;

  /** `connect` opens the connections. It must be an SSRF-safe one if an owner has chosen the location. */
  constructor(location: BucketLocation, connect: buildConnector.connector, timeouts: S3Timeouts) {
    this.timeouts = timeouts;
    this.prefix = location.prefix;
    this.bucket = { Bucket: location.bucket };
    this.#handler = new RequestHandler(connect);
    this.#sdk = new S3Client(configOf(location, this.#handler));
    // They read environment variables of AWS and describe the machine to the server.
    this.#sdk.middlewareStack.remove('getUserAgentMiddleware');
    this.#sdk.middlewareStack.remove('recursionDetectionMiddleware');
    // The hash was taken while the body was filled. Without it the SDK does not sign the bytes of a stream.
    this.#sdk.middlewareStack.add(
      (next) => (args) => {
        const { Body } = args.input as { readonly Body?: unknown };
        const { headers } = args.request as { readonly headers: Record<string, string> };
        if (Body instanceof HashedBody) headers['x-amz-content-sha256'] = Body.sha256;
        return next(args);
      },
      { name: 'signBodyHash', step: 'build' },
    );
  }

  /** Bucket and key of an object, the key without the prefix. */
  at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { ...this.bucket, Key: this.prefix + key };
  }

  /** Aborts all exchanges. */
  close(): Promise<void> {
    return this.#handler.close();
  }

  /** Runs an operation and checks its output. `check` throws S3Error for an unusable one; `onRetry` is called before each retry. */
  async send<Output, T>(
    operation: Operation<Output>,
    check: (output: Output) => T,
    options: Partial<S3Timeouts> & { onRetry?(): void } = {},
  ): Promise<T> {
    const timeouts = { ...this.timeouts, ...options };
    const until = performance.now() + MAX_RETRY_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return check(await this.#attempt(operation, new Deadline(timeouts)));
      } catch (error) {
        if (!isRetryable(error) || attempt >= timeouts.tries || performance.now() > until)
          throw error;
      }
      options.onRetry?.();
      await this.pause(attempt);
    }
  }

  /** Longer after every try, with jitter, so that many clients do not retry at the same moment. */
  async pause(attempt: number): Promise<void> {
    await pause(this.timeouts.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }

  /** Requests an object once, without a retry. The body is read under the same deadline. */
  async openStream(
    key: string,
    input: { readonly Range?: string; readonly IfMatch?: string } = {},
  ): Promise<S3Stream> {
    const deadline = new Deadline(this.timeouts);
    const head = await this.#attempt(
      (sdk, options) => sdk.send(new GetObjectCommand({ ...this.at(key), ...input }), options),
      deadline,
    );
    const body = head.Body as Readable;
    return { head, body: readBody(body, deadline), close: () => body.destroy() };
  }

  /** Reads a small object as text. */
  readText(key: string, options: Partial<S3Timeouts> = {}): Promise<string> {
    return this.send(
      async (sdk, exchangeOptions) => {
        const head = await sdk.send(new GetObjectCommand(this.at(key)), exchangeOptions);
        const body = head.Body as Readable;
        try {
          checkRange(head, 0, { whole: true, last: undefined });
          return (await readText(body, exchangeOptions.exchange.deadline)).toString();
        } finally {
          body.destroy();
        }
      },
      (text) => text,
      options,
    );
  }

  async #attempt<Output>(operation: Operation<Output>, deadline: Deadline): Promise<Output> {
    const exchange = { deadline, status: 0 };
    try {
      return await operation(this.#sdk, { exchange });
    } catch (error) {
      throw toS3Error(error, exchange.status);
    }
  }
}

const ignore = (): void => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Every setting that the SDK would otherwise look up in environment variables, in files of the user or from the machine.
 * Where a setting is missing here, a value of the environment decides to which server the secret's signature goes.
 */
function configOf(location: BucketLocation, requestHandler: RequestHandler) {
  const { region, accessKeyId, secretAccessKey, pathStyle } = location;
  const endpoint = bucketAddress(location).replace(/\/$/, '');
  const config = {
    region,
    endpoint,
    // The rules of AWS for names of buckets are not those of every server; the address is known.
    endpointProvider: () => ({
      url: new URL(endpoint),
      properties: {
        authSchemes: [
          {
            name: 'sigv4',
            signingName: 's3',
            signingRegion: region,
            properties: {},
            disableDoubleEncoding: true,
          },
        ],
      },
      headers: {},
    }),
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    requestHandler,
    logger: SILENT,
    // Some servers reject optional checksums. MD5 and SHA-256 protect the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    // undici rejects a request that has the header.
    expectContinueHeader: false,
    disableClockSkewCorrection: true,
    disableS3ExpressSessionAuth: true,
    followRegionRedirects: false,
    useArnRegion: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: ['sigv4'],
    sigv4aSigningRegionSet: [region],
    userAgentAppId: '',
  } satisfies S3ClientConfig & { readonly endpointProvider: unknown };
  return config;
}

function toS3Error(error: unknown, status: number): unknown {
  if (error instanceof S3Error) {
    // Added by the SDK.
    Reflect.deleteProperty(error, '$metadata');
    return error;
  }
  if (error instanceof S3ServiceException) {
    const { Code } = error as { readonly Code?: unknown };
    const code = typeof Code === 'string' ? Code : '';
    return status > 299
      ? errorResponse(status, code)
      : new S3Error('throttled', 'S3 gave up on it', status, code);
  }
  // The SDK could not parse the response. Its message quotes the text.
  if (error instanceof Error && '$response' in error)
    return new S3Error('malformed', 'a document that is none of S3', status);
  return error;
}
