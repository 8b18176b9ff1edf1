import type { OnProgress, Progress } from '../core/backup/index.ts';

const EVERY_MS = 5_000;

/** Prints the progress of a long command on standard error, every few seconds and at the end of each step. */
export function progressLines(): { readonly onProgress: OnProgress; end(): void } {
  let last: Progress | undefined;
  let reportedAt = Date.now();
  const tell = () => {
    if (!last) return;
    const { step, done, of } = last;
    process.stderr.write(`${step}: ${done}${of === undefined ? '' : ` of ${of}`}\n`);
    reportedAt = Date.now();
  };
  return {
    onProgress: (progress) => {
      // The rows of each table are counted separately; a new step prints the end of the previous one.
      if (last && last.step !== progress.step) tell();
      last = progress;
      if (Date.now() - reportedAt >= EVERY_MS) tell();
    },
    end: () => {
      tell();
      last = undefined;
    },
  };
}
