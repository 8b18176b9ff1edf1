import type { EventDetails } from './calendar.ts';
import type { Instant } from './time-and-ids.ts';
import type { LocalTime } from './time-zones.ts';

/** An occurrence as a calendar file has it: whole, whatever it shares with its series. */
export interface FiledException {
  /** On the clocks of the series. */
  readonly original: LocalTime;
  /** null: left out (EXDATE). */
  readonly details: EventDetails | null;
  readonly line: number;
}

/** An event or a series as a calendar file has it, with everything of the same UID. */
export interface FiledEvent {
  readonly uid: string;
  readonly details: EventDetails;
  /** The value of RRULE as it stands there, unchecked; '' for a single event. */
  readonly rrule: string;
  readonly exceptions: readonly FiledException[];
  /** The event's number, where the file is one of ours; else null. */
  readonly number: number | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Of its BEGIN:VEVENT in the file, from 1; 0 in what is to be written. */
  readonly line: number;
}

/** Something in a file that cannot be taken. */
export interface FileFault {
  /** From 1. */
  readonly line: number;
  /** '' where none is to be had. */
  readonly uid: string;
  /** A sentence for a person. */
  readonly reason: string;
}

export interface ReadCalendar {
  /** Whether it is a calendar at all, however broken. */
  readonly isCalendar: boolean;
  readonly events: readonly FiledEvent[];
  readonly faults: readonly FileFault[];
}

/**
 * Calendar files (iCalendar, RFC 5545).
 *
 * Contract (contract-tests/suites/calendar-format.ts):
 * - What was written is read again, field for field.
 * - One broken event is a fault with its line and uid, and the others are read.
 * - What is no calendar at all is told to be none.
 * - A zone that is only known by a Windows name, by a path around its name or by its VTIMEZONE is told by its IANA name.
 * - A time without a zone is one of the zone given, or of the one the file names as its own.
 * - An occurrence is told on the clocks of its series, whatever zone its RECURRENCE-ID is written in.
 * - Whatever a text holds, it is one value of one property when it is written.
 */
export interface CalendarFormat {
  read(
    text: string,
    floating: { readonly tz: string; readonly now: Instant },
  ): Promise<ReadCalendar>;
  /** In pieces, so that nobody has to hold the whole. `name` is shown by clients as that of the calendar. */
  write(calendar: {
    readonly name: string;
    readonly events: readonly FiledEvent[];
  }): AsyncIterable<Uint8Array>;
}
