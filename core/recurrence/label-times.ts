import type { LocalTime } from '../../ports/time-zones.ts';
import { MINUTE } from './calendar-days.ts';
import { planOf } from './plan.ts';
import type { Rule } from './rule.ts';
import { listed } from './english.ts';

/** More times than this are counted instead of listed. */
const MAX_LISTED_TIMES = 6;

/** The times that a rule names, as " at 09:00 and 17:30"; '' if it uses the time of its start. */
export function timesOf(rule: Rule, start: LocalTime): string {
  const { freq, byHour, byMinute, bySecond } = rule;
  if (byHour.length + byMinute.length + bySecond.length === 0) return '';
  const { times } = planOf({ ...rule, bySetPos: [] }, start, false);
  if (freq !== 'HOURLY')
    return times.length > MAX_LISTED_TIMES
      ? `, ${times.length} times a day`
      : ` at ${listed(times.map((time) => clock(time)))}`;
  const hours = byHour.length > 0 ? ` in the hours ${listed(byHour.map(String))}` : '';
  if (byMinute.length + bySecond.length === 0) return hours;
  return times.length > MAX_LISTED_TIMES
    ? `, ${times.length} times an hour${hours}`
    : ` at ${listed(times.map((time) => clock(time).slice(2)))}${hours}`;
}

/** "09:30", or "09:30:15" if it is not a whole minute. */
const clock = (time: number): string =>
  new Date(time).toISOString().slice(11, time % MINUTE === 0 ? 16 : 19);
