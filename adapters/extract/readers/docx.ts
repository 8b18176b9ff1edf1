import mammoth from 'mammoth';
import { normalizeText } from './text-normalization.ts';
import { parsePage } from './html.ts';
import { openPackage, packageTitle } from './ooxml-package.ts';
import type { ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';
import type { Zip } from './zip.ts';

/** Word documents: paragraphs, lists, tables and notes in reading order, then headers and footers, as one page. */
export async function readDocx(bytes: Uint8Array): Promise<ReaderResult> {
  const zip = await openPackage(bytes);
  const { value } = await mammoth.convertToHtml({ file: packageOf(zip) } as never, {
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    externalFileAccess: false,
    includeEmbeddedStyleMap: false,
    styleMap: ["p[style-name='Title'] => h1:fresh", 'comment-reference => !'],
  });
  const { document } = parsePage(withoutNoteMarks(value));
  const text = [renderText(document), ...(await marginsOf(zip))].join('\n\n');
  return {
    source: 'extracted',
    title: (await packageTitle(zip)) || (document.querySelector('h1')?.textContent ?? ''),
    pages: [{ text: normalizeText(text), continues: false }],
    prose: true,
  };
}

/** The part of a zip library that mammoth uses, so that it decompresses nothing itself. */
const packageOf = (zip: Zip) => ({
  exists: (name: string) => zip.has(name),
  read: async (name: string, encoding?: string) => {
    const bytes = await zip.read(name);
    if (encoding === undefined) return bytes;
    return encoding === 'base64'
      ? bytes.toString('base64')
      : new TextDecoder(encoding).decode(bytes);
  },
});

/** `[1]` in the text would be mistaken for a citation marker, and the back arrow has no meaning. */
const withoutNoteMarks = (html: string): string =>
  html
    .replace(/<sup><a href="#[^"]*" id="[^"]*note-ref-[^"]*">\[\d+\]<\/a><\/sup>/g, '')
    .replace(/ ?<a href="#[^"]*note-ref-[^"]*">↑<\/a>/g, '');

const MAX_MARGIN_NOTES = 100;
const MAX_MARGIN_NOTE_LENGTH = 1_000_000;

/** Headers and footers, once each: mammoth omits them, and a letterhead may name the sender. */
async function marginsOf(zip: Zip): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const kind of ['header', 'footer'])
    for (let nth = 0; nth < MAX_MARGIN_NOTES; nth++) {
      const name = `word/${kind}${nth || ''}.xml`;
      const xml = zip.has(name) ? await zip.read(name) : Buffer.alloc(0);
      if (xml.length > 0 && xml.length <= MAX_MARGIN_NOTE_LENGTH)
        found.add(paragraphsIn(xml.toString('utf8')));
    }
  found.delete('');
  return [...found];
}

/** Text runs of WordprocessingML (ECMA-376 part 1 §17.3.3), one line per paragraph. */
function paragraphsIn(xml: string): string {
  const lines = xml.split('</w:p>').map((paragraph) =>
    [...paragraph.matchAll(/<w:t(?:\s[^<>]*)?>([^<]*)<|<w:(?:tab|br)\/>/g)]
      .map(([, text]) => text ?? ' ')
      .join('')
      .trim(),
  );
  return unescaped(lines.filter((line) => line !== '').join('\n'));
}

/** Character references resolved. */
const unescaped = (xml: string): string =>
  parsePage(`<pre>${xml}</pre>`).document.querySelector('pre')?.textContent ?? '';
