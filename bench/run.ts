import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { agendaFigures } from './agenda.ts';
import { fill } from './data.ts';
import { fillLibrary } from './library-data.ts';
import { KEEP_TRASH } from './data-sample.ts';
import { cachedDataset } from './dataset-cache.ts';
import { compareOnPostgres, compareOnSqlite, type Comparison } from './objects.ts';
import { serve } from './processes.ts';
import { publish } from './publish.ts';
import { chartOf, machine, tableOf, type Goal } from './report.ts';
import { searchLatencies } from './search.ts';
import { compareUploads, type UploadKind } from './uploads.ts';

/**
 * Compares the service with minimal baselines. Bursts on each server are interleaved. The compared value is CPU time per
 * request, which a busy machine affects least. Test data is generated. Writes the measurements to
 * bench/results/latest.json, and the ratios as a chart to docs/performance.svg.
 *
 *   npm run bench [-- [--quick] [--only=WORD,WORD…] [--data=FOLDER] [--publish]]
 *
 * `--quick` omits the largest size, measures briefly and draws no chart. `--only` narrows to the parts
 * (`sqlite`, `postgres`, `start`, `search`, `agenda`, `uploads`) and operations whose names hold one of the words.
 * `--data` keeps the workspaces of SQLite in a folder, for the next run. `--publish` writes the figures of a whole run to
 * docs/performance.json, from which `npm run docs:generate` generates the tables of README.md and docs/performance.md. Postgres and
 * Redis are those at DATABASE_URL and REDIS_URL, or at their usual ports; without them that part is left out.
 */
const quick = process.argv.includes('--quick');
const words = process.argv.flatMap((word) => word.split('--only=')[1]?.split(',') ?? []);
const PARTS = ['sqlite', 'postgres', 'start', 'search', 'agenda', 'uploads'];
const parts = words.filter((word) => PARTS.includes(word));
const names = words.filter((word) => !PARTS.includes(word));
const part = (name: string) => parts.length === 0 || parts.includes(name);
const only = (name: string) => names.length === 0 || names.some((word) => name.includes(word));
const publishes = process.argv.includes('--publish');
if (publishes && (quick || words.length > 0))
  throw new Error('--publish needs a whole run, without --quick and --only.');
const SIZES = quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
const ROUNDS = quick ? { rounds: 1, seconds: 0.6 } : { rounds: 3, seconds: 1 };
const IDLE_MS = 3_000;
const CLI = join(import.meta.dirname, '../dist/composition/cli.js');
const PASSAGES = 100_000;
const GROWTH = 1.3;
const POSTGRES = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const REDIS = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
const goals: Goal[] = [];
const compared: Comparison[] = [];
const folder = await mkdtemp(join(tmpdir(), 'ow-bench-'));
const kept = process.argv.find((word) => word.startsWith('--data='))?.slice('--data='.length);

const roles = join(folder, 'roles.json');
const plenty = {
  requests_per_minute: 1e9,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};
await writeFile(roles, JSON.stringify({ unlimited: plenty }));

