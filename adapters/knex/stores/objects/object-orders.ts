import type { ObjectOrder, ObjectPosition } from '../../../../ports/objects.ts';

interface SortOrder {
  readonly column: 'created_at' | 'name_key' | 'size' | 'updated_at';
  readonly direction: 'asc' | 'desc';
  /** The index in this order, with the columns that lists filter by; orders by time have one for each facet. */
  readonly index?: string;
}

export const SORT_ORDERS: Readonly<Record<ObjectOrder, SortOrder>> = {
  newest: { column: 'created_at', direction: 'desc' },
  oldest: { column: 'created_at', direction: 'asc' },
  name: { column: 'name_key', direction: 'asc', index: 'objects_by_name' },
  largest: { column: 'size', direction: 'desc', index: 'objects_by_size' },
  updated: { column: 'updated_at', direction: 'desc', index: 'objects_by_update' },
};

export const isByTime = (order: ObjectOrder): boolean => SORT_ORDERS[order].index === undefined;

/** `order by` a sort key, and the id among equals. */
export function orderClause(
  order: ObjectOrder,
  key: string = SORT_ORDERS[order].column,
  id = 'id',
): string {
  const { direction } = SORT_ORDERS[order];
  return ` order by ${key} ${direction}, ${id} ${direction}`;
}

/** The condition that a row follows a position. */
export const followsText = (
  order: ObjectOrder,
  key: string = SORT_ORDERS[order].column,
  id = 'id',
): string => `(${key}, ${id}) ${SORT_ORDERS[order].direction === 'asc' ? '>' : '<'} (?, ?)`;

export const positionValues = ({ key, id }: ObjectPosition): [number | string, string] => [key, id];
