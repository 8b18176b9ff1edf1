import { expect } from 'chai';
import { fixedTimeZones } from '../../adapters/memory/time-zones.ts';
import {
  boundsOf,
  isOccurrence,
  occurrences,
  type Recurrence,
} from '../../core/recurrence/index.ts';
import { ruleFrom } from './recurrence-rules.ts';

const zones = fixedTimeZones();
const time = (text: string): number => Date.parse(`${text}Z`);
const text = (at: number): string => new Date(at).toISOString().slice(0, 16);
const series = (rule: string, start: string, tz: string, allDay = false): Recurrence => ({
  ...{ rule: ruleFrom(rule), start: time(start), tz, allDay },
});
/** Local times and instants of the first occurrences from an instant on. */
function first(count: number, it: Recurrence, from = -Infinity): readonly string[] {
  const found: string[] = [];
  for (const { local, at } of occurrences(zones, it, from)) {
    if (found.push(`${text(local)} ${text(at)}`) === count) break;
  }
  return found;
}

describe('a series across offset changes', () => {
  it('stays at nine in the morning local time', () => {
    expect(first(3, series('FREQ=DAILY', '2024-03-30T09:00', 'Europe/Berlin'))).to.deep.equal([
      '2024-03-30T09:00 2024-03-30T08:00',
      '2024-03-31T09:00 2024-03-31T07:00',
      '2024-04-01T09:00 2024-04-01T07:00',
    ]);
    expect(first(2, series('FREQ=DAILY', '2024-11-02T09:00', 'America/New_York'))).to.deep.equal([
      '2024-11-02T09:00 2024-11-02T13:00',
      '2024-11-03T09:00 2024-11-03T14:00',
    ]);
  });

  it('moves a start in a gap forward by the gap, once', () => {
    const daily = series('FREQ=DAILY', '2024-03-30T02:30', 'Europe/Berlin');
    expect(first(3, daily)).to.deep.equal([
      '2024-03-30T02:30 2024-03-30T01:30',
      '2024-03-31T02:30 2024-03-31T01:30',
      '2024-04-01T02:30 2024-04-01T00:30',
    ]);
    expect(first(1, daily, time('2024-03-31T01:00'))).to.deep.equal([
      '2024-03-31T02:30 2024-03-31T01:30',
    ]);
    expect(isOccurrence(zones, daily, time('2024-03-31T02:30'))).to.equal(true);
    expect(isOccurrence(zones, daily, time('2024-03-31T03:30'))).to.equal(false);
    expect(
      first(2, series('FREQ=WEEKLY', '2024-10-06T02:15', 'Australia/Lord_Howe')),
    ).to.deep.equal(['2024-10-06T02:15 2024-10-05T15:45', '2024-10-13T02:15 2024-10-12T15:15']);
  });

  it('uses the first of two ambiguous instants', () => {
    expect(first(2, series('FREQ=DAILY', '2024-10-27T02:30', 'Europe/Berlin'))).to.deep.equal([
      '2024-10-27T02:30 2024-10-27T00:30',
      '2024-10-28T02:30 2024-10-28T01:30',
    ]);
    expect(
      first(1, series('FREQ=DAILY', '2024-10-26T02:30', 'Europe/Berlin'), time('2024-10-27T00:31')),
    ).to.deep.equal(['2024-10-28T02:30 2024-10-28T01:30']);
    expect(first(1, series('FREQ=DAILY', '2024-04-07T01:45', 'Australia/Lord_Howe'))).to.deep.equal(
      ['2024-04-07T01:45 2024-04-06T14:45'],
    );
  });

  it('has one occurrence if two local times are the same instant, by the one shown on the clock', () => {
    const hourly = series('FREQ=HOURLY', '2024-03-31T01:30', 'Europe/Berlin');
    expect(first(3, hourly)).to.deep.equal([
      '2024-03-31T01:30 2024-03-31T00:30',
      '2024-03-31T03:30 2024-03-31T01:30',
      '2024-03-31T04:30 2024-03-31T02:30',
    ]);
    expect(isOccurrence(zones, hourly, time('2024-03-31T02:30'))).to.equal(false);
    const apia = series('FREQ=DAILY;COUNT=3', '2011-12-29T09:00', 'Pacific/Apia');
    expect(first(9, apia)).to.deep.equal([
      '2011-12-29T09:00 2011-12-29T19:00',
      '2011-12-31T09:00 2011-12-30T19:00',
      '2012-01-01T09:00 2011-12-31T19:00',
    ]);
    expect(boundsOf(zones, apia)?.last).to.equal(time('2012-01-01T09:00'));
    const weekly = series('FREQ=WEEKLY;BYDAY=FR', '2011-12-23T09:00', 'Pacific/Apia');
    expect(first(2, weekly)).to.deep.equal([
      '2011-12-23T09:00 2011-12-23T19:00',
      '2011-12-30T09:00 2011-12-30T19:00',
    ]);
    expect(first(1, weekly, time('2011-12-30T18:00'))).to.deep.equal([
      '2011-12-30T09:00 2011-12-30T19:00',
    ]);
  });

  it('stays in order if another occurrence precedes a moved one, which then has the local time on the clock', () => {
    const it_ = series(
      'FREQ=DAILY;BYHOUR=2;BYMINUTE=10,35',
      '2024-10-06T00:00',
      'Australia/Lord_Howe',
    );
    expect(first(3, it_)).to.deep.equal([
      '2024-10-06T02:35 2024-10-05T15:35',
      '2024-10-06T02:40 2024-10-05T15:40',
      '2024-10-07T02:10 2024-10-06T15:10',
    ]);
  });

  it('ends with the preceded occurrence if that is the last', () => {
    const rule = 'FREQ=DAILY;BYHOUR=2;BYMINUTE=10,35;UNTIL=20241005T154000Z';
    const it_ = series(rule, '2024-10-05T00:00', 'Australia/Lord_Howe');
    expect(boundsOf(zones, it_)?.last).to.equal(time('2024-10-06T02:40'));
    expect(first(9, it_).at(-1)).to.equal('2024-10-06T02:40 2024-10-05T15:40');
  });

  it('steps through local hours', () => {
    expect(
      first(4, series('FREQ=HOURLY;INTERVAL=6', '2024-03-30T18:00', 'Europe/Berlin')),
    ).to.deep.equal([
      '2024-03-30T18:00 2024-03-30T17:00',
      '2024-03-31T00:00 2024-03-30T23:00',
      '2024-03-31T06:00 2024-03-31T04:00',
      '2024-03-31T12:00 2024-03-31T10:00',
    ]);
  });
});

