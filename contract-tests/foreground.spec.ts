import { expect } from 'chai';
import { Foreground } from '../adapters/node/foreground.ts';

const ASKS_ON_MS = 250;
const LOOK_MS = 20;
const GOOD_MS = 100;
const MOST_PUT_OFF_MS = 5_000;

describe('what goes before work in the background', () => {
  let [now, idle] = [0, 0];
  let later: (() => void)[];
  let foreground: Foreground;
  beforeEach(() => {
    [now, idle] = [1_000, 0];
    later = [];
    foreground = new Foreground({
      now: () => now,
      idle: () => idle,
      later: (run) => later.push(run),
    });
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Somebody asks, and the loop is at it or has time to spare until the look ends. */
  const look = async (spareMs: number, asks = true) => {
    if (asks) foreground.asked();
    [now, idle] = [now + LOOK_MS, idle + spareMs];
    for (const run of later.splice(0)) run();
    await turn();
  };
  const begins = () => {
    const told: boolean[] = [];
    foreground.mayBegin().then(
      (may) => told.push(may),
      () => undefined,
    );
    return told;
  };

  it('work begins at once while nobody asks', async () => {
    const told = begins();
    await turn();
    expect(told).to.deep.equal([true]);
  });

  it('work begins after a look where the loop has time to spare, however much is asked', async () => {
    foreground.asked();
    const told = [begins(), begins()];
    await turn();
    expect(told).to.deep.equal([[], []]);
    expect(later).to.have.length(1);
    await look(LOOK_MS / 2);
    expect(told).to.deep.equal([[true], [true]]);
    now += GOOD_MS - 1;
    const next = begins();
    await turn();
    expect(next).to.deep.equal([true]);
    now += 1;
    const after = begins();
    await turn();
    expect(after).to.deep.equal([]);
  });

  it('work is put off while somebody asks and the loop is busy, and begins when it is so no more', async () => {
    foreground.asked();
    const told = begins();
    await turn();
    for (let looks = 0; looks < 20; looks++) await look(1);
    expect(told).to.deep.equal([]);
    await look(LOOK_MS);
    expect(told).to.deep.equal([true]);
  });

  it('work begins when nobody has asked for a while, however busy the loop is', async () => {
    foreground.asked();
    const told = begins();
    await turn();
    for (let ms = LOOK_MS; ms < ASKS_ON_MS; ms += LOOK_MS) {
      expect(told).to.deep.equal([]);
      await look(0, false);
    }
    await look(0, false);
    expect(told).to.deep.equal([true]);
  });

  it('work is put off for some seconds at most', async () => {
    foreground.asked();
    const told = begins();
    await turn();
    const from = now;
    while (told.length === 0 && now - from < 2 * MOST_PUT_OFF_MS) await look(0);
    expect(told).to.deep.equal([true]);
    expect(now - from).to.equal(MOST_PUT_OFF_MS);
    // And all that is in line follows, until the loop has had time to spare again.
    now += GOOD_MS;
    const next = begins();
    await turn();
    await look(0);
    expect(next).to.deep.equal([true]);
    now += GOOD_MS;
    const rested = begins();
    await turn();
    await look(LOOK_MS);
    expect(rested).to.deep.equal([true]);
    now += GOOD_MS;
    const anew = begins();
    await turn();
    await look(0);
    expect(anew).to.deep.equal([]);
  });

  it('who waits is told when work is to begin no more', async () => {
    foreground.asked();
    const told = begins();
    await turn();
    foreground.stop();
    await look(0);
    expect(told).to.deep.equal([false]);
    expect(await foreground.mayBegin()).to.equal(false);
  });
});
