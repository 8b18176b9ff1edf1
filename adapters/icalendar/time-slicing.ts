import type { Scheduler } from '../../ports/runtime.ts';

/** Length of a time slice in milliseconds. */
const SLICE = 10;

/** Yields to the rest of the process after each time slice. */
export type Yield = () => Promise<void>;

export function pace(scheduler: Scheduler): Yield {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await scheduler.yield();
    since = performance.now();
  };
}

/** Runs a generator to its result, yielding between slices. */
export async function runSliced<T>(work: Iterator<void, T>, yieldControl: Yield): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await yieldControl();
  }
}

/** The same without yielding. */
export function runToEnd<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
