import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflatedSpaces, onePage, pdfOf, streamOf } from './pdf.ts';
import type { HostileFile } from './file.ts';
import { HOSTILE_OFFICE } from './office.ts';
import { wordBody, wordParts, zipOf } from './zip.ts';

const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, '..', name));
const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
const docx = (document: string | Uint8Array): Buffer => zipOf(wordParts(document));

const FILES: readonly HostileFile[] = [
  {
    what: 'a docx that is a zip bomb',
    filename: 'bomb.docx',
    outcomes: ['failed'],
    make: () => docx(Buffer.alloc(64 * 1_048_576, ' ')),
  },
  {
    what: 'a docx that lies about what it unpacks to',
    filename: 'liar.docx',
    outcomes: ['failed'],
    make: () => {
      const [types, relations, document] = wordParts(Buffer.alloc(64 * 1_048_576, ' '));
      return zipOf([types!, relations!, { ...document!, claimed: 2_000 }]);
    },
  },
  {
    what: 'a docx with 100 000 entries',
    filename: 'crowd.docx',
    outcomes: ['failed'],
    make: () => {
      const crowd = Array.from({ length: 100_000 }, (_, i) => ({ name: `word/${i}`, content: '' }));
      return zipOf([...wordParts(wordBody('')), ...crowd]);
    },
  },
  {
    what: 'a docx nested 100 000 deep',
    filename: 'shaft.docx',
    outcomes: ['failed'],
    make: () => docx(wordBody('<w:sdt><w:sdtContent>'.repeat(100_000))),
  },
  {
    what: 'a docx whose entities multiply',
    filename: 'laughs.docx',
    outcomes: ['none', 'failed'],
    make: () => docx(laughs()),
  },
  {
    what: 'a truncated docx',
    filename: 'half.docx',
    outcomes: ['failed'],
    make: () => half(sample('lighthouse.docx')),
  },
  {
    what: 'an HTML page nested 200 000 deep',
    filename: 'shaft.html',
    outcomes: ['failed'],
    make: () => Buffer.from(`<html><body>${'<div>'.repeat(200_000)}deep down`),
  },
  {
    what: 'an HTML page of 600 000 elements',
    filename: 'wide.html',
    outcomes: ['failed'],
    make: () => Buffer.from(`<html><body>${'<i>x</i>'.repeat(600_000)}`),
  },
  {
    what: 'a PDF whose content unpacks to 2 GiB',
    filename: 'bomb.pdf',
    outcomes: ['none', 'failed'],
    make: () => {
      const content = streamOf('/Filter [/FlateDecode /FlateDecode]', deflatedSpaces(2_048));
      return pdfOf([...onePage(), content]);
    },
  },
  {
    what: 'a PDF whose page tree leads back to itself',
    filename: 'loop.pdf',
    outcomes: ['failed'],
    make: () =>
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 3 >>',
        '<< /Type /Pages /Kids [2 0 R] /Parent 2 0 R /Count 3 >>',
      ]),
  },
  {
    what: 'a PDF that promises a thousand million pages',
    filename: 'promises.pdf',
    outcomes: ['failed'],
    make: () =>
      pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 1000000000 >>']),
  },
  {
    what: 'a PDF that draws without end',
    filename: 'endless.pdf',
    outcomes: ['failed'],
    make: endlessPdf,
  },
  {
    what: 'a truncated PDF',
    filename: 'half.pdf',
    outcomes: ['none', 'failed'],
    make: () => half(sample('lighthouse.pdf')),
  },
  {
    what: 'an encrypted PDF',
    filename: 'encrypted.pdf',
    outcomes: ['none'],
    make: () => sample('hostile/encrypted.pdf'),
  },
  {
    what: 'random bytes named .pdf',
    filename: 'noise.pdf',
    outcomes: ['failed'],
    make: () => noise(50_000),
  },
  {
    what: 'nothing at all, named .docx',
    filename: 'empty.docx',
    outcomes: ['failed'],
    make: () => new Uint8Array(0),
  },
  ...HOSTILE_OFFICE,
];

/** Files that break readers which trust them. Small on disk, or made once in a process. */
export const HOSTILE: readonly HostileFile[] = FILES.map(({ make, ...file }) => {
  let made: Uint8Array | undefined;
  return { ...file, make: () => (made ??= make()) };
});

/** Each of 60 forms draws the next one twice. */
function endlessPdf(): Buffer {
  const forms = Array.from({ length: 60 }, (_, i) => {
    const next = i + 7;
    const dictionary = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 4 0 R >> /XObject << /X ${next} 0 R >> >>`;
    return streamOf(dictionary, `/X Do BT /F 9 Tf (again) Tj ET /X Do`);
  });
  const last = streamOf('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '');
  return pdfOf([...onePage('/XObject << /X 6 0 R >>'), streamOf('', '/X Do'), ...forms, last]);
}

/** A thousand million times "ha", if entities are replaced. */
function laughs(): string {
  const entities = Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
  ).join('');
  const body = wordBody('<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>');
  return body.replace('?>', `?><!DOCTYPE w [<!ENTITY l0 "ha">${entities}]>`);
}

/** The same bytes each time: xorshift32. */
function noise(length: number): Uint8Array {
  let state = 0x2545f491;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}
