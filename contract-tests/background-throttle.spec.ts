import { expect } from 'chai';
import { BackgroundThrottle } from '../adapters/node/background-throttle.ts';

const ASKS_ON_MS = 250;
const LOOK_MS = 20;
const GOOD_MS = 100;
const MAX_PUT_OFF_MS = 5_000;

describe('priority of requests over background work', () => {
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
  /** A request arrives; the loop is then busy or idle until the sample ends. */
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

  it('work starts immediately without requests', async () => {
    const reported = begins();
    await turn();
    expect(reported).to.deep.equal([true]);
  });

  it('work starts after one sample if the loop has idle time, regardless of the request rate', async () => {
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

  it('work is deferred while requests arrive and the loop is busy, and starts afterwards', async () => {
    foreground.noteRequest();
    const reported = begins();
    await turn();
    for (let looks = 0; looks < 20; looks++) await look(1);
    expect(reported).to.deep.equal([]);
    await look(LOOK_MS);
    expect(reported).to.deep.equal([true]);
  });

  it('work starts after a period without requests, even if the loop is busy', async () => {
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

  it('work is deferred by a few seconds at most', async () => {
    foreground.noteRequest();
    const reported = begins();
    await turn();
    const from = now;
    while (reported.length === 0 && now - from < 2 * MAX_PUT_OFF_MS) await look(0);
    expect(reported).to.deep.equal([true]);
    expect(now - from).to.equal(MAX_PUT_OFF_MS);
    // All queued work follows, until the loop has had idle time again.
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

  it('waiting work is notified when no more work may start', async () => {
    foreground.noteRequest();
    const reported = begins();
    await turn();
    foreground.stop();
    await look(0);
    expect(reported).to.deep.equal([false]);
    expect(await foreground.waitForIdle()).to.equal(false);
  });
});
