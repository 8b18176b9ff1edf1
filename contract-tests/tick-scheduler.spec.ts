import { expect } from 'chai';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TickScheduler } from '../adapters/node/tick-scheduler.ts';

const TAKING_MS = 10;
const MIN_TAKEN = 16;
const SLICES_MS = 5;

describe('the turns of a process', () => {
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
  /** Something to be done at the end of a turn. */
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
  /** The loop makes a turn: what it did in it. */
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

  it('does everything small in one, and of what is long a slice of one after the other', async () => {
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

  it('does as many short slices in a turn as fit', async () => {
    void work('a', 3, 2);
    void work('b', 3, 2);
    expect([await turned(), await turned(), await turned()]).to.deep.equal(['a b a', 'b a b', '']);
    expect(ends).to.deep.equal([]);
  });

  it('keeps whoever holds what others wait for waiting for none of those', async () => {
    void work('a', 2, 50);
    void work('b', 2, 50);
    void work('w', 3, 5, loop.yield);
    const all = [await turned(), await turned(), await turned(), await turned()];
    expect(all).to.deep.equal(['w a', 'w b', 'w a', 'b']);
  });

  it('does nothing while connections come, for some milliseconds', async () => {
    void work('a', 2, SLICES_MS);
    soon('x');
    for (let i = 0; i < MIN_TAKEN; i++, now += 2) {
      loop.onConnection();
      expect(await turned()).to.equal('');
    }
    loop.onConnection();
    expect(await turned()).to.equal('x a');
    // And then again: more of them come.
    loop.onConnection();
    expect(await turned()).to.equal('');
    expect(await turned()).to.equal('a');
    expect(ends).to.deep.equal([]);
  });

  it('lets many in where that is quick', async () => {
    soon('x');
    for (; now < TAKING_MS; now += 0.1) {
      loop.onConnection();
      expect(await turned()).to.equal('');
    }
    loop.onConnection();
    expect(await turned()).to.equal('x');
  });

  it('does nothing in the name of another who has asked for the turn', async () => {
    const unit = new AsyncLocalStorage<string>();
    const real = new TickScheduler();
    const long = unit.run('theirs', async () => {
      await real.yieldSlice();
      return unit.getStore();
    });
    const short = new Promise((resolve) => real.runAtTickEnd(() => resolve(unit.getStore())));
    expect([await long, await short]).to.deep.equal(['theirs', undefined]);
  });

  it('asks for no turn when one connection comes', () => {
    loop.onConnection();
    expect(ends).to.deep.equal([]);
  });

  it('takes a crowd while it is at something long', async () => {
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
    // The loop of node takes one in each of its turns, which would be one after each slice.
    expect(slices).to.be.below(CROWD / 2);
  });
});
