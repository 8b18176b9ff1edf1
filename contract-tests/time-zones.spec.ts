import { expect } from 'chai';
import fc from 'fast-check';
import { fixedTimeZones, SOME_ZONES } from '../adapters/memory/time-zones.ts';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import { timeZonesContract } from './suites/time-zones.ts';

describe('Intl: TimeZones', () => timeZonesContract(intlTimeZones));
describe('a fixed table: TimeZones', () => timeZonesContract(fixedTimeZones));

const SECOND = 1000;
const DAY = 86_400_000;
const zones = intlTimeZones();
const names = Intl.supportedValuesOf('timeZone');
const formats = new Map<string, Intl.DateTimeFormat>();

/** The result of Intl for a single query, field by field. */
function shownBy(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
      ...{ hour: numeric, minute: numeric, second: numeric },
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const second = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / SECOND, max: Date.parse(to) / SECOND })
    .map((seconds) => seconds * SECOND);
const moment = second('1900-01-01', '2201-01-01');
const zone = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom(
    ...['Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kwajalein', 'Africa/Casablanca'],
    ...['Europe/Dublin', 'Africa/Monrovia', 'Africa/Freetown', 'Asia/Gaza', 'America/Boa_Vista'],
  ),
);

describe('time zones from Intl', () => {
  it('equal the direct results of Intl', () => {
    fc.assert(
      fc.property(zone, moment, (name, instant) => {
        expect(zones.toLocal(name, instant)).to.equal(shownBy(name, instant));
      }),
      {
        numRuns: 3_000,
        examples: [
          ['Africa/Freetown', Date.parse('1939-09-03T00:00:00Z')],
          ['America/Boa_Vista', Date.parse('2000-10-10T00:00:00Z')],
          ['Pacific/Kwajalein', Date.parse('1993-08-21T12:00:00Z')],
          ['Europe/Dublin', Date.parse('1916-05-21T02:25:20Z')],
        ],
      },
    );
  });

  it('change at the same second as in Intl', () => {
    fc.assert(
      fc.property(zone, second('1900-01-01', '2100-01-01'), (name, instant) => {
        let [before, after] = [instant / SECOND, instant / SECOND + 200 * 86_400];
        const offset = (at: number) => shownBy(name, at * SECOND) - at * SECOND;
        if (offset(before) === offset(after)) return;
        while (after - before > 1) {
          const middle = Math.floor((before + after) / 2);
          if (offset(middle) === offset(after)) after = middle;
          else before = middle;
        }
        for (const at of [before, after])
          expect(zones.toLocal(name, at * SECOND) - at * SECOND).to.equal(offset(at));
      }),
      { numRuns: 200 },
    );
  });

  it('map every local time to the earliest instant that shows it, or the latest on request', () => {
    fc.assert(
      fc.property(zone, moment, (name, local) => {
        const around = new Set(
          [-DAY, DAY].map((step) => shownBy(name, local + step) - local - step),
        );
        const instants = [...around]
          .map((offset) => local - offset)
          .filter((instant) => shownBy(name, instant) === local)
          .sort((a, b) => a - b);
        const [first, last] = [zones.toInstant(name, local), zones.toInstant(name, local, true)];
        if (instants.length > 0)
          expect([first, last]).to.deep.equal([instants[0], instants.at(-1)]);
        else {
          expect(first).to.equal(last);
          expect(shownBy(name, first) - local).to.equal(Math.max(...around) - Math.min(...around));
        }
      }),
      { numRuns: 3_000, examples: [['Pacific/Apia', Date.parse('2011-12-30T12:00:00Z')]] },
    );
  });

  it('agree with the fixed table of the tests', () => {
    const table = fixedTimeZones();
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(SOME_ZONES).filter((it) => !/Apia|Monrovia/.test(it))),
        second('2008-01-01', '2137-01-01'),
        (name, instant) => {
          expect(zones.toLocal(name, instant)).to.equal(table.toLocal(name, instant));
          expect(zones.toInstant(name, instant)).to.equal(table.toInstant(name, instant));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('remain correct when the cache overflows', () => {
    const much = intlTimeZones();
    for (const name of names) much.toLocal(name, 0);
    for (const name of names)
      expect(much.toLocal(name, DAY), name).to.equal(zones.toLocal(name, DAY));
  });

  it('reject a number that is not an instant', () => {
    for (const none of [NaN, Infinity, 9e15])
      expect(() => zones.toLocal('Europe/Berlin', none)).to.throw(RangeError);
  });
});
