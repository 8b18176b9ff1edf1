import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';

const SECOND = 1000;
const HALF_HOUR = 1_800 * SECOND;
const HOUR = 2 * HALF_HOUR;
const DAY = 24 * HOUR;
/** Range for which offsets are computed at a time. */
const STRETCH = 96 * DAY;
/**
 * Sampling interval, up to a year: shorter than the time in which any zone left an offset and returned to it.
 * Freetown did so within 3.98 days in 1939, Gaza will within 6.95 days in 2072, and after 2087 there are yearly rules
 * only.
 */
const PROBES: readonly (readonly [until: number, days: number])[] = [
  [1950, 3],
  [2100, 6],
  [Infinity, 24],
];
/** Larger than any UTC offset in history. */
const FURTHEST = 18 * HOUR;
/** Cache size: about a hundred bytes per entry, and some ten thousand entries per zone. */
const MAX_CACHED_RANGES = 40_000;
const MAX_CACHED_ZONES = 128;

/** From `from` up to but excluding `until`, local time is `offset` milliseconds ahead of UTC. */
interface Span {
  readonly from: Instant;
  readonly until: Instant;
  readonly offset: number;
}

const probeDays = (instant: Instant): number =>
  PROBES.find(([until]) => instant < Date.UTC(Math.min(until, 9999), 0))?.[1] ?? 24;

/** The time zones known to this Node version, with every computed offset cached. */
export function intlTimeZones(): TimeZones {
  let capacity = MAX_CACHED_RANGES;
  const zones = new Map<string, ZoneClocks>();

  const known = (name: string): ZoneClocks => {
    const zone = zones.get(name);
    if (zone !== undefined && capacity > 0) return zone;
    if (capacity <= 0 || zones.size >= MAX_CACHED_ZONES) {
      zones.clear();
      capacity = MAX_CACHED_RANGES;
    }
    const opened = new ZoneClocks(probe(name), () => (capacity -= 1));
    zones.set(name, opened);
    return opened;
  };

  return {
    isKnown: (name) => {
      try {
        known(name);
        return true;
      } catch (error) {
        if (error instanceof RangeError) return false;
        throw error;
      }
    },
    toLocal: (name, instant) => instant + known(name).spanAt(instant).offset,
    toInstant: (name, local, later = false) => known(name).toInstant(local, later),
    version: () => process.versions['tz'] ?? process.version,
  };
}

/**
 * Computes the offset of a zone with Intl. An unknown name is a RangeError, and so is an offset instead of a name.
 */
function probe(timeZone: string): (instant: Instant) => number {
  if (!/^[a-z]/i.test(timeZone)) throw new RangeError(`${timeZone} is not a time zone`);
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const text = format.format(instant);
    const [, sign, hours, minutes, seconds = '0'] =
      /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text) ?? [];
    const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds);
    return size * (sign === '-' ? -1000 : 1000);
  };
}

class ZoneClocks {
  readonly #offsetAt: (instant: Instant) => number;
  readonly #onLearned: () => void;
  readonly #learned = new Map<number, readonly Span[]>();
  /** Most lookups are in the same months as the previous one. */
  #recent: Span = { from: 0, until: 0, offset: 0 };

  constructor(offsetAt: (instant: Instant) => number, onLearned: () => void) {
    this.#offsetAt = offsetAt;
    this.#onLearned = onLearned;
  }

  spanAt(instant: Instant): Span {
    const recent = this.#recent;
    if (instant >= recent.from && instant < recent.until) return recent;
    const index = Math.floor(instant / STRETCH);
    let spans = this.#learned.get(index);
    if (spans === undefined) {
      spans = this.#learn(index * STRETCH);
      this.#learned.set(index, spans);
      this.#onLearned();
    }
    const span = spans.find(({ until }) => instant < until);
    // Not a number, or out of the range of dates.
    if (span === undefined) throw new RangeError(`${instant} is not an instant`);
    this.#recent = span;
    return span;
  }

  toInstant(local: LocalTime, later: boolean): Instant {
    const { from, until, offset } = this.#recent;
    if (local - FURTHEST >= from && local + FURTHEST < until) return local - offset;
    let found: Instant | undefined;
    let span = this.spanAt(local - FURTHEST);
    /** A local time in a gap is later than the gap by the offset before it, and earlier by the one after it. */
    let overdue: Instant | undefined;
    for (; span.from <= local + FURTHEST; span = this.spanAt(span.until)) {
      const instant = local - span.offset;
      if (instant >= span.from && instant < span.until) {
        found = instant;
        if (!later) break;
      } else if (instant >= span.until) overdue = instant;
      else break;
    }
    this.spanAt(local);
    return found ?? overdue ?? local - span.offset;
  }

  #learn(start: Instant): readonly Span[] {
    const spans: Span[] = [];
    let from = start;
    let offset = this.#offsetAt(start);
    const step = probeDays(start) * DAY;
    for (let at = start; at < start + STRETCH; at += step) {
      const next = at + step;
      const after = this.#offsetAt(next);
      while (offset !== after) {
        const until = this.#changeBetween(Math.max(at, from), next, offset);
        // A transition exactly at the end belongs to the next range.
        if (until >= start + STRETCH) break;
        spans.push({ from, until, offset });
        from = until;
        offset = this.#offsetAt(until);
      }
    }
    spans.push({ from, until: start + STRETCH, offset });
    return spans;
  }

  /** The first instant after `low` whose offset differs from `offset`, to the second. */
  #changeBetween(low: Instant, high: Instant, offset: number): Instant {
    // Nearly all transitions are at a half hour of UTC, which halves the number of lookups.
    const near = this.#halve(low, high, offset, HALF_HOUR);
    if (this.#offsetAt(near - SECOND) === offset) return near;
    return this.#halve(Math.max(low, near - HALF_HOUR), near - SECOND, offset, SECOND);
  }

  /** The first multiple of `unit` after `low` with another offset, `high` at the latest. */
  #halve(low: Instant, high: Instant, offset: number, unit: number): Instant {
    let [same, other] = [Math.floor(low / unit), Math.ceil(high / unit)];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (this.#offsetAt(middle * unit) === offset) same = middle;
      else other = middle;
    }
    return other * unit;
  }
}
