import type { Instant } from '../../ports/time-and-ids.ts';
import type { LocalTime } from '../../ports/time-zones.ts';

export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** As RFC 5545 writes them, from the day that numbers them 0. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** A weekday, or the nth of them in a month or year. */
export interface ByDay {
  /** 0 is Monday. */
  readonly weekday: number;
  /** From 1, from the end from -1; 0 for all of them. */
  readonly nth: number;
}

/** Where a rule ends: at an instant, at a reading of the clocks, or with a day, given by its midnight. */
export type Until =
  | { readonly kind: 'instant'; readonly at: Instant }
  | { readonly kind: 'reading' | 'day'; readonly at: LocalTime };

/** A rule that can be followed (RFC 5545 §3.3.10). Lists are ascending, without repetition, and empty where a part is not given. */
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
  /** To 59: a leap second is the one before it. */
  readonly bySecond: readonly number[];
  readonly bySetPos: readonly number[];
  /** 0 is Monday. */
  readonly weekStart: number;
}

/** What recurs: a rule (null: once) from a start on the clocks of a zone. */
export interface Recurrence {
  readonly rule: Rule | null;
  readonly start: LocalTime;
  /** IANA name. */
  readonly tz: string;
  readonly allDay: boolean;
  /** Start of the last occurrence where it is known; COUNT and UNTIL are then not walked. */
  readonly last?: LocalTime | null;
}

/** One time that a rule gives. */
export interface Occurrence {
  /** The reading that the rule names, also where the clocks skip it. */
  readonly local: LocalTime;
  readonly at: Instant;
}
