import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const TICKS_A_SECOND = 100;
const run = promisify(execFile);

/** A server in a process of its own, and what the system says it has used. */
export interface Server {
  readonly name: string;
  readonly base: string;
  /** Milliseconds from its start to its first answer. */
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
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const base = await listening(child);
  await fetch(base + probe).then((response) => response.arrayBuffer());
  const firstAnswerMs = performance.now() - from;
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    name,
    base,
    firstAnswerMs,
    cpuSeconds: () => {
      const fields = proc('stat')
        .slice(proc('stat').lastIndexOf(')') + 2)
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    },
    residentMB: () => (Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1] ?? 0) * 1024) / 1e6,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
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

export interface Burst {
  readonly requests: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly seconds: number;
  /** Of the server, per request. */
  readonly cpuMicros: number;
}

/** Load on one server from another process, and the processor time it cost the server. With a tag it has to stand. */
export async function burst(
  server: Server,
  path: string,
  bearer: string,
  seconds: number,
  etag?: string,
): Promise<Burst> {
  const before = server.cpuSeconds();
  const load = join(import.meta.dirname, 'load.ts');
  const { stdout } = await run(process.execPath, [
    load,
    server.base + path,
    bearer,
    String(seconds),
    ...(etag === undefined ? [] : [etag]),
  ]);
  const result = JSON.parse(stdout) as Omit<Burst, 'cpuMicros'>;
  if (result.failed > 0)
    throw new Error(`${server.name} ${path}: ${result.failed} requests failed.`);
  const cpuMicros = ((server.cpuSeconds() - before) * 1e6) / result.requests;
  return { ...result, cpuMicros };
}
