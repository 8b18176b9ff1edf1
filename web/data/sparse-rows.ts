/** Rows of a long list of which only some are in memory, by their index. */
export interface SparseRows<T> {
  readonly rows: ReadonlyMap<number, T>;
  /** Where a page can be continued without counting from the start: the cursor by the index of its first row. */
  readonly cursors: ReadonlyMap<number, string>;
  readonly total: number | undefined;
}

export const noRows = <T>(): SparseRows<T> => ({
  rows: new Map<number, T>(),
  cursors: new Map<number, string>(),
  total: undefined,
});

/** Rows in memory. More are dropped, those farthest from the window first. */
const MAX_ROWS = 2_000;

export interface LoadedPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** Adds a page that begins at `from`. */
export function withPage<T>(
  { rows, cursors }: SparseRows<T>,
  from: number,
  { items, total, next_cursor: next }: LoadedPage<T>,
): SparseRows<T> {
  const merged = new Map(rows);
  for (const [n, item] of items.entries()) merged.set(from + n, item);
  for (const index of merged.keys()) if (index >= total) merged.delete(index);
  const end = from + items.length;
  return {
    rows: nearest(merged, from),
    cursors: next === null ? cursors : new Map(cursors).set(end, next),
    total,
  };
}

function nearest<T>(rows: ReadonlyMap<number, T>, index: number): ReadonlyMap<number, T> {
  if (rows.size <= MAX_ROWS) return rows;
  const byDistance = [...rows].toSorted(([a], [b]) => Math.abs(a - index) - Math.abs(b - index));
  return new Map(byDistance.slice(0, MAX_ROWS));
}

/** The list without some rows: those behind them move up. Cursors of shifted rows stay true, since they name a row. */
export function withoutRows<T>(
  { rows, cursors, total }: SparseRows<T>,
  isRemoved: (row: T) => boolean,
): SparseRows<T> {
  const gone = [...rows]
    .filter(([, row]) => isRemoved(row))
    .map(([index]) => index)
    .toSorted((a, b) => a - b);
  if (gone.length === 0) return { rows, cursors, total };
  const shifted = (index: number) => index - gone.filter((each) => each < index).length;
  return {
    rows: new Map(
      [...rows]
        .filter(([, row]) => !isRemoved(row))
        .map(([index, row]) => [shifted(index), row] as const),
    ),
    cursors: new Map([...cursors].map(([index, cursor]) => [shifted(index), cursor])),
    total: total === undefined ? undefined : total - gone.length,
  };
}

/** The list with some rows changed in place. */
export const withChanged = <T>(sparse: SparseRows<T>, change: (row: T) => T): SparseRows<T> => ({
  ...sparse,
  rows: new Map([...sparse.rows].map(([index, row]) => [index, change(row)])),
});

/** The first row from `from` to before `to` that is not in memory. */
export function firstMissing<T>(
  { rows, total }: SparseRows<T>,
  from: number,
  to: number,
): number | undefined {
  const end = Math.min(to, total ?? to);
  for (let index = Math.max(0, from); index < end; index++) if (!rows.has(index)) return index;
  return undefined;
}
