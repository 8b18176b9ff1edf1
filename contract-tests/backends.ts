import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rejectNested } from '../adapters/guards/unit-of-work.ts';
import { knexAccounts } from '../adapters/knex/operations/accounts.ts';
import type { Database } from '../adapters/knex/database.ts';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { openSqlite } from '../adapters/knex/sqlite/open.ts';
import { knexDeletionHolds } from '../adapters/knex/operations/deletion-holds.ts';
import { knexDirectory } from '../adapters/knex/operations/directory.ts';
import { knexInstallationCounts } from '../adapters/knex/operations/installation-counts.ts';
import { knexInspection } from '../adapters/knex/operations/inspection.ts';
import { knexOneTimeSecrets } from '../adapters/knex/operations/one-time-secrets.ts';
import { knexSignInAttempts } from '../adapters/knex/operations/sign-in-attempts.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import type { Value } from '../adapters/knex/sql.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { memoryAccounts } from '../adapters/memory/accounts.ts';
import { MemoryDatabase } from '../adapters/memory/database.ts';
import { memoryDeletionHolds } from '../adapters/memory/deletion-holds.ts';
import { memoryDirectory } from '../adapters/memory/directory.ts';
import { memoryInstallationCounts } from '../adapters/memory/installation-counts.ts';
import { memoryIntegrity } from '../adapters/memory/integrity.ts';
import { memoryOneTimeSecrets } from '../adapters/memory/one-time-secrets.ts';
import { memorySignInAttempts } from '../adapters/memory/sign-in-attempts.ts';
import { MemoryUnitOfWork } from '../adapters/memory/unit-of-work.ts';
import type { DeletionHolds } from '../ports/deletion-holds.ts';
import type { Directory } from '../ports/directory.ts';
import type { Accounts } from '../ports/identity.ts';
import type { InstallationCounts } from '../ports/installation.ts';
import type { IntegrityChecks } from '../ports/integrity.ts';
import type { OneTimeSecrets, SignInAttempts } from '../ports/sign-in.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import {
  createTestDatabase,
  newDataFolder,
  openTestDatabase,
  selectedBackends,
} from './backends-env.ts';
import { openMigratedDatabase } from './migrated-database.ts';

/** A storage backend, assembled as in the composition. */
export interface Backend {
  readonly uow: UnitOfWork;
  readonly accounts: Accounts;
  readonly directory: Directory;
  readonly integrity: IntegrityChecks;
  readonly installationCounts: InstallationCounts;
  readonly deletionHolds: DeletionHolds;
  readonly oneTimeSecrets: OneTimeSecrets;
  readonly signInAttempts: SignInAttempts;
  /** A way past every store, where there is a database to be damaged. */
  readonly damage?: {
    readonly dialect: Database['dialect'];
    run(text: string, values: readonly Value[]): Promise<unknown>;
  };
  /** The same data as accessed by another process, over separate connections. The caller that opened it closes it. */
  another(): Promise<Backend>;
  /** A unit of work whose database is unavailable. */
  outage(): Promise<UnitOfWork>;
  close(): Promise<void>;
}

function overMemory(database: MemoryDatabase, close: () => Promise<void>): Backend {
  return {
    uow: rejectNested(new MemoryUnitOfWork(database)),
    accounts: memoryAccounts(database),
    directory: memoryDirectory(database),
    integrity: memoryIntegrity(database),
    installationCounts: memoryInstallationCounts(database),
    deletionHolds: memoryDeletionHolds(database),
    oneTimeSecrets: memoryOneTimeSecrets(database),
    signInAttempts: memorySignInAttempts(database),
    another: async () => overMemory(database, async () => undefined),
    outage: async () => {
      const gone = new MemoryDatabase();
      await gone.close();
      return rejectNested(new MemoryUnitOfWork(gone));
    },
    close,
  };
}

function overKnex(open: () => Database, database: Database, close: () => Promise<void>): Backend {
  return {
    uow: rejectNested(new KnexUnitOfWork(database)),
    accounts: knexAccounts(database),
    directory: knexDirectory(database),
    integrity: knexInspection(database),
    installationCounts: knexInstallationCounts(database),
    deletionHolds: knexDeletionHolds(database),
    oneTimeSecrets: knexOneTimeSecrets(database),
    signInAttempts: knexSignInAttempts(database),
    damage: {
      dialect: database.dialect,
      run: (text, values) => database.write('', (sql) => sql.run(text, values)),
    },
    another: async () => {
      const other = open();
      return overKnex(open, other, () => other.close());
    },
    outage: async () => {
      const gone = open();
      await gone.close();
      return rejectNested(new KnexUnitOfWork(gone));
    },
    close,
  };
}

async function openMemory(): Promise<Backend> {
  const database = new MemoryDatabase();
  return overMemory(database, () => database.close());
}

async function openSqliteFile(): Promise<Backend> {
  const folder = await newDataFolder();
  const open = () => openSqlite(join(folder, 'workspace.db'));
  const database = open();
  await migrate(database);
  return overKnex(open, database, async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
}

let shared:
  Promise<{ open: () => Database; database: Database; end: () => Promise<void> }> | undefined;

/** One database for all suites of the run: every test uses new owners. */
async function openSharedPostgres(): Promise<Backend> {
  shared ??= createTestDatabase().then(async (place) => {
    const open = () => openPostgres(place.url);
    const database = open();
    await migrate(database);
    return { open, database, end: () => database.close().then(() => place.drop()) };
  });
  const { open, database } = await shared;
  return overKnex(open, database, async () => undefined);
}

/** A database for one suite alone, for those that look at all of it. */
async function openOwnPostgres(): Promise<Backend> {
  const place = await openMigratedDatabase();
  const open = () => openPostgres(place.url);
  const database = open();
  return overKnex(open, database, () => database.close().then(() => place.drop()));
}

after(async () => {
  await (await shared)?.end();
});

/** A database without tables, and the backend built on it once it has some. */
export interface Bare {
  readonly database: Database;
  readonly backend: Backend;
  close(): Promise<void>;
}

async function openBareSqlite(): Promise<Bare> {
  const folder = await newDataFolder();
  const open = () => openSqlite(join(folder, 'workspace.db'));
  const database = open();
  const close = () => database.close().then(() => rm(folder, { recursive: true }));
  return { database, backend: overKnex(open, database, close), close };
}

async function openBarePostgres(): Promise<Bare> {
  const place = await openTestDatabase();
  const open = () => openPostgres(place.url);
  const database = open();
  const close = () => database.close().then(() => place.drop());
  return { database, backend: overKnex(open, database, close), close };
}

/** The databases of this run, each with nothing in it, not even a schema. */
export const bareDatabases = Object.entries({
  sqlite: openBareSqlite,
  postgres: openBarePostgres,
}).filter(([name]) => selectedBackends().includes(name));

const known: Record<string, () => Promise<Backend>> = {
  memory: openMemory,
  sqlite: openSqliteFile,
  postgres: openSharedPostgres,
};

type Named = readonly (readonly [name: string, open: () => Promise<Backend>])[];

const usable = (all: typeof known): Named =>
  Object.entries(all).filter(([name]) => selectedBackends().includes(name));

/** The backends of this run, by name. */
export const backends = usable(known);

/** The same, each with nothing in it. */
export const emptyBackends = usable({ ...known, postgres: openOwnPostgres });
