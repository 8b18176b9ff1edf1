import { signal } from '@preact/signals';
import { api } from '../../api/client.ts';
import { reply } from '../../api/errors.ts';
import type { components } from '../../api/schema.js';
import { noteChange } from '../../data/live.ts';
import { t } from '../../i18n/calendar.ts';
import { isolated } from '../../i18n/isolated.ts';
import { asChange, recordChange } from '../../state/undo.ts';
import { readEvent } from './agenda.ts';
import { dayOfWall, DAY_MS, isoWall, type Wall } from './days.ts';
import { momentText, shortDayText } from './formats.ts';
import type { CalendarEvent, Item } from './items.ts';
import { expect, forget, settle, type Expected } from './pending.ts';
import { movedRule } from './rule.ts';
import { restore, restoredId, snapshotOf } from './snapshot.ts';
import { instantAt, wallAt } from './zones.ts';
import { timeZone } from '../../state/preferences.ts';

/** What of a series changes. */
export type Scope = 'one' | 'following' | 'all';

/** When something takes place, by the clocks of `tz`. All-day: from midnight to midnight. */
export interface Times {
  readonly start: Wall;
  readonly end: Wall;
  readonly tz: string;
  readonly allDay: boolean;
}

export type Body = components['schemas']['EventChanges'];
export type NewBody = components['schemas']['NewEvent'];

/** Why the last change by mouse or keyboard was refused. */
export const refusal = signal<unknown>(undefined);

const eventPath = (id: string) => ({ path: { event_id: id } });

export const timesOf = ({ data }: Item): Times => ({
  start: wallAt(Date.parse(data.starts_at), data.tz),
  end: wallAt(Date.parse(data.ends_at), data.tz),
  tz: data.tz,
  allDay: data.all_day,
});

export const timesBody = ({ start, end, tz, allDay }: Times) => ({
  starts_at: isoWall(start),
  ends_at: isoWall(end),
  tz,
  all_day: allDay,
});

/** The times that an occurrence has when it is shown at these, by the owner's clock. */
export function timesAt({ data }: Item, start: Wall, end: Wall): Times {
  if (data.all_day) return { start, end, tz: data.tz, allDay: true };
  const zone = timeZone.peek();
  const there = (wall: Wall) => wallAt(instantAt(wall, zone), data.tz);
  return { start: there(start), end: there(end), tz: data.tz, allDay: false };
}

export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Creates an event, and with the same key none more. Undoing deletes it. */
export function createEvent(body: NewBody, key = newKey()): Promise<CalendarEvent> {
  const post = (nth: number) =>
    reply(
      api.POST('/v1/calendar/events', {
        params: { header: { 'Idempotency-Key': `${key}-${nth}` } },
        body,
      }),
    );
  const create = async (): Promise<CalendarEvent> => {
    let attempt = 0;
    const created = await post(attempt);
    let { id } = created;
    noteChange('calendar');
    recordChange({
      label: t().calendar.created(isolated(body.title)),
      undo: async () => {
        await deleteAll(id);
        noteChange('calendar');
      },
      redo: async () => {
        ({ id } = await post(++attempt));
        noteChange('calendar');
      },
    });
    return created;
  };
  return asChange(create());
}

/** The inverse of a change, made before it. */
interface Inverse {
  readonly undo: (created: string | undefined) => Promise<void>;
  /** The id of the event once it was undone. */
  readonly idAfter: () => Promise<string | undefined>;
}

/** A series is restored as a whole, a single event by its fields. */
async function inverseOf(item: Item): Promise<Inverse> {
  const { event_id: id, number, recurring } = item.data;
  if (recurring) {
    const snapshot = await snapshotOf(number);
    return {
      undo: async (created) => {
        // A series that was begun by the change ends with it.
        if (created !== undefined && created !== id) await deleteAll(created);
        await restore(snapshot);
      },
      idAfter: () => restoredId(snapshot),
    };
  }
  const before = bodyOf(await readEvent(id));
  return {
    undo: async () => {
      const params = eventPath(id);
      await reply(api.PATCH('/v1/calendar/events/{event_id}', { params, body: before }));
    },
    idAfter: () => Promise.resolve(id),
  };
}