describe('an end', () => {
  const days = (rule: string, start = '2024-06-03T00:30', tz = 'Europe/Berlin', allDay = false) =>
    [...occurrences(zones, series(rule, start, tz, allDay), -Infinity)].map(({ local }) =>
      text(local),
    );

  it('with a Z is an instant', () => {
    expect(days('FREQ=DAILY;UNTIL=20240603T223000Z')).to.deep.equal([
      '2024-06-03T00:30',
      '2024-06-04T00:30',
    ]);
    expect(days('FREQ=DAILY;UNTIL=20240603T222959Z')).to.deep.equal(['2024-06-03T00:30']);
  });

  it('without one is a local time', () => {
    expect(days('FREQ=DAILY;UNTIL=20240604T003000')).to.have.length(2);
    expect(days('FREQ=DAILY;UNTIL=20240604T002959')).to.have.length(1);
  });

  it('that is a date includes that day', () => {
    expect(days('FREQ=DAILY;UNTIL=20240604')).to.have.length(2);
    expect(
      days('FREQ=DAILY;UNTIL=20240604', '2024-06-03T23:59', 'America/New_York'),
    ).to.have.length(2);
    expect(
      days('FREQ=DAILY;UNTIL=20240604', '2024-06-03T00:00', 'Europe/Berlin', true),
    ).to.have.length(2);
  });
});

describe('a start that does not match the rule', () => {
  const firstOf = (rule: string, start: string, allDay = false) => {
    const bounds = boundsOf(zones, series(rule, start, 'Europe/Berlin', allDay));
    return bounds && text(bounds.first);
  };

  it('moves to the first match', () => {
    expect(firstOf('FREQ=WEEKLY;BYDAY=TU', '2024-06-03T09:00')).to.equal('2024-06-04T09:00');
    expect(firstOf('FREQ=DAILY;BYHOUR=8', '2024-06-03T09:00')).to.equal('2024-06-04T08:00');
    expect(firstOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2024-06-03T09:00')).to.equal(
      '2028-02-29T09:00',
    );
    expect(firstOf('FREQ=HOURLY;INTERVAL=5;BYHOUR=0', '2024-06-03T09:00')).to.equal(
      '2024-06-04T00:00',
    );
    expect(firstOf('FREQ=YEARLY;BYWEEKNO=53', '2024-06-03T09:00')).to.equal('2026-12-28T09:00');
  });

  it('counts set positions from the beginning of its period', () => {
    expect(firstOf('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', '2024-06-04T09:00')).to.equal(
      '2024-07-01T09:00',
    );
    expect(firstOf('FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1', '2024-06-05T09:00')).to.equal(
      '2024-06-10T09:00',
    );
  });

  it('of an all-day event ignores hours, minutes and seconds', () => {
    expect(
      firstOf('FREQ=DAILY;BYHOUR=8;BYMINUTE=30;BYSECOND=1', '2024-06-03T00:00', true),
    ).to.equal('2024-06-03T00:00');
    expect(firstOf('FREQ=HOURLY;INTERVAL=36', '2024-06-03T00:00', true)).to.equal(
      '2024-06-03T00:00',
    );
  });
});

describe('the supported years', () => {
  it('are 1900 to 2200', () => {
    expect(first(2, series('FREQ=DAILY', '2200-12-31T09:00', 'UTC'))).to.have.length(1);
    expect(first(2, series('FREQ=YEARLY', '1900-01-01T00:00', 'UTC'))).to.have.length(2);
    expect(
      first(1, series('FREQ=DAILY', '2024-01-01T09:00', 'UTC'), time('2201-01-01T00:00')),
    ).to.deep.equal([]);
    for (const early of [
      '1899-12-31T09:00',
      '1850-01-01T09:00',
      '0001-01-01T00:00',
      '2201-01-01T00:00',
    ])
      for (const rule of [
        'FREQ=DAILY',
        'FREQ=YEARLY;BYWEEKNO=1;UNTIL=20200101',
        'FREQ=MONTHLY;COUNT=2',
      ])
        expect(boundsOf(zones, series(rule, early, 'UTC')), early).to.equal(undefined);
    const sundays = series(
      'FREQ=WEEKLY;BYDAY=MO,SU;BYSETPOS=-1;UNTIL=22050101',
      '2024-01-07T09:00',
      'UTC',
    );
    expect(boundsOf(zones, sundays)?.last).to.equal(time('2200-12-28T09:00'));
    expect(first(1, series('FREQ=DAILY', '2024-01-01T09:00', 'UTC'), Infinity)).to.deep.equal([]);
  });
});
