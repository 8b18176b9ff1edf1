import { expect } from 'chai';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TickScheduler } from '../adapters/node/tick-scheduler.ts';

const TAKING_MS = 10;
const MIN_TAKEN = 16;
const SLICES_MS = 5;

describe('the tick scheduler', () => {
  let now: number;
  let ends: (() => void)[];
  let after: (() => void)[];
  let done: string[];
  let loop: TickScheduler;
  beforeEach(() => {
    now = 0;
    [ends, after, done] = [[], [], []];
    loop = new TickScheduler({
      now: () => now,
      atEnd: (run) => ends.push(run),
      afterwards: (run) => after.push(run),
    });
  });
  /** A function to be run at the end of a tick. */
  const soon = (name: string) => loop.runAtTickEnd(() => void done.push(name));
  /** So many slices of so many milliseconds, each after a pause. */
  const work = async (name: string, slices: number, ms: number, pause = loop.yieldSlice) => {
    for (let i = 0; i < slices; i++) {
      await pause();
      done.push(name);
      now += ms;
    }
  };
  const promisesDone = () => new Promise((resolve) => setImmediate(resolve));
  /** Runs one event-loop tick. Returns the names of the work done in it. */
  const turned = async (): Promise<string> => {
    done = [];
    for (const run of ends.splice(0)) run();
    await promisesDone();
    for (let run = after.shift(); run; run = after.shift()) {
      run();
      await promisesDone();
    }
    return done.join(' ');
  };

  it('runs all short work in one tick, and long work in slices, one task after the other', async () => {
    void work('a', 2, SLICES_MS);
    void work('b', 3, SLICES_MS);
    soon('x');
    soon('y');
    expect(await turned()).to.equal('x y a');
    soon('z');
    const rest = [await turned(), await turned(), await turned(), await turned()];
    expect(rest).to.deep.equal(['z b', 'a', 'b', 'b']);
    expect(ends).to.deep.equal([]);
  });

  it('runs as many short slices in a tick as fit', async () => {
    void work('a', 3, 2);
    void work('b', 3, 2);
    expect([await turned(), await turned(), await turned()]).to.deep.equal(['a b a', 'b a b', '']);
    expect(ends).to.deep.equal([]);
  });

  it('runs a task that holds a lock before the tasks that wait for it', async () => {
    void work('a', 2, 50);
    void work('b', 2, 50);
    void work('w', 3, 5, loop.yield);
    const all = [await turned(), await turned(), await turned(), await turned()];
    expect(all).to.deep.equal(['w a', 'w b', 'w a', 'b']);
  });

  it('runs nothing while connections arrive, for some milliseconds', async () => {
    void work('a', 2, SLICES_MS);
    soon('x');
    for (let i = 0; i < MIN_TAKEN; i++, now += 2) {
      loop.onConnection();
      expect(await turned()).to.equal('');
    }
    loop.onConnection();
    expect(await turned()).to.equal('x a');
    // And again, since more connections arrive.
    loop.onConnection();
    expect(await turned()).to.equal('');
    expect(await turned()).to.equal('a');
    expect(ends).to.deep.equal([]);
  });

  it('accepts many connections if accepting is fast', async () => {
    soon('x');
    for (; now < TAKING_MS; now += 0.1) {
      loop.onConnection();
      expect(await turned()).to.equal('');
    }
    loop.onConnection();
    expect(await turned()).to.equal('x');
  });

  it('runs no work in the async context of another caller', async () => {
    const unit = new AsyncLocalStorage<string>();
    const real = new TickScheduler();
    const long = unit.run('theirs', async () => {
      await real.yieldSlice();
      return unit.getStore();
    });
    const short = new Promise((resolve) => real.runAtTickEnd(() => resolve(unit.getStore())));
    expect([await long, await short]).to.deep.equal(['theirs', undefined]);
  });

  it('schedules no tick for a single connection', () => {
    loop.onConnection();
    expect(ends).to.deep.equal([]);
  });

  it('accepts many clients during long work', async () => {
    const CROWD = 60;
    const real = new TickScheduler();
    const server = createServer(() => {
      real.onConnection();
      taken += 1;
    }).listen({ port: 0, host: '127.0.0.1', backlog: CROWD });
    let taken = 0;
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets: Socket[] = [];
    for (let i = 0; i < CROWD; i++) sockets.push(connect(port, '127.0.0.1'));
    let slices = 0;
    for (; taken < CROWD; slices++) {
      const until = performance.now() + 5;
      while (performance.now() < until);
      await real.yieldSlice();
    }
    for (const socket of sockets) socket.destroy();
    server.close();
    // Node accepts one connection per event-loop tick, which would be one after each slice.
    expect(slices).to.be.below(CROWD / 2);
  });
});
