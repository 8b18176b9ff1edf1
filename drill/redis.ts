import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { end, run, until } from './child.ts';
import { findProgram, freePort } from './external-programs.ts';

const START_MS = 20_000;

/** A temporary Redis without persistence: after a restart it is empty. */
export interface Redis {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  flush(): Promise<void>;
  /** Accepts connections without responding, until it is resumed. */
  hang(): void;
  goOn(): void;
}

export async function openRedis(folder: string): Promise<Redis> {
  const program = findProgram('redis-server');
  const home = join(folder, 'redis');
  await mkdir(home);
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const ask = async (command: string) => {
    const client = new Client(url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.call(command);
    } finally {
      client.disconnect();
    }
  };
  let server: ChildProcess;
  const start = async () => {
    const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', home];
    server = run(program, words, { stdio: 'ignore' });
    const answers = () =>
      ask('PING').then(
        () => true,
        () => false,
      );
    await until('Redis starts', answers, START_MS);
  };
  await start();
  return {
    url,
    kill: () => end(server, 'SIGKILL'),
    start,
    flush: () => ask('FLUSHALL'),
    hang: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
  };
}
