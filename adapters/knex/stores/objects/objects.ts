import type { ObjectStore } from '../../../../ports/objects.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { shiftCounter, type CountTable } from '../../counters.ts';
import { createCategoryLists } from './object-categories.ts';
import { NO_FOLDER, type Query } from './object-conditions.ts';
import { createObjectLists } from './object-lists.ts';
import {
  changesOf,
  facetsOf,
  OBJECT_COLUMNS,
  objectValues,
  saveObjectText,
  toObject,
  toStoredRow,
  type Facets,
  type FoundRow,
  type ObjectRow,
} from './object-rows.ts';
import { indexedBy, placeholders, selectByIds, type Sql, type Value } from '../../sql.ts';

const COUNTS: CountTable = {
  name: 'object_counts',
  columns: [
    'folder',
    'trashed',
    'is_hidden',
    'kind',
    'doc_type',
    'text_state',
    'status',
    'suggested',
  ],
};
const COLUMNS = OBJECT_COLUMNS.join(', ');
const SELECT = `select ${COLUMNS} from objects where owner_id = ?`;
const FIND = `select trashed, suggested, name_key, ${COLUMNS} from objects where owner_id = ? and id = ?`;
/** So many rows are remembered until they are saved. */
const MAX_FOUND = 64;
const FACETS = 'trashed, is_hidden, folder, kind, doc_type, text_state, status, suggested';

export function knexObjects(sql: Sql, { ownerId }: OwnerScope): ObjectStore {
  const recount = (before: Facets | undefined, after: Facets | undefined) =>
    shiftCounter(sql, ownerId, COUNTS, countersOf(before), countersOf(after));
  const categories = createCategoryLists(sql, ownerId);

  /** Only changed columns: SQLite rewrites every index that contains an updated column. */
  const update = async (id: string, columns: readonly string[], values: readonly Value[]) => {
    if (columns.length === 0) return;
    const changes = columns.map((column) => `${column} = ?`).join(', ');
    const text = `update objects set ${changes} where owner_id = ? and id = ?`;
    await sql.enqueueChange(text, [...values, ownerId, id]);
  };

  // Within a unit of work all changes of the table go through this store, so a row cannot change between find and save.
  const found = new Map<string, FoundRow>();
  let changes = 0;
  const find = async (id: string) => {
    const asked = changes;
    const row = await sql.get<FoundRow>(FIND, [ownerId, id]);
    if (found.size >= MAX_FOUND) found.clear();
    if (row && asked === changes) found.set(id, row);
    return row;
  };
  const forget = (id: string) => {
    changes += 1;
    found.delete(id);
  };

  return {
    find: async (id) => {
      const row = await find(id);
      return row && toObject(row);
    },
    findMany: async (ids) => {
      const rows = await selectByIds<ObjectRow>(
        sql,
        (placeholders) => `${SELECT} and id in (${placeholders})`,
        [ownerId],
        ids,
      );
      return rows.map(toObject);
    },
    ...createObjectLists(sql, ownerId),
    save: async (object) => {
      const before = found.get(object.id) ?? (await find(object.id));
      const row = toStoredRow(object);
      forget(object.id);
      if (!before) await sql.enqueueChange(saveObjectText, objectValues(ownerId, row));
      else await update(object.id, ...changesOf(before, row));
      await recount(before, facetsOf(object));
      await categories.move(before, row);
    },
    remove: async (id) => {
      forget(id);
      const [before] = await sql.all<Facets & Pick<ObjectRow, 'id' | 'categories' | 'created_at'>>(
        `delete from objects where owner_id = ? and id = ?
         returning id, categories, created_at, ${FACETS}`,
        [ownerId, id],
      );
      await recount(before, undefined);
      await categories.move(before, undefined);
    },
    countVisible: async (collectionIds) => {
      const rows = await selectByIds<{ folder: string; n: number }>(
        sql,
        (placeholders) => `select folder, n from object_counts
          where owner_id = ? and folder in (${placeholders}) and trashed = 0 and is_hidden = 0 and kind = '*'`,
        [ownerId],
        collectionIds,
      );
      const counts = new Map(collectionIds.map((id) => [id, 0]));
      for (const { folder, n } of rows) counts.set(folder, n);
      return counts;
    },
    idsIn: async (collectionId, after, limit) => {
      const rows = await sql.all<{ id: string }>(
        'select id from objects where owner_id = ? and folder = ? and id > ? order by id limit ?',
        [ownerId, collectionId, after ?? '', limit],
      );
      return rows.map(({ id }) => id);
    },
    withHash: async (contentHash, hiddenToo, collectionIds) => {
      const { text, values } = hashQuery(sql, ownerId, contentHash, hiddenToo, collectionIds);
      const row = await sql.get<ObjectRow>(text, values);
      return row && toObject(row);
    },
  };
}

function hashQuery(
  sql: Sql,
  ownerId: string,
  contentHash: string,
  hiddenToo: boolean,
  collectionIds?: readonly string[],
): Query {
  // No folder has an empty id in this condition: '' would stand for objects in no folder.
  const folders = collectionIds && (collectionIds.length > 0 ? collectionIds : [NO_FOLDER]);
  const inFolders = folders ? ` and folder in (${placeholders(folders.length)})` : '';
  return {
    text: `select ${COLUMNS} from objects${indexedBy(sql, 'objects_by_hash')}
      where owner_id = ? and content_hash = ? and trashed = 0 and is_hidden <= ?${inFolders}
      order by created_at desc, id desc limit 1`,
    values: [ownerId, contentHash, hiddenToo ? 1 : 0, ...(folders ?? [])],
  };
}

/** Each object counts in four counters: all objects and those of its folder, each by every facet and by state alone. */
function countersOf(facets: Facets | undefined): readonly (readonly (string | number)[])[] {
  if (!facets) return [];
  const { trashed, is_hidden, folder, kind, doc_type, text_state, status, suggested } = facets;
  return ['*', folder].flatMap((place) => [
    [place, trashed, is_hidden, kind, doc_type, text_state, status, suggested],
    [place, trashed, is_hidden, '*', '*', '*', '*', 0],
  ]);
}
