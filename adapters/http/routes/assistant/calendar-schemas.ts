import type {
  CalendarImport,
  EventDraft,
  EventEdit,
  EventView,
  Occurrence,
  TimeInput,
} from '../../../../core/calendar/index.ts';
import { EVENT_STATUSES } from '../../../../ports/calendar.ts';
import {
  closed,
  dateTime,
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
  type SentDateTime,
  type TypeOf,
} from '../../schema.ts';
import { iso } from '../shapes.ts';

export const CalendarImported = named(
  'CalendarImported',
  closed({
    created: int(),
    updated: int(),
    skipped: int(),
    errors: list(closed({ line: int(), uid: text(), reason: text() })),
  }),
);

export const presentCalendarImport = ({
  created,
  updated,
  skipped,
  errors,
}: CalendarImport): TypeOf<typeof CalendarImported> => ({
  created,
  updated,
  skipped,
  errors: errors.map(({ line, uid, reason }) => ({ line, uid, reason })),
});

export const eventPath = object({ event_id: uuid() });
export const occurrencePath = object({
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

/** What a new event is made of. */
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
export const NewEventBody = named('NewEvent', object(eventFields));

/** A window of the agenda. */
export const agendaFields = {
  from: sentDateTime(),
  to: sentDateTime(),
  limit: withDefault(int({ minimum: 1, maximum: 2_000 }), 500),
};

export const EventChanges = named('EventChanges', object({ ...changes, rrule: rule }));
export const OccurrenceChanges = named('OccurrenceChanges', object(changes));
export const SplitBody = named(
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

export const CalendarEvent = named(
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

export const AgendaItem = named(
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

export const draftOf = (body: TypeOf<typeof OccurrenceChanges>): EventDraft => ({
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

export const editOf = (body: TypeOf<typeof EventChanges>): EventEdit => ({
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

export function cardOf({ event, span, label }: EventView): TypeOf<typeof CalendarEvent> {
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

export function itemOf(occurrence: Occurrence): TypeOf<typeof AgendaItem> {
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
