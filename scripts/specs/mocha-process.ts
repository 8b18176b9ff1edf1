import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { FileResults, type SpecEvent } from './file-results.ts';
import { killGroup, killTree } from './process-tree.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const CLOSING_LINE = /^\d+ passed, \d+ failed, \d+ skipped$/;
/** The file descriptor on which the reporter sends its events. */
const EVENTS_FD = 3;
/** A descendant that left the process group may hold the pipes of an ended mocha open. */
const MAX_DRAIN_MS = 2_000;

export interface WatchdogLimits {
  /** A process that has printed and reported nothing for this time is killed. */
  readonly silentMs: number;
  /** A process that still lives this time after its last test is killed. */
  readonly lingerMs: number;
}

export interface MochaRun extends WatchdogLimits {
  readonly files: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  /** A timer: calls `fire` after a time, unless the returned function was called before. */
  readonly schedule?: (ms: number, fire: () => void) => () => void;
  /** Called with the process, so that signals can be forwarded to it. */
  readonly onStart?: (child: ChildProcess) => void;
}

/**
 * Runs mocha on spec files and watches it. If the process ends before its tests do, the file that was running has failed.
 * The summary of mocha is not printed.
 */
export async function runMocha(run: MochaRun): Promise<FileResults> {
  const results = new FileResults();
  const child = spawn(process.execPath, [MOCHA, ...run.files], {
    cwd: ROOT,
    env: { ...run.env, SPEC_EVENTS_FD: String(EVENTS_FD) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: with it ends what its specs have started and left.
    detached: process.platform !== 'win32',
  });
  run.onStart?.(child);
  const exit = exitOf(child);
  const watchdog = startWatchdog(run, results, () => {
    if (child.pid !== undefined) killTree(child.pid);
  });
  const onLine = (line: string): void => {
    watchdog.reset();
    if (!CLOSING_LINE.test(line)) run.print(line);
  };
  const output = [1, 2].map((fd) => readLines(child.stdio[fd] as Readable, onLine));
  const events = readLines(child.stdio[EVENTS_FD] as Readable, (line) => {
    results.add(JSON.parse(line) as SpecEvent);
    watchdog.reset();
  });
  const end = await exit;
  if (child.pid !== undefined) killGroup(child.pid);
  await Promise.race([
    Promise.all([...output, events]),
    pause(MAX_DRAIN_MS, undefined, { ref: false }),
  ]);
  const reason = watchdog.stop() ?? abnormalEnd(end, results);
  if (reason !== undefined) failRunningFile(results, run, reason);
  return results;
}

interface Exit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve({ status, signal }));
  });
}

async function readLines(input: Readable, onLine: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input })) onLine(line);
}

/** `stop` returns why the process was killed, or undefined. */
function startWatchdog(run: MochaRun, results: FileResults, killAll: () => void) {
  const { silentMs, lingerMs, schedule = realTimer } = run;
  let reason: string | undefined;
  let cancel = (): void => undefined;
  const kill = (why: string): void => {
    reason = why;
    killAll();
  };
  const reset = (): void => {
    cancel();
    if (reason !== undefined) return;
    cancel = results.hasEnded
      ? schedule(lingerMs, () =>
          kill(`the process still ran ${lingerMs / 1_000} s after its last test and was killed`),
        )
      : schedule(silentMs, () =>
          kill(`no output for ${silentMs / 1_000} s; the process was killed`),
        );
  };
  const stop = (): string | undefined => {
    cancel();
    return reason;
  };
  reset();
  return { reset, stop };
}

const realTimer = (ms: number, fire: () => void): (() => void) => {
  const timer = setTimeout(fire, ms);
  return () => clearTimeout(timer);
};

/** Why an end is not the one of a complete run. */
function abnormalEnd({ status, signal }: Exit, results: FileResults): string | undefined {
  const how = signal ?? `status ${status}`;
  if (!results.hasEnded) return `the process ended before its tests (${how})`;
  return status === 0 || results.hasFailures ? undefined : `the process ended with ${how}`;
}

function failRunningFile(results: FileResults, { files, print }: MochaRun, message: string): void {
  // While the files are read, nothing tells which of several is to blame.
  const { file = files.length === 1 ? files[0] : undefined, title } = results.last;
  print(`  FAILED ${file ?? files.join(', ')}: ${title}: ${message}`);
  if (file !== undefined) results.of(file).failures.push({ title, message });
}
