import { constants, deflateSync, deflateRawSync } from 'node:zlib';

/** A PDF of the objects given, numbered from 1; the first is its catalog. */
export function pdfOf(objects: readonly (string | Uint8Array)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [i, object] of objects.entries()) {
    offsets.push(length);
    const body = Buffer.from(object as string);
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}

export function streamOf(dictionary: string, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Objects 1 to 4 of a PDF with one page; its content is object 5, further ones are the caller's. */
export const onePage = (resources = ''): readonly string[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F 4 0 R >> ${resources} >> >>`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
];

/** Deflated spaces that unpack to so many MiB: one flushed block, again and again. */
export function deflatedSpaces(mebibytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_048_576, ' '), {
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const header = Buffer.from([0x78, 0x9c]);
  const end = Buffer.from([0x03, 0x00, 0, 0, 0, 0]);
  return deflateSync(Buffer.concat([header, ...Array<Buffer>(mebibytes).fill(block), end]));
}
