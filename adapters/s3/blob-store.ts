import { createHash } from 'node:crypto';
import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { buildConnector } from 'undici';
import { v7 } from 'uuid';
import {
  BlobNotFoundError,
  BlobTooLargeError,
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type WriteOptions,
  type WrittenBlob,
} from '../../ports/blobs.ts';
import { BucketClient, type S3Timeouts } from './bucket-client.ts';
import type { BucketLocation } from './bucket-url.ts';
import { abortStaleUploads, isMissing, removeObject } from './cleanup.ts';
import { S3Error, storageFailure } from './errors.ts';
import { MultipartUpload } from './multipart-upload.ts';
import { FOLDER, blobIdOf, keyOf, newestTimestamp } from './object-keys.ts';
import { readResumable } from './resumable-read.ts';
import { verifyObject } from './verify-object.ts';
import { probe } from './write-probe.ts';

/** Limits of S3: of a part that is not the last, of an object, and of its number of parts. */
const MIN_PART_BYTES = 5 * 2 ** 20;
const MAX_OBJECT_BYTES = 5 * 2 ** 40;
const MAX_PARTS = 10_000;

/** Object that names the installation to which the bucket belongs. It is stored beside the blobs. */
const INSTALLATION_KEY = 'installation';

const DEFAULT_TIMEOUTS: S3Timeouts = {
  idleMs: 20_000,
  totalMs: 600_000,
  tries: 3,
  connectMs: 5_000,
  pauseMs: 150,
};

/** Which writes are read back although their ETag is the MD5 of the sent bytes: a server can make up an ETag. */
export interface ReadBackSampling {
  /** The first writes of a client, all of them. */
  readonly first: number;
  /** The sampling rate of later writes: one in this many. */
  readonly oneIn: number;
  /** At least 0 and below 1. */
  readonly random: () => number;
}

const DEFAULT_READ_BACK: ReadBackSampling = { first: 16, oneIn: 16, random: Math.random };

export interface S3Options extends Partial<S3Timeouts> {
  readonly readBack?: ReadBackSampling;
  /** Opens the connections. The argument is the connect timeout in milliseconds. */
  readonly connector: (timeoutMs: number) => buildConnector.connector;
  /** Folder of the blobs, behind the prefix of the bucket. `blobs/` by default. */
  readonly folder?: string;
}

/**
 * Stores blobs in a bucket, under the same names as on disk: `<folder><two hex digits>/<id>` behind the prefix. An object
 * exists completely or not at all. Each write is verified, since a response with status 200 is no proof.
 */
export class S3BlobStore implements BlobStore {
  readonly #client: BucketClient;
  readonly #folder: string;
  readonly #readBack: ReadBackSampling;
  #writes = 0;

  constructor(
    location: BucketLocation,
    { connector, folder = FOLDER, readBack = DEFAULT_READ_BACK, ...overrides }: S3Options,
  ) {
    this.#folder = folder;
    this.#readBack = readBack;
    const timeouts = { ...DEFAULT_TIMEOUTS, ...overrides };
    this.#client = new BucketClient(location, connector(timeouts.connectMs), timeouts);
  }

  async write(
    source: AsyncIterable<Uint8Array> | string,
    { maxBytes, blobId = v7() }: WriteOptions,
  ): Promise<WrittenBlob> {
    const key = keyOf(blobId, this.#folder);
    const upload = new MultipartUpload(this.#client, key, partBytesFor(maxBytes));
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const chunk of typeof source === 'string' ? [Buffer.from(source)] : source) {
        size += chunk.length;
        if (size > maxBytes)
          throw new BlobTooLargeError(`The source is larger than ${maxBytes} bytes.`);
        hash.update(chunk);
        await upload.add(chunk);
      }
      const written = { blobId, size, sha256: hash.digest('hex') };
      const tag = await upload.finish();
      await verifyObject(this.#client, key, written, { tag, isSampled: () => this.#isSampled() });
      return written;
    } catch (error) {
      await upload.abandon();
      throw storageFailure(error);
    }
  }

  #isSampled(): boolean {
    const { first, oneIn, random } = this.#readBack;
    return this.#writes++ < first || random() * oneIn < 1;
  }

  async *read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    try {
      yield* readResumable(this.#client, keyOf(blobId, this.#folder), range);
    } catch (error) {
      if (isMissing(error)) throw new BlobNotFoundError(`There is no blob ${blobId}.`);
      throw storageFailure(error);
    }
  }

  async remove(blobId: string): Promise<void> {
    try {
      await removeObject(this.#client, keyOf(blobId, this.#folder));
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async *list(): AsyncIterable<BlobEntry> {
    try {
      for (let from: { readonly ContinuationToken?: string } = {}; ;) {
        const page = await this.#page(from);
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          const blobId = blobIdOf(Key.slice(this.#client.prefix.length), this.#folder);
          if (blobId !== undefined)
            yield { blobId, modifiedAt: newestTimestamp(blobId, LastModified) };
        }
        const { IsTruncated, NextContinuationToken = '' } = page;
        if (IsTruncated !== true) return;
        if (NextContinuationToken === '' || NextContinuationToken === from.ContinuationToken)
          throw new S3Error('malformed', 'a list without an end');
        from = { ContinuationToken: NextContinuationToken };
      }
    } catch (error) {
      throw storageFailure(error);
    }
  }

  #page(
    input: { readonly ContinuationToken?: string; readonly MaxKeys?: number },
    options: Partial<S3Timeouts> = {},
  ): Promise<ListObjectsV2CommandOutput> {
    const { bucket, prefix } = this.#client;
    return this.#client.send(
      (sdk, exchange) =>
        sdk.send(
          new ListObjectsV2Command({ ...bucket, Prefix: prefix + this.#folder, ...input }),
          exchange,
        ),
      (output) => output,
      options,
    );
  }

  /** Aborts multipart uploads begun before the moment. Processes that died have left them. */
  async removeAbandoned(before: number): Promise<void> {
    try {
      await abortStaleUploads(this.#client, this.#folder, before);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Checks that the bucket can be listed. Rejects with UnavailableError, whose cause is the S3Error. */
  async check(timeoutMs: number): Promise<void> {
    try {
      await this.#page({ MaxKeys: 1 }, { tries: 1, idleMs: timeoutMs, totalMs: timeoutMs });
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /**
   * Returns the mark of the installation to which the bucket belongs. A bucket without one is claimed with the given mark.
   * With a foreign mark, blobs without a row belong to another installation and must not be deleted.
   */
  async claimBucket(mark: string): Promise<string> {
    const read = async () => (await this.#client.readText(INSTALLATION_KEY)).trim();
    try {
      return await read().catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        const upload = new MultipartUpload(this.#client, INSTALLATION_KEY, MIN_PART_BYTES);
        await upload.add(Buffer.from(`${mark}\n`));
        await upload.finish();
        return read();
      });
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Checks that objects can be written as uploads are, read and removed. Rejects with UnavailableError, whose cause is the S3Error. */
  async probe(timeoutMs: number): Promise<void> {
    try {
      await probe(this.#client, timeoutMs);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Size of all parts but the last: some servers want equal ones. Chosen so that the largest object fits into MAX_PARTS. */
const partBytesFor = (maxBytes: number): number =>
  Math.max(MIN_PART_BYTES, Math.ceil(Math.min(maxBytes, MAX_OBJECT_BYTES) / MAX_PARTS));
