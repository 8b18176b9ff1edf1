import { createHmac, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failFastRateCounter } from '../adapters/guards/rate-counter.ts';
import { InProcessChangeFeed } from '../adapters/inprocess/change-feed.ts';
import { InProcessJobQueue } from '../adapters/inprocess/job-queue.ts';
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
import { expireLeases } from '../adapters/knex/operations/leases.ts';
import { SchemaTooNewError, SchemaTooOldError } from '../adapters/knex/schema/history.ts';
import { isCurrent, migrate } from '../adapters/knex/schema/migrate.ts';
import {
  isRestoreInProgress,
  knexRestoreTarget,
} from '../adapters/knex/operations/restore-target.ts';
import { knexBackupSource } from '../adapters/knex/operations/backup-source.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { memoryDeletionHolds } from '../adapters/memory/deletion-holds.ts';
import { MemoryBlobStore } from '../adapters/memory/blob-store.ts';
import { MemoryRateCounter } from '../adapters/memory/rate-counter.ts';
import { memoryAccounts } from '../adapters/memory/accounts.ts';
import { MemoryDatabase } from '../adapters/memory/database.ts';
import { memoryDirectory } from '../adapters/memory/directory.ts';
import { memoryInstallationCounts } from '../adapters/memory/installation-counts.ts';
import { memoryIntegrity } from '../adapters/memory/integrity.ts';
import { memoryOneTimeSecrets } from '../adapters/memory/one-time-secrets.ts';
import { memorySignInAttempts } from '../adapters/memory/sign-in-attempts.ts';
import { MemoryUnitOfWork } from '../adapters/memory/unit-of-work.ts';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { aesSealer } from '../adapters/node/sealer.ts';
import { createBlobReader } from '../core/integrity/index.ts';
import type { BlobStore } from '../ports/blobs.ts';
import type { BackupSource, RestoreTarget } from '../ports/backup.ts';
import { UnavailableError } from '../ports/errors.ts';
import type { HealthProbe } from '../ports/health.ts';
import type { Nudge, QueueLimits } from '../ports/jobs.ts';
import type { ProfileAdapters } from './adapter-module.ts';
import { openBlobStorage, type BlobStorage } from './blob-storage.ts';
import type { Config } from './config.ts';
import { ConfigError } from './env-variables.ts';
import { existingKey } from './installation-key.ts';
import type { Logger } from './log.ts';
import { ownersBuckets } from './owner-destinations.ts';

const RATE_PAUSE_MS = 1_000;

/** The adapters of each profile for rows, bytes and counters. */
export function openProfile(config: Config, key: string, log: Logger): Promise<ProfileAdapters> {
  return { standalone, team, memory }[config.profile](config, key, log);
}

/** One process, one SQLite file, files on disk unless a bucket is set: no other server is needed. */
async function standalone(config: Config, key: string, log: Logger): Promise<ProfileAdapters> {
  const database = openSqlite(sqliteFile(config), { yieldSlice: eventLoop.yieldSlice });
  return onDatabase(config, key, log, database, {
    changes: new InProcessChangeFeed(randomUUID()),
    rates: new MemoryRateCounter(),
    probes: [off('counters', 'Counters are in this process.')],
    queue: ownQueue(log),
  });
}

const failedTask = (log: Logger) => (nudge: Nudge, error: unknown) =>
  log.warn({ ...nudge, err: error }, 'a task failed');

const ownQueue = (log: Logger) => (bounds: QueueLimits) =>
  new InProcessJobQueue({ ...bounds, onFailure: failedTask(log) });

export const sqliteFile = ({ dataDir }: Config): string => join(dataDir, 'workspace.db');

/**
 * Postgres for rows, Redis for counters and nudges, a bucket or a shared folder for files, any number of processes.
 */
