import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { noiseOf } from '../contract-tests/samples/pictures.ts';
import { fill } from './data.ts';
import { serve } from './processes.ts';

/**
 * Sixteen operations on jpgs of twelve megapixels, asked for at once, against bare sharp with the same settings, in turns:
 * pictures a second, the memory of the service and its children, and how fast the list of objects answers meanwhile.
 *
 *   npm run bench:images
 *   npm run bench:images -- rotate crop
 */
const ROOT = join(import.meta.dirname, '..');
const QUEUED = 16;
const ROUNDS = 3;
const LEAST_RATIO = 0.75;
const MOST_MB = 400;
const LONGEST_LIST_MS = 50;
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
// As large in the file as a photograph of that size usually is.
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
const answers = createInterface({ input: bare.stdout })[Symbol.asyncIterator]();

/** Pictures a second of sharp alone. */
async function bareRate(op: string, atOnce: number): Promise<number> {
  bare.stdin.write(`${op} ${QUEUED} ${atOnce}\n`);
  return QUEUED / Number((await answers.next()).value);
}

async function upload(): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([picture]), 'picture.jpg');
  const reply = await fetch(`${server.base}/v1/uploads`, { method: 'POST', headers, body: form });
  return ((await reply.json()) as { items: [{ id: string }] }).items[0].id;
}

/** Pictures a second of the service: from the first request to the last that is done. */
async function serviceRate(op: string): Promise<number> {
  const ids = await Promise.all(Array.from({ length: QUEUED }, upload));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const from = performance.now();
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
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  const rate = QUEUED / ((performance.now() - from) / 1_000);
  for (const id of ids)
    await fetch(`${server.base}/v1/objects/${id}?permanent=true`, { method: 'DELETE', headers });
  return rate;
}

/** Megabytes of a process and its children; what they share is counted once. */
function memoryMB(): number {
  const own = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(isOurs);
  return own.reduce((sum, pid) => sum + proportional(pid), 0) / 1e3;
}

function isOurs(pid: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return environment.includes(data) || command.includes('editing-child');
  } catch {
    // Gone meanwhile, or not ours to look at.
    return false;
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
  await serviceRate('flip');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  latest = [];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const quiet = p99(latest);
  for (const op of chosen) {
    const service: number[] = [];
    const one: number[] = [];
    const two: number[] = [];
    const lists: number[] = [];
    let most = 0;
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await bareRate(op, 1));
      latest = [];
      const poll = setInterval(() => (most = Math.max(most, memoryMB())), 100);
      service.push(await serviceRate(op));
      clearInterval(poll);
      lists.push(...latest);
      two.push(await bareRate(op, 2));
    }
    const row = {
      op,
      'service /s': rounded(median(service)),
      'sharp, one by one /s': rounded(median(one)),
      'sharp, two at once /s': rounded(median(two)),
      ratio: rounded(median(service) / median(one)),
      'ratio to two': rounded(median(service) / median(two)),
      'most MB': Math.round(most),
      'list p99 ms': rounded(p99(lists)),
    };
    rows.push(row);
    const slow = row.ratio < LEAST_RATIO || row['list p99 ms'] > LONGEST_LIST_MS;
    if (slow || row['most MB'] > MOST_MB) sound = false;
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
