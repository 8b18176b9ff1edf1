import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const KEPT = join(import.meta.dirname, 'spec-durations.json');
/** Default for a file without a measurement. */
const BYTES_A_SECOND = 2_000;
const TICKS_A_SECOND = 100;

const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, number>;
const storedDurations = new Map(Object.entries(kept));

const FOLDER = join(ROOT, 'contract-tests');
const ENDING = '.spec.ts';
/** The name of a spec: its path in contract-tests without the extension. */
const nameOf = (file: string): string =>
  relative(FOLDER, resolve(ROOT, file)).slice(0, -ENDING.length);

/** The measured duration of a spec in seconds, or an estimate by its length; used for scheduling only. */
export const expectedSeconds = (file: string): number =>
  storedDurations.get(nameOf(file)) ?? statSync(join(ROOT, file)).size / BYTES_A_SECOND;

/** Adds measurements, and drops those of deleted specs. */
export function saveDurations(taken: Readonly<Record<string, number>>): void {
  const named = Object.entries(taken).map(([file, seconds]) => [nameOf(file), seconds] as const);
  const all = Object.entries({ ...kept, ...Object.fromEntries(named) })
    .filter(([name]) => existsSync(join(FOLDER, name + ENDING)))
    .map(([name, seconds]) => [name, Math.ceil(seconds)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** CPU time of all ended child processes in seconds; NaN if the system does not report it. */
export function secondsOfChildren(): number {
  try {
    const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return (user! + system!) / TICKS_A_SECOND;
  } catch {
    return NaN;
  }
}
