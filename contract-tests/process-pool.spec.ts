import { expect } from 'chai';
import { JobNotStartedError } from '../adapters/extract/process/sandboxed-process.ts';
import { ProcessPool } from '../adapters/extract/process/process-pool.ts';
import { UnavailableError } from '../ports/errors.ts';

class Worker {
  fit = true;
  killed = false;

  kill(): Promise<void> {
    this.fit = false;
    this.killed = true;
    return Promise.resolve();
  }
}

const WORDS = { port: 'images', tooMany: 'Too many.', closing: 'Closing.' };

function poolOf(concurrency: number, share?: number) {
  const started: Worker[] = [];
  const pool = new ProcessPool(
    {
      ...WORDS,
      concurrency,
      maxWaiting: 4,
      idleMs: 60_000,
      ...(share !== undefined && { share }),
    },
    () => {
      const worker = new Worker();
      started.push(worker);
      return worker;
    },
  );
  return { pool, started };
}

/** Uses a process until it is released. */
function borrowed(pool: ProcessPool<Worker>) {
  let back = (): void => undefined;
  const until = new Promise<void>((resolve) => (back = resolve));
  let lent: Worker | undefined;
  const ended = pool.lend((worker) => {
    lent = worker;
    return until;
  });
  return { ended, back, worker: () => lent };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a pool of processes', () => {
  it('uses one process for several jobs, and starts another only for more', async () => {
    const { pool, started } = poolOf(4, 2);
    const all = Array.from({ length: 4 }, () => borrowed(pool));
    expect(started).to.have.length(2);
    expect(started.map((it) => all.filter(({ worker }) => worker() === it).length)).to.deep.equal([
      2, 2,
    ]);
    for (const { back, ended } of all) {
      back();
      await ended;
    }
    await pool.lend(() => Promise.resolve());
    expect(started).to.have.length(2);
    await pool.close();
    expect(started.every(({ killed }) => killed)).to.equal(true);
  });

  it('starts no shared process next to one that is finishing its last jobs', async () => {
    const { pool, started } = poolOf(2, 2);
    const [first, second] = [borrowed(pool), borrowed(pool)];
    started[0]!.fit = false;
    first.back();
    await first.ended;
    const third = borrowed(pool);
    await turn();
    expect([third.worker(), started.length, started[0]?.killed]).to.deep.equal([
      undefined,
      1,
      false,
    ]);
    second.back();
    await second.ended;
    await turn();
    expect([third.worker(), started[0]?.killed]).to.deep.equal([started[1], true]);
    third.back();
    await third.ended;
    await pool.close();
  });

  it('repeats work in another process if the first died over another job, with a limit', async () => {
    const { pool, started } = poolOf(1);
    let times = 0;
    const work = async (worker: Worker) => {
      if (++times < 3) await worker.kill().then(() => Promise.reject(new JobNotStartedError()));
      return 'done';
    };
    expect(await pool.lend(work)).to.equal('done');
    expect(started).to.have.length(3);
    const never = await pool
      .lend(() => Promise.reject(new JobNotStartedError()))
      .catch((e: unknown) => e);
    expect(never).to.be.instanceOf(UnavailableError);
    await pool.close();
  });

  it('rejects waiting jobs when it closes', async () => {
    const { pool, started } = poolOf(2, 2);
    const first = borrowed(pool);
    started[0]!.fit = false;
    const waiting = pool.lend(() => Promise.resolve('lent')).catch((e: unknown) => e);
    const closed = pool.close();
    first.back();
    await Promise.all([first.ended, closed]);
    expect(await waiting).to.be.instanceOf(UnavailableError);
  });
});
