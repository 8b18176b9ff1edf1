import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { icalendarFormat } from '../adapters/icalendar/calendar-format.ts';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { intlTimeZones } from '../adapters/node/time-zones.ts';
import type { ICalendarEvent, ParsedCalendar } from '../ports/calendar-format.ts';
import {
  aDetails,
  aFiled,
  at,
  calendarFormatContract,
  calendarOf,
  eventOf,
  FLOATING,
  whole,
  withoutLines,
} from './suites/calendar-format.ts';

const zones = intlTimeZones();
const format = icalendarFormat(zones, eventLoop);

describe('icalendar: CalendarFormat', () => calendarFormatContract(format, zones));

const read = (...lines: readonly string[]) => format.read(calendarOf(...lines), FLOATING);
const only = async (...lines: readonly string[]): Promise<ICalendarEvent> => {
  const { events, errors } = await read(...eventOf('a', ...lines));
  expect(errors).to.deep.equal([]);
  return events[0]!;
};
const written = (...events: readonly ICalendarEvent[]) =>
  whole(format.write({ name: 'Calendar', events }));
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

/** An event in one line: its distinguishing fields. */
const brief = ({ details, rrule, exceptions }: ICalendarEvent) => ({
  title: details.title,
  start: `${iso(details.start)} ${details.tz}`,
  days: details.duration.days,
  minutes: details.duration.ms / 60_000,
  allDay: details.allDay,
  reminders: details.reminders,
  rrule,
  exceptions: exceptions.map((it) => {
    const start = it.details && `${iso(it.details.start)} ${it.details.title}`;
    return `${iso(it.original)} → ${start ?? 'left out'}`;
  }),
});

const timed = { days: 0, allDay: false, reminders: [], rrule: '', exceptions: [] };
const day = { ...timed, days: 1, minutes: 0, allDay: true };

const SAMPLES: Readonly<Record<string, readonly ReturnType<typeof brief>[]>> = {
  google: [
    {
      ...timed,
      title: 'Lunch; with Bob',
      start: '2026-03-10T13:00 UTC',
      minutes: 60,
      reminders: [30, 1_440],
    },
    {
      ...timed,
      title: 'Standup',
      start: '2026-03-02T09:00 Europe/Berlin',
      minutes: 30,
      rrule: 'FREQ=WEEKLY;WKST=MO;UNTIL=20260630T215959Z;BYDAY=MO',
      exceptions: [
        '2026-03-30T09:00 → 2026-03-31T14:00 Standup (moved)',
        '2026-04-06T09:00 → left out',
      ],
    },
    { ...day, title: 'Long weekend', start: '2026-05-01T00:00 Europe/Berlin', days: 3 },
  ],
  outlook: [
    {
      ...timed,
      title: 'Quarter',
      start: '2026-01-05T09:00 Europe/Berlin',
      minutes: 60,
      reminders: [15],
      rrule: 'FREQ=WEEKLY;COUNT=10;BYDAY=MO',
      exceptions: ['2026-01-19T09:00 → left out', '2026-01-26T09:00 → left out'],
    },
    {
      ...timed,
      title: 'Call with New York',
      start: '2026-03-10T15:00 America/New_York',
      minutes: 60,
    },
    { ...day, title: 'Day off', start: '2026-02-14T00:00 Asia/Tokyo' },
  ],
  apple: [
    {
      ...timed,
      title: 'Concert',
      start: '2026-07-10T22:00 Europe/Paris',
      minutes: 210,
      reminders: [120, 10_080],
    },
    {
      ...timed,
      title: 'Run',
      start: '2026-03-09T07:00 America/Los_Angeles',
      minutes: 60,
      rrule: 'FREQ=DAILY;COUNT=5',
      exceptions: ['2026-03-11T07:00 → left out'],
    },
    {
      ...day,
      title: "Ada's birthday",
      start: '2026-07-21T00:00 Asia/Tokyo',
      reminders: [900],
      rrule: 'FREQ=YEARLY',
    },
  ],
  teams: [
    {
      ...timed,
      title: 'Sync with Sydney',
      start: '2026-02-17T10:00 Australia/Sydney',
      minutes: 30,
      reminders: [15],
    },
    {
      ...day,
      title: 'Offsite',
      start: '2026-03-02T00:00 Australia/Sydney',
      days: 3,
      rrule: 'FREQ=YEARLY;COUNT=2',
      exceptions: ['2027-03-02T00:00 → 2027-03-02T00:00 Offsite, shorter'],
    },
  ],
  thunderbird: [
    {
      ...timed,
      title: 'Tango',
      start: '2026-03-01T20:00 America/Argentina/Buenos_Aires',
      minutes: 90,
      reminders: [60],
      rrule: 'FREQ=MONTHLY;COUNT=6',
      exceptions: [
        '2026-03-20T21:00 → 2026-03-20T21:00 Tango',
        '2026-03-25T20:00 → 2026-03-25T20:00 Tango',
      ],
    },
    { ...timed, title: 'Invited once', start: '2026-05-01T12:00 Europe/London', minutes: 60 },
  ],
};

