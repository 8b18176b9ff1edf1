import fc from 'fast-check';
import { EVENT_STATUSES, type CalendarEvent, type EventException } from '../ports/calendar.ts';
import { names, newId, orNull, texts, wholes } from './samples.ts';

export const anEvent = (over: Partial<CalendarEvent> = {}): CalendarEvent => {
  const id = newId();
  return {
    id,
    number: 1,
    uid: `${id}@here`,
    title: 'Dentist',
    description: '',
    location: '',
    start: Date.UTC(2026, 0, 5, 9),
    later: false,
    duration: { days: 0, ms: 3_600_000 },
    tz: 'Europe/Berlin',
    allDay: false,
    reminders: [],
    status: 'confirmed',
    rrule: '',
    last: Date.UTC(2026, 0, 5, 9),
    reach: { from: 0, until: 10 },
    nextReminderAt: null,
    createdAt: 1,
    updatedAt: 2,
    ...over,
  };
};

/** Before and after 1970. */
const moments = () => fc.integer({ min: -2_208_988_800_000, max: 7_289_654_400_000 });

const details = {
  title: texts(),
  description: texts(),
  location: texts(),
  start: moments(),
  later: fc.boolean(),
  duration: fc.record({ days: fc.nat(400), ms: wholes() }),
  tz: names(),
  allDay: fc.boolean(),
  reminders: fc.uniqueArray(fc.nat(40_320), { maxLength: 10 }),
  status: fc.constantFrom(...EVENT_STATUSES),
};

export const storedEvents = (): fc.Arbitrary<CalendarEvent> =>
  fc
    .record({
      ...details,
      number: wholes(),
      uid: names(),
      rrule: fc.constantFrom('', 'FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20301231T000000Z'),
      last: orNull(moments()),
      reach: fc.record({ from: moments(), until: moments() }),
      nextReminderAt: orNull(moments()),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((event) => ({ ...event, id: newId() }));

export const storedExceptions = (eventId: string): fc.Arbitrary<EventException> =>
  fc.oneof(
    fc.record({
      eventId: fc.constant(eventId),
      original: moments(),
      changes: fc.constant(null),
      span: fc.constant(null),
    }),
    fc.record({
      eventId: fc.constant(eventId),
      original: moments(),
      changes: fc.record(details, { requiredKeys: [] }),
      span: fc.record({ from: moments(), until: moments() }),
    }),
  );
