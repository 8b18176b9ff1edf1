import { timeZone } from '../../state/preferences.ts';
import { midnightOf, MINUTE_MS, type Day } from './days.ts';
import { calendarDialog } from './sheet-state.ts';
import { ownWall, today } from './zones.ts';

const HOUR_MS = 60 * MINUTE_MS;
const MORNING_HOUR = 9;

/** Opens the form of an event: today in the next hour, on another day in the morning. */
export function planNext(day: Day): void {
  const next = Math.ceil((ownWall(Date.now()) + 1) / HOUR_MS) * HOUR_MS;
  const start = day === today() ? next : midnightOf(day) + MORNING_HOUR * HOUR_MS;
  const times = { start, end: start + HOUR_MS, tz: timeZone.peek(), allDay: false };
  calendarDialog.value = { kind: 'new', times };
}
