import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type { EditingJob } from './editing-protocol.ts';
import { withProfile } from './webp-profile.ts';

export interface Sizes {
  readonly width: number;
  readonly height: number;
}

/** Frames one below the other, as they lie in memory. */
interface Roll extends Sizes {
  readonly pixels: Buffer;
  readonly channels: 3 | 4;
}

type Open = (bytes: Uint8Array, options?: SharpOptions) => Sharp;

/** What brings a picture upright that is stored by an EXIF orientation: mirrored first, then turned. */
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
 * An animated webp with each of its frames changed alike; their number, delays and the loop stay. Frame by frame, for
 * libvips takes the frames for one tall picture, whose order a turn would change.
 */
export async function animationOf(
  { quality, lossless }: EditingJob,
  bytes: Uint8Array,
  { delay, loop, icc, orientation = 1 }: Metadata,
  open: Open,
  change: (frame: Sharp, sizes: Sizes) => Sharp,
): Promise<Uint8Array> {
  const stored = await rollOf(bytes, open);
  const upright = UPRIGHT[orientation];
  const standing = upright ? await eachFrame(stored, open, upright) : stored;
  const { pixels, width, height, channels } = await eachFrame(standing, open, change);
  const frames = pixels.length / (width * height * channels);
  const raw = { width, height: height * frames, channels, pageHeight: height };
  const encoded = await open(pixels, { raw, limitInputPixels: false })
    .webp({
      quality,
      lossless,
      exact: lossless,
      ...(delay && { delay }),
      ...(loop !== undefined && { loop }),
    })
    .toBuffer();
  return icc ? withProfile(encoded, icc) : encoded;
}

async function rollOf(bytes: Uint8Array, open: Open): Promise<Roll> {
  const { data, info } = await open(bytes, { animated: true, ignoreIcc: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels, pageHeight = height } = info;
  return { pixels: data, width, height: pageHeight, channels: channels === 4 ? 4 : 3 };
}

async function eachFrame(
  { pixels, width, height, channels }: Roll,
  open: Open,
  change: (frame: Sharp, sizes: Sizes) => Sharp,
): Promise<Roll> {
  const length = width * height * channels;
  const made: Buffer[] = [];
  let sizes: Sizes = { width, height };
  for (let at = 0; at < pixels.length; at += length) {
    const frame = open(pixels.subarray(at, at + length), { raw: { width, height, channels } });
    const { data, info } = await change(frame, { width, height })
      .raw()
      .toBuffer({ resolveWithObject: true });
    made.push(data);
    sizes = info;
  }
  return { pixels: Buffer.concat(made), width: sizes.width, height: sizes.height, channels };
}
