import { expect } from 'chai';
import fc from 'fast-check';
import { eventLoop } from '../../adapters/node/tick-scheduler.ts';
import { createCoalescer } from '../../core/shared/coalescing.ts';
import { createKeyedMutex } from '../../core/shared/keyed-mutex.ts';

const pause = () => new Promise((resolve) => setImmediate(resolve));

describe('a coalescer', () => {
  it('runs each key separately, never two runs of one key at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom('a', 'b'), later: fc.boolean() }), {
          maxLength: 30,
        }),
        async (asked) => {
          const rounds = createCoalescer(createKeyedMutex(), eventLoop);
          const done = { a: 0, b: 0 };
          const running = { a: 0, b: 0 };
          const all: Promise<number>[] = [];
          for (const { name, later } of asked) {
            if (later) await pause();
            all.push(
              rounds(name, async (many) => {
                expect(++running[name]).to.equal(1);
                await pause();
                running[name] -= 1;
                return (done[name] += many);
              }),
            );
          }
          const totals = await Promise.all(all);
          const requested = (name: string) => asked.filter((each) => each.name === name).length;
          expect(done).to.deep.equal({ a: requested('a'), b: requested('b') });
          // No call resolves before its run has ended.
          const seen = { a: 0, b: 0 };
          for (const [i, { name }] of asked.entries())
            expect(totals[i]).to.be.at.least(++seen[name]);
        },
      ),
      { numRuns: 50 },
    ));

  it('combines pending calls while the previous run blocks the event loop', async () => {
    const rounds = createCoalescer(createKeyedMutex(), eventLoop);
    const sizes: number[] = [];
    const visit = async () => {
      await pause();
      await rounds('x', (many) => {
        // Like a commit of SQLite, which blocks the event loop.
        sizes.push(many);
        return Promise.resolve();
      });
    };
    await Promise.all(Array.from({ length: 8 }, visit));
    expect(sizes).to.deep.equal([8]);
  });

  it('combines calls that arrive meanwhile into one run, and continues after a failed one', async () => {
    const rounds = createCoalescer(createKeyedMutex(), eventLoop);
    const sizes: number[] = [];
    const ask = () =>
      rounds('x', async (many) => {
        sizes.push(many);
        await pause();
        if (sizes.length === 1) throw new Error('no');
        return many;
      });
    const first = ask();
    const failed = first.catch((error: unknown) => (error as Error).message);
    while (sizes.length === 0) await pause();
    const others = [ask(), ask(), ask()];
    expect(await failed).to.equal('no');
    expect(await Promise.all(others)).to.deep.equal([3, 3, 3]);
    expect(await ask()).to.equal(1);
    expect(sizes).to.deep.equal([1, 3, 1]);
  });
});
