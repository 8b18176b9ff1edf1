import { expect } from 'chai';
import { PortFailure } from '../../ports/failures.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

/** What every RateCounter must do. `broken` gives one whose store is away, `silent` one whose store never answers. */
export function rateCounterContract(
  open: () => Promise<{
    rates: RateCounter;
    broken: RateCounter;
    silent: RateCounter;
    close(): Promise<void>;
  }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let rates: RateCounter;
  before(async () => {
    opened = await open();
    rates = opened.rates;
  });
  after(() => opened.close());
  const window = Math.floor(Date.now() / 60_000);

  it('`hit` answers the count of the key in the window, this hit included, from 1', async () => {
    const counts = [];
    for (let i = 0; i < 3; i++) counts.push(await rates.hit('a', window));
    expect(counts).to.deep.equal([1, 2, 3]);
  });

  it('Another key or another window counts for itself', async () => {
    await rates.hit('b', window);
    expect(await rates.hit('c', window)).to.equal(1);
    expect(await rates.hit('b', window + 1)).to.equal(1);
    expect(await rates.hit('b', window + 1)).to.equal(2);
  });

  it('Simultaneous hits are all counted', async () => {
    const counts = await Promise.all(Array.from({ length: 40 }, () => rates.hit('d', window + 2)));
    expect([...counts].sort((x, y) => x - y)).to.deep.equal(counts.map((_, i) => i + 1));
  });

  it('An answer that came while the process was busy counts', async () => {
    await opened.rates.hit('f', window);
    await new Promise((resolve) => setImmediate(resolve));
    const hit = opened.rates.hit('f', window);
    // What was asked for in one turn is sent at its end.
    await new Promise((resolve) => process.nextTick(resolve));
    // From here the loop comes to its timers first and to its sockets later.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await hit).to.equal(2);
  });

  it('An outage rejects with PortFailure soon, in a quarter of a second if the process is not busy itself', async () => {
    for (const away of [opened.broken, opened.silent]) {
      const slow = new Promise((resolve) => setTimeout(resolve, 2_000, 'slow'));
      const hit = away.hit('e', window).then(
        () => 'answered',
        (error: unknown) => (error instanceof PortFailure ? 'PortFailure' : String(error)),
      );
      expect(await Promise.race([hit, slow])).to.equal('PortFailure');
    }
  });
}
