import type { AgentRoleStore, CustomAgentRole } from '../../../../ports/agent-roles.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import { flag, json, plain, recordMap, saveText } from '../../record-mapper.ts';
import { indexedBy, placeholders, upsertText, type Sql, type Value } from '../../sql.ts';

const ROLE = recordMap<CustomAgentRole>({
  slug: plain('slug'),
  id: plain('id'),
  name: plain('name'),
  description: plain('description'),
  icon: plain('icon'),
  persona: plain('persona'),
  toolsets: json('toolsets'),
  isImported: flag('is_imported'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});
const COLUMNS = ROLE.columns.join(', ');
const FIND = `select ${COLUMNS} from agent_roles where owner_id = ?`;
const ADD = `insert into agent_roles (owner_id, ${COLUMNS})
  values (${placeholders(ROLE.columns.length + 1)}) on conflict do nothing`;
const REPLACE = saveText('agent_roles', ROLE, ['slug']);
const REMOVE = 'delete from agent_roles where owner_id = ? and slug = ?';
const ACTIVATE = upsertText('active_agent_roles', ['owner_id', 'slug'], ['owner_id']);
const DEACTIVATE = 'delete from active_agent_roles where owner_id = ?';

type Row = Record<string, Value>;

export function knexAgentRoles(sql: Sql, { ownerId }: OwnerScope): AgentRoleStore {
  const counts = listCounts(sql, ownerId, 'agent_roles');
  const by = async (column: 'slug' | 'id', value: string) => {
    const row = await sql.get<Row>(`${FIND} and ${column} = ?`, [ownerId, value]);
    return row && ROLE.from(row);
  };
  return {
    find: (slug) => by('slug', slug),
    withId: (id) => by('id', id),
    page: async ({ limit, offset }) => {
      const rows = await sql.all<Row>(
        `select ${COLUMNS} from agent_roles${indexedBy(sql, 'agent_roles_by_time')}
         where owner_id = ? order by created_at, id limit ? offset ?`,
        [ownerId, limit, offset],
      );
      return { items: rows.map(ROLE.from), total: await counts.total(['*']) };
    },
    add: async (role) => {
      if ((await sql.run(ADD, [ownerId, ...ROLE.values(role)])) === 0) return false;
      await counts.move([], ['*']);
      return true;
    },
    replace: async (role) => {
      if (!(await by('slug', role.slug))) return false;
      await sql.enqueueChange(REPLACE, [ownerId, ...ROLE.values(role)]);
      return true;
    },
    remove: async (slug) => {
      if ((await sql.run(REMOVE, [ownerId, slug])) === 0) return false;
      await counts.move(['*'], []);
      return true;
    },
    active: async () => {
      const row = await sql.get<{ slug: string }>(
        'select slug from active_agent_roles where owner_id = ?',
        [ownerId],
      );
      return row?.slug ?? null;
    },
    activate: async (slug) => {
      if (slug === null) await sql.enqueueChange(DEACTIVATE, [ownerId]);
      else await sql.enqueueChange(ACTIVATE, [ownerId, slug]);
    },
  };
}
