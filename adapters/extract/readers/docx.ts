import mammoth from 'mammoth';
import { normalizeText } from './text-normalization.ts';
import { parsePage } from './html.ts';
import { commentText, type Comment } from './annotations-text.ts';
import { labelsIn } from './drawing-text.ts';
import { openPackage, packageTitle, relationsOf } from './ooxml-package.ts';
import type { ReaderResult } from './reader-result.ts';
import { renderText } from './render.ts';
import { xmlTree } from './xml.ts';
import type { Zip } from './zip.ts';

/**
 * Word documents: paragraphs, lists, tables, text boxes and notes in reading order, then the labels of charts and diagrams,
 * headers and footers, and comments, as one page.
 */
export async function readDocx(bytes: Uint8Array): Promise<ReaderResult> {
  const zip = await openPackage(bytes);
  const { value } = await mammoth.convertToHtml({ file: packageOf(zip) } as never, {
    convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
    externalFileAccess: false,
    includeEmbeddedStyleMap: false,
    styleMap: ["p[style-name='Title'] => h1:fresh", 'comment-reference => !'],
  });
  const { document } = parsePage(withoutNoteMarks(value));
  const parts = [
    renderText(document),
    (await labelsOf(zip)).join('\n'),
    ...(await marginsOf(zip)),
    commentText(await commentsOf(zip)),
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
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

const MAIN = 'word/document.xml';
const COMMENTS = 'word/comments.xml';

/** Charts and diagrams in the order of the relationships, which is that of their insertion. */
async function labelsOf(zip: Zip): Promise<readonly string[]> {
  // Most documents have none, and need no further parsing.
  if (!zip.names.some((name) => /^word\/(?:charts|diagrams)\//.test(name))) return [];
  const parts = [...(await relationsOf(zip, MAIN)).values()];
  const drawn = parts.filter(({ type }) => type === 'chart' || type === 'diagramData');
  return labelsIn(
    zip,
    drawn.map(({ target }) => target),
  );
}

/** Comments in document order (ECMA-376 part 1 §17.13.4). */
async function commentsOf(zip: Zip): Promise<readonly Comment[]> {
  if (!zip.has(COMMENTS)) return [];
  const tree = await xmlTree(await zip.read(COMMENTS));
  return [...tree.all('w:comment')].map((comment) => ({
    author: comment.getAttribute('w:author') ?? '',
    text: [...comment.all('w:p')]
      .map((paragraph) => [...paragraph.all('w:t')].map((run) => run.textContent).join(''))
      .join('\n'),
  }));
}

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
