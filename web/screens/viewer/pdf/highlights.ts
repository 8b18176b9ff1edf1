import type { MarkKind } from '../text/marks.ts';

const ORDER: readonly MarkKind[] = ['passage', 'also', 'found', 'current', 'cited'];

/** Whether the browser marks ranges without changing the page. */
export const canHighlight = 'highlights' in CSS;

const byPage = new Map<object, ReadonlyMap<MarkKind, readonly Range[]>>();

/** Marks ranges in the text of one page. Those of other pages stay. */
export function highlight(page: object, ranges: ReadonlyMap<MarkKind, readonly Range[]>): void {
  if (ranges.size === 0) byPage.delete(page);
  else byPage.set(page, ranges);
  if (!canHighlight) return;
  ORDER.forEach((kind, priority) => {
    const all = [...byPage.values()].flatMap((each) => each.get(kind) ?? []);
    if (all.length === 0) {
      CSS.highlights.delete(kind);
      return;
    }
    const made = new Highlight(...all);
    made.priority = priority;
    CSS.highlights.set(kind, made);
  });
}
