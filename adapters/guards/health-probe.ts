import { UnavailableError } from '../../ports/errors.ts';
import type { HealthProbe } from '../../ports/health.ts';

/** Limits the duration of a probe. */
export function probeWithTimeout(probe: HealthProbe, timeoutMs: number): HealthProbe {
  return {
    name: probe.name,
    check: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new UnavailableError(probe.name, 'It did not answer in time.')),
          timeoutMs,
        );
      });
      try {
        return await Promise.race([probe.check(), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * A probe of an outside service, called at most once in `lastingMs`. All callers share a running call and its result, also a
 * failure. Otherwise a caller could make this service send any number of requests to another.
 *
 * @param now milliseconds of a clock that only moves forward
 */
export function sharedProbe(
  probe: HealthProbe,
  lastingMs: number,
  now: () => number = () => performance.now(),
): HealthProbe {
  let latest: ReturnType<HealthProbe['check']> | undefined;
  let finishedAt: number | undefined;
  return {
    name: probe.name,
    check: () => {
      if (latest && (finishedAt === undefined || now() - finishedAt < lastingMs)) return latest;
      finishedAt = undefined;
      const settle = () => {
        finishedAt = now();
      };
      latest = probe.check();
      // Each caller handles the failure itself.
      latest.then(settle, settle);
      return latest;
    },
  };
}