describe('files exported by programs', () => {
  const sample = (name: string): Promise<ParsedCalendar> => {
    const path = join(import.meta.dirname, 'samples/calendars', `${name}.ics`);
    return format.read(readFileSync(path, 'utf8'), FLOATING);
  };

  for (const [name, expected] of Object.entries(SAMPLES))
    it(`are read: ${name}`, async () => {
      const once = await sample(name);
      expect(once.errors).to.deep.equal([]);
      expect(once.events.map(brief)).to.deep.equal(expected);
      const again = await format.read(await written(...once.events), FLOATING);
      expect(withoutLines(again)).to.deep.equal(withoutLines(once));
    });

  it('give texts without folding and escapes', async () => {
    const [lunch] = (await sample('google')).events;
    expect(lunch!.details.description).to.equal('Bring the <b>plan</b>, please.\nSecond line');
    expect(lunch!.details.location).to.equal('Café Einstein, Berlin');
    // The stamp of year nought that Google gives old events is none.
    expect(lunch!.createdAt).to.equal(at('2026-03-01T08:09:10'));
    const [call] = (await sample('teams')).events;
    expect(call!.uid).to.have.length(114);
  });

  it('are read partially, with the line of each error', async () => {
    const { events, errors } = await sample('broken');
    expect(events.map(({ details }) => details.title)).to.deep.equal([
      'A good series',
      'A newer first',
      'Without a UID',
    ]);
    expect(errors.map(({ line, uid }) => `${line} ${uid}`)).to.deep.equal([
      '1 ',
      '4 good-1',
      '9 no-start',
      '15 bad-start',
      '20 backwards',
      '26 torn',
      '30 nowhere',
      '40 series',
      '47 excluding',
      '49 not-ended',
      '62 cut-off',
    ]);
  });
});

describe('a damaged file', () => {
  const lines = Object.keys(SAMPLES)
    .map((name) =>
      readFileSync(join(import.meta.dirname, 'samples/calendars', `${name}.ics`), 'utf8'),
    )
    .flatMap((text) => text.split(/\r?\n/));
  const damaged = fc
    .record({
      from: fc.nat({ max: lines.length - 1 }),
      count: fc.integer({ min: 1, max: 80 }),
      changes: fc.array(
        fc.record({
          at: fc.nat(),
          as: fc.oneof(
            fc.constantFrom(...lines),
            fc.constantFrom('DTSTART:00000101T000000Z', 'DTEND:99991231T235959Z', 'END:VEVENT'),
            fc.constantFrom(
              'DURATION:P999999W',
              'RDATE:00010101',
              'X-OWNER-WORKSPACE-TZ:Asia/Tokyo',
            ),
            fc.constantFrom(
              'DTSTART;TZID=Asia/Tokyo:99991231T235959',
              'RECURRENCE-ID:00000101T000000',
            ),
            fc.string({ unit: 'binary', maxLength: 20 }),
          ),
          into: fc.option(fc.nat({ max: 60 })),
        }),
        { maxLength: 6 },
      ),
    })
    .map(({ from, count, changes }) => {
      const taken = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines.slice(from, from + count)];
      for (const { at: place, as, into } of changes) {
        const index = place % taken.length;
        const line = taken[index]!;
        // A line in the place of another, or the beginning of one and the end of the other.
        taken[index] = into === null ? as : line.slice(0, into) + as.slice(into);
      }
      return taken.join('\r\n');
    });

  it('yields only events and errors', () =>
    fc.assert(
      fc.asyncProperty(damaged, async (text) => {
        const { events, errors } = await format.read(text, FLOATING);
        const count = text.split('\r\n').length;
        for (const { line, reason } of errors) {
          expect(line).to.be.within(1, count);
          expect(reason).to.match(/\.$/);
        }
        for (const { uid, details, exceptions, line } of events) {
          expect(uid).not.to.equal('');
          expect(line).to.be.within(1, count);
          for (const it of [details, ...exceptions.flatMap((other) => other.details ?? [])]) {
            expect(zones.isKnown(it.tz)).to.equal(true);
            expect(it.start % 1_000 === 0).to.equal(true);
            expect(it.duration.days).to.be.at.least(0);
            expect(it.duration.ms).to.be.at.least(0);
            if (it.allDay)
              expect(it.start % 86_400_000 === 0 && it.duration.ms === 0).to.equal(true);
            expect([...it.title].length).to.be.within(1, 500);
          }
        }
      }),
      { numRuns: 300 },
    ));
});

