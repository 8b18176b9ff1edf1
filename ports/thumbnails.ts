import type { ContentType } from './text-extraction.ts';
import type { Instant } from './time-and-ids.ts';

export interface ThumbnailRequest {
  readonly type: ContentType;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Pixels of the longest side. */
  readonly longestSide: number;
  open(): AsyncIterable<Uint8Array>;
}

export type Rendering =
  | { readonly outcome: 'picture'; readonly webp: Uint8Array }
  /** None can be made of this file. `reason` is a sentence for a person, without paths or stacks. */
  | { readonly outcome: 'none'; readonly reason: string };

/**
 * Makes a small picture of a file, away from the event loop, within bounds of time and memory. What it answers is about
 * the file; it rejects only when it could not get to the file at all.
 *
 * Contract (contract-tests/suites/thumbnailer.ts):
 * - Jpg, png, webp, gif, tiff, avif and the first page of a pdf become a webp whose longest side is the one asked for.
 * - A picture is never enlarged, stands upright whatever its EXIF orientation, and carries no metadata of the original.
 * - A kind without a picture, svg, and a file that is broken, encrypted, hostile or over 100 megapixels is `none` within the time limit; the next file is rendered as if nothing had happened.
 * - The bytes decide whether a picture can be decoded: an svg by another name is `none`.
 * - An error of `open` is thrown on, and the next file is rendered as if nothing had happened.
 * - When too many files wait for their turn `render` rejects with PortFailure.
 * - `close` ends every child process; from then on `render` rejects with PortFailure.
 */
export interface Thumbnailer {
  /** PortFailure: too many files wait, the bytes stopped coming, no process can be started. Worth a repeat. */
  render(request: ThumbnailRequest): Promise<Rendering>;
  close(): Promise<void>;
}

/** A thumbnail that was made and is kept. Its bytes count in nobody's storage. */
export interface Thumbnail {
  readonly objectId: string;
  /** SHA-256 of the content it was made of. */
  readonly contentHash: string;
  /** The longest side asked for, in pixels. */
  readonly longestSide: number;
  readonly blobId: string;
  /** SHA-256 of the webp in lower-case hex. */
  readonly sha256: string;
  /** Bytes of the webp. */
  readonly size: number;
  readonly createdAt: Instant;
}

/** Thumbnails kept for one object. */
export const MAX_THUMBNAILS = 8;

/**
 * The thumbnails that are kept for one owner's objects: a cache, of which anything may be missing.
 *
 * Contract (contract-tests/suites/thumbnail-store.ts):
 * - A thumbnail is found by its object, content and side, field for field, and by no other.
 * - `put` answers with the blobs that are not needed any more: of a thumbnail of the same side, and of the oldest past `MAX_THUMBNAILS`.
 * - `removeAll` takes the thumbnails of one object away and answers with their blobs.
 * - The thumbnails of one object id are kept for each owner apart.
 */
export interface ThumbnailStore {
  find(objectId: string, contentHash: string, longestSide: number): Promise<Thumbnail | undefined>;
  put(thumbnail: Thumbnail): Promise<readonly string[]>;
  removeAll(objectId: string): Promise<readonly string[]>;
}
