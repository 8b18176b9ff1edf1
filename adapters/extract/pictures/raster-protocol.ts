/** Rasterizes a page of a PDF: in colour to fit a square, or in grayscale at a resolution for OCR. */
export interface RasterJob {
  /** Number of bytes that follow; 0 for another page of the previous file. */
  readonly size: number;
  /** From 1. */
  readonly page: number;
  readonly want: { readonly maxSidePixels: number } | { readonly dpi: number };
}

export type RasterResult =
  | {
      readonly outcome: 'bitmap';
      readonly width: number;
      readonly height: number;
      /** RGBA, or grayscale. */
      readonly channels: 4 | 1;
      /** Number of pages of the file. */
      readonly pages: number;
    }
  | { readonly outcome: 'protected' | 'broken'; readonly pages?: number };

/** Maximum number of pixels of a page for OCR; a larger page gets a lower resolution. */
export const MAX_RASTER_PIXELS = 16_000_000;

export function parseRaster(value: unknown): RasterResult {
  const { outcome, width, height, channels, pages } = value as Partial<Record<string, unknown>>;
  if (outcome === 'protected' || outcome === 'broken')
    return isSide(pages) ? { outcome, pages } : { outcome };
  const sound = outcome === 'bitmap' && (channels === 4 || channels === 1);
  if (!sound || !isSide(width) || !isSide(height) || !isSide(pages))
    throw new TypeError('Not a bitmap.');
  return { outcome, width, height, channels, pages };
}

export const isSide = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 65_535;