describe('an event in a file', () => {
  const START = 'DTSTART;TZID=Europe/Berlin:20260302T090000';

  it('without a UID gets the same one at every import', async () => {
    const lines = (stamp: string) => ['BEGIN:VEVENT', START, `DTSTAMP:${stamp}`, 'END:VEVENT'];
    const [first] = (await read(...lines('20260101T000000Z'))).events;
    const [second] = (await read(...lines('20260202T000000Z'))).events;
    expect(first!.uid)
      .to.match(/^no-uid-[0-9a-f]{32}$/)
      .and.to.equal(second!.uid);
    const twice = await read(...lines('20260101T000000Z'), ...lines('20260101T000000Z'));
    expect([twice.events.length, twice.errors.length]).to.deep.equal([1, 1]);
  });

  it('ends at DTEND in exact time, after DURATION by days and then exact time, or immediately', async () => {
    const lengths: readonly (readonly [string, number, number])[] = [
      // The clocks lose an hour in between.
      ['DTEND;TZID=Europe/Berlin:20260330T090000', 0, 28 * 24 - 1],
      ['DTEND;TZID=America/New_York:20260302T090000', 0, 6],
      ['DTEND:20260302T090000', 0, 0],
      ['DTEND:20260302T100000Z', 0, 2],
      ['DURATION:P1W', 7, 0],
      ['DURATION:P1DT2H', 1, 2],
      ['DURATION:PT36H', 0, 36],
      ['SUMMARY:none', 0, 0],
    ];
    for (const [line, days, hours] of lengths) {
      const { details } = await only(START, line);
      expect(details.duration, line).to.deep.equal({ days, ms: hours * 3_600_000 });
    }
    const day = 'DTSTART;VALUE=DATE:20260302';
    for (const [line, days] of [
      ['DTEND;VALUE=DATE:20260305', 3],
      ['DTEND;VALUE=DATE:20260302', 1],
      ['DURATION:P2D', 2],
      ['SUMMARY:none', 1],
    ] as const)
      expect((await only(day, line)).details.duration, line).to.deep.equal({ days, ms: 0 });
  });

  it('that starts in a gap starts after it, and one with an ambiguous start at the first instant', async () => {
    const gap = await only('DTSTART;TZID=Europe/Berlin:20260329T023000');
    expect(gap.details.start).to.equal(at('2026-03-29T03:30:00'));
    const twice = await only('DTSTART;TZID=Europe/Berlin:20261025T023000');
    expect(twice.details).to.include({ start: at('2026-10-25T02:30:00'), later: false });
    const second = aFiled({
      details: aDetails({ start: at('2026-10-25T02:30:00'), later: true }),
    });
    const text = await written(second);
    expect(text).to.include('DTSTART:20261025T013000Z\r\nX-OWNER-WORKSPACE-TZ:Europe/Berlin\r\n');
    expect(withoutLines(await format.read(text, FLOATING))).to.deep.equal([second]);
  });

  it('has reminders before its start only, in whole minutes, ten at most', async () => {
    const alarms = (...triggers: readonly string[]) =>
      triggers.flatMap((trigger) => ['BEGIN:VALARM', `TRIGGER${trigger}`, 'END:VALARM']);
    const { details } = await only(
      START,
      ...alarms(':-PT15M', ':-P1D', ';RELATED=START:-PT90S', ':PT0S', ':-PT15M', ':-P4W'),
      ...alarms(':PT5M', ';RELATED=END:-PT7M', ';VALUE=DATE-TIME:20260302T080000Z', ':-P5W', ':?'),
    );
    expect(details.reminders).to.deep.equal([0, 2, 15, 1_440, 40_320]);
    const many = Array.from({ length: 30 }, (_, i) => `:-PT${90 - i}M`);
    expect((await only(START, ...alarms(...many))).details.reminders).to.deep.equal(
      Array.from({ length: 10 }, (_, i) => 61 + i),
    );
  });

  it('has texts of limited length without control characters, and always a title', async () => {
    const { details } = await only(
      START,
      'SUMMARY:' + '𝕏'.repeat(501),
      'DESCRIPTION:' + 'ab'.repeat(200_000),
      'LOCATION:a\u0000b\u0007c\td\\ne',
    );
    expect([...details.title]).to.have.length(500);
    expect(details.title.endsWith('𝕏…')).to.equal(true);
    expect(details.description).to.have.length(20_000);
    expect(details.location).to.equal('abc\td\ne');
    expect((await only(START)).details.title).to.equal('Untitled');
  });

  it('preserves its rule, including unknown parts', async () => {
    const rule = 'freq=DAILY;X-NEW="a";BYEASTER=1;COUNT=3';
    expect((await only(START, `RRULE:${rule}`)).rrule).to.equal(rule);
  });

  it('may be one of several with its UID: the highest SEQUENCE, then the latest change, then the last', async () => {
    const one = (title: string, ...lines: readonly string[]) =>
      eventOf('a', START, `SUMMARY:${title}`, ...lines);
    const taken = async (...events: readonly (readonly string[])[]) => {
      const { events: read_, errors } = await read(...events.flat());
      expect(errors).to.have.length(events.length - 1);
      return read_.map(({ details }) => details.title).join();
    };
    const changed = (stamp: string) => `LAST-MODIFIED:${stamp}`;
    expect(await taken(one('new', 'SEQUENCE:2'), one('old', 'SEQUENCE:1'))).to.equal('new');
    const [early, late] = [changed('20260101T000000Z'), changed('20260102T000000Z')];
    expect(await taken(one('new', late), one('old', early))).to.equal('new');
    expect(await taken(one('old', early), one('new', early))).to.equal('new');
  });

  it('may be an occurrence without its series: then it is a separate event', async () => {
    const lines = eventOf('a', START, 'RECURRENCE-ID;TZID=Europe/Berlin:20260302T100000');
    const { events, errors } = await read(...lines);
    expect(errors).to.deep.equal([]);
    expect(events.map(({ uid, rrule }) => [uid, rrule])).to.deep.equal([
      ['a/20260302T090000Z', ''],
    ]);
  });

  it('that is rejected excludes its occurrences as well', async () => {
    const { events, errors } = await read(
      ...eventOf('a', 'DTSTART:never', 'RRULE:FREQ=DAILY'),
      ...eventOf('a', START, 'RECURRENCE-ID:20260302T090000Z'),
    );
    expect(events).to.deep.equal([]);
    expect(errors.map(({ line }) => line)).to.deep.equal([4, 7]);
  });

  it('with added dates and no rule is a series of its start and these', async () => {
    const { rrule, exceptions } = await only(
      START,
      'RDATE;VALUE=DATE:20260310',
      'RDATE:20260312T080000Z,20260314T080000Z',
      'EXDATE:20260314T080000Z',
    );
    expect(rrule).to.equal('FREQ=DAILY;COUNT=1');
    expect(exceptions.map((it) => [iso(it.original), it.details?.start ?? null])).to.deep.equal([
      ['2026-03-10T09:00', at('2026-03-10T09:00:00')],
      ['2026-03-12T09:00', at('2026-03-12T09:00:00')],
      ['2026-03-14T09:00', null],
    ]);
    expect((await only(START, 'EXDATE:20260401T080000Z')).exceptions).to.deep.equal([]);
  });
});

