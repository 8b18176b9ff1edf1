import { createHash } from 'node:crypto';
import type { buildConnector } from 'undici';
import { v7 } from 'uuid';
import {
  BlobMissing,
  BlobTooLarge,
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type WriteLimit,
  type WrittenBlob,
} from '../../ports/blobs.ts';
import { documentOf, endOf, objectOf, tagOf } from './answers.ts';
import { RETRY_WITHIN_MS, S3Client, type S3Manner } from './client.ts';
import { S3Failure, isPassing, storageFailure } from './failures.ts';
import type { S3Place } from './place.ts';
import { FOLDER, blobIdOf, keyOf, laterOf } from './keys.ts';
import { abortUploads, isMissing, removeObject } from './leftovers.ts';
import { probe } from './probe.ts';
import { Upload } from './upload.ts';
import type { S3Document } from './xml.ts';

/** The least that S3 takes of a part that is not the last. */
const LEAST_PART_BYTES = 5 * 2 ** 20;
/** Of one object, and of its parts: the most there may be. */
const MOST_BYTES = 5 * 2 ** 40;
const MOST_PARTS = 10_000;
/** How often a reading that breaks off is taken up again, whatever it gets on meanwhile. */
const MOST_RESUMPTIONS = 20;

/** Beside the blobs, not among them. */
const MARK = 'installation';

