import type { Recurrence, Rule } from '../../core/recurrence/index.ts';
import type { TimeZones } from '../../ports/time-zones.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const midnight = (year: number, month: number, date: number): number =>
  Date.UTC(year, month - 1, date);
const mod = (value: number, by: number) => ((value % by) + by) % by;

/** The properties of a day in a calendar. */
function dayAt(time: number, weekStart: number) {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const ofYear = Math.floor((time - midnight(year, 1, 1)) / DAY) + 1;
  const yearLength = (midnight(year + 1, 1, 1) - midnight(year, 1, 1)) / DAY;
  const monthLength = (midnight(year, month + 1, 1) - midnight(year, month, 1)) / DAY;
  const weekday = mod(date.getUTCDay() - 1, 7);
  const week = Math.floor(time / DAY) - mod(weekday - weekStart, 7);
  const weekYear = new Date((week + 3) * DAY).getUTCFullYear();
  return {
    ...{ year, month, weekday, week, weekYear, ofYear, yearLength, monthLength },
    date: date.getUTCDate(),
  };
}

const weekNumber = (week: number, weekYear: number): number =>
  Math.floor((week + 3 - midnight(weekYear, 1, 1) / DAY) / 7) + 1;

/** Whether a number, or its distance from the end, is in a list; an empty list allows everything. */
const allowed = (list: readonly number[], number: number, length: number): boolean =>
  list.length === 0 || list.includes(number) || list.includes(number - length - 1);

function daySuits(rule: Rule, time: number): boolean {
  const day = dayAt(time, rule.weekStart);
  const lastWeek = dayAt(midnight(day.weekYear, 12, 28), rule.weekStart);
  const weeks = weekNumber(lastWeek.week, day.weekYear);
  const inYear = rule.freq === 'YEARLY' && rule.byMonth.length === 0;
  const [number, length] = inYear ? [day.ofYear, day.yearLength] : [day.date, day.monthLength];
  return (
    allowed(rule.byMonth, day.month, Infinity) &&
    allowed(rule.byMonthDay, day.date, day.monthLength) &&
    allowed(rule.byYearDay, day.ofYear, day.yearLength) &&
    allowed(rule.byWeekNo, weekNumber(day.week, day.weekYear), weeks) &&
    (rule.byDay.length === 0 ||
      rule.byDay.some(
        ({ weekday, nth }) =>
          weekday === day.weekday &&
          (nth === 0 ||
            nth === Math.floor((number - 1) / 7) + 1 ||
            nth === -Math.floor((length - number) / 7) - 1),
      ))
  );
}

function periodOf(rule: Rule, time: number): number {
  const day = dayAt(time, rule.weekStart);
  if (rule.freq === 'YEARLY') return rule.byWeekNo.length > 0 ? day.weekYear : day.year;
  if (rule.freq === 'MONTHLY') return day.year * 12 + day.month;
  if (rule.freq === 'WEEKLY') return Math.floor((day.week + 10) / 7);
  return Math.floor(time / (rule.freq === 'DAILY' ? DAY : HOUR));
}

/** The rule with the parts it takes from its start made explicit. */
function completed(rule: Rule, start: number, allDay: boolean): Rule {
  const { month, date, weekday } = dayAt(start, 0);
  const clock = new Date(start);
  const hourly = rule.freq === 'HOURLY';
  const or = (list: readonly number[], value: number) => (list.length > 0 ? list : [value]);
  const timed = allDay
    ? { ...rule, byHour: [0], byMinute: [0], bySecond: [0] }
    : {
        ...rule,
        byHour: hourly ? rule.byHour : or(rule.byHour, clock.getUTCHours()),
        byMinute: or(rule.byMinute, clock.getUTCMinutes()),
        bySecond: or(rule.bySecond, clock.getUTCSeconds()),
      };
  if (rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length > 0) return timed;
  if (rule.freq === 'WEEKLY' || rule.byWeekNo.length > 0)
    return { ...timed, byDay: [{ weekday, nth: 0 }] };
  if (rule.freq === 'MONTHLY' || (rule.freq === 'YEARLY' && rule.byMonth.length > 0))
    return { ...timed, byMonthDay: [date] };
  return rule.freq === 'YEARLY' ? { ...timed, byMonth: [month], byMonthDay: [date] } : timed;
}

/**
 * The occurrences up to the end of a day, by checking each time of each day. A reference implementation without
 * windows and without regard to speed.
 */
export function naiveOccurrences(
  zones: TimeZones,
  { rule: given, start, tz, allDay }: Recurrence & { readonly rule: Rule },
  end: number,
): { local: number; at: number }[] {
  const rule = completed(given, start, allDay);
  const first = periodOf(rule, start);
  const periods = new Map<number, number[]>();
  // Set positions refer to whole years, so times before the start and after the end are included.
  const [from, to] = [Math.floor(start / DAY) * DAY - 375 * DAY, end + 375 * DAY];
  for (let day = from; day <= to; day += DAY) {
    if (!daySuits(rule, day)) continue;
    for (let hour = 0; hour < 24; hour++) {
      if (!allowed(rule.byHour, hour, Infinity)) continue;
      const period = periodOf(rule, day + hour * HOUR);
      if (mod(period - first, rule.interval) !== 0) continue;
      const readings = periods.get(period) ?? [];
      periods.set(period, readings);
      for (const minute of rule.byMinute)
        for (const second of rule.bySecond)
          readings.push(day + hour * HOUR + minute * 60_000 + second * 1000);
    }
  }
  const readings = [...periods.values()].flatMap((set) =>
    set.filter((_, index) => allowed(rule.bySetPos, index + 1, set.length)),
  );
  const { until } = rule;
  const shown = onClocks(
    zones,
    tz,
    readings.filter((it) => it >= start && it <= end),
  ).filter(
    ({ local, at }) =>
      until === null ||
      (until.kind === 'instant'
        ? at
        : until.kind === 'day'
          ? Math.floor(local / DAY) * DAY
          : local) <= until.at,
  );
  return shown.slice(0, rule.count ?? undefined);
}

/** In order of their instants; a moved local time is replaced by one that exists. */
function onClocks(zones: TimeZones, tz: string, readings: readonly number[]) {
  const byInstant = new Map<number, number>();
  for (const local of [...readings].sort((a, b) => a - b))
    byInstant.set(zones.toInstant(tz, local), local);
  let previous = -Infinity;
  return [...byInstant]
    .sort(([a], [b]) => a - b)
    .map(([at, local]) => {
      previous = local > previous ? local : zones.toLocal(tz, at);
      return { local: previous, at };
    });
}
