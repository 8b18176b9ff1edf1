import type { Instant } from './time-and-ids.ts';

/**
 * A reading of a wall clock that knows no zone: milliseconds since 1970-01-01T00:00:00 on that clock, in whole
 * seconds. Calendar arithmetic on it is plain integer arithmetic, for its days all have 24 hours.
 */
export type LocalTime = number;

/**
 * What the clocks of the world show, by IANA name.
 *
 * Contract (contract-tests/suites/time-zones.ts):
 * - `isKnown` tells the names it can answer for; any other name makes the rest throw.
 * - `toLocal` gives what the clocks of a zone show at an instant, also where an offset has seconds.
 * - `toInstant` is the way back: what the clocks show then is the reading it was given.
 * - A reading that no clock shows, because it falls into a gap, is moved forward by the length of the gap.
 * - A reading that is shown twice is the first, and the second where `later` asks for it.
 * - `version` names the rules in use, so that it changes when they may have.
 */
export interface TimeZones {
  isKnown(zone: string): boolean;
  toLocal(zone: string, instant: Instant): LocalTime;
  toInstant(zone: string, local: LocalTime, later?: boolean): Instant;
  version(): string;
}
