import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { EditingJob } from './editing-protocol.ts';
import { animationOfFrames, withProfile } from './webp-container.ts';

export interface Sizes {
  readonly width: number;
  readonly height: number;
}

/** Frames stacked vertically, as in libvips memory. */
interface Roll extends Sizes {
  readonly pixels: Buffer;
  readonly channels: 3 | 4;
}

type Open = (bytes: Uint8Array, options?: SharpOptions) => Sharp;

/** Operations for an EXIF orientation: first mirror, then rotate. */
const UPRIGHT: Readonly<Record<number, (frame: Sharp) => Sharp>> = {
  2: (frame) => frame.flop(),
  3: (frame) => frame.rotate(180),
  4: (frame) => frame.flip(),
  5: (frame) => frame.flop().rotate(270),
  6: (frame) => frame.rotate(90),
  7: (frame) => frame.flop().rotate(90),
  8: (frame) => frame.rotate(270),
};

/**
 * Applies an operation to each frame of an animated WebP; number, delays and loop count are preserved. Frame by
 * frame, because libvips treats the frames as one tall image, whose order a rotation would change.
 */
export async function animationOf(
  job: EditingJob,
  bytes: Uint8Array,
  facts: Metadata,
  open: Open,
  change: (frame: Sharp, sizes: Sizes) => Sharp,
): Promise<Uint8Array> {
  const stored = await rollOf(bytes, open);
  const upright = UPRIGHT[facts.orientation ?? 1];
  const standing = upright ? await eachFrame(stored, open, upright) : stored;
  const created = await eachFrame(standing, open, change);
  const { icc } = facts;
  const small = await differencesOf(job, created, facts, open);
  // The encoder merges frames that look alike.
  if (await hasAllOf(facts, open(small))) return icc ? withProfile(small, icc) : small;
  return wholeFramesOf(job, created, facts, open);
}

/** Each frame as its difference from the previous one. */
function differencesOf(
  { quality, lossless }: EditingJob,
  { pixels, width, height, channels }: Roll,
  { delay, loop }: Metadata,
  open: Open,
): Promise<Buffer> {
  const frames = pixels.length / (width * height * channels);
  const raw = { width, height: height * frames, channels, pageHeight: height };
  return open(pixels, { raw, limitInputPixels: false })
    .webp({
      quality,
      lossless,
      exact: lossless,
      ...(delay && { delay }),
      ...(loop !== undefined && { loop }),
    })
    .toBuffer();
}

async function hasAllOf({ pages, delay, loop }: Metadata, created: Sharp): Promise<boolean> {
  const stored = await created.metadata();
  return stored.pages === pages && stored.loop === loop && String(stored.delay) === String(delay);
}

/** Larger, but with every frame. */
async function wholeFramesOf(
  { quality, lossless }: EditingJob,
  roll: Roll,
  { delay = [], loop = 0, icc }: Metadata,
  open: Open,
): Promise<Uint8Array> {
  const frames: { webp: Uint8Array; delay: number }[] = [];
  for (const frame of framesOf(roll, open)) {
    const webp = await frame.webp({ quality, lossless, exact: lossless }).toBuffer();
    frames.push({ webp, delay: delay[frames.length] ?? 0 });
  }
  const { width, height, channels } = roll;
  return animationOfFrames(frames, { width, height, loop, alpha: channels === 4, profile: icc });
}

async function rollOf(bytes: Uint8Array, open: Open): Promise<Roll> {
  const { data, info } = await open(bytes, { animated: true, ignoreIcc: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels, pageHeight = height } = info;
  return { pixels: data, width, height: pageHeight, channels: channels === 4 ? 4 : 3 };
}

async function eachFrame(
  roll: Roll,
  open: Open,
  change: (frame: Sharp, sizes: Sizes) => Sharp,
): Promise<Roll> {
  const created: Buffer[] = [];
  let sizes: Sizes = roll;
  for (const frame of framesOf(roll, open)) {
    const { data, info } = await change(frame, roll).raw().toBuffer({ resolveWithObject: true });
    created.push(data);
    sizes = info;
  }
  const { width, height } = sizes;
  return { pixels: Buffer.concat(created), width, height, channels: roll.channels };
}

function* framesOf({ pixels, width, height, channels }: Roll, open: Open): Iterable<Sharp> {
  const length = width * height * channels;
  for (let at = 0; at < pixels.length; at += length)
    yield open(pixels.subarray(at, at + length), { raw: { width, height, channels } });
}
