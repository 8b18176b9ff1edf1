import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { noiseOf } from '../contract-tests/samples/pictures.ts';
import { fill } from './data.ts';
import { serve } from './processes.ts';

/**
 * Sixteen concurrent operations on 12-megapixel JPEGs, compared with bare sharp and the same settings, in turns.
 * Measures pictures per second, CPU time per picture, the memory of the service and its children, and the response time
 * of the object list meanwhile. The list is requested every 20 ms throughout, so it uses CPU in both cases. The memory
 * of the service is sampled five times a second. Usage: `npm run bench:images [-- rotate crop]`.
 */
const ROOT = join(import.meta.dirname, '..');
const QUEUED = 16;
const ROUNDS = 3;
const MIN_LIST_RATE_SHARE = 0.75;
const MAX_MEMORY_MB = 400;
const MAX_LIST_MS = 50;
const LOOK_MS = 200;
/** The end of an operation may be noticed with this delay. */
const ASK_MS = 20;
const TICK_MS = 10;
/** CPU time of the service's children: other load on the machine affects both sides equally. */
const PRIORITY = 5;
const BODIES: Readonly<Record<string, object>> = {
  compress: { quality: 70 },
  resize: { max_side: 2_000, quality: 90 },
  rotate: { angle: 90 },
  flip: { mode: 'h' },
  crop: { box: [0.1, 0.1, 0.9, 0.9] },
};

const named = process.argv.slice(2);
const chosen = Object.keys(BODIES).filter((op) => named.length === 0 || named.includes(op));

const folder = await mkdtemp(join(tmpdir(), 'ow-bench-'));
const file = join(folder, 'picture.jpg');
// The file size of a typical photograph with these dimensions.
const picture = await (
  await noiseOf(1_000, 750)
)
  .resize(4_000, 3_000, { kernel: 'cubic' })
  .jpeg({ quality: 90 })
  .toBuffer();
await writeFile(file, picture);
const roles = join(folder, 'roles.json');
const plenty = {
  requests_per_minute: 1e9,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};
await writeFile(roles, JSON.stringify({ unlimited: plenty }));
const data = await mkdtemp(join(folder, 'data-'));
const { bearer } = await fill(data, 1_000);
const server = await serve('service', [join(ROOT, 'dist/composition/cli.js'), 'serve', '--json'], {
  DATA_DIR: data,
  PORT: '0',
  ROLES_FILE: roles,
  LOG_LEVEL: 'error',
});
const headers = { authorization: `Bearer ${bearer}` };
const json = { ...headers, 'content-type': 'application/json' };

const bare = spawn(process.execPath, [join(import.meta.dirname, 'limits/pictures.ts'), file], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
if (bare.pid !== undefined) setPriority(bare.pid, PRIORITY);
const answers = createInterface({ input: bare.stdout })[Symbol.asyncIterator]();

interface Pace {
  /** Images per second. */
  readonly rate: number;
  /** Milliseconds of CPU time per image. */
  readonly cpu: number;
}

/** Of sharp alone. */
async function barePace(op: string, atOnce: number): Promise<Pace> {
  const before = cpuMs(String(bare.pid));
  bare.stdin.write(`${op} ${QUEUED} ${atOnce}\n`);
  const seconds = Number((await answers.next()).value);
  return { rate: QUEUED / seconds, cpu: (cpuMs(String(bare.pid)) - before) / QUEUED };
}

async function upload(): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([picture]), 'picture.jpg');
  const reply = await fetch(`${server.base}/v1/uploads`, { method: 'POST', headers, body: form });
  return ((await reply.json()) as { items: [{ id: string }] }).items[0].id;
}

