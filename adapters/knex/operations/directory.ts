import type { Directory } from '../../../ports/directory.ts';
import type { OwnerScope } from '../../../ports/unit-of-work.ts';
import { OWNER, TENANT } from './accounts.ts';
import { BOT, botFrom } from '../stores/activity/bots.ts';
import type { Database } from '../database.ts';
import { COPY } from '../stores/storage/placements.ts';
import { selectByIds, placeholders, type Value } from '../sql.ts';
import { TOKEN } from '../stores/account/tokens.ts';

interface ScopeRow {
  readonly tenant_id: string;
  readonly owner_id: string;
}

type Row = Record<string, Value>;

const named = (alias: string, columns: readonly string[]) =>
  columns.map((column) => `${alias}.${column} as ${alias}_${column}`).join(', ');

const IDENTIFY = `select ${named('t', TOKEN.columns)}, ${named('o', OWNER.columns)}, ${named('n', TENANT.columns)}
  from tokens t join owners o on o.id = t.owner_id join tenants n on n.id = o.tenant_id
  where t.prefix = ?`;
const OWNER_OF_SHARE = `select s.id as share_id, ${named('o', OWNER.columns)}
  from shares s join owners o on o.id = s.owner_id where s.digest = ?`;
const SELECT_BOT = `select o.tenant_id, b.owner_id, ${named('b', BOT.columns)}
  from bots b join owners o on o.id = b.owner_id`;
const BOT_BY_ID = `${SELECT_BOT} where b.id = ?`;
const BOTS_OF_TENANT = `${SELECT_BOT} where o.tenant_id = ?
  order by b.created_at desc, b.id desc limit ? offset ?`;
/** References to blobs of the service: a table, the column of the blob id, and a condition for the rows. */
const HOLDERS_HERE = [
  ['contents', 'blob_id', ''],
  ['thumbnails', 'blob_id', ''],
  ['blob_locations', 'copy_id', " and location = 'service'"],
] as const;

const COPIES_OF = `select o.tenant_id, p.owner_id, ${named('p', COPY.columns)}
  from blob_locations p join owners o on o.id = p.owner_id where p.blob_id = ? order by p.copy_id`;
const STRAY_COPIES = `select distinct o.tenant_id, p.owner_id, p.blob_id
  from blob_locations p join owners o on o.id = p.owner_id
  where p.blob_id > ? and p.created_at < ? and (p.state <> 'current' or not exists (
    select 1 from contents c where c.blob_id = p.blob_id))
  order by p.blob_id limit ?`;

const copyFrom = COPY.under('p_');
const tokenFrom = TOKEN.under('t_');
const ownerFrom = OWNER.under('o_');
const bareBot = BOT.under('b_');
const tenantFrom = TENANT.under('n_');

const scopeOf = (row: ScopeRow): OwnerScope => ({ tenantId: row.tenant_id, ownerId: row.owner_id });

