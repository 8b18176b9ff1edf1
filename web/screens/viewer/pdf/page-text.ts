import type { DocumentText } from '../document.ts';

/** What was read of one page. */
export function pageTextOf(reading: DocumentText | undefined, page: number): string {
  if (!reading) return '';
  const starts = [...reading.pages].sort(([a], [b]) => a - b);
  const at = starts.findIndex(([, number]) => number === page);
  const start = starts[at]?.[0];
  return start === undefined ? '' : reading.text.slice(start, starts[at + 1]?.[0]);
}

/** The page on which a unit of the text is. */
export function pageAt({ pages }: DocumentText, unit: number): number | undefined {
  let found: number | undefined;
  for (const [start, page] of [...pages].sort(([a], [b]) => a - b)) if (start <= unit) found = page;
  return found;
}