async function team(config: Config, key: string, log: Logger): Promise<ProfileAdapters> {
  const database = openPostgres(config.databaseUrl);
  await requireAnswer(database);
  // Loaded here only, since a standalone process needs no Redis client.
  const { RedisRateCounter } = await import('../adapters/redis/rate-counter.ts');
  const { RedisChangeFeed } = await import('../adapters/redis/change-feed.ts');
  const { BeeJobQueue } = await import('../adapters/bee-queue/job-queue.ts');
  // Installations may share a Redis; only the processes of one installation know its key.
  const installation = createHmac('sha256', key).update('rate counters').digest('hex').slice(0, 16);
  const url = config.redisUrl;
  const redis = new RedisRateCounter(url, `ow:${installation}:rate`);
  await redis.ready();
  const rates = failFastRateCounter(redis, {
    timeoutMs: config.rateCounterMs,
    pauseMs: RATE_PAUSE_MS,
    onOutage: (err) => log.warn({ err }, 'the rate limit is not applied'),
  });
  const changes = new RedisChangeFeed({
    url,
    prefix: `ow:${installation}:changes`,
    onOutage: (err) => log.warn({ err }, 'Redis is unavailable: changes are published later'),
  });
  let shared: InstanceType<typeof BeeJobQueue> | undefined;
  const backing = await onDatabase(config, key, log, database, {
    changes,
    rates,
    probes: [{ name: 'counters', check: async () => (await redis.check(), ok('Redis answers.')) }],
    queue: (bounds) =>
      (shared = new BeeJobQueue({
        ...bounds,
        url,
        prefix: `ow:${installation}:jobs`,
        onFailure: failedTask(log),
        onOutage: (err) =>
          log.warn({ err }, 'Redis is unavailable: this process works independently'),
      })),
  });
  return {
    ...backing,
    close: async () => {
      shared?.end();
      await redis.close();
      await backing.close();
    },
  };
}

/** First query of the database: a wrong address, name or password is a configuration error. */
async function requireAnswer(database: Database): Promise<void> {
  try {
    await database.queryOnce((sql) => sql.get('select 1 as one'));
  } catch (error) {
    await database.close();
    const { message } = (
      error instanceof UnavailableError ? (error.cause ?? error) : error
    ) as Error;
    throw new ConfigError(`DATABASE_URL: ${message}.`);
  }
}

/** The data needs another version of the program. The message names it for the operator. */
function refuse(error: unknown): never {
  const isOther = error instanceof SchemaTooNewError || error instanceof SchemaTooOldError;
  throw isOther ? new ConfigError(error.message) : error;
}

/** Nothing is durable: for trying out and for tests. */
function memory(_config: Config, _key: string, log: Logger): Promise<ProfileAdapters> {
  const database = new MemoryDatabase();
  return Promise.resolve({
    uow: new MemoryUnitOfWork(database),
    accounts: memoryAccounts(database),
    directory: memoryDirectory(database),
    oneTimeSecrets: memoryOneTimeSecrets(database),
    signInAttempts: memorySignInAttempts(database),
    integrity: memoryIntegrity(database),
    installationCounts: memoryInstallationCounts(database),
    blobs: new MemoryBlobStore(),
    deletionHolds: memoryDeletionHolds(database),
    changes: new InProcessChangeFeed(randomUUID()),
    rates: new MemoryRateCounter(),
    queue: ownQueue(log),
    probes: [
      constant('database', 'In the memory of this process.'),
      constant('storage', 'In the memory of this process.'),
      constant('search', 'In the memory of this process.'),
      off('counters', 'Counters are in this process.'),
    ],
    begin: () => Promise.resolve(),
    mayCollectGarbage: () => Promise.resolve(true),
    abortStaleUploads: () => Promise.resolve(),
    close: () => database.close(),
  });
}

