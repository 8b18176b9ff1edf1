import type { Breather } from '../../ports/time-and-ids.ts';

/** Length of a time slice in milliseconds. */
const SLICE = 10;

/** Yields to the rest of the process after each time slice. */
export type Breathe = () => Promise<void>;

export function pace(breather: Breather): Breathe {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await breather.breathe();
    since = performance.now();
  };
}

/** Runs a generator to its result, yielding between slices. */
export async function paced<T>(work: Iterator<void, T>, breathe: Breathe): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}

/** The same without yielding. */
export function finished<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
