import type { FileFault, FiledEvent, ReadCalendar } from '../../ports/calendar-format.ts';
import type { TimeZones } from '../../ports/time-zones.ts';
import { lineOf, Scan, valueOf, type Component } from './components.ts';
import { Unreadable } from './content-lines.ts';
import type { Clocks } from './details.ts';
import { filedComponent, uidOf, type FiledComponent } from './filed-components.ts';
import { filedZones } from './filed-zones.ts';
import { pace } from './pace.ts';
import { eventsOf, faultList } from './series.ts';
import type { ZoneNames } from './zone-names.ts';

interface Deps {
  readonly zones: TimeZones;
  readonly names: ZoneNames;
}

export async function readCalendar(
  deps: Deps,
  text: string,
  floating: { readonly tz: string; readonly now: number },
): Promise<ReadCalendar> {
  const breathe = pace();
  const scan = new Scan();
  await scan.read(text, breathe);
  if (scan.calendars.length === 0) return { events: [], faults: [noCalendar(text)] };

  const faults: FileFault[] = [];
  const report = (line: number, uid: string, reason: string) =>
    void faults.push({ line, uid, reason });
  for (const { line, message } of scan.faults) report(line, '', message);

  const families = new Map<string, Gathering>();
  for (const calendar of scan.calendars) {
    const clocks = clocksOf(calendar, deps, floating.tz);
    for (const event of calendar.parts.filter(({ name }) => name === 'VEVENT')) {
      gather(families, event, clocks, floating.now, report);
      await breathe();
    }
  }
  const events: FiledEvent[] = [];
  for (const [uid, family] of families) {
    events.push(...eventsOf({ uid, ...family }, report));
    await breathe();
  }
  return { events: events.sort((a, b) => a.line - b.line), faults: faultList(faults) };
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
  report: (line: number, uid: string, reason: string) => void,
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

function clocksOf(calendar: Component, { zones, names }: Deps, tz: string): Clocks {
  const own = valueOf(calendar, 'X-WR-TIMEZONE');
  const floating = (own === '' ? undefined : names.named(own)) ?? tz;
  return { zones, zoneOf: filedZones(calendar, names, zones), floating };
}

function noCalendar(text: string): FileFault {
  const isEmpty = !/[^\s\ufeff]/.test(text);
  const reason = isEmpty
    ? 'The file is empty.'
    : 'This is no calendar file: no line of it is BEGIN:VCALENDAR.';
  return { line: 1, uid: '', reason };
}