describe('a file', () => {
  it('may contain several calendars, tasks, and lines with any line break', async () => {
    const event = eventOf('a', 'DTSTART:20260301T100000', 'SUMMARY:fol', ' ded');
    const other = eventOf('b', 'DTSTART:20260301T100000');
    const todo = ['BEGIN:VTODO', 'UID:t', 'DUE:nonsense', 'END:VTODO'];
    const text =
      calendarOf('X-WR-TIMEZONE:Europe/Rome', ...todo, ...event) + calendarOf(...other, ...todo);
    for (const end of ['\r\n', '\n', '\r']) {
      const { events, errors } = await format.read(
        '\ufeff' + text.replaceAll('\r\n', end),
        FLOATING,
      );
      expect(errors).to.deep.equal([]);
      expect(events.map(({ uid, line, details }) => [uid, line, details.tz])).to.deep.equal([
        ['a', 7, 'Europe/Rome'],
        ['b', 15, 'Asia/Tokyo'],
      ]);
      expect(events[0]!.details.title).to.equal('folded');
    }
  });

  it('with too many errors reports their number', async () => {
    const bad = Array.from({ length: 2_500 }, (_, i) => eventOf(`${i}`, 'DTSTART:never')).flat();
    const { events, errors } = await read(...bad, ...eventOf('good', 'DTSTART:20260301'));
    expect(events).to.have.length(1);
    expect(errors).to.have.length(1_001);
    expect(errors.at(-1)!.reason).to.include('1500');
  });

  it('with too many exceptions of a series excludes the series', async () => {
    const start = ['DTSTART:20260301T000000Z', 'RRULE:FREQ=HOURLY'];
    const dates = (count: number) =>
      Array.from({ length: count }, (_, i) => {
        const hour = new Date(at('2026-03-01T00:00:00') + i * 3_600_000).toISOString();
        return hour.replaceAll(/[-:]|\.\d+/g, '');
      });
    const lists = dates(10_001);
    const many = await read(...eventOf('a', ...start, `EXDATE:${lists.join()}`));
    expect([many.events.length, many.errors[0]!.line]).to.deep.equal([0, 2]);
    const singly = await read(...eventOf('a', ...start, ...lists.map((it) => `EXDATE:${it}`)));
    expect([singly.events.length, singly.errors.length]).to.deep.equal([0, 1]);
    const most = await read(...eventOf('a', ...start, `EXDATE:${lists.slice(1).join()}`));
    expect(most.events[0]!.exceptions).to.have.length(10_000);
  });

  it('with too many components is rejected with one error', async () => {
    const { events, errors } = await format.read(
      `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(100_001)}`,
      FLOATING,
    );
    expect([events.length, errors.length]).to.deep.equal([0, 1]);
  });

  it('is read in slices that yield to other work', async () => {
    const lines = Array.from({ length: 4_000 }, (_, i) => eventOf(`${i}`, 'DTSTART:20260301'));
    let turns = 0;
    let reading = true;
    const turn = () => {
      turns++;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    expect((await read(...lines.flat())).events).to.have.length(4_000);
    reading = false;
    expect(turns).to.be.above(1);
  });
});

describe('an exported calendar', () => {
  const NAMES = ['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Asia/Jerusalem'].concat(
    ['Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Sao_Paulo'],
    ['Europe/Moscow', 'Pacific/Apia', 'Africa/Cairo', 'Europe/Dublin'],
  );

  it('has the same bytes for the same events', async () => {
    const events = NAMES.map((tz) => aFiled({ uid: tz, details: aDetails({ tz }) }));
    expect(await written(...events)).to.equal(await written(...events));
  });

  it('defines the transitions of each zone as another reader computes them', async () => {
    for (const tz of NAMES)
      for (const first of [1979, 2010, 2026]) {
        const start = Date.UTC(first, 5, 1);
        const text = await written(aFiled({ details: aDetails({ tz, start }) }));
        const zone = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vtimezone');
        const other = new ICAL.Timezone(zone);
        for (let instant = start; instant < Date.UTC(2037, 11, 1); instant += 40.3 * 86_400_000) {
          const local = zones.toLocal(tz, Math.floor(instant / 1_000) * 1_000);
          // Of a reading that is shown twice the other reader means the second.
          if (zones.toInstant(tz, local) !== zones.toInstant(tz, local, true)) continue;
          const when = ICAL.Time.fromDateTimeString(new Date(local).toISOString().slice(0, 19));
          const offset = (local - zones.toInstant(tz, local)) / 1_000;
          expect(other.utcOffset(when), `${tz} ${iso(local)}`).to.equal(offset);
        }
      }
  });

  it('contains zone rules that continue, and no unused zone', async () => {
    const text = await written(
      aFiled(),
      aFiled({ uid: 'utc', details: aDetails({ tz: 'UTC' }), rrule: 'FREQ=DAILY' }),
      aFiled({
        uid: 'day',
        details: aDetails({
          tz: 'Asia/Tokyo',
          allDay: true,
          start: at('2026-03-02T00:00:00'),
          duration: { days: 1, ms: 0 },
        }),
      }),
    );
    expect(text.match(/^TZID:.*$/gm)).to.deep.equal(['TZID:Europe/Berlin']);
    expect(text).to.include('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n');
    expect(text).to.include('DTSTART:20260302T090000Z\r\n');
    expect(text).to.include('DTSTART;VALUE=DATE:20260302\r\nDTEND;VALUE=DATE:20260303\r\n');
  });
});
