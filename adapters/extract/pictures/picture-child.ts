import type { Sharp } from 'sharp';
import { giveUpNetwork } from '../process/no-network.ts';
import { serve } from '../process/serve.ts';
import { MOST_PIXELS, type PictureJob, type PictureResult } from './picture-protocol.ts';

// sharp asks for it to look at the system; the permission model lets nothing be started.
giveUpNetwork('child_process');

/** What libvips may decode; SVG, PDF and its own formats are none of it. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'];
const QUALITY = 80;

interface Made {
  readonly result: PictureResult;
  readonly payload?: Uint8Array;
}

type Open = (job: PictureJob, bytes: Uint8Array) => Sharp;

const make =
  (open: Open) =>
  async (job: PictureJob, bytes: Uint8Array): Promise<Made> => {
    try {
      const side = job.make.longestSide;
      const payload = await open(job, bytes)
        .autoOrient()
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .toBuffer();
      return { result: { outcome: 'webp' }, payload };
    } catch (error) {
      return { result: { outcome: verdictOn(error) } };
    }
  };

/** libvips tells its reasons in words only. */
function verdictOn(error: unknown): 'too-large' | 'unknown' | 'broken' {
  const reason = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds maximum|too large/i.test(reason)) return 'too-large';
  return /unsupported image format|unsupported (codec|feature)|no decoding plugin/i.test(reason)
    ? 'unknown'
    : 'broken';
}

await serve<PictureJob>(async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
  return make(({ bitmap }, bytes) =>
    bitmap
      ? sharp(bytes, { raw: bitmap, limitInputPixels: MOST_PIXELS })
      : sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }),
  );
});
