import { expect } from 'chai';
import { admitVisitor, type ShareTries } from '../../core/shares/index.ts';

const SLOT_MS = 3_000;
const RESERVATION_MS = 60_000;

describe('an attempt on the password of a share', () => {
  const now = Date.UTC(2026, 0, 1);
  /** A share that is slow for everyone, whose latest free time has just been used. */
  const slow = (at: number): ShareTries => ({
    own: undefined,
    network: undefined,
    all: { attemptTimes: Array.from({ length: 50 }, () => at), reservedAt: at },
  });

  it('is reserved once for all addresses of a network', () => {
    const first = admitVisitor(slow(now), now);
    expect(first).to.deep.include({ admitted: false, retryAfterMs: SLOT_MS });
    if (first.admitted || !first.stored) return expect.fail('no reservation');
    const { network, all } = first.stored;
    const second = admitVisitor({ own: undefined, network, all }, now);
    expect(second).to.have.all.keys('admitted', 'retryAfterMs');
    const elsewhere = admitVisitor({ own: undefined, network: undefined, all }, now);
    expect(elsewhere).to.deep.include({ admitted: false, retryAfterMs: 2 * SLOT_MS });
    expect(elsewhere).to.have.property('stored');
    // The visitor with the reservation is not held up by it.
    expect(admitVisitor(first.stored, now + SLOT_MS)).to.have.property('admitted', true);
  });

  it('counts if it was reserved and not used', () => {
    let at = now;
    let tries: Pick<ShareTries, 'own' | 'network'> = { own: undefined, network: undefined };
    for (let i = 0; i < 5; i++) {
      const verdict = admitVisitor({ ...slow(at), ...tries }, at);
      if (verdict.admitted || !verdict.stored) return expect.fail(`no reservation ${i}`);
      tries = { own: verdict.stored.own, network: verdict.stored.network };
      at += SLOT_MS + RESERVATION_MS;
    }
    const last = admitVisitor({ ...slow(at), ...tries }, at);
    expect(last).to.have.all.keys('admitted', 'retryAfterMs');
    expect(last).to.have.property('retryAfterMs').greaterThan(RESERVATION_MS);
  });
});
