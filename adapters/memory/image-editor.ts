import { PortFailure } from '../../ports/failures.ts';
import {
  IMAGE_FORMATS,
  MOST_IMAGE_PIXELS,
  cropOf,
  fittedTo,
  type Edited,
  type ImageEditor,
  type ImageFormat,
  type ImageOperation,
  type ImageSource,
  type ImageVerdict,
} from '../../ports/image-editor.ts';

/** A toy of a picture: a letter for each pixel, row by row, and more padding the better it is. */
export interface ToyPicture {
  readonly format: ImageFormat;
  readonly quality: number;
  readonly width: number;
  readonly height: number;
  readonly rows: readonly string[];
}

const HEAD = /^picture (\w+) q(\d+) (\d+)x(\d+) /;
const PADDING = '~';

/** `picture png q90 2x1 ab~~~…`: as text, so that whoever makes one can read it. */
export const toyFile = ({ format, quality, width, height, rows }: ToyPicture): string =>
  `picture ${format} q${quality} ${width}x${height} ${rows.join('')}${PADDING.repeat(quality)}`;

/** The picture in a file; without its rows where not all of it is there. */
export function toyPicture(file: string): ToyPicture | undefined {
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

/** Edits toys, in this process: for tests, and for what is to be understood without decoding anything. */
export class ToyImageEditor implements ImageEditor {
  readonly #mostWaiting: number;
  #busy = 0;
  #closed = false;

  constructor({ mostWaiting = 1_000 }: { readonly mostWaiting?: number } = {}) {
    this.#mostWaiting = mostWaiting;
  }

  async inspect(source: ImageSource): Promise<ImageVerdict> {
    this.#requireOpen();
    const found = await pictureIn(source);
    return typeof found === 'string'
      ? { outcome: 'refused', reason: found }
      : { outcome: 'editable' };
  }

  async edit(source: ImageSource, operation: ImageOperation): Promise<Edited> {
    this.#requireOpen();
    if (this.#busy > this.#mostWaiting)
      throw new PortFailure('images', 'Too many pictures wait to be edited.');
    this.#busy += 1;
    try {
      const found = await pictureIn(source);
      if (typeof found === 'string') return { outcome: 'failed', reason: found };
      if (found.rows.length === 0) return { outcome: 'failed', reason: 'The picture is damaged.' };
      if (operation.op === 'compress' && operation.quality >= found.quality)
        return { outcome: 'unchanged', reason: 'At this quality it would not become smaller.' };
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
    if (this.#closed) throw new PortFailure('images', 'The service is closing.');
  }
}

async function pictureIn(source: ImageSource): Promise<ToyPicture | string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.open()) chunks.push(chunk);
  const found = toyPicture(Buffer.concat(chunks).toString('latin1'));
  if (found?.format !== source.format)
    return 'The file is no picture of the type it is said to be.';
  return found.width * found.height > MOST_IMAGE_PIXELS
    ? 'The picture has more than 100 megapixels, the most that is edited.'
    : found;
}

/** What an operation makes of a toy. */
export function edited(picture: ToyPicture, operation: ImageOperation): ToyPicture {
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
      const sides = fittedTo(operation.maxSide, width, height);
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
      const box = cropOf(operation.box, width, height);
      const cut = rows
        .slice(box.top, box.top + box.height)
        .map((row) => row.slice(box.left, box.left + box.width));
      return { ...picture, width: box.width, height: box.height, rows: cut };
    }
  }
}
