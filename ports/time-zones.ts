import type { Instant } from './runtime.ts';

/**
 * A local time without a zone: milliseconds since 1970-01-01T00:00:00 on that clock, in whole seconds. Calendar
 * arithmetic on it is plain integer arithmetic, since all its days have 24 hours.
 */
export type LocalTime = number;

/**
 * Time-zone rules by IANA name.
 *
 * Contract (contract-tests/suites/time-zones.ts):
 * - `isKnown` returns whether a name is supported. Any other name makes the other methods throw.
 * - `toLocal` returns the local time of a zone at an instant, including offsets with seconds.
 * - `toInstant` is the inverse: `toLocal` of the result is the given local time.
 * - A local time inside a gap is moved forward by the length of the gap.
 * - An ambiguous local time is the first instant, or the second with `later`.
 * - `version` identifies the rules in use. It changes when they may have changed.
 */
export interface TimeZones {
  isKnown(zone: string): boolean;
  toLocal(zone: string, instant: Instant): LocalTime;
  toInstant(zone: string, local: LocalTime, later?: boolean): Instant;
  version(): string;
}
