import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { OBJECT_KINDS, type ContentSniffer } from '../../ports/text-extraction.ts';
import { wordBody, wordParts, zipOf } from '../samples/hostile/zip.ts';

type Case = readonly [name: string, bytes: Uint8Array | string, kind: string, format: string];

const sample = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../samples', name)).subarray(0, 65_536);
const hex = (digits: string): Buffer => Buffer.from(digits.padEnd(96, '0'), 'hex');
const compoundFile = Buffer.concat([hex('d0cf11e0a1b11ae1'), Buffer.from('Workbook', 'utf16le')]);
const docx = zipOf(wordParts(wordBody('')));
const declaring = (type: string): Buffer =>
  zipOf([{ name: 'mimetype', content: type, stored: true }]);
/** Built by hand: `mimetype` is neither first nor uncompressed, as general zip programs write it. */
const packedAgain = zipOf([
  { name: 'content.xml', content: '<office:document-content/>' },
  { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
]);
/** Books that a general zip program packed again. */
const book = (mimetype: 'first' | 'stored' | 'deflated'): Buffer => {
  const type = {
    name: 'mimetype',
    content: 'application/epub+zip',
    ...(mimetype === 'deflated' ? {} : { stored: true as const }),
  };
  const parts = [
    { name: 'META-INF/container.xml', content: '<container/>' },
    { name: 'OEBPS/book.opf', content: '<package/>' },
  ];
  return zipOf(mimetype === 'first' ? [type, ...parts] : [...parts, type]);
};
/** Its pictures fill the first 64 KiB. */
const picturesFirst = zipOf([
  { name: 'cover.jpg', content: Buffer.alloc(70_000, 7), stored: true },
  { name: 'META-INF/container.xml', content: '<container/>' },
]);
const score = zipOf([
  { name: 'META-INF/container.xml', content: '<container/>' },
  { name: 'score.musicxml', content: '<score-partwise/>' },
]);
const GIF = 'GIF89a\x01\0\x01\0\0\0\0';

/** Bytes with a detectable type, under misleading names. */
const BY_BYTES: readonly Case[] = [
  ['picture.png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image', 'svg'],
  ['picture.png', '<?xml version="1.0"?>\n<!-- by hand -->\n<svg>', 'image', 'svg'],
  ['picture.png', '<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg>', 'image', 'svg'],
  ['picture.png', Buffer.from('<svg>\n<g/>', 'utf16le'), 'image', 'svg'],
  ['picture.png', Buffer.from('\ufeff<svg>', 'utf16le'), 'image', 'svg'],
  ['picture.png', GIF, 'image', 'gif'],
  ['picture.png', sample('letter.pdf'), 'pdf', 'pdf'],
  ['picture.png', '%PDF-1.4\n1 0 obj', 'pdf', 'pdf'],
  ['late.pdf', Buffer.concat([hex('00010203'), Buffer.from('%PDF-1.7')]), 'pdf', 'pdf'],
  ['report.txt', sample('lighthouse.docx'), 'document', 'docx'],
  ['report.zip', sample('protocol-ru.docx'), 'document', 'docx'],
  ['plain.docx', zipOf([{ name: 'word/a.txt', content: 'no types' }]), 'archive', 'zip'],
  ['cut.docx', docx.subarray(0, docx.length / 2), 'document', 'docx'],
  ['book.docx', zipOf([{ name: 'a', content: 'b' }]), 'archive', 'zip'],
  ['book.zip', declaring('application/epub+zip'), 'document', 'epub'],
  ['book.zip', book('first'), 'document', 'epub'],
  ['book.zip', book('stored'), 'document', 'epub'],
  ['book.zip', book('deflated'), 'document', 'epub'],
  ['score.mxl', score, 'archive', 'zip'],
  ['book.epub', zipOf([{ name: 'a.txt', content: 'no book' }]), 'archive', 'zip'],
  ['sums.odt', declaring('application/vnd.oasis.opendocument.spreadsheet'), 'spreadsheet', 'ods'],
  ['odd.odt', declaring('constructor'), 'archive', 'zip'],
  ['notes.txt', '{\\rtf1 hello}', 'document', 'rtf'],
  ['notes.txt', '\n<!DOCTYPE html>\n<title>a</title>', 'document', 'html'],
  ['photo.pdf', hex('ffd8ffe000104a464946'), 'image', 'jpg'],
  ['photo.jpg', hex('89504e470d0a1a0a0000000d49484452'), 'image', 'png'],
  ['table.bin', compoundFile, 'spreadsheet', 'xls'],
  ['letter.doc', hex('d0cf11e0a1b11ae1'), 'document', 'doc'],
  ['secret.docx', hex('d0cf11e0a1b11ae1'), 'document', 'docx'],
  ['song.txt', hex('664c614300000022'), 'audio', 'flac'],
  ['all.txt', hex('1f8b0800'), 'archive', 'gz'],
  ['all.doc', hex('377abcaf271c0004'), 'archive', '7z'],
  ['noise.txt', hex('0001020304'), 'other', ''],
  ['book.m4b', hex('00000020667479704d344220'), 'audio', 'm4b'],
  ['raw.txt', hex('49492a00100000004352'), 'image', 'cr2'],
  ['raw.cr3', hex('00000018667479706372782000000001'), 'image', 'cr3'],
  ['live.heics', hex('00000018667479706865766300000000'), 'image', 'heic'],
  [
    'tool.deb',
    Buffer.from('!<arch>\ndebian-binary   1410122664  0     0     100644  4         `\n\0\x01\x02'),
    'archive',
    'deb',
  ],
  ['tool.bin', hex('edabeedb'), 'archive', 'rpm'],
  ['old.Z', hex('1fa0'), 'archive', 'z'],
  ['song.ape', Buffer.from('MAC \x96\x0f\0\0'), 'audio', 'ape'],
  ['talk.wma', hex('3026b2758e66cf11a6d900aa0062ce6c'), 'audio', 'wma'],
  ['talk.bin', hex('3026b2758e66cf11a6d900aa0062ce6c'), 'video', 'asf'],
  ['tool.txt', hex('7f454c460201010000000000'), 'other', 'elf'],
  ['cars.txt', 'BMW, MZ and II are no magic numbers here', 'text', 'txt'],
  ['cp1251.txt', sample('protocol-ru.cp1251.txt'), 'text', 'txt'],
  ['utf16.txt', sample('protocol-ru.utf16.txt'), 'text', 'txt'],
  ['utf16.txt', Buffer.from('без метки порядка', 'utf16le'), 'text', 'txt'],
  ['mail', 'From: a@b.c\nDate: x\nMIME-Version: 1.0\n\nhello', 'email', 'eml'],
];

/** Text, distinguished by its name; and undetectable bytes. */
const BY_NAME: readonly Case[] = [
  ['lighthouse.md', sample('lighthouse.md'), 'text', 'md'],
  ['README.markdown', '<h1 align="center">Tool</h1>', 'text', 'md'],
  ['tides.csv', sample('tides.csv'), 'spreadsheet', 'csv'],
  ['beacon.JSON', sample('beacon.json'), 'text', 'json'],
  ['tides.py', sample('tides.py'), 'text', 'py'],
  ['main.ts', 'export {};', 'text', 'ts'],
  ['page.htm', 'no tag in it', 'document', 'html'],
  ['page.php', '<!DOCTYPE html><?php echo 1;', 'text', 'php'],
  ['feed.xml', '<?xml version="1.0"?><feed/>', 'text', 'xml'],
  ['feed.txt', '<?xml version="1.0"?><feed/>', 'text', 'xml'],
  ['letter.eml', 'Subject: hi\n\nhello', 'email', 'eml'],
  ['Makefile', 'all:\n\ttrue\n', 'text', 'txt'],
  ['.profile', 'export A=1', 'text', 'txt'],
  ['note.constructor', 'x', 'text', 'txt'],
  ['noise.pdf', hex('0001020304'), 'pdf', 'pdf'],
  ['noise.constructor', hex('0001020304'), 'other', ''],
  ['bare.docx', zipOf([{ name: 'word/document.xml', content: '' }]), 'document', 'docx'],
  ['bare.xlsx', zipOf([{ name: 'xl/workbook.xml', content: '' }]), 'spreadsheet', 'xlsx'],
  ['bare.xlsx', zipOf([{ name: 'word/document.xml', content: '' }]), 'archive', 'zip'],
  ['bare.zip', zipOf([{ name: 'word/document.xml', content: '' }]), 'archive', 'zip'],
  ['again.odt', packedAgain, 'document', 'odt'],
  ['again.odp', packedAgain, 'presentation', 'odp'],
  ['again.zip', packedAgain, 'archive', 'zip'],
  ['pictures.epub', picturesFirst, 'document', 'epub'],
  ['pictures.zip', picturesFirst, 'archive', 'zip'],
  ['damaged.docx', hex('504b0304'), 'document', 'docx'],
  ['damaged.pptx', Buffer.from('PK\x03\x04 and no more than noise'), 'presentation', 'pptx'],
  ['damaged.ods', hex('504b0304'), 'spreadsheet', 'ods'],
  ['damaged.zip', hex('504b0304'), 'archive', 'zip'],
  ['damaged.png', hex('504b0304'), 'archive', 'zip'],
  ['clip.mp4', hex('0001020304'), 'video', 'mp4'],
  ['empty.docx', '', 'document', 'docx'],
  ['empty.py', '', 'text', 'py'],
  ['empty', '', 'text', 'txt'],
];

/** Types that may be sent to a browser; none of them is executable. */
const SAFE =
  /^(application|audio|image|message|multipart|text|video)\/(?!javascript|x-httpd)[\w.+-]+$/;

/** The contract of every ContentSniffer. */
export function contentSnifferContract(sniffer: ContentSniffer): void {
  const bytesOf = (bytes: Uint8Array | string) => Buffer.from(bytes as string).subarray(0, 65_536);
  const check = async (cases: readonly Case[]) => {
    for (const [name, bytes, kind, format] of cases) {
      const type = await sniffer.identify(bytesOf(bytes), name);
      expect({ kind: type.kind, format: type.format }, name).to.deep.equal({ kind, format });
      expect(type.mime, name).to.match(SAFE);
    }
  };

  it('The bytes decide before the name, and nothing else is considered', () => check(BY_BYTES));

  it('`html`, `svg` and `xml` are distinguished from plain text. The name distinguishes text files among `md`, `csv`, `json` and source code', () =>
    check(BY_NAME));

  it('Any bytes and any name give a result. Nothing throws', () => {
    const start = fc.constantFrom(...[...BY_BYTES, ...BY_NAME].map(([, bytes]) => bytesOf(bytes)));
    const bytes = fc
      .tuple(start, fc.nat(400), fc.uint8Array({ maxLength: 300 }))
      .map(([head, cut, rest]) => Buffer.concat([head.subarray(0, cut), rest]));
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(...[...BY_BYTES, ...BY_NAME].map(([filename]) => filename)),
    );
    return fc.assert(
      fc.asyncProperty(bytes, name, async (head, filename) => {
        const type = await sniffer.identify(head, filename);
        expect(OBJECT_KINDS).to.include(type.kind);
        expect(['link', 'note']).not.to.include(type.kind);
        expect(type.mime).to.match(SAFE);
        expect(type.format).to.match(/^[a-z0-9_+.-]{0,16}$/);
        expect(await sniffer.identify(head, filename)).to.deep.equal(type);
      }),
      { numRuns: 300 },
    );
  });
}
