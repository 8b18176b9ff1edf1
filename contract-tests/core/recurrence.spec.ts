import { expect } from 'chai';
import fc from 'fast-check';
import { intlTimeZones } from '../../adapters/node/time-zones.ts';
import {
  boundsOf,
  countBefore,
  endingAt,
  formatRule,
  isOccurrence,
  occurrences,
  parseRule,
  type Occurrence,
  withoutFirst,
} from '../../core/recurrence/index.ts';
import { naiveOccurrences } from './reference-recurrence.ts';
import { ruleFrom, ruleText, type Series, series } from './recurrence-rules.ts';

const DAY = 86_400_000;
const zones = intlTimeZones();

/** The horizon of the reference implementation, and of most tests here. */
const horizon: Record<Series['rule']['freq'], number> = {
  ...{
    YEARLY: 4_000 * DAY,
    MONTHLY: 1_500 * DAY,
    WEEKLY: 500 * DAY,
    DAILY: 400 * DAY,
    HOURLY: 60 * DAY,
  },
};
const endOf = (it: Series): number => it.start + horizon[it.rule.freq];

/** Occurrences before the horizon, 300 at most. */
function walked(it: Series, most = 300): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of occurrences(zones, it, -Infinity, endOf(it))) {
    if (found.push(occurrence) === most) break;
  }
  return found;
}

const between = (it: Series, from: number, to: number) => [...occurrences(zones, it, from, to)];
const shown = (list: readonly Occurrence[]) =>
  list.map(({ local, at }) => `${new Date(local).toISOString()} = ${new Date(at).toISOString()}`);
const example = (text: string, start: string, tz: string, allDay = false): Series => ({
  ...{ rule: ruleFrom(text), start: Date.parse(`${start}Z`), tz, allDay },
});
/** A fraction of the horizon. */
const share = fc.double({ min: 0, max: 1, noNaN: true });
const at = (it: Series, part: number): number =>
  it.start + Math.floor(horizon[it.rule.freq] * part);

