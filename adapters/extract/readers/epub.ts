import { MAX_PAGES } from '../process/protocol.ts';
import { normalizeText } from './text-normalization.ts';
import { parsePage } from './html.ts';
import { partName } from './ooxml-package.ts';
import { UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';
import { decodeXml, xmlTree, type XmlElement } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

const CONTAINER = 'META-INF/container.xml';
const LOCKED = 'The book is protected against copying.';

/** EPUB books: one page per chapter, in reading order (EPUB 3.3 §5.7). */
export async function readEpub(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const zip = await openZip(bytes);
  const container = await xmlTree(await zip.read(CONTAINER));
  const packageName = container.first('rootfile')?.getAttribute('full-path') ?? '';
  const book = await xmlTree(await zip.read(packageName));
  const chapters = chaptersOf(book, packageName);
  if (chapters.length > MAX_PAGES) throw new UnreadableFileError('The file has too many chapters.');
  const encrypted = await encryptedIn(zip);
  if (chapters.some((name) => encrypted.has(name)))
    throw new UnreadableFileError(LOCKED, { sound: true });
  const pages: Page[] = [];
  let length = 0;
  for (const name of chapters) {
    const text = length > longest || !zip.has(name) ? '' : await chapterText(zip, name);
    pages.push({ text, continues: false });
    length += text.length;
  }
  const title = book.first('dc:title')?.textContent.trim() ?? '';
  return { source: 'extracted', title, pages, prose: true };
}

/** Names of the chapters in the zip. */
function chaptersOf(book: XmlElement, packageName: string): readonly string[] {
  const folder = packageName.slice(0, packageName.lastIndexOf('/') + 1);
  const items = new Map<string, XmlElement>();
  for (const item of named(book, 'item')) items.set(item.getAttribute('id') ?? '', item);
  return named(book, 'itemref').flatMap((reference) => {
    const item = items.get(reference.getAttribute('idref') ?? '');
    const type = item?.getAttribute('media-type') ?? '';
    if (item === undefined || !/html/.test(type)) return [];
    return [partName(folder, decoded((item.getAttribute('href') ?? '').replace(/#.*$/, '')))];
  });
}

/** Older books use a prefix in the package document. */
const named = (book: XmlElement, name: string): XmlElement[] => [
  ...book.all(name),
  ...book.all(`opf:${name}`),
];

async function chapterText(zip: Zip, name: string): Promise<string> {
  const html = await decodeXml(await zip.read(name));
  return normalizeText(renderText(parsePage(asHtml(html)).document));
}

const VOID = 'area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr';
const CLOSED_AT_ONCE = new RegExp(`<(?!(?:${VOID})[\\s/>])([a-zA-Z][\\w:.-]*)([^<>]*)/>`, 'g');

/** In XHTML an element may be self-closing; in HTML it would contain what follows. */
const asHtml = (xhtml: string): string =>
  xhtml.replace(/^\s*<\?xml[^>]*>/, '').replace(CLOSED_AT_ONCE, '<$1$2></$1>');

/** Parts that are encrypted (EPUB OCF 3.3 §4.2.6.3.2); fonts may be encrypted in any book. */
async function encryptedIn(zip: Zip): Promise<ReadonlySet<string>> {
  const name = 'META-INF/encryption.xml';
  const found = new Set<string>();
  if (!zip.has(name)) return found;
  const tree = await xmlTree(await zip.read(name));
  for (const tag of ['enc:CipherReference', 'CipherReference'])
    for (const reference of tree.all(tag))
      found.add(partName('', decoded(reference.getAttribute('URI') ?? '')));
  return found;
}

/** A reference with invalid percent-encoding is used unchanged. */
function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
