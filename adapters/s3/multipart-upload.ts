import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { BucketClient, S3Timeouts } from './bucket-client.ts';
import { abortStaleUploads, abortUpload, removeObject } from './cleanup.ts';
import { S3Error } from './errors.ts';
import { PartBuffer } from './part-buffer.ts';
import { noTag, tagOf } from './response-checks.ts';
import { mayExist } from './verify-object.ts';

/** Limit of S3. */
const MAX_PARTS = 10_000;
/** Timeouts of the clean-up after a failure, for which the caller has to wait. */
const CLEANUP_TIMEOUTS = { tries: 2, idleMs: 3_000, totalMs: 5_000 };
const CONTENT_TYPE = 'application/octet-stream';
/** Responses without an ETag after which a server is known to send none. */
const UNTAGGED_PARTS = 2;

export interface UploadOptions {
  /** A multipart upload, even if one part holds all bytes. */
  readonly isMultipart?: boolean;
  /** Called for each request; those of the client by default. */
  readonly timeouts?: () => Partial<S3Timeouts>;
  /** Called for each request of the clean-up after a failure. */
  readonly cleanupTimeouts?: () => Partial<S3Timeouts>;
}

/**
 * The upload of one new object: a single request if one part holds all bytes, else a multipart upload. One part is sent
 * while the next is filled, so at most two are in memory.
 */
export class MultipartUpload {
  readonly #client: BucketClient;
  readonly #key: string;
  readonly #partBytes: number;
  #part = new PartBuffer();
  #uploadId: string | undefined;
  readonly #sent: { readonly tag: string; readonly md5: Buffer }[] = [];
  #sending: Promise<void> = Promise.resolve();
  #isMultipart: boolean;
  #untagged = 0;
  /** A try whose response was lost may have begun an upload of its own. */
  #mayHaveBegunTwice = false;
  /** The object itself was written, or may have been. */
  #objectMayExist = false;

  readonly #timeouts: () => Partial<S3Timeouts>;
  readonly #cleanup: () => Partial<S3Timeouts>;

  constructor(client: BucketClient, key: string, partBytes: number, options: UploadOptions = {}) {
    this.#client = client;
    this.#key = key;
    this.#partBytes = partBytes;
    this.#isMultipart = options.isMultipart ?? false;
    this.#timeouts = options.timeouts ?? (() => ({}));
    this.#cleanup = options.cleanupTimeouts ?? (() => CLEANUP_TIMEOUTS);
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      // A full part is sent when more bytes follow: a single part needs no multipart upload.
      if (this.#part.size === this.#partBytes) await this.#ship();
      const some = bytes.subarray(at, at + this.#partBytes - this.#part.size);
      this.#part.add(some);
      at += some.length;
    }
  }

  /** Resolves with the ETag that the object has on a server whose ETags are made of MD5. */
  async finish(): Promise<string> {
    if (this.#isMultipart) {
      await this.#ship();
      await this.#sending;
      this.#objectMayExist = true;
      return this.#complete();
    }
    this.#objectMayExist = true;
    const [client, payload] = [this.#client, this.#part.seal()];
    const input = { ...client.at(this.#key), ContentType: CONTENT_TYPE };
    await client.send(
      async (sdk, options) => {
        const output = await sdk.send(
          new PutObjectCommand({ ...input, ...payload.input() }),
          options,
        );
        return tagOf(output) !== undefined || this.#isThere();
      },
      requireStored,
      this.#timeouts(),
    );
    return payload.md5.toString('hex');
  }

  /** Undoes what was begun, if the server can be reached. Ignores its errors. */
  async abandon(): Promise<void> {
    await this.#sending.catch(ignoreS3Error);
    const [client, key] = [this.#client, this.#key];
    if (this.#uploadId !== undefined)
      await abortUpload(client, key, this.#uploadId, this.#cleanup()).catch(ignoreS3Error);
    if (this.#isMultipart && (this.#mayHaveBegunTwice || this.#uploadId === undefined))
      await this.#abortAll();
    if (this.#objectMayExist) await removeObject(client, key, this.#cleanup()).catch(ignoreS3Error);
  }

  /** Aborts also uploads whose ids never arrived. */
  #abortAll(): Promise<void> {
    return abortStaleUploads(this.#client, this.#key, Infinity, this.#cleanup()).catch(
      ignoreS3Error,
    );
  }

  async #ship(): Promise<void> {
    await this.#sending;
    this.#isMultipart = true;
    this.#uploadId ??= await this.#begin();
    const number = this.#sent.length + 1;
    if (number > MAX_PARTS) throw new S3Error('rejected', `more than ${MAX_PARTS} parts`);
    const payload = this.#part.seal();
    this.#part = new PartBuffer();
    const input = {
      ...this.#client.at(this.#key),
      UploadId: this.#uploadId,
      PartNumber: number,
    };
    this.#sending = this.#client.send(
      (sdk, options) => sdk.send(new UploadPartCommand({ ...input, ...payload.input() }), options),
      (output) => {
        const tag = tagOf(output) ?? this.#madeTag(payload.md5);
        this.#sent.push({ tag, md5: payload.md5 });
      },
      this.#timeouts(),
    );
    // Its error is reported by the next part, or by finish().
    this.#sending.catch(() => undefined);
  }

  /** The ETag that the part has on most servers, for a server that sends none. One missing ETag may be that of a proxy. */
  #madeTag(md5: Buffer): string {
    const { tries } = { ...this.#client.timeouts, ...this.#timeouts() };
    if (++this.#untagged < Math.min(UNTAGGED_PARTS, tries)) throw noTag();
    return md5.toString('hex');
  }

  /** Looked up if a response does not confirm the object. */
  #isThere(): Promise<boolean> {
    return mayExist(this.#client, this.#key, { ...this.#timeouts(), tries: 1 });
  }

  #begin(): Promise<string> {
    const input = { ...this.#client.at(this.#key), ContentType: CONTENT_TYPE };
    return this.#client.send(
      (sdk, options) => sdk.send(new CreateMultipartUploadCommand(input), options),
      ({ UploadId }) => {
        if (!UploadId) throw new S3Error('malformed', 'no id of the upload');
        return UploadId;
      },
      { ...this.#timeouts(), onRetry: () => (this.#mayHaveBegunTwice = true) },
    );
  }

  async #complete(): Promise<string> {
    const Parts = this.#sent.map(({ tag }, index) => ({ PartNumber: index + 1, ETag: `"${tag}"` }));
    const input = {
      ...this.#client.at(this.#key),
      UploadId: this.#uploadId,
      MultipartUpload: { Parts },
    };
    try {
      await this.#client.send(
        async (sdk, options) => {
          const { ETag, Key } = await sdk.send(new CompleteMultipartUploadCommand(input), options);
          return ETag !== undefined || Key !== undefined || this.#isThere();
        },
        requireStored,
        this.#timeouts(),
      );
    } catch (error) {
      // A try whose response was lost may have completed it. The check of the object decides.
      if (!(error instanceof S3Error && error.code === 'NoSuchUpload')) throw error;
    }
    const all = createHash('md5');
    for (const { md5 } of this.#sent) all.update(md5);
    if (this.#mayHaveBegunTwice) await this.#abortAll();
    return `${all.digest('hex')}-${this.#sent.length}`;
  }
}

function requireStored(isStored: boolean): void {
  if (!isStored) throw noTag();
}

/** Leftovers are found later: objects by the garbage collection, uploads by the abort of stale ones. */
function ignoreS3Error(error: unknown): void {
  if (!(error instanceof S3Error)) throw error;
}
