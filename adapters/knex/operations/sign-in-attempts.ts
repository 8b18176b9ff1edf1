import type {
  SignInAttemptPair,
  SignInAttemptRecord,
  SignInAttempts,
} from '../../../ports/sign-in.ts';
import type { Database } from '../database.ts';
import { json, plain, recordMap } from '../record-mapper.ts';
import { upsertText, type Sql, type Value } from '../sql.ts';

const RECORD = recordMap<SignInAttemptRecord>({
  attemptTimes: json('attempt_times'),
  reservedAt: plain('reserved_at'),
  expiresAt: plain('expires_at'),
});
/** Instead of a network's digest: the record of all networks together. */
const ALL_NETWORKS = '';
const READ = `select network, ${RECORD.columns.join(', ')} from sign_in_attempts
  where account = ? and network in (?, ?)`;
const SAVE = upsertText(
  'sign_in_attempts',
  ['account', 'network', ...RECORD.columns],
  ['account', 'network'],
);
const DROP = 'delete from sign_in_attempts where account = ? and network = ?';

export function knexSignInAttempts({ queryOnce, write }: Database): SignInAttempts {
  return {
    update: (account, network, change) =>
      write(`sign-in ${account}`, async (sql) => {
        const pair = await readPair(sql, account, network);
        const { next, result } = change(pair);
        if (next) {
          await save(sql, account, network, pair.own, next.own);
          await save(sql, account, ALL_NETWORKS, pair.all, next.all);
        }
        return result;
      }),
    read: (account, network) => queryOnce((sql) => readPair(sql, account, network)),
    removeExpired: (before, limit) =>
      write('sign-in attempts', (sql) => sql.enqueueChange(removeText(sql), [before, limit])),
  };
}

/** On Postgres, rows of an update that runs are left for the next time: waiting for them could deadlock. */
const removeText = ({ dialect }: Sql): string =>
  `delete from sign_in_attempts where (account, network) in (
     select account, network from sign_in_attempts where expires_at < ?
     order by expires_at limit ?${dialect === 'postgres' ? ' for update skip locked' : ''})`;

async function readPair(sql: Sql, account: string, network: string): Promise<SignInAttemptPair> {
  const rows = await sql.all<Record<string, Value>>(READ, [account, network, ALL_NETWORKS]);
  const of = (key: string) => {
    const row = rows.find((each) => each['network'] === key);
    return row && RECORD.from(row);
  };
  return { own: of(network), all: of(ALL_NETWORKS) };
}

async function save(
  sql: Sql,
  account: string,
  network: string,
  before: SignInAttemptRecord | undefined,
  record: SignInAttemptRecord | undefined,
): Promise<void> {
  if (record && (record.attemptTimes.length > 0 || record.reservedAt !== null))
    await sql.enqueueChange(SAVE, [account, network, ...RECORD.values(record)]);
  else if (before) await sql.enqueueChange(DROP, [account, network]);
}
