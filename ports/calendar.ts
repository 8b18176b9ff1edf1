import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';
import type { LocalTime } from './time-zones.ts';

export const EVENT_STATUSES = ['confirmed', 'tentative', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** How long something lasts (RFC 5545 §3.3.6): first the days of the calendar, then exact time. */
export interface Duration {
  readonly days: number;
  /** Milliseconds, in whole seconds. */
  readonly ms: number;
}

/** What an event says, and what each of its occurrences says unless it was changed. */
export interface EventDetails {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  /** On the clocks of `tz`. Of an all-day event a midnight. */
  readonly start: LocalTime;
  /** `start` is shown twice by the clocks and the second is meant. Never of a series, whose clock readings are the first. */
  readonly later: boolean;
  readonly duration: Duration;
  /** IANA name. */
  readonly tz: string;
  readonly allDay: boolean;
  /** Minutes before the start, no two alike. */
  readonly reminders: readonly number[];
  readonly status: EventStatus;
}

/** One event, or the rule of a series of them. */
export interface CalendarEvent extends EventDetails {
  readonly id: string;
  /** 1, 2, 3 … of an owner, in the order they were made. */
  readonly number: number;
  /** Under which other calendars know it (RFC 5545 §3.8.4.7). */
  readonly uid: string;
  /** An RRULE value (RFC 5545 §3.3.10); '' for a single event. */
  readonly rrule: string;
  /** The start of the last occurrence by the rule; null when the rule never ends. */
  readonly last: LocalTime | null;
  /** No occurrence of it, changed ones included, lies outside of this, whatever becomes of the rules of its zone. */
  readonly reach: { readonly from: Instant; readonly until: Instant };
  /** The next moment at which one of its reminders is due; null for never. */
  readonly nextReminderAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One occurrence of a series that is not as the rule has it. */
export interface EventException {
  readonly eventId: string;
  /** Its start by the rule, on the clocks of the event. */
  readonly original: LocalTime;
  /** What differs from the series; null when it is left out. */
  readonly changes: Partial<EventDetails> | null;
  /** Where it lies as changed; null when it is left out. */
  readonly span: { readonly from: Instant; readonly until: Instant } | null;
}

/** What a search looks through. */
export const searchableText = ({
  title,
  description,
  location,
}: Pick<CalendarEvent, 'title' | 'description' | 'location'>): string =>
  [title, description, location].join('\n');

/** Where to go on with the events that reach into a window. */
export interface ReachCursor {
  readonly until: Instant;
  readonly id: string;
}

/**
 * The calendar of one owner.
 *
 * Contract (contract-tests/suites/calendar-store.ts):
 * - `save` inserts or replaces an event, and `find`, `findMany` and `findByUids` give back what was saved, field for field, those that are there in any order.
 * - `remove` takes an event away with its exceptions and no other's; removing a missing one changes nothing.
 * - `takeNumber` gives 1, 2, 3 … and never a number twice, whatever was removed; `skipTo` lets it go on after a number.
 * - `page` gives events newest number first, with the number of all that match; a search finds them by any part of title, description or location, letter case aside.
 * - `reaching` gives the events whose reach overlaps the half-open window, by the end of their reach and their id, past the cursor and at most `limit`.
 * - `saveException` inserts or replaces, and `exceptions` gives those of one event by their original.
 * - `exceptionsAround` gives exceptions of any event whose original lies in the half-open range of clock readings, or whose span overlaps the half-open window.
 * - `removeException` takes away one, `removeExceptions` all of an event.
 * - `remindAt` sets the next reminder of an event and nothing else; it does not raise `version`.
 * - `version` is raised by every unit of work that changes what the calendar holds, and is 0 before the first.
 * - `feed` gives the digest last put, and nothing after null was put.
 * - Another owner's calendar is out of reach.
 */
export interface CalendarStore {
  find(id: string): Promise<CalendarEvent | undefined>;
  findMany(ids: readonly string[]): Promise<readonly CalendarEvent[]>;
  findByUids(uids: readonly string[]): Promise<readonly CalendarEvent[]>;
  save(event: CalendarEvent): Promise<void>;
  remindAt(id: string, at: Instant | null): Promise<void>;
  remove(id: string): Promise<void>;
  takeNumber(): Promise<number>;
  /** Numbers up to and with this one are taken. */
  skipTo(number: number): Promise<void>;
  page(request: PageRequest & { readonly search: string }): Promise<Page<CalendarEvent>>;
  reaching(
    window: { readonly from: Instant; readonly to: Instant },
    after: ReachCursor | null,
    limit: number,
  ): Promise<readonly CalendarEvent[]>;
  exceptions(eventId: string): Promise<readonly EventException[]>;
  exceptionsAround(
    originals: { readonly from: LocalTime; readonly to: LocalTime },
    window: { readonly from: Instant; readonly to: Instant },
  ): Promise<readonly EventException[]>;
  saveException(exception: EventException): Promise<void>;
  removeException(eventId: string, original: LocalTime): Promise<void>;
  removeExceptions(eventId: string): Promise<void>;
  version(): Promise<number>;
  feed(): Promise<string | undefined>;
  /** The digest of the secret under which the calendar may be subscribed to. */
  putFeed(digest: string | null): Promise<void>;
}
