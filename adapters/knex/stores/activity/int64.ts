import type { MessengerId } from '../../../../ports/messenger.ts';
import { rowsAsJson, rowsTable, type TypedColumn } from '../../bulk-rows.ts';
import type { Field } from '../../record-mapper.ts';
import type { Sql } from '../../sql.ts';

const LEAST = -(2n ** 63n);
const DIGITS = 20;

/** A number of 64 bits as a text that sorts as it does: counted from the least of them, always as long. */
export const int64Text = (id: MessengerId): string => (id - LEAST).toString().padStart(DIGITS, '0');
export const int64From = (text: string): MessengerId => BigInt(text) + LEAST;

export const int64 = (column: string): Field<MessengerId> => ({
  column,
  put: int64Text,
  take: (value) => int64From(value as string),
});

export const int64OrNull = (column: string): Field<MessengerId | null> => ({
  column,
  put: (id) => (id === null ? null : int64Text(id)),
  take: (value) => (value === null ? null : int64From(value as string)),
});

const ONE_ID: readonly TypedColumn[] = [['id', 'text']];

/** Numbers as a table with the column `id`, from one parameter: see `int64Rows`. */
export const int64Table = (sql: Sql): string => `${rowsTable(sql, ONE_ID)} as ids`;
export const int64Rows = (ids: readonly MessengerId[]) =>
  rowsAsJson(ids.map((id) => [int64Text(id)]));
