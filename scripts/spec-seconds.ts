import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const KEPT = join(import.meta.dirname, 'spec-seconds.json');
/** Of a file that was never timed. */
const BYTES_A_SECOND = 2_000;
const TICKS_A_SECOND = 100;

const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, number>;
const keptSeconds = new Map(Object.entries(kept));

const FOLDER = join(ROOT, 'contract-tests');
const ENDING = '.spec.ts';
/** As a spec is named here: its path in contract-tests without the ending. */
const nameOf = (file: string): string =>
  relative(FOLDER, resolve(ROOT, file)).slice(0, -ENDING.length);

/** What a spec took when it was last timed, else a guess by its length: seconds, for the order of the run alone. */
export const secondsOf = (file: string): number =>
  keptSeconds.get(nameOf(file)) ?? statSync(join(ROOT, file)).size / BYTES_A_SECOND;

/** Adds to what is kept, and drops what is no longer there. */
export function keepSeconds(taken: Readonly<Record<string, number>>): void {
  const named = Object.entries(taken).map(([file, seconds]) => [nameOf(file), seconds] as const);
  const all = Object.entries({ ...kept, ...Object.fromEntries(named) })
    .filter(([name]) => existsSync(join(FOLDER, name + ENDING)))
    .map(([name, seconds]) => [name, Math.ceil(seconds)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** Processor time of all processes below this one that have ended, in seconds; NaN where the system does not tell. */
export function secondsOfChildren(): number {
  try {
    const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return (user! + system!) / TICKS_A_SECOND;
  } catch {
    return NaN;
  }
}
