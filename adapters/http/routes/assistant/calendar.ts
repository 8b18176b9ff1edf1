import type {
  EventDraft,
  EventEdit,
  EventView,
  Occurrence,
} from '../../../../core/calendar/index.ts';
import type { SentMoment } from '../../../../core/calendar/index.ts';
import { EVENT_STATUSES } from '../../../../ports/calendar.ts';
import { missingFile } from '../../request/multipart.ts';
import { route, streamRoute } from '../../route.ts';
import {
  closed,
  flag,
  int,
  label,
  list,
  named,
  object,
  oneOf,
  optional,
  rrule,
  sentDateTime,
  text,
  timeZone,
  uuid,
  withDefault,
  dateTime,
  type SentDateTime,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, deleted, iso, listReply, paging } from '../shapes.ts';

const tag = 'Calendar';

const MOST_CALENDAR_BYTES = 8 * 2 ** 20;

const eventPath = object({ event_id: uuid() });
const occurrencePath = object({
  event_id: uuid(),
  original_start: sentDateTime({
    description:
      'When it begins by the rule. Without an offset it is read in the zone of the event.',
  }),
});

const fields = {
  tz: optional(timeZone()),
  all_day: optional(flag()),
  description: optional(text({ maxLength: 20_000 })),
  location: optional(text({ maxLength: 1_000 })),
  reminders: optional(
    list(int({ minimum: 0, maximum: 40_320 }), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Minutes before the start.',
    }),
  ),
  status: optional(oneOf(...EVENT_STATUSES)),
};
const changes = {
  title: optional(label(500)),
  starts_at: optional(sentDateTime()),
  ends_at: optional(sentDateTime()),
  ...fields,
};
const rule = optional(rrule({ description: "RFC 5545 §3.3.10, without `RRULE:`; '' for none." }));

/** What a new event is made of. */
export const eventFields = {
  title: label(500),
  starts_at: sentDateTime({
    description:
      "With an offset that instant; without one a time in `tz`, or else the owner's zone.",
  }),
  ends_at: sentDateTime(),
  ...fields,
  rrule: rule,
};
const NewEventBody = named('NewEvent', object(eventFields));

/** A window of the agenda. */
export const agendaFields = {
  from: sentDateTime(),
  to: sentDateTime(),
  limit: withDefault(int({ minimum: 1, maximum: 2_000 }), 500),
};

const EventChanges = named('EventChanges', object({ ...changes, rrule: rule }));
const OccurrenceChanges = named('OccurrenceChanges', object(changes));
const SplitBody = named(
  'SplitEvent',
  object({
    from: sentDateTime({
      description: 'When the first occurrence to be changed begins by the rule.',
    }),
    ...changes,
    rrule: rule,
  }),
);

const shown = {
  title: text(),
  starts_at: dateTime(),
  ends_at: dateTime(),
  tz: text(),
  all_day: flag(),
  description: text(),
  location: text(),
  status: oneOf(...EVENT_STATUSES),
};

const CalendarEvent = named(
  'CalendarEvent',
  closed({
    id: uuid(),
    number: int(),
    ...shown,
    rrule: text(),
    recurrence_label: text(),
    reminders: list(int()),
  }),
);

const AgendaItem = named(
  'AgendaItem',
  closed({
    event_id: uuid(),
    number: int(),
    ...shown,
    original_start: dateTime(),
    recurring: flag(),
    overridden: flag(),
  }),
);

export const momentOf = ({ local, offsetMinutes }: SentDateTime): SentMoment => ({
  local: Date.parse(`${local}Z`),
  offsetMinutes,
});

const draftOf = (body: TypeOf<typeof OccurrenceChanges>): EventDraft => ({
  ...(body.title !== undefined && { title: body.title }),
  ...(body.starts_at && { startsAt: momentOf(body.starts_at) }),
  ...(body.ends_at && { endsAt: momentOf(body.ends_at) }),
  ...(body.tz !== undefined && { tz: body.tz }),
  ...(body.all_day !== undefined && { allDay: body.all_day }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.location !== undefined && { location: body.location }),
  ...(body.reminders && { reminders: body.reminders }),
  ...(body.status && { status: body.status }),
});

const editOf = (body: TypeOf<typeof EventChanges>): EventEdit => ({
  ...draftOf(body),
  ...(body.rrule !== undefined && { rrule: body.rrule }),
});

