import type { ByteRange } from './blobs.ts';
import type { Instant } from './runtime.ts';

/** Size and hash of the content of an archive entry. */
export interface EntryDigest {
  /** Uncompressed size in bytes. */
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
}

/** One file to be written to an archive. */
export interface NewEntry {
  /** Relative path with `/` as separator, without `..`. Paths must be unique. */
  readonly path: string;
  readonly modifiedAt: Instant;
  /** False for content that is compressed already. */
  readonly compress: boolean;
  /** Expected size in bytes, if known. Required from 4 GiB on (Zip64). */
  readonly size?: number;
  /** A string and chunks of strings are written as UTF-8. */
  readonly content: string | AsyncIterable<Uint8Array | string>;
  /** Called when the entry has been written completely, before the next entry is requested. */
  written?(digest: EntryDigest): void;
}

/** Random access to the bytes of an archive. */
export interface ArchiveBytes {
  readonly size: number;
  read(range: ByteRange): AsyncIterable<Uint8Array>;
}

export interface ArchiveLimits {
  readonly maxEntries: number;
  /** Maximum uncompressed size of all entries together. */
  readonly maxBytes: number;
}

/** An archive whose directory has been read and validated. */
export interface ReadableArchive {
  /** The paths of its files, in directory order. */
  paths(): Iterable<string>;
  has(path: string): boolean;
  /** Reads the entry to its end. */
  digest(path: string): Promise<EntryDigest>;
  read(path: string): AsyncIterable<Uint8Array>;
  /** The lines of a UTF-8 text, without line terminators. */
  lines(path: string, limit: { readonly maxBytes: number }): AsyncIterable<string>;
}

/** The archive is corrupt or not an archive. The message is a sentence for the user. */
export class CorruptArchiveError extends Error {
  override readonly name = 'CorruptArchiveError';
}

/**
 * Many files in one stream of bytes.
 *
 * Contract (contract-tests/suites/archive-format.ts):
 * - Written entries are read back path by path and byte for byte, with the size and SHA-256 reported at writing.
 * - Bytes are produced on demand: when the consumer pauses, so do the entries.
 * - If the consumer returns early, the entry iterator and the current content are closed.
 * - An error of an entry or of its content is thrown to the consumer.
 * - A truncated, altered or invalid file is rejected with CorruptArchiveError, in `open` or when the entry is read.
 * - `open` rejects paths outside the archive, duplicate paths, encrypted entries and unknown compression methods.
 * - `open` rejects archives with more entries or bytes than allowed, or more bytes than the file could hold
 *   compressed.
 * - `lines` rejects invalid UTF-8, and a line that is too long, with the line number.
 * - An error of the byte source is rethrown unchanged.
 */
export interface ArchiveFormat {
  /** Memory grows with the number of entries (their directory), not with their size. */
  write(entries: AsyncIterable<NewEntry>): AsyncIterable<Uint8Array>;
  open(bytes: ArchiveBytes, limits: ArchiveLimits): Promise<ReadableArchive>;
}
