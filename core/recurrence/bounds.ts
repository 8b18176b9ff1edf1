import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { DAY, dayOfLocalTime } from './calendar-days.ts';
import { endOf, latestLocalTime, occurrences } from './occurrences.ts';
import { planOf } from './plan.ts';
import { lastLocalTime } from './local-times.ts';
import type { Recurrence, Rule } from './rule.ts';

/** Maximum number of occurrences counted, which is the largest COUNT. */
const MAX_COUNTED_OCCURRENCES = 10_000;

/**
 * The first occurrence, to which a start that does not match is moved, and the last one, null if the rule never ends.
 * Undefined if there is none.
 */
export function boundsOf(
  zones: TimeZones,
  r: Recurrence,
): { readonly first: LocalTime; readonly last: LocalTime | null } | undefined {
  const { rule } = r;
  if (rule === null) return { first: r.start, last: r.start };
  const anew = { rule, start: r.start, tz: r.tz, allDay: r.allDay };
  const [first] = occurrences(zones, anew, -Infinity);
  if (first === undefined) return undefined;
  if (rule.count === null && rule.until === null) return { first: first.local, last: null };
  return { first: first.local, last: lastOf(zones, { ...anew, rule }) ?? first.local };
}

function lastOf(zones: TimeZones, r: Recurrence & { readonly rule: Rule }): LocalTime | undefined {
  let last: LocalTime | undefined;
  if (r.rule.count !== null) {
    for (const { local } of occurrences(zones, r, -Infinity)) last = local;
    return last;
  }
  const within = endOf(r);
  const reading = lastLocalTime(planOf(r.rule, r.start, r.allDay), latestLocalTime(r), (local) =>
    within({ local, at: zones.toInstant(r.tz, local) }),
  );
  // Around a gap its local time may differ, or be followed by a skipped one.
  if (reading !== undefined)
    for (const { local } of occurrences(zones, r, zones.toInstant(r.tz, reading))) last = local;
  return last;
}

/** Whether the rule has an occurrence that starts at this local time. */
export function isOccurrence(zones: TimeZones, r: Recurrence, local: LocalTime): boolean {
  const at = zones.toInstant(r.tz, local);
  for (const occurrence of occurrences(zones, r, at, at + 1))
    if (occurrence.local === local) return true;
  return false;
}

/** Number of occurrences before this local time, 10 000 at most. */
export function countBefore(zones: TimeZones, r: Recurrence, local: LocalTime): number {
  let count = 0;
  for (const occurrence of occurrences(zones, r, -Infinity)) {
    if (occurrence.local >= local || count === MAX_COUNTED_OCCURRENCES) break;
    count += 1;
  }
  return count;
}

/** The rule with `last` as its last occurrence: an UNTIL (RFC 5545 §3.3.10), which is a date for an all-day event. */
export function endingAt(
  zones: TimeZones,
  r: Recurrence & { readonly rule: Rule },
  last: LocalTime,
): Rule {
  const until = r.allDay
    ? ({ kind: 'day', at: dayOfLocalTime(last) * DAY } as const)
    : ({ kind: 'instant', at: zones.toInstant(r.tz, last) } as const);
  return { ...r.rule, count: null, until };
}

/** The rule after the first `count` occurrences. A rule with COUNT must have at least one left. */
export function withoutFirst(rule: Rule, count: number): Rule {
  if (rule.count === null) return rule;
  if (count >= rule.count) throw new RangeError(`of ${rule.count} occurrences ${count} are to go`);
  return { ...rule, count: rule.count - count };
}
