import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import type { SavedView, ViewStore } from '../../../../ports/views.ts';
import { json, plain, recordMap, saveText } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';

const VIEW = recordMap<SavedView>({
  id: plain('id'),
  name: plain('name'),
  filters: json('filters'),
  order: plain('sort_order'),
  position: plain('position'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const COLUMNS = VIEW.columns.join(', ');
const SAVE = saveText('saved_views', VIEW, ['id']);

export function knexViews(sql: Sql, { ownerId }: OwnerScope): ViewStore {
  return {
    find: async (id) => {
      const row = await sql.get<Record<string, Value>>(
        `select ${COLUMNS} from saved_views where owner_id = ? and id = ?`,
        [ownerId, id],
      );
      return row && VIEW.from(row);
    },
    // They are few: the use case limits them.
    list: async (limit) => {
      const rows = await sql.all<Record<string, Value>>(
        `select ${COLUMNS} from saved_views where owner_id = ?
         order by position, created_at, id limit ?`,
        [ownerId, limit],
      );
      return rows.map(VIEW.from);
    },
    save: (view) => sql.enqueueChange(SAVE, [ownerId, ...VIEW.values(view)]),
    remove: async (id) => {
      const removed = await sql.run('delete from saved_views where owner_id = ? and id = ?', [
        ownerId,
        id,
      ]);
      return removed > 0;
    },
  };
}
