import type { BotState } from '../../../ports/bots.ts';
import { MAX_ACCOUNTS_OF_NAME, type Directory } from '../../../ports/directory.ts';
import { foldName } from '../../../ports/library.ts';
import type { OwnerScope } from '../../../ports/unit-of-work.ts';
import { OWNER, TENANT } from './accounts.ts';
import { BOT, botFrom } from '../stores/activity/bots.ts';
import type { Database } from '../database.ts';
import { COPY } from '../stores/storage/placements.ts';
import { selectByIds, placeholders, type Value } from '../sql.ts';
import { SESSION } from '../stores/account/sessions.ts';
import { PASSKEY } from '../stores/account/sign-in-methods.ts';
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
/** Of an owner `o` with its tenant `n`. */
const ACCOUNT_COLUMNS = `${named('o', OWNER.columns)}, ${named('n', TENANT.columns)}`;
const JOIN_TENANT = 'join tenants n on n.id = o.tenant_id';
const IDENTIFY_SESSION = `select ${named('s', SESSION.columns)}, ${ACCOUNT_COLUMNS}
  from sessions s join owners o on o.id = s.owner_id ${JOIN_TENANT} where s.digest = ?`;
/** No account has it. */
const NO_NAME = '';
const NAME_IN_USE = 'select folded_name from passwords order by folded_name limit 1';
const ACCOUNTS_WITH_PASSWORD = `select p.sealed_hash, ${ACCOUNT_COLUMNS}
  from passwords p join owners o on o.id = p.owner_id ${JOIN_TENANT}
  where p.folded_name = ? order by p.set_at, p.owner_id limit ?`;
/** One scan of an index with a row per account that has a password. */
const MAX_ACCOUNTS = `select max(c.n) as n
  from (select count(*) as n from passwords group by folded_name) c`;
const PASSKEY_OWNER = `select ${named('p', PASSKEY.columns)}, ${ACCOUNT_COLUMNS}
  from passkeys p join owners o on o.id = p.owner_id ${JOIN_TENANT} where p.credential_id = ?`;
const ACCOUNT_OF_SUBJECT = `select ${ACCOUNT_COLUMNS}
  from oidc_links l join owners o on o.id = l.owner_id ${JOIN_TENANT}
  where l.issuer = ? and l.subject = ?`;
const ACCOUNT = `select ${ACCOUNT_COLUMNS} from owners o ${JOIN_TENANT} where o.id = ?`;
/** The last event of a chain is never removed, and no event is removed before an earlier one. */
const EXPIRED_ACCESS = `select o.tenant_id, x.owner_id from (
    select owner_id from sessions where expires_at < ?
    union select owner_id from sessions where last_used_at < ?
    union select e.owner_id from security_events e where e.at < ?
      and exists (select 1 from security_events l where l.owner_id = e.owner_id and l.seq > e.seq)
      and not exists (select 1 from security_events f where f.owner_id = e.owner_id and f.seq < e.seq)
    limit ?) x
  join owners o on o.id = x.owner_id`;
/** See `isUnsealedHash`. */
const UNSEALED_HASHES = `select o.tenant_id, x.owner_id from (
    select owner_id from pin_locks where pin_hash like '$%'
    union select owner_id from shares where password_hash like '$%'
    limit ?) x
  join owners o on o.id = x.owner_id`;
const OWNER_OF_SHARE = `select s.id as share_id, ${named('o', OWNER.columns)}
  from shares s join owners o on o.id = s.owner_id where s.digest = ?`;
const SELECT_BOT = `select o.tenant_id, b.owner_id, ${named('b', BOT.columns)}
  from bots b join owners o on o.id = b.owner_id`;
const BOT_BY_ID = `${SELECT_BOT} where b.id = ?`;
const BOTS_OF_TENANT = `${SELECT_BOT} where o.tenant_id = ?
  order by b.created_at desc, b.id desc limit ? offset ?`;
/** What holds on to a blob with the service: a table, the column of its id, and which of the rows. */
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
const passkeyFrom = PASSKEY.under('p_');
const sessionFrom = SESSION.under('s_');
const tokenFrom = TOKEN.under('t_');
const ownerFrom = OWNER.under('o_');
const bareBot = BOT.under('b_');
const tenantFrom = TENANT.under('n_');

const scopeOf = (row: ScopeRow): OwnerScope => ({ tenantId: row.tenant_id, ownerId: row.owner_id });

type QueryOnce = Database['queryOnce'];

/** Every answer stands by itself, so none of them needs a transaction. */
export const knexDirectory = ({ queryOnce }: Database): Directory => ({
  ...createIdentities(queryOnce),
  ...createOwners(queryOnce),
  ...createDueWork(queryOnce),
  ...createBlobs(queryOnce),
  ...createBots(queryOnce),
});

type Identities = Pick<
  Directory,
  | 'identify'
  | 'identifySession'
  | 'accountsWithPassword'
  | 'maxAccountsOfName'
  | 'passkeyOwner'
  | 'accountOfSubject'
  | 'account'
>;

