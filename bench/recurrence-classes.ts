import type { Rule } from '../core/recurrence/index.ts';
import type { Case } from './recurrence-cases.ts';

/** A kind of rule with known differences between engines, in the order of checking. */
export type Classes = readonly (readonly [
  name: string,
  holds: (rule: Rule, it: Case) => boolean,
])[];

const limits = (rule: Rule): number =>
  [rule.byYearDay, rule.byMonthDay, rule.byDay, rule.byWeekNo].filter((list) => list.length > 0)
    .length;

export const DATEUTIL_DIFFERENCES: Classes = [
  [
    'BYDAY with and without numbers together: only what is both',
    ({ byDay }) => byDay.some(({ nth }) => nth === 0) && byDay.some(({ nth }) => nth !== 0),
  ],
  [
    'BYWEEKNO without BYDAY: all days of the week',
    ({ byWeekNo, byDay, byMonthDay, byYearDay }) =>
      byWeekNo.length > 0 && byDay.length + byMonthDay.length + byYearDay.length === 0,
  ],
  [
    'BYWEEKNO: weeks cut at the turn of the year, and counted with the year of each day',
    ({ byWeekNo }) => byWeekNo.length > 0,
  ],
  [
    'WEEKLY with BYSETPOS: the first week begins with the start',
    ({ freq, bySetPos }) => freq === 'WEEKLY' && bySetPos.length > 0,
  ],
];

export const TEMPORAL_DIFFERENCES: Classes = [
  ['a reading in a gap is left out', (_, { skips }) => skips],
  [
    'YEARLY with two or more of BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY: more than where they meet',
    (rule) => rule.freq === 'YEARLY' && limits(rule) > 1,
  ],
  [
    'YEARLY with the 53rd of a weekday or the 366th day in a year without one: a day of the next year',
    ({ freq, byDay, byYearDay }) =>
      freq === 'YEARLY' &&
      [...byDay.map(({ nth }) => nth), ...byYearDay].some((number) => Math.abs(number) >= 53),
  ],
  ['HOURLY: elapsed hours, not those of the wall clock', ({ freq }) => freq === 'HOURLY'],
  [
    'BYDAY with and without numbers together',
    ({ byDay }) => byDay.some(({ nth }) => nth === 0) && byDay.some(({ nth }) => nth !== 0),
  ],
];
