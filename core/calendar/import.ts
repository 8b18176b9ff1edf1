import type {
  CalendarFormat,
  ICalendarError,
  ICalendarEvent,
} from '../../ports/calendar-format.ts';
import type { CalendarEvent } from '../../ports/calendar.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { follow, openRun, type FollowDeps } from '../imports/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { InvalidInput } from '../shared/errors.ts';
import { notACalendar } from './errors.ts';
import { remindersSentUntil } from './next-reminder.ts';
import { toICalendarError, isUnchanged, toStoredEvent } from './ical-import.ts';

export interface ImportDeps extends FollowDeps {
  readonly uow: UnitOfWork<'calendar' | 'settings' | 'idempotency' | 'importRuns' | 'pinLock'>;
  readonly calendars: CalendarFormat;
  readonly zones: TimeZones;
  readonly scheduler: Scheduler;
}

/** The result of an import, counted by UID; a series with its exceptions counts once. */
export interface CalendarImport {
  readonly created: number;
  readonly updated: number;
  /** Existing events, equal to those in the file. */
  readonly skipped: number;
  /** By line, at most `MAX_ERRORS` of them. */
  readonly errors: readonly ICalendarError[];
}

export const MAX_REPORTED_ERRORS = 1_000;
const BREATH = 20;

/**
 * Imports the valid events of a file in one transaction, and reports the errors of the others. A request with an
 * idempotency key can be followed.
 */
export async function importCalendar(
  deps: ImportDeps,
  caller: Caller,
  { text, filename }: { readonly text: string; readonly filename: string },
): Promise<CalendarImport> {
  const run = { kind: 'calendar', filename, state: 'checking', total: null } as const;
  const key = caller.receipt?.key;
  const importId = key === undefined ? undefined : await openRun(deps, caller, { ...run, key });
  return follow(deps, caller, importId, async (follower) => {
    const now = deps.clock.now();
    const { timezone } = await deps.uow.read(caller.scope, currentSettings);
    const read = await deps.calendars.read(text, { tz: timezone, now });
    if (!read.isCalendar) throw notACalendar();
    await follower.start(read.events.length, false);
    return deps.uow.write(
      caller.scope,
      async (stores) => {
        const taken = await importEvents(deps, stores, read.events, 'others');
        const errors = [...read.errors, ...taken.errors].sort((a, b) => a.line - b.line);
        const result = { ...taken, errors: errors.slice(0, MAX_REPORTED_ERRORS) };
        await follower.advance(stores, read.events.length);
        await follower.finish(stores, result);
        await saveResponse(stores, deps.clock, caller, result);
        return result;
      },
      'large',
    );
  });
}

/**
 * Origin of the events: `others` are renumbered and update existing events; `theirs`, the owner's own from another
 * workspace, keep id and number if these are free and leave existing events unchanged.
 */
export type ImportMode = 'others' | 'theirs';

export async function importEvents(
  deps: Pick<ImportDeps, 'zones' | 'scheduler' | 'clock' | 'random'>,
  stores: Pick<Stores, 'calendar'>,
  events: readonly ICalendarEvent[],
  belonging: ImportMode,
): Promise<CalendarImport> {
  const numbers = new Numbers(stores.calendar, belonging);
  const present = await presentAmong(stores, events, belonging);
  const counts = { created: 0, updated: 0, skipped: 0 };
  const errors: ICalendarError[] = [];
  for (const [i, filed] of events.entries()) {
    if (i > 0 && i % BREATH === 0) await deps.scheduler.yield();
    try {
      counts[await importEvent(deps, stores, filed, present, numbers)] += 1;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      errors.push(toICalendarError(filed, error));
    }
  }
  await numbers.take();
  return { ...counts, errors };
}

async function importEvent(
  deps: Pick<ImportDeps, 'zones' | 'clock' | 'random'>,
  { calendar }: Pick<Stores, 'calendar'>,
  filed: ICalendarEvent,
  present: Present,
  numbers: Numbers,
): Promise<'created' | 'updated' | 'skipped'> {
  const now = deps.clock.now();
  const known = present.byUid.get(filed.uid);
  if (known && present.stays) return 'skipped';
  const id = known?.id ?? (present.freeIds.has(filed.uid) ? filed.uid : deps.random.uuid());
  // All validation happens before the first write.
  const { event, exceptions } = toStoredEvent(deps.zones, filed, id, {
    now,
    remindedUntil: known ? remindersSentUntil(known, now) : now,
  });
  if (known && isUnchanged(known, await calendar.exceptions(id), event, exceptions))
    return 'skipped';
  const number = known?.number ?? (await numbers.next(filed));
  if (known) await calendar.removeExceptions(id);
  for (const exception of exceptions) await calendar.saveException(exception);
  const times = known && { createdAt: known.createdAt, updatedAt: now };
  await calendar.save({ ...event, number, ...times });
  return known ? 'updated' : 'created';
}

/** The events of a file that exist already. */
interface Present {
  readonly byUid: ReadonlyMap<string, CalendarEvent>;
  /** It is not changed. */
  readonly stays: boolean;
  /** UIDs that can be the ids of their events. */
  readonly freeIds: ReadonlySet<string>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Looked up together before anything is written: the cost of separate lookups would grow with the number of events.
 */
async function presentAmong(
  { calendar }: Pick<Stores, 'calendar'>,
  events: readonly ICalendarEvent[],
  belonging: ImportMode,
): Promise<Present> {
  const known = await calendar.findByUids(events.map(({ uid }) => uid));
  const unchanged = belonging === 'theirs';
  // The UID of an event created here is its id.
  const ids = unchanged ? events.flatMap(({ uid }) => (UUID.test(uid) ? [uid] : [])) : [];
  const taken = new Set((await calendar.findMany(ids)).map(({ id }) => id));
  return {
    byUid: new Map(known.map((event) => [event.uid, event])),
    stays: unchanged,
    freeIds: new Set(ids.filter((id) => !taken.has(id))),
  };
}

/**
 * Numbers for new events. The first is reserved, and no other unit of work can reserve one before this one ends. The
 * others follow from it and are reserved together: separate reservations would cost more with every event.
 */
class Numbers {
  /** Numbers continue after the highest one: one near the storage limit would be the last. */
  static readonly #MAX_NUMBER = 1_000_000_000;

  readonly #calendar: Stores['calendar'];
  readonly #belonging: ImportMode;
  #last: number | null = null;

  constructor(calendar: Stores['calendar'], belonging: ImportMode) {
    this.#calendar = calendar;
    this.#belonging = belonging;
  }

  async next({ number }: ICalendarEvent): Promise<number> {
    const next = this.#last === null ? await this.#calendar.nextNumber() : this.#last + 1;
    const input =
      this.#belonging === 'theirs' && number !== null && number <= Numbers.#MAX_NUMBER ? number : 0;
    this.#last = Math.max(input, next);
    return this.#last;
  }

  async take(): Promise<void> {
    if (this.#last !== null) await this.#calendar.skipTo(this.#last);
  }
}
