import type { PictureSentence } from './reasons.ts';
/**
 * Formats that can be edited, as named in object responses. The result of an operation has the format of its source.
 */
export const IMAGE_FORMATS = ['jpg', 'png', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const IMAGE_OPS = ['compress', 'resize', 'rotate', 'flip', 'crop'] as const;
export type ImageOp = (typeof IMAGE_OPS)[number];

export const ANGLES = [90, 180, 270] as const;
export const FLIP_MODES = ['h', 'v'] as const;

/** Left, top, right and bottom as fractions of the upright image: left < right, top < bottom. */
export type CropBox = readonly [left: number, top: number, right: number, bottom: number];

/** An operation on an image. The EXIF orientation is applied first. */
export type ImageOperation =
  | { readonly op: 'compress'; readonly quality: number }
  /** The longest side in pixels. Without a quality the image is encoded as by any other operation. */
  | { readonly op: 'resize'; readonly maxSide: number; readonly quality: number | null }
  /** Clockwise. */
  | { readonly op: 'rotate'; readonly angle: (typeof ANGLES)[number] }
  /** `h` mirrors left and right, `v` top and bottom. */
  | { readonly op: 'flip'; readonly mode: (typeof FLIP_MODES)[number] }
  | { readonly op: 'crop'; readonly box: CropBox };

/** An image file. */
export interface ImageSource {
  readonly format: ImageFormat;
  /** In bytes. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

export type ImageInspection =
  | { readonly outcome: 'editable' }
  /** `reason` is a sentence for the user, without paths or stack traces. */
  | { readonly outcome: 'refused'; readonly reason: PictureSentence };

export type EditResult =
  | { readonly outcome: 'edited'; readonly bytes: Uint8Array }
  /** The operation would not improve the file. `reason` says why. */
  | { readonly outcome: 'unchanged'; readonly reason: PictureSentence }
  /** The operation is not possible for this file. */
  | { readonly outcome: 'failed'; readonly reason: PictureSentence };

/** Pixels of the largest image that can be edited, over all frames. */
export const MAX_IMAGE_PIXELS = 100_000_000;

/** The pixels of a crop: edges are rounded to the nearest pixel boundary, and at least one pixel is left. */
export function cropRectangle(
  [left, top, right, bottom]: CropBox,
  width: number,
  height: number,
): {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
} {
  const [x, w] = span(left, right, width);
  const [y, h] = span(top, bottom, height);
  return { left: x, top: y, width: w, height: h };
}

function span(from: number, to: number, length: number): readonly [start: number, length: number] {
  const start = Math.min(Math.round(from * length), length - 1);
  return [start, Math.max(Math.round(to * length) - start, 1)];
}

/**
 * Dimensions of an image scaled to at most `maxSide`: in proportion, rounded to the nearest pixel, never enlarged.
 */
export function fitWithin(
  maxSide: number,
  width: number,
  height: number,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/**
 * Edits images in another process, within limits of time and memory. The result describes the file. It rejects only
 * if the file could not be read at all.
 *
 * Contract (contract-tests/suites/image-editor.ts):
 * - A rotation is clockwise, a flip mirrors, and both preserve every pixel of a lossless image.
 * - A crop contains the pixels of `cropRectangle`.
 * - A resize has the dimensions of `fitWithin`, and never enlarges.
 * - A compressed image is smaller than its source, or unchanged with the reason.
 * - The bytes decide the format. A file of another format than declared, or of none, is rejected and fails.
 * - An image of more than `MAX_IMAGE_PIXELS` is rejected and fails, decoded or not.
 * - A truncated file fails, and the next one is not affected.
 * - An error of `open` is rethrown, and the next file is not affected.
 * - If too many files wait, `edit` rejects with UnavailableError.
 * - After `close` both reject with UnavailableError.
 */
export interface ImageEditor {
  /** Reads the header of a file only and decodes nothing. UnavailableError after `close`. */
  inspect(source: ImageSource): Promise<ImageInspection>;
  /** UnavailableError: too many files wait, the bytes stopped coming, or no process can be started. Worth a retry. */
  edit(source: ImageSource, operation: ImageOperation): Promise<EditResult>;
  close(): Promise<void>;
}
