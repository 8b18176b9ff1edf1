import type { Metadata, Sharp, SharpOptions } from 'sharp';
import {
  MAX_IMAGE_PIXELS,
  cropRectangle,
  fitWithin,
  type ImageOperation,
} from '../../../ports/image-editor.ts';
import { disableNetwork } from '../process/disable-network.ts';
import { runChildLoop } from '../process/child-loop.ts';
import { animationOf, type Sizes } from './animation.ts';
import type { EditingJob, EditingResult } from './editing-protocol.ts';
import { withColourOf } from './png-colour.ts';

// sharp requires child_process to inspect the system; the permission model prevents starting anything.
disableNetwork('child_process');

/** A second thread does not speed up a JPEG, and takes memory and CPU from requests. */
const THREADS = 1;
/** Formats that libvips may decode here. */
const LOADERS = ['Jpeg', 'Png', 'Webp'];
const NAMES = { jpg: 'jpeg', png: 'png', webp: 'webp' } as const;
/** Colour spaces that are preserved; others are converted to sRGB. */
const SPACES: ReadonlySet<string> = new Set(['srgb', 'rgb16', 'b-w', 'grey16', 'cmyk']);

interface Made {
  readonly result: EditingResult;
  readonly payload?: Uint8Array;
}

type Open = (bytes: Uint8Array, options?: SharpOptions) => Sharp;

async function edit(job: EditingJob, bytes: Uint8Array, open: Open): Promise<Made> {
  try {
    const facts = await open(bytes).metadata();
    if (facts.format !== NAMES[job.format]) return { result: { outcome: 'other' } };
    const payload =
      job.frames > 1
        ? await animationOf(job, bytes, facts, open, (frame, sizes) =>
            changed(frame, job.operation, sizes),
          )
        : await wholeStillOf(job, bytes, facts, open);
    const larger = job.operation.op === 'compress' && payload.length >= bytes.length;
    return larger ? { result: { outcome: 'larger' } } : { result: { outcome: 'edited' }, payload };
  } catch (error) {
    return { result: { outcome: verdictOn(error) } };
  }
}

/**
 * If the data of a JPEG ends properly before its pixels do, libjpeg fills the rest with grey and only warns. It gives
 * the same warning for harmless errors; such files are edited by a second attempt.
 */
async function wholeStillOf(
  job: EditingJob,
  bytes: Uint8Array,
  facts: Metadata,
  open: Open,
): Promise<Uint8Array> {
  if (job.format !== 'jpg') return stillOf(job, bytes, facts, open);
  const strictly: Open = (input, options) => open(input, { ...options, failOn: 'warning' });
  try {
    return await stillOf(job, bytes, facts, strictly);
  } catch (error) {
    if (error instanceof Error && /premature end/i.test(error.message)) throw error;
    return stillOf(job, bytes, facts, open);
  }
}

/** Pixels in the original colour space, depth and profile, with the orientation applied. */
async function stillOf(
  job: EditingJob,
  bytes: Uint8Array,
  facts: Metadata,
  open: Open,
): Promise<Uint8Array> {
  const space = SPACES.has(facts.space) ? facts.space : 'srgb';
  const upright = open(bytes).pipelineColourspace(space).autoOrient();
  const created = changed(upright, job.operation, facts.autoOrient)
    .toColourspace(space)
    .keepIccProfile();
  if (job.format === 'jpg') return created.jpeg(jpegLike(facts, job.quality)).toBuffer();
  if (job.format === 'webp') {
    const { quality, lossless } = job;
    return created.webp({ quality, lossless, exact: lossless }).toBuffer();
  }
  const payload = facts.isPalette
    ? await indexed(created, open)
    : await created.png(PNG).toBuffer();
  return withColourOf(bytes, payload);
}

function changed(picture: Sharp, operation: ImageOperation, { width, height }: Sizes): Sharp {
  switch (operation.op) {
    case 'compress':
      return picture;
    case 'resize': {
      const fitted = fitWithin(operation.maxSide, width, height);
      return picture.resize(fitted.width, fitted.height, { fit: 'fill' });
    }
    case 'rotate':
      return picture.rotate(operation.angle);
    case 'flip':
      return operation.mode === 'h' ? picture.flop() : picture.flip();
    case 'crop':
      return picture.extract(cropRectangle(operation.box, width, height));
  }
}

/** Chroma is not subsampled more than in the source; intermediate cases are encoded without subsampling. */
const jpegLike = ({ chromaSubsampling = '4:2:0', isProgressive }: Metadata, quality: number) => ({
  quality,
  progressive: isProgressive,
  chromaSubsampling: chromaSubsampling.startsWith('4:2:0') ? '4:2:0' : '4:4:4',
});

const PNG = { compressionLevel: 6, adaptiveFiltering: true } as const;

/** With a palette again, if that is lossless. */
async function indexed(created: Sharp, open: Open): Promise<Uint8Array> {
  const full = await created.clone().png(PNG).toBuffer();
  const small = await created
    .clone()
    // With less effort the colours are rounded, so that no image is lossless.
    .png({ palette: true, quality: 100, dither: 0, effort: 7 })
    .toBuffer();
  if (small.length >= full.length) return full;
  const [a, b] = await Promise.all([full, small].map((png) => pixelsOf(open(png))));
  return a && b?.equals(a) ? small : full;
}

const pixelsOf = (picture: Sharp): Promise<Buffer> =>
  picture.ensureAlpha().toColourspace('srgb').raw().toBuffer();

/** libvips reports its reasons as text only. */
function verdictOn(error: unknown): 'too-large' | 'other' | 'broken' {
  const reason = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds maximum|too large/i.test(reason)) return 'too-large';
  return /unsupported image format/i.test(reason) ? 'other' : 'broken';
}

await runChildLoop<EditingJob>(async () => {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(THREADS);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
  return (job, bytes) =>
    edit(job, bytes, (input, options) =>
      sharp(input, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', ...options }),
    );
});
