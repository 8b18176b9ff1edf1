import type { CalendarEvent, EventException } from '../../ports/calendar.ts';
import type { Directory } from '../../ports/directory.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Scheduler, Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { queueOwnerMessage } from '../bots/index.ts';
import { notify, type NotificationInput } from '../notifications/index.ts';
import { currentSettings } from '../settings/index.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { nextReminder, remindersBetween, type Reminder } from './next-reminder.ts';

type RemindStores = Pick<Stores, 'bots' | 'calendar' | 'notifications' | 'settings' | 'tasks'>;

export interface RemindDeps {
  readonly uow: UnitOfWork<keyof RemindStores>;
  readonly directory: Directory;
  readonly zones: TimeZones;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly jobs: JobQueue;
}

const EVENTS_AT_ONCE = 200;
/** Reminders later than this count as missed. */
const LATE_MS = 10_000;
const HOUR_MS = 3_600_000;

/**
 * Sends the reminders that are due, each once: the notification and the event's next reminder are stored in one
 * transaction, so that neither a restart nor another process repeats it. Returns the number of events.
 */
export async function sendDueReminders(deps: RemindDeps): Promise<number> {
  const due = await deps.directory.dueReminders(deps.clock.now(), EVENTS_AT_ONCE);
  let failure: { readonly error: unknown } | undefined;
  for (const { scope, eventId } of due) {
    // A failing event must not block the others.
    await remindOf(deps, scope, eventId).catch((error: unknown) => (failure ??= { error }));
    await deps.scheduler.yield();
  }
  if (failure) throw failure.error;
  return due.length;
}

async function remindOf(deps: RemindDeps, scope: OwnerScope, eventId: string): Promise<void> {
  const messages = await deps.uow.write(scope, async (stores) => {
    const { calendar } = stores;
    const now = deps.clock.now();
    const event = await calendar.find(eventId);
    const dueAt = event?.nextReminderAt ?? null;
    if (!event || dueAt === null || dueAt > now) return [];
    const nudges: TaskNudge[] = [];
    const exceptions = await calendar.exceptions(eventId);
    for (const reminder of remindersToGive(deps.zones, event, exceptions, dueAt, now))
      nudges.push(...(await give(deps, stores, newsOf(deps.zones, reminder))));
    await calendar.remindAt(eventId, nextReminder(deps.zones, event, exceptions, now));
    return nudges;
  });
  await enqueueAll(deps.jobs, messages);
}

/** As a notification, and as a message if the owner has enabled that and has a linked bot. */
async function give(
  deps: RemindDeps,
  stores: RemindStores,
  notification: NotificationInput,
): Promise<readonly TaskNudge[]> {
  await notify(deps, stores, notification);
  if (!(await currentSettings(stores)).calendarRemindersMessenger) return [];
  const nudge = await queueOwnerMessage(
    deps,
    stores,
    `${notification.title}\n${notification.body}`,
  );
  return nudge ? [nudge] : [];
}

/** All reminders due now; if there are none, only the latest of the missed ones. */
function remindersToGive(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  since: Instant,
  now: Instant,
): readonly Reminder[] {
  const late = Math.max(since - 1, now - LATE_MS);
  const given = [...remindersBetween(zones, event, exceptions, late, now)];
  if (given.length > 0) return given.sort(byDue);
  const missed = latestBetween(zones, event, exceptions, since - 1, late);
  return missed ? [missed] : [];
}

const byDue = (a: Reminder, b: Reminder): number => a.at - b.at || b.minutes - a.minutes;

/** Searches backwards in growing steps, so that after a long downtime only the last missed one is computed. */
function latestBetween(
  zones: TimeZones,
  event: CalendarEvent,
  exceptions: readonly EventException[],
  after: Instant,
  until: Instant,
): Reminder | undefined {
  for (let back = HOUR_MS; after < until; back *= 24) {
    const from = Math.max(after, until - back);
    let latest: Reminder | undefined;
    for (const reminder of remindersBetween(zones, event, exceptions, from, until))
      if (!latest || byDue(reminder, latest) > 0) latest = reminder;
    if (latest || from === after) return latest;
  }
  return undefined;
}

function newsOf(zones: TimeZones, { minutes, occurrence }: Reminder): NotificationInput {
  const { details, span, event } = occurrence;
  const [day = '', time = ''] = new Date(zones.toLocal(details.tz, span.from))
    .toISOString()
    .split('T');
  const when = details.allDay ? day : `${day} at ${time.slice(0, 5)} (${details.tz})`;
  const where = details.location === '' ? '' : `, ${details.location}`;
  return {
    kind: 'calendar.reminder',
    title: details.title,
    body: `${when}${where}`,
    payload: {
      event_id: event.id,
      starts_at: new Date(span.from).toISOString(),
      minutes,
    },
  };
}
