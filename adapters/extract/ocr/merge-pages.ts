import type { PageSpan } from '../../../ports/text-extraction.ts';
import { codePoints, cut } from '../readers/text-normalization.ts';

/** Pages with their own or recognised text; white space between two pages belongs to the first. */
export interface Bound {
  readonly text: string;
  readonly pages: readonly PageSpan[];
}

/** Joins `count` pages; one without text is empty, and so is one after the length limit. */
export function mergePages(
  count: number,
  textOf: (page: number) => string | undefined,
  longest: number,
): Bound {
  const parts: string[] = [];
  const pages: PageSpan[] = [];
  let end = 0;
  for (let page = 1; page <= count; page++) {
    const own = textOf(page)?.trimEnd() ?? '';
    const part = cut(own === '' || page === count ? own : `${own}\n\n`, longest - end);
    const charStart = end;
    end += codePoints(part);
    parts.push(part);
    pages.push({ page, charStart, charEnd: end });
  }
  return { text: parts.join(''), pages };
}

/** The text of each page that has some, by page number. */
export function textsOf(text: string, pages: readonly PageSpan[]): ReadonlyMap<number, string> {
  const points = Array.from(text);
  const texts = new Map<number, string>();
  for (const { page, charStart, charEnd } of pages) {
    const own = points.slice(charStart, charEnd).join('');
    if (own.trim() !== '') texts.set(page, own);
  }
  return texts;
}
