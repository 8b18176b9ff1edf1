import type { UsageStore } from '../../ports/usage.ts';
import type { Tables } from './database.ts';

export function memoryUsage({ usage }: Tables): UsageStore {
  const used = (key: string) => usage.get(key) ?? 0;
  return {
    add: async (metric, month, count) => {
      const key = `${month} ${metric}`;
      usage.set(key, used(key) + count);
      return used(key);
    },
    used: async (metric, month) => used(`${month} ${metric}`),
  };
}