function createIdentities(queryOnce: QueryOnce): Identities {
  const accountFrom = (row: Row) => ({ owner: ownerFrom(row), tenant: tenantFrom(row) });
  const find = (text: string, ...values: readonly Value[]) =>
    queryOnce((sql) => sql.get<Row>(text, values));
  const account = async (text: string, ...values: readonly Value[]) => {
    const row = await find(text, ...values);
    return row && accountFrom(row);
  };
  const passwordRows = (foldedName: string) =>
    queryOnce((sql) => sql.all<Row>(ACCOUNTS_WITH_PASSWORD, [foldedName, MAX_ACCOUNTS_OF_NAME]));
  /** Looked up again after it was found to be gone. */
  let anyName: string | undefined;
  const nameInUse = async (): Promise<string> => {
    anyName ??= (await find(NAME_IN_USE))?.['folded_name'] as string | undefined;
    return anyName ?? NO_NAME;
  };
  return {
    identify: async (prefix) => {
      const row = await find(IDENTIFY, prefix);
      return row && { token: tokenFrom(row), ...accountFrom(row) };
    },
    identifySession: async (digest) => {
      const row = await find(IDENTIFY_SESSION, digest);
      return row && { session: sessionFrom(row), ...accountFrom(row) };
    },
    accountsWithPassword: async (name) => {
      const found = await passwordRows(foldName(name));
      // The same work for a name without an account: a name that exists is looked up as well, else one that does not.
      const filler = await passwordRows(found.length > 0 ? NO_NAME : await nameInUse());
      if (found.length === 0 && filler.length === 0) anyName = undefined;
      const accounts = [...found, ...filler].map((row) => ({
        ...accountFrom(row),
        sealedHash: row['sealed_hash'] as string,
      }));
      return accounts.slice(0, found.length);
    },
    maxAccountsOfName: async () => {
      const row = await queryOnce((sql) => sql.get<{ n: number | null }>(MAX_ACCOUNTS, []));
      return Math.min(row?.n ?? 0, MAX_ACCOUNTS_OF_NAME);
    },
    passkeyOwner: async (credentialId) => {
      const row = await find(PASSKEY_OWNER, credentialId);
      return row && { ...accountFrom(row), passkey: passkeyFrom(row) };
    },
    accountOfSubject: (issuer, subject) => account(ACCOUNT_OF_SUBJECT, issuer, subject),
    account: (ownerId) => account(ACCOUNT, ownerId),
  };
}

type Owners = Pick<
  Directory,
  'ownerScope' | 'ownerOfTask' | 'ownerOfReferralCode' | 'calendarOfFeed' | 'ownerOfShare'
>;

function createOwners(queryOnce: QueryOnce): Owners {
  const scope = async (text: string, id: string) => {
    const row = await queryOnce((sql) => sql.get<ScopeRow>(text, [id]));
    return row && scopeOf(row);
  };
  return {
    ownerScope: (ownerId) =>
      scope('select tenant_id, id as owner_id from owners where id = ?', ownerId),
    ownerOfTask: (taskId) =>
      scope(
        `select o.tenant_id, t.owner_id from tasks t join owners o on o.id = t.owner_id
         where t.id = ?`,
        taskId,
      ),
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
  };
}

type DueWork = Pick<
  Directory,
  | 'dueTasks'
  | 'expiredTrash'
  | 'ownersWithExpiredAccess'
  | 'ownersWithExpiredReceipts'
  | 'ownersWithExpiredUndos'
  | 'ownersWithIdleUploads'
  | 'ownersWithUnsealedHashes'
  | 'dueReminders'
>;

function createDueWork(queryOnce: QueryOnce): DueWork {
  return {
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
    ownersWithExpiredAccess: async ({ sessionsBefore, unusedSince, eventsBefore }, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow>(EXPIRED_ACCESS, [sessionsBefore, unusedSince, eventsBefore, limit]),
      );
      return rows.map(scopeOf);
    },
    ownersWithUnsealedHashes: async (limit) => {
      const rows = await queryOnce((sql) => sql.all<ScopeRow>(UNSEALED_HASHES, [limit]));
      return rows.map(scopeOf);
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
    ownersWithExpiredUndos: async (before, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow>(
          `select o.tenant_id, u.owner_id
           from (select distinct owner_id from agent_undos where expires_at < ? limit ?) u
           join owners o on o.id = u.owner_id`,
          [before, limit],
        ),
      );
      return rows.map(scopeOf);
    },
    ownersWithIdleUploads: async (before, limit) => {
      const rows = await queryOnce((sql) =>
        sql.all<ScopeRow>(
          `select o.tenant_id, u.owner_id
           from (select distinct owner_id from uploads where progress_at < ? limit ?) u
           join owners o on o.id = u.owner_id`,
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
  };
}

type Blobs = Pick<Directory, 'strayBlobs' | 'copiesOf' | 'strayCopies'>;

function createBlobs(queryOnce: QueryOnce): Blobs {
  return {
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
  };
}

type Bots = Pick<Directory, 'botById' | 'botsOfTenant' | 'anyBot' | 'botTroubles'>;

function createBots(queryOnce: QueryOnce): Bots {
  return {
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
    botTroubles: async () => {
      const rows = await queryOnce((sql) =>
        sql.all<{ reception_state: BotState }>(
          "select distinct reception_state from bots where reception_reason <> ''",
        ),
      );
      return rows.map((row) => row.reception_state);
    },
  };
}
