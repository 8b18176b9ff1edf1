/**
 * The team profile: the gain of a second `serve` process, and the cost of many owners in one database.
 *
 *   npm run bench:team [-- --list N --owners N --objects N --rounds N --seconds N --connections N
 *                          --only processes|owners --json]
 *
 * `--list`: objects of the owner in the comparison of one process and two (100 000). `--owners`: number of further owners
 * (1 000), each with `--objects` (1 000). Postgres and Redis are those at DATABASE_URL and REDIS_URL, or at their default
 * ports. The databases are created and dropped. `--seconds`: duration of one burst; bursts are interleaved. One process
 * has all connections (16), two have half of them each, so that the same number of requests is in flight.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import knexModule from 'knex';
import { openPostgres } from '../adapters/knex/postgres/open.ts';
import { migrate } from '../adapters/knex/schema/migrate.ts';
import type { Visit } from './load.ts';
import { serve, type Server } from './processes.ts';
import { machine } from './report.ts';
import { fillOwners, type Client } from './team-data.ts';
import { CORES, postgresTime, runRound, medians, type Round } from './team-time.ts';

const { values } = parseArgs({
  options: {
    list: { type: 'string', default: '100000' },
    owners: { type: 'string', default: '1000' },
    objects: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const LIST = numberOf('list');
const OWNERS = numberOf('owners');
const OBJECTS = numberOf('objects');
const ROUNDS = numberOf('rounds');
const SECONDS = numberOf('seconds');
const CONNECTIONS = numberOf('connections');
const PARTS = ['processes', 'owners'];
if (values.only !== '' && !PARTS.includes(values.only))
  throw new Error(`--only takes one of ${PARTS.join(', ')}.`);

const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const POSTGRES = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const REDIS = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
/** Required throughput of two processes relative to one, on two cores. */
const AT_LEAST = 1.7;
/** Maximum CPU time of a request among many owners, relative to a single owner. */
const AT_MOST = 1.3;
/** Number of different requests; the same for many owners as for one. */
const VISITS = Math.max(1_000, OWNERS);

const say = (line: string) => (values.json ? console.error(line) : console.log(line));
const table = (rows: readonly object[]) => {
  if (!values.json) console.table(rows);
};
const rounded = (value: number, digits = 2): number | null =>
  Number.isFinite(value) ? Number(value.toFixed(digits)) : null;
const percent = (share: number) => rounded(share * 100, 0);

interface Workspace {
  readonly clients: readonly Client[];
  readonly env: Readonly<Record<string, string>>;
  readonly postgresSeconds: () => number;
}

const folder = await mkdtemp(join(tmpdir(), 'ow-bench-'));
const roles = join(folder, 'roles.json');
const plenty = {
  requests_per_minute: 1e9,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};
await writeFile(roles, JSON.stringify({ unlimited: plenty }));
const admin = knexModule({ client: 'pg', connection: POSTGRES, pool: { min: 0, max: 1 } });
const made: string[] = [];
const running: Server[] = [];
const found: Record<string, unknown> = { at: new Date().toISOString(), machine };

try {
  if (values.only !== 'owners') found['processes'] = await processes();
  if (values.only !== 'processes') found['owners'] = await manyOwners();
  if (values.json) console.log(JSON.stringify(found, null, 2));
} finally {
  for (const server of running) await server.stop();
  for (const name of made) await admin.raw(`drop database if exists ${name} with (force)`);
  await admin.destroy();
  await rm(folder, { recursive: true, force: true });
}

