import { isSide } from './raster-protocol.ts';

/** Raw pixels, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

/** An operation on an image file, or on a bitmap. */
export interface PictureJob {
  /** Number of bytes that follow; 0 for another page of the previous file. */
  readonly size: number;
  /** The bytes are raw pixels, not a file. */
  readonly bitmap?: Bitmap;
  readonly make: Webp | Grey;
}

/** A WebP thumbnail, with the orientation applied, no side longer than this, never enlarged. */
export interface Webp {
  readonly as: 'webp';
  readonly maxSidePixels: number;
}

/** One page, for multi-page formats, in grayscale, with the orientation applied and at a size suited to OCR. */
export interface Grey {
  readonly as: 'grey';
  /** From 1. */
  readonly page: number;
}

export type PictureResult =
  | { readonly outcome: 'webp' }
  | {
      readonly outcome: 'grey';
      readonly width: number;
      readonly height: number;
      readonly pages: number;
    }
  | { readonly outcome: 'too-large' | 'unknown' | 'broken' };

/** Maximum number of pixels of an image to decode. */
export const MAX_PIXELS = 100_000_000;

export function parsePicture(value: unknown): PictureResult {
  const { outcome, width, height, pages } = value as Partial<Record<string, unknown>>;
  if (outcome === 'grey' && isSide(width) && isSide(height) && isSide(pages))
    return { outcome, width, height, pages };
  if (
    outcome === 'webp' ||
    outcome === 'too-large' ||
    outcome === 'unknown' ||
    outcome === 'broken'
  )
    return { outcome };
  throw new TypeError('Not an image.');
}
