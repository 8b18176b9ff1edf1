import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HOSTILE } from '../contract-tests/samples/hostile/make.ts';
import { BOASTFUL } from '../contract-tests/samples/hostile/office.ts';
import { fill } from './data.ts';
import { serve } from './processes.ts';

/**
 * Uploads every malicious sample to a service and measures its response times meanwhile. No response of `/health` may
 * take longer than 200 ms. The slowest response without load is printed beside it, because a shared machine has slow
 * moments of its own. Usage: `npm run bench:malicious-files`.
 */
const MAX_LATENCY_MS = 200;
const QUIET_MS = 10_000;
const READING_MS = 60_000;
const ROOT = join(import.meta.dirname, '..');

const folder = await mkdtemp(join(tmpdir(), 'ow-bench-'));
const roles = join(folder, 'roles.json');
const plenty = {
  requests_per_minute: 1e9,
  questions: null,
  enrichments: null,
  storage_bytes: null,
};
await writeFile(roles, JSON.stringify({ unlimited: plenty }));
const { bearer } = await fill(folder, 0);
const server = await serve('service', [join(ROOT, 'dist/composition/cli.js'), 'serve', '--json'], {
  DATA_DIR: folder,
  PORT: '0',
  ROLES_FILE: roles,
  LOG_LEVEL: 'error',
});
const authorization = `Bearer ${bearer}`;

/** How reading one file ended, and its duration in milliseconds from the upload on. */
async function upload(filename: string, bytes: Uint8Array): Promise<string> {
  const from = performance.now();
  const form = new FormData();
  form.append('file', new Blob([bytes]), filename);
  const response = await fetch(`${server.base}/v1/uploads`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const { items } = (await response.json()) as { items: { id: string }[] };
  const id = items[0]?.id;
  for (;;) {
    const reply = await fetch(`${server.base}/v1/objects/${id}`, { headers: { authorization } });
    const { status } = (await reply.json()) as { status: string };
    if (status === 'ready' || status === 'failed')
      return `${status} after ${Math.round(performance.now() - from)} ms`;
    if (performance.now() - from > READING_MS) throw new Error(`${filename} is still ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const watcher = spawn(
  process.execPath,
  [join(import.meta.dirname, 'watch-health.ts'), `${server.base}/health`],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let latest: number[] = [];
createInterface({ input: watcher.stdout }).on('line', (line) => latest.push(Number(line)));

/** Latencies of `/health` in milliseconds while the work was done. */
async function watched(work: () => Promise<unknown>): Promise<readonly number[]> {
  latest = [];
  await work();
  return latest.sort((a, b) => a - b);
}

function told(what: string, answers: readonly number[]) {
  const at = (share: number) =>
    Math.round((answers[Math.floor((answers.length - 1) * share)] ?? NaN) * 10) / 10;
  const slow = answers.filter((ms) => ms > MAX_LATENCY_MS).length;
  return {
    what,
    answers: answers.length,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'slowest ms': at(1),
    slow,
  };
}

try {
  // The first responses come from a process that has just started.
  await watched(() => new Promise((resolve) => setTimeout(resolve, 2_000)));
  const quiet = await watched(() => new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const attacked: number[] = [];
  for (const { filename, make } of [...HOSTILE, ...BOASTFUL]) {
    const bytes = make();
    let ending = '';
    const answers = await watched(async () => (ending = await upload(filename, bytes)));
    attacked.push(...answers);
    const slowest = Math.round(answers.at(-1) ?? 0);
    console.log(`${filename.padEnd(16)} ${ending}, slowest answer ${slowest} ms`);
  }
  attacked.sort((a, b) => a - b);
  console.table([told('nothing else', quiet), told('hostile files', attacked)]);
  if ((attacked.at(-1) ?? Infinity) > MAX_LATENCY_MS) process.exitCode = 1;
} finally {
  watcher.kill();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
