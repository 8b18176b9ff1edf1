import type { CalendarFormat, FileFault, FiledEvent } from '../../ports/calendar-format.ts';
import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Breather, Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { keepReceipt } from '../receipts/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { InvalidInput } from '../shared/errors.ts';
import { MOST_EXCEPTIONS } from './change-occurrence.ts';
import { ascending } from './filed.ts';
import { detailsOf, requireSpan } from './details.ts';
import { notACalendar } from './errors.ts';
import { remindedUntil } from './next-reminder.ts';
import { canonicalRule } from './occurrence.ts';
import { exceptionFor, settled, told } from './series.ts';

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
    const taken = await takeEvents(deps, stores, read.events, 'next');
    const faults = [...read.faults, ...taken.errors].sort((a, b) => a.line - b.line);
    const result = { ...taken, errors: faults.slice(0, MOST_FAULTS) };
    await keepReceipt(stores, deps.clock, caller, result);
    return result;
  });
}

/** `filed` keeps the numbers of the file where nobody had them yet; `next` counts on. */
export async function takeEvents(
  deps: Pick<ImportDeps, 'zones' | 'breather' | 'clock' | 'entropy'>,
  stores: Pick<Stores, 'calendar'>,
  events: readonly FiledEvent[],
  whose: 'filed' | 'next',
): Promise<CalendarImport> {
  const numbers = new Numbers(stores.calendar, whose);
  const counts = { created: 0, updated: 0, skipped: 0 };
  const errors: FileFault[] = [];
  for (const [i, filed] of events.entries()) {
    if (i > 0 && i % BREATH === 0) await deps.breather.breathe();
    try {
      counts[await takeEvent(deps, stores, filed, numbers)] += 1;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      errors.push({ line: filed.line, uid: filed.uid, reason: sentence(error.message) });
    }
  }
  await numbers.take();
  return { ...counts, errors };
}

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');

async function takeEvent(
  deps: Pick<ImportDeps, 'zones' | 'clock' | 'entropy'>,
  { calendar }: Pick<Stores, 'calendar'>,
  filed: FiledEvent,
  numbers: Numbers,
): Promise<'created' | 'updated' | 'skipped'> {
  const now = deps.clock.now();
  const known = await calendar.findByUid(filed.uid);
  const id = known?.id ?? deps.entropy.uuid();
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

/**
 * Numbers for what is created. The first is taken, and nobody else can take one before this unit of work ends; the
 * others are counted on from it, and taken all at once: each by itself would cost more the more there are.
 */
class Numbers {
  readonly #calendar: Stores['calendar'];
  readonly #whose: 'filed' | 'next';
  #last: number | null = null;

  constructor(calendar: Stores['calendar'], whose: 'filed' | 'next') {
    this.#calendar = calendar;
    this.#whose = whose;
  }

  async next({ number }: FiledEvent): Promise<number> {
    const next = this.#last === null ? await this.#calendar.takeNumber() : this.#last + 1;
    this.#last = this.#whose === 'filed' ? Math.max(number ?? 0, next) : next;
    return this.#last;
  }

  async take(): Promise<void> {
    if (this.#last !== null) await this.#calendar.skipTo(this.#last);
  }
}

/** What the file says of the event, as it would be stored. */
function understood(
  zones: TimeZones,
  filed: FiledEvent,
  id: string,
  times: { readonly now: Instant; readonly remindedUntil: Instant },
): { readonly event: CalendarEvent; readonly exceptions: readonly EventException[] } {
  if (filed.exceptions.length > MOST_EXCEPTIONS)
    throw new InvalidInput('body', 'rrule', `a series has at most ${MOST_EXCEPTIONS} exceptions`);
  requireSpan(zones, filed.details);
  const { createdAt, updatedAt } = filed;
  const planned = {
    ...filed.details,
    id,
    uid: filed.uid,
    number: 0,
    rrule: canonicalRule(filed.rrule),
    createdAt: Math.min(createdAt, times.now),
    updatedAt: Math.min(updatedAt, times.now),
  };
  const event = settled(zones, planned, [], times.remindedUntil);
  const exceptions = understoodExceptions(zones, event, filed);
  return { event: settled(zones, planned, exceptions, times.remindedUntil), exceptions };
}

function understoodExceptions(
  zones: TimeZones,
  event: CalendarEvent,
  filed: FiledEvent,
): readonly EventException[] {
  const exceptions: EventException[] = [];
  for (const { original, details } of filed.exceptions) {
    if (details) requireSpan(zones, details);
    exceptions.push(exceptionFor(zones, event, original, details));
  }
  return told(zones, event, exceptions);
}

/** Whatever an owner would notice; not when it was said. */
function saysTheSame(
  known: CalendarEvent,
  knownExceptions: readonly EventException[],
  event: CalendarEvent,
  exceptions: readonly EventException[],
): boolean {
  const said = (it: CalendarEvent, of: readonly EventException[]) =>
    JSON.stringify([it.rrule, ascending(detailsOf(it)), of.map(inOrder)]);
  return said(known, knownExceptions) === said(event, exceptions);
}

/** The changes in one order of their names, however they came about. */
const inOrder = ({ original, changes }: EventException) => [
  original,
  changes &&
    Object.entries(sorted(changes))
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
];

const sorted = ({ reminders, ...rest }: Partial<EventDetails>): Partial<EventDetails> =>
  reminders ? ascending({ ...rest, reminders }) : rest;