const USUAL: S3Manner = {
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

export interface S3Options extends Partial<S3Manner> {
  readonly readBack?: ReadBackSampling;
  /** Makes the connections, within so many milliseconds. */
  readonly connector: (timeoutMs: number) => buildConnector.connector;
  /** Where the blobs lie behind the prefix; `blobs/` where nothing is said. */
  readonly folder?: string;
}

/**
 * Blobs in a bucket, under the names that they have on disk: `blobs/<two hex>/<id>` behind the prefix, or in another
 * folder. An object is there whole or not at all, and each is looked at again once it is written, since not everything
 * that answers with 200 has stored something.
 */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #folder: string;
  readonly #readBack: ReadBackSampling;
  #writes = 0;

  constructor(
    place: S3Place,
    { connector, folder = FOLDER, readBack = DEFAULT_READ_BACK, ...manner }: S3Options,
  ) {
    this.#folder = folder;
    this.#readBack = readBack;
    const all = { ...USUAL, ...manner };
    this.#client = new S3Client(place, connector(all.connectMs), all);
  }

  async write(
    source: AsyncIterable<Uint8Array> | string,
    { maxBytes, blobId = v7() }: WriteLimit,
  ): Promise<WrittenBlob> {
    const key = keyOf(blobId, this.#folder);
    const upload = new Upload(this.#client, key, partBytesFor(maxBytes));
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const chunk of typeof source === 'string' ? [Buffer.from(source)] : source) {
        size += chunk.length;
        if (size > maxBytes) throw new BlobTooLarge(`The source is larger than ${maxBytes} bytes.`);
        hash.update(chunk);
        await upload.add(chunk);
      }
      const written = { blobId, size, sha256: hash.digest('hex') };
      await this.#verify(key, written, await upload.finish());
      return written;
    } catch (error) {
      await upload.abandon();
      throw storageFailure(error);
    }
  }

  /** Verifies a write by its ETag if that is the MD5 of the sent bytes, else by reading back; samples are read back too. */
  async #verify(key: string, { size, sha256, blobId }: WrittenBlob, tag: string): Promise<void> {
    const found = await this.#client.ask({ method: 'HEAD', key }, objectOf);
    if (found.size !== size) throw new S3Failure('altered', 'another size than was written');
    if (found.tag === tag && !this.#isSampled()) return;
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of this.#drawn(blobId)) {
      read += chunk.length;
      if (read > size) break;
      hash.update(chunk);
    }
    if (read !== size || hash.digest('hex') !== sha256)
      throw new S3Failure('altered', 'other bytes than were written');
  }

  #isSampled(): boolean {
    const { first, oneIn, random } = this.#readBack;
    return this.#writes++ < first || random() * oneIn < 1;
  }

  async *read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    try {
      yield* this.#drawn(blobId, range);
    } catch (error) {
      if (isMissing(error)) throw new BlobMissing(`There is no blob ${blobId}.`);
      throw storageFailure(error);
    }
  }

  /** Taken up again where it broke off: what an id names never changes. */
  async *#drawn(blobId: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    let at = range?.first ?? 0;
    let end: number | undefined;
    let tag: string | undefined;
    for (let resumed = 0, failures = 0; ;) {
      const until = performance.now() + RETRY_WITHIN_MS;
      const from = at;
      try {
        const whole = !range && at === 0;
        const last = end === undefined ? range?.last : end - 1;
        const answer = await this.#client.open({
          method: 'GET',
          key: keyOf(blobId, this.#folder),
          headers: {
            ...(!whole && { range: `bytes=${at}-${last ?? ''}` }),
            ...(tag !== undefined && { 'if-match': `"${tag}"` }),
          },
        });
        try {
          end = Math.min(endOf(answer, at, { whole, last }), end ?? Infinity);
          tag ??= tagOf(answer);
          for (;;) {
            const { done, value } = await answer.body.next();
            if (done) break;
            if (at + value.length > end) throw new S3Failure('garbled', 'more than it announced');
            at += value.length;
            yield value;
          }
        } finally {
          await answer.body.return();
        }
        if (at === end) return;
        throw new S3Failure('away', 'the body was cut');
      } catch (error) {
        // Behind the last byte there is nothing, as in an empty file.
        if (end === undefined && error instanceof S3Failure && error.code === 'InvalidRange')
          return;
        if (at === end) return;
        failures = at > from ? 1 : failures + 1;
        const late = at === from && performance.now() > until;
        const often = failures >= this.#client.manner.tries || ++resumed > MOST_RESUMPTIONS;
        if (!isPassing(error) || late || often) throw error;
        await this.#client.pause(failures);
      }
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
      for (let from: Record<string, string> = {}; ;) {
        const page = await this.#page(from);
        for (const { Key = '', LastModified = '' } of page.records('Contents')) {
          const blobId = blobIdOf(Key.slice(this.#client.prefix.length), this.#folder);
          if (blobId !== undefined) yield { blobId, modifiedAt: laterOf(blobId, LastModified) };
        }
        const { IsTruncated, NextContinuationToken = '' } = page.texts;
        if (IsTruncated !== 'true') return;
        if (NextContinuationToken === '' || NextContinuationToken === from['continuation-token'])
          throw new S3Failure('garbled', 'a list without an end');
        from = { 'continuation-token': NextContinuationToken };
      }
    } catch (error) {
      throw storageFailure(error);
    }
  }

  #page(query: Readonly<Record<string, string>>, how: Partial<S3Manner> = {}): Promise<S3Document> {
    const prefix = this.#client.prefix + this.#folder;
    return this.#client.ask(
      { method: 'GET', query: { 'list-type': '2', prefix, ...query } },
      (answer) => documentOf(answer, 'ListBucketResult'),
      how,
    );
  }

  /** Ends uploads in parts that were begun before the moment, left by processes that died over them. */
  async removeAbandoned(before: number): Promise<void> {
    try {
      await abortUploads(this.#client, this.#folder, before);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Whether the bucket answers and may be looked into. Rejects with PortFailure, whose cause tells why. */
  async check(timeoutMs: number): Promise<void> {
    try {
      await this.#page({ 'max-keys': '1' }, { tries: 1, idleMs: timeoutMs, totalMs: timeoutMs });
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /**
   * Whose blobs these are: the mark that lies beside them, and where none does, this one from now on. Who finds another
   * one than its own knows that what it has no rows for is somebody else's.
   */
  async claim(mark: string): Promise<string> {
    const read = () => this.#client.ask({ method: 'GET', key: MARK }, ({ text }) => text.trim());
    try {
      return await read().catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        const upload = new Upload(this.#client, MARK, LEAST_PART_BYTES);
        await upload.add(Buffer.from(`${mark}\n`));
        await upload.finish();
        return read();
      });
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Whether what is written can be read and removed. Rejects with PortFailure, whose cause tells why. */
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

/** All parts of an upload are of one size, which some servers ask for, and as many of them reach as far as may be. */
const partBytesFor = (maxBytes: number): number =>
  Math.max(LEAST_PART_BYTES, Math.ceil(Math.min(maxBytes, MOST_BYTES) / MOST_PARTS));
