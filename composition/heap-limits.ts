import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Size of V8's young generation, both semi-spaces. */
const MAX_YOUNG_GENERATION_BYTES = 32 * 1_024 * 1_024;

/**
 * Growth of the old generation above its size after the last collection. By default V8 allows several times as much
 * on a machine with free memory, and never returns the pages.
 */
const OLD_GROWS_PERCENT = 50;

let growing = true;

/**
 * Nearly all objects created during startup survive, so V8 doubles the young generation up to four times, and never
 * shrinks it in an idle process. So its size is limited until the program serves requests.
 */
export const limitYoungGeneration = (): void => mayGrow(false);

/**
 * Lets the young generation grow with the load, which a busy process needs, but not with the machine's memory: V8
 * allows 128 MB on a machine with 24 GB, and rarely shrinks it. A quarter of that costs a list request 1 % more CPU
 * time, an eighth 14 %. V8 reads its own limit before the first line of a program runs, so the growth is stopped
 * here. It is checked after each collection, because V8 shrinks the young generation when it is idle.
 */
export function raiseHeapLimits(): void {
  const look = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    mayGrow(young === undefined || young.space_size * 2 <= MAX_YOUNG_GENERATION_BYTES);
  };
  look();
  setFlagsFromString(`--heap-growing-percent=${OLD_GROWS_PERCENT}`);
  new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
}

function mayGrow(may: boolean): void {
  if (may !== growing) setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);
  growing = may;
}
