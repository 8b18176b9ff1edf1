import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { RasterProcess } from '../../adapters/extract/pictures/processes.ts';
import { pdfOf, streamOf } from './hostile/pdf.ts';

/** A page of a sample as a scanner gives it: grey paper, a little blur and noise, at `dpi`. */
export async function scanOf(file: string, page = 1, dpi = 200): Promise<Sharp> {
  const bytes = readFileSync(join(import.meta.dirname, file));
  const drawer = new RasterProcess({
    timeLimitMs: 30_000,
    transferLimitMs: 30_000,
    memoryLimitMiB: 1_024,
    maxReplyBytes: 64_000_000,
  });
  try {
    const done = await drawer.run({ size: bytes.length, page, want: { dpi } }, once(bytes));
    if (typeof done === 'string' || done.result.outcome !== 'bitmap' || !done.payload)
      throw new Error(`${file} was not drawn.`);
    const { width, height } = done.result;
    const drawn = sharp(done.payload, { raw: { width, height, channels: 1 } });
    const paper = await drawn.linear(0.85, 20).blur(0.5).png().toBuffer();
    return sharp(paper);
  } finally {
    await drawer.kill('retired');
  }
}

/** A picture lying on the glass the wrong way, as a camera that knew it stores it (EXIF orientation 8). */
export const turned = async (picture: Sharp): Promise<Buffer> => {
  const upright = await picture.png().toBuffer();
  const sideways = await sharp(upright).rotate(90).toBuffer();
  return sharp(sideways).jpeg({ quality: 80 }).withMetadata({ orientation: 8 }).toBuffer();
};

/** A page of a PDF that holds a picture and nothing else, or a line of text and nothing else, or nothing at all. */
export type PageOf = { readonly jpg: Buffer } | { readonly line: string } | 'blank';

/** A PDF of such pages, each as large as A4. */
export async function pdfOfPages(pages: readonly PageOf[]): Promise<Buffer> {
  const kids = pages.map((_, i) => `${4 + i * 3} 0 R`).join(' ');
  const objects: (string | Uint8Array)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [i, page] of pages.entries()) {
    const [content, picture] = [5 + i * 3, 6 + i * 3];
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /F 3 0 R >> /XObject << /P ${picture} 0 R >> >> >>`,
      streamOf('', contentOf(page)),
      typeof page === 'object' && 'jpg' in page ? await pictureOf(page.jpg) : '<< >>',
    );
  }
  return pdfOf(objects);
}

const contentOf = (page: PageOf): string =>
  page === 'blank'
    ? ''
    : 'jpg' in page
      ? 'q 595 0 0 842 0 0 cm /P Do Q'
      : `BT /F 12 Tf 72 720 Td (${page.line}) Tj ET`;

async function pictureOf(jpg: Buffer): Promise<Buffer> {
  const { width, height, channels } = await sharp(jpg).metadata();
  const space = channels === 1 ? '/DeviceGray' : '/DeviceRGB';
  return streamOf(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode`,
    jpg,
  );
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}
