import { expect } from 'chai';
import type { JobQueue, QueueLimits } from '../../ports/jobs.ts';

const until = async (ready: () => boolean | Promise<boolean>) => {
  const end = Date.now() + 5_000;
  while (!(await ready())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const MAX_QUEUED = 40;

/** The contract of every JobQueue. `open` creates an unused one. */
export function jobQueueContract(open: (bounds: QueueLimits) => Promise<JobQueue>): void {
  let queue: JobQueue;
  beforeEach(async () => {
    queue = await open({ concurrency: 3, lanes: { slow: 1 }, maxWaiting: MAX_QUEUED });
  });
  afterEach(() => queue.close());

  it('A nudge is delivered at least once to the handler of its kind, even if enqueued before the handler is registered', async () => {
    const seen: string[] = [];
    await queue.enqueue({ kind: 'a', taskId: '1' });
    expect(await queue.waiting()).to.be.at.least(0);
    queue.handle('a', async (id) => void seen.push(`a${id}`));
    queue.handle('b', async (id) => void seen.push(`b${id}`));
    await queue.enqueue({ kind: 'b', taskId: '1' });
    await until(() => seen.length >= 2);
    expect(seen.sort()).to.deep.equal(['a1', 'b1']);
  });

  it('One task never runs twice at the same time, however often it is enqueued', async () => {
    let now = 0;
    let most = 0;
    let runs = 0;
    queue.handle('a', async () => {
      most = Math.max(most, ++now);
      await pause(20);
      now--;
      runs++;
    });
    for (let i = 0; i < 5; i++) {
      await queue.enqueue({ kind: 'a', taskId: 'same' });
      await pause(4);
    }
    await until(async () => runs >= 1 && now === 0 && (await queue.waiting()) === 0);
    expect(most).to.equal(1);
  });

  it('A kind with its own lane neither waits for other kinds nor delays them', async () => {
    const ended: string[] = [];
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const running = { slow: 0, quick: 0 };
    let most = 0;
    queue.handle('slow', async (id) => {
      most = Math.max(most, ++running.slow);
      await held;
      running.slow--;
      ended.push(id);
    });
    queue.handle('quick', async (id) => {
      running.quick++;
      if (id.startsWith('held')) await held;
      running.quick--;
      ended.push(id);
    });
    for (let i = 0; i < 10; i++) await queue.enqueue({ kind: 'slow', taskId: `slow-${i}` });
    for (let i = 0; i < 10; i++) await queue.enqueue({ kind: 'quick', taskId: `quick-${i}` });
    await until(() => ended.length === 10);
    expect(ended.every((id) => id.startsWith('quick'))).to.equal(true);
    for (let i = 0; i < 9; i++) await queue.enqueue({ kind: 'quick', taskId: `held-${i}` });
    await until(() => running.quick === 3);
    expect(running.slow).to.equal(1);
    release();
    await until(() => ended.length === 29);
    expect(most).to.equal(1);
  });

  it('A handler that rejects does not stop the queue', async () => {
    const seen: string[] = [];
    queue.handle('a', async (id) => {
      seen.push(id);
      if (id === 'bad') throw new Error('no');
    });
    await queue.enqueue({ kind: 'a', taskId: 'bad' });
    await queue.enqueue({ kind: 'a', taskId: 'good' });
    await until(() => seen.includes('good'));
    expect(seen).to.include('bad');
  });

  it('The limit of concurrent handlers is never exceeded', async () => {
    let now = 0;
    let most = 0;
    let runs = 0;
    queue.handle('a', async () => {
      most = Math.max(most, ++now);
      await pause(10);
      now--;
      runs++;
    });
    for (let i = 0; i < 12; i++) await queue.enqueue({ kind: 'a', taskId: String(i) });
    await until(() => runs === 12);
    expect(most).to.equal(3);
  });

  it('The limit of waiting nudges is never exceeded', async () => {
    const seen = new Set<string>();
    for (let i = 0; i < MAX_QUEUED + 10; i++) await queue.enqueue({ kind: 'a', taskId: String(i) });
    expect(await queue.waiting()).to.equal(MAX_QUEUED);
    queue.handle('a', async (id) => void seen.add(id));
    await until(() => seen.size === MAX_QUEUED);
    expect(await queue.waiting()).to.equal(0);
    await queue.enqueue({ kind: 'a', taskId: 'later' });
    await until(() => seen.has('later'));
  });

  it('`close` waits for running handlers and starts no more', async () => {
    let started = 0;
    let ended = 0;
    queue.handle('a', async () => {
      started++;
      await pause(60);
      ended++;
    });
    for (let i = 0; i < 6; i++) await queue.enqueue({ kind: 'a', taskId: String(i) });
    await until(() => started === 3);
    await queue.close();
    expect(ended).to.equal(3);
    await pause(30);
    expect(started).to.equal(3);
  });
}
