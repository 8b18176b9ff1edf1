import type { DocumentText } from '../document.ts';
import type { Mark } from '../text/marks.ts';
import type { PageMark } from './page-words.ts';

/** What is marked in the text, as words by page. */
export function marksByPage(
  { text, pages }: DocumentText,
  marks: readonly Mark[],
): ReadonlyMap<number, readonly PageMark[]> {
  const starts = [...pages].sort(([a], [b]) => a - b);
  const byPage = new Map<number, PageMark[]>();
  starts.forEach(([start, page], position) => {
    const end = starts[position + 1]?.[0] ?? text.length;
    for (const mark of marks) {
      const [from, to] = [Math.max(start, mark.start), Math.min(end, mark.end)];
      if (from >= to || text.slice(from, to).trim() === '') continue;
      const on: PageMark = {
        kind: mark.kind,
        words: text.slice(from, to),
        near: (from - start) / Math.max(1, end - start),
        index: mark.index,
      };
      byPage.set(page, [...(byPage.get(page) ?? []), on]);
    }
  });
  return byPage;
}