const deleteAll = (id: string): Promise<unknown> =>
  reply(api.DELETE('/v1/calendar/events/{event_id}', { params: eventPath(id) }));

/** All fields of an event, to create it again or to restore it. */
export const bodyOf = (event: CalendarEvent): NewBody => ({
  title: event.title,
  starts_at: event.starts_at,
  ends_at: event.ends_at,
  tz: event.tz,
  all_day: event.all_day,
  description: event.description,
  location: event.location,
  reminders: event.reminders,
  status: event.status,
  rrule: event.rrule,
});

/** Sends a change of an occurrence, of it and all that follow, or of all. Returns the id of the event that has it. */
async function send(
  item: Item,
  body: Body,
  times: Times | undefined,
  scope: Scope,
): Promise<string> {
  const { event_id: id, original_start: at, recurring } = item.data;
  const own = { ...body, ...(times && timesBody(times)) };
  if (!recurring) {
    await reply(api.PATCH('/v1/calendar/events/{event_id}', { params: eventPath(id), body: own }));
    return id;
  }
  if (scope === 'one') {
    const { rrule: _, ...rest } = own;
    const params = { path: { event_id: id, original_start: at } };
    await reply(
      api.PUT('/v1/calendar/events/{event_id}/occurrences/{original_start}', {
        params,
        body: rest,
      }),
    );
    return id;
  }
  const series = await readEvent(id);
  const rule = body.rrule ?? (times && ruleAfter(item, series, times));
  const withRule = rule !== undefined && rule !== series.rrule ? { rrule: rule } : {};
  if (scope === 'following') {
    const params = eventPath(id);
    const sent = { from: at, ...own, ...withRule };
    return (await reply(api.POST('/v1/calendar/events/{event_id}/split', { params, body: sent })))
      .id;
  }
  const all = { ...body, ...(times && timesBody(timesOfAll(item, series, times))), ...withRule };
  await reply(api.PATCH('/v1/calendar/events/{event_id}', { params: eventPath(id), body: all }));
  return id;
}

/** The rule of a series whose occurrence moves to these times; undefined if it can stay. */
function ruleAfter(item: Item, series: CalendarEvent, times: Times): string | undefined {
  const start = { day: dayOfWall(timesOf(item).start), tz: series.tz, allDay: series.all_day };
  return movedRule(series.rrule, start, dayOfWall(times.start));
}

/** The first occurrence moves as far as the one that was changed. */
function timesOfAll(item: Item, series: CalendarEvent, times: Times): Times {
  const from = timesOf(item).start;
  const first = wallAt(Date.parse(series.starts_at), series.tz);
  const moved = first + (times.start - from);
  // Toggling all-day would else leave a part of a day.
  const start = times.allDay ? Math.floor(moved / DAY_MS) * DAY_MS : moved;
  return { ...times, start, end: start + (times.end - times.start) };
}

/** Whether a series can move to another day with all its occurrences. */
export async function canMoveAll(item: Item, times: Times): Promise<boolean> {
  if (!item.data.recurring) return true;
  const series = await readEvent(item.data.event_id);
  return ruleAfter(item, series, times) !== undefined;
}

let queue: Promise<unknown> = Promise.resolve();

/** One after the other: the inverse of a change is made of what the one before it has left. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = queue.then(work, work);
  queue = done.catch(() => undefined);
  return done;
}

interface ChangeOptions {
  readonly label: string;
  /** Shown until the service has answered. */
  readonly expected?: Expected;
}

/**
 * Changes what is shown at once, and remembers the inverse. Throws what the service refuses. `redo`: instead of the same
 * work, with the id that the event has by then.
 */
