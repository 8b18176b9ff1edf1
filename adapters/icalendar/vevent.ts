import { createHash } from 'node:crypto';
import type { EventDetails } from '../../ports/calendar.ts';
import type { Instant } from '../../ports/runtime.ts';
import { linesOf, lineOf, type Component } from './components.ts';
import { param, propertyOf, textOf, Unreadable } from './content-lines.ts';
import { detailsOf, timeOf, type TimeContext } from './details.ts';
import { civil, momentOf, type DateValue } from './date-values.ts';

/** A single VEVENT: an event, a series, or one occurrence of a series. */
export interface VEvent {
  readonly component: Component;
  readonly clocks: TimeContext;
  readonly uid: string;
  readonly details: EventDetails;
  /** The occurrence it stands for; null for the event itself. */
  readonly occurrence: DateValue | null;
  readonly rrule: string;
  readonly number: number | null;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

const MAX_UID_LENGTH = 1_000;

/** Throws Unreadable. */
export function filedComponent(
  component: Component,
  uid: string,
  clocks: TimeContext,
  now: Instant,
): VEvent {
  const { broken } = component;
  if (broken) throw new Unreadable(broken.line, broken.reason);
  if (uid.length > MAX_UID_LENGTH) throw new Unreadable(component.line, 'The UID is too long.');
  const updatedAt = stampOf(component, 'LAST-MODIFIED') ?? stampOf(component, 'DTSTAMP') ?? now;
  return {
    component,
    clocks,
    uid,
    occurrence: occurrenceOf(component, clocks),
    rrule: ruleOf(component),
    details: detailsOf(component, clocks),
    number: wholeOf(component, 'X-OWNER-WORKSPACE-NUMBER') || null,
    sequence: wholeOf(component, 'SEQUENCE'),
    createdAt: stampOf(component, 'CREATED') ?? updatedAt,
    updatedAt,
  };
}

/** Without a UID one is derived from the content, so that importing the same event again gives the same one. */
export function uidOf(component: Component): string {
  const line = lineOf(component, 'UID');
  const uid = line ? read(() => textOf(propertyOf(line), MAX_UID_LENGTH + 1).trim()) : '';
  if (uid) return uid;
  const content = component.lines.filter(({ name }) => !CHANGING.has(name));
  const hash = createHash('sha256').update(content.map(({ text }) => text).join('\n'));
  return `no-uid-${hash.digest('hex').slice(0, 32)}`;
}

/** Properties that change with every export. */
const CHANGING: ReadonlySet<string> = new Set([
  ...['UID', 'DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE'],
]);

function occurrenceOf(component: Component, clocks: TimeContext): DateValue | null {
  const line = lineOf(component, 'RECURRENCE-ID');
  if (line && param(propertyOf(line), 'range') !== '')
    throw new Unreadable(
      line.number,
      'A change of this and all following occurrences (RANGE) cannot be imported.',
    );
  return timeOf(component, 'RECURRENCE-ID', clocks) ?? null;
}

function ruleOf(component: Component): string {
  const [rule, second] = linesOf(component, 'RRULE');
  const exclusion = lineOf(component, 'EXRULE');
  if (exclusion)
    throw new Unreadable(exclusion.number, 'An exclusion rule (EXRULE) cannot be imported.');
  if (second) throw new Unreadable(second.number, 'The event has more than one RRULE.');
  return rule ? propertyOf(rule).raw.trim() : '';
}

/** Unreadable values of these count as missing. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function wholeOf(component: Component, name: string): number {
  const line = lineOf(component, name);
  const text = line ? (read(() => propertyOf(line).raw.trim()) ?? '') : '';
  const number = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}

/** Before the first iCalendar file. */
const FIRST_STAMP = civil(1900, 1, 1);

function stampOf(component: Component, name: string): Instant | undefined {
  const line = lineOf(component, name);
  return line && read(() => instantOfStamp(line));
}

function instantOfStamp(line: Parameters<typeof propertyOf>[0]): Instant | undefined {
  const property = propertyOf(line);
  const moment = momentOf(property.raw, property, () => 'UTC');
  const second = moment.kind === 'instant' ? moment.instant : moment.local;
  const fraction = param(property, FRACTION);
  const instant = second + (/^\d{1,3}$/.test(fraction) ? Number(fraction) : 0);
  return instant >= FIRST_STAMP ? instant : undefined;
}

/** The parameter for the milliseconds of a timestamp, which the format does not support. */
export const FRACTION = 'x-owner-workspace-ms';
