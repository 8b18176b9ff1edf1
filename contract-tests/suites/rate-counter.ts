import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import type { RateCounter } from '../../ports/rate-counter.ts';

/**
 * The contract of every RateCounter. `broken` creates one whose store is unavailable, `silent` one whose store never
 * responds.
 */
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

  it('`hit` returns the count of the key in the window, this hit included, from 1', async () => {
    const counts = [];
    for (let i = 0; i < 3; i++) counts.push(await rates.hit('a', window));
    expect(counts).to.deep.equal([1, 2, 3]);
  });

  it('Other keys and windows are counted separately', async () => {
    await rates.hit('b', window);
    expect(await rates.hit('c', window)).to.equal(1);
    expect(await rates.hit('b', window + 1)).to.equal(1);
    expect(await rates.hit('b', window + 1)).to.equal(2);
  });

  it('Concurrent hits are all counted', async () => {
    const counts = await Promise.all(Array.from({ length: 40 }, () => rates.hit('d', window + 2)));
    expect([...counts].sort((x, y) => x - y)).to.deep.equal(counts.map((_, i) => i + 1));
  });

  it('A reply that arrived while the process was busy counts', async () => {
    await opened.rates.hit('f', window);
    await new Promise((resolve) => setImmediate(resolve));
    const hit = opened.rates.hit('f', window);
    // Hits of one event-loop tick are sent at its end.
    await new Promise((resolve) => process.nextTick(resolve));
    // From here the event loop runs timers first and sockets later.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    expect(await hit).to.equal(2);
  });

  it('An outage rejects with UnavailableError within a quarter of a second, unless the process itself is busy', async () => {
    for (const away of [opened.broken, opened.silent]) {
      const slow = new Promise((resolve) => setTimeout(resolve, 2_000, 'slow'));
      const hit = away.hit('e', window).then(
        () => 'answered',
        (error: unknown) =>
          error instanceof UnavailableError ? 'UnavailableError' : String(error),
      );
      expect(await Promise.race([hit, slow])).to.equal('UnavailableError');
    }
  });
}
