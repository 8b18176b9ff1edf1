import type { components } from '../../api/schema.js';
import { dayOfWall, type Day, type Wall } from './days.ts';

export type AgendaItem = components['schemas']['AgendaItem'];

/** An occurrence as it is shown. */
export interface Item {
  /** Stays the same when a single event moves. */
  readonly key: string;
  readonly data: AgendaItem;
  /** What the owner's clock shows; midnights for all-day events. */
  readonly start: Wall;
  readonly end: Wall;
  readonly firstDay: Day;
  /** The last day that it touches. */
  readonly lastDay: Day;
  /** Shown as a bar across days. */
  readonly isBar: boolean;
}

/** The occurrence at another time. */
export function placed(data: AgendaItem, start: Wall, end: Wall): Item {
  const firstDay = dayOfWall(start);
  const lastDay = end > start ? Math.max(firstDay, dayOfWall(end - 1)) : firstDay;
  return {
    key: data.recurring ? `${data.event_id} ${data.original_start}` : data.event_id,
    data,
    start,
    end,
    firstDay,
    lastDay,
    isBar: data.all_day || lastDay > firstDay + 1,
  };
}
