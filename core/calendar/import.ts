import type { CalendarFormat, FileFault, FiledEvent } from '../../ports/calendar-format.ts';
import type { Breather, Clock, Entropy } from '../../ports/time-and-ids.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { keepReceipt } from '../receipts/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { InvalidInput } from '../shared/errors.ts';
import { notACalendar } from './errors.ts';
import { remindedUntil } from './next-reminder.ts';
import { faultOf, saysTheSame, understood } from './understood.ts';

export interface ImportDeps {
  readonly uow: UnitOfWork<'calendar' | 'settings' | 'receipts'>;
  readonly calendars: CalendarFormat;
  readonly zones: TimeZones;
  readonly breather: Breather;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** What became of a file, counted by UID; a series counts once, with all that is said of its occurrences. */
export interface CalendarImport {
  readonly created: number;
  readonly updated: number;
  /** There already, as they are in the file. */
  readonly skipped: number;
  /** By line, at most `MOST_FAULTS` of them. */
  readonly errors: readonly FileFault[];
}

export const MOST_FAULTS = 1_000;
const BREATH = 20;

/** Takes in the sound events of a file, all in one transaction, and says of the others what is wrong with them. */
export async function importCalendar(
  deps: ImportDeps,
  caller: Caller,
  text: string,
): Promise<CalendarImport> {
  const now = deps.clock.now();
  const { timezone } = await deps.uow.read(caller.scope, currentSettings);
  const read = await deps.calendars.read(text, { tz: timezone, now });
  if (!read.isCalendar) throw notACalendar();
  return deps.uow.write(caller.scope, async (stores) => {
    const taken = await takeEvents(deps, stores, read.events, 'others');
    const faults = [...read.faults, ...taken.errors].sort((a, b) => a.line - b.line);
    const result = { ...taken, errors: faults.slice(0, MOST_FAULTS) };
    await keepReceipt(stores, deps.clock, caller, result);
    return result;
  });
}

/**
 * Whose the events are: `others`, which are numbered anew and bring what is there already up to date, or `theirs`, the
 * owner's own from another workspace, which keep id and number where these are free and leave alone what is there.
 */
export type Belonging = 'others' | 'theirs';

export async function takeEvents(
  deps: Pick<ImportDeps, 'zones' | 'breather' | 'clock' | 'entropy'>,
  stores: Pick<Stores, 'calendar'>,
  events: readonly FiledEvent[],
  belonging: Belonging,
): Promise<CalendarImport> {
  const numbers = new Numbers(stores.calendar, belonging);
  const counts = { created: 0, updated: 0, skipped: 0 };
  const errors: FileFault[] = [];
  for (const [i, filed] of events.entries()) {
    if (i > 0 && i % BREATH === 0) await deps.breather.breathe();
    try {
      counts[await takeEvent(deps, stores, filed, belonging, numbers)] += 1;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      errors.push(faultOf(filed, error));
    }
  }
  await numbers.take();
  return { ...counts, errors };
}

async function takeEvent(
  deps: Pick<ImportDeps, 'zones' | 'clock' | 'entropy'>,
  { calendar }: Pick<Stores, 'calendar'>,
  filed: FiledEvent,
  belonging: Belonging,
  numbers: Numbers,
): Promise<'created' | 'updated' | 'skipped'> {
  const now = deps.clock.now();
  const known = await calendar.findByUid(filed.uid);
  if (known && belonging === 'theirs') return 'skipped';
  const id = known?.id ?? (await idFor(deps, calendar, filed, belonging));
  // Everything that can be wrong with it is found before the first write.
  const { event, exceptions } = understood(deps.zones, filed, id, {
    now,
    remindedUntil: known ? remindedUntil(known, now) : now,
  });
  if (known && saysTheSame(known, await calendar.exceptions(id), event, exceptions))
    return 'skipped';
  const number = known?.number ?? (await numbers.next(filed));
  if (known) await calendar.removeExceptions(id);
  for (const exception of exceptions) await calendar.saveException(exception);
  const times = known && { createdAt: known.createdAt, updatedAt: now };
  await calendar.save({ ...event, number, ...times });
  return known ? 'updated' : 'created';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Events that were made here have their id for their UID. */
async function idFor(
  { entropy }: Pick<ImportDeps, 'entropy'>,
  calendar: Stores['calendar'],
  { uid }: FiledEvent,
  belonging: Belonging,
): Promise<string> {
  const free = belonging === 'theirs' && UUID.test(uid) && !(await calendar.find(uid));
  return free ? uid : entropy.uuid();
}

/**
 * Numbers for what is created. The first is taken, and nobody else can take one before this unit of work ends; the
 * others are counted on from it, and taken all at once: each by itself would cost more the more there are.
 */
class Numbers {
  readonly #calendar: Stores['calendar'];
  readonly #belonging: Belonging;
  #last: number | null = null;

  constructor(calendar: Stores['calendar'], belonging: Belonging) {
    this.#calendar = calendar;
    this.#belonging = belonging;
  }

  async next({ number }: FiledEvent): Promise<number> {
    const next = this.#last === null ? await this.#calendar.takeNumber() : this.#last + 1;
    this.#last = this.#belonging === 'theirs' ? Math.max(number ?? 0, next) : next;
    return this.#last;
  }

  async take(): Promise<void> {
    if (this.#last !== null) await this.#calendar.skipTo(this.#last);
  }
}
