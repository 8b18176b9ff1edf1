import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { agendaFigures } from './agenda.ts';
import { fill } from './data.ts';
import { fillLibrary } from './library-data.ts';
import { compareUploads, type UploadKind } from './uploads.ts';
import { burst, serve, type Burst, type Server } from './processes.ts';
import { searchLatencies } from './search.ts';

/**
 * What the service costs against bare limits, measured side by side: bursts are interleaved, and what is compared is
 * processor time per request, which a busy machine disturbs least.
 *
 *   npm run bench [-- --quick]
 */
const quick = process.argv.includes('--quick');
const SIZES = quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
const ROUNDS = quick ? 3 : 5;
const SECONDS = 2;
const IDLE_MS = 3_000;
const ROOT = join(import.meta.dirname, '..');
const CLI = join(ROOT, 'dist/composition/cli.js');
const PASSAGES = 100_000;

interface Line {
  readonly operation: string;
  readonly server: string;
  readonly 'requests/s': number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly 'CPU µs': number;
}
interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly 'at most': number;
  readonly unit: string;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

const lines: Line[] = [];
const goals: Goal[] = [];
const folder = await mkdtemp(join(tmpdir(), 'ow-bench-'));

/** Rounds of bursts on each server in turn; answers with the medians of processor time. */
async function compare(
  operation: string,
  servers: readonly {
    readonly server: Server;
    readonly bearer: string;
    readonly path: string;
    /** Of an answer that the client has. */
    readonly etag?: string;
  }[],
): Promise<readonly number[]> {
  const results = servers.map((): Burst[] => []);
  for (let round = -1; round < ROUNDS; round++)
    for (const [i, { server, bearer, path, etag }] of servers.entries()) {
      const result = await burst(server, path, bearer, SECONDS, etag);
      // The first round warms up and does not count.
      if (round >= 0) results[i]?.push(result);
    }
  return results.map((all, i) => {
    const cpu = median(all.map(({ cpuMicros }) => cpuMicros));
    lines.push({
      operation,
      server: servers[i]?.server.name ?? '',
      'requests/s': Math.round(median(all.map(({ requests, seconds }) => requests / seconds))),
      'p50 ms': median(all.map(({ p50 }) => p50)),
      'p99 ms': median(all.map(({ p99 }) => p99)),
      'CPU µs': Math.round(cpu),
    });
    return cpu;
  });
}

const roles = join(folder, 'roles.json');
const plenty = {
  requests_per_minute: 1e9,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};
await writeFile(roles, JSON.stringify({ unlimited: plenty }));

