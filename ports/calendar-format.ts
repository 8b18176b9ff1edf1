import type { EventDetails } from './calendar.ts';
import type { Instant } from './runtime.ts';
import type { LocalTime } from './time-zones.ts';

/** An occurrence in a calendar file: complete, including what it shares with its series. */
export interface ICalendarException {
  /** In the local time of the series. */
  readonly original: LocalTime;
  /** null: excluded (EXDATE). */
  readonly details: EventDetails | null;
  readonly line: number;
}

/** An event or a series in a calendar file, with all components of the same UID. */
export interface ICalendarEvent {
  readonly uid: string;
  readonly details: EventDetails;
  /** The RRULE value as written, unvalidated; '' for a single event. */
  readonly rrule: string;
  readonly exceptions: readonly ICalendarException[];
  /** The event's number if the file was exported by this service; else null. */
  readonly number: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Line of its BEGIN:VEVENT, from 1; 0 in an event to be written. */
  readonly line: number;
}

/** A component of a file that cannot be imported. */
export interface ICalendarError {
  /** From 1. */
  readonly line: number;
  /** '' if unknown. */
  readonly uid: string;
  /** A sentence for the user. */
  readonly reason: string;
}

export interface ParsedCalendar {
  /** Whether the file is a calendar at all, however broken. */
  readonly isCalendar: boolean;
  readonly events: readonly ICalendarEvent[];
  readonly errors: readonly ICalendarError[];
}

/**
 * Calendar files (iCalendar, RFC 5545).
 *
 * Contract (contract-tests/suites/calendar-format.ts):
 * - A written calendar is read back, field for field.
 * - One broken event is reported with its line and UID, and the others are read.
 * - A file that is not a calendar is reported as such.
 * - A zone given by a Windows name, by a path that contains its name or by a VTIMEZONE is mapped to its IANA name.
 * - A time without a zone is in the given zone, or in the one that the file declares as its default.
 * - An occurrence is in the local time of its series, regardless of the zone of its RECURRENCE-ID.
 * - Any text is written as one value of one property.
 */
export interface CalendarFormat {
  read(
    text: string,
    floating: { readonly tz: string; readonly now: Instant },
  ): Promise<ParsedCalendar>;
  /** In chunks, so that the whole is never in memory. `name` is shown by clients as the name of the calendar. */
  write(calendar: {
    readonly name: string;
    readonly events: readonly ICalendarEvent[];
  }): AsyncIterable<Uint8Array>;
}
