import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { Choice, Go } from '../../keys/palette-choice.ts';
import { dayOfWall, DAY_MS } from './days.ts';
import { momentText, shortDayText } from './formats.ts';
import { itemOf, type CalendarEvent } from './items.ts';
import { addressOf } from './view-state.ts';
import { ownWall, wallAt } from './zones.ts';

const MAX_CHOICES = 12;
/** As far as a window of the agenda may reach. */
const AHEAD_MS = 399 * DAY_MS;

interface Place {
  readonly day: number;
  readonly at: string;
  readonly words: string;
}

/** Events with these words. A series is found at its next occurrence. */
export async function eventChoices(
  words: string,
  go: Go,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const query = { ...(words && { q: words }), limit: MAX_CHOICES };
  const { items } = await reply(api.GET('/v1/calendar/events', { params: { query }, signal }));
  const hasSeries = items.some(({ rrule }) => rrule !== '');
  const next = hasSeries ? await nextOccurrences(signal) : new Map<string, Place>();
  return items.map((event) => {
    const { day, at, words: when } = next.get(event.id) ?? placeOf(event);
    return {
      id: `event-${event.id}`,
      icon: event.rrule ? 'repeat' : 'calendar',
      label: event.title,
      detail: when,
      run: () => go(addressOf({ view: 'day', day }, { id: event.id, at })),
    };
  });
}

function placeOf(event: CalendarEvent): Place {
  const at = Date.parse(event.starts_at);
  const wall = event.all_day ? wallAt(at, event.tz) : ownWall(at);
  const day = dayOfWall(wall);
  return { day, at: event.starts_at, words: event.all_day ? shortDayText(day) : momentText(wall) };
}

async function nextOccurrences(signal: AbortSignal): Promise<ReadonlyMap<string, Place>> {
  const now = Date.now();
  const query = {
    from: new Date(now).toISOString(),
    to: new Date(now + AHEAD_MS).toISOString(),
    limit: 2_000,
  };
  const { items } = await reply(api.GET('/v1/calendar/agenda', { params: { query }, signal }));
  const found = new Map<string, Place>();
  for (const data of items) {
    if (found.has(data.event_id)) continue;
    const { firstDay, start } = itemOf(data);
    const words = data.all_day ? shortDayText(firstDay) : momentText(start);
    found.set(data.event_id, { day: firstDay, at: data.original_start, words });
  }
  return found;
}