/** One process and two on the same workspace, alternating. */
async function processes(): Promise<object> {
  const workspace = await filled('list', 1, LIST);
  const servers = [await started('serve 1', workspace), await started('serve 2', workspace)];
  const [one = servers, two = servers] = [servers.slice(0, 1), servers];
  const turns = new Map<readonly Server[], Round[]>([
    [one, []],
    [two, []],
  ]);
  const bearer = workspace.clients[0]?.bearer ?? '';
  const load = { bearer, seconds: SECONDS, connections: CONNECTIONS };
  for (let round = -1; round < ROUNDS; round++)
    for (const [these, all] of turns) {
      const took = await runRound(these, '/v1/objects?limit=20', load, workspace.postgresSeconds);
      // The first round warms up and is not counted.
      if (round >= 0) all.push(took);
    }
  await stopped();
  const [alone, both] = [medians(turns.get(one) ?? []), medians(turns.get(two) ?? [])];
  const ratio = both.perSecond / alone.perSecond;
  // One process uses one core at most, two use two, limited by all other processes on these cores.
  const rate = (count: number, each: Round, rest: number) =>
    Math.min((count * 1e6) / each.serve, (CORES * 1e6) / (each.serve + rest));
  const own = rate(2, both, 0) / rate(1, alone, 0);
  const shared =
    rate(2, both, both.postgres + both.load) / rate(1, alone, alone.postgres + alone.load);
  say(
    `The newest 20 of ${LIST} objects with the total, on Postgres, ${CORES} cores, ${CONNECTIONS} connections:`,
  );
  table(
    Object.entries({ 'one serve': alone, 'two serves': both }).map(([name, each]) => ({
      '': name,
      'requests/s': rounded(each.perSecond, 0),
      'p50 ms': rounded(each.p50),
      'serve, CPU ms': rounded(each.serve / 1_000, 3),
      'Postgres, CPU ms': rounded(each.postgres / 1_000, 3) ?? 'not to be seen',
      'load, CPU ms': rounded(each.load / 1_000, 3),
      'serve had, %': percent(each.shares.serve),
      'Postgres, %': percent(each.shares.postgres),
      'load, %': percent(each.shares.load),
      'others, %': percent(each.shares.others),
      'idle, %': percent(each.shares.idle),
    })),
  );
  const verdict = (value: number) =>
    Number.isNaN(value)
      ? 'not known'
      : `${rounded(value)} (${value >= AT_LEAST ? 'at' : 'NOT at'} least ${AT_LEAST})`;
  say(`measured, two serves against one: ${verdict(ratio)}`);
  say(
    `  with Postgres, the load and all other processes on the same ${CORES} cores, of which the two serves had ${percent(both.shares.serve)} %`,
  );
  say(`computed, were the cores theirs alone, Postgres and the load elsewhere: ${verdict(own)}`);
  say('  from the processor time a serve takes for a request, one core for each; not measured');
  say(`computed, the most with Postgres and this load on the same cores: ${verdict(shared)}`);
  say('  from the processor time all three take for a request, and nothing else running');
  return {
    objects: LIST,
    connections: CONNECTIONS,
    one: alone,
    two: both,
    atLeast: AT_LEAST,
    measured: rounded(ratio),
    computedCoresTheirs: rounded(own),
    computedCoresShared: rounded(shared),
  };
}

