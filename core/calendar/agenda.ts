import type { CalendarEvent, EventException, EventRangeCursor } from '../../ports/calendar.ts';
import type { Page } from '../../ports/paging.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { currentSettings } from '../settings/index.ts';
import type { Caller } from '../shared/caller.ts';
import { InvalidInput } from '../shared/errors.ts';
import { DAY_MS, instantOf, type TimeInput } from './details.ts';
import { tooManyOccurrences } from './errors.ts';
import {
  modifiedOccurrence,
  occurrencesFrom,
  unmodifiedOccurrence,
  type Occurrence,
} from './occurrence.ts';

export interface AgendaDeps {
  readonly uow: UnitOfWork<'calendar' | 'settings'>;
  readonly zones: TimeZones;
  readonly scheduler: Scheduler;
}

interface Window {
  readonly from: Instant;
  /** Upper bound, exclusive. */
  readonly to: Instant;
}

const MAX_DAYS = 400;
const EVENTS_AT_ONCE = 500;
/** Occurrences processed between two yields, and in total. */
const BREATH = 2_000;
const MAX_OCCURRENCES = 1_000_000;

/**
 * Everything that overlaps a window, by start: occurrences by their rules, modified ones at their new time. Events
 * that end at its beginning, or begin at its end, are excluded. An event without duration is included if it begins
 * within.
 */
export async function agenda(
  deps: AgendaDeps,
  caller: Caller,
  request: { readonly from: TimeInput; readonly to: TimeInput; readonly limit: number },
): Promise<Page<Occurrence>> {
  return deps.uow.read(caller.scope, async (stores) => {
    const window = await windowOf(deps, stores, request);
    const events = await eventsIn(deps, stores, window);
    const { originals, changed } = await exceptionsIn(stores, window, events);
    const earliest = new Earliest(request.limit);
    let looked = 0;
    const look = async (found: Occurrence | undefined) => {
      if (found && overlaps(found, window)) earliest.add(found);
      if (++looked > MAX_OCCURRENCES) throw tooManyOccurrences();
      if (looked % BREATH === 0) await deps.scheduler.yield();
    };
    for (const event of events.values()) {
      const different = originals.get(event.id);
      const from = reachBack(event, window);
      for (const { local, at } of occurrencesFrom(deps.zones, event, from, window.to)) {
        const byRule = different?.has(local) !== true;
        await look(byRule ? unmodifiedOccurrence(deps.zones, event, local, at) : undefined);
      }
    }
    for (const exception of changed) {
      const event = events.get(exception.eventId);
      await look(event && modifiedOccurrence(deps.zones, event, exception));
    }
    return earliest.page();
  });
}

async function windowOf(
  { zones }: Pick<AgendaDeps, 'zones'>,
  stores: Pick<Stores, 'settings'>,
  request: { readonly from: TimeInput; readonly to: TimeInput },
): Promise<Window> {
  const { timezone } = await currentSettings(stores);
  const from = instantOf(zones, timezone, request.from);
  const to = instantOf(zones, timezone, request.to);
  if (to < from) throw new InvalidInput('query', 'to', 'to lies before from');
  if (to - from > MAX_DAYS * DAY_MS)
    throw new InvalidInput('query', 'to', `a window is at most ${MAX_DAYS} days long`);
  return { from, to };
}

/** A window without length contains nothing, although an overlap index would return events around it. */
const overlaps = ({ span: { from, until } }: Occurrence, window: Window): boolean =>
  from < window.to && (until > window.from || (from === until && from >= window.from));

/** The earliest start of an occurrence that may last into the window. */
const reachBack = ({ duration: { days, ms } }: CalendarEvent, { from }: Window): Instant =>
  // A calendar day may be longer than 24 hours.
  from - ms - (days === 0 ? 0 : (days + 1) * DAY_MS);

async function eventsIn(
  { scheduler }: Pick<AgendaDeps, 'scheduler'>,
  { calendar }: Pick<Stores, 'calendar'>,
  window: Window,
): Promise<ReadonlyMap<string, CalendarEvent>> {
  const found = new Map<string, CalendarEvent>();
  let after: EventRangeCursor | null = null;
  for (;;) {
    const page: readonly CalendarEvent[] = await calendar.reaching(window, after, EVENTS_AT_ONCE);
    for (const event of page) found.set(event.id, event);
    const last = page.at(-1);
    if (!last || page.length < EVENTS_AT_ONCE) return found;
    after = { until: last.reach.until, id: last.id };
    await scheduler.yield();
  }
}

/** The exceptions: original starts to skip, and modified occurrences. */
async function exceptionsIn(
  { calendar }: Pick<Stores, 'calendar'>,
  window: Window,
  events: ReadonlyMap<string, CalendarEvent>,
): Promise<{
  readonly originals: ReadonlyMap<string, ReadonlySet<number>>;
  readonly changed: readonly EventException[];
}> {
  let earliest = window.from;
  for (const event of events.values())
    if (event.rrule !== '') earliest = Math.min(earliest, reachBack(event, window));
  // Maximum UTC offset.
  const readings = { from: earliest - 2 * DAY_MS, to: window.to + 2 * DAY_MS };
  const exceptions = await calendar.exceptionsAround(readings, window);
  const originals = new Map<string, Set<number>>();
  for (const { eventId, original } of exceptions) {
    const known = originals.get(eventId);
    if (known) known.add(original);
    else originals.set(eventId, new Set([original]));
  }
  return { originals, changed: exceptions.filter(({ changes }) => changes !== null) };
}

const byStart = (a: Occurrence, b: Occurrence): number =>
  a.span.from - b.span.from || a.event.number - b.event.number || a.original - b.original;

/** The first occurrences by start, and the total count. Later ones are discarded early. */
class Earliest {
  readonly #limit: number;
  #kept: Occurrence[] = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(occurrence: Occurrence): void {
    this.#total++;
    this.#kept.push(occurrence);
    if (this.#kept.length >= 4 * this.#limit + 1_000) this.#settle();
  }

  page(): Page<Occurrence> {
    this.#settle();
    return { items: this.#kept, total: this.#total };
  }

  #settle(): void {
    this.#kept = this.#kept.sort(byStart).slice(0, this.#limit);
  }
}
