/** Formats that are edited, as object cards name them. The result of an operation has the format of its source. */
export const IMAGE_FORMATS = ['jpg', 'png', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const IMAGE_OPS = ['compress', 'resize', 'rotate', 'flip', 'crop'] as const;
export type ImageOp = (typeof IMAGE_OPS)[number];

export const ANGLES = [90, 180, 270] as const;
export const FLIP_MODES = ['h', 'v'] as const;

/** Left, top, right and bottom as fractions of the upright picture: left < right, top < bottom. */
export type CropBox = readonly [left: number, top: number, right: number, bottom: number];

/** What is done to a picture, which stands upright before anything else is done. */
export type ImageOperation =
  | { readonly op: 'compress'; readonly quality: number }
  /** The longest side in pixels. Without a quality the picture is encoded as every other operation does it. */
  | { readonly op: 'resize'; readonly maxSide: number; readonly quality: number | null }
  /** Clockwise. */
  | { readonly op: 'rotate'; readonly angle: (typeof ANGLES)[number] }
  /** `h` mirrors left and right, `v` top and bottom. */
  | { readonly op: 'flip'; readonly mode: (typeof FLIP_MODES)[number] }
  | { readonly op: 'crop'; readonly box: CropBox };

/** A picture file. */
export interface ImageSource {
  readonly format: ImageFormat;
  /** In bytes. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

export type ImageVerdict =
  | { readonly outcome: 'editable' }
  /** `reason` is a sentence for a person, without paths or stacks. */
  | { readonly outcome: 'refused'; readonly reason: string };

export type Edited =
  | { readonly outcome: 'edited'; readonly bytes: Uint8Array }
  /** There is nothing to be gained. `reason` says why. */
  | { readonly outcome: 'unchanged'; readonly reason: string }
  /** It can not be done to this file. */
  | { readonly outcome: 'failed'; readonly reason: string };

/** Pixels of the largest picture that is edited, those of all frames together. */
export const MOST_IMAGE_PIXELS = 100_000_000;

/** Pixels that a crop takes from a picture: its edges go to the nearest boundary between pixels, and one pixel is left. */
export function cropOf(
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

/** Sides of a picture whose longest is at most `maxSide`: in proportion to the nearest pixel, never enlarged. */
export function fittedTo(
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
 * Edits pictures away from the event loop, within bounds of time and memory. What it answers is about the file; it
 * rejects only when it could not get to the file at all.
 *
 * Contract (contract-tests/suites/image-editor.ts):
 * - A rotation turns clockwise, a flip mirrors, and both keep every pixel of a lossless picture.
 * - A crop takes the pixels between the edges that `cropOf` gives.
 * - A resize gives the sides of `fittedTo`, and never enlarges.
 * - A compressed picture is smaller than its source, or stays as it is with the reason.
 * - The bytes decide what a file is: one of another format than it is said to be, or of none, is refused and fails.
 * - A picture of more than `MOST_IMAGE_PIXELS` is refused and fails, decoded or not.
 * - A truncated file fails, and the next one is edited as if nothing had happened.
 * - An error of `open` is thrown on, and the next file is edited as if nothing had happened.
 * - When too many files wait for their turn `edit` rejects with PortFailure.
 * - After `close` both reject with PortFailure.
 */
export interface ImageEditor {
  /** Looks at the head of a file only, and decodes nothing. PortFailure when it is closed. */
  inspect(source: ImageSource): Promise<ImageVerdict>;
  /** PortFailure: too many files wait, the bytes stopped coming, no process can be started. Worth a repeat. */
  edit(source: ImageSource, operation: ImageOperation): Promise<Edited>;
  close(): Promise<void>;
}
