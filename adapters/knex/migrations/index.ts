import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from '../database.ts';
import { isBusy, toPortError } from '../errors.ts';
import { invalidateSnapshots } from '../sqlite/snapshots.ts';
import { workspace } from './001-workspace.ts';
import { correctionLanguage } from './002-correction-language.ts';
import { enrichment } from './003-enrichment.ts';
import { links } from './004-links.ts';
import { thumbnails } from './005-thumbnails.ts';
import { monthlyUsage } from './006-usage.ts';
import { reorganizations } from './007-reorganizations.ts';
import { calendar } from './008-calendar.ts';
import { notifications } from './009-notifications.ts';
import { integrations } from './010-integrations.ts';
import { agentRoles } from './011-agent-roles.ts';
import { referrals } from './012-referrals.ts';
import { shares } from './013-shares.ts';
import { bots } from './014-bots.ts';
import { imageOperations } from './015-image-operations.ts';
import { officeSessions } from './016-office-sessions.ts';
import { placements } from './017-placements.ts';
import { blobHolds } from './018-blob-holds.ts';
import { objectPairs } from './019-object-pairs.ts';
import { storageMoves } from './020-storage-moves.ts';
import { passageNumbers } from './021-passage-numbers.ts';
import { shareLimits } from './022-share-limits.ts';
import { agentConfirmations } from './023-agent-confirmations.ts';
import { retiredBuckets } from './024-retired-buckets.ts';
import { receiptExpiry } from './025-receipt-expiry.ts';
import { POSTGRES_WORDS, SQLITE_WORDS, type Migration } from './migration.ts';

/** Every step the schema took, oldest first. A step that was released is never changed again. */
export const MIGRATIONS: readonly Migration[] = [
  workspace,
  correctionLanguage,
  enrichment,
  links,
  thumbnails,
  monthlyUsage,
  reorganizations,
  calendar,
  notifications,
  integrations,
  agentRoles,
  referrals,
  shares,
  bots,
  imageOperations,
  officeSessions,
  placements,
  blobHolds,
  objectPairs,
  storageMoves,
  passageNumbers,
  shareLimits,
  agentConfirmations,
  retiredBuckets,
  receiptExpiry,
];

/** The data was written by a later version of the program. */
export class SchemaIsNewer extends Error {
  override readonly name = 'SchemaIsNewer';
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;
/** Any number will do, as long as nobody else's lock has it. */
const LOCK = 7_224_501;

/**
 * Brings the schema up to date, all of it or nothing; one read when it is already. Of several processes that start at
 * once one does the work and the others wait for it. A schema newer than this program is refused.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { knex, dialect } = database;
  const version = await versionOf(knex).catch(noTable);
  if (!isBehind(version, migrations)) return;
  await inSchemaTransaction(database, (trx) => raise(trx, dialect, migrations));
  invalidateSnapshots();
}

/** A transaction that may change the schema. One that finds the database locked is begun anew for a while. */
export async function inSchemaTransaction(
  { knex }: Database,
  work: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    let first: unknown;
    try {
      return await knex.transaction((trx) =>
        work(trx).catch((error: unknown) => {
          first = error;
          throw error;
        }),
      );
    } catch (last) {
      // A full disk ends the transaction by itself, and what is told last is that there is none to roll back.
      const error = first ?? last;
      if (!isBusy(error) || Date.now() >= deadline) throw toPortError(error);
      await pause(PAUSE_MS);
    }
  }
}

/** Whether the schema is this program's own. One that is newer is refused, as by `migrate`. Changes nothing. */
export async function isCurrent(database: Database): Promise<boolean> {
  const version = await database
    .queryOnce((sql) =>
      sql.get<{ v: number | null }>('select max(version) as v from schema_versions'),
    )
    .then((row) => row?.v ?? 0, noTable);
  return !isBehind(version, MIGRATIONS);
}

/** Brings the schema to the newest of the migrations, within a transaction that others may not be raising it beside. */
export async function raise(
  trx: Knex.Transaction,
  dialect: Database['dialect'],
  migrations: readonly Migration[],
): Promise<void> {
  if (dialect === 'postgres') {
    await trx.raw(`set local statement_timeout = 0`);
    await trx.raw(`set local lock_timeout = ${PATIENCE_MS}`);
    await trx.raw(`select pg_advisory_xact_lock(${LOCK})`);
  }
  await trx.raw(
    'create table if not exists schema_versions (version integer not null primary key, name text not null)',
  );
  // On SQLite the first write takes the lock; whoever reads before it may find its snapshot stale.
  await trx.raw('delete from schema_versions where version < 1');
  const version = await versionOf(trx);
  if (!isBehind(version, migrations)) return;
  for (const migration of migrations.filter((each) => each.version > version)) {
    await migration.up(trx, dialect === 'sqlite' ? SQLITE_WORDS : POSTGRES_WORDS);
    await trx('schema_versions').insert({ version: migration.version, name: migration.name });
  }
}

async function versionOf(knex: Knex): Promise<number> {
  const row = await knex('schema_versions').max({ version: 'version' }).first<{
    version: number | null;
  }>();
  return row.version ?? 0;
}

function isBehind(version: number, migrations: readonly Migration[]): boolean {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest)
    throw new SchemaIsNewer(
      `The database has schema ${version}, but this program knows only schema ${newest}. ` +
        'Run the version of the program that wrote it, or a newer one.',
    );
  return version < newest;
}

/** A database that was never migrated has no table to tell its version. */
function noTable(error: unknown): number {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '42P01' || /no such table/.test(message ?? '')) return 0;
  throw toPortError(error);
}