async function onDatabase(
  config: Config,
  key: string,
  log: Logger,
  database: Database,
  {
    changes,
    rates,
    probes,
    queue,
  }: Pick<ProfileAdapters, 'changes' | 'rates' | 'probes' | 'queue'>,
): Promise<ProfileAdapters> {
  try {
    await requireWhole(database);
    await migrate(database).catch(refuse);
    const files = await openBlobStorage(config, log);
    const alone = config.profile === 'standalone';
    return {
      uow: new KnexUnitOfWork(database),
      accounts: knexAccounts(database),
      directory: knexDirectory(database),
      oneTimeSecrets: knexOneTimeSecrets(database),
      signInAttempts: knexSignInAttempts(database),
      integrity: knexInspection(database),
      installationCounts: knexInstallationCounts(database),
      blobs: files.blobs,
      deletionHolds: knexDeletionHolds(database),
      changes,
      rates,
      queue,
      probes: [
        {
          name: 'database',
          check: async () => {
            await database.read((sql) => sql.get('select 1 as one'));
            return ok(database.dialect === 'sqlite' ? 'SQLite answers.' : 'Postgres answers.');
          },
        },
        files.probe,
        {
          name: 'search',
          check: async () => {
            await database.read((sql) => sql.get('select 1 as one from search_entries limit 1'));
            return ok('The index answers.');
          },
        },
        ...probes,
      ],
      begin: async () => {
        if (alone) await expireLeases(database);
        await files.begin();
      },
      mayCollectGarbage: () => files.isClaimedBy(key),
      abortStaleUploads: (before) => files.removeAbandoned(before),
      close: async () => {
        await files.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Read access for integrity checks, in any location. */
type Inspected = Pick<ProfileAdapters, 'integrity' | 'directory' | 'deletionHolds' | 'close'> & {
  readonly blobs: Pick<BlobStore, 'list' | 'read'>;
  /** In the service's storage. */
  readonly storage: BlobStore;
  readonly rows: BackupSource;
};

/**
 * Opens an installation for inspection while a server may be running on it. Nothing is created, migrated or written.
 */
export async function openForInspection(config: Config): Promise<Inspected> {
  if (config.profile === 'memory')
    throw new ConfigError(
      'PROFILE=memory: what is in the memory of a process cannot be inspected or backed up.',
    );
  const alone = config.profile === 'standalone';
  // With rows and files on servers the folder may be empty.
  const sign = alone ? sqliteFile(config) : config.blobS3 ? null : join(config.dataDir, 'blobs');
  if (sign !== null && !existsSync(sign))
    throw new ConfigError(`DATA_DIR=${JSON.stringify(config.dataDir)}: it contains no workspace.`);
  const database = alone ? openSqlite(sqliteFile(config)) : openPostgres(config.databaseUrl);
  if (!alone) await requireAnswer(database);
  try {
    if (!(await isCurrent(database).catch(refuse))) {
      await requireWhole(database);
      throw new ConfigError(
        'The database is of an earlier version. Run `owner-workspace migrate`.',
      );
    }
    const files = await openBlobStorage(config);
    const buckets = ownersBuckets(config);
    const directory = knexDirectory(database);
    // Without a key sealed secrets cannot be opened, and buckets count as unreachable.
    const key = (await existingKey(config.secretKey, config.dataDir)) ?? crypto.randomUUID();
    const uow = new KnexUnitOfWork(database);
    const sealer = aesSealer(key);
    return {
      integrity: knexInspection(database),
      directory,
      blobs: createBlobReader({ uow, directory, buckets, sealer, storage: files.blobs }),
      storage: files.blobs,
      deletionHolds: knexDeletionHolds(database),
      rows: knexBackupSource(database),
      close: async () => {
        await buckets.close();
        await files.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The target of a restore: a database that is created if missing, and with `openFiles` its file storage. */
export async function openRestoreTarget(config: Config): Promise<{
  readonly target: RestoreTarget;
  openFiles(): Promise<BlobStorage>;
  close(): Promise<void>;
}> {
  const alone = config.profile === 'standalone';
  const database = alone ? openSqlite(sqliteFile(config)) : openPostgres(config.databaseUrl);
  if (!alone) await requireAnswer(database);
  return {
    target: knexRestoreTarget(database),
    openFiles: () => openBlobStorage(config),
    close: () => database.close(),
  };
}

/** The target of an unfinished restore has no owners yet, and many files may be missing. */
async function requireWhole(database: Database): Promise<void> {
  if (await isRestoreInProgress(database))
    throw new ConfigError(
      'A restore is running or was interrupted here. If none is running, run `owner-workspace restore` again.',
    );
}

const ok = (detail: string) => ({ status: 'ok' as const, detail });

const constant = (name: string, detail: string): HealthProbe => ({
  name,
  check: () => Promise.resolve(ok(detail)),
});

const off = (name: string, detail: string): HealthProbe => ({
  name,
  check: () => Promise.resolve({ status: 'off', detail }),
});
