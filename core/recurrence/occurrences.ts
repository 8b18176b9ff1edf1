import type { Instant } from '../../ports/runtime.ts';
import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { DAY, END_OF_LOCAL_TIMES, FIRST_LOCAL_TIME, HOUR } from './calendar-days.ts';
import { planOf } from './plan.ts';
import { localTimesFrom } from './local-times.ts';
import type { Occurrence, Recurrence, Rule, Until } from './rule.ts';

/** More than any UTC offset, present or past. */
const FURTHEST = 18 * HOUR;

/**
 * The occurrences whose instant is at or after `from` (and before `before`), in order, strictly ascending by local
 * time and by instant. Ends with the rule, or with the year 2200. A local time in a gap counts as the instant to
 * which it is moved; if the rule has another local time for that instant, that one is used.
 */
export function* occurrences(
  zones: TimeZones,
  r: Recurrence,
  from: Instant,
  before: Instant = Infinity,
): Generator<Occurrence, void> {
  if (r.rule === null) {
    const at = zones.toInstant(r.tz, r.start);
    if (at >= from && at < before) yield { local: r.start, at };
    return;
  }
  let left = isKnown(r.last) ? Infinity : (r.rule.count ?? Infinity);
  const first = left === Infinity ? earliestReading(zones, r.tz, from) : r.start;
  const last = Math.min(latestLocalTime(r), before + FURTHEST);
  const within = endOf(r);
  const plan = planOf(r.rule, r.start, r.allDay);
  for (const occurrence of inOrder(zones, r.tz, localTimesFrom(plan, first, last))) {
    if (occurrence.at >= before || !within(occurrence)) return;
    if (occurrence.at >= from) yield occurrence;
    left -= 1;
    if (left === 0) return;
  }
}

/** The earliest local time that can be at or after `from`. */
function earliestReading(zones: TimeZones, tz: string, from: Instant): LocalTime {
  if (!(from > FIRST_LOCAL_TIME)) return FIRST_LOCAL_TIME;
  if (from > END_OF_LOCAL_TIMES + FURTHEST) return END_OF_LOCAL_TIMES;
  const local = zones.toLocal(tz, from);
  // A local time in a gap on the last day may have been moved here.
  const earlier = from - DAY - 2 * HOUR;
  const skipped = local - from - (zones.toLocal(tz, earlier) - earlier);
  return local - Math.max(0, skipped);
}

const isKnown = (last: LocalTime | null | undefined): last is LocalTime => typeof last === 'number';
const bounded = (rule: Rule | null): Until | null => rule?.until ?? null;

/** The latest local time within the rule. */
export function latestLocalTime(r: Recurrence): LocalTime {
  if (isKnown(r.last)) return r.last;
  const until = bounded(r.rule);
  if (until === null) return END_OF_LOCAL_TIMES;
  if (until.kind === 'instant') return until.at + FURTHEST;
  return until.kind === 'day' ? until.at + DAY - 1 : until.at;
}

/** Whether an occurrence is within the end of the rule, COUNT aside. */
export function endOf(r: Recurrence): (occurrence: Occurrence) => boolean {
  const until = bounded(r.rule);
  if (!isKnown(r.last) && until?.kind === 'instant') return ({ at }) => at <= until.at;
  const latest = latestLocalTime(r);
  return ({ local }) => local <= latest;
}

/**
 * Converts local times to instants. Those in a gap are held back: a local time of the rule with the same instant
 * replaces them, and one with an earlier instant precedes them.
 */
function* inOrder(
  zones: TimeZones,
  tz: string,
  readings: Iterable<LocalTime>,
): Generator<Occurrence, void> {
  let skipped: readonly Occurrence[] = [];
  let latest = -Infinity;
  /** A moved local time that another one precedes is shown as the clock shows it. */
  const inTurn = (moved: Occurrence): Occurrence => {
    const local = moved.local > latest ? moved.local : zones.toLocal(tz, moved.at);
    latest = local;
    return { local, at: moved.at };
  };
  for (const local of readings) {
    const at = zones.toInstant(tz, local);
    if (zones.toLocal(tz, at) !== local) {
      skipped = [...skipped, { local, at }];
      continue;
    }
    if (skipped.length > 0) {
      for (const moved of skipped) if (moved.at < at) yield inTurn(moved);
      skipped = skipped.filter((moved) => moved.at > at);
    }
    latest = local;
    yield { local, at };
  }
  for (const moved of skipped) yield inTurn(moved);
}
