import { type Rule, type Until, WEEKDAYS } from './rule.ts';

/** The canonical form of a rule: parts in a fixed order, without default values. */
export function formatRule(rule: Rule): string {
  const days = rule.byDay.map(({ nth, weekday }) => `${nth === 0 ? '' : nth}${WEEKDAYS[weekday]}`);
  const parts: readonly (readonly [string, string])[] = [
    ['FREQ', rule.freq],
    ['INTERVAL', rule.interval === 1 ? '' : String(rule.interval)],
    ['COUNT', rule.count === null ? '' : String(rule.count)],
    ['UNTIL', rule.until === null ? '' : formatUntil(rule.until)],
    ['BYMONTH', rule.byMonth.join()],
    ['BYWEEKNO', rule.byWeekNo.join()],
    ['BYYEARDAY', rule.byYearDay.join()],
    ['BYMONTHDAY', rule.byMonthDay.join()],
    ['BYDAY', days.join()],
    ['BYHOUR', rule.byHour.join()],
    ['BYMINUTE', rule.byMinute.join()],
    ['BYSECOND', rule.bySecond.join()],
    ['BYSETPOS', rule.bySetPos.join()],
    ['WKST', rule.weekStart === 0 ? '' : WEEKDAYS[rule.weekStart]!],
  ];
  return parts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
}

function formatUntil({ kind, at }: Until): string {
  const [date = '', time = ''] = new Date(at)
    .toISOString()
    .slice(0, 19)
    .replace(/[-:]/g, '')
    .split('T');
  if (kind === 'day') return date;
  return `${date}T${time}${kind === 'instant' ? 'Z' : ''}`;
}
