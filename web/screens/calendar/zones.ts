import { DAY_MS, dayOfWall, type Day, type Wall } from './days.ts';
import { timeZone } from '../../state/preferences.ts';

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US-u-ca-gregory', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** What the clocks of a zone show at an instant. */
export function wallAt(instant: number, zone: string): Wall {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

const offsetAt = (instant: number, zone: string): number =>
  wallAt(instant, zone) - Math.floor(instant / 1_000) * 1_000;

/**
 * When the clocks of a zone show a time. Of a time that exists twice it is the first; one in a gap moves forward by the
 * gap. The service counts the same way.
 */
export function instantAt(wall: Wall, zone: string): number {
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  const candidates = [wall - before, wall - after].toSorted((a, b) => a - b);
  return candidates.find((instant) => wallAt(instant, zone) === wall) ?? wall - before;
}

/** What the owner's clock shows. */
export const ownWall = (instant: number): Wall => wallAt(instant, timeZone.value);

export const today = (): Day => dayOfWall(ownWall(Date.now()));

/** Whether two zones show the same time at an instant: then there is no need to name the other. */
export const showSameTime = (zone: string, other: string, instant: number): boolean =>
  zone === other || wallAt(instant, zone) === wallAt(instant, other);

/** `Europe/Berlin` as it is read. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

/** The zones that the browser knows, and those in use, which it may know by another name. */
export const zonesWith = (...inUse: readonly string[]): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...inUse])].toSorted();
