import type { DialectTypes } from '../migration.ts';

/** Events as recurrence rules, changed or excluded occurrences, and one row of state for each calendar. */
export const calendarTables = ({ text, int, flag, clustered, heap }: DialectTypes) => [
  `create table calendar_events (
    owner_id ${text} not null,
    id ${text} not null,
    number ${int} not null,
    uid ${text} not null,
    title ${text} not null,
    description ${text} not null,
    location ${text} not null,
    starts ${int} not null,
    later ${flag} not null,
    duration_days ${int} not null,
    duration_ms ${int} not null,
    tz ${text} not null,
    all_day ${flag} not null,
    reminders ${text} not null,
    status ${text} not null,
    rrule ${text} not null,
    last_start ${int},
    reach_from ${int} not null,
    reach_until ${int} not null,
    next_reminder_at ${int},
    search_fold ${text} not null,
    created_at ${int} not null,
    updated_at ${int} not null,
    primary key (owner_id, id)
  )${heap}`,
  'create unique index calendar_events_by_uid on calendar_events (owner_id, uid)',
  'create index calendar_events_by_number on calendar_events (owner_id, number)',
  `create index calendar_events_by_reach on calendar_events
    (owner_id, reach_until, id, reach_from)`,
  `create index calendar_events_due on calendar_events (next_reminder_at)
    where next_reminder_at is not null`,
  `create table calendar_exceptions (
    owner_id ${text} not null,
    event_id ${text} not null,
    original ${int} not null,
    changes ${text},
    span_from ${int},
    span_until ${int},
    primary key (owner_id, event_id, original)
  )${heap}`,
  'create index calendar_exceptions_by_original on calendar_exceptions (owner_id, original)',
  `create index calendar_exceptions_by_span on calendar_exceptions
    (owner_id, span_until, span_from) where span_until is not null`,
  `create table calendars (
    owner_id ${text} not null,
    last_number ${int} not null,
    version ${int} not null,
    feed ${text},
    primary key (owner_id)
  )${clustered}`,
  'create unique index calendars_by_feed on calendars (feed) where feed is not null',
];
