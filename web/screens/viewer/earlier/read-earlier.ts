import { readContent } from '../content.ts';
import type { DocumentText } from '../document.ts';
import { isEditable, isTextTable, pageKindOf, type DocumentDetail } from '../kinds.ts';
import type { ReadingMarks } from '../reading-marks.ts';
import { findPlace, type Citation } from '../text/cited-place.ts';
import type { Mark } from '../text/marks.ts';

export interface EarlierReading {
  /** Undefined if the version is shown without its text. */
  readonly reading: DocumentText | undefined;
  readonly marked: ReadingMarks;
}

const marked = (marks: readonly Mark[], citedPage?: number): ReadingMarks => ({
  citation: undefined,
  cited: undefined,
  citedPage,
  marks,
  hitCount: 0,
  hit: undefined,
});

/**
 * The cited words of an earlier version. The service has the text of the newest one only: here it is that of the file itself,
 * and of a PDF the words on their page.
 */
export async function readEarlier(
  old: DocumentDetail,
  citation: Citation,
  signal: AbortSignal,
): Promise<EarlierReading> {
  const { version } = old;
  const { index, snippet } = citation;
  if (pageKindOf(old) === 'pdf') {
    const { findPage } = await import('../pdf/find-page.ts');
    const page = await findPage(old, snippet, signal);
    if (page === undefined) return { reading: undefined, marked: marked([]) };
    const reading = readingOf(snippet, version, new Map([[0, page]]));
    const words = { start: 0, end: snippet.length };
    return { reading, marked: marked([{ ...words, kind: 'cited', index }], page) };
  }
  if (!isEditable(old) && !isTextTable(old)) return { reading: undefined, marked: marked([]) };
  const text = new TextDecoder().decode(await readContent(old, signal));
  const place = { start: citation.char_start, end: citation.char_end };
  const found = findPlace(text, place, citation);
  const marks: readonly Mark[] =
    found === 'gone'
      ? []
      : [
          { ...found.passage, kind: 'passage' },
          { ...found.words, kind: 'cited', index },
        ];
  return { reading: readingOf(text, version, new Map()), marked: marked(marks) };
}

const readingOf = (
  text: string,
  version: number,
  pages: ReadonlyMap<number, number>,
): DocumentText => ({ text, version, source: 'native', language: '', pages });
