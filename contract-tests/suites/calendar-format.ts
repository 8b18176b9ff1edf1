import { expect } from 'chai';
import fc from 'fast-check';
import type { EventDetails } from '../../ports/calendar.ts';
import type {
  CalendarFormat,
  ICalendarEvent,
  ParsedCalendar,
} from '../../ports/calendar-format.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { eventTexts, filedEvents } from '../samples.ts';

export const FLOATING = { tz: 'Asia/Tokyo', now: Date.UTC(2026, 0, 1) };

export const at = (text: string): number => Date.parse(`${text}Z`);

export const aDetails = (over: Partial<EventDetails> = {}): EventDetails => ({
  title: 'Standup',
  description: '',
  location: '',
  start: at('2026-03-02T09:00:00'),
  later: false,
  duration: { days: 0, ms: 1_800_000 },
  tz: 'Europe/Berlin',
  allDay: false,
  reminders: [],
  status: 'confirmed',
  ...over,
});

export const aFiled = (over: Partial<ICalendarEvent> = {}): ICalendarEvent => ({
  uid: 'standup@example.com',
  details: aDetails(),
  rrule: '',
  exceptions: [],
  number: null,
  createdAt: 1_000,
  updatedAt: 2_000,
  line: 0,
  ...over,
});

export async function whole(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

/** A calendar with these lines, the first of them as line 2 of the file. */
export const calendarOf = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');

export const eventOf = (uid: string, ...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  ...lines,
  'END:VEVENT',
];

/** Without line numbers, which events to be written do not have. */
export const withoutLines = ({ events }: ParsedCalendar): readonly ICalendarEvent[] =>
  events.map((event) => ({
    ...event,
    line: 0,
    exceptions: event.exceptions.map((exception) => ({ ...exception, line: 0 })),
  }));

/** The contract of every CalendarFormat, with the given time zones. */
export function calendarFormatContract(format: CalendarFormat, zones: TimeZones): void {
  const read = (...lines: readonly string[]) => format.read(calendarOf(...lines), FLOATING);
  const only = async (...lines: readonly string[]): Promise<ICalendarEvent> => {
    const { events, errors } = await read(...lines);
    expect(errors).to.deep.equal([]);
    expect(events).to.have.length(1);
    return events[0]!;
  };

  it('A written calendar is read back, field for field', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(filedEvents(zones), { selector: ({ uid }) => uid, maxLength: 4 }),
        eventTexts(40),
        async (events, name) => {
          const text = await whole(format.write({ name, events }));
          const again = await format.read(text, FLOATING);
          expect(again.errors).to.deep.equal([]);
          expect(withoutLines(again)).to.deep.equal(events);
        },
      ),
      { numRuns: 120 },
    ));

  it('One broken event is reported with its line and UID, and the others are read', async () => {
    const start = 'DTSTART:20260301T100000Z';
    /** The lines of an event after its UID, the index of the reported one, and the expected reason. */
    const broken: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['SUMMARY:x'], -1, /no DTSTART/],
      [['DTSTART:20260230T100000Z'], 0, /not a valid time/],
      [['DTSTART:20260301T250000Z'], 0, /not a valid time/],
      [['DTSTART:20260301T100000+0100'], 0, /not a valid time/],
      [['DTSTART'], 0, /not a content line/],
      [[start, 'DTEND:20260301T095959Z'], 1, /ends before/],
      [[start, 'DTEND;VALUE=DATE:20260302'], 1, /both dates or both times/],
      [[start, 'DURATION:-PT1H'], 1, /ends before/],
      [[start, 'DURATION:1 hour'], 1, /DURATION/],
      [['DTSTART;TZID=Middle Earth:20260301T100000'], 0, /Middle Earth/],
      [[start, 'DESCRIPTION:one', 'two, on a line of its own'], 2, /not a content line/],
      [[start, 'SUMMARY;LANGUAGE="en:x'], 1, /cannot be read/],
      [[start, 'RRULE:FREQ=DAILY', 'EXDATE:tomorrow'], 2, /not a valid time/],
      [[start, 'RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'], 2, /EXRULE/],
      [[start, 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'], 2, /more than one RRULE/],
      [[start, 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260301T100000Z'], 1, /RANGE/],
      [[start, 'BEGIN:VALARM', 'TRIGGER:-PT5M'], 1, /VALARM.*no END/],
      [[start, 'END:VALARM'], 1, /ends nothing/],
    ];
    const good = (uid: string) => eventOf(uid, start, 'SUMMARY:Good');
    for (const [lines, offset, reason] of broken) {
      const { events, errors } = await read(
        ...good('a'),
        ...eventOf('bad', ...lines),
        ...good('b'),
      );
      const about = lines.join(' | ');
      expect(
        events.map(({ uid }) => uid),
        about,
      ).to.deep.equal(['a', 'b']);
      expect(errors, about).to.have.length(1);
      expect(errors[0], about).to.deep.include({ uid: 'bad', line: offset < 0 ? 7 : 9 + offset });
      expect(errors[0]!.reason, about).to.match(reason);
    }
    const unended = await read(...good('a'), 'BEGIN:VEVENT', 'UID:bad', start, ...good('b'));
    expect(unended.events.map(({ uid }) => uid)).to.deep.equal(['a', 'b']);
    expect(unended.errors.map(({ line, uid }) => [line, uid])).to.deep.equal([[7, 'bad']]);
  });

  it('A file that is not a calendar is reported as such', async () => {
    const texts = [
      ...['', '\ufeff', '\r\n\r\n', '<!doctype html>\n<p>Sign in</p>', '{"events": []}'],
      ...['BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260301T100000Z\r\nEND:VEVENT', 'BEGIN', '::::'],
    ];
    for (const text of texts) {
      const { isCalendar, events, errors } = await format.read(text, FLOATING);
      expect(isCalendar, text).to.equal(false);
      expect(events, text).to.deep.equal([]);
      expect(errors, text).to.have.length(1);
      expect(errors[0], text).to.deep.include({ line: 1, uid: '' });
    }
    expect(await read()).to.deep.equal({ isCalendar: true, events: [], errors: [] });
  });

  it('A zone given by a Windows name, by a path that contains its name or by a VTIMEZONE is mapped to its IANA name', async () => {
    const rules = (tzid: string, ...more: readonly string[]) => [
      'BEGIN:VTIMEZONE',
      `TZID:${tzid}`,
      ...more,
      'BEGIN:STANDARD',
      'DTSTART:16011028T030000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010325T020000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ];
    const cases: readonly (readonly [string, string, (readonly string[])?])[] = [
      ['Europe/Rome', 'Europe/Rome'],
      ['europe/rome', 'Europe/Rome'],
      ['W. Europe Standard Time', 'Europe/Berlin'],
      ['Eastern Standard Time', 'America/New_York'],
      ['/freeassociation.sourceforge.net/Europe/Berlin', 'Europe/Berlin'],
      ['/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
      ['tzone://Microsoft/Utc', 'UTC'],
      ['Home', 'Europe/Rome', rules('Home', 'X-LIC-LOCATION:Europe/Rome')],
      ['Home', 'Europe/Berlin', rules('Home')],
      ['(UTC+01:00) Madrid, Paris', 'Europe/Madrid', rules('(UTC+01:00) Madrid, Paris')],
      ['(UTC+01:00) Madrid, Paris', 'Europe/Madrid'],
    ];
    for (const [tzid, tz, zone = []] of cases) {
      const event = eventOf('a', `DTSTART;TZID="${tzid}":20260701T090000`);
      for (const lines of [
        [...zone, ...event],
        [...event, ...zone],
      ]) {
        const { details } = await only(...lines);
        expect([tzid, details.tz]).to.deep.equal([tzid, tz]);
        expect(details.start).to.equal(at('2026-07-01T09:00:00'));
      }
    }
  });

  it('A time without a zone is in the given zone, or in the one that the file declares as its default', async () => {
    const event = eventOf('a', 'DTSTART:20260301T100000', 'DTEND:20260301T110000');
    const day = eventOf('a', 'DTSTART;VALUE=DATE:20260301');
    for (const lines of [event, day]) {
      expect((await only(...lines)).details.tz).to.equal('Asia/Tokyo');
      expect((await only('X-WR-TIMEZONE:Europe/Rome', ...lines)).details.tz).to.equal(
        'Europe/Rome',
      );
      expect((await only(...lines, 'X-WR-TIMEZONE:Mordor')).details.tz).to.equal('Asia/Tokyo');
    }
    expect((await only(...event)).details).to.deep.include({
      start: at('2026-03-01T10:00:00'),
      duration: { days: 0, ms: 3_600_000 },
    });
  });

  it('An occurrence is in the local time of its series, regardless of the zone of its RECURRENCE-ID', async () => {
    const series = (...lines: readonly string[]) =>
      eventOf('a', 'DTSTART;TZID=Europe/Berlin:20260320T090000', 'RRULE:FREQ=DAILY', ...lines);
    const ids: readonly (readonly [string, string])[] = [
      [';TZID=Europe/Berlin:20260330T090000', '2026-03-30T09:00:00'],
      [':20260330T070000Z', '2026-03-30T09:00:00'],
      [';TZID=America/New_York:20260330T030000', '2026-03-30T09:00:00'],
      [':20260330T090000', '2026-03-30T09:00:00'],
      [';VALUE=DATE:20260330', '2026-03-30T09:00:00'],
    ];
    for (const [id, original] of ids) {
      const moved = eventOf('a', `RECURRENCE-ID${id}`, 'DTSTART;TZID=Asia/Tokyo:20260401T120000');
      for (const lines of [
        [...series(), ...moved],
        [...moved, ...series()],
      ]) {
        const { exceptions } = await only(...lines);
        expect(
          exceptions.map((it) => [it.original, it.details?.tz, it.details?.start]),
        ).to.deep.equal([[at(original), 'Asia/Tokyo', at('2026-04-01T12:00:00')]]);
      }
      const [left, ...others] = (await only(...series(`EXDATE${id}`))).exceptions;
      expect([left, others]).to.deep.equal([
        { original: at(original), details: null, line: 6 },
        [],
      ]);
    }
    // The rule gives 02:30 on a day on which clocks go from 02:00 to 03:00.
    const night = await only(
      ...eventOf(
        'a',
        'DTSTART;TZID=Europe/Berlin:20260320T023000',
        'RRULE:FREQ=DAILY',
        'EXDATE:20260329T013000Z',
      ),
    );
    expect(night.exceptions[0]!.original).to.equal(at('2026-03-29T02:30:00'));
    const days = await only(
      ...eventOf(
        'a',
        'DTSTART;VALUE=DATE:20260320',
        'RRULE:FREQ=DAILY',
        'EXDATE;VALUE=DATE:20260321,20260322',
        'EXDATE:20260323T000000Z',
        'EXDATE;TZID=Asia/Tokyo:20260324T000000',
        'EXDATE:20260324T150000Z',
      ),
    );
    expect(days.exceptions.map(({ original }) => original)).to.deep.equal(
      ['21', '22', '23', '24', '25'].map((day) => at(`2026-03-${day}T00:00:00`)),
    );
  });

  it('Any text is written as one value of one property', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(eventTexts(500), fc.constantFrom('a\r\nEND:VEVENT', 'a\rBEGIN:VALARM')),
        async (text) => {
          const details = aDetails({ title: text, description: text, location: text });
          const event = aFiled({ uid: text, details: { ...details, reminders: [5] } });
          const written = await whole(format.write({ name: text, events: [event] }));
          const lines = written.split('\r\n');
          expect(lines.pop()).to.equal('');
          for (const line of lines) {
            expect(line).not.to.match(/[\r\n]/);
            expect(Buffer.byteLength(line)).to.be.at.most(75);
            expect(line).to.equal(line.toWellFormed());
          }
          const unfolded = written.replaceAll('\r\n ', '').split('\r\n').slice(0, -1);
          for (const line of unfolded) expect(line).to.match(/^[A-Z-]+[:;]/);
          const names = unfolded.map((line) => /^[A-Z-]+/.exec(line)![0]);
          for (const [name, count] of Object.entries({
            NAME: 1,
            UID: 1,
            SUMMARY: 1,
            DESCRIPTION: text ? 2 : 1,
          }))
            expect(names.filter((it) => it === name)).to.have.length(count);
          expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).to.have.length(1);
        },
      ),
      { numRuns: 60 },
    ));
}
