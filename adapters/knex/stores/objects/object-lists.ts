import {
  positionIn,
  type ObjectFilter,
  type ObjectPage,
  type ObjectPageRequest,
  type ObjectStore,
} from '../../../../ports/objects.ts';
import type { Sql } from '../../sql.ts';
import { foldersOf } from './object-conditions.ts';
import { isIndexed, isSorted } from './object-indexes.ts';
import { isByTime } from './object-orders.ts';
import { pageQuery, type PageOptions } from './object-pages.ts';
import { OUTLINE_COLUMNS, toObject, toOutline, type ObjectRow } from './object-rows.ts';
import { countQuery, isCounted, totalQuery } from './object-totals.ts';

/** The lists of one owner's objects, and their totals. */
export function createObjectLists(
  sql: Sql,
  ownerId: string,
): Pick<ObjectStore, 'page' | 'outlines' | 'count'> {
  const count: ObjectStore['count'] = async (filter) => {
    if (filter.kinds?.length === 0 || foldersOf(filter)?.length === 0) return 0;
    const { text, values } = isCounted(filter)
      ? totalQuery(ownerId, filter)
      : countQuery(sql.dialect, ownerId, filter);
    return (await sql.get<{ n: number }>(text, values))?.n ?? 0;
  };
  const rowsOf = (filter: ObjectFilter, request: ObjectPageRequest, options?: PageOptions) => {
    const { text, values } = pageQuery(sql.dialect, ownerId, filter, request, options);
    return sql.all<ObjectRow>(text, values);
  };

  return {
    page: async (filter, request) => {
      const { order = 'newest' } = request;
      const isFirst = !('offset' in request && request.offset > 0);
      if (isFirst && isByTime(order) && isIndexed(filter)) {
        const [total, rows] = await Promise.all([
          count(filter),
          rowsOf(filter, { ...request, limit: request.limit + 1 }),
        ]);
        return pageOf(rows, total, request);
      }
      const total = await count(filter);
      const left = 'after' in request ? total : total - request.offset;
      if (left <= 0) return { items: [], total, next: null };
      // One row more than requested shows whether the page is the last. More than the remaining rows would scan in
      // vain.
      const limit = Math.min(request.limit + 1, left);
      const options = { isSorted: isSorted(filter, order, total) };
      return pageOf(await rowsOf(filter, { ...request, limit }, options), total, request);
    },
    outlines: async (filter, { limit, offset }) => {
      const total = await count(filter);
      if (total <= offset) return { items: [], total };
      const request = { limit: Math.min(limit, total - offset), offset };
      const rows = await rowsOf(filter, request, {
        columns: OUTLINE_COLUMNS,
        isSorted: isSorted(filter, 'newest', total),
      });
      return { items: rows.map(toOutline), total };
    },
    count,
  };
}

/** Of one row more than the page holds, where there are more. */
function pageOf(
  rows: readonly ObjectRow[],
  total: number,
  { limit, order = 'newest' }: ObjectPageRequest,
): ObjectPage {
  const items = rows.slice(0, limit).map(toObject);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, total, next: last ? positionIn(order, last) : null };
}
