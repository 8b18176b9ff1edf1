import { canMoveAll, deleteEvent, moveEvent, timesAt } from './changes.ts';
import type { Wall } from './days.ts';
import type { Item } from './items.ts';
import { calendarDialog } from './sheet-state.ts';

/** Moves an event to another time, or changes how long it lasts. Of a series it is asked what moves. */
export async function requestMove(item: Item, start: Wall, end: Wall): Promise<void> {
  if (start === item.start && end === item.end) return;
  if (!item.data.recurring) return moveEvent(item, start, end, 'one');
  const onlyOne = !(await canMoveAll(item, timesAt(item, start, end)).catch(() => true));
  calendarDialog.value = {
    kind: 'scope',
    question: { item, kind: 'move', onlyOne, run: (scope) => moveEvent(item, start, end, scope) },
  };
}

/** Both ends by as much, by the clock: 20:00 stays 20:00 on the next day. */
export const shift = (item: Item, by: number): Promise<void> =>
  requestMove(item, item.start + by, item.end + by);

export async function requestDelete(item: Item): Promise<void> {
  if (!item.data.recurring) return deleteEvent(item, 'one');
  calendarDialog.value = {
    kind: 'scope',
    question: {
      item,
      kind: 'delete',
      onlyOne: false,
      run: (scope) => deleteEvent(item, scope),
    },
  };
}
