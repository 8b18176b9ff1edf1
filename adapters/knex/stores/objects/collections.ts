import { foldName, type Collection, type CollectionStore } from '../../../../ports/library.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import { emptyAsNull, plain, recordMap } from '../../record-mapper.ts';
import { indexedBy, selectByIds, upsertText, type Sql, type Value } from '../../sql.ts';

const COLLECTION = recordMap<Collection>({
  id: plain('id'),
  name: plain('name'),
  description: plain('description'),
  icon: plain('icon'),
  themeId: emptyAsNull('theme'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const COLUMNS = COLLECTION.columns.join(', ');
const SAVE = upsertText(
  'collections',
  ['owner_id', 'name_fold', ...COLLECTION.columns],
  ['owner_id', 'id'],
);

type Row = Record<string, Value>;

/** A folder counts in the list of all and in that of its theme. */
const partsOf = (collection: Pick<Collection, 'themeId'>) => ['*', collection.themeId ?? ''];

export function knexCollections(sql: Sql, { ownerId }: OwnerScope): CollectionStore {
  const counts = listCounts(sql, ownerId, 'collections');
  const find: CollectionStore['find'] = async (id) => {
    const row = await sql.get<Row>(
      `select ${COLUMNS} from collections where owner_id = ? and id = ?`,
      [ownerId, id],
    );
    return row && COLLECTION.from(row);
  };
  const named: CollectionStore['named'] = async (themeId, name) => {
    const row = await sql.get<Row>(
      `select ${COLUMNS} from collections where owner_id = ? and theme = ? and name_fold = ?`,
      [ownerId, themeId ?? '', foldName(name)],
    );
    return row && COLLECTION.from(row);
  };
  const isTaken = async ({ id, name, themeId }: Collection) => {
    const holder = await named(themeId, name);
    return holder !== undefined && holder.id !== id;
  };
  const save: CollectionStore['save'] = async (collection) => {
    if (await isTaken(collection)) return false;
    const before = await find(collection.id);
    await sql.enqueueChange(SAVE, [
      ownerId,
      foldName(collection.name),
      ...COLLECTION.values(collection),
    ]);
    await counts.move(before ? partsOf(before) : [], partsOf(collection));
    return true;
  };

  return {
    find,
    named,
    allNamed: async (name) => {
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from collections${indexedBy(sql, 'collections_by_name')}
         where owner_id = ? and name_fold = ? order by id`,
        [ownerId, foldName(name)],
      );
      return rows.map(COLLECTION.from);
    },
    names: async (ids) => {
      const rows = await selectByIds<{ id: string; name: string }>(
        sql,
        (placeholders) =>
          `select id, name from collections where owner_id = ? and id in (${placeholders})`,
        [ownerId],
        ids,
      );
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    nameFor: async (objectId) => {
      const row = await sql.get<{ name: string }>(
        `select c.name from objects o join collections c on c.owner_id = o.owner_id and c.id = o.folder
         where o.owner_id = ? and o.id = ?`,
        [ownerId, objectId],
      );
      return row?.name ?? null;
    },
    page: async ({ themeId }, { limit, offset }) => {
      const [index, condition] =
        themeId === undefined
          ? ['collections_by_name', '']
          : ['collections_by_theme', 'and theme = ?'];
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from collections${indexedBy(sql, index)}
         where owner_id = ? ${condition} order by name_fold, id limit ? offset ?`,
        [ownerId, ...(themeId === undefined ? [] : [themeId]), limit, offset],
      );
      return { items: rows.map(COLLECTION.from), total: await counts.total([themeId ?? '*']) };
    },
    countByTheme: async (themeIds) => {
      const rows = await selectByIds<{ part: string; n: number }>(
        sql,
        (placeholders) => `select part, n from list_counts
          where owner_id = ? and list = 'collections' and part in (${placeholders})`,
        [ownerId],
        themeIds,
      );
      const found = new Map(themeIds.map((id) => [id, 0]));
      for (const { part, n } of rows) found.set(part, n);
      return found;
    },
    save,
    remove: async (id) => {
      const before = await find(id);
      if (!before) return;
      await sql.enqueueChange('delete from collections where owner_id = ? and id = ?', [
        ownerId,
        id,
      ]);
      await counts.move(partsOf(before), []);
    },
    leaveTheme: async (themeId, at) => {
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from collections${indexedBy(sql, 'collections_by_theme')}
         where owner_id = ? and theme = ? order by name_fold, id`,
        [ownerId, themeId],
      );
      for (const collection of rows.map(COLLECTION.from)) {
        const freed = { ...collection, themeId: null, updatedAt: at };
        let saved = await save(freed);
        for (let n = 2; !saved; n++) saved = await save({ ...freed, name: `${freed.name} (${n})` });
      }
    },
  };
}
