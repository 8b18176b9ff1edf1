import { expect } from 'chai';
import { BackgroundThrottle } from '../adapters/node/background-throttle.ts';

const ASKS_ON_MS = 250;
const LOOK_MS = 20;
const GOOD_MS = 100;
const MAX_PUT_OFF_MS = 5_000;

describe('what goes before work in the background', () => {
  let [now, idle] = [0, 0];
  let later: (() => void)[];
  let foreground: BackgroundThrottle;
  beforeEach(() => {
    [now, idle] = [1_000, 0];
    later = [];
    foreground = new BackgroundThrottle({
      now: () => now,
      idle: () => idle,
      later: (run) => later.push(run),
    });
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  /** Somebody asks, and the loop is at it or has time to spare until the look ends. */
  const look = async (spareMs: number, asks = true) => {
    if (asks) foreground.noteRequest();
    [now, idle] = [now + LOOK_MS, idle + spareMs];
    for (const run of later.splice(0)) run();
    await turn();
  };
  const begins = () => {
    const reported: boolean[] = [];
    foreground.waitForIdle().then(
      (may) => reported.push(may),
      () => undefined,
    );
    return reported;
  };

  it('work begins at once while nobody asks', async () => {
    const reported = begins();
    await turn();
    expect(reported).to.deep.equal([true]);
  });

  it('work begins after a look where the loop has time to spare, however much is asked', async () => {
    foreground.noteRequest();
    const reported = [begins(), begins()];
    await turn();
    expect(reported).to.deep.equal([[], []]);
    expect(later).to.have.length(1);
    await look(LOOK_MS / 2);
    expect(reported).to.deep.equal([[true], [true]]);
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
    foreground.noteRequest();
    const reported = begins();
    await turn();
    for (let looks = 0; looks < 20; looks++) await look(1);
    expect(reported).to.deep.equal([]);
    await look(LOOK_MS);
    expect(reported).to.deep.equal([true]);
  });

  it('work begins when nobody has asked for a while, however busy the loop is', async () => {
    foreground.noteRequest();
    const reported = begins();
    await turn();
    for (let ms = LOOK_MS; ms < ASKS_ON_MS; ms += LOOK_MS) {
      expect(reported).to.deep.equal([]);
      await look(0, false);
    }
    await look(0, false);
    expect(reported).to.deep.equal([true]);
  });

  it('work is put off for some seconds at most', async () => {
    foreground.noteRequest();
    const reported = begins();
    await turn();
    const from = now;
    while (reported.length === 0 && now - from < 2 * MAX_PUT_OFF_MS) await look(0);
    expect(reported).to.deep.equal([true]);
    expect(now - from).to.equal(MAX_PUT_OFF_MS);
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
    foreground.noteRequest();
    const reported = begins();
    await turn();
    foreground.stop();
    await look(0);
    expect(reported).to.deep.equal([false]);
    expect(await foreground.waitForIdle()).to.equal(false);
  });
});
