import type { CalendarEvent, EventException } from '../../ports/calendar.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import {
  countBefore,
  endingAt,
  formatRule,
  isOccurrence,
  withoutFirst,
} from '../recurrence/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { findOccurrence } from './change-occurrence.ts';
import { detailsAt, previousOccurrence, recurrenceOf, ruleOf } from './occurrence.ts';
import { applyEdit, newEvent, type EventDeps, type EventEdit } from './events.ts';
import type { TimeInput } from './details.ts';
import { remindersSentUntil } from './next-reminder.ts';
import { finalizeEvent } from './series.ts';
import { viewOf, type EventView } from './view.ts';

/**
 * Changes an occurrence and all that follow: the series ends before it, and a new one begins there, with the
 * exceptions from there on. At the first occurrence it changes the whole series. Returns the event that contains the
 * occurrence.
 */
export async function splitEvent(
  deps: EventDeps,
  caller: Caller,
  id: string,
  from: TimeInput,
  edit: EventEdit,
): Promise<EventView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const { event, exceptions, occurrence } = await findOccurrence(deps, stores, id, from);
    const { original } = occurrence;
    // An imported additional date (RDATE) is not part of the rule, so nothing follows from it.
    const byRule = event.rrule === '' || isOccurrence(deps.zones, recurrenceOf(event), original);
    if (!byRule) throw notFound();
    const last = previousOccurrence(deps.zones, event, original);
    const complete =
      last === undefined
        ? event
        : await beginAnew(deps, stores, event, { original, last }, exceptions);
    const view = viewOf(deps.zones, await applyEdit(deps, stores, complete, edit));
    await saveResponse(stores, deps.clock, caller, view);
    return view;
  });
}

/** Ends the series and begins another at the cut, with the same details. */
async function beginAnew(
  deps: EventDeps,
  stores: Pick<Stores, 'calendar'>,
  event: CalendarEvent,
  cut: { readonly original: number; readonly last: number },
  exceptions: readonly EventException[],
): Promise<CalendarEvent> {
  const { zones, clock } = deps;
  const { calendar } = stores;
  const rule = ruleOf(event);
  if (!rule) throw new Error('Only a series has an occurrence before another.');
  const recurrence = { ...recurrenceOf(event), rule };
  const now = clock.now();
  const before = exceptions.filter(({ original }) => original < cut.original);
  const ended = formatRule(endingAt(zones, recurrence, cut.last));
  const rest = withoutFirst(rule, countBefore(zones, recurrence, cut.original));
  await calendar.removeExceptions(event.id);
  for (const exception of before) await calendar.saveException(exception);
  const since = remindersSentUntil(event, now);
  await calendar.save(
    finalizeEvent(zones, { ...event, rrule: ended, updatedAt: now }, before, since),
  );
  const details = detailsAt(event, cut.original);
  const started = await newEvent(deps, stores, details, formatRule(rest), since);
  for (const exception of exceptions)
    if (exception.original >= cut.original)
      await calendar.saveException({ ...exception, eventId: started.id });
  return started;
}