/** Many owners in one database and one owner in another, alternating. */
async function manyOwners(): Promise<object> {
  const operations: Readonly<Record<string, (client: Client) => string>> = {
    'list: newest 20': () => '/v1/objects?limit=20',
    'list: kind': () => '/v1/objects?limit=20&kind=image',
    'list: collection_id': ({ folderId }) => `/v1/objects?limit=20&collection_id=${folderId}`,
    'one object': ({ objectId }) => `/v1/objects/${objectId}`,
    'search: a word in one name': () => `/v1/search?q=${OBJECTS >> 1}`,
    'search: a word in all names': () => '/v1/search?q=bench',
    'poll of notifications': () => '/v1/notifications',
  };
  const single = await filled('one', 1, OBJECTS);
  const many = await filled('many', OWNERS, OBJECTS);
  const sides = [];
  for (const [name, workspace] of Object.entries({ single, many }))
    sides.push({ workspace, server: await started(name, workspace), turns: [] as Round[] });
  const figures = [];
  for (const [operation, path] of Object.entries(operations)) {
    const told = [];
    for (const { workspace, server } of sides)
      told.push(await reportLines(server, path, workspace.clients.at(-1)));
    if (told[0] !== told[1])
      throw new Error(`${operation} is answered otherwise: ${told.join(' and ')}`);
    const turns = sides.map((): Round[] => []);
    const files: string[] = [];
    for (const [i, { workspace }] of sides.entries()) {
      const visits = workspace.clients.map((client): Visit => ({
        bearer: client.bearer,
        path: path(client),
      }));
      files.push(join(folder, `visits-${i}.json`));
      await writeFile(files[i] ?? '', JSON.stringify(visits));
    }
    for (let round = -1; round < ROUNDS; round++)
      for (const [i, { workspace, server }] of sides.entries()) {
        const load = { bearer: '', seconds: SECONDS, visits: files[i] ?? '' };
        const took = await runRound([server], '', load, workspace.postgresSeconds);
        if (round >= 0) turns[i]?.push(took);
      }
    const [one, all] = turns.map(medians);
    if (!one || !all) throw new Error('Nothing was measured.');
    figures.push({
      operation,
      'one: CPU ms': rounded(one.serve / 1_000, 3),
      'many: CPU ms': rounded(all.serve / 1_000, 3),
      '× CPU': rounded(all.serve / one.serve),
      'one: Postgres ms': rounded(one.postgres / 1_000, 3),
      'many: Postgres ms': rounded(all.postgres / 1_000, 3),
      '× Postgres': rounded(all.postgres / one.postgres),
      'one: p50 ms': one.p50,
      'many: p50 ms': all.p50,
      '× p50': rounded(all.p50 / one.p50),
      [`× CPU at most ${AT_MOST}`]: all.serve / one.serve <= AT_MOST ? 'yes' : 'MISSED',
    });
  }
  await stopped();
  say(
    `${OWNERS} owners of ${OBJECTS} objects each against one owner of ${OBJECTS}, requests spread over owners at random:`,
  );
  table(figures);
  say('CPU is that of the serve, Postgres that of its connections; both by request.');
  return { owners: OWNERS, objects: OBJECTS, figures };
}

/** A separate database, filled, with the environment for a `serve` on it. */
async function filled(name: string, owners: number, count: number): Promise<Workspace> {
  const database = `ow_bench_${process.pid}_${name}`;
  await admin.raw(`create database ${database}`);
  made.push(database);
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  const address = Object.assign(new URL(POSTGRES), { pathname: `/${database}` }).href;
  const opened = openPostgres(address);
  const from = performance.now();
  await migrate(opened);
  const clients = await fillOwners(opened, dataDir, { owners, count, clients: VISITS });
  await opened.close();
  // This takes longer than the service's statement timeout.
  const patient = knexModule({ client: 'pg', connection: address, pool: { min: 0, max: 1 } });
  await patient.raw('vacuum analyze');
  await patient.destroy();
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  say(`${owners} × ${count} objects, filled in ${seconds} s`);
  const env = {
    ...{ PROFILE: 'team', DATABASE_URL: address, REDIS_URL: REDIS },
    ...{ DATA_DIR: dataDir, PORT: '0', ROLES_FILE: roles },
  };
  return { clients, env, postgresSeconds: postgresTime(database) };
}

async function started(name: string, { env }: Workspace): Promise<Server> {
  const server = await serve(name, [CLI, 'serve', '--json'], env);
  running.push(server);
  return server;
}

async function stopped(): Promise<void> {
  for (const server of running.splice(0)) await server.stop();
}

/** The value that must be equal in both, since owners have copies of the same objects: the number, or the name. */
async function reportLines(
  { base }: Server,
  path: (client: Client) => string,
  client: Client | undefined,
): Promise<string | number> {
  if (!client) throw new Error('No clients are configured.');
  const response = await fetch(base + path(client), {
    headers: { authorization: `Bearer ${client.bearer}` },
  });
  const { total, filename } = (await response.json()) as { total?: number; filename?: string };
  const told = total ?? filename;
  if (!response.ok || told === undefined || told === 0)
    throw new Error(`${path(client)} was answered with ${response.status} and nothing to compare.`);
  return told;
}

function numberOf(name: Exclude<keyof typeof values, 'only' | 'json'>): number {
  const value = Number(values[name]);
  const whole = name === 'seconds' || Number.isInteger(value);
  if (!(value > 0) || !whole) throw new Error(`--${name} has to be a number above nought.`);
  return value;
}
