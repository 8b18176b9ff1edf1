import { UnavailableError } from '../../ports/errors.ts';
import {
  IMAGE_FORMATS,
  MAX_IMAGE_PIXELS,
  cropRectangle,
  fitWithin,
  type EditResult,
  type ImageEditor,
  type ImageFormat,
  type ImageOperation,
  type ImageSource,
  type ImageInspection,
} from '../../ports/image-editor.ts';
import type { PictureSentence } from '../../ports/reasons.ts';

/** A fake image: one letter per pixel, row by row, with more padding for higher quality. */
export interface FakeImage {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly width: number;
  readonly height: number;
  readonly rows: readonly string[];
}

const HEAD = /^picture (\w+) q(\d+) (\d+)x(\d+) /;
const PADDING = '~';

/** `picture png q90 2x1 ab~~~…`: as text, so that tests are readable. */
export const toyFile = ({ format, quality, width, height, rows }: FakeImage): string =>
  `picture ${format} q${quality} ${width}x${height} ${rows.join('')}${PADDING.repeat(quality)}`;

/** Parses a fake image; without its rows if they are truncated. */
export function toyPicture(file: string): FakeImage | undefined {
  const head = HEAD.exec(file);
  const format = IMAGE_FORMATS.find((each) => each === head?.[1]);
  if (!head || !format) return undefined;
  const [width, height] = [Number(head[3]), Number(head[4])];
  const pixels = file.slice(head[0].length);
  const whole = pixels.length >= width * height;
  const rows = Array.from({ length: whole ? height : 0 }, (_, y) =>
    pixels.slice(y * width, (y + 1) * width),
  );
  return { format, quality: Number(head[2]), width, height, rows };
}

/** Edits fake images in this process: for tests that need no decoding. */
export class FakeImageEditor implements ImageEditor {
  readonly #maxWaiting: number;
  #busy = 0;
  #closed = false;

  constructor({ maxWaiting = 1_000 }: { readonly maxWaiting?: number } = {}) {
    this.#maxWaiting = maxWaiting;
  }

  async inspect(source: ImageSource): Promise<ImageInspection> {
    this.#requireOpen();
    const found = await pictureIn(source);
    return typeof found === 'string'
      ? { outcome: 'refused', reason: found }
      : { outcome: 'editable' };
  }

  async edit(source: ImageSource, operation: ImageOperation): Promise<EditResult> {
    this.#requireOpen();
    if (this.#busy > this.#maxWaiting)
      throw new UnavailableError('images', 'Too many images are waiting to be edited.');
    this.#busy += 1;
    try {
      const found = await pictureIn(source);
      if (typeof found === 'string') return { outcome: 'failed', reason: found };
      if (found.rows.length === 0) return { outcome: 'failed', reason: 'The image is damaged.' };
      if (operation.op === 'compress' && operation.quality >= found.quality)
        return {
          outcome: 'unchanged',
          reason: 'At this quality the image would not become smaller. It is unchanged.',
        };
      return { outcome: 'edited', bytes: Buffer.from(toyFile(edited(found, operation))) };
    } finally {
      this.#busy -= 1;
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  #requireOpen(): void {
    if (this.#closed) throw new UnavailableError('images', 'The service is closing.');
  }
}

async function pictureIn(source: ImageSource): Promise<FakeImage | PictureSentence> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.open()) chunks.push(chunk);
  const found = toyPicture(Buffer.concat(chunks).toString('latin1'));
  if (found?.format !== source.format) return 'The file is not an image of its declared type.';
  return found.width * found.height > MAX_IMAGE_PIXELS
    ? 'The image has more than 100 megapixels, which is the limit.'
    : found;
}

/** The result of an operation on a fake image. */
export function edited(picture: FakeImage, operation: ImageOperation): FakeImage {
  const { width, height, rows } = picture;
  const mirrored = (all: readonly string[]) => all.map((row) => [...row].reverse().join(''));
  const turned = (all: readonly string[]) =>
    [...(all[0] ?? '')].map((_, x) =>
      all
        .map((row) => row[x])
        .reverse()
        .join(''),
    );
  switch (operation.op) {
    case 'compress':
      return { ...picture, quality: operation.quality };
    case 'resize': {
      const sides = fitWithin(operation.maxSide, width, height);
      const nearest = (at: number, to: number, from: number) => Math.floor((at * from) / to);
      const resized = Array.from({ length: sides.height }, (_, y) =>
        Array.from(
          { length: sides.width },
          (__, x) => rows[nearest(y, sides.height, height)]?.[nearest(x, sides.width, width)],
        ).join(''),
      );
      return { ...picture, ...sides, rows: resized };
    }
    case 'rotate': {
      let all = rows;
      for (let angle = 0; angle < operation.angle; angle += 90) all = turned(all);
      return { ...picture, width: all[0]?.length ?? 0, height: all.length, rows: all };
    }
    case 'flip':
      return { ...picture, rows: operation.mode === 'h' ? mirrored(rows) : [...rows].reverse() };
    case 'crop': {
      const box = cropRectangle(operation.box, width, height);
      const cut = rows
        .slice(box.top, box.top + box.height)
        .map((row) => row.slice(box.left, box.left + box.width));
      return { ...picture, width: box.width, height: box.height, rows: cut };
    }
  }
}
