import { expect } from 'chai';
import fc from 'fast-check';
import { toIsoString } from '../../adapters/http/response/iso-date.ts';

const LAST = 8.64e15;
const time = fc.oneof(
  fc.integer({ min: -1e9, max: 4e12 }),
  fc.integer({ min: -LAST, max: LAST }),
  fc.constantFrom(0, -1, 86_399_999, 86_400_000, -86_400_000, LAST, -LAST, 253_402_300_800_000),
);

describe('times in replies', () => {
  it('equal the result of toISOString, in any order', () => {
    fc.assert(
      fc.property(fc.array(time), fc.integer({ min: -1_000, max: 1_000 }), (times, near) => {
        for (const at of times.flatMap((each) => [each, clipped(each + near), each]))
          expect(toIsoString(at)).to.equal(new Date(at).toISOString());
      }),
    );
  });

  it('are rejected if invalid, and the next one is correct', () => {
    for (const none of [NaN, Infinity, LAST + 1])
      expect(() => toIsoString(none)).to.throw(RangeError);
    expect(toIsoString(1_700_000_000_000)).to.equal('2023-11-14T22:13:20.000Z');
  });
});

describe('a time after the last valid one', () => {
  it('is rejected also when its day is the cached one', () => {
    expect(toIsoString(LAST)).to.equal('+275760-09-13T00:00:00.000Z');
    for (const none of [LAST + 1, LAST + 86_399_999])
      expect(() => toIsoString(none)).to.throw(RangeError);
    expect(toIsoString(LAST)).to.equal('+275760-09-13T00:00:00.000Z');
  });
});

const clipped = (at: number): number => Math.max(-LAST, Math.min(LAST, at));
