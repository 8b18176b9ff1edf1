import type {
  ObjectFilter,
  ObjectPage,
  ObjectPageRequest,
  ObjectStore,
} from '../../../../ports/objects.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { shiftCounter, type CountTable } from '../../counters.ts';
import { isIndexed, pageQuery, totalQuery } from './object-pages.ts';
import {
  changesOf,
  facetsOf,
  OBJECT_COLUMNS,
  objectValues,
  OUTLINE_COLUMNS,
  saveObjectText,
  toObject,
  toOutline,
  type Facets,
  type ObjectRow,
} from './object-rows.ts';
import { indexedBy, selectByIds, type Sql, type Value } from '../../sql.ts';

const COUNTS: CountTable = {
  name: 'object_counts',
  columns: ['folder', 'trashed', 'is_hidden', 'kind', 'doc_type', 'text_state'],
};
const COLUMNS = OBJECT_COLUMNS.join(', ');
const SELECT = `select ${COLUMNS} from objects where owner_id = ?`;
const FIND = `select trashed, ${COLUMNS} from objects where owner_id = ? and id = ?`;
/** So many rows are remembered until they are saved. */
const MAX_FOUND = 64;
const FACETS = 'trashed, is_hidden, folder, kind, doc_type, text_state';

export function knexObjects(sql: Sql, { ownerId }: OwnerScope): ObjectStore {
  const count: ObjectStore['count'] = async (filter) => {
    if (filter.kinds?.length === 0) return 0;
    const { text, values } = totalQuery(ownerId, filter);
    return (await sql.get<{ n: number }>(text, values))?.n ?? 0;
  };
  const rowsOf = (filter: ObjectFilter, request: ObjectPageRequest) => {
    const { text, values } = pageQuery(sql.dialect, ownerId, filter, request);
    return sql.all<ObjectRow>(text, values);
  };
  const recount = (before: Facets | undefined, after: Facets | undefined) =>
    shiftCounter(sql, ownerId, COUNTS, countersOf(before), countersOf(after));

  /** Only changed columns: SQLite rewrites every index that contains an updated column. */
  const update = async (id: string, columns: readonly string[], values: readonly Value[]) => {
    if (columns.length === 0) return;
    const changes = columns.map((column) => `${column} = ?`).join(', ');
    const text = `update objects set ${changes} where owner_id = ? and id = ?`;
    await sql.enqueueChange(text, [...values, ownerId, id]);
  };

  // Within a unit of work all changes of the table go through this store, so a row cannot change between find and save.
  const found = new Map<string, ObjectRow & Facets>();
  let changes = 0;
  const find = async (id: string) => {
    const asked = changes;
    const row = await sql.get<ObjectRow & Facets>(FIND, [ownerId, id]);
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
    page: async (filter, request) => {
      if (isIndexed(filter) && !('offset' in request && request.offset > 0)) {
        const [total, rows] = await Promise.all([
          count(filter),
          rowsOf(filter, { ...request, limit: request.limit + 1 }),
        ]);
        return pageOf(rows, total, request.limit);
      }
      const total = await count(filter);
      const left = 'after' in request ? total : total - request.offset;
      if (left <= 0) return { items: [], total, next: null };
      // One row more than requested shows whether the page is the last. More than the remaining rows would scan in
      // vain.
      const limit = Math.min(request.limit + 1, left);
      return pageOf(await rowsOf(filter, { ...request, limit }), total, request.limit);
    },
    outlines: async (filter, { limit, offset }) => {
      const total = await count(filter);
      if (total <= offset) return { items: [], total };
      const request = { limit: Math.min(limit, total - offset), offset };
      const { text, values } = pageQuery(sql.dialect, ownerId, filter, request, OUTLINE_COLUMNS);
      return { items: (await sql.all<ObjectRow>(text, values)).map(toOutline), total };
    },
    count,
    save: async (object) => {
      const before = found.get(object.id) ?? (await find(object.id));
      forget(object.id);
      if (!before) await sql.enqueueChange(saveObjectText, objectValues(ownerId, object));
      else await update(object.id, ...changesOf(before, object));
      await recount(before, facetsOf(object));
    },
    remove: async (id) => {
      forget(id);
      const [before] = await sql.all<Facets>(
        `delete from objects where owner_id = ? and id = ? returning ${FACETS}`,
        [ownerId, id],
      );
      await recount(before, undefined);
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
    withHash: async (contentHash, hiddenToo) => {
      const row = await sql.get<ObjectRow>(
        `select ${COLUMNS} from objects${indexedBy(sql, 'objects_by_hash')}
         where owner_id = ? and content_hash = ? and trashed = 0 and is_hidden <= ?
         order by created_at desc, id desc limit 1`,
        [ownerId, contentHash, hiddenToo ? 1 : 0],
      );
      return row && toObject(row);
    },
  };
}

/** Of one row more than the page holds, where there are more. */
function pageOf(rows: readonly ObjectRow[], total: number, limit: number): ObjectPage {
  const items = rows.slice(0, limit).map(toObject);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, total, next: last ? { createdAt: last.createdAt, id: last.id } : null };
}

/** Each object counts in four counters: all objects and those of its folder, each by every facet and by state alone. */
function countersOf(facets: Facets | undefined): readonly (readonly (string | number)[])[] {
  if (!facets) return [];
  const { trashed, is_hidden, folder, kind, doc_type, text_state } = facets;
  return ['*', folder].flatMap((place) => [
    [place, trashed, is_hidden, kind, doc_type, text_state],
    [place, trashed, is_hidden, '*', '*', '*'],
  ]);
}
