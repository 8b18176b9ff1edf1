import { mkdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS } from '../adapters/knex/schema/migrations.ts';
import type {
  BackupReport,
  DrillReport,
  DrillResult,
  InstallationReports,
} from '../ports/installation.ts';
import type { Config } from './config.ts';
import { productVersion } from './version.ts';

type Place = Pick<Config, 'dataDir'>;

/** A report is a few kilobytes. A larger file is none. */
const MAX_REPORT_BYTES = 2 ** 20;

const folderOf = ({ dataDir }: Place): string => join(dataDir, 'status');
const backupFile = (place: Place): string => join(folderOf(place), 'backup.json');
/** Put there by the operator: the output of `npm run --silent drill -- --json`. */
const drillFile = (place: Place): string => join(folderOf(place), 'drills.json');

/** What the data folder and the machine say about an installation. */
export function installationReports(config: Config): InstallationReports {
  const startedAt = Date.now();
  const { profile } = config;
  const storedIn = profile === 'memory' ? 'memory' : config.blobS3 ? 'bucket' : 'folder';
  const facts = {
    version: productVersion(),
    schema: profile === 'memory' ? null : (MIGRATIONS.at(-1)?.version ?? null),
    profile,
    runtime: process.versions.node,
    startedAt,
    storedIn,
  } as const;
  return {
    facts: () => facts,
    freeBytes: async () => {
      if (storedIn !== 'folder') return null;
      const found = await statfs(config.dataDir).catch(() => undefined);
      return found ? found.bavail * found.bsize : null;
    },
    lastBackup: async () => backupFrom(await reportIn(backupFile(config))),
    lastDrills: async () => drillsFrom(await reportIn(drillFile(config))),
  };
}

/** Records a completed backup for the server, which may use the same folder. */
export async function reportBackup(
  place: Place,
  { at, bytes, files, damaged }: BackupReport,
): Promise<void> {
  const path = backupFile(place);
  await mkdir(folderOf(place), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify({ at, bytes, files, damaged })}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

interface Found {
  readonly value: unknown;
  readonly modifiedAt: number;
}

/** What a report says; undefined if there is none. A file that is no JSON is treated like a missing one. */
async function reportIn(path: string): Promise<Found | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > MAX_REPORT_BYTES) return undefined;
    const value = JSON.parse(await readFile(path, 'utf8')) as unknown;
    return { value, modifiedAt: Math.floor(mtimeMs) };
  } catch {
    return undefined;
  }
}

function backupFrom(found: Found | undefined): BackupReport | null {
  const { at, bytes, files, damaged } = fieldsOf(found?.value);
  return isCount(at) && isCount(bytes) && isCount(files) && isCount(damaged)
    ? { at, bytes, files, damaged }
    : null;
}

/** Of an outcome four lists are empty if nothing was lost: see `faultsOf` of `drill/report.ts`. */
function drillsFrom(found: Found | undefined): DrillReport | null {
  const { outcomes, left_out: leftOut, broken } = fieldsOf(found?.value);
  if (!found || !Array.isArray(outcomes)) return null;
  const results = outcomes.flatMap((each: unknown): readonly DrillResult[] => {
    const { drill: name, profile, lost, twice, wrong, damage } = fieldsOf(each);
    if (typeof name !== 'string' || typeof profile !== 'string') return [];
    return [{ name, profile, hasPassed: [lost, twice, wrong, damage].every(isEmptyList) }];
  });
  return {
    at: found.modifiedAt,
    results: [...results, ...brokenIn(broken)],
    skipped: Array.isArray(leftOut) ? leftOut.length : 0,
  };
}

/** Drills that did not end: `name (profile): why`. */
const brokenIn = (broken: unknown): readonly DrillResult[] =>
  (Array.isArray(broken) ? broken : []).flatMap((line: unknown) => {
    const [, name = '', profile = ''] = /^([^\s(]+) \(([^)]+)\)/.exec(String(line)) ?? [];
    return name === '' ? [] : [{ name, profile, hasPassed: false }];
  });

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
