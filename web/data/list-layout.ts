/** Where rows of one height stand when some have a heading above them. All lengths are in pixels. */
export interface Layout {
  /** Rows that stand in one line: one in a list, several in a grid of pictures. */
  readonly columns: number;
  readonly rowHeight: number;
  readonly headingHeight: number;
  readonly total: number;
  /** Indexes of the rows with a heading, ascending. */
  readonly headings: readonly number[];
}

/** Documents in the page at once, at most. */
export const MAX_WINDOW = 58;
export const MAX_OVERSCAN = 8;

/** Entries of an ascending list that are at most `value`. */
function countUpTo(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The upper edge of a row, without its heading. */
export const topOf = (layout: Layout, index: number): number =>
  Math.floor(index / layout.columns) * layout.rowHeight +
  countUpTo(layout.headings, index) * layout.headingHeight;

export const heightOf = ({ total, columns, rowHeight, headings, headingHeight }: Layout): number =>
  Math.ceil(total / columns) * rowHeight + headings.length * headingHeight;

/** The row that is shown at a distance from the upper edge of the list. */
export function rowAt(layout: Layout, y: number): number {
  let low = 0;
  let high = Math.max(0, layout.total - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (topOf(layout, middle) <= y) low = middle;
    else high = middle - 1;
  }
  return low - (low % layout.columns);
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The rows in view with up to `overscan` lines above and below. */
export function windowOf(
  layout: Layout,
  scrollTop: number,
  viewHeight: number,
  overscan = MAX_OVERSCAN,
): Range {
  const { columns, rowHeight, total } = layout;
  const lines = Math.ceil(viewHeight / rowHeight) + 1;
  const most = Math.max(1, Math.floor(MAX_WINDOW / columns));
  const spare = Math.max(0, Math.min(overscan, Math.floor((most - lines) / 2)));
  const first = rowAt(layout, scrollTop);
  const from = Math.max(0, first - spare * columns);
  const above = (first - from) / columns;
  return { from, to: Math.min(total, from + Math.min(most, above + lines + spare) * columns) };
}
