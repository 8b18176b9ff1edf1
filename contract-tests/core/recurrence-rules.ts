import fc from 'fast-check';
import { parseRule, type Recurrence, type Rule } from '../../core/recurrence/index.ts';

/** A rule that has to be valid. */
export function ruleFrom(text: string): Rule {
  const parsed = parseRule(text);
  if ('reason' in parsed) throw new Error(`${text}: ${parsed.reason}`);
  return parsed.rule;
}

const signed = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: 1, max: most }),
    fc.integer({ min: -most, max: -1 }),
    fc.constantFrom(1, -1, most, -most),
  );
const some = (number: fc.Arbitrary<number | string>, most = 3): fc.Arbitrary<string> =>
  fc.uniqueArray(number, { minLength: 1, maxLength: most }).map((list) => list.join());
const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const counted = (most: number) =>
  fc.tuple(fc.option(signed(most), { nil: '' }), weekday).map(([nth, day]) => `${nth}${day}`);
const weekdays = fc.oneof(some(weekday, 5), fc.constant('MO,TU,WE,TH,FR'), fc.constant('SU,SA'));

const parts = {
  BYMONTH: some(fc.integer({ min: 1, max: 12 }), 4),
  BYWEEKNO: some(signed(53)),
  BYYEARDAY: some(signed(366), 6),
  BYMONTHDAY: some(signed(31), 5),
  BYHOUR: some(fc.integer({ min: 0, max: 23 })),
  BYMINUTE: some(fc.constantFrom(0, 10, 30, 35, 59)),
  BYSECOND: some(fc.constantFrom(0, 1, 30, 60), 2),
  BYSETPOS: some(fc.oneof(signed(4), signed(20), signed(366))),
  WKST: weekday,
};
const days: Record<Rule['freq'], fc.Arbitrary<string>> = {
  YEARLY: fc.oneof(weekdays, some(counted(53))),
  MONTHLY: fc.oneof(weekdays, some(counted(5))),
  WEEKLY: weekdays,
  DAILY: weekdays,
  HOURLY: weekdays,
};
/** How often a part is present, out of twenty. */
const OFTEN: Record<keyof typeof parts | 'BYDAY', number> = {
  ...{ BYMONTH: 6, BYWEEKNO: 3, BYYEARDAY: 3, BYMONTHDAY: 6, BYDAY: 9 },
  ...{ BYHOUR: 4, BYMINUTE: 4, BYSECOND: 2, BYSETPOS: 5, WKST: 6 },
};

/** Valid rules without an end, with every frequency and every part. */
export const ruleText: fc.Arbitrary<string> = fc
  .constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY')
  .chain((freq) => {
    const given = { ...parts, BYDAY: days[freq] };
    const chosen = Object.entries(given).map(([name, value]) =>
      fc
        .tuple(fc.integer({ min: 1, max: 20 }), value)
        .map(([dice, text]) =>
          dice <= OFTEN[name as keyof typeof OFTEN] ? `;${name}=${text}` : '',
        ),
    );
    const interval = fc.oneof(
      { weight: 5, arbitrary: fc.constant('') },
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 6 }).map((n) => `;INTERVAL=${n}`) },
      { weight: 1, arbitrary: fc.integer({ min: 7, max: 10_000 }).map((n) => `;INTERVAL=${n}`) },
    );
    return fc.tuple(interval, ...chosen).map((all) => `FREQ=${freq}${all.join('')}`);
  })
  .filter((text) => 'rule' in parseRule(text));

const start = fc
  .tuple(
    fc.integer({ min: Date.UTC(2003, 0, 1) / 86_400_000, max: Date.UTC(2030, 0, 1) / 86_400_000 }),
    fc.oneof(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 240 })),
  )
  .map(([day, minute]) => day * 86_400_000 + minute * 60_000);

/** Days before unusual offset changes. */
const strange = fc
  .constantFrom(
    ...['2011-12-29T09:00', '2024-10-05T02:10', '2024-03-30T02:30', '2007-03-10T02:30'],
    ...['2023-12-31T00:00', '2004-02-29T01:30', '2012-12-30T23:59'],
  )
  .map((text) => Date.parse(`${text}Z`));

export interface Series extends Recurrence {
  readonly rule: Rule;
}

/** Series of such rules in zones with offset changes, and in some without. */
export const series: fc.Arbitrary<Series> = fc
  .record({
    rule: ruleText.map(ruleFrom),
    start: fc.oneof({ weight: 4, arbitrary: start }, { weight: 1, arbitrary: strange }),
    tz: fc.constantFrom(
      ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'],
    ),
    allDay: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
  })
  .map((it) => (it.allDay ? { ...it, start: Math.floor(it.start / 86_400_000) * 86_400_000 } : it));
