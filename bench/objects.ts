import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import knexModule from 'knex';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import { fillDatabase, type Filled } from './data.ts';
import { KEEP_TRASH } from './data-sample.ts';
import { cachedDataset } from './dataset-cache.ts';
import {
  DEEP_PAGES,
  FILTERED,
  measure,
  NEWEST,
  PAIRED,
  requireEqual,
  SINGLE,
  type Measured,
  type Operation,
  type Rounds,
  type Target,
  warm,
} from './operations.ts';
import { serve } from './processes.ts';

/** Results of one operation: the baselines and the service for the medium size, and the service for all sizes. */
export interface Comparison {
  readonly operation: string;
  readonly database: 'sqlite' | 'postgres';
  readonly bare: Measured;
  readonly guarded: Measured;
  readonly service: Measured;
  /** Ratios of CPU time: the service to its baseline, and to the other baseline. */
  readonly against: Operation['against'];
  readonly ratio: number;
  readonly atMost: number;
  readonly bareRatio: number;
  readonly guardedRatio: number;
  /** The largest workspace relative to the smallest. */
  readonly growth: number;
}

export interface Place {
  readonly folder: string;
  /** Cache folder for SQLite workspaces. */
  readonly data: string;
  readonly cli: string;
  readonly roles: string;
  /** Smallest first; the baselines use the second. */
  readonly sizes: readonly number[];
  readonly rounds: Rounds;
  readonly only: (name: string) => boolean;
}

const LIMIT = join(import.meta.dirname, 'limits', 'express.ts');
/** On Postgres half of the baseline's speed is required for every operation. */
const POSTGRES_SHARE = 0.5;
/** Periodic jobs run every second or two. */
const IDLE_MS = 4_000;
const rounded = (value: number) => Number(value.toFixed(2));

export async function compareOnSqlite(place: Place): Promise<readonly Comparison[]> {
  const open = async (size: number) => {
    const dataDir = join(place.data, String(size));
    const filled = await cachedDataset(dataDir, size);
    return { filled, dataDir, address: join(dataDir, 'workspace.db'), env: {} };
  };
  const operations = [NEWEST, ...FILTERED, ...PAIRED, ...DEEP_PAGES, ...SINGLE];
  return compareOn('sqlite', place, open, operations);
}

