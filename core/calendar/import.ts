import type { CalendarFormat, FileFault, FiledEvent } from '../../ports/calendar-format.ts';
import type { CalendarEvent, EventDetails, EventException } from '../../ports/calendar.ts';
import type { Breather, Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { isOccurrence } from '../recurrence/index.ts';
import { keepReceipt } from '../receipts/index.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { InvalidInput } from '../shared/errors.ts';
import { MOST_EXCEPTIONS } from './change-occurrence.ts';
import { ascending } from './filed.ts';
import { detailsOf, differing, requireSpan } from './details.ts';
import { notACalendar } from './errors.ts';
import { canonicalRule, detailsAt, recurrenceOf } from './occurrence.ts';
import { placed, settled } from './series.ts';

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
  const counts = { created: 0, updated: 0, skipped: 0 };
  const errors: FileFault[] = [];
  for (const [i, filed] of events.entries()) {
    if (i > 0 && i % BREATH === 0) await deps.breather.breathe();
    try {
      counts[await takeEvent(deps, stores, filed, belonging)] += 1;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      errors.push(faultOf(filed, error));
    }
  }
  return { ...counts, errors };
}

/** What `takeEvents` would find wrong, without a look at what is there. */
export const faultsOf = (
  zones: TimeZones,
  events: readonly FiledEvent[],
  now: Instant,
): readonly FileFault[] =>
  events.flatMap((filed) => {
    try {
      understood(zones, filed, filed.uid, now);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return [faultOf(filed, error)];
    }
  });

const faultOf = ({ line, uid }: FiledEvent, { message }: InvalidInput): FileFault => ({
  line,
  uid,
  reason: message.endsWith('.') ? message : `${message}.`,
});

async function takeEvent(
  deps: Pick<ImportDeps, 'zones' | 'clock' | 'entropy'>,
  { calendar }: Pick<Stores, 'calendar'>,
  filed: FiledEvent,
  belonging: Belonging,
): Promise<'created' | 'updated' | 'skipped'> {
  const now = deps.clock.now();
  const known = await calendar.findByUid(filed.uid);
  if (known && belonging === 'theirs') return 'skipped';
  const id = known?.id ?? (await idFor(deps, calendar, filed, belonging));
  // Everything that can be wrong with it is found before the first write.
  const { event, exceptions } = understood(deps.zones, filed, id, now);
  if (known && saysTheSame(known, await calendar.exceptions(id), event, exceptions))
    return 'skipped';
  const number = known?.number ?? (await numberFor(calendar, filed, belonging));
  await calendar.removeExceptions(id);
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

async function numberFor(
  calendar: Stores['calendar'],
  { number }: FiledEvent,
  belonging: Belonging,
): Promise<number> {
  const next = await calendar.takeNumber();
  if (belonging === 'others' || number === null || number <= next) return next;
  await calendar.skipTo(number);
  return number;
}

/** What the file says of the event, as it would be stored. */
function understood(
  zones: TimeZones,
  filed: FiledEvent,
  id: string,
  now: Instant,
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
    createdAt: Math.min(createdAt, now),
    updatedAt: Math.min(updatedAt, now),
  };
  const event = settled(zones, planned, [], now);
  const exceptions = understoodExceptions(zones, event, filed);
  return { event: settled(zones, planned, exceptions, now), exceptions };
}

function understoodExceptions(
  zones: TimeZones,
  event: CalendarEvent,
  filed: FiledEvent,
): readonly EventException[] {
  const recurrence = recurrenceOf(event);
  const byOriginal = new Map<number, EventException>();
  for (const { original, details } of filed.exceptions) {
    const byRule = isOccurrence(zones, recurrence, original);
    if (details === null && !byRule) continue;
    if (details) requireSpan(zones, details);
    const changes = details && differing(details, detailsAt(event, original));
    if (changes && byRule && Object.keys(changes).length === 0) continue;
    byOriginal.set(original, placed(zones, event, { eventId: event.id, original, changes }));
  }
  return [...byOriginal.values()].sort((a, b) => a.original - b.original);
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
