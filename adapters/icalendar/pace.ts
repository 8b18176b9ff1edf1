import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn. */
const SLICE = 10;

/** Lets the rest of the process run whenever a slice of time has been used up. */
export function pace(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await setImmediate();
    since = performance.now();
  };
}