/** The lookups are independent of each other, so none needs a transaction. */
export function knexDirectory(database: Database): Directory {
  const { queryOnce } = database;
  const scope = async (text: string, id: string) => {
    const row = await queryOnce((sql) => sql.get<ScopeRow>(text, [id]));
    return row && scopeOf(row);
  };
  return {
    identify: async (prefix) => {
      const row = await queryOnce((sql) => sql.get<Row>(IDENTIFY, [prefix]));
      return (
        row && {
          token: tokenFrom(row),
          owner: ownerFrom(row),
          tenant: tenantFrom(row),
        }
      );
    },
    ownerScope: (ownerId) =>
      scope('select tenant_id, id as owner_id from owners where id = ?', ownerId),
    dueTasks: (now, limit, kinds = { but: [] }) => {
      const [how, names] = 'only' in kinds ? ['in', kinds.only] : ['not in', kinds.but];
      const narrowed =
        names.length === 0 && how === 'not in'
          ? ''
          : `and kind ${how} (${placeholders(names.length)})`;
      return queryOnce((sql) =>
        sql.all<{ id: string; kind: string }>(
          `select id, kind from tasks where claimable_at <= ? ${narrowed} order by claimable_at, id limit ?`,
          [now, ...names, limit],
        ),
      );
    },
    ownerOfTask: (taskId) =>
      scope(
        `select o.tenant_id, t.owner_id from tasks t join owners o on o.id = t.owner_id
         where t.id = ?`,
        taskId,
      ),
    strayBlobs: async (blobIds) => {
      const used = new Set<string>();
      for (const [table, column, narrowed] of HOLDERS_HERE) {
        const rows = await queryOnce((sql) =>
          selectByIds<{ id: string }>(
            sql,
            (marks) =>
              `select ${column} as id from ${table} where ${column} in (${marks})${narrowed}`,
            [],
            blobIds,
          ),
        );
        for (const row of rows) used.add(row.id);
      }
      return blobIds.filter((id) => !used.has(id));
    },
    copiesOf: async (blobId) => {
      const rows = await queryOnce((sql) => sql.all<Row & ScopeRow>(COPIES_OF, [blobId]));
      const [first] = rows;
      return first && { scope: scopeOf(first), copies: rows.map(copyFrom) };
    },
    strayCopies: async (before, after, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow & { blob_id: string }>(STRAY_COPIES, [after ?? '', before, limit]),
      );
      return rows.map((row) => ({ scope: scopeOf(row), blobId: row.blob_id }));
    },
    expiredTrash: async (before, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow & { id: string }>(
          `select o.tenant_id, b.owner_id, b.id
           from (select owner_id, id, deleted_at from objects where deleted_at < ?
             order by deleted_at, id limit ?) b
           join owners o on o.id = b.owner_id order by b.deleted_at, b.id`,
          [before, limit],
        ),
      );
      return rows.map((row) => ({ scope: scopeOf(row), objectId: row.id }));
    },
    ownersWithExpiredReceipts: async (before, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow>(
          `select o.tenant_id, r.owner_id
           from (select distinct owner_id from idempotency_records where expires_at < ? limit ?) r
           join owners o on o.id = r.owner_id`,
          [before, limit],
        ),
      );
      return rows.map(scopeOf);
    },
    dueReminders: async (now, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow & { id: string }>(
          `select o.tenant_id, e.owner_id, e.id from calendar_events e
           join owners o on o.id = e.owner_id where e.next_reminder_at <= ?
           order by e.next_reminder_at, e.id limit ?`,
          [now, limit],
        ),
      );
      return rows.map((row) => ({ scope: scopeOf(row), eventId: row.id }));
    },
    ownerOfReferralCode: (code) =>
      scope(
        `select o.tenant_id, r.owner_id from referral_codes r join owners o on o.id = r.owner_id
         where r.code = ?`,
        code,
      ),
    calendarOfFeed: (digest) =>
      scope(
        `select o.tenant_id, c.owner_id from calendars c join owners o on o.id = c.owner_id
         where c.feed = ?`,
        digest,
      ),
    ownerOfShare: async (digest) => {
      const row = await queryOnce((sql) => sql.get<Row>(OWNER_OF_SHARE, [digest]));
      return row && { shareId: row['share_id'] as string, owner: ownerFrom(row) };
    },
    botById: async (botId) => {
      const row = await queryOnce((sql) => sql.get<Row & ScopeRow>(BOT_BY_ID, [botId]));
      return row && { bot: botFrom(bareBot(row)), scope: scopeOf(row) };
    },
    botsOfTenant: async (tenantId, { limit, offset }) => {
      const rows = await queryOnce((sql) =>
        sql.all<Row & ScopeRow>(BOTS_OF_TENANT, [tenantId, limit, offset]),
      );
      const counted = await queryOnce((sql) =>
        sql.get<{ n: number }>(
          `select count(*) as n from bots b join owners o on o.id = b.owner_id
           where o.tenant_id = ?`,
          [tenantId],
        ),
      );
      const items = rows.map((row) => ({ bot: botFrom(bareBot(row)), ownerId: row.owner_id }));
      return { items, total: counted?.n ?? 0 };
    },
    anyBot: async () =>
      (await queryOnce((sql) => sql.get('select 1 as one from bots limit 1'))) !== undefined,
  };
}
