import type { ICalendarEvent, ParsedCalendar } from '../../ports/calendar-format.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { lineOf, Scan, valueOf, type Component } from './components.ts';
import { Unreadable } from './content-lines.ts';
import type { TimeContext } from './details.ts';
import { filedComponent, uidOf, type VEvent } from './vevent.ts';
import { ParseErrors, type Report } from './faults.ts';
import { filedZones, MAX_ZONE_SEARCHES } from './vtimezones.ts';
import { pace } from './time-slicing.ts';
import { eventsOf } from './series.ts';
import { remembering, type ZoneNames } from './tzid-mapping.ts';

interface Deps {
  readonly zones: TimeZones;
  readonly names: ZoneNames;
  readonly scheduler: Scheduler;
}

export async function readCalendar(
  deps: Deps,
  text: string,
  floating: { readonly tz: string; readonly now: number },
): Promise<ParsedCalendar> {
  const breathe = pace(deps.scheduler);
  const errors = new ParseErrors();
  const { report } = errors;
  const scan = new Scan(({ line, reason }) => report(line, '', reason));
  if (!(await scan.read(text, breathe))) return refused('The file has too many components.', true);
  if (scan.calendars.length === 0) return refused(noCalendar(text));

  const zoneDeps = {
    ...deps,
    names: remembering(deps.names),
    budget: { searches: MAX_ZONE_SEARCHES },
  };
  const families = new Map<string, Gathering>();
  for (const calendar of scan.calendars) {
    const filed = filedZones(calendar, zoneDeps);
    const own = valueOf(calendar, 'X-WR-TIMEZONE');
    const clocks = {
      zones: deps.zones,
      zoneOf: filed.zoneOf,
      floating: (own && deps.names.named(own)) || floating.tz,
    };
    for (const event of calendar.parts.filter(({ name }) => name === 'VEVENT')) {
      await filed.learn(event, breathe);
      gather(families, event, clocks, floating.now, report);
      await breathe();
    }
  }
  const events: ICalendarEvent[] = [];
  for (const [uid, family] of families) {
    events.push(...eventsOf({ uid, ...family }, report));
    await breathe();
  }
  return {
    isCalendar: true,
    events: events.sort((a, b) => a.line - b.line),
    errors: errors.list(),
  };
}

interface Gathering {
  members: VEvent[];
  headless: boolean;
}

function gather(
  families: Map<string, Gathering>,
  event: Component,
  clocks: TimeContext,
  now: number,
  report: Report,
): void {
  const uid = uidOf(event);
  const family = families.get(uid) ?? { members: [], headless: false };
  families.set(uid, family);
  try {
    family.members.push(filedComponent(event, uid, clocks, now));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    report(error.line, lineOf(event, 'UID') ? uid.slice(0, 1_000) : '', error.message);
    if (!lineOf(event, 'RECURRENCE-ID')) family.headless = true;
  }
}

const refused = (reason: string, isCalendar = false): ParsedCalendar => ({
  isCalendar,
  events: [],
  errors: [{ line: 1, uid: '', reason }],
});

const noCalendar = (text: string): string =>
  /[^\s\ufeff]/.test(text)
    ? 'This is not a calendar file: it has no line BEGIN:VCALENDAR.'
    : 'The file is empty.';
