import { placeholders, type Sql } from '../../sql.ts';
import { CATEGORY_COLUMNS, categoryRowsOf } from './object-rows.ts';

type Categorized = Parameters<typeof categoryRowsOf>[0];

const KEY = ['owner_id', ...CATEGORY_COLUMNS];
const INSERT = `insert into object_categories (${KEY.join(', ')}) values (${placeholders(KEY.length)})`;
const REMOVE = `delete from object_categories where ${KEY.map((column) => `${column} = ?`).join(' and ')}`;

/** The lists of the categories, which repeat the state and the time of each object. */
export interface CategoryLists {
  /** Moves an object from its previous lists to its current ones. */
  move(before: Categorized | undefined, after: Categorized | undefined): Promise<void>;
}

export function createCategoryLists(sql: Sql, ownerId: string): CategoryLists {
  const keyed = (object: Categorized | undefined) =>
    new Map((object ? categoryRowsOf(object) : []).map((row) => [JSON.stringify(row), row]));
  return {
    move: async (before, after) => {
      const previous = keyed(before);
      const current = keyed(after);
      for (const [key, row] of previous)
        if (!current.has(key)) await sql.enqueueChange(REMOVE, [ownerId, ...row]);
      for (const [key, row] of current)
        if (!previous.has(key)) await sql.enqueueChange(INSERT, [ownerId, ...row]);
    },
  };
}
