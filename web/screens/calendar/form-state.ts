import { ApiError } from '../../api/errors.ts';
import type { Body, NewBody, Scope, Times } from './changes.ts';
import { timesBody, timesOf } from './changes.ts';
import {
  dayOfWall,
  isoDay,
  isoTime,
  midnightOf,
  MINUTE_MS,
  parseDay,
  parseTime,
  type Wall,
} from './days.ts';
import type { CalendarEvent, Item } from './items.ts';

/** What is in the fields of the form. */
export interface Fields {
  readonly title: string;
  readonly location: string;
  readonly description: string;
  readonly allDay: boolean;
  readonly startDay: string;
  readonly startTime: string;
  /** The last day of an all-day event itself. */
  readonly endDay: string;
  readonly endTime: string;
  readonly tz: string;
  readonly status: CalendarEvent['status'];
  readonly reminders: readonly number[];
  readonly rrule: string;
}

export type FieldName = 'title' | 'start' | 'end' | 'rrule' | 'tz';
export type Faults = Partial<
  Record<FieldName, 'titleMissing' | 'noTime' | 'endFirst' | 'badRule' | 'badZone'>
>;

const MAX_TITLE = 500;

export function fieldsOfTimes({ start, end, tz, allDay }: Times): Fields {
  const lastDay = allDay ? dayOfWall(Math.max(start, end - 1)) : dayOfWall(end);
  return {
    title: '',
    location: '',
    description: '',
    allDay,
    startDay: isoDay(dayOfWall(start)),
    startTime: allDay ? '09:00' : isoTime(start),
    endDay: isoDay(lastDay),
    endTime: allDay ? '10:00' : isoTime(end),
    tz,
    status: 'confirmed',
    reminders: [],
    rrule: '',
  };
}

export const fieldsOf = (item: Item, event: CalendarEvent): Fields => ({
  ...fieldsOfTimes(timesOf(item)),
  title: item.data.title,
  location: item.data.location,
  description: item.data.description,
  status: item.data.status,
  reminders: event.reminders,
  rrule: event.rrule,
});

const wallOf = (day: string, time: string): Wall | undefined => {
  const date = parseDay(day);
  const minutes = parseTime(time);
  return date === undefined || minutes === undefined
    ? undefined
    : midnightOf(date) + minutes * MINUTE_MS;
};

/** The times of the fields, or what is wrong with them. */
export function timesOfFields(fields: Fields): Times | Faults {
  const { allDay, startDay, startTime, endDay, endTime, tz } = fields;
  const start = wallOf(startDay, allDay ? '00:00' : startTime);
  const end = wallOf(endDay, allDay ? '00:00' : endTime);
  if (start === undefined) return { start: 'noTime' };
  if (end === undefined) return { end: 'noTime' };
  if (end < start) return { end: 'endFirst' };
  return { start, end: allDay ? midnightOf(dayOfWall(end) + 1) : end, tz, allDay };
}

export const isTimes = (either: Times | Faults): either is Times => 'allDay' in either;

/** A start that moves takes the end along. */
export function withStart(fields: Fields, change: Partial<Fields>): Fields {
  const next = { ...fields, ...change };
  const [from, to] = [
    wallOf(fields.startDay, fields.startTime),
    wallOf(next.startDay, next.startTime),
  ];
  const end = wallOf(fields.endDay, fields.endTime);
  if (from === undefined || to === undefined || end === undefined) return next;
  const moved = end + (to - from);
  return { ...next, endDay: isoDay(dayOfWall(moved)), endTime: isoTime(moved) };
}

export function faultsOf(fields: Fields): Faults {
  const times = timesOfFields(fields);
  return {
    ...(fields.title.trim() === '' && { title: 'titleMissing' as const }),
    ...(!isTimes(times) && times),
  };
}

/** A refusal of the service, at the field that it names. */
export function faultsOfError(error: unknown): Faults {
  if (!(error instanceof ApiError) || error.code !== 'validation') return {};
  const names = new Set(error.fields.map(({ loc }) => loc.at(-1)));
  return {
    ...(names.has('title') && { title: 'titleMissing' as const }),
    ...(names.has('starts_at') && { start: 'noTime' as const }),
    ...(names.has('ends_at') && { end: 'endFirst' as const }),
    ...(names.has('rrule') && { rrule: 'badRule' as const }),
    ...(names.has('tz') && { tz: 'badZone' as const }),
  };
}

export const newBodyOf = (fields: Fields, times: Times): NewBody => ({
  ...detailsOf(fields),
  ...timesBody(times),
  rrule: fields.rrule,
});

const detailsOf = (fields: Fields) => ({
  title: fields.title.trim().slice(0, MAX_TITLE),
  location: fields.location.trim(),
  description: fields.description,
  status: fields.status,
  reminders: [...fields.reminders],
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Only what was changed: the rest of an occurrence goes on following its series. */
export function changesOf(
  before: Fields,
  after: Fields,
  scope: Scope,
): { readonly body: Body; readonly isMoved: boolean } {
  const old = new Map(Object.entries(detailsOf(before)));
  const details = Object.entries(detailsOf(after)).filter(
    ([name, value]) => !same(value, old.get(name)),
  );
  const body: Body = Object.fromEntries(details);
  if (scope !== 'one' && after.rrule !== before.rrule) body.rrule = after.rrule;
  return { body, isMoved: !same(timesOfFields(before), timesOfFields(after)) };
}
