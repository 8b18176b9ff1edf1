import type { LocalTime, TimeZones } from '../../ports/time-zones.ts';
import { valueOf, type Component } from './components.ts';
import { param, propertyOf, Unreadable, type ContentLine } from './content-lines.ts';
import { filedRules, type FiledRules } from './vtimezone-rules.ts';
import { DAY, momentOf, yearOf, type ZoneOf } from './date-values.ts';
import { runToEnd, runSliced, type Yield } from './time-slicing.ts';
import type { ZoneNames } from './tzid-mapping.ts';

/** Resolves the TZIDs of one calendar. */
export interface TimeZoneMap {
  /** Throws Unreadable for an unknown one. */
  readonly zoneOf: ZoneOf;
  /** Resolves the zones of an event in advance, so that `zoneOf` is synchronous. */
  learn(event: Component, breathe: Yield): Promise<void>;
}

export interface ZoneDeps {
  readonly zones: TimeZones;
  readonly names: ZoneNames;
  readonly budget: Budget;
}

/** Maximum number of zones per file that are identified by their rules. Real files have few. */
export interface Budget {
  searches: number;
}

export const MAX_ZONE_SEARCHES = 30;

/** Dates compared within a year: first near the date itself and half a year off, where zones differ most. */
const PROBES = [0, 182, 91, 273, 30, 61, 121, 152, 212, 243, 304, 335].map((days) => days * DAY);

export function filedZones(calendar: Component, { zones, names, budget }: ZoneDeps): TimeZoneMap {
  const filed = new Map<string, Component>();
  for (const part of calendar.parts)
    if (part.name === 'VTIMEZONE') filed.set(valueOf(part, 'TZID'), part);
  /** Per year as well, since rules, and thus the matching zone, change over the years. */
  const found = new Map<string, string | undefined>();
  const keyOf = (tzid: string, near: LocalTime) => `${yearOf(near)} ${tzid}`;
  /** The result for a TZID in another year. */
  const latest = new Map<string, string>();

  function* search(tzid: string, near: LocalTime): Generator<void, string | undefined> {
    const zone = filed.get(tzid);
    const place = zone && (valueOf(zone, 'X-LIC-LOCATION') || valueOf(zone, 'TZID-ALIAS-OF'));
    const placed = place ? names.named(place) : undefined;
    if (placed !== undefined) return placed;
    const rules = zone && rulesOf(zone);
    if (!rules) return names.described(tzid, near);
    const before = latest.get(tzid);
    if (before !== undefined && agrees(before, rules, near, PROBES)) return before;
    if (budget.searches-- <= 0) return undefined;
    const likely = names.likely(tzid);
    let fair: string | undefined;
    for (const candidate of likely) {
      yield;
      if (!zones.isKnown(candidate)) continue;
      if (!agrees(candidate, rules, near, PROBES.slice(0, 2))) continue;
      if (agrees(candidate, rules, near, PROBES)) return candidate;
      fair ??= candidate;
    }
    return fair;
  }
  const agrees = (
    zone: string,
    rules: FiledRules,
    near: LocalTime,
    probes: readonly number[],
  ): boolean =>
    probes.every((probe) => {
      const local = near + probe;
      return zones.toLocal(zone, local - rules(local)) === local;
    });
  const keep = (tzid: string, near: LocalTime, zone: string | undefined): string | undefined => {
    found.set(keyOf(tzid, near), zone);
    if (zone !== undefined) latest.set(tzid, zone);
    return zone;
  };

  const zoneOf: ZoneOf = (tzid, near, line) => {
    const key = keyOf(tzid, near);
    const zone =
      names.named(tzid) ??
      (found.has(key) ? found.get(key) : keep(tzid, near, runToEnd(search(tzid, near))));
    if (zone === undefined)
      throw new Unreadable(line, `The time zone "${tzid.slice(0, 100)}" is unknown.`);
    return zone;
  };
  return {
    zoneOf,
    async learn(event, breathe) {
      for (const line of event.lines) {
        const mentioned = mentionOf(line);
        if (!mentioned || names.named(mentioned.tzid) !== undefined) continue;
        const { tzid, near } = mentioned;
        if (!found.has(keyOf(tzid, near)))
          keep(tzid, near, await runSliced(search(tzid, near), breathe));
      }
    },
  };
}

/** The zone of a line, and the first time in it. */
function mentionOf(line: ContentLine): { tzid: string; near: LocalTime } | undefined {
  if (!/;TZID=/i.test(line.text.slice(0, 1_000))) return undefined;
  return orNothing(() => {
    const property = propertyOf(line);
    const [first = ''] = property.raw.split(/[,/]/, 1);
    const moment = momentOf(first, property, () => '');
    return moment.kind === 'instant'
      ? undefined
      : { tzid: param(property, 'tzid'), near: moment.local };
  });
}

const rulesOf = (zone: Component): FiledRules | undefined =>
  zone.broken ? undefined : orNothing(() => filedRules(zone));

/** An error here is reported with the event that uses the zone. */
function orNothing<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
