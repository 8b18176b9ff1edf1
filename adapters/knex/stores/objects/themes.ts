import { foldName, type Theme, type ThemeStore } from '../../../../ports/library.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import { flag, plain, recordMap } from '../../record-mapper.ts';
import { indexedBy, upsertText, type Sql, type Value } from '../../sql.ts';

const THEME = recordMap<Theme>({
  id: plain('id'),
  name: plain('name'),
  icon: plain('icon'),
  isHidden: flag('is_hidden'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const COLUMNS = THEME.columns.join(', ');
const SAVE = upsertText('themes', ['owner_id', 'name_fold', ...THEME.columns], ['owner_id', 'id']);

const partOf = (theme: Pick<Theme, 'isHidden'>) => (theme.isHidden ? 'hidden' : 'visible');

export function knexThemes(sql: Sql, { ownerId }: OwnerScope): ThemeStore {
  const counts = listCounts(sql, ownerId, 'themes');
  const find: ThemeStore['find'] = async (id) => {
    const row = await sql.get<Record<string, Value>>(
      `select ${COLUMNS} from themes where owner_id = ? and id = ?`,
      [ownerId, id],
    );
    return row && THEME.from(row);
  };
  return {
    find,
    page: async ({ includeHidden }, { limit, offset }) => {
      const rows = await sql.all<Record<string, Value>>(
        `select ${COLUMNS} from themes${indexedBy(sql, 'themes_by_name')}
         where owner_id = ? and is_hidden <= ? order by name_fold, id limit ? offset ?`,
        [ownerId, includeHidden ? 1 : 0, limit, offset],
      );
      const total = await counts.total(['visible', includeHidden ? 'hidden' : 'visible']);
      return { items: rows.map(THEME.from), total };
    },
    save: async (theme) => {
      const before = await find(theme.id);
      await sql.enqueueChange(SAVE, [ownerId, foldName(theme.name), ...THEME.values(theme)]);
      await counts.move(before ? [partOf(before)] : [], [partOf(theme)]);
    },
    remove: async (id) => {
      const before = await find(id);
      if (!before) return;
      await sql.enqueueChange('delete from themes where owner_id = ? and id = ?', [ownerId, id]);
      await counts.move([partOf(before)], []);
    },
  };
}