async function commit(
  item: Item,
  { label, expected }: ChangeOptions,
  work: () => Promise<string | undefined>,
  redo?: (id: string | undefined) => Promise<unknown>,
): Promise<void> {
  if (expected) expect(item.key, expected);
  const change = async () => {
    const { undo, idAfter } = await inverseOf(item);
    let last = await work();
    recordChange({
      label,
      undo: async () => {
        await undo(last);
        noteChange('calendar');
      },
      redo: async () => {
        if (redo) await redo(await idAfter());
        else last = await work();
        noteChange('calendar');
      },
    });
  };
  await shownAtOnce(item, expected, change);
}

/** What is shown already is taken back if the service refuses it. */
async function shownAtOnce(
  item: Item,
  expected: Expected | undefined,
  change: () => Promise<void>,
): Promise<void> {
  try {
    await asChange(inTurn(change));
    if (expected) settle(item.key, expected);
    noteChange('calendar');
  } catch (error) {
    if (expected) forget(item.key);
    throw error;
  }
}

/** Changes fields of an event, and its times if they are given. */
export const editEvent = (
  item: Item,
  body: Body,
  times: Times | undefined,
  scope: Scope,
): Promise<void> => {
  const label = t().calendar.changed(isolated(body.title ?? item.data.title));
  return commit(item, { label }, () => send(item, body, times, scope));
};

/** Moves an event, or changes how long it lasts, to what the owner's clock shows. A refusal is in `refusal`. */
export async function moveEvent(item: Item, start: Wall, end: Wall, scope: Scope): Promise<void> {
  refusal.value = undefined;
  const when = item.data.all_day ? shortDayText(dayOfWall(start)) : momentText(start);
  const label = t().calendar.moved(isolated(item.data.title), when);
  const times = timesAt(item, start, end);
  try {
    await commit(item, { label, expected: { start, end } }, () => send(item, {}, times, scope));
  } catch (error) {
    refusal.value = error;
  }
}

/** Deletes an event, one occurrence, or all from one on. */
export async function deleteEvent(item: Item, scope: Scope): Promise<void> {
  const { event_id: id, recurring, title } = item.data;
  refusal.value = undefined;
  const label = t().calendar.deleted(isolated(title));
  try {
    if (recurring) {
      // A restored series has another id. It is gone already if the file of the calendar lacks it.
      const again = async (now: string | undefined) => now !== undefined && deleteAll(now);
      const redo = scope === 'all' ? again : undefined;
      await commit(item, { label, expected: 'gone' }, () => removeOf(item, scope), redo);
    } else await deleteSingle(item, id, label);
  } catch (error) {
    refusal.value = error;
  }
}

/** It comes back as another event, with all its fields. */
async function deleteSingle(item: Item, id: string, label: string): Promise<void> {
  expect(item.key, 'gone');
  let current = id;
  const remove = async () => {
    await deleteAll(current);
  };
  await shownAtOnce(item, 'gone', async () => {
    const body = bodyOf(await readEvent(id));
    await remove();
    recordChange({
      label,
      undo: async () => {
        forget(item.key);
        ({ id: current } = await reply(api.POST('/v1/calendar/events', { body })));
        noteChange('calendar');
      },
      redo: async () => {
        await remove();
        noteChange('calendar');
      },
    });
  });
}

async function removeOf(item: Item, scope: Scope): Promise<string | undefined> {
  const { event_id: id, original_start: at } = item.data;
  if (scope === 'one') {
    const params = { path: { event_id: id, original_start: at } };
    await reply(
      api.DELETE('/v1/calendar/events/{event_id}/occurrences/{original_start}', { params }),
    );
    return undefined;
  }
  let ended = id;
  if (scope === 'following') {
    const params = eventPath(id);
    ({ id: ended } = await reply(
      api.POST('/v1/calendar/events/{event_id}/split', { params, body: { from: at } }),
    ));
  }
  await deleteAll(ended);
  return undefined;
}
