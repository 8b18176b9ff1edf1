import { useEffect } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import { useResource, type Resource } from '../../data/resource.ts';
import { midnightOf, type Day } from './days.ts';
import { byTime, itemOf, type CalendarEvent, type Item } from './items.ts';
import { markSettled, withPending } from './pending.ts';
import { instantAt } from './zones.ts';
import { timeZone } from '../../state/preferences.ts';

/** The most that the service returns at once. */
const MAX_ITEMS = 2_000;

export interface Agenda {
  readonly items: readonly Item[];
  /** More than were loaded. */
  readonly hasMore: boolean;
}

/** What is planned on some days, with the changes that are on their way. */
export function useAgenda(first: Day, count: number, limit = MAX_ITEMS): Resource<Agenda> {
  const zone = timeZone.value;
  const resource = useResource(
    `agenda ${first} ${count} ${zone}`,
    async (signal) => {
      const dropSettled = markSettled();
      return { agenda: await readAgenda(first, count, limit, signal), dropSettled };
    },
    ['calendar'],
  );
  const { data } = resource;
  useEffect(() => data?.dropSettled(), [data]);
  const agenda = data?.agenda;
  return {
    ...resource,
    data: agenda && { ...agenda, items: withPending(agenda.items).toSorted(byTime) },
  };
}

async function readAgenda(
  first: Day,
  count: number,
  limit: number,
  signal: AbortSignal,
): Promise<Agenda> {
  const zone = timeZone.peek();
  // All-day events are on their own days, which may be others here.
  const [from, to] = [
    instantAt(midnightOf(first - 1), zone),
    instantAt(midnightOf(first + count + 1), zone),
  ];
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), limit };
  const { items, total } = await reply(
    api.GET('/v1/calendar/agenda', { params: { query }, signal }),
  );
  const shown = items
    .map(itemOf)
    .filter(({ firstDay, lastDay }) => lastDay >= first && firstDay < first + count);
  return { items: shown, hasMore: total > items.length };
}

export const readEvent = (id: string, signal?: AbortSignal): Promise<CalendarEvent> =>
  reply(
    api.GET('/v1/calendar/events/{event_id}', {
      params: { path: { event_id: id } },
      ...(signal && { signal }),
    }),
  );