/** A new event as the core takes it. */
export const newEventOf = (body: TypeOf<typeof NewEventBody>) => ({
  ...editOf(body),
  title: body.title,
  startsAt: momentOf(body.starts_at),
  endsAt: momentOf(body.ends_at),
});

function cardOf({ event, span, label }: EventView): TypeOf<typeof CalendarEvent> {
  return {
    id: event.id,
    number: event.number,
    title: event.title,
    starts_at: iso(span.from),
    ends_at: iso(span.until),
    tz: event.tz,
    all_day: event.allDay,
    description: event.description,
    location: event.location,
    status: event.status,
    rrule: event.rrule,
    recurrence_label: label,
    reminders: [...event.reminders],
  };
}

function itemOf(occurrence: Occurrence): TypeOf<typeof AgendaItem> {
  const { event, details, span, originalAt, overridden } = occurrence;
  return {
    event_id: event.id,
    number: event.number,
    title: details.title,
    starts_at: iso(span.from),
    ends_at: iso(span.until),
    tz: details.tz,
    all_day: details.allDay,
    description: details.description,
    location: details.location,
    status: details.status,
    original_start: iso(originalAt),
    recurring: event.rrule !== '',
    overridden,
  };
}

export const calendarRoutes = [
  route({
    method: 'get',
    path: '/v1/calendar/events',
    tag,
    name: 'listEvents',
    summary: 'Events as rules, newest first',
    access: 'owner',
    query: object({
      q: withDefault(
        text({ maxLength: 500, description: 'Part of a title, description or location.' }),
        '',
      ),
      ...paging,
    }),
    reply: { json: listReply('CalendarEventList', CalendarEvent) },
    run: (core, { caller, query: { q, ...page } }) =>
      core.calendar.listEvents(caller, { search: q.trim(), ...page }),
    present: ({ items, total }) => ({ items: items.map(cardOf), total }),
  }),
  route({
    method: 'post',
    path: '/v1/calendar/events',
    tag,
    name: 'createEvent',
    summary: 'Put an event or a series into the calendar',
    description:
      'All-day events begin and end at midnight of their zone. A start that does not match the rule is moved to the first that does. A time that a clock change leaves out is moved on by as much; one that comes twice is the first.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    body: { json: NewEventBody },
    reply: { json: CalendarEvent },
    run: (core, { caller, body }) => core.calendar.createEvent(caller, newEventOf(body)),
    present: cardOf,
  }),
  route({
    method: 'get',
    path: '/v1/calendar/events/:event_id',
    tag,
    name: 'getEvent',
    summary: 'One event; of a series the rule',
    access: 'owner',
    errors: ['not_found'],
    params: eventPath,
    reply: { json: CalendarEvent },
    run: (core, { caller, params }) => core.calendar.getEvent(caller, params.event_id),
    present: cardOf,
  }),
  route({
    method: 'patch',
    path: '/v1/calendar/events/:event_id',
    tag,
    name: 'editEvent',
    summary: 'Change an event, or all of a series',
    description:
      "A start that is moved without an end takes the end along. `rrule: ''` ends the recurrence. Occurrences that were changed by themselves stay changed as long as the rule still has them.",
    access: 'owner',
    errors: ['not_found'],
    params: eventPath,
    body: { json: EventChanges },
    reply: { json: CalendarEvent },
    run: (core, { caller, params, body }) =>
      core.calendar.editEvent(caller, params.event_id, editOf(body)),
    present: cardOf,
  }),
  route({
    method: 'delete',
    path: '/v1/calendar/events/:event_id',
    tag,
    name: 'deleteEvent',
    summary: 'Take an event away, with all its occurrences',
    access: 'owner',
    errors: ['not_found'],
    params: eventPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.calendar.deleteEvent(caller, params.event_id),
    present: deleted,
  }),
  route({
    method: 'put',
    path: '/v1/calendar/events/:event_id/occurrences/:original_start',
    tag,
    name: 'changeOccurrence',
    summary: 'Change one occurrence',
    description: 'What is not sent stays as it is. Of a single event it is the event that changes.',
    access: 'owner',
    errors: ['not_found', 'too_many_exceptions'],
    params: occurrencePath,
    body: { json: OccurrenceChanges },
    reply: { json: AgendaItem },
    run: (core, { caller, params, body }) =>
      core.calendar.changeOccurrence(
        caller,
        params.event_id,
        momentOf(params.original_start),
        draftOf(body),
      ),
    present: itemOf,
  }),
  route({
    method: 'delete',
    path: '/v1/calendar/events/:event_id/occurrences/:original_start',
    tag,
    name: 'leaveOutOccurrence',
    summary: 'Leave one occurrence out',
    access: 'owner',
    errors: ['not_found', 'too_many_exceptions'],
    params: occurrencePath,
    reply: { json: Deleted },
    run: (core, { caller, params }) =>
      core.calendar.leaveOutOccurrence(caller, params.event_id, momentOf(params.original_start)),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/calendar/events/:event_id/split',
    tag,
    name: 'splitEvent',
    summary: 'Change an occurrence and all that follow',
    description:
      'The series ends before it and one of its own begins there, which is the answer. At the first occurrence the whole series is changed.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    errors: ['not_found'],
    params: eventPath,
    body: { json: SplitBody },
    reply: { json: CalendarEvent },
    run: (core, { caller, params, body }) =>
      core.calendar.splitEvent(caller, params.event_id, momentOf(body.from), editOf(body)),
    present: cardOf,
  }),
  route({
    method: 'get',
    path: '/v1/calendar/agenda',
    tag,
    name: 'getAgenda',
    summary: 'Everything that takes place in a window, by start',
    description:
      'The window is half open and at most 400 days long. Times without an offset are read in the owner’s zone. `original_start` is when an occurrence begins by its rule, whatever became of it.',
    access: 'owner',
    errors: ['window_too_full'],
    query: object(agendaFields),
    reply: { json: listReply('Agenda', AgendaItem) },
    run: (core, { caller, query: { from, to, limit } }) =>
      core.calendar.agenda(caller, { from: momentOf(from), to: momentOf(to), limit }),
    present: ({ items, total }) => ({ items: items.map(itemOf), total }),
  }),
  streamRoute({
    method: 'get',
    path: '/v1/calendar/export',
    tag,
    name: 'exportCalendar',
    summary: 'The calendar as an iCalendar file',
    access: 'owner',
    reply: { stream: 'text/calendar; charset=utf-8', tagged: true },
    run: (core, { caller }) => core.calendar.exportCalendar(caller),
  }),
  route({
    method: 'post',
    path: '/v1/calendar/import',
    tag,
    name: 'importCalendar',
    summary: 'Take in an iCalendar file',
    description:
      'Sound events are taken, what is wrong with the others is listed by line. An event that is there under its UID is brought to what the file says, or skipped where it says so already.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    errors: ['not_a_calendar', 'too_large'],
    body: {
      multipart: object({}),
      files: {
        name: 'file',
        many: false,
        rawMediaType: 'text/calendar',
        maxTextBytes: MOST_CALENDAR_BYTES,
      },
    },
    reply: {
      json: named(
        'CalendarImported',
        closed({
          created: int(),
          updated: int(),
          skipped: int(),
          errors: list(closed({ line: int(), uid: text(), reason: text() })),
        }),
      ),
    },
    run: async (core, { caller, texts }) => {
      const [file] = texts;
      if (!file) throw missingFile();
      return core.calendar.importCalendar(caller, file.text);
    },
    present: ({ created, updated, skipped, errors }) => ({
      created,
      updated,
      skipped,
      errors: errors.map(({ line, uid, reason }) => ({ line, uid, reason })),
    }),
  }),
  route({
    method: 'post',
    path: '/v1/calendar/feed',
    tag,
    name: 'openFeed',
    summary: 'A secret address under which other calendars can subscribe to this one',
    description: 'It is shown this once. Asking again replaces it.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    reply: { json: named('CalendarFeed', closed({ url: text() })) },
    run: (core, { caller }) => core.calendar.openFeed(caller),
    present: ({ url }) => ({ url }),
  }),
  route({
    method: 'delete',
    path: '/v1/calendar/feed',
    tag,
    name: 'closeFeed',
    summary: 'End the subscription address',
    access: 'owner',
    errors: ['not_found'],
    reply: { json: Deleted },
    run: (core, { caller }) => core.calendar.closeFeed(caller),
    present: deleted,
  }),
  streamRoute({
    method: 'get',
    path: '/v1/calendar/feed/:secret.ics',
    tag,
    name: 'readFeed',
    summary: 'The calendar, for whoever knows its secret address',
    access: 'visitor',
    errors: ['not_found'],
    params: object({ secret: text({ maxLength: 200 }) }),
    reply: { stream: 'text/calendar; charset=utf-8', tagged: true },
    run: (core, { params }) => core.calendar.readFeed(params.secret),
  }),
];
