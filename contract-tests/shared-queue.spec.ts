import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { BeeJobQueue, type BeeJobQueueOptions } from '../adapters/bee-queue/job-queue.ts';
import { UnavailableError } from '../ports/errors.ts';
import { REDIS_URL, selectedBackends } from './backends-env.ts';
import { hasRedisServer, startRedis, type RedisServer } from './redis-server.ts';
import { jobQueueContract } from './suites/job-queue.ts';

let opened = 0;
const newPrefix = () => `ow_test:${process.pid}:${Date.now()}:${++opened}`;

const until = async (ready: () => boolean | Promise<boolean>, withinMs = 8_000) => {
  const end = Date.now() + withinMs;
  while (!(await ready())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await pause(10);
  }
};

const linked = (queue: BeeJobQueue) =>
  until(() =>
    queue.waiting().then(
      () => true,
      () => false,
    ),
  );

async function openQueue(options: Partial<BeeJobQueueOptions>): Promise<BeeJobQueue> {
  const queue = new BeeJobQueue({
    url: REDIS_URL,
    prefix: newPrefix(),
    concurrency: 3,
    lanes: {},
    maxWaiting: 100,
    onFailure: () => undefined,
    onOutage: () => undefined,
    ...options,
  });
  await linked(queue);
  return queue;
}

if (selectedBackends().includes('redis'))
  describe('bee-queue: JobQueue', () => jobQueueContract((bounds) => openQueue(bounds)));

if (selectedBackends().includes('redis') && hasRedisServer)
  describe('bee-queue: processes that share a Redis', function () {
    this.timeout(30_000);
    let redis: RedisServer;
    let here: BeeJobQueue;
    let there: BeeJobQueue;
    let outages: number;
    let prefix: string;
    const keyOf = (list: string) => `${prefix}:common:${list}`;
    const nudge = (taskId: string) => ({ kind: 'a', taskId });
    before(async () => {
      redis = await startRedis();
    });
    beforeEach(async () => {
      outages = 0;
      prefix = newPrefix();
      const same = { url: redis.url, prefix, stallMs: 400, sameIdMs: 300, lanes: { own: 2 } };
      here = await openQueue({ ...same, onOutage: () => void outages++ });
      there = await openQueue(same);
    });
    afterEach(() => {
      for (const queue of [here, there]) queue.end();
    });
    after(() => redis.kill());

    it('handle nudges of any of them, and again those enqueued meanwhile', async () => {
      const seen: string[] = [];
      let again: Promise<void> | undefined;
      there.handle('a', async (id) => {
        seen.push(id);
        again ??= there.enqueue(nudge('1'));
        await again;
      });
      await here.enqueue(nudge('1'));
      await until(() => seen.length === 2);
      await here.enqueue(nudge('2'));
      await until(() => seen.length === 3);
      expect(seen).to.deep.equal(['1', '1', '2']);
      expect(await here.waiting()).to.equal(0);
    });

    it('leave nothing of finished tasks in Redis, and only ids of waiting ones', async () => {
      await here.enqueue(nudge('left'));
      const data = await redis.ask('hvals', keyOf('jobs'));
      expect(JSON.parse((data as string[])[0] ?? '').data).to.deep.equal(nudge('left'));
      there.handle('a', async () => undefined);
      await until(async () => (await redis.ask('exists', keyOf('jobs'))) === 0);
      expect(await redis.ask('exists', keyOf('active'))).to.equal(0);
    });

    it('take over nudges of a crashed process', async () => {
      const taken: string[] = [];
      here.handle('a', (id) => {
        taken.push(id);
        return new Promise(() => undefined);
      });
      await there.enqueue(nudge('orphan'));
      await until(() => taken.length === 1);
      here.end();
      const seen: string[] = [];
      there.handle('a', async (id) => void seen.push(id));
      await until(() => seen.includes('orphan'));
    });

    it('work independently while Redis is down, and together after it came back empty', async () => {
      const [seenHere, seenThere]: [string[], string[]] = [[], []];
      there.handle('a', async (id) => void seenThere.push(id));
      here.handle('own', async (id) => void seenHere.push(id));
      await redis.kill();
      for (let i = 0; i < 20; i++) await here.enqueue({ kind: 'own', taskId: String(i) });
      await until(() => seenHere.length === 20);
      const error: unknown = await here.waiting().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(UnavailableError);
      expect(outages).to.equal(1);
      await redis.start();
      await Promise.all([linked(here), linked(there)]);
      await here.enqueue(nudge('afterwards'));
      await until(() => seenThere.includes('afterwards'));
    });

    it('recover after everything in Redis was deleted, scripts included', async () => {
      await redis.ask('flushall');
      await redis.ask('script', 'flush');
      const seen: string[] = [];
      there.handle('a', async (id) => void seen.push(id));
      await until(async () => {
        await here.enqueue(nudge('repeated'));
        return seen.includes('repeated');
      });
      await Promise.all([linked(here), linked(there)]);
    });

    it('deliver a task that Redis knows but would never deliver', async () => {
      await here.enqueue(nudge('evicted'));
      expect(await redis.ask('del', keyOf('waiting'))).to.equal(1);
      const seen: string[] = [];
      there.handle('a', async (id) => void seen.push(id));
      await until(async () => {
        await here.enqueue(nudge('evicted'));
        return seen.includes('evicted');
      });
    });

    it('continue if only the connection on which they wait for nudges was lost', async () => {
      const seen: string[] = [];
      there.handle('a', async (id) => void seen.push(id));
      const waits = async () =>
        /id=(\d+) .*cmd=brpoplpush/.exec(String(await redis.ask('client', 'list')))?.[1];
      await until(async () => (await waits()) !== undefined);
      await redis.ask('client', 'kill', 'id', (await waits()) ?? '');
      await until(async () => (await waits()) !== undefined);
      await here.enqueue(nudge('afterwards'));
      await until(() => seen.includes('afterwards'));
    });

    it('leave nothing in their process after closing, however often and whenever it is requested', async () => {
      const warnings: Error[] = [];
      const warn = (warning: Error) => void warnings.push(warning);
      process.on('warning', warn);
      const timers = () =>
        process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      await Promise.all([here.close(), there.close()]);
      const before = timers();
      const queue = await openQueue({ url: redis.url, prefix });
      queue.handle('a', async () => undefined);
      await until(async () => String(await redis.ask('client', 'list')).includes('cmd=brpoplpush'));
      redis.signal('SIGSTOP');
      try {
        for (let i = 0; i < 12; i++) queue.end();
        await until(() => timers() <= before, 1_500);
        await queue.close();
        queue.end();
        await until(() => timers() <= before, 1_500);
        expect(warnings).to.deep.equal([]);
      } finally {
        redis.signal('SIGCONT');
        process.off('warning', warn);
      }
    });

    it('enqueue and close in time while Redis does not respond', async () => {
      redis.signal('SIGSTOP');
      try {
        const seen: string[] = [];
        here.handle('a', async (id) => void seen.push(id));
        for (let i = 0; i < 20; i++) await here.enqueue(nudge(String(i)));
        await until(() => seen.length === 20);
        await there.close();
      } finally {
        redis.signal('SIGCONT');
      }
      await linked(here);
    });
  });
