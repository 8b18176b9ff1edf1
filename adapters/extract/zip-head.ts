import type { ContentType } from '../../ports/text-extraction.ts';
import { binaryType } from './formats.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const MAX_NAMES = 4096;

interface ZipHead {
  readonly names: readonly string[];
  /**
   * The content of an uncompressed first entry called `mimetype` (ODF 1.2 part 3 §3.3, EPUB OCF §4.3). In a book it may
   * also follow later.
   */
  readonly declared: string;
  /** The central directory was reached, so all names are known. */
  readonly whole: boolean;
}

/** The type of a zip-based file, by the names of its first entries. */
export function zipType(head: Uint8Array, format: string): ContentType {
  const { names, declared, whole } = readZipHead(head);
  if (declared !== '') return byDeclaredType(declared);
  if (isBook(names, whole, format)) return binaryType('epub');
  const has = (prefix: string): boolean => names.some((name) => name.startsWith(prefix));
  const types = has('[Content_Types].xml');
  if (types || (!whole && (has('_rels/') || has('docProps/') || names.length < 2))) {
    if (has('word/')) return inFamily('document', format, 'docx');
    if (has('xl/')) return inFamily('spreadsheet', format, 'xlsx');
    if (has('ppt/')) return inFamily('presentation', format, 'pptx');
    if (!whole && OFFICE.has(format) && (types || has('_rels/') || has('docProps/')))
      return binaryType(format);
  }
  if (IWORK.has(format) && has('Index/')) return binaryType(format);
  // Without distinguishing entries: a name that fits the main part decides, or any name if nothing is known.
  const main = OPEN_DOCUMENT.has(format) ? 'content.xml' : OFFICE.get(format);
  if (main !== undefined && (has(main) || (!whole && names.length < 2))) return binaryType(format);
  return binaryType(format === 'jar' ? 'jar' : 'zip');
}

/**
 * A book that a general zip program packed again, so that `mimetype` is not its first entry (EPUB OCF 3.3 §4.2.2). Other
 * formats have a container as well, such as MusicXML. The name decides if the container may follow further on.
 */
function isBook(names: readonly string[], whole: boolean, format: string): boolean {
  const isPackage = (name: string): boolean => name.toLowerCase().endsWith('.opf');
  if (names.includes('META-INF/container.xml') && names.some(isPackage)) return true;
  return format === 'epub' && (!whole || names.includes('META-INF/container.xml'));
}

/** Package formats, by their required part. */
const OFFICE = new Map<string, string>([
  ...['docx', 'docm', 'dotx'].map((format) => [format, 'word/document.xml'] as const),
  ...['xlsx', 'xlsm', 'xltx'].map((format) => [format, 'xl/workbook.xml'] as const),
  ...['pptx', 'pptm', 'ppsx', 'potx'].map((format) => [format, 'ppt/presentation.xml'] as const),
]);
const OPEN_DOCUMENT = new Set('odt ott odg ods ots odp otp'.split(' '));
const IWORK = new Set(['pages', 'numbers', 'key']);

const BOOK = 'application/epub+zip';

const DECLARED: Readonly<Record<string, string>> = {
  [BOOK]: 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.text-template': 'ott',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.spreadsheet-template': 'ots',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.presentation-template': 'otp',
  'application/vnd.oasis.opendocument.graphics': 'odg',
};

const byDeclaredType = (declared: string): ContentType =>
  binaryType((Object.hasOwn(DECLARED, declared) && DECLARED[declared]) || 'zip');

/** Templates and files with macros keep their own format if the name says so. */
function inFamily(kind: ContentType['kind'], format: string, usual: string): ContentType {
  const named = binaryType(format);
  return OFFICE.has(format) && named.kind === kind ? named : binaryType(usual);
}

/** Parses local headers one after another (APPNOTE 4.3.7), so that a nested zip is not mistaken for the file. */
function readZipHead(head: Uint8Array): ZipHead {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const latin = new TextDecoder('latin1');
  const names: string[] = [];
  let declared = '';
  let at = 0;
  while (at + 30 <= head.length && names.length < MAX_NAMES) {
    if (view.getUint32(at, true) !== LOCAL) break;
    const streamed = (view.getUint16(at + 6, true) & 8) !== 0;
    const stored = view.getUint16(at + 8, true) === 0;
    const size = view.getUint32(at + 18, true);
    const nameEnd = at + 30 + view.getUint16(at + 26, true);
    const data = nameEnd + view.getUint16(at + 28, true);
    const name = latin.decode(head.subarray(at + 30, nameEnd));
    if (name === 'mimetype' && stored && size < 200) {
      const type = latin.decode(head.subarray(data, data + size)).trim();
      if (names.length === 0 || type === BOOK) declared = type;
    }
    names.push(name);
    at = streamed && size === 0 ? nextSignature(view, data) : data + size;
  }
  const whole = at + 4 <= head.length && view.getUint32(at, true) === CENTRAL;
  return { names, declared, whole };
}

/** A streamed entry does not declare its size: the next header is searched. */
function nextSignature(view: DataView, from: number): number {
  for (let at = from; at + 4 <= view.byteLength; at++) {
    if (view.getUint8(at) !== 0x50) continue;
    const signature = view.getUint32(at, true);
    if (signature === LOCAL || signature === CENTRAL) return at;
  }
  return view.byteLength;
}
