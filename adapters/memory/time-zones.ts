import type { Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';

/** From `from` on, until the next entry, the local time is `offset` milliseconds ahead of UTC. */
interface Shift {
  readonly from: Instant;
  readonly offset: number;
}

/** Transitions of some zones in order, the first without a beginning. */
export type ZoneTable = Readonly<Record<string, readonly Shift[]>>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The `nth` Sunday of a month (from 0) at a time of day in UTC, counted from the end for -1. */
function sunday(year: number, month: number, nth: number, time: number): Instant {
  const first = Date.UTC(year, nth < 0 ? month + 1 : month, 1) / DAY;
  return (first + ((10 - (first % 7)) % 7) + 7 * nth) * DAY + time;
}

function shifts(
  base: number,
  ...changes: readonly (readonly [Instant, number])[]
): readonly Shift[] {
  return [
    { from: -Infinity, offset: base },
    ...changes.map(([from, offset]) => ({ from, offset })),
  ];
}

const years = Array.from({ length: 130 }, (_, index) => 2008 + index);

/** A few zones with unusual rules, correct from 2008 to 2137; Monrovia and Apia as far as listed here. */
export const SOME_ZONES: ZoneTable = {
  UTC: shifts(0),
  'Asia/Kolkata': shifts(5.5 * HOUR),
  'Europe/Berlin': shifts(
    HOUR,
    ...years.flatMap((year) => [
      [sunday(year, 2, -1, HOUR), 2 * HOUR] as const,
      [sunday(year, 9, -1, HOUR), HOUR] as const,
    ]),
  ),
  'America/New_York': shifts(
    -5 * HOUR,
    ...years.flatMap((year) => [
      [sunday(year, 2, 1, 7 * HOUR), -4 * HOUR] as const,
      [sunday(year, 10, 0, 6 * HOUR), -5 * HOUR] as const,
    ]),
  ),
  // A shift of half an hour, with summer around the new year.
  'Australia/Lord_Howe': shifts(
    11 * HOUR,
    ...years.flatMap((year) => [
      [sunday(year, 3, 0, -9 * HOUR), 10.5 * HOUR] as const,
      [sunday(year, 9, 0, -8.5 * HOUR), 11 * HOUR] as const,
    ]),
  ),
  // 30 December 2011 was skipped.
  'Pacific/Apia': shifts(
    -11 * HOUR,
    [Date.UTC(2010, 8, 26, 11), -10 * HOUR],
    [Date.UTC(2011, 3, 2, 14), -11 * HOUR],
    [Date.UTC(2011, 8, 24, 14), -10 * HOUR],
    [Date.UTC(2011, 11, 30, 10), 14 * HOUR],
    [Date.UTC(2012, 2, 31, 14), 13 * HOUR],
  ),
  // Local mean time with its seconds until 1972.
  'Africa/Monrovia': shifts(-(44 * MINUTE + 30_000), [Date.UTC(1972, 0, 7, 0, 44, 30), 0]),
};

/** Time zones from a fixed table: the fake of unit tests, independent of updates of the system's rules. */
export function fixedTimeZones(table: ZoneTable = SOME_ZONES): TimeZones {
  const shiftsOf = (zone: string): readonly Shift[] => {
    const found = Object.hasOwn(table, zone) ? table[zone] : undefined;
    if (found === undefined) throw new RangeError(`${zone} is not in the table`);
    return found;
  };
  return {
    isKnown: (zone) => Object.hasOwn(table, zone),
    toLocal: (zone, instant) =>
      instant + (shiftsOf(zone).findLast(({ from }) => from <= instant)?.offset ?? 0),
    toInstant: (zone, local, later = false) => {
      const all = shiftsOf(zone);
      const shown = all
        .map(({ from, offset }, index) => ({
          from,
          until: all[index + 1]?.from,
          at: local - offset,
        }))
        .filter(({ from, until = Infinity, at }) => from <= at && at < until);
      const instant = later ? shown.at(-1) : shown[0];
      if (instant !== undefined) return instant.at;
      // In a gap: by the offset before it.
      const after = all.findIndex(({ from, offset }) => local - offset < from);
      return local - all[after - 1]!.offset;
    },
    version: () => 'a fixed table',
  };
}
