import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime } from '../../ports/time-zones.ts';

export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** As in RFC 5545, starting with the day numbered 0. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** A weekday, or the nth one in a month or year. */
export interface ByDay {
  /** 0 is Monday. */
  readonly weekday: number;
  /** From 1, or from the end from -1; 0 for all. */
  readonly nth: number;
}

/** The end of a rule: an instant, a local time, or a date, given by its midnight. */
export type Until =
  | { readonly kind: 'instant'; readonly at: Instant }
  | { readonly kind: 'reading' | 'day'; readonly at: LocalTime };

/** A valid rule (RFC 5545 §3.3.10). Lists are ascending, without duplicates, and empty if a part is absent. */
export interface Rule {
  readonly freq: Frequency;
  readonly interval: number;
  readonly count: number | null;
  readonly until: Until | null;
  /** 1 to 12. */
  readonly byMonth: readonly number[];
  /** 1 to 53, from the end from -1. */
  readonly byWeekNo: readonly number[];
  /** 1 to 366, from the end from -1. */
  readonly byYearDay: readonly number[];
  /** 1 to 31, from the end from -1. */
  readonly byMonthDay: readonly number[];
  readonly byDay: readonly ByDay[];
  readonly byHour: readonly number[];
  readonly byMinute: readonly number[];
  /** Up to 59: a leap second is read as 59. */
  readonly bySecond: readonly number[];
  readonly bySetPos: readonly number[];
  /** 0 is Monday. */
  readonly weekStart: number;
}

/** A recurrence: a rule (null: once) from a local start in a zone. */
export interface Recurrence {
  readonly rule: Rule | null;
  readonly start: LocalTime;
  /** IANA name. */
  readonly tz: string;
  readonly allDay: boolean;
  /** Start of the last occurrence if it is known; then COUNT and UNTIL need not be evaluated. */
  readonly last?: LocalTime | null;
}

/** One occurrence of a rule. */
export interface Occurrence {
  /** The local time named by the rule, also if it is in a gap. */
  readonly local: LocalTime;
  readonly at: Instant;
}
