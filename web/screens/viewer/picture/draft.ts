import type { components } from '../../../api/schema.js';

export interface Pixels {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture: fractions of its width and height from its top left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What is to be done with a picture, in this order: turned, mirrored left and right, cropped, made smaller, compressed. */
export interface Draft {
  /** Clockwise. */
  readonly angle: 0 | 90 | 180 | 270;
  readonly isMirrored: boolean;
  /** Of the picture as it is after turning. */
  readonly crop: Box | undefined;
  /** Of the longest side, in pixels. */
  readonly maxSide: number | undefined;
  readonly quality: number | undefined;
}

export type Operation = components['schemas']['ImageStatus']['op'];

export interface Step {
  readonly op: Operation;
  readonly body: components['schemas']['ImageOperation'];
}

/** Limits of the service. */
export const MIN_SIDE_PIXELS = 16;
export const MAX_SIDE_PIXELS = 10_000;
export const MIN_QUALITY = 10;
export const MAX_QUALITY = 100;

export const EMPTY: Draft = {
  angle: 0,
  isMirrored: false,
  crop: undefined,
  maxSide: undefined,
  quality: undefined,
};

export const isEmpty = (draft: Draft): boolean => stepsOf(draft).length === 0;

const quarter = (angle: number): Draft['angle'] => (((angle % 360) + 360) % 360) as Draft['angle'];

/** Turns what is shown by a quarter. A mirrored picture turns the other way round beneath its mirror. */
export function turned(draft: Draft, by: 'left' | 'right'): Draft {
  const isClockwise = (by === 'right') !== draft.isMirrored;
  const angle = quarter(draft.angle + (isClockwise ? 90 : -90));
  return { ...draft, angle, crop: draft.crop && turnedBox(draft.crop, by) };
}

/** Mirrors what is shown. Top and bottom: left and right, and upside down. */
export function mirrored(draft: Draft, axis: 'h' | 'v'): Draft {
  const { crop, isMirrored } = draft;
  const angle = axis === 'h' ? draft.angle : quarter(draft.angle + 180);
  const box = crop && {
    ...crop,
    ...(axis === 'h'
      ? { left: 1 - crop.right, right: 1 - crop.left }
      : { top: 1 - crop.bottom, bottom: 1 - crop.top }),
  };
  return { ...draft, angle, isMirrored: !isMirrored, crop: box };
}

const turnedBox = ({ left, top, right, bottom }: Box, by: 'left' | 'right'): Box =>
  by === 'right'
    ? { left: 1 - bottom, top: left, right: 1 - top, bottom: right }
    : { left: top, top: 1 - right, right: bottom, bottom: 1 - left };

/** The operations of the service that make the picture so. Each makes a version. */
export function stepsOf({ angle, isMirrored, crop, maxSide, quality }: Draft): readonly Step[] {
  const steps: Step[] = [];
  // Upside down and mirrored is top and bottom mirrored: one operation instead of two.
  const isFlipped = isMirrored && angle === 180;
  if (angle !== 0 && !isFlipped) steps.push({ op: 'rotate', body: { angle, mode: '' } });
  if (isMirrored) steps.push({ op: 'flip', body: { mode: isFlipped ? 'v' : 'h' } });
  if (crop) {
    const box = [crop.left, crop.top, crop.right, crop.bottom];
    steps.push({ op: 'crop', body: { box, mode: '' } });
  }
  const reduced = quality !== undefined && { quality };
  if (maxSide !== undefined)
    steps.push({ op: 'resize', body: { max_side: maxSide, mode: '', ...reduced } });
  else if (quality !== undefined) steps.push({ op: 'compress', body: { quality, mode: '' } });
  return steps;
}

export const turnedSize = ({ width, height }: Pixels, { angle }: Draft): Pixels =>
  angle % 180 === 0 ? { width, height } : { width: height, height: width };

/** The pixels of a part. Edges are rounded as the service rounds them. */
export function regionOf(
  { width, height }: Pixels,
  crop: Box | undefined,
): Pixels & { readonly left: number; readonly top: number } {
  if (!crop) return { left: 0, top: 0, width, height };
  const [left, across] = span(crop.left, crop.right, width);
  const [top, down] = span(crop.top, crop.bottom, height);
  return { left, top, width: across, height: down };
}

function span(from: number, to: number, length: number): readonly [number, number] {
  const start = Math.min(Math.round(from * length), length - 1);
  return [start, Math.max(Math.round(to * length) - start, 1)];
}

export function fitWithin({ width, height }: Pixels, maxSide: number): Pixels {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** The picture before it is made smaller. */
export const croppedSize = (natural: Pixels, draft: Draft): Pixels => {
  const { width, height } = regionOf(turnedSize(natural, draft), draft.crop);
  return { width, height };
};

export const resultSize = (natural: Pixels, draft: Draft): Pixels =>
  fitWithin(croppedSize(natural, draft), draft.maxSide ?? Infinity);
