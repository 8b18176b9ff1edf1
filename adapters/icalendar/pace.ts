import type { Breather } from '../../ports/time-and-ids.ts';

/** Milliseconds of work after which others have their turn. */
const SLICE = 10;

/** Lets the rest of the process run whenever a slice of time has been used up. */
export type Breathe = () => Promise<void>;

export function pace(breather: Breather): Breathe {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await breather.breathe();
    since = performance.now();
  };
}

/** What a long work comes to that stops now and then. */
export async function paced<T>(work: Iterator<void, T>, breathe: Breathe): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await breathe();
  }
}

/** The same at one stretch. */
export function finished<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
