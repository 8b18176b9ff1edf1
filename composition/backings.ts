import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { boundedRateCounter } from '../adapters/guards/rate-counter.ts';
import { knexAccounts } from '../adapters/knex/accounts.ts';
import { openPostgres, openSqlite, type Database } from '../adapters/knex/database.ts';
import { knexDirectory } from '../adapters/knex/directory.ts';
import { knexInspection } from '../adapters/knex/inspection.ts';
import { endLeases } from '../adapters/knex/leases.ts';
import { isCurrent, migrate } from '../adapters/knex/migrations/index.ts';
import { KnexUnitOfWork } from '../adapters/knex/unit-of-work.ts';
import { MemoryBlobStore } from '../adapters/memory/blob-store.ts';
import { MemoryRateCounter } from '../adapters/memory/rate-counter.ts';
import { memoryAccounts } from '../adapters/memory/accounts.ts';
import { MemoryDatabase } from '../adapters/memory/database.ts';
import { memoryDirectory } from '../adapters/memory/directory.ts';
import { memoryInspection } from '../adapters/memory/inspection.ts';
import { MemoryUnitOfWork } from '../adapters/memory/unit-of-work.ts';
import { PortFailure } from '../ports/failures.ts';
import type { HealthProbe } from '../ports/health.ts';
import type { Backing } from './adapters.ts';
import { openBlobPlace } from './blob-place.ts';
import type { Config } from './config.ts';
import { ConfigError } from './environment.ts';
import type { Logger } from './log.ts';

const RATE_MS = 150;
const RATE_PAUSE_MS = 1_000;

/** Everything by its profile: where rows, bytes and counters lie. */
export function openBacking(config: Config, key: string, log: Logger): Promise<Backing> {
  return { standalone, team, memory }[config.profile](config, key, log);
}

/** One process, one SQLite file, files on disk unless a bucket is named: nothing else to run. */
async function standalone(config: Config, key: string, log: Logger): Promise<Backing> {
  const database = openSqlite(sqliteFile(config));
  return onDatabase(config, key, log, database, new MemoryRateCounter(), [
    off('counters', 'This process counts for itself.'),
  ]);
}

const sqliteFile = ({ dataDir }: Config): string => join(dataDir, 'workspace.db');

/** Postgres for rows, Redis for counters, a bucket or a shared folder for files, any number of processes. */
async function team(config: Config, key: string, log: Logger): Promise<Backing> {
  const database = openPostgres(config.databaseUrl);
  await requireAnswer(database);
  // Loaded here only: a standalone process needs no Redis client.
  const { RedisRateCounter } = await import('../adapters/redis/rate-counter.ts');
  // Installations may share a Redis; their processes have the key in common, and nobody else has it.
  const installation = createHmac('sha256', key).update('rate counters').digest('hex').slice(0, 16);
  const redis = new RedisRateCounter(config.redisUrl, `ow:${installation}:rate`);
  await redis.ready();
  const rates = boundedRateCounter(redis, {
    timeoutMs: RATE_MS,
    pauseMs: RATE_PAUSE_MS,
    onOutage: (err) => log.warn({ err }, 'the rate limit is not applied'),
  });
  const backing = await onDatabase(config, key, log, database, rates, [
    { name: 'counters', check: async () => (await redis.check(), ok('Redis answers.')) },
  ]);
  return {
    ...backing,
    close: async () => {
      await redis.close();
      await backing.close();
    },
  };
}

/** The first thing asked of a database: an address, name or password that is wrong is the operator's to put right. */
async function requireAnswer(database: Database): Promise<void> {
  try {
    await database.look((sql) => sql.get('select 1 as one'));
  } catch (error) {
    await database.close();
    const { message } = (error instanceof PortFailure ? (error.cause ?? error) : error) as Error;
    throw new ConfigError(`DATABASE_URL: ${message}.`);
  }
}

/** Nothing survives: for trying out and for tests. */
function memory(): Promise<Backing> {
  const database = new MemoryDatabase();
  return Promise.resolve({
    uow: new MemoryUnitOfWork(database),
    accounts: memoryAccounts(database),
    directory: memoryDirectory(database),
    inspection: memoryInspection(database),
    blobs: new MemoryBlobStore(),
    rates: new MemoryRateCounter(),
    probes: [
      constant('database', 'In this process.'),
      constant('storage', 'In this process.'),
      constant('search', 'In this process.'),
      off('counters', 'This process counts for itself.'),
    ],
    begin: () => Promise.resolve(),
    mayBeSwept: () => Promise.resolve(true),
    removeAbandoned: () => Promise.resolve(),
    close: () => database.close(),
  });
}

async function onDatabase(
  config: Config,
  key: string,
  log: Logger,
  database: Database,
  rates: Backing['rates'],
  probes: readonly HealthProbe[],
): Promise<Backing> {
  try {
    await migrate(database);
    const files = await openBlobPlace(config, log);
    const alone = config.profile === 'standalone';
    return {
      uow: new KnexUnitOfWork(database),
      accounts: knexAccounts(database),
      directory: knexDirectory(database),
      inspection: knexInspection(database),
      blobs: files.blobs,
      rates,
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
        if (alone) await endLeases(database);
        await files.begin();
      },
      mayBeSwept: () => files.isOurs(key),
      removeAbandoned: (before) => files.removeAbandoned(before),
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

/** What lies there, to be looked at beside whatever works on it. Nothing is made, raised or written. */
export async function openInspected(
  config: Config,
): Promise<Pick<Backing, 'inspection' | 'directory' | 'blobs' | 'close'>> {
  if (config.profile === 'memory')
    throw new ConfigError(
      'PROFILE=memory: what is in the memory of a process cannot be inspected.',
    );
  const alone = config.profile === 'standalone';
  // With rows and files on servers there may be nothing in the folder.
  const sign = alone ? sqliteFile(config) : config.blobS3 ? null : join(config.dataDir, 'blobs');
  if (sign !== null && !existsSync(sign))
    throw new ConfigError(
      `DATA_DIR=${JSON.stringify(config.dataDir)}: there is no workspace in it.`,
    );
  const database = alone ? openSqlite(sqliteFile(config)) : openPostgres(config.databaseUrl);
  if (!alone) await requireAnswer(database);
  try {
    if (!(await isCurrent(database)))
      throw new ConfigError(
        'The database is of an earlier version. Run `owner-workspace migrate`.',
      );
    const files = await openBlobPlace(config);
    return {
      inspection: knexInspection(database),
      directory: knexDirectory(database),
      blobs: files.blobs,
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

const ok = (detail: string) => ({ status: 'ok' as const, detail });

const constant = (name: string, detail: string): HealthProbe => ({
  name,
  check: () => Promise.resolve(ok(detail)),
});

const off = (name: string, detail: string): HealthProbe => ({
  name,
  check: () => Promise.resolve({ status: 'off', detail }),
});
