import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { readEvent } from './agenda.ts';
import { DAY_MS } from './days.ts';
import { itemOf, type AgendaItem } from './items.ts';
import { calendarDialog } from './sheet-state.ts';

/** Opens the sheet of an event that the address names. `at`: which of its occurrences, by the rule. */
export async function openFromAddress(
  id: string,
  at: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const event = await readEvent(id, signal);
  const start = at !== undefined && Date.parse(at) ? Date.parse(at) : Date.parse(event.starts_at);
  const found = await occurrenceNear(id, start, signal);
  signal.throwIfAborted();
  if (found) calendarDialog.value = { kind: 'event', item: itemOf(found) };
}

/** The occurrence of that start, or the first after it. */
async function occurrenceNear(
  id: string,
  start: number,
  signal: AbortSignal,
): Promise<AgendaItem | undefined> {
  const query = {
    from: new Date(start - DAY_MS).toISOString(),
    to: new Date(start + 35 * DAY_MS).toISOString(),
    limit: 2_000,
  };
  const { items } = await reply(api.GET('/v1/calendar/agenda', { params: { query }, signal }));
  const own = items.filter(({ event_id: each }) => each === id);
  return own.find((item) => Date.parse(item.original_start) >= start) ?? own.at(-1);
}
