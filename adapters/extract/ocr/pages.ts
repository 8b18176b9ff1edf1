import type { PageSpan } from '../../../ports/text-extraction.ts';
import { codePoints, cut } from '../readers/characters.ts';

/** Pages by their own text or by what was recognised on them; white space between two belongs to the first. */
export interface Bound {
  readonly text: string;
  readonly pages: readonly PageSpan[];
}

/** Puts pages together, `count` of them; one that nobody read is empty, and so is what lies past the cut. */
export function bound(
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

/** The text of each page that has some, by its number. */
export function textsOf(text: string, pages: readonly PageSpan[]): ReadonlyMap<number, string> {
  const points = Array.from(text);
  const texts = new Map<number, string>();
  for (const { page, charStart, charEnd } of pages) {
    const own = points.slice(charStart, charEnd).join('');
    if (own.trim() !== '') texts.set(page, own);
  }
  return texts;
}
