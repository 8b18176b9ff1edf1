import { PortFailure } from '../../ports/failures.ts';
import type { HealthProbe } from '../../ports/health.ts';

/** A probe that has answered, one way or the other, within the time. */
export function boundedProbe(probe: HealthProbe, timeoutMs: number): HealthProbe {
  return {
    name: probe.name,
    check: async () => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new PortFailure(probe.name, 'It did not answer in time.')),
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
