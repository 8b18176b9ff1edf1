import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublishedFigures } from '../scripts/performance-tables.ts';
import type { Comparison } from './objects.ts';
import { machine, type Goal } from './report.ts';

const ROOT = join(import.meta.dirname, '..');

/** A bench result as `docs/performance.json` stores it: microseconds of processor time per request, and the bounds. */
export function publishedFigures(
  commit: string,
  sizes: readonly number[],
  compared: readonly Comparison[],
  goals: readonly Goal[],
): PublishedFigures {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit,
    machine,
    sizes,
    operations: compared.map(({ bare, guarded, service, ...each }) => ({
      database: each.database,
      operation: each.operation,
      service: Math.round(service.cpuMicros),
      bare: Math.round(bare.cpuMicros),
      guarded: Math.round(guarded.cpuMicros),
      ratio: each.ratio,
      against: each.against,
      atMost: each.atMost,
      growth: each.growth,
    })),
    // The ratios and the growth of operations are stored with the operations.
    goals: goals
      .filter(({ what }) => !compared.some(({ database }) => what.startsWith(`${database}, `)))
      .map(({ what, measured, unit, 'at most': atMost }) => ({ what, measured, atMost, unit })),
  };
}

/** Replaces `docs/performance.json`; the tables of the documents are then out of date until they are generated again. */
export async function publish(
  sizes: readonly number[],
  compared: readonly Comparison[],
  goals: readonly Goal[],
): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT });
  const figures = publishedFigures(commit.toString().trim(), sizes, compared, goals);
  await writeFile(join(ROOT, 'docs/performance.json'), `${JSON.stringify(figures, null, 2)}\n`);
}
