import { expect } from 'chai';
import { boundsOf, parseRule, ruleLabel } from '../../core/recurrence/index.ts';
import { fixedTimeZones } from '../../adapters/memory/time-zones.ts';
import { formatRule } from '../../core/recurrence/index.ts';
import { ruleFrom } from './recurrence-rules.ts';

const zones = fixedTimeZones();
const at = (text: string): number => Date.parse(`${text}Z`);

/** Invalid rules, and what the reason has to name. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['', /FREQ is missing/],
  ['INTERVAL=2', /FREQ is missing/],
  ['RRULE:FREQ=DAILY', /RRULE:/],
  ['rrule:FREQ=DAILY', /RRULE:/],
  ['FREQ=DAILY;', /""/],
  ['FREQ=DAILY;;COUNT=2', /""/],
  ['FREQ=DAILY;BYEASTER=0', /"BYEASTER"/],
  ['FREQ=DAILY;X-THING=1', /"X-THING"/],
  ['FREQ=DAILY;RSCALE=HEBREW', /"RSCALE"/],
  ['FREQ=DAILY;SKIP=OMIT', /"SKIP"/],
  ['FREQ=DAILY;COUNT', /"COUNT"/],
  ['FREQ=DAILY;__proto__=1', /"__PROTO__"/],
  ['FREQ=DAILY;FREQ=DAILY', /FREQ is given more than once/],
  ['FREQ=DAILY;COUNT=1;count=2', /COUNT is given more than once/],
  ['FREQ=SECONDLY', /FREQ=SECONDLY/],
  ['FREQ=MINUTELY;INTERVAL=1440', /FREQ=MINUTELY/],
  ['FREQ=FORTNIGHTLY', /FREQ/],
  ['FREQ=', /FREQ/],
  ['FREQ=DAILY; COUNT=2', /spaces/],
  ['FREQ=DAİLY', /spaces/],
  ['FREQ=DAILY;COUNT=2;UNTIL=20240101', /COUNT and UNTIL/],
  ['FREQ=DAILY;INTERVAL=0', /INTERVAL/],
  ['FREQ=DAILY;INTERVAL=10001', /INTERVAL/],
  ['FREQ=DAILY;INTERVAL=-1', /INTERVAL/],
  ['FREQ=DAILY;INTERVAL=1.5', /INTERVAL/],
  ['FREQ=DAILY;INTERVAL=1e2', /INTERVAL/],
  ['FREQ=DAILY;INTERVAL=', /INTERVAL/],
  ['FREQ=DAILY;COUNT=0', /COUNT/],
  ['FREQ=DAILY;COUNT=10001', /COUNT/],
  [`FREQ=DAILY;COUNT=${'9'.repeat(400)}`, /COUNT/],
  ['FREQ=DAILY;UNTIL=tomorrow', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230229', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20231301', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230100', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230101T240000Z', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230101T006000Z', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230101T000061Z', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230101Z', /UNTIL/],
  ['FREQ=DAILY;UNTIL=20230101T00Z', /UNTIL/],
  ['FREQ=YEARLY;BYMONTH=0', /BYMONTH/],
  ['FREQ=YEARLY;BYMONTH=13', /BYMONTH/],
  ['FREQ=YEARLY;BYMONTH=-1', /BYMONTH/],
  ['FREQ=YEARLY;BYMONTH=1,', /BYMONTH/],
  ['FREQ=YEARLY;BYMONTH=5L', /BYMONTH/],
  ['FREQ=YEARLY;BYWEEKNO=0', /BYWEEKNO/],
  ['FREQ=YEARLY;BYWEEKNO=54', /BYWEEKNO/],
  ['FREQ=YEARLY;BYYEARDAY=-367', /BYYEARDAY/],
  ['FREQ=YEARLY;BYYEARDAY=0', /BYYEARDAY/],
  ['FREQ=MONTHLY;BYMONTHDAY=32', /BYMONTHDAY/],
  ['FREQ=MONTHLY;BYMONTHDAY=-32', /BYMONTHDAY/],
  ['FREQ=MONTHLY;BYMONTHDAY=0', /BYMONTHDAY/],
  ['FREQ=WEEKLY;BYDAY=MON', /BYDAY/],
  ['FREQ=WEEKLY;BYDAY=', /BYDAY/],
  ['FREQ=MONTHLY;BYDAY=0MO', /BYDAY/],
  ['FREQ=YEARLY;BYDAY=54MO', /BYDAY/],
  ['FREQ=YEARLY;BYDAY=1-MO', /BYDAY/],
  ['FREQ=DAILY;BYHOUR=24', /BYHOUR/],
  ['FREQ=DAILY;BYHOUR=+1', /BYHOUR/],
  ['FREQ=DAILY;BYMINUTE=60', /BYMINUTE/],
  ['FREQ=DAILY;BYSECOND=61', /BYSECOND/],
  ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', /BYSETPOS/],
  ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367', /BYSETPOS/],
  ['FREQ=MONTHLY;BYSETPOS=1', /BYSETPOS/],
  ['FREQ=WEEKLY;WKST=1', /WKST/],
  ['FREQ=WEEKLY;WKST=MO,TU', /WKST/],
  ['FREQ=MONTHLY;BYWEEKNO=1', /BYWEEKNO.*FREQ=MONTHLY/],
  ['FREQ=HOURLY;BYWEEKNO=1', /BYWEEKNO.*FREQ=HOURLY/],
  ['FREQ=DAILY;BYYEARDAY=1', /BYYEARDAY.*FREQ=DAILY/],
  ['FREQ=WEEKLY;BYYEARDAY=1', /BYYEARDAY.*FREQ=WEEKLY/],
  ['FREQ=MONTHLY;BYYEARDAY=1', /BYYEARDAY.*FREQ=MONTHLY/],
  ['FREQ=WEEKLY;BYMONTHDAY=1', /BYMONTHDAY.*FREQ=WEEKLY/],
  ['FREQ=WEEKLY;BYDAY=1MO', /BYDAY.*FREQ=WEEKLY/],
  ['FREQ=DAILY;BYDAY=-1MO', /BYDAY.*FREQ=DAILY/],
  ['FREQ=HOURLY;BYDAY=1MO', /BYDAY.*FREQ=HOURLY/],
  ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO', /BYDAY.*BYWEEKNO/],
  ['FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8;BYMINUTE=0,5,10,15,20,25,30,35,40,45,50', /BYHOUR.*96/],
  ['FREQ=HOURLY;BYMINUTE=0,10,20,30,40', /BYMINUTE.*96/],
  ['FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2,3,4,5,6;BYSECOND=1,2,3,4,5,6', /BYSECOND.*96/],
  [`FREQ=DAILY;BYMINUTE=${Array.from({ length: 200 }, () => '10').join()}`, /500 characters/],
];

describe('an invalid or empty rule', () => {
  for (const [text, reason] of REFUSED)
    it(`is rejected with its reason: ${text.slice(0, 60)}`, () => {
      const parsed = parseRule(text);
      expect(parsed).to.have.property('reason').that.matches(reason);
      expect(parsed)
        .to.have.property('reason')
        .that.matches(/^[A-Z"].*\.$/);
      expect(parseRule(text)).to.deep.equal(parsed);
    });

  it('never matches, and is recognised immediately as empty', () => {
    for (const text of [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31',
      'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;BYMINUTE=0,15,30,45',
      'FREQ=HOURLY;INTERVAL=24;BYHOUR=5',
      'FREQ=MONTHLY;BYDAY=6MO',
      'FREQ=MONTHLY;INTERVAL=12;BYMONTH=2',
      'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=100',
      'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3',
      'FREQ=YEARLY;INTERVAL=10000;BYMONTH=1;BYMONTHDAY=1',
      'FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1',
      'FREQ=DAILY;UNTIL=20200101',
      'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    ])
      expect(
        boundsOf(zones, {
          rule: ruleFrom(text),
          start: at('2024-06-03T09:00'),
          tz: 'UTC',
          allDay: false,
        }),
        text,
      ).to.equal(undefined);
  });
});

describe('a valid rule', () => {
  it('may reach the limits, and no more', () => {
    for (const text of [
      'FREQ=DAILY;INTERVAL=10000;COUNT=10000',
      'FREQ=HOURLY;BYMINUTE=0,15,30,45',
      'FREQ=HOURLY;INTERVAL=6;BYMINUTE=0,5,10,15,20,25,30,35,40,45,50,55',
      'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE=0,1,2,3',
      'FREQ=DAILY;BYHOUR=9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9;BYMINUTE=0,1,2,3,4,5,6,7',
      'freq=daily',
      'FREQ=YEARLY;BYDAY=+1MO,-53SU;BYMONTHDAY=+1,-31',
      'COUNT=2;FREQ=DAILY',
    ])
      expect(parseRule(text), text).to.have.property('rule');
    const padded = (length: number) =>
      `FREQ=DAILY;BYMINUTE=${'1,'.repeat(239)}1`.padEnd(length, '1');
    expect(parseRule(padded(499).slice(0, 499))).to.have.property('rule');
    expect(parseRule(`${padded(499)},1`))
      .to.have.property('reason')
      .that.includes('500 characters');
    // A stored rule may be longer: a split adds an UNTIL.
    expect(parseRule(`${padded(499)},1`, 600)).to.have.property('rule');
  });

  it('has a canonical form', () => {
    for (const [text, written] of [
      ['wkst=mo;byday=fr,mo,mo;interval=1;freq=weekly', 'FREQ=WEEKLY;BYDAY=MO,FR'],
      ['FREQ=MONTHLY;BYDAY=+1FR,-1FR,SU;WKST=SU', 'FREQ=MONTHLY;BYDAY=-1FR,SU,1FR;WKST=SU'],
      ['FREQ=DAILY;BYSECOND=60,59;BYHOUR=09', 'FREQ=DAILY;BYHOUR=9;BYSECOND=59'],
      ['UNTIL=20240229T235960;FREQ=DAILY', 'FREQ=DAILY;UNTIL=20240229T235959'],
      ['FREQ=DAILY;COUNT=007', 'FREQ=DAILY;COUNT=7'],
    ] as const)
      expect(formatRule(ruleFrom(text))).to.equal(written);
  });

  const monday = at('2024-06-03T09:30');
  for (const [text, label] of [
    ['FREQ=DAILY', 'Every day'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=1', 'Every 3 days, once'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday'],
    ['FREQ=DAILY;BYDAY=SA,SU;BYMONTH=7,8', 'Every weekend day in July and August'],
    ['FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR', 'Every day if it is the 13th of a month and a Friday'],
    ['FREQ=DAILY;INTERVAL=2;BYDAY=MO,FR', 'Every 2 days if it is a Monday or Friday'],
    ['FREQ=DAILY;BYHOUR=9,17;BYMINUTE=5', 'Every day at 09:05 and 17:05'],
    ['FREQ=DAILY;BYHOUR=9;BYSECOND=1', 'Every day at 09:30:01'],
    ['FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7', 'Every day, 8 times a day'],
    [
      'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=19971224T000000Z',
      'Every weekday until 24 December 1997',
    ],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'Every day'],
    ['FREQ=WEEKLY', 'Every week on Monday'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO;COUNT=10', 'Every 2 weeks on Monday and Friday, 10 times'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR', 'Every 2 weeks on every weekday'],
    [
      'FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=-1',
      'Every week on Monday and Friday, only the last of each week',
    ],
    ['FREQ=MONTHLY', 'On the 3rd of every month'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'On the last Friday of every month'],
    ['FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,3MO', 'On the first and third Monday of every 2 months'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'On the last day of every month'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,22,-2', 'On the 1st, 22nd and second to last day of every month'],
    ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', 'On the 13th of every month if it is a Friday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', 'On the first weekday of every month'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1',
      'On the first and last Monday or Tuesday of every month',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=1,2;BYHOUR=8,9;BYSETPOS=2',
      'On the 1st and 2nd of every month at 08:30 and 09:30, only the second of each month',
    ],
    ['FREQ=MONTHLY;BYMONTH=3,6;BYDAY=-1FR', 'On the last Friday of every March and June'],
    ['FREQ=YEARLY', 'Every year on 3 June'],
    ['FREQ=YEARLY;BYMONTH=3,6', 'Every year on the 3rd of March and June'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'Every year on the last Sunday of March'],
    ['FREQ=YEARLY;BYMONTHDAY=4', 'Every year on the 4th of every month'],
    ['FREQ=YEARLY;INTERVAL=4;BYMONTH=7;BYMONTHDAY=4', 'Every 4 years on the 4th of July'],
    ['FREQ=YEARLY;BYDAY=20MO', 'Every year on the 20th Monday of the year'],
    ['FREQ=YEARLY;BYDAY=MO', 'Every year on every Monday'],
    ['FREQ=YEARLY;BYYEARDAY=1,-1', 'Every year on the 1st and last day of the year'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'Every year on Monday in week 20'],
    [
      'FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=FR',
      'Every year on every Friday in week 1 and the last week',
    ],
    ['FREQ=HOURLY;INTERVAL=3', 'Every 3 hours'],
    ['FREQ=HOURLY;BYHOUR=9,10;BYMINUTE=0,30', 'Every hour at :00 and :30 in the hours 9 and 10'],
    ['FREQ=HOURLY;INTERVAL=24;BYMINUTE=0,1,2,3,4,5,6', 'Every 24 hours, 7 times an hour'],
    ['FREQ=HOURLY;BYDAY=SA', 'Every hour if it is a Saturday'],
    ['FREQ=DAILY;UNTIL=20240610', 'Every day until 10 June 2024'],
    ['FREQ=DAILY;UNTIL=20240610T220000Z', 'Every day until 10 June 2024'],
  ] as const)
    it(`is described as: ${label} (${text})`, () => {
      expect(ruleLabel(ruleFrom(text), monday, false)).to.equal(label);
    });

  it('is described without the times that an all-day event ignores, and with the local date', () => {
    expect(ruleLabel(ruleFrom('FREQ=DAILY;BYHOUR=9'), monday, true)).to.equal('Every day');
    const until = ruleFrom('FREQ=DAILY;UNTIL=20240610T220000Z');
    expect(ruleLabel(until, monday, false, (it) => zones.toLocal('Europe/Berlin', it))).to.equal(
      'Every day until 11 June 2024',
    );
  });
});
