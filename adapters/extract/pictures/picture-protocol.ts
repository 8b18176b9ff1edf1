import { isSide } from './raster-protocol.ts';

/** Pixels as they lie in memory, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

/** What is made of a picture file, or of a bitmap. */
export interface PictureJob {
  readonly size: number;
  /** The bytes are these pixels and no file. */
  readonly bitmap?: Bitmap;
  readonly make: Webp;
}

/** A small webp, upright, no side longer than this, never enlarged. */
export interface Webp {
  readonly as: 'webp';
  readonly longestSide: number;
}

export type PictureResult =
  { readonly outcome: 'webp' } | { readonly outcome: 'too-large' | 'unknown' | 'broken' };

/** Pixels of one picture that is decoded. */
export const MOST_PIXELS = 100_000_000;

export function parsePicture(value: unknown): PictureResult {
  const { outcome } = value as Partial<Record<string, unknown>>;
  if (
    outcome === 'webp' ||
    outcome === 'too-large' ||
    outcome === 'unknown' ||
    outcome === 'broken'
  )
    return { outcome };
  throw new TypeError('Not a picture.');
}

export { isSide };
