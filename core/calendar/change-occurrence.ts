import type { CalendarEvent, EventException } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { detailsOf, instantOf, applyDraft, type EventDraft, type TimeInput } from './details.ts';
import { tooManyExceptions } from './errors.ts';
import { applyEdit, type EventDeps } from './events.ts';
import { remindersSentUntil } from './next-reminder.ts';
import { occurrenceAt, unmodifiedOccurrence, type Occurrence } from './occurrence.ts';
import { exceptionFor, finalizeEvent, normalizeExceptions } from './series.ts';
import { findEvent } from './view.ts';

type ChangeDeps = Pick<EventDeps, 'uow' | 'zones' | 'clock'>;

/** Maximum number of exceptions per series. */
export const MAX_EXCEPTIONS = 5_000;

/**
 * Changes one occurrence, identified by its start by the rule. Absent fields are unchanged; fields that were never
 * modified continue to follow the series. A single event is its only occurrence.
 */
export async function changeOccurrence(
  deps: ChangeDeps,
  caller: Caller,
  id: string,
  start: TimeInput,
  draft: EventDraft,
): Promise<Occurrence> {
  const { zones } = deps;
  return deps.uow.write(caller.scope, async (stores) => {
    const { event, exceptions, occurrence } = await findOccurrence(deps, stores, id, start);
    if (event.rrule === '') {
      const after = await applyEdit(deps, stores, event, draft);
      return unmodifiedOccurrence(
        zones,
        after,
        after.start,
        zones.toInstant(after.tz, after.start, after.later),
      );
    }
    const { original } = occurrence;
    const details = applyDraft(zones, detailsOf(occurrence.details), draft);
    const changed = exceptionFor(zones, event, original, details);
    const stored = await putException(deps, stores, event, exceptions, changed);
    const now = occurrenceAt(zones, event, stored, occurrence.originalAt);
    if (!now) throw new Error('An occurrence that was changed no longer exists.');
    return now;
  });
}

/** Excludes one occurrence from its series. A single event is deleted with its only occurrence. */
export async function excludeOccurrence(
  deps: ChangeDeps,
  caller: Caller,
  id: string,
  start: TimeInput,
): Promise<void> {
  await deps.uow.write(caller.scope, async (stores) => {
    const { event, exceptions, occurrence } = await findOccurrence(deps, stores, id, start);
    if (event.rrule === '') return stores.calendar.remove(id);
    const { original } = occurrence;
    await putException(
      deps,
      stores,
      event,
      exceptions,
      exceptionFor(deps.zones, event, original, null),
    );
  });
}

interface FoundOccurrence {
  readonly event: CalendarEvent;
  readonly exceptions: readonly EventException[];
  readonly occurrence: Occurrence;
}

export async function findOccurrence(
  { zones }: Pick<ChangeDeps, 'zones'>,
  stores: Pick<Stores, 'calendar'>,
  id: string,
  start: TimeInput,
): Promise<FoundOccurrence> {
  const event = await findEvent(stores, id);
  const exceptions = await stores.calendar.exceptions(id);
  const at: Instant = instantOf(zones, event.tz, start);
  const occurrence = occurrenceAt(zones, event, exceptions, at);
  if (!occurrence) throw notFound();
  return { event, exceptions, occurrence };
}

/** Returns all exceptions afterwards. */
async function putException(
  { zones, clock }: Pick<ChangeDeps, 'zones' | 'clock'>,
  { calendar }: Pick<Stores, 'calendar'>,
  event: CalendarEvent,
  before: readonly EventException[],
  exception: EventException,
): Promise<readonly EventException[]> {
  const others = before.filter(({ original }) => original !== exception.original);
  const stored = normalizeExceptions(zones, event, [...others, exception]);
  if (stored.length > MAX_EXCEPTIONS) throw tooManyExceptions();
  const now = clock.now();
  if (stored.includes(exception)) await calendar.saveException(exception);
  else await calendar.removeException(event.id, exception.original);
  const since = remindersSentUntil(event, now);
  await calendar.save(finalizeEvent(zones, { ...event, updatedAt: now }, stored, since));
  return stored;
}
