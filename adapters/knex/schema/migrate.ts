import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from '../database.ts';
import { isBusy, toPortError } from '../errors.ts';
import { invalidateSnapshots } from '../sqlite/snapshots.ts';
import { isBehind, type SchemaHistory } from './history.ts';
import { DIALECT_TYPES, type Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';

const LOCK_TIMEOUT_MS = 60_000;
const RETRY_PAUSE_MS = 50;
/** The key of an advisory lock that nothing else in the database uses. */
const MIGRATION_LOCK = 7_224_501;

const SELECT_HISTORY = 'select version, name from schema_versions order by version';

/**
 * Brings the schema to the newest version in one transaction. If it is there already, this costs one read. If several
 * processes start at once, one migrates and the others wait for it.
 *
 * Throws SchemaTooNewError or SchemaTooOldError, and leaves the database unchanged, if the migrations do not fit it.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { knex, dialect } = database;
  const history = await historyOf(knex).catch(noHistory);
  if (!isBehind(history, migrations)) return;
  await inSchemaTransaction(database, (trx) => applyMigrations(trx, dialect, migrations));
  invalidateSnapshots();
}

/** A transaction that may change the schema. While the database is locked, it is retried. */
export async function inSchemaTransaction(
  { knex }: Database,
  work: (trx: Knex.Transaction) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
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
      // A full disk ends the transaction, so the last error only says that there is nothing to roll back.
      const error = first ?? last;
      if (!isBusy(error) || Date.now() >= deadline) throw toPortError(error);
      await pause(RETRY_PAUSE_MS);
    }
  }
}

/** Whether the schema has the newest version. Changes nothing. Throws like `migrate` if the migrations do not fit it. */
export async function isCurrent(database: Database): Promise<boolean> {
  const history = await database
    .queryOnce((sql) => sql.all<SchemaHistory[number]>(SELECT_HISTORY))
    .catch(noHistory);
  return !isBehind(history, MIGRATIONS);
}

/** Applies the migrations that are missing, within a transaction. Concurrent calls wait for it to end. */
export async function applyMigrations(
  trx: Knex.Transaction,
  dialect: Database['dialect'],
  migrations: readonly Migration[],
): Promise<void> {
  if (dialect === 'postgres') {
    await trx.raw(`set local statement_timeout = 0`);
    await trx.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await trx.raw(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  }
  await trx.raw(
    'create table if not exists schema_versions (version integer not null primary key, name text not null)',
  );
  // On SQLite the first write acquires the lock. A read before it could see a snapshot that is out of date by then.
  await trx.raw('delete from schema_versions where version < 1');
  const history = await historyOf(trx);
  if (!isBehind(history, migrations)) return;
  const version = history.at(-1)?.version ?? 0;
  for (const migration of migrations.filter((each) => each.version > version)) {
    await migration.up(trx, DIALECT_TYPES[dialect]);
    await trx('schema_versions').insert({ version: migration.version, name: migration.name });
  }
}

const historyOf = (knex: Knex): Promise<SchemaHistory> =>
  knex<SchemaHistory[number]>('schema_versions').select('version', 'name').orderBy('version');

/** A database that was never migrated has no table of versions. */
function noHistory(error: unknown): SchemaHistory {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '42P01' || /no such table/.test(message ?? '')) return [];
  throw toPortError(error);
}
