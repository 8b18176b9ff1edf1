import type {
  EventDraft,
  EventEdit,
  EventView,
  Occurrence,
} from '../../../../core/calendar/index.ts';
import type { TimeInput } from '../../../../core/calendar/index.ts';
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

const MAX_CALENDAR_BYTES = 8 * 2 ** 20;

const eventPath = object({ event_id: uuid() });
const occurrencePath = object({
  event_id: uuid(),
  original_start: sentDateTime({
    description: 'Its start by the rule. Without an offset, a local time in the zone of the event.',
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

/** The fields of a new event. */
export const eventFields = {
  title: label(500),
  starts_at: sentDateTime({
    description:
      "With an offset, an instant; without one, a local time in `tz` or else in the owner's zone.",
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
      description: 'Start by the rule of the first occurrence to change.',
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

export const momentOf = ({ local, offsetMinutes }: SentDateTime): TimeInput => ({
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

/** Converts the fields of a new event for the core. */
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
    description: '`q` matches part of title, description or location, regardless of case.',
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
    summary: 'Create an event or a series',
    description:
      'All-day events start and end at midnight of their zone. A start that does not match the rule is moved to the first match. A local time in a DST gap moves forward by the gap; of one that exists twice the first is used.',
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
    summary: 'One event; for a series, the rule',
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
    summary: 'Change an event or a whole series',
    description:
      "A new start without an end moves the end along. `rrule: ''` ends the recurrence. Changed occurrences are kept as long as the rule still has them.",
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
    summary: 'Delete an event with all its occurrences',
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
    description: 'Absent fields keep their values. For a single event, the event changes.',
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
    summary: 'Exclude one occurrence',
    access: 'owner',
    errors: ['not_found', 'too_many_exceptions'],
    params: occurrencePath,
    reply: { json: Deleted },
    run: (core, { caller, params }) =>
      core.calendar.excludeOccurrence(caller, params.event_id, momentOf(params.original_start)),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/calendar/events/:event_id/split',
    tag,
    name: 'splitEvent',
    summary: 'Change an occurrence and all later ones',
    description:
      'The series ends before it, and a new series, which is returned, starts there. At the first occurrence the whole series changes.',
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
    summary: 'Occurrences in a window, by start',
    description:
      'The window is half open and at most 400 days long. Times without an offset are in the owner’s zone. `original_start` is the start of an occurrence by its rule. A window that requires a million occurrences to be examined is 400.',
    access: 'owner',
    errors: ['too_many_occurrences'],
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
    summary: 'Import an iCalendar file',
    description:
      'Valid events are imported, errors of the others are listed by line. An event with a known UID is updated, or skipped if it is unchanged. At most 8 MiB.',
    access: 'owner',
    acceptsIdempotencyKey: true,
    errors: ['not_a_calendar', 'too_large'],
    body: {
      multipart: object({}),
      files: {
        name: 'file',
        many: false,
        rawMediaType: 'text/calendar',
        maxTextBytes: MAX_CALENDAR_BYTES,
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
    summary: 'Create a secret subscription address of the calendar',
    description: 'It is shown once. A repeat replaces it.',
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
    summary: 'The calendar feed at its secret address',
    access: 'visitor',
    errors: ['not_found'],
    params: object({ secret: text({ maxLength: 200 }) }),
    reply: { stream: 'text/calendar; charset=utf-8', tagged: true },
    run: (core, { params }) => core.calendar.readFeed(params.secret),
  }),
];