try {
  const spaces = [];
  for (const size of SIZES) {
    const dataDir = join(folder, String(size));
    await mkdir(dataDir);
    console.log(`filling a workspace of ${size} objects …`);
    const filled = await fill(dataDir, size);
    const env = { DATA_DIR: dataDir, PORT: '0', ROLES_FILE: roles, LOG_LEVEL: 'info' };
    const server = await serve(`service, ${size}`, [CLI, 'serve', '--json'], env);
    spaces.push({ size, dataDir, filled, server });
  }
  const [small, middle] = spaces;
  const large = spaces.at(-1);
  if (!small || !middle || !large) throw new Error('Two sizes are needed.');

  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  goals.push({
    what: 'first answer after the start',
    measured: Math.round(small.server.firstAnswerMs),
    'at most': 800,
    unit: 'ms',
  });
  goals.push({
    what: 'memory at idle',
    measured: Math.round(small.server.residentMB()),
    'at most': 120,
    unit: 'MB',
  });

  const { dataDir, filled, size } = middle;
  const limit = (name: string, file: string) =>
    serve(
      name,
      [join(import.meta.dirname, 'limits', file), join(dataDir, 'workspace.db'), filled.ownerId],
      {},
      '/v1/objects',
    );
  const express = await limit('limit: express', 'express.ts');
  const http = await limit('limit: node:http', 'node-http.ts');
  const { bearer, objectId } = filled;
  for (const path of ['/v1/objects?limit=20', `/v1/objects/${objectId}`])
    await requireEqual(middle.server, express, path, bearer);

  console.log('list …');
  const at = (path: string) =>
    [http, express, middle.server].map((server) => ({ server, bearer, path }));
  const [, limitList = NaN, list = NaN] = await compare(
    `newest 20 of ${size} with total`,
    at('/v1/objects?limit=20'),
  );
  goals.push({
    what: `list of ${size} against express`,
    measured: rounded(list / limitList),
    'at most': 2,
    unit: '×',
  });
  console.log('one object …');
  const [, limitOne = NaN, one = NaN] = await compare('one object', at(`/v1/objects/${objectId}`));
  goals.push({
    what: 'one object against express',
    measured: rounded(one / limitOne),
    'at most': 2.5,
    unit: '×',
  });
  console.log('polling …');
  const least = await serve(
    'limit: express',
    [join(import.meta.dirname, 'limits', 'polling.ts'), join(dataDir, 'workspace.db')],
    {},
    '/v1/notifications',
  );
  const polled = [];
  for (const server of [least, middle.server]) {
    const path = '/v1/notifications';
    const etag = await tagOf(server, path, bearer);
    polled.push({ server, bearer, path, etag });
  }
  const [limitPoll = NaN, poll = NaN] = await compare('poll that is answered 304', polled);
  await least.stop();
  goals.push({
    what: 'poll of notifications against express',
    measured: rounded(poll / limitPoll),
    'at most': 1.7,
    unit: '×',
  });
  console.log('growth …');
  const [few = NaN, many = NaN] = await compare(
    `newest 20, ${small.size} and ${large.size}`,
    [small, large].map((space) => ({
      server: space.server,
      bearer: space.filled.bearer,
      path: '/v1/objects?limit=20',
    })),
  );
  goals.push({
    what: `list of ${large.size} against ${small.size}`,
    measured: rounded(many / few),
    'at most': 1.5,
    unit: '×',
  });

  const library = join(folder, 'library');
  await mkdir(library);
  console.log(`filling a workspace of ${PASSAGES} passages …`);
  const shelved = await fillLibrary(library, PASSAGES);
  const reader = await serve('service, texts', [CLI, 'serve', '--json'], {
    DATA_DIR: library,
    PORT: '0',
    ROLES_FILE: roles,
  });
  console.log('search and ask …');
  const latencies = await searchLatencies(reader, shelved);
  await reader.stop();
  console.table(latencies);
  const most = {
    'search: a rare word': 5,
    'search: a word in nearly all': 30,
    'ask: four words': 15,
  };
  for (const [what, atMost] of Object.entries(most)) {
    const measured = latencies.find((each) => each.what === what)?.['p50 ms'] ?? NaN;
    goals.push({ what: `${what}, p50`, measured, 'at most': atMost, unit: 'ms' });
  }

  console.log('agenda …');
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
      what: `the same 20 years ahead`,
      measured: rounded(later / now),
      'at most': 1.5,
      unit: '×',
    });
  }
  const slowest = calendars.find(({ what }) => what.includes('hostile'))?.['p99 ms'] ?? Number.NaN;
  goals.push({ what: 'the worst of hostile rules', measured: slowest, 'at most': 50, unit: 'ms' });

  const uploads: readonly (UploadKind & { readonly atMost: number })[] = [
    { name: '100 kB', bytes: 100_000, atOnce: 8, limit: 'durable', atMost: 2 },
    { name: '20 MB', bytes: 20_000_000, atOnce: 2, limit: 'plain', atMost: 1.67 },
  ];
  for (const kind of uploads) {
    console.log(`uploads of ${kind.name} …`);
    const by = small.filled.bearer;
    const figures = await compareUploads(small.server, by, folder, kind, ROUNDS, SECONDS);
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

  for (const server of [express, http, ...spaces.map((space) => space.server)]) await server.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tagOf({ name, base }: Server, path: string, bearer: string): Promise<string> {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${bearer}` } });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  if (!response.ok || etag === null) throw new Error(`${name} gives no tag for ${path}.`);
  return etag;
}

/** The limit does the same work only if it gives the same answer. */
async function requireEqual(service: Server, bare: Server, path: string, bearer: string) {
  const [real, least] = await Promise.all(
    [service, bare].map(async ({ base }) => {
      const response = await fetch(base + path, { headers: { authorization: `Bearer ${bearer}` } });
      const reply = (await response.json()) as object;
      // The cursor of the next page is all that the limit does not know.
      return JSON.stringify({ ...reply, next_cursor: undefined });
    }),
  );
  if (real !== least)
    throw new Error(
      `The limit answers otherwise:\n${least?.slice(0, 900)}\n${real?.slice(0, 900)}`,
    );
}

console.table(lines);
console.table(
  goals.map((goal) => ({ ...goal, met: goal.measured <= goal['at most'] ? 'yes' : 'MISSED' })),
);
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, node: process.version };
await mkdir(join(import.meta.dirname, 'results'), { recursive: true });
await writeFile(
  join(import.meta.dirname, 'results', 'latest.json'),
  `${JSON.stringify({ at: new Date().toISOString(), machine, lines, goals }, null, 2)}\n`,
);