describe('occurrences', () => {
  it('equal those of a brute-force search over every time of every day', () => {
    fc.assert(
      fc.property(series, (it) => {
        const naive = naiveOccurrences(zones, it, endOf(it)).filter(
          ({ at }) => at < endOf(it) - DAY,
        );
        expect(shown(between(it, -Infinity, endOf(it) - DAY))).to.deep.equal(shown(naive));
      }),
      {
        numRuns: 700,
        examples: [
          [
            example(
              'FREQ=DAILY;BYHOUR=2;BYMINUTE=10,35',
              '2024-10-05T02:10',
              'Australia/Lord_Howe',
            ),
          ],
          [example('FREQ=HOURLY;BYMINUTE=0,30', '2024-03-30T22:00', 'Europe/Berlin')],
          [example('FREQ=DAILY', '2011-12-29T09:00', 'Pacific/Apia')],
          [example('FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1', '2019-12-30T09:00', 'UTC')],
          [example('FREQ=WEEKLY;BYSETPOS=-1;BYDAY=MO,SU;WKST=WE', '2024-01-01T09:00', 'UTC')],
        ],
      },
    );
  });

  it('are the same when jumping to a window as when iterating from the start', () => {
    fc.assert(
      fc.property(series, share, (it, part) => {
        const from = at(it, part);
        const all = between(it, -Infinity, endOf(it));
        expect(shown(between(it, from, endOf(it)))).to.deep.equal(
          shown(all.filter((o) => o.at >= from)),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('of two adjacent windows are those of both together', () => {
    fc.assert(
      fc.property(series, fc.tuple(share, share, share), (it, parts) => {
        const [from = 0, middle = 0, to = 0] = parts
          .sort((a, b) => a - b)
          .map((part) => at(it, part));
        const both = [...between(it, from, middle), ...between(it, middle, to)];
        expect(shown(both)).to.deep.equal(shown(between(it, from, to)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('ascend strictly, by local time and by instant', () => {
    fc.assert(
      fc.property(series, (it) => {
        const found = walked(it);
        for (const [index, { local, at }] of found.entries()) {
          const before = found[index - 1] ?? { local: -Infinity, at: -Infinity };
          expect(local).to.be.greaterThan(before.local);
          expect(at).to.be.greaterThan(before.at);
          expect(zones.toInstant(it.tz, local)).to.equal(at);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('of a rule with COUNT are the first ones of the rule without COUNT', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 30 }), (it, count) => {
        const counted = { ...it, rule: { ...it.rule, count } };
        expect(shown(walked(counted))).to.deep.equal(shown(walked(it).slice(0, count)));
        const bounds = boundsOf(zones, counted);
        const all = [...occurrences(zones, counted, -Infinity)];
        expect(bounds).to.deep.equal(
          all.length === 0 ? undefined : { first: all[0]!.local, last: all.at(-1)!.local },
        );
        if (bounds !== undefined)
          expect(
            shown([...occurrences(zones, { ...counted, last: bounds.last }, -Infinity)]),
          ).to.deep.equal(shown(all));
      }),
      { numRuns: 500 },
    );
  });

  it('of a rule that ends at its k-th number k', () => {
    fc.assert(
      fc.property(series, fc.nat({ max: 40 }), (it, index) => {
        const found = walked(it);
        const last = found[index];
        if (last === undefined) return;
        const ended = { ...it, rule: endingAt(zones, it, last.local) };
        const expected = shown(found.slice(0, index + 1));
        expect(shown([...occurrences(zones, ended, -Infinity)])).to.deep.equal(expected);
        const bounds = boundsOf(zones, ended);
        expect(bounds).to.deep.equal({ first: found[0]!.local, last: last.local });
        const known = { ...ended, last: bounds!.last };
        expect(shown([...occurrences(zones, known, -Infinity)])).to.deep.equal(expected);
        const reading = { ...it.rule, until: { kind: 'reading', at: last.local } as const };
        expect(shown([...occurrences(zones, { ...it, rule: reading }, -Infinity)])).to.deep.equal(
          expected,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are the same after a series is split before its k-th', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: 1, max: 40 }),
        fc.option(fc.integer({ min: 50, max: 200 }), { nil: null }),
        (endless, index, count) => {
          const it = { ...endless, rule: { ...endless.rule, count } };
          const found = walked(it);
          const split = found[index];
          if (split === undefined) return;
          const done = countBefore(zones, it, split.local);
          expect(done).to.equal(index);
          const before = { ...it, rule: endingAt(zones, it, found[index - 1]!.local) };
          const after = { ...it, start: split.local, rule: withoutFirst(it.rule, done) };
          const both = [...walked(before), ...between(after, -Infinity, endOf(it))];
          expect(shown(both.slice(0, 300))).to.deep.equal(shown(found));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are distinguished from other local times', () => {
    fc.assert(
      fc.property(series, (it) => {
        const found = walked(it, 40);
        for (const [index, { local }] of found.entries()) {
          expect(isOccurrence(zones, it, local), String(index)).to.equal(true);
          for (const other of [local - 1000, local + 1000, local + DAY])
            expect(isOccurrence(zones, it, other)).to.equal(
              found.some((known) => known.local === other) ||
                (other > found.at(-1)!.local &&
                  between(it, other - 2 * DAY, other + 2 * DAY).some(
                    (known) => known.local === other,
                  )),
            );
        }
      }),
      { numRuns: 150 },
    );
  });

  it('end with every rule, and with the year 2200', () => {
    const far = Date.UTC(2199, 0, 1);
    fc.assert(
      fc.property(series, (it) => {
        const first = boundsOf(zones, it);
        expect(first?.last ?? null).to.equal(null);
        let last: Occurrence | undefined;
        for (const occurrence of occurrences(zones, it, far)) last = occurrence;
        if (last !== undefined) {
          expect(last.at).to.be.at.least(far);
          expect(new Date(last.local).getUTCFullYear()).to.be.at.most(2200);
        }
        if (first === undefined) expect(last).to.equal(undefined);
      }),
      {
        numRuns: 300,
        examples: [
          // Still 2198 in this zone.
          [example('FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31', '2003-01-01T19:00', 'America/New_York')],
        ],
      },
    );
  });

  it('of an event without a rule are its start', () => {
    const once = { rule: null, start: Date.UTC(2024, 0, 1, 9), tz: 'Europe/Berlin', allDay: false };
    const only = { local: once.start, at: Date.UTC(2024, 0, 1, 8) };
    expect([...occurrences(zones, once, -Infinity)]).to.deep.equal([only]);
    expect([...occurrences(zones, once, only.at)]).to.deep.equal([only]);
    expect([...occurrences(zones, once, only.at + 1)]).to.deep.equal([]);
    expect([...occurrences(zones, once, -Infinity, only.at)]).to.deep.equal([]);
    expect(boundsOf(zones, once)).to.deep.equal({ first: once.start, last: once.start });
    expect(isOccurrence(zones, once, once.start)).to.equal(true);
    expect(countBefore(zones, once, once.start + 1)).to.equal(1);
  });
});

describe('a rule', () => {
  it('is parsed as it was formatted', () => {
    const until = fc.constantFrom(
      '',
      ';COUNT=7',
      ';UNTIL=20240229',
      ';UNTIL=20240229T235959',
      ';UNTIL=20240229T120000Z',
    );
    fc.assert(
      fc.property(ruleText, until, (text, end) => {
        const rule = ruleFrom(text + end);
        const written = formatRule(rule);
        expect(parseRule(written)).to.deep.equal({ rule });
        expect(formatRule(ruleFrom(written))).to.equal(written);
        expect(parseRule(written.toLowerCase())).to.deep.equal({ rule });
        expect(written.length).to.be.at.most(text.length + end.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is rejected or evaluated for any input', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'FREQ=',
        'DAILY',
        ';',
        ',',
        '=',
        'BYDAY',
        'BYHOUR=',
        '-1',
        '99',
        'UNTIL=2024',
        'T',
        'Z',
        ' ',
      ),
      fc.string({ maxLength: 3 }),
      ruleText,
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const parsed = parseRule(pieces.join(''));
        if ('reason' in parsed) expect(parsed.reason).to.match(/^[A-Z"].*\.$/);
        else boundsOf(zones, { rule: parsed.rule, start: 0, tz: 'UTC', allDay: false });
      }),
      { numRuns: 1_000 },
    );
  });
});
