import { spawn, type ChildProcess } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { scheduleBatches } from './schedule-specs.ts';
import { saveDurations, expectedSeconds, secondsOfChildren } from './spec-durations.ts';

/**
 * Runs the specs, distributed over mocha processes of which four run at a time: specs that start a server process
 * mostly wait. With files or options as arguments, one mocha runs only these. `--times` runs each file (or each named
 * one) separately, prints its duration and stores it in spec-durations.json.
 */
const ROOT = join(import.meta.dirname, '..');
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const AT_ONCE = 4;
const SUM = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;

const ENVIRONMENT = {
  ...process.env,
  // The caller has built dist/ from the current sources.
  PROGRAM: 'compiled',
  // The folder of the compile cache: it halves the startup time of mocha.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache'),
};

const words = process.argv.slice(2);
const running = new Set<ChildProcess>();
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopped = true;
    for (const child of running) child.kill(signal);
    process.exitCode = 1;
  });

const all = globSync('contract-tests/**/*.spec.ts', { cwd: ROOT }).sort();
if (words[0] === '--times') process.exitCode = await timed(words.length > 1 ? words.slice(1) : all);
else process.exitCode = await (words.length > 0 ? single(words) : shared());

function single(told: readonly string[]): Promise<number> {
  return ended(start(told, 'inherit'));
}

async function shared(): Promise<number> {
  const queue = scheduleBatches(all, expectedSeconds, AT_ONCE);
  const totals = { passed: 0, failed: 0, skipped: 0 };
  let status = 0;
  const said = new Set<string>();
  const lane = async (): Promise<void> => {
    for (let files = queue.shift(); files && !stopped; files = queue.shift()) {
      const child = start(files, 'pipe');
      const finished = ended(child);
      const sum = await told(child, said);
      status ||= await finished;
      for (const key of ['passed', 'failed', 'skipped'] as const) totals[key] += sum[key];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return status;
}

async function timed(files: readonly string[]): Promise<number> {
  const taken = new Map<string, number>();
  let [status, cpu] = [0, 0];
  console.log('  seconds      CPU  file');
  for (const file of files) {
    if (stopped) break;
    const [from, before] = [performance.now(), secondsOfChildren()];
    const child = start([file], 'pipe');
    const lines: string[] = [];
    const finished = ended(child);
    await told(child, new Set(), (line) => lines.push(line));
    const failed = await finished;
    if (failed !== 0) console.log(lines.join('\n'));
    status ||= failed;
    const seconds = (performance.now() - from) / 1_000;
    const used = secondsOfChildren() - before;
    taken.set(file, seconds);
    cpu += used;
    console.log(`${[seconds, used].map((it) => it.toFixed(1).padStart(9)).join('')}  ${file}`);
  }
  saveDurations(Object.fromEntries(taken));
  const sum = [...taken.values()].reduce((before, each) => before + each, 0);
  console.log(`${sum.toFixed(0)} s one by one, ${cpu.toFixed(0)} s of CPU time`);
  return status;
}

function start(told: readonly string[], output: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [MOCHA, ...told], {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: ['ignore', output, 'inherit'],
  });
  running.add(child);
  return child;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/**
 * Prints the output of mocha without its summary. Skipped parts are the same in all processes and are printed once.
 */
async function told(
  child: ChildProcess,
  said: Set<string>,
  print: (line: string) => unknown = console.log,
) {
  let sum = { passed: 0, failed: 0, skipped: 0 };
  if (!child.stdout) return sum;
  for await (const line of createInterface({ input: child.stdout })) {
    const [, passed, failed, skipped] = SUM.exec(line) ?? [];
    if (passed !== undefined)
      sum = { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
    else if (!line.startsWith('left out:')) print(line);
    else if (!said.has(line)) {
      said.add(line);
      print(line);
    }
  }
  return sum;
}
