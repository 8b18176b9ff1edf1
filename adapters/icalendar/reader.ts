import type { FiledEvent, ReadCalendar } from '../../ports/calendar-format.ts';
import type { Breather } from '../../ports/time-and-ids.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { lineOf, Scan, valueOf, type Component } from './components.ts';
import { Unreadable } from './content-lines.ts';
import type { Clocks } from './details.ts';
import { filedComponent, uidOf, type FiledComponent } from './filed-components.ts';
import { Faults, type Report } from './faults.ts';
import { filedZones, MOST_SEARCHES } from './filed-zones.ts';
import { pace } from './pace.ts';
import { eventsOf } from './series.ts';
import { remembering, type ZoneNames } from './zone-names.ts';

interface Deps {
  readonly zones: TimeZones;
  readonly names: ZoneNames;
  readonly breather: Breather;
}

export async function readCalendar(
  deps: Deps,
  text: string,
  floating: { readonly tz: string; readonly now: number },
): Promise<ReadCalendar> {
  const breathe = pace(deps.breather);
  const faults = new Faults();
  const { report } = faults;
  const scan = new Scan(({ line, reason }) => report(line, '', reason));
  if (!(await scan.read(text, breathe))) return refused('The file has too many components.', true);
  if (scan.calendars.length === 0) return refused(noCalendar(text));

  const zoneDeps = { ...deps, names: remembering(deps.names), budget: { searches: MOST_SEARCHES } };
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
  const events: FiledEvent[] = [];
  for (const [uid, family] of families) {
    events.push(...eventsOf({ uid, ...family }, report));
    await breathe();
  }
  return {
    isCalendar: true,
    events: events.sort((a, b) => a.line - b.line),
    faults: faults.list(),
  };
}

interface Gathering {
  members: FiledComponent[];
  headless: boolean;
}

function gather(
  families: Map<string, Gathering>,
  event: Component,
  clocks: Clocks,
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

const refused = (reason: string, isCalendar = false): ReadCalendar => ({
  isCalendar,
  events: [],
  faults: [{ line: 1, uid: '', reason }],
});

const noCalendar = (text: string): string =>
  /[^\s\ufeff]/.test(text)
    ? 'This is not a calendar file: it has no line BEGIN:VCALENDAR.'
    : 'The file is empty.';
