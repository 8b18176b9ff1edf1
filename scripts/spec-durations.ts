import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const KEPT = join(import.meta.dirname, 'spec-durations.json');
/** Of the last full run on this machine. Durations differ between machines, but their proportions rarely do. */
const MEASURED = join(tmpdir(), 'owner-workspace-spec-durations.json');
/** Default for a file without a measurement. */
const BYTES_A_SECOND = 2_000;
const TICKS_A_SECOND = 100;

type Durations = Readonly<Record<string, number>>;

const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Durations;
const storedDurations = new Map(Object.entries({ ...kept, ...readMeasured() }));

const FOLDER = join(ROOT, 'contract-tests');
const ENDING = '.spec.ts';
/** The name of a spec: its path in contract-tests without the extension. */
const nameOf = (file: string): string =>
  relative(FOLDER, resolve(ROOT, file)).slice(0, -ENDING.length);

/** The measured duration of a spec in seconds, or an estimate by its length; used for scheduling only. */
export const expectedSeconds = (file: string): number =>
  storedDurations.get(nameOf(file)) ?? statSync(join(ROOT, file)).size / BYTES_A_SECOND;

/** Names in the kept file without a spec. */
export const staleDurations = (): readonly string[] =>
  Object.keys(kept).filter((name) => !existsSync(join(FOLDER, name + ENDING)));

/** Adds measurements to the kept file, and drops those of deleted specs. */
export function saveDurations(taken: Durations): void {
  const all = Object.entries({ ...kept, ...byName(taken) })
    .filter(([name]) => existsSync(join(FOLDER, name + ENDING)))
    .map(([name, seconds]) => [name, Math.ceil(seconds)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** Stores the measurements of a full run for the next one on this machine. */
export function saveMeasured(taken: Durations): void {
  const temporary = `${MEASURED}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(byName(taken)), { mode: 0o600 });
  renameSync(temporary, MEASURED);
}

function readMeasured(): Durations {
  try {
    const read: unknown = JSON.parse(readFileSync(MEASURED, 'utf8'));
    const entries = Object.entries(read ?? {});
    return Object.fromEntries(
      entries.filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    );
  } catch {
    // No full run has ended here, or the file is not readable: it only improves the schedule.
    return {};
  }
}

const byName = (taken: Durations): Durations =>
  Object.fromEntries(Object.entries(taken).map(([file, seconds]) => [nameOf(file), seconds]));

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
