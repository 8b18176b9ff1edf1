import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileFile } from './file.ts';
import {
  openDocumentBody,
  PACKAGES,
  sheetBody,
  sheetParts,
  withMain,
  type PackageFormat,
} from './packages.ts';
import { HOSTILE_MESSAGES } from './messages.ts';
import { HOSTILE_PRESENTATIONS } from './presentations.ts';
import { zipOf } from './zip.ts';

const sample = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../formats', name));
const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
const BLANKS = Buffer.alloc(64 * 1_048_576, ' ');

/** What each of the formats that are zips of XML has to withstand. */
const zipped = (format: PackageFormat): HostileFile[] => [
  {
    what: `a zip bomb named .${format.format}`,
    filename: `bomb.${format.format}`,
    outcomes: ['failed'],
    make: () => zipOf(format.parts(BLANKS)),
  },
  {
    what: `one that lies about what it unpacks to, named .${format.format}`,
    filename: `liar.${format.format}`,
    outcomes: ['failed'],
    make: () => withMain(format, (entry) => ({ ...entry, content: BLANKS, claimed: 2_000 })),
  },
  {
    what: `one whose main part says it unpacks to 4 GB, named .${format.format}`,
    filename: `giant.${format.format}`,
    outcomes: ['failed'],
    make: () => withMain(format, (entry) => ({ ...entry, claimed: 0xffff_fffe })),
  },
  {
    what: `one of 100 000 parts named .${format.format}`,
    filename: `crowd.${format.format}`,
    outcomes: ['failed'],
    make: () => {
      const crowd = Array.from({ length: 100_000 }, (_, i) => ({ name: `x/${i}`, content: '' }));
      return zipOf([...format.parts(format.body('')), ...crowd]);
    },
  },
  {
    what: `one nested 100 000 deep named .${format.format}`,
    filename: `shaft.${format.format}`,
    outcomes: ['none', 'failed'],
    make: () => zipOf(format.parts(cutAtText(format) + format.nest.repeat(100_000))),
  },
  {
    what: `one whose entities multiply, named .${format.format}`,
    filename: `laughs.${format.format}`,
    outcomes: ['none', 'failed'],
    make: () => zipOf(format.parts(laughing(format.body('&l9;')))),
  },
  {
    what: `a zip of zips named .${format.format}`,
    filename: `nested.${format.format}`,
    outcomes: ['none', 'failed'],
    make: () => {
      const inner = zipOf([{ name: 'a.xml', content: BLANKS }]);
      const zips = ['Index.zip', 'word/embeddings/a.zip', 'xl/embeddings/a.xlsx'];
      return zipOf([
        ...format.parts(format.body('')),
        ...zips.map((name) => ({ name, content: inner })),
      ]);
    },
  },
];

/** The main part up to where its text would begin, nothing closed. */
const cutAtText = ({ body }: PackageFormat): string => {
  const whole = body('|');
  return whole.slice(0, whole.indexOf('|'));
};

/** A thousand million times "ha", if entities are replaced. */
function laughing(xml: string): string {
  const entities = Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
  ).join('');
  return xml.replace('?>', `?><!DOCTYPE x [<!ENTITY l0 "ha">${entities}]>`);
}

const TRUNCATED = [
  'plan.xlsx',
  'plan.xls',
  'plan.ods',
  'well.pptx',
  'well.ppt',
  'well.odp',
  'lighthouse.odt',
  'lighthouse.epub',
  'lighthouse.doc',
  'lighthouse-lo.rtf',
  'letter-ru.msg',
];

const LOOPED = ['lighthouse.doc', 'plan.xls', 'well.ppt', 'letter-ru.msg'];

