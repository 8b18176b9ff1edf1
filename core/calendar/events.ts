import type { CalendarEvent, EventDetails } from '../../ports/calendar.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { applyDraft, type EventDraft, type TimeInput } from './details.ts';
import { remindersSentUntil } from './next-reminder.ts';
import { canonicalRule } from './occurrence.ts';
import { carryExceptions, finalizeEvent } from './series.ts';
import { findEvent, viewOf, type EventView } from './view.ts';

export interface EventDeps {
  readonly uow: UnitOfWork<'calendar' | 'settings' | 'idempotency'>;
  readonly zones: TimeZones;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface NewEvent extends EventDraft {
  readonly title: string;
  readonly startsAt: TimeInput;
  readonly endsAt: TimeInput;
  readonly rrule?: string;
}

export type EventEdit = EventDraft & { readonly rrule?: string };

/** Events, not expanded into occurrences, newest first. */
export async function listEvents(
  deps: Pick<EventDeps, 'uow' | 'zones'>,
  caller: Caller,
  request: PageRequest & { readonly search: string },
): Promise<Page<EventView>> {
  const { items, total } = await deps.uow.read(caller.scope, ({ calendar }) =>
    calendar.page(request),
  );
  return { items: items.map((event) => viewOf(deps.zones, event)), total };
}

export async function getEvent(
  deps: Pick<EventDeps, 'uow' | 'zones'>,
  caller: Caller,
  id: string,
): Promise<EventView> {
  const event = await deps.uow.read(caller.scope, (stores) => findEvent(stores, id));
  return viewOf(deps.zones, event);
}

/** Default details of an event. */
const UNSAID: EventDetails = {
  title: '',
  description: '',
  location: '',
  start: 0,
  later: false,
  duration: { days: 0, ms: 0 },
  tz: 'UTC',
  allDay: false,
  reminders: [],
  status: 'confirmed',
};

export async function createEvent(
  deps: EventDeps,
  caller: Caller,
  { rrule = '', ...draft }: NewEvent,
): Promise<EventView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const { timezone } = await currentSettings(stores);
    const details = applyDraft(deps.zones, { ...UNSAID, tz: timezone }, draft);
    const event = await newEvent(deps, stores, details, rrule);
    const view = viewOf(deps.zones, event);
    await saveResponse(stores, deps.clock, caller, view);
    return view;
  });
}

/**
 * Stores one more event under the next number. Its reminders up to `remindersSentUntil`, or else until now, are
 * skipped.
 */
export async function newEvent(
  deps: Pick<EventDeps, 'zones' | 'clock' | 'random'>,
  { calendar }: Pick<Stores, 'calendar'>,
  details: EventDetails,
  rrule: string,
  remindedUntil?: Instant,
): Promise<CalendarEvent> {
  const now = deps.clock.now();
  const id = deps.random.uuid();
  const times = { createdAt: now, updatedAt: now };
  const planned = { ...details, ...times, id, uid: id, rrule: canonicalRule(rrule), number: 0 };
  const event = finalizeEvent(deps.zones, planned, [], remindedUntil ?? now);
  const numbered = { ...event, number: await calendar.nextNumber() };
  await calendar.save(numbered);
  return numbered;
}

/**
 * Stores an event again that was removed, under its id and the next number. Reminders until now are skipped. Ends with
 * `undefined` if its id or UID is in use.
 */
export async function recreateEvent(
  deps: Pick<EventDeps, 'zones' | 'clock'>,
  { calendar }: Pick<Stores, 'calendar'>,
  removed: CalendarEvent,
): Promise<CalendarEvent | undefined> {
  const isInUse =
    (await calendar.find(removed.id)) ?? (await calendar.findByUids([removed.uid])).length > 0;
  if (isInUse) return undefined;
  const event = finalizeEvent(deps.zones, removed, [], deps.clock.now());
  const numbered = { ...event, number: await calendar.nextNumber() };
  await calendar.save(numbered);
  return numbered;
}

/** Changes the given fields, for a series in all occurrences. Modified occurrences are unchanged. */
export async function editEvent(
  deps: Pick<EventDeps, 'uow' | 'zones' | 'clock'>,
  caller: Caller,
  id: string,
  edit: EventEdit,
): Promise<EventView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const event = await applyEdit(deps, stores, await findEvent(stores, id), edit);
    return viewOf(deps.zones, event);
  });
}

export async function applyEdit(
  deps: Pick<EventDeps, 'zones' | 'clock'>,
  { calendar }: Pick<Stores, 'calendar'>,
  before: CalendarEvent,
  { rrule, ...draft }: EventEdit,
): Promise<CalendarEvent> {
  const { zones, clock } = deps;
  const now = clock.now();
  const planned = {
    ...before,
    ...applyDraft(zones, before, draft),
    rrule: rrule === undefined ? before.rrule : canonicalRule(rrule),
    updatedAt: now,
  };
  const stored = await calendar.exceptions(before.id);
  const since = remindersSentUntil(before, now);
  const moved = finalizeEvent(zones, planned, [], since);
  const carried = carryExceptions(zones, before, moved, stored);
  const after = finalizeEvent(zones, planned, carried, since);
  await calendar.removeExceptions(before.id);
  for (const exception of carried) await calendar.saveException(exception);
  await calendar.save(after);
  return after;
}

export async function deleteEvent(
  deps: Pick<EventDeps, 'uow'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    await findEvent(stores, id);
    await stores.calendar.remove(id);
  });
}
