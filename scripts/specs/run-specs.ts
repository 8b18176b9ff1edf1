import {
  countsOf,
  firstFailure,
  hasFailed,
  type Counts,
  type Failure,
  type FileResult,
  type FileResults,
} from './file-results.ts';

/** More unstable files than this are a failure: the suite no longer decides anything. */
export const MAX_UNSTABLE_FILES = 6;

export interface SpecRun {
  /** Each batch runs in one process. */
  readonly batches: readonly (readonly string[])[];
  /** Number of processes at a time. */
  readonly lanes: number;
  /** Runs one process. */
  readonly run: (files: readonly string[]) => Promise<FileResults>;
  /** Whether the run was interrupted: then no further process starts. */
  readonly isStopped?: () => boolean;
}

export interface Unstable extends Failure {
  readonly file: string;
}

export interface Verdict extends Counts {
  readonly hasPassed: boolean;
  /** Wall time of each file that ran, in seconds. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Files that failed and passed when they ran again. */
  readonly unstable: readonly Unstable[];
  /** Files that failed twice, or that were not run again. */
  readonly failing: readonly Unstable[];
}

/**
 * Runs all batches, then again, one by one, the files that failed. A file that passes then is unstable. Files that a dead
 * process did not reach run alone before that. If more files failed than may be unstable, the verdict is certain and none
 * of them runs again.
 */
export async function runSpecs(specs: SpecRun): Promise<Verdict> {
  const results = await runBatches(specs);
  const isStopped = specs.isStopped ?? (() => false);
  const runAlone = async (file: string): Promise<void> => {
    results.set(file, (await specs.run([file])).of(file));
  };
  for (const file of specs.batches.flat())
    if (!results.has(file) && !isStopped()) await runAlone(file);

  const failed = [...results].filter(([, result]) => hasFailed(result));
  const unstable: Unstable[] = [];
  if (failed.length <= MAX_UNSTABLE_FILES)
    for (const [file, result] of failed) {
      if (isStopped()) break;
      await runAlone(file);
      if (!hasFailed(results.get(file)!)) unstable.push({ file, ...firstFailure(result) });
    }
  const failing = [...results]
    .filter(([, result]) => hasFailed(result))
    .map(([file, result]) => ({ file, ...firstFailure(result) }));
  return {
    ...sumOf([...results.values()]),
    hasPassed: failing.length === 0 && !isStopped(),
    seconds: Object.fromEntries(
      [...results].map(([file, { milliseconds }]) => [file, milliseconds / 1_000]),
    ),
    unstable,
    failing,
  };
}

/** The results of the files that ran. A file is missing if its process died before it. */
async function runBatches({
  batches,
  lanes,
  run,
  isStopped = () => false,
}: SpecRun): Promise<Map<string, FileResult>> {
  const results = new Map<string, FileResult>();
  const queue = [...batches];
  const lane = async (): Promise<void> => {
    for (let files = queue.shift(); files && !isStopped(); files = queue.shift()) {
      const ran = await run(files);
      for (const file of files) if (ran.hasReached(file)) results.set(file, ran.of(file));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

function sumOf(results: readonly FileResult[]): Counts {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of results.map(countsOf))
    for (const key of ['passed', 'failed', 'skipped'] as const) sum[key] += counts[key];
  return sum;
}
