import type { Sharp, SharpOptions } from 'sharp';
import { disableNetwork } from '../process/disable-network.ts';
import { runChildLoop } from '../process/child-loop.ts';
import {
  MAX_PIXELS,
  type Grey,
  type PictureJob,
  type PictureResult,
  type Webp,
} from './picture-protocol.ts';
import { MAX_RASTER_PIXELS } from './raster-protocol.ts';

// sharp requires child_process to inspect the system; the permission model prevents starting anything.
disableNetwork('child_process');

/** Formats that libvips may decode; SVG, PDF and its own formats are excluded. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];
const QUALITY = 80;

interface Made {
  readonly result: PictureResult;
  readonly payload?: Uint8Array;
}

/** An image that can be opened repeatedly. */
type Open = (options?: SharpOptions) => Sharp;

async function make({ make: requested }: PictureJob, open: Open): Promise<Made> {
  try {
    return requested.as === 'webp' ? await webpOf(requested, open) : await greyOf(requested, open);
  } catch (error) {
    return { result: { outcome: verdictOn(error) } };
  }
}

async function webpOf({ maxSidePixels: side }: Webp, open: Open): Promise<Made> {
  const payload = await open()
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
  return { result: { outcome: 'webp' }, payload };
}

/** A page scan has some 2 500 pixels on its longer side; screenshots and small images of text have fewer. */
const WELL_READ = 2_500;
const MAX_ENLARGEMENT = 3;

async function greyOf({ page }: Grey, open: Open): Promise<Made> {
  const { width, height, pages = 1, format } = await open().metadata();
  // Of an animated image only the first frame is used.
  const inFile = format === 'tiff' ? pages : 1;
  const longest = Math.max(width, height);
  const requested = Math.min(MAX_ENLARGEMENT, Math.max(1, WELL_READ / longest));
  const scale = Math.min(requested, Math.sqrt(MAX_RASTER_PIXELS / (width * height)));
  const side = Math.max(1, Math.round(longest * scale));
  const { data, info } = await open({ page: page - 1 })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'inside' })
    .greyscale()
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const result = {
    outcome: 'grey',
    width: info.width,
    height: info.height,
    pages: inFile,
  } as const;
  return { result, payload: data };
}

/** libvips reports its reasons as text only. */
function verdictOn(error: unknown): 'too-large' | 'unknown' | 'broken' {
  const reason = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds maximum|too large/i.test(reason)) return 'too-large';
  return /unsupported image format|unsupported (codec|feature)|no decoding plugin/i.test(reason)
    ? 'unknown'
    : 'broken';
}

await runChildLoop<PictureJob>(async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
  let held = new Uint8Array(0);
  return (job, bytes) => {
    if (job.size > 0) held = Uint8Array.from(bytes);
    const { bitmap } = job;
    const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
    return make(job, (options) =>
      sharp(held, bitmap ? { raw: bitmap, ...limits } : { ...limits, ...options }),
    );
  };
});
