import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Load, Loaded } from './load.ts';

const TICKS_A_SECOND = 100;
const run = promisify(execFile);

/** A server in a separate process, with its resource usage as reported by the system. */
export interface Server {
  readonly name: string;
  readonly base: string;
  readonly pid: number;
  /** Milliseconds from its start to its first response. */
  readonly firstAnswerMs: number;
  cpuSeconds(): number;
  residentMB(): number;
  stop(): Promise<void>;
}

export async function serve(
  name: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  probe = '/health',
): Promise<Server> {
  const from = performance.now();
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    // The service ends when the channel closes: also when this process is killed.
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const base = await listening(child);
  await fetch(base + probe).then((response) => response.arrayBuffer());
  const firstAnswerMs = performance.now() - from;
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    name,
    base,
    pid: child.pid ?? 0,
    firstAnswerMs,
    cpuSeconds: () => cpuSecondsOf(proc('stat')),
    residentMB: () => (Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1] ?? 0) * 1024) / 1e6,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** CPU time from /proc/PID/stat. */
export function cpuSecondsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function listening(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server has no output.');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The server ended: ${code}`))),
  ])) as [string];
  child.stdout.resume();
  return (JSON.parse(line) as { listening: string }).listening;
}

export interface Burst extends Loaded {
  /** Of the server, per request. */
  readonly cpuMicros: number;
}

/** Load on one server from another process, with the CPU time it cost the server. */
export async function burst(
  server: Server,
  path: string,
  bearer: string,
  seconds: number,
  more: Pick<Load, 'etag' | 'renames'> = {},
): Promise<Burst> {
  const before = server.cpuSeconds();
  const load: Load = { url: server.base + path, bearer, seconds, ...more };
  const result = await loaded(server.name, load);
  const cpuMicros = ((server.cpuSeconds() - before) * 1e6) / result.requests;
  return { ...result, cpuMicros };
}

/** Load from a separate process; every response has to be correct. */
export async function loaded(name: string, load: Load): Promise<Loaded> {
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'load.ts'),
    JSON.stringify(load),
  ]);
  const result = JSON.parse(stdout) as Loaded;
  if (result.failed > 0)
    throw new Error(`${name} ${String(load.url)}: ${result.failed} requests failed.`);
  return result;
}
