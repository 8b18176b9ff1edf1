import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { MAX_PAGES } from '../process/protocol.ts';
import { codePoints, normalizeText } from './text-normalization.ts';
import { annotationsOf } from './pdf-annotations.ts';
import { linesOf, type Line, type TextItem } from './pdf-lines.ts';
import { continuesFrom, paragraphsOf, wordsOf } from './pdf-paragraphs.ts';
import { PROTECTED, UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Reading ends after this many missing pages of a corrupt page tree. */
const MAX_BROKEN_PAGES = 20;
const NO_TEXT =
  'The file has no page with text. It looks like a scan. Scans are read only if OCR_LANGS is set.';

/** PDF, page by page; the lines of a paragraph are joined, so that sentences are not broken by the layout. */
export async function readPdf(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  const pdf = await openPdf(bytes);
  try {
    const title = await titleOf(pdf);
    const layouts = await layoutsOf(pdf, longest);
    const words = wordsOf(layouts.flat());
    const annotations = await annotationsOf(pdf);
    const pages: Page[] = [];
    let before = '';
    let annotated = false;
    for (const [index, lines] of layouts.entries()) {
      const text = readable(normalizeText(paragraphsOf(lines, words)));
      // A page without a text layer remains empty, so that OCR reads it.
      const added = text === '' ? '' : normalizeText(annotations.get(index) ?? '');
      pages.push({
        text: added === '' ? text : `${text}\n\n${added}`,
        continues: !annotated && continuesFrom(before, text),
      });
      if (text === '') continue;
      before = text;
      annotated = added !== '';
    }
    if (before === '') throw new UnreadableFileError(NO_TEXT, { sound: true, scanned: true });
    const scanned = pages.some(({ text }) => text === '');
    return { source: 'extracted', title, pages, prose: true, ...(scanned && { scanned }) };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Disables every feature with which pdf.js would fetch, render or evaluate something. */
export async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const { VerbosityLevel } = await getResolvedPDFJS();
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: VerbosityLevel.ERRORS,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      useWasm: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      enableXfa: false,
      stopAtErrors: false,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new UnreadableFileError(PROTECTED, { sound: true });
    throw error;
  }
}

/** The lines of every page, up to the text limit. A broken page counts as empty. */
async function layoutsOf(pdf: Pdf, longest: number): Promise<Line[][]> {
  if (pdf.numPages > MAX_PAGES)
    throw new UnreadableFileError(`The file has more than ${MAX_PAGES} pages.`);
  const layouts: Line[][] = [];
  let length = 0;
  let broken = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const lines = length > longest ? [] : await layoutOf(pdf, number);
    if (lines === undefined && ++broken > MAX_BROKEN_PAGES)
      throw new Error('Too many broken pages.');
    for (const line of lines ?? []) length += codePoints(line.text);
    layouts.push(lines ?? []);
  }
  if (broken === pdf.numPages) throw new Error('None of the pages can be read.');
  return layouts;
}

async function layoutOf(pdf: Pdf, number: number): Promise<Line[] | undefined> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = linesOf(items as TextItem[], page.getViewport({ scale: 1 }).transform);
    page.cleanup();
    return lines;
  } catch {
    // A single page may be damaged; the caller counts them.
    return undefined;
  }
}

/** Fonts without a Unicode mapping yield private-use characters. */
function readable(text: string): string {
  const seen = text.match(/\S/gu)?.length ?? 0;
  const unknown = text.match(/[\p{Co}\p{Cn}\uFFFD]/gu)?.length ?? 0;
  return unknown > seen / 2 ? '' : text;
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info, metadata } = await pdf.getMetadata().catch(() => ({ info: {}, metadata: null }));
  const own = (info as Record<string, unknown>)['Title'];
  const xmp: unknown = (metadata as { get(name: string): unknown } | null)?.get('dc:title');
  const title = [own, xmp].find((t): t is string => typeof t === 'string' && t.trim() !== '') ?? '';
  // Word processors that print to PDF set their own name and the file's as the title.
  return /^untitled$/i.test(title.trim()) ? '' : title.replace(/^Microsoft \w+ - /, '');
}
