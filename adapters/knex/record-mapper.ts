import { upsertText, type Value } from './sql.ts';
import type { ColumnName } from './column-name.ts';

/** How one field of a record is stored in its column. */
export interface Field<T> {
  readonly column: string;
  put(value: T): Value;
  take(value: Value): T;
}

type Row = Record<string, Value>;

/** A record's columns, and the way there and back. */
export interface RecordMap<T> {
  readonly columns: readonly string[];
  values(record: T): Value[];
  readonly from: (row: Row) => T;
  /** The same for a row whose columns all have a prefix. */
  readonly under: (prefix: string) => (row: Row) => T;
}

/** Strings, numbers and null go as they are. */
export const plain = <T extends string | number | null>(column: string): Field<T> => ({
  column,
  put: (value) => value,
  take: (value) => value as T,
});

export const flag = (column: string): Field<boolean> => ({
  column,
  put: (value) => (value ? 1 : 0),
  take: (value) => value === 1,
});

/** An optional reference, stored as '' so that it can be the first column of an index. */
export const emptyAsNull = (column: string): Field<string | null> => ({
  column,
  put: (value) => value ?? '',
  take: (value) => (value === '' ? null : (value as string)),
});

export const json = <T>(column: string): Field<T> => ({
  column,
  put: (value) => (value === null ? null : JSON.stringify(value)),
  take: (value) => (value === null ? (null as T) : (JSON.parse(value as string) as T)),
});

/** Fails to compile when a field of the record is left out. */
export function recordMap<T extends object>(fields: {
  readonly [K in keyof T]-?: Field<T[K]>;
}): RecordMap<T> {
  const entries = Object.entries(fields) as [keyof T & string, Field<unknown>][];
  const under = (prefix: string) => {
    // Joined once: a name put together for every row would have to be looked up by its letters.
    const places = entries.map(([name, field]) => ({
      name,
      key: (prefix + field.column) as ColumnName,
      field,
    }));
    return (row: Row) => {
      const record: Partial<Record<keyof T, unknown>> = {};
      for (const { name, key, field } of places) record[name] = field.take(row[key] ?? null);
      return record as T;
    };
  };
  return {
    columns: entries.map(([, field]) => field.column),
    values: (record) => entries.map(([name, field]) => field.put(record[name])),
    from: under(''),
    under,
  };
}

/** `insert … on conflict … do update` for a record of one owner; `key` names the columns after the owner. */
export const saveText = (
  table: string,
  map: Pick<RecordMap<never>, 'columns'>,
  key: readonly string[],
): string => upsertText(table, ['owner_id', ...map.columns], ['owner_id', ...key]);
