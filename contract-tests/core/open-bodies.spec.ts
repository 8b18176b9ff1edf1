import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainError } from '../../core/shared/errors.ts';
import { MIN_BYTES_PER_SECOND, PACE_SECONDS, Pace } from '../../core/shares/pace.ts';
import { MAX_OPEN_BODIES, OpenBodies, type OpenBody } from '../../core/shares/open-bodies.ts';

const scope = { tenantId: 't', ownerId: 'o' };
const sender = (network: string, shareId = 's') => ({ scope, shareId, network });
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as DomainError).code;
  }
};

describe('the pace of a body', () => {
  it('is too slow in exactly those windows that bring less than 10 kB for each second', () => {
    const perSecond = fc.oneof(fc.nat(2 * MIN_BYTES_PER_SECOND), fc.constant(0));
    fc.assert(
      fc.property(fc.array(perSecond, { maxLength: 4 * PACE_SECONDS }), (seconds) => {
        const pace = new Pace();
        let arrived = 0;
        for (const [i, bytes] of seconds.entries()) {
          arrived += bytes;
          pace.tick(arrived);
          const end = Math.floor((i + 1) / PACE_SECONDS) * PACE_SECONDS;
          const window = seconds.slice(Math.max(0, end - PACE_SECONDS), end);
          const sum = window.reduce((all, each) => all + each, 0);
          const expected = end > 0 && sum < MIN_BYTES_PER_SECOND * PACE_SECONDS;
          expect(pace.isTooSlow, `second ${i + 1}`).to.equal(expected);
        }
      }),
    );
  });
});

describe('the bodies that visitors are sending', () => {
  /** Fills every place of a share, two bodies for each network. */
  const full = (): { bodies: OpenBodies; open: OpenBody[] } => {
    const bodies = new OpenBodies();
    const open = Array.from({ length: MAX_OPEN_BODIES }, (_, i) =>
      bodies.open(sender(`n${i >> 1}`), null),
    );
    return { bodies, open };
  };
  const runs = (body: OpenBody, bytesPerSecond: number): void => {
    for (let i = 1; i <= PACE_SECONDS; i++) body.pace.tick(i * bytesPerSecond);
  };

  it('are at most two of one network, and sixteen of a share', () => {
    const { bodies, open } = full();
    expect(codeOf(() => bodies.open(sender('n0'), null))).to.equal('rate_limited');
    expect(codeOf(() => bodies.open(sender('another'), null))).to.equal('rate_limited');
    expect(codeOf(() => bodies.open(sender('n0', 'other share'), null))).to.equal('ok');
    open[0]?.close();
    expect(codeOf(() => bodies.open(sender('another'), null))).to.equal('ok');
  });

  it('give the place of the slowest to another one, once its pace is known', async () => {
    const { bodies, open } = full();
    for (const [i, body] of open.entries()) if (i > 3) runs(body, 100_000 - i);
    const [slowest] = open.slice(-1);
    expect(codeOf(() => bodies.open(sender('n0'), null))).to.equal('rate_limited');
    expect(slowest?.isOpen).to.equal(true);
    expect(codeOf(() => bodies.open(sender('another'), null))).to.equal('ok');
    expect(open.filter(({ isOpen }) => !isOpen)).to.deep.equal([slowest]);
    expect(((await slowest?.stopped) as DomainError).kind).to.equal('too-slow');
  });

  it('reserve what they announce for later ones, and what has arrived if that is more', () => {
    const bodies = new OpenBodies();
    const first = bodies.open(sender('a'), 101_024);
    const second = bodies.open(sender('b'), null);
    const elsewhere = bodies.open(sender('c', 'other share'), null);
    second.fileBytes = 50;
    expect(bodies.reservedBefore(first, 'share')).to.equal(0);
    expect(bodies.reservedBefore(second, 'share')).to.equal(100_000);
    expect(bodies.reservedBefore(elsewhere, 'share')).to.equal(0);
    expect(bodies.reservedBefore(elsewhere, 'owner')).to.equal(100_050);
    first.fileBytes = 200_000;
    expect(bodies.reservedBefore(elsewhere, 'owner')).to.equal(200_050);
    first.close();
    first.close();
    expect(bodies.reservedBefore(elsewhere, 'owner')).to.equal(50);
  });
});
