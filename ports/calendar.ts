import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';
import type { LocalTime } from './time-zones.ts';

export const EVENT_STATUSES = ['confirmed', 'tentative', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** A duration (RFC 5545 §3.3.6): calendar days first, then exact time. */
export interface Duration {
  readonly days: number;
  /** Milliseconds, in whole seconds. */
  readonly ms: number;
}

/** The details of an event, and of each of its occurrences unless modified. */
export interface EventDetails {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  /** Local time in `tz`. Midnight for an all-day event. */
  readonly start: LocalTime;
  /**
   * `start` is ambiguous (end of daylight saving time) and the second instant is meant. Never set for a series, which
   * uses the first.
   */
  readonly later: boolean;
  readonly duration: Duration;
  /** IANA name. */
  readonly tz: string;
  readonly allDay: boolean;
  /** Minutes before the start, without duplicates. */
  readonly reminders: readonly number[];
  readonly status: EventStatus;
}

/** A single event, or the definition of a series. */
export interface CalendarEvent extends EventDetails {
  readonly id: string;
  /** 1, 2, 3 … per owner, in creation order. */
  readonly number: number;
  /** The iCalendar UID (RFC 5545 §3.8.4.7). */
  readonly uid: string;
  /** An RRULE value (RFC 5545 §3.3.10); '' for a single event. */
  readonly rrule: string;
  /** The start of the last occurrence by the rule; null if the rule never ends. */
  readonly last: LocalTime | null;
  /** No occurrence, modified ones included, is outside this range, even if the rules of its zone change. */
  readonly reach: { readonly from: Instant; readonly until: Instant };
  /** When the next of its reminders is due; null for never. */
  readonly nextReminderAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One occurrence of a series that differs from the rule. */
export interface EventException {
  readonly eventId: string;
  /** Its start by the rule, in the local time of the event. */
  readonly original: LocalTime;
  /** The differing details; null if the occurrence is excluded. */
  readonly changes: Partial<EventDetails> | null;
  /** Its range after the modification; null if it is excluded. */
  readonly span: { readonly from: Instant; readonly until: Instant } | null;
}

/** The fields that a search covers. */
export const searchableText = ({
  title,
  description,
  location,
}: Pick<CalendarEvent, 'title' | 'description' | 'location'>): string =>
  [title, description, location].join('\n');

/** Where to continue with the events that overlap a range. */
export interface EventRangeCursor {
  readonly until: Instant;
  readonly id: string;
}

/**
 * The calendar of one owner.
 *
 * Contract (contract-tests/suites/calendar-store.ts):
 * - `save` inserts or replaces an event. `find`, `findMany` and `findByUids` return what was saved, field for field;
 *   the latter two skip missing events and promise no order.
 * - `remove` removes an event with its exceptions. Removing a missing one changes nothing.
 * - `nextNumber` returns 1, 2, 3 … and never a number twice, even after removals. `skipTo` continues after a number.
 * - `page` returns events by number, descending, with the number of matches. A search matches any part of title,
 *   description or location, ignoring case.
 * - `reaching` returns the events whose range overlaps the half-open window, by the end of their range and their id,
 *   after the cursor and at most `limit`.
 * - `saveException` inserts or replaces. `exceptions` returns those of one event by their original start.
 * - `exceptionsAround` returns exceptions of any event whose original start is in the half-open range of local times,
 *   or whose span overlaps the half-open window.
 * - `removeException` removes one, `removeExceptions` all of an event.
 * - `remindAt` sets only the next reminder of an event, and does not increase `version`.
 * - Every unit of work that changes the calendar increases `version`, which is 0 at first.
 * - `feed` returns the last digest stored, and nothing after null was stored.
 * - Another owner's calendar is out of reach.
 */
export interface CalendarStore {
  find(id: string): Promise<CalendarEvent | undefined>;
  findMany(ids: readonly string[]): Promise<readonly CalendarEvent[]>;
  findByUids(uids: readonly string[]): Promise<readonly CalendarEvent[]>;
  save(event: CalendarEvent): Promise<void>;
  remindAt(id: string, at: Instant | null): Promise<void>;
  remove(id: string): Promise<void>;
  nextNumber(): Promise<number>;
  /** Marks numbers up to and including this one as used. */
  skipTo(number: number): Promise<void>;
  page(request: PageRequest & { readonly search: string }): Promise<Page<CalendarEvent>>;
  reaching(
    window: { readonly from: Instant; readonly to: Instant },
    after: EventRangeCursor | null,
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
  /** The digest of the secret in the feed URL. */
  putFeed(digest: string | null): Promise<void>;
}
