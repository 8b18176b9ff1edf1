import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { registerProcess } from './leftovers.ts';

/** A temporary Redis without persistence, which a test can kill, empty and stop. */
export interface RedisServer {
  readonly url: string;
  /** Runs one command and returns its reply. */
  ask(name: string, ...words: string[]): Promise<unknown>;
  kill(): Promise<void>;
  /** Starts it again at the same address, empty. */
  start(): Promise<void>;
  /** `SIGSTOP` makes it as slow as can be, `SIGCONT` ends that. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

const { stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
/** Whether there is the program. Under CI=true it has to be there. */
export const hasRedisServer = (stdout ?? '').includes('Redis');
if (!hasRedisServer) {
  process.stdout.write('left out: outages of Redis (redis-server is not on the path)\n');
  if (process.env['CI'] === 'true')
    throw new Error('redis-server may not be left out of this run.');
}

const READY_MS = 10_000;

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const ask = async (name: string, ...words: string[]): Promise<unknown> => {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...words);
    } finally {
      client.disconnect();
    }
  };
  let child: ChildProcess | undefined;
  const start = async () => {
    const words = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    child = registerProcess('redis-server', spawn('redis-server', words, { stdio: 'ignore' }));
    const deadline = Date.now() + READY_MS;
    while ((await ask('ping').catch(() => '')) !== 'PONG') {
      if (Date.now() > deadline) throw new Error('Redis did not start.');
      await pause(25);
    }
  };
  await start();
  return {
    url,
    ask,
    start,
    kill: async () => {
      if (!child || child.signalCode !== null || child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    signal: (signal) => void child?.kill(signal),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
