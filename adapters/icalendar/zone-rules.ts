import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import type { Instant } from '../../ports/runtime.ts';
import { civil, DAY, midnightOf, SECOND, yearOf } from './date-values.ts';

/** A transition of a zone. */
interface Transition {
  /** The local time of the transition, by the offset before it. */
  readonly onset: LocalTime;
  readonly before: number;
  readonly after: number;
}

/** Transitions that follow a rule, or dates without one. Offsets are in milliseconds. */
export interface Observance {
  readonly before: number;
  readonly after: number;
  readonly onsets: readonly LocalTime[];
  /** An RRULE value for all given onsets and future ones; '' if there is none. */
  readonly rule: string;
}

/** No zone has returned to an earlier offset in less time. */
const STEP = 3 * DAY;

/** The transitions of a zone in these years and, if they follow a rule, afterwards. Yields from time to time. */
export function* observancesOf(
  zones: TimeZones,
  zone: string,
  years: { readonly first: number; readonly last: number },
): Generator<void, readonly Observance[]> {
  const offsetAt = (instant: Instant) => zones.toLocal(zone, instant) - instant;
  const from = civil(years.first, 1, 1) - DAY;
  const until = civil(years.last + 1, 1, 1);
  const transitions: Transition[] = [];
  let steps = 0;
  let before = offsetAt(from);
  const initial = { before, after: before, onsets: [from + before], rule: '' };
  for (let at = from; at < until; at += STEP) {
    if (steps++ % 100 === 0) yield;
    const after = offsetAt(at + STEP);
    if (after === before) continue;
    const change = changeBetween(at, at + STEP, before, offsetAt);
    transitions.push({ onset: change + before, before, after });
    before = after;
  }
  return [initial, ...grouped(transitions).flatMap((same) => observances(same, years.last))];
}

/** The second at which the offset changes from `before`. */
function changeBetween(
  from: Instant,
  until: Instant,
  before: number,
  offsetAt: (instant: Instant) => number,
): Instant {
  let [low, high] = [from / SECOND, until / SECOND];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND) === before) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

function grouped(transitions: readonly Transition[]): readonly (readonly Transition[])[] {
  const groups = new Map<string, Transition[]>();
  for (const transition of transitions) {
    const key = `${transition.before} ${transition.after}`;
    const group = groups.get(key);
    if (group) group.push(transition);
    else groups.set(key, [transition]);
  }
  return [...groups.values()];
}

/** Transitions of consecutive years form one rule if they are on the same kind of day; the others are listed. */
function observances(same: readonly Transition[], lastYear: number): readonly Observance[] {
  const { before, after } = same[0]!;
  const created: Observance[] = [];
  const single: LocalTime[] = [];
  let rest = same.map(({ onset }) => onset);
  while (rest.length > 0) {
    const run = longestRun(rest);
    const rule = run.length >= 3 ? ruleOf(run) : undefined;
    if (rule === undefined) {
      single.push(rest[0]!);
      rest = rest.slice(1);
      continue;
    }
    const shouldContinue = yearOf(run.at(-1)!) >= lastYear;
    created.push({
      before,
      after,
      onsets: [run[0]!],
      rule: shouldContinue ? rule : ended(rule, run.at(-1)! - before),
    });
    rest = rest.slice(run.length);
  }
  return single.length === 0 ? created : [{ before, after, onsets: single, rule: '' }, ...created];
}

/** The longest sequence from the first on with one transition per year and a common rule. */
function longestRun(onsets: readonly LocalTime[]): readonly LocalTime[] {
  let length = 1;
  const isNext = (at: number) => yearOf(onsets[at]!) === yearOf(onsets[at - 1]!) + 1;
  while (
    length < onsets.length &&
    isNext(length) &&
    ruleOf(onsets.slice(0, length + 1)) !== undefined
  )
    length++;
  return onsets.slice(0, length);
}

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The rule that all of them follow; undefined if it is none of those that zones use. */
function ruleOf(onsets: readonly LocalTime[]): string | undefined {
  const dates = onsets.map((onset) => new Date(onset));
  const times = new Set(onsets.map((onset) => onset - midnightOf(onset)));
  const months = new Set(dates.map((date) => date.getUTCMonth() + 1));
  if (times.size > 1 || months.size > 1) return undefined;
  const rule = `FREQ=YEARLY;BYMONTH=${[...months].join()}`;
  const days = dates.map((date) => date.getUTCDate());
  const weekdays = new Set(dates.map((date) => DAYS[date.getUTCDay()]!));
  if (weekdays.size > 1)
    return new Set(days).size === 1 ? `${rule};BYMONTHDAY=${days[0]}` : undefined;
  const weekday = [...weekdays].join();
  if (
    dates.every((date) => new Date(date.getTime() + 7 * DAY).getUTCMonth() !== date.getUTCMonth())
  )
    return `${rule};BYDAY=-1${weekday}`;
  const nths = new Set(days.map((day) => Math.ceil(day / 7)));
  if (nths.size === 1) return `${rule};BYDAY=${[...nths].join()}${weekday}`;
  const [least, most] = [Math.min(...days), Math.max(...days)];
  if (most - least > 6) return undefined;
  // A range of seven days that contains all of them, within the month.
  const first = Math.min(
    least,
    new Date(civil(2001, dates[0]!.getUTCMonth() + 2, 0)).getUTCDate() - 6,
  );
  const week = Array.from({ length: 7 }, (_, i) => first + i);
  return `${rule};BYMONTHDAY=${week.join()};BYDAY=${weekday}`;
}

const ended = (rule: string, last: Instant): string =>
  `${rule};UNTIL=${new Date(last).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
