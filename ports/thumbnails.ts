import type { ContentType } from './text-extraction.ts';
import type { Instant } from './runtime.ts';

export interface ThumbnailRequest {
  readonly type: ContentType;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Pixels of the longest side. */
  readonly maxSidePixels: number;
  open(): AsyncIterable<Uint8Array>;
}

export type RenderResult =
  | { readonly outcome: 'picture'; readonly webp: Uint8Array }
  /** No thumbnail can be made of this file. `reason` is a sentence for the user, without paths or stack traces. */
  | { readonly outcome: 'none'; readonly reason: string };

/**
 * Renders a thumbnail of a file in another process, within limits of time and memory. The result describes the file.
 * It rejects only if the file could not be read at all.
 *
 * Contract (contract-tests/suites/thumbnailer.ts):
 * - JPEG, PNG, WebP, GIF, TIFF, AVIF and the first page of a PDF become a WebP with the requested longest side.
 * - An image is never enlarged, is rotated according to its EXIF orientation, and carries no metadata of the
 *   original.
 * - A kind without an image, SVG, and a file that is broken, encrypted, hostile or over 100 megapixels is `none`
 *   within the time limit. The next file is not affected.
 * - The bytes decide whether an image can be decoded: an SVG with another extension is `none`.
 * - An error of `open` is rethrown, and the next file is not affected.
 * - If too many files wait, `render` rejects with UnavailableError.
 * - `close` ends every child process. Afterwards `render` rejects with UnavailableError.
 */
export interface Thumbnailer {
  /** UnavailableError: too many files wait, the bytes stopped coming, or no process can be started. Worth a retry. */
  render(request: ThumbnailRequest): Promise<RenderResult>;
  close(): Promise<void>;
}

/** A cached thumbnail. Its bytes do not count towards a storage quota. */
export interface Thumbnail {
  readonly objectId: string;
  /** SHA-256 of the content it was rendered from. */
  readonly contentHash: string;
  /** The requested longest side in pixels. */
  readonly maxSidePixels: number;
  readonly blobId: string;
  /** SHA-256 of the WebP in lower-case hex. */
  readonly sha256: string;
  /** Size of the WebP in bytes. */
  readonly size: number;
  readonly createdAt: Instant;
}

/** Maximum number of cached thumbnails per object. */
export const MAX_THUMBNAILS = 8;

/**
 * The cached thumbnails of one owner's objects. Any entry may be missing.
 *
 * Contract (contract-tests/suites/thumbnail-store.ts):
 * - A thumbnail is found only by its object, content and side, field for field.
 * - `put` returns the blobs that are no longer needed: of a thumbnail of the same side, and of the oldest past
 *   `MAX_THUMBNAILS`.
 * - `removeAll` removes the thumbnails of one object and returns their blobs.
 * - Thumbnails of the same object id are stored separately for each owner.
 */
export interface ThumbnailStore {
  find(
    objectId: string,
    contentHash: string,
    maxSidePixels: number,
  ): Promise<Thumbnail | undefined>;
  put(thumbnail: Thumbnail): Promise<readonly string[]>;
  removeAll(objectId: string): Promise<readonly string[]>;
}
