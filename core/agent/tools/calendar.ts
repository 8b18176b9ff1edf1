import type { TimeZones } from '../../../ports/time-zones.ts';
import type { Instant } from '../../../ports/runtime.ts';
import { agenda, createEvent, type Occurrence } from '../../calendar/index.ts';
import type { Claim } from '../grounding.ts';
import { line, listing, type Tool } from '../tool.ts';

export const agendaTool: Tool<'get_agenda'> = {
  toolset: 'calendar',
  scope: ['calendar', 'read'],
  effect: 'read',
  result: 'untrusted',
  description: 'Lists what takes place in a window of the calendar, in order of start.',
  run: async (deps, work, { from, to, limit }) => {
    const { items, total } = await agenda(deps, work.caller, { from, to, limit });
    const days = `${dayOf(from.local)} to ${dayOf(to.local)}`;
    if (items.length === 0)
      return {
        result: 'Nothing takes place in this window.',
        summary: `Looked at the calendar from ${days}: nothing`,
        documentText: [],
      };
    const entries = items.map((item) => entry(deps.zones, work.timezone, item));
    const { text, shown } = listing(entries);
    const rest =
      shown < total ? `\n\nThere are ${total - shown} more; ask for a shorter window.` : '';
    return {
      result: `Times are those of ${work.timezone}.\n\n${text}${rest}`,
      summary: `Looked at the calendar from ${days}: ${total} found`,
      documentText: entries.slice(0, shown),
    };
  },
};

export const eventTool: Tool<'create_event'> = {
  toolset: 'calendar',
  scope: 'calendar',
  effect: 'change',
  action: 'event',
  result: 'trusted',
  description:
    'Puts an event, or a series of them, into the calendar. Only when the owner asks for it, and day, time and title are clear.',
  claims: async (_deps, { timezone }, given) => {
    const { title, startsAt, endsAt, allDay = false } = given;
    const worded = (value: string | undefined): Claim =>
      value === undefined || value === '' ? DEFAULT : { kind: 'text', value };
    return {
      title: { kind: 'text', value: title },
      startsAt: { kind: 'time', value: startsAt, part: 'start', allDay },
      endsAt: { kind: 'time', value: endsAt, part: 'end', allDay },
      tz: given.tz === timezone ? DEFAULT : worded(given.tz),
      // An all-day event is recognised by dates without times.
      allDay: DEFAULT,
      description: worded(given.description),
      location: worded(given.location),
      rrule: (given.rrule ?? '') === '' ? DEFAULT : { kind: 'unnameable' },
      reminders: (given.reminders ?? []).length === 0 ? DEFAULT : { kind: 'unnameable' },
      status: (given.status ?? 'confirmed') === 'confirmed' ? DEFAULT : { kind: 'unnameable' },
    };
  },
  run: async (deps, work, given) => {
    const { event, span, label } = await createEvent(deps, work.caller, given);
    const when = `${clock(deps.zones, work.timezone, span.from)} to ${clock(deps.zones, work.timezone, span.until)}`;
    const repeats = label === '' ? '' : `, ${label}`;
    return {
      result: `Event number ${event.number} was made: ${event.title}, ${when} (${work.timezone})${repeats}.`,
      summary: line(`Made the event ${event.title}, ${when}${repeats}`),
      change: {
        kind: 'event',
        name: event.title,
        starts_at: new Date(span.from).toISOString(),
        ends_at: new Date(span.until).toISOString(),
        all_day: event.allDay,
      },
    };
  },
};

const DEFAULT: Claim = { kind: 'default' };

const MAX_LISTED_LENGTH = 300;

function entry(zones: TimeZones, tz: string, { event, details, span }: Occurrence): string {
  const { title, location, description, allDay, status } = details;
  const when = allDay
    ? `${dayOf(zones.toLocal(details.tz, span.from))}, all day`
    : `${clock(zones, tz, span.from)} to ${clock(zones, tz, span.until)}`;
  const marks = [
    location,
    event.rrule === '' ? '' : 'repeats',
    status === 'confirmed' ? '' : status,
  ];
  const label = [title, ...marks.filter((mark) => mark !== '')].join(', ');
  return `${when}: ${label} (event ${event.number})${formatDescription(description)}`;
}

const formatDescription = (description: string): string =>
  description === '' ? '' : `\n${[...description].slice(0, MAX_LISTED_LENGTH).join('')}`;

const dayOf = (local: number): string => new Date(local).toISOString().slice(0, 10);

/** `YYYY-MM-DD HH:MM` in local time. */
export const clock = (zones: TimeZones, tz: string, at: Instant): string =>
  new Date(zones.toLocal(tz, at)).toISOString().slice(0, 16).replace('T', ' ');
