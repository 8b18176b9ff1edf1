import type { Timer } from '../../ports/runtime.ts';

/** Timers of this process. A wait does not delay the end of the process. */
export const nodeTimer: Timer = {
  wait: (ms, until) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      void until.then(() => {
        clearTimeout(timer);
        resolve();
      });
    }),
};
