import type { Instant } from './time-and-ids.ts';
import type { OwnerScope } from './unit-of-work.ts';

/** Bytes at rest. `blobId` is never used again, so a late delete can not hit somebody else's bytes. */
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

/** The source went past `maxBytes`. Nothing was kept. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
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

/** No bytes lie under this id. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

export interface WriteLimit {
  readonly maxBytes: number;
  /** The id to write under, where somebody has put it down beforehand; made anew where it is left out. */
  readonly blobId?: string;
}

/**
 * Contract (contract-tests/suites/blob-store.ts):
 * - What was written is read back byte for byte, whole and by range, with the size and SHA-256 told at writing.
 * - Large blobs that are written side by side are read back as they were, whole and by range.
 * - A range returns exactly its bytes, as far as the content has them, or rejects.
 * - A range ends where the bytes do; of an empty blob there is nothing to read, and it is no missing one.
 * - A reading that is left early can be begun anew.
 * - A text is stored as UTF-8.
 * - Bytes are written under the id that is asked for, where one is.
 * - A source that fails or goes past `maxBytes` leaves nothing behind.
 * - Reading a missing blob rejects with BlobMissing; removing one twice is the same as once.
 * - `list` gives every blob that was written and not removed.
 */
export interface BlobStore {
  /**
   * Resolves once the bytes are durable. A string is stored as UTF-8. Memory use does not grow with the size. What the
   * source has given must stay as it is until then.
   */
  write(source: AsyncIterable<Uint8Array> | string, limit: WriteLimit): Promise<WrittenBlob>;
  /** Rejects on the first step with BlobMissing when there is nothing to read. */
  read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  remove(blobId: string): Promise<void>;
  list(): AsyncIterable<BlobEntry>;
}

/**
 * The bytes of all owners, each where its owner wants it: with the service, or in a bucket of the owner's own. Promises
 * what `BlobStore` does; a bucket that can not be used rejects with PortFailure. Not to be used inside a unit of work.
 */
export interface OwnerBlobs extends Pick<BlobStore, 'remove'> {
  /**
   * With `expected`, rejects with CorruptBlobError if the bytes differ. The last bytes of a whole content are passed on only
   * after its SHA-256 has been verified. Of a range only the length can be verified.
   */
  read(blobId: string, range?: ByteRange, expected?: ExpectedContent): AsyncIterable<Uint8Array>;
  /** Lets go of bytes that came to no row: at once, or where they lie in an owner's bucket by a task. */
  discard(blobId: string): Promise<void>;
  /** Into the owner's bucket where one is connected and enabled, and there or nowhere. */
  write(
    scope: OwnerScope,
    source: AsyncIterable<Uint8Array> | string,
    limit: Pick<WriteLimit, 'maxBytes'>,
  ): Promise<WrittenBlob>;
  /** With the service, wherever the owner's files go: what is of use for a moment, or can be made again. */
  writeHere(
    source: AsyncIterable<Uint8Array> | string,
    limit: Pick<WriteLimit, 'maxBytes'>,
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
  /** Their number, and their SHA-256 in lower-case hex. Memory use does not grow with the number. */
  of(bytes: AsyncIterable<Uint8Array>): Promise<ExpectedContent>;
  /**
   * Passes the bytes on, the last of them only after all have been verified. Rejects with CorruptBlobError if they differ.
   * Holds back one chunk.
   */
  verified(bytes: AsyncIterable<Uint8Array>, expected: ExpectedContent): AsyncIterable<Uint8Array>;
}
