import type { Instant } from './runtime.ts';
import type { OwnerScope } from './unit-of-work.ts';

/** Stored bytes. `blobId` is never reused, so a late delete cannot hit other bytes. */
export interface WrittenBlob {
  readonly blobId: string;
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
}

/** First and last byte, both inclusive, as in RFC 9110 §14.1.2. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface BlobEntry {
  readonly blobId: string;
  readonly modifiedAt: Instant;
}

/** The source exceeded `maxBytes`. Nothing was stored. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

/** The stored bytes differ from the written ones, in value or in number. */
export class CorruptBlobError extends Error {
  override readonly name = 'CorruptBlobError';
}

/** Size and hash of a content, as recorded when it was stored. */
export interface ExpectedContent {
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
}

/** No bytes are stored under this id. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

export interface WriteOptions {
  readonly maxBytes: number;
  /** The id to write under, if it was recorded beforehand. Generated if absent. */
  readonly blobId?: string;
}

/**
 * Contract (contract-tests/suites/blob-store.ts):
 * - Written bytes are read back unchanged, whole and by range, with the size and SHA-256 returned by the write.
 * - Large blobs that are written concurrently are read back unchanged, whole and by range.
 * - A range returns exactly its bytes, limited to the end of the content, or rejects.
 * - A range ends at the end of the content. An empty blob has nothing to read, but is not missing.
 * - A read that was abandoned can be started again.
 * - A string is stored as UTF-8.
 * - Bytes are written under the requested id, if there is one.
 * - A source that fails or exceeds `maxBytes` leaves nothing behind.
 * - Reading a missing blob rejects with BlobNotFoundError. Removing a blob is idempotent.
 * - `list` returns every blob that was written and not removed.
 */
export interface BlobStore {
  /**
   * Resolves once the bytes are durable. A string is stored as UTF-8. Memory use does not grow with the size. Chunks
   * from the source must not change until then.
   */
  write(source: AsyncIterable<Uint8Array> | string, limit: WriteOptions): Promise<WrittenBlob>;
  /** Rejects on the first step with BlobNotFoundError if there is nothing to read. */
  read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  remove(blobId: string): Promise<void>;
  list(): AsyncIterable<BlobEntry>;
}

/**
 * The bytes of all owners, each stored where its owner chose: with the service, or in the owner's bucket. Fulfils the
 * contract of `BlobStore`. A bucket that cannot be used rejects with UnavailableError. Not to be used inside a unit
 * of work.
 */
export interface OwnerBlobs extends Pick<BlobStore, 'remove'> {
  /**
   * With `expected`, rejects with CorruptBlobError if the bytes differ. The last bytes of a whole content are passed on only
   * after its SHA-256 has been verified. Of a range only the length can be verified.
   */
  read(blobId: string, range?: ByteRange, expected?: ExpectedContent): AsyncIterable<Uint8Array>;
  /**
   * Whether a bucket of the owner holds the bytes, or may soon: another program can then return other bytes for a range,
   * of which only the length can be verified.
   */
  isWithOwner(blobId: string): Promise<boolean>;
  /** Discards bytes that no row refers to: immediately, or by a task if they are stored in an owner's bucket. */
  discard(blobId: string): Promise<void>;
  /** Writes to the owner's bucket if one is connected and enabled. There is no fallback. */
  write(
    scope: OwnerScope,
    source: AsyncIterable<Uint8Array> | string,
    limit: Pick<WriteOptions, 'maxBytes'>,
  ): Promise<WrittenBlob>;
  /**
   * Writes to the service's storage, wherever the owner's files are stored. For temporary or reproducible content.
   */
  writeHere(
    source: AsyncIterable<Uint8Array> | string,
    limit: Pick<WriteOptions, 'maxBytes'>,
  ): Promise<WrittenBlob>;
}

/**
 * Computes and verifies SHA-256 hashes of contents.
 *
 * Contract (contract-tests/suites/content-digest.ts):
 * - `of` returns the number of the bytes and their SHA-256, for any chunk boundaries.
 * - `verified` passes on the expected bytes, and never the last byte of other bytes.
 */
export interface ContentDigest {
  /** Number of bytes, and their SHA-256 in lower-case hex. Memory use does not grow with the size. */
  of(bytes: AsyncIterable<Uint8Array>): Promise<ExpectedContent>;
  /**
   * Passes the bytes on, the last of them only after all have been verified. Rejects with CorruptBlobError if they differ.
   * Holds back one chunk.
   */
  verified(bytes: AsyncIterable<Uint8Array>, expected: ExpectedContent): AsyncIterable<Uint8Array>;
}
