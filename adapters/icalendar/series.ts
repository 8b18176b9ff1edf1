import type { ICalendarEvent, ICalendarException } from '../../ports/calendar-format.ts';
import { Unreadable } from './content-lines.ts';
import type { Report } from './faults.ts';
import { datedExceptions, MAX_EXCEPTIONS, tooMany } from './exceptions.ts';
import type { VEvent } from './vevent.ts';
import { instantOf, onClocksOf, type DateValue } from './date-values.ts';

/** All components with one UID. */
export interface EventGroup {
  readonly uid: string;
  readonly members: readonly VEvent[];
  /** The event itself is in the file but unreadable. */
  readonly headless: boolean;
}

/** Combines the components of one UID into an event, or into several if the event itself is missing. */
export function eventsOf(
  { uid, members, headless }: EventGroup,
  report: Report,
): readonly ICalendarEvent[] {
  const overrides = members.filter(({ occurrence }) => occurrence !== null);
  const master = latest(
    members.filter(({ occurrence }) => occurrence === null),
    report,
  );
  if (master) return attempt(uid, report, () => [wholeOf(master, overrides, report)]) ?? [];
  if (!headless) return orphans(overrides, report);
  for (const { component } of overrides)
    report(component.line, uid, 'The event of this occurrence cannot be imported.');
  return [];
}

function attempt<T>(uid: string, report: Report, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    report(error.line, uid, error.message);
    return undefined;
  }
}

/** Order of duplicates: by SEQUENCE, then LAST-MODIFIED, then position in the file. */
function latest(rivals: readonly VEvent[], report: Report): VEvent | undefined {
  const [first, ...others] = [...rivals].sort(
    (a, b) =>
      b.sequence - a.sequence || b.updatedAt - a.updatedAt || b.component.line - a.component.line,
  );
  for (const { component, uid } of others)
    report(
      component.line,
      uid,
      `The file contains this more than once. The one in line ${first!.component.line} was used.`,
    );
  return first;
}

function wholeOf(master: VEvent, overrides: readonly VEvent[], report: Report): ICalendarEvent {
  const { details, clocks, component } = master;
  const exceptions = new Map<number, ICalendarException>();
  for (const dated of datedExceptions(component, details, clocks))
    if (!exceptions.has(dated.original) || dated.details === null)
      exceptions.set(dated.original, dated);
  const isSeries = master.rrule !== '' || overrides.length > 0 || hasAdditions(exceptions);
  // A single event has no occurrence to exclude.
  if (!isSeries) exceptions.clear();
  const at = (moment: DateValue) => onClocksOf(details, moment, clocks.zones);
  for (const [original, rivals] of grouped(overrides, ({ occurrence }) => at(occurrence!))) {
    const override = latest(rivals, report)!;
    exceptions.set(original, {
      original,
      details: override.details,
      line: override.component.line,
    });
  }
  if (exceptions.size > MAX_EXCEPTIONS) throw tooMany(component);
  return {
    uid: master.uid,
    details: isSeries ? { ...details, later: false } : details,
    rrule: master.rrule === '' && isSeries ? ONCE : master.rrule,
    exceptions: [...exceptions.values()].sort((a, b) => a.original - b.original),
    number: master.number,
    createdAt: master.createdAt,
    updatedAt: master.updatedAt,
    line: component.line,
  };
}

/** Further dates without a rule form a series, whose rule has only the start. */
const ONCE = 'FREQ=DAILY;COUNT=1';

const hasAdditions = (exceptions: ReadonlyMap<number, ICalendarException>): boolean =>
  [...exceptions.values()].some(({ details }) => details !== null);

/** Occurrences without their series become separate events, with a UID derived from the series and the occurrence. */
function orphans(overrides: readonly VEvent[], report: Report): readonly ICalendarEvent[] {
  const groups = grouped(
    overrides,
    ({ occurrence, clocks, uid }) => `${uid}/${named(occurrence!, clocks)}`,
  );
  return [...groups].map(([uid, rivals]) => {
    const { details, component, createdAt, updatedAt } = latest(rivals, report)!;
    return {
      uid,
      details,
      rrule: '',
      exceptions: [],
      number: null,
      createdAt,
      updatedAt,
      line: component.line,
    };
  });
}

function named(occurrence: DateValue, { floating, zones }: VEvent['clocks']): string {
  const isDay = occurrence.kind === 'day';
  const at = isDay ? occurrence.local : instantOf(occurrence, floating, zones);
  const text = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return isDay ? text.slice(0, 8) : text;
}

function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