export const HOSTILE_OFFICE: readonly HostileFile[] = [
  ...PACKAGES.filter(({ format }) => format !== 'docx').flatMap(zipped),
  ...TRUNCATED.map((name): HostileFile => ({
    what: `half of ${name}`,
    filename: `half.${name.slice(name.lastIndexOf('.') + 1)}`,
    outcomes: ['none', 'failed'],
    make: () => half(sample(name)),
  })),
  ...LOOPED.map((name): HostileFile => ({
    what: `${name} with chains of sectors that lead back to themselves`,
    filename: `loop.${name.slice(name.lastIndexOf('.') + 1)}`,
    outcomes: ['failed'],
    make: () => looping(sample(name)),
  })),
  ...HOSTILE_PRESENTATIONS,
  ...HOSTILE_MESSAGES,
  {
    what: 'an RTF document nested 200 000 deep',
    filename: 'shaft.rtf',
    outcomes: ['failed'],
    make: () => Buffer.from(`{\\rtf1 ${'{\\b '.repeat(200_000)}deep${'}'.repeat(200_001)}`),
  },
  {
    what: 'a mail message of 100 000 parts inside each other',
    filename: 'shaft.eml',
    outcomes: ['none', 'failed'],
    make: () => {
      const parts = Array.from(
        { length: 100_000 },
        (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
      );
      return Buffer.from(`From: a@b.example\r\nMIME-Version: 1.0\r\n${parts.join('')}`);
    },
  },
  {
    what: 'a mail message whose header is 20 MB long',
    filename: 'header.eml',
    outcomes: ['none', 'failed'],
    make: () => Buffer.from(`From: a@b.example\r\nSubject: ${'ha '.repeat(7_000_000)}\r\n\r\nhi`),
  },
  {
    what: 'a mailbox of half a million messages',
    filename: 'crowd.mbox',
    outcomes: ['failed'],
    make: () => Buffer.from('From a\nSubject: x\n\n'.repeat(500_000)),
  },
];

/** Each sector of the table of a compound file says that the next one is the one before ([MS-CFB] 2.3). */
function looping(file: Buffer): Buffer {
  const looped = Buffer.from(file);
  const table = (looped.readUInt32LE(76) + 1) * 512;
  for (let id = 0; id < 128; id++) looped.writeUInt32LE(id ^ 1, table + id * 4);
  return looped;
}

/** Files that say they hold far more than they do, or hold the same thing over and over: what is there is read. */
export const BOASTFUL: readonly (HostileFile & { readonly says: string })[] = [
  {
    what: 'a sheet of two cells that claims all there can be',
    filename: 'boast.xlsx',
    outcomes: [],
    says: 'first\nlast',
    make: () =>
      zipOf(
        sheetParts(
          sheetBody(
            '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="str"><v>first</v></c></row>' +
              '<row r="199999"><c r="XFD199999" t="str"><v>last</v></c></row></sheetData>' +
              '<mergeCells count="1"><mergeCell ref="B2:XFC199998"/></mergeCells>',
          ),
        ),
      ),
  },
  {
    what: 'a sheet that shows a long text 100 000 times',
    filename: 'strings.xlsx',
    outcomes: [],
    says: 'ha ha',
    make: () => {
      const strings = `<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${'ha '.repeat(30_000)}</t></si></sst>`;
      const rows = Array.from(
        { length: 100_000 },
        (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>0</v></c></row>`,
      );
      return zipOf(sheetParts(sheetBody(`<sheetData>${rows.join('')}</sheetData>`), strings));
    },
  },
  {
    what: 'a sheet that repeats its only cell ten thousand million times',
    filename: 'repeats.ods',
    outcomes: [],
    says: 'again\tagain',
    make: () =>
      zipOf([
        {
          name: 'content.xml',
          content: openDocumentBody(
            'spreadsheet',
            '<table:table table:name="One"><table:table-row table:number-rows-repeated="1048576">' +
              '<table:table-cell table:number-columns-repeated="16384"><text:p>again</text:p></table:table-cell></table:table-row></table:table>',
          ),
        },
      ]),
  },
  {
    what: 'a mail message with 50 MB of base64 in one line',
    filename: 'line.eml',
    outcomes: [],
    says: 'application/x-thing, 37',
    make: () =>
      Buffer.concat([
        Buffer.from(
          'From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: application/x-thing; name="a.bin"\r\nContent-Transfer-Encoding: base64\r\n\r\n',
        ),
        Buffer.alloc(50_000_000, 'QUJD'),
      ]),
  },
];
