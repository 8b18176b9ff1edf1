import { spawn, type ChildProcess } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scheduleBatches } from './schedule-specs.ts';
import {
  expectedSeconds,
  saveDurations,
  saveMeasured,
  secondsOfChildren,
} from './spec-durations.ts';
import { hasFailed } from './specs/file-results.ts';
import { runMocha } from './specs/mocha-process.ts';
import { closingLines } from './specs/report.ts';
import { runSpecs } from './specs/run-specs.ts';

/**
 * Runs the specs, distributed over mocha processes of which four run at a time: specs that start a server process
 * mostly wait. With files or options as arguments, one mocha runs only these. `--times` runs each file (or each named
 * one) separately, prints its duration and stores it in spec-durations.json.
 */
const ROOT = join(import.meta.dirname, '..');
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const AT_ONCE = 4;
/** Several times what any spec needs between two tests or lines, on a slow machine as well. */
const SILENT_MS = 240_000;
const LINGER_MS = 20_000;

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
  const child = spawn(process.execPath, [MOCHA, ...told], {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  register(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function shared(): Promise<number> {
  const print = printerOfRun();
  const verdict = await runSpecs({
    batches: scheduleBatches(all, expectedSeconds, AT_ONCE),
    lanes: AT_ONCE,
    run: (files) => mocha(files, print),
    isStopped: () => stopped,
  });
  if (verdict.hasPassed) saveMeasured(verdict.seconds);
  console.log(`\n${secondsOfChildren().toFixed(0)} s of CPU time`);
  for (const line of closingLines(verdict)) console.log(line);
  return verdict.hasPassed ? 0 : 1;
}

async function timed(files: readonly string[]): Promise<number> {
  const taken = new Map<string, number>();
  let [status, cpu] = [0, 0];
  console.log('  seconds      CPU  file');
  for (const file of files) {
    if (stopped) break;
    const [from, before] = [performance.now(), secondsOfChildren()];
    const lines: string[] = [];
    const results = await mocha([file], (line) => lines.push(line));
    if (hasFailed(results.of(file))) {
      status = 1;
      console.log(lines.join('\n'));
    }
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

function mocha(files: readonly string[], print: (line: string) => unknown) {
  const limits = { silentMs: SILENT_MS, lingerMs: LINGER_MS };
  return runMocha({ files, env: ENVIRONMENT, print, onStart: register, ...limits });
}

function register(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Skipped parts are the same in all processes and are printed once. */
function printerOfRun(): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (line.startsWith('left out:')) {
      if (said.has(line)) return;
      said.add(line);
    }
    console.log(line);
  };
}