/** Of the service: from the first request to the end of the last operation. */
async function servicePace(op: string): Promise<Pace> {
  const ids = await Promise.all(Array.from({ length: QUEUED }, upload));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const [from, before] = [performance.now(), cpuOfService()];
  const tasks = await Promise.all(
    ids.map(async (id) => {
      const reply = await fetch(`${server.base}/v1/objects/${id}/image/${op}`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(BODIES[op]),
      });
      return { id, task: ((await reply.json()) as { task_id: string }).task_id };
    }),
  );
  for (const { id, task } of tasks)
    for (;;) {
      const reply = await fetch(`${server.base}/v1/objects/${id}/image/status/${task}`, {
        headers,
      });
      const { done, status, version } = (await reply.json()) as Record<string, unknown>;
      if (done === true && (status !== 'done' || version !== 2)) throw new Error(`${op} failed.`);
      if (done === true) break;
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
  const rate = QUEUED / ((performance.now() - from) / 1_000);
  const cpu = (cpuOfService() - before) / QUEUED;
  for (const id of ids)
    await fetch(`${server.base}/v1/objects/${id}?permanent=true`, { method: 'DELETE', headers });
  return { rate, cpu };
}

/** Megabytes of a process and its children; shared memory is counted once. */
const memoryMB = (): number => ours().reduce((sum, pid) => sum + proportional(pid), 0) / 1e3;

const cpuOfService = (): number => ours().reduce((sum, pid) => sum + cpuMs(pid), 0);

/** Of a process, and of its children that have ended. */
function cpuMs(pid: string): number {
  const stat = statOf(pid);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // Ended meanwhile; its parent counts it.
    return '';
  }
}

function ours(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => pid === String(server.pid) || parentOf(pid) === String(server.pid));
}

function parentOf(pid: string): string | undefined {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  } catch {
    // Ended meanwhile.
    return undefined;
  }
}

function proportional(pid: string): number {
  try {
    const { 1: kibibytes } =
      /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return (Number(kibibytes ?? 0) * 1_024) / 1e3;
  } catch {
    return 0;
  }
}

const watcher = spawn(
  process.execPath,
  [join(import.meta.dirname, 'watch-health.ts'), `${server.base}/v1/objects`, bearer],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let latest: number[] = [];
createInterface({ input: watcher.stdout }).on('line', (line) => latest.push(Number(line)));
const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * 0.99)] ?? NaN;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const rounded = (value: number) => Math.round(value * 100) / 100;

const rows: Record<string, number | string>[] = [];
let sound = true;
try {
  await servicePace('flip');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  latest = [];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const quiet = p99(latest);
  for (const op of chosen) {
    const service: Pace[] = [];
    const one: Pace[] = [];
    const two: Pace[] = [];
    const lists: number[] = [];
    let most = 0;
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await barePace(op, 1));
      latest = [];
      const poll = setInterval(() => (most = Math.max(most, memoryMB())), LOOK_MS);
      service.push(await servicePace(op));
      clearInterval(poll);
      lists.push(...latest);
      two.push(await barePace(op, 2));
    }
    const rate = (all: readonly Pace[]) => median(all.map((pace) => pace.rate));
    const cpu = (all: readonly Pace[]) => Math.round(median(all.map((pace) => pace.cpu)));
    const row = {
      op,
      'service /s': rounded(rate(service)),
      'sharp, one by one /s': rounded(rate(one)),
      'sharp, two at once /s': rounded(rate(two)),
      ratio: rounded(rate(service) / rate(one)),
      'ratio to two': rounded(rate(service) / rate(two)),
      'service CPU ms': cpu(service),
      'sharp CPU ms': cpu(one),
      'most MB': Math.round(most),
      'list p99 ms': rounded(p99(lists)),
    };
    rows.push(row);
    const slow = row.ratio < MIN_LIST_RATE_SHARE || row['list p99 ms'] > MAX_LIST_MS;
    if (slow || row['most MB'] > MAX_MEMORY_MB) sound = false;
  }
  console.log(
    `list p99 with nothing else: ${rounded(quiet)} ms; the jpg has ${picture.length} bytes`,
  );
  console.table(rows);
  if (!sound) process.exitCode = 1;
} finally {
  watcher.kill();
  bare.stdin.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