try {
  const data = kept === undefined ? folder : resolve(kept);
  const place = { folder, data, cli: CLI, roles, sizes: SIZES, rounds: ROUNDS, only };
  if (part('sqlite')) compared.push(...(await compareOnSqlite(place)));
  if (part('postgres')) {
    const found = await compareOnPostgres(place, POSTGRES, REDIS).catch((error: Error) => {
      // A closed port: any other failure is an error.
      if (!/ECONNREFUSED/.test(String(error))) throw error;
      console.log(`postgres: left out, no server responds at ${new URL(POSTGRES).host}`);
    });
    compared.push(...(found ?? []));
  }
  for (const { operation, database, growth, against, ratio, atMost } of compared) {
    const what = `${database}, ${operation}`;
    goals.push({
      what: `${what} against ${against}`,
      measured: ratio,
      'at most': atMost,
      unit: '×',
    });
    goals.push({ what: `${what}: growth`, measured: growth, 'at most': GROWTH, unit: '×' });
  }
  const lists = (name: string) => compared.find((each) => each.operation === `list: ${name}`);
  const [first, later] = [lists('newest 20'), lists('by cursor, anywhere')];
  if (first && later)
    goals.push({
      what: 'a page by cursor in the middle against the first page',
      measured: rounded(later.service.cpuMicros / first.service.cpuMicros),
      'at most': 1.2,
      unit: '×',
    });
  if (part('start')) await start(data);
  if (part('search')) await search();
  if (part('agenda')) await agenda();
  if (part('uploads')) await uploads();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A separate workspace with a few objects, and a server for it. */
async function served(name: string) {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  const { bearer } = await fill(dataDir, 1_000);
  const env = { ...KEEP_TRASH, DATA_DIR: dataDir, PORT: '0', ROLES_FILE: roles };
  return { bearer, server: await serve(name, [CLI, 'serve', '--json'], env) };
}

/** For the largest workspace. A first start warms the file cache. */
async function start(data: string): Promise<void> {
  const most = SIZES.at(-1) ?? 0;
  const dataDir = join(data, String(most));
  await cachedDataset(dataDir, most);
  const env = { ...KEEP_TRASH, DATA_DIR: dataDir, PORT: '0', ROLES_FILE: roles };
  await (await serve('start', [CLI, 'serve', '--json'], env)).stop();
  const server = await serve('start', [CLI, 'serve', '--json'], env);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const [answered, resident] = [server.firstAnswerMs, server.residentMB()].map(Math.round);
  await server.stop();
  const [ms = NaN, MB = NaN] = [answered, resident];
  const what = `first answer after the start, ${most} objects`;
  goals.push({ what, measured: ms, 'at most': 500, unit: 'ms' });
  goals.push({ what: 'memory at idle', measured: MB, 'at most': 100, unit: 'MB' });
}

async function search(): Promise<void> {
  const library = join(folder, 'library');
  await mkdir(library);
  console.log(`search: filling a workspace of ${PASSAGES} passages …`);
  const shelved = await fillLibrary(library, PASSAGES);
  const env = { DATA_DIR: library, PORT: '0', ROLES_FILE: roles };
  const reader = await serve('service, texts', [CLI, 'serve', '--json'], env);
  const latencies = await searchLatencies(reader, shelved);
  await reader.stop();
  console.table(latencies);
  const most = {
    'search: a rare word': 2,
    'search: a word in some': 10,
    'search: a word in nearly all': 20,
    'ask: four words': 10,
  };
  for (const [what, atMost] of Object.entries(most)) {
    const measured = latencies.find((each) => each.what === what)?.['p50 ms'] ?? NaN;
    goals.push({ what: `${what}, p50`, measured, 'at most': atMost, unit: 'ms' });
  }
}

async function agenda(): Promise<void> {
  console.log('agenda: 1 000 and 10 000 series …');
  const calendars = await agendaFigures(folder, CLI, roles, [1_000, 10_000]);
  console.table(calendars);
  const month = (what: string) =>
    calendars.find((each) => each.what === what)?.['p50 ms'] ?? Number.NaN;
  for (const [count, atMost] of [
    ['1000', 60],
    ['10000', 400],
  ] as const) {
    const [now, later] = [month(`${count} series, now`), month(`${count} series, 20 years ahead`)];
    goals.push({
      what: `agenda of ${count} series, p50`,
      measured: now,
      'at most': atMost,
      unit: 'ms',
    });
    goals.push({
      what: `agenda of ${count} series: 20 years ahead against now`,
      measured: rounded(later / now),
      'at most': 1.5,
      unit: '×',
    });
  }
  const slowest = calendars.find(({ what }) => what.includes('hostile'))?.['p99 ms'] ?? Number.NaN;
  goals.push({ what: 'the worst of hostile rules', measured: slowest, 'at most': 50, unit: 'ms' });
}

async function uploads(): Promise<void> {
  const { server, bearer } = await served('uploads');
  const kinds: readonly (UploadKind & { readonly atMost: number })[] = [
    { name: '100 kB', bytes: 100_000, atOnce: 8, limit: 'durable', atMost: 2 },
    { name: '20 MB', bytes: 20_000_000, atOnce: 2, limit: 'plain', atMost: 1.67 },
  ];
  for (const kind of kinds) {
    console.log(`uploads of ${kind.name} …`);
    const figures = await compareUploads(server, bearer, folder, kind, ROUNDS.rounds, 2);
    console.log(figures);
    goals.push({
      what: `time of ${kind.name} uploads against a bare ${kind.limit} one`,
      measured: rounded(figures.limit / figures.service),
      'at most': kind.atMost,
      unit: '×',
    });
    goals.push({
      what: `memory for each of ${kind.atOnce} uploads of ${kind.name}`,
      measured: rounded(figures.growthMB, 1),
      'at most': 30,
      unit: 'MB',
    });
  }
  await server.stop();
}

console.table(compared.map(tableOf));
console.table(
  goals.map((goal) => ({ ...goal, met: goal.measured <= goal['at most'] ? 'yes' : 'MISSED' })),
);
await mkdir(join(import.meta.dirname, 'results'), { recursive: true });
await writeFile(
  join(import.meta.dirname, 'results', 'latest.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine, sizes: SIZES, compared, goals }, null, 2)}\n`,
);
if (!quick && words.length === 0)
  await writeFile(join(import.meta.dirname, '../docs/performance.svg'), chartOf(compared));
if (publishes) {
  if (!compared.some(({ database }) => database === 'postgres'))
    throw new Error('--publish needs Postgres and Redis.');
  await publish(SIZES, compared, goals);
}
