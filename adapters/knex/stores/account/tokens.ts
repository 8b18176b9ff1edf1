import type { Token, TokenStore } from '../../../../ports/identity.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { listCounts } from '../../counters.ts';
import { json, plain, recordMap } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

export const TOKEN = recordMap<Token>({
  id: plain('id'),
  name: plain('name'),
  prefix: plain('prefix'),
  digest: plain('digest'),
  access: plain('access'),
  createdAt: plain('created_at'),
  scopes: json('scopes'),
  folderIds: json('folder_ids'),
  expiresAt: plain('expires_at'),
  lastUsedAt: plain('last_used_at'),
  lastUsedNetwork: plain('last_used_network'),
});
const COLUMNS = TOKEN.columns.join(', ');
const ADD = `insert into tokens (owner_id, ${COLUMNS}) values (${placeholders(TOKEN.columns.length + 1)})
  on conflict (prefix) do nothing`;

export function knexTokens(sql: Sql, { ownerId }: OwnerScope): TokenStore {
  const counts = listCounts(sql, ownerId, 'tokens');
  return {
    add: async (token) => {
      if ((await sql.run(ADD, [ownerId, ...TOKEN.values(token)])) === 0) return false;
      await counts.move([], ['*']);
      return true;
    },
    find: async (id) => {
      const row = await sql.get<Record<string, Value>>(
        `select ${COLUMNS} from tokens where owner_id = ? and id = ?`,
        [ownerId, id],
      );
      return row && TOKEN.from(row);
    },
    page: async (limit, offset) => {
      const rows = await sql.all<Record<string, Value>>(
        `select ${COLUMNS} from tokens where owner_id = ?
         order by created_at desc, id desc limit ? offset ?`,
        [ownerId, limit, offset],
      );
      return { items: rows.map(TOKEN.from), total: await counts.total(['*']) };
    },
    remove: async (id) => {
      const gone = await sql.run('delete from tokens where owner_id = ? and id = ?', [ownerId, id]);
      if (gone === 0) return false;
      await counts.move(['*'], []);
      return true;
    },
    recordUse: async (id, at, network) => {
      await sql.run(
        'update tokens set last_used_at = ?, last_used_network = ? where owner_id = ? and id = ?',
        [at, network, ownerId, id],
      );
    },
  };
}
