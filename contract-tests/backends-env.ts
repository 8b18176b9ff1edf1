import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { registerRunning } from './leftovers.ts';

/** The servers of this run: from the environment, else the standard local ports. */
export const POSTGRES_URL =
  process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const PROBE_MS = 3_000;
const CONNECT_MS = 10_000;
const LEFT_OVER_MS = 3_600_000;
const PREFIX = 'ow_test_';

/** Each rejects with the reason why the backend can not be used. */
const PROBES: Readonly<Record<string, () => Promise<unknown>>> = {
  memory: () => Promise.resolve(),
  sqlite: () => Promise.resolve(),
  postgres: () =>
    asAdministrator(async (client) => {
      const may =
        'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user';
      const { rows } = await client.query<{ may: boolean }>(may);
      if (!rows[0]?.may) throw new Error('its user may not create databases');
    }, PROBE_MS),
  redis: async () => {
    const options = { lazyConnect: true, connectTimeout: PROBE_MS, retryStrategy: () => null };
    const client = new Redis(REDIS_URL, options);
    let reason: Error | undefined;
    client.on('error', (error) => (reason ??= error));
    try {
      await client.connect();
      await client.ping();
    } catch (error) {
      throw reason ?? error;
    } finally {
      client.disconnect();
    }
  },
};

const ADDRESSES: Readonly<Record<string, string>> = {
  postgres: new URL(POSTGRES_URL).host,
  redis: new URL(REDIS_URL).host,
};

/**
 * Probed once for the whole run. BACKENDS narrows it, and a named backend must be available; under CI=true all of
 * them must.
 */
async function select(): Promise<readonly string[]> {
  const named = process.env['BACKENDS']?.split(',').map((name) => name.trim());
  for (const name of named ?? [])
    if (!PROBES[name])
      throw new Error(`BACKENDS: there is no ${name}, only ${Object.keys(PROBES).join(', ')}.`);

  const usable: string[] = [];
  const missed: string[] = [];
  for (const [name, probe] of Object.entries(PROBES)) {
    const unnamed = named && !named.includes(name);
    const why = unnamed
      ? 'not named in BACKENDS'
      : await probe().then(() => undefined, explain(name));
    if (why === undefined) usable.push(name);
    else {
      process.stdout.write(`left out: ${name} (${why})\n`);
      if (!unnamed && named) missed.push(name);
      else if (process.env['CI'] === 'true') missed.push(name);
    }
  }
  if (missed.length > 0)
    throw new Error(`These may not be left out of this run: ${missed.join(', ')}.`);
  return usable;
}

const explain = (name: string) => (error: NodeJS.ErrnoException) => {
  const gone = /^E[A-Z_]+$/.test(error.code ?? '') || /time|terminated/i.test(error.message);
  return gone ? `not reachable at ${ADDRESSES[name]}` : `${error.message} at ${ADDRESSES[name]}`;
};

const selected = await select();

/** The backends this run tests, of `memory`, `sqlite`, `postgres` and `redis`. */
export const selectedBackends = (): readonly string[] => selected;

/**
 * A new folder for databases and files: in TEST_DATA_DIR if set, which may be a RAM disk, else in the system's temporary
 * folder.
 */
export const newDataFolder = (): Promise<string> =>
  mkdtemp(join(process.env['TEST_DATA_DIR'] ?? tmpdir(), 'ow-spec-'));

let swept: Promise<void> | undefined;

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** A temporary Postgres database, empty or a copy. Existing databases of the server are never changed. */
export async function openTestDatabase(template?: TestDatabase): Promise<TestDatabase> {
  const database = await createTestDatabase(template);
  const remove = registerRunning('a Postgres database', () => database.drop());
  return { ...database, drop: () => database.drop().finally(remove) };
}

/** The same for several spec files. Its creator drops it in a hook of the run. */
export async function createTestDatabase(template?: TestDatabase): Promise<TestDatabase> {
  await (swept ??= asAdministrator(dropLeftOvers));
  const name = `${PREFIX}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`;
  await asAdministrator(async (client) => {
    const source = template ? ` template ${pg.escapeIdentifier(template.name)}` : '';
    await client.query(`create database ${pg.escapeIdentifier(name)}${source}`);
    // No spec simulates a power failure, so disk syncs are disabled.
    await client.query(`alter database ${pg.escapeIdentifier(name)} set synchronous_commit = off`);
  });
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => asAdministrator((client) => drop(client, name)) };
}

/** Databases of aborted runs; the name contains their creation time. */
async function dropLeftOvers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [PREFIX],
  );
  for (const { datname } of rows) {
    const [, madeAt] = /^([0-9a-z]+)_[0-9a-f]{8}$/.exec(datname.slice(PREFIX.length)) ?? [];
    if (madeAt !== undefined && parseInt(madeAt, 36) < Date.now() - LEFT_OVER_MS)
      await drop(client, datname);
  }
}

async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
}

async function asAdministrator(
  work: (client: pg.Client) => Promise<unknown>,
  connectionTimeoutMillis = CONNECT_MS,
): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis });
  // A broken connection is reported by the running query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
