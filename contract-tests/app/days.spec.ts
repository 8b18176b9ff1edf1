import { expect } from 'chai';
import fc from 'fast-check';
import { dayOf, firstDayOf, lastDayOf, startOfDay } from '../../web/data/days.ts';

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Europe/Berlin'];
const YEARS_MS = 60 * 365 * 86_400_000;

describe('the days of a filter', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  for (const name of ZONES)
    it(`are shown as they were chosen, in ${name}`, () => {
      process.env['TZ'] = name;
      fc.assert(
        fc.property(fc.integer({ min: 0, max: YEARS_MS }), (at) => {
          const day = dayOf(new Date(at));
          expect(firstDayOf(startOfDay(day))).to.equal(day);
          expect(lastDayOf(startOfDay(day, 1))).to.equal(day);
          // The moment itself lies between.
          expect(Date.parse(startOfDay(day) ?? '')).to.be.at.most(at);
          expect(Date.parse(startOfDay(day, 1) ?? '')).to.be.above(at);
        }),
      );
    });

  it('are none without a day or a time', () => {
    expect([startOfDay(''), firstDayOf(undefined), lastDayOf(undefined)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
