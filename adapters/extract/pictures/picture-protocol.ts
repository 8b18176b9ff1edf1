import { isSide } from './raster-protocol.ts';

/** Pixels as they lie in memory, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

/** What is made of a picture file, or of a bitmap. */
export interface PictureJob {
  /** Bytes to come; 0 for another page of the file that came before. */
  readonly size: number;
  /** The bytes are these pixels and no file. */
  readonly bitmap?: Bitmap;
  readonly make: Webp | Grey;
}

/** A small webp, upright, no side longer than this, never enlarged. */
export interface Webp {
  readonly as: 'webp';
  readonly longestSide: number;
}

/** One page, of formats that have some, in grey, upright and of a size that recognition works well with. */
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

/** Pixels of one picture that is decoded. */
export const MOST_PIXELS = 100_000_000;

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
  throw new TypeError('Not a picture.');
}
