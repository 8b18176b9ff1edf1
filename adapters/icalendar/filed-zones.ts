import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { valueOf, type Component } from './components.ts';
import { Unreadable } from './content-lines.ts';
import { filedRules, type FiledRules } from './filed-rules.ts';
import { DAY, yearOf, type ZoneOf } from './moments.ts';
import type { ZoneNames } from './zone-names.ts';

/** How often one is looked for by its rules; no real file has more than a few such zones. */
const MOST_SEARCHES = 30;

/** Where a year is looked at: near the date itself and half a year off first, for these differ most. */
const PROBES = [0, 182, 91, 273, 30, 61, 121, 152, 212, 243, 304, 335].map((days) => days * DAY);

/** What the TZIDs of one calendar stand for. Throws Unreadable for one that nothing is known of. */
export function filedZones(calendar: Component, names: ZoneNames, zones: TimeZones): ZoneOf {
  const filed = new Map<string, Component>();
  for (const part of calendar.parts)
    if (part.name === 'VTIMEZONE') filed.set(valueOf(part, 'TZID'), part);
  const found = new Map<string, string | undefined>();
  /** What was found for a TZID in another year. */
  const latest = new Map<string, string>();
  let searches = 0;

  const search = (tzid: string, near: LocalTime): string | undefined => {
    const zone = filed.get(tzid);
    const place = zone && (valueOf(zone, 'X-LIC-LOCATION') || valueOf(zone, 'TZID-ALIAS-OF'));
    const placed = place ? names.named(place) : undefined;
    if (placed !== undefined) return placed;
    const rules = zone && rulesOf(zone);
    if (!rules) return names.described(tzid, near);
    const before = latest.get(tzid);
    if (before !== undefined && agreeing([before], rules, near) !== undefined) return before;
    return searches++ < MOST_SEARCHES ? agreeing(names.likely(tzid), rules, near) : undefined;
  };
  const agreeing = (likely: readonly string[], rules: FiledRules, near: LocalTime) => {
    const agrees = (zone: string) => (probe: number) => {
      const local = near + probe;
      return zones.toLocal(zone, local - rules(local)) === local;
    };
    return (
      likely.find((zone) => PROBES.every(agrees(zone))) ??
      likely.find((zone) => PROBES.slice(0, 2).every(agrees(zone)))
    );
  };
  return (tzid, near, line) => {
    // Rules change over the years, and with them what fits.
    const key = `${yearOf(near)} ${tzid}`;
    let zone = found.get(key) ?? names.named(tzid);
    if (zone === undefined && !found.has(key)) zone = search(tzid, near);
    found.set(key, zone);
    if (zone === undefined)
      throw new Unreadable(line, `The time zone "${tzid.slice(0, 100)}" is not known.`);
    latest.set(tzid, zone);
    return zone;
  };
}

function rulesOf(zone: Component): FiledRules | undefined {
  try {
    return zone.broken ? undefined : filedRules(zone);
  } catch (error) {
    // An event in this zone is a fault with a reason of its own.
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