/** In temporary databases on the given server. */
export async function compareOnPostgres(
  place: Place,
  url: string,
  redis: string,
): Promise<readonly Comparison[]> {
  const admin = knexModule({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  const created: string[] = [];
  const open = async (size: number) => {
    const name = `ow_bench_${process.pid}_${size}`;
    await admin.raw(`create database ${name}`);
    created.push(name);
    const dataDir = join(place.folder, `postgres-${size}`);
    await mkdir(dataDir);
    const address = Object.assign(new URL(url), { pathname: `/${name}` }).href;
    const env = { PROFILE: 'team', DATABASE_URL: address, REDIS_URL: redis };
    const database = openPostgres(address);
    await migrate(database);
    const filled = await fillDatabase(database, dataDir, size);
    await database.close();
    return { filled, dataDir, address, env };
  };
  const some = [...FILTERED.slice(0, 2), ...PAIRED.slice(0, 2)];
  const operations = [NEWEST, ...some, ...DEEP_PAGES, ...SINGLE];
  const shared = operations.map(
    (each) => ({ ...each, against: 'bare', share: POSTGRES_SHARE }) as const,
  );
  try {
    return await compareOn('postgres', place, open, shared);
  } finally {
    for (const name of created) await admin.raw(`drop database if exists ${name} with (force)`);
    await admin.destroy();
  }
}

interface Opened {
  readonly filled: Filled;
  readonly dataDir: string;
  readonly address: string;
  readonly env: Readonly<Record<string, string>>;
}

async function compareOn(
  kind: Comparison['database'],
  place: Place,
  open: (size: number) => Promise<Opened>,
  operations: readonly Operation[],
): Promise<readonly Comparison[]> {
  const services: Target[] = [];
  const limits: Target[] = [];
  const compared: Comparison[] = [];
  try {
    for (const size of place.sizes) {
      const from = performance.now();
      const { filled, dataDir, address, env } = await open(size);
      const seconds = ((performance.now() - from) / 1_000).toFixed(0);
      console.log(`${kind}: a workspace of ${size} objects, made or found in ${seconds} s`);
      const settings = {
        ...env,
        ...KEEP_TRASH,
        DATA_DIR: dataDir,
        PORT: '0',
        ROLES_FILE: place.roles,
      };
      const server = await serve(`service, ${size}`, [place.cli, 'serve', '--json'], settings);
      const cursor = await cursorIn(server.base, filled.bearer, size >> 1);
      services.push({ server, filled, cursor });
      if (services.length === Math.min(2, place.sizes.length))
        for (const mode of ['bare', 'guarded']) {
          const words = [LIMIT, address, filled.ownerId, mode];
          limits.push({ server: await serve(mode, words, {}, '/v1/none'), filled, cursor });
        }
    }
    await warm([...limits, ...services], place.rounds);
    for (const { server } of services) {
      const before = server.cpuSeconds();
      await pause(IDLE_MS);
      const idle = ((server.cpuSeconds() - before) / IDLE_MS) * 1e6;
      console.log(`${kind}: ${server.name}: ${idle.toFixed(1)} ms of a second when idle`);
    }
    const middle = Math.min(1, services.length - 1);
    for (const operation of operations.filter(({ name }) => place.only(name))) {
      const [own] = services.slice(middle);
      if (!operation.renames && !operation.standing && own)
        await requireEqual(operation, [...limits, own]);
      const all = await measure(operation, [...limits, ...services], place.rounds);
      const [bare, guarded, ...sized] = all;
      const from = await leastSimilar(operation, services);
      const [small, service, large] = [sized[from], sized[middle], sized.at(-1)];
      if (!bare || !guarded || !small || !service || !large)
        throw new Error('Nothing was measured.');
      const [bareRatio, guardedRatio] = [bare, guarded].map(({ cpuMicros }) =>
        rounded(service.cpuMicros / cpuMicros),
      ) as [number, number];
      const found = {
        ...{
          operation: operation.name,
          database: kind,
          bare,
          guarded,
          service,
          bareRatio,
          guardedRatio,
        },
        against: operation.against,
        ratio: operation.against === 'bare' ? bareRatio : guardedRatio,
        atMost: rounded(1 / operation.share),
        growth: rounded(large.cpuMicros / small.cpuMicros),
      };
      compared.push(found);
      console.log(
        `${kind}: ${operation.name}: ${found.ratio} × ${found.against} (at most ${found.atMost}), ` +
          `${found.growth} × from ${place.sizes[from]} to ${place.sizes.at(-1)} objects`,
      );
    }
    return compared;
  } finally {
    for (const { server } of [...services, ...limits]) await server.stop();
  }
}

/** The smallest workspace with as many rows on a page as the largest, since a shorter page is cheaper. */
async function leastSimilar({ path }: Operation, targets: readonly Target[]): Promise<number> {
  const lengths = await Promise.all(
    targets.map(async ({ server, filled, cursor }) => {
      const response = await fetch(server.base + path(filled, cursor), {
        headers: { authorization: `Bearer ${filled.bearer}` },
      });
      const { items } = (await response.json()) as { items?: readonly unknown[] };
      return items?.length ?? 1;
    }),
  );
  return lengths.indexOf(lengths.at(-1) ?? 1);
}

/** The cursor after so many objects. */
async function cursorIn(base: string, bearer: string, offset: number): Promise<string> {
  const response = await fetch(`${base}/v1/objects?limit=1&offset=${offset}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const { next_cursor: cursor } = (await response.json()) as { next_cursor: string | null };
  if (cursor === null) throw new Error('There is no place in the middle of the list.');
  return cursor;
}
