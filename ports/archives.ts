import type { ByteRange } from './blobs.ts';
import type { Instant } from './time-and-ids.ts';

/** What an entry of an archive turned out to hold. */
export interface EntryDigest {
  /** Bytes, unpacked. */
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
}

/** One file on its way into an archive. */
export interface NewEntry {
  /** Relative, with `/` between its parts, none of them `..`; no path may come twice. */
  readonly path: string;
  readonly modifiedAt: Instant;
  /** False for what is compressed already. */
  readonly compress: boolean;
  /** Bytes to come, where they are known; needed from 4 GiB on. */
  readonly size?: number;
  /** A string and chunks of strings are written as UTF-8. */
  readonly content: string | AsyncIterable<Uint8Array | string>;
  /** Told once the whole of it has gone out, before the next entry is asked for. */
  written?(digest: EntryDigest): void;
}

/** The bytes of an archive, wherever they lie. */
export interface ArchiveBytes {
  readonly size: number;
  read(range: ByteRange): AsyncIterable<Uint8Array>;
}

export interface ArchiveLimits {
  readonly maxEntries: number;
  /** Of all entries together, unpacked. */
  readonly maxBytes: number;
}

/** An archive whose directory was read and found sound. */
export interface ReadableArchive {
  /** The paths of its files, in the order of the directory. */
  paths(): Iterable<string>;
  has(path: string): boolean;
  /** Reads the entry to its end. */
  digest(path: string): Promise<EntryDigest>;
  read(path: string): AsyncIterable<Uint8Array>;
  /** The lines of a text in UTF-8, without their ends. */
  lines(path: string, limit: { readonly maxBytes: number }): AsyncIterable<string>;
}

/** The archive can not be taken for what it says it is. The message is a sentence for a person. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
}

/**
 * Many files in one stream of bytes.
 *
 * Contract (contract-tests/suites/archive-format.ts):
 * - What is written is read back, path by path and byte for byte, with the size and SHA-256 told at writing.
 * - Bytes are made as they are drawn: whoever stops drawing stops the entries.
 * - Whoever stops for good ends the entries and the content in hand.
 * - An error of an entry or of its content is thrown to whoever draws.
 * - A file that is cut short, changed or no archive is refused with ArchiveDamaged, in `open` or when the entry is read.
 * - Paths that lead out of the archive, paths that come twice, encrypted entries and unknown methods are refused by `open`.
 * - More entries or bytes than allowed, and more bytes than can be packed into the file, are refused by `open`.
 * - `lines` refuses what is no UTF-8, and a line that is too long, by its number.
 * - An error of the bytes' source is thrown on as it is.
 */
export interface ArchiveFormat {
  /** Memory grows with the number of entries, by their directory, and not with their size. */
  write(entries: AsyncIterable<NewEntry>): AsyncIterable<Uint8Array>;
  open(bytes: ArchiveBytes, limits: ArchiveLimits): Promise<ReadableArchive>;
}
