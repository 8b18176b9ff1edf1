import type { ImportRunStore } from '../../ports/import-runs.ts';
import type { Tables } from './database.ts';
import { newestFirst } from './order.ts';

export function memoryImportRuns({ importRuns }: Tables): ImportRunStore {
  const byAge = () => importRuns.values().sort(newestFirst);
  return {
    find: async (id) => importRuns.get(id),
    findByKey: async (key) => importRuns.values().find((run) => run.key === key),
    save: async (run) => importRuns.set(run.id, Object.freeze({ ...run })),
    newest: async (limit) => byAge().slice(0, limit),
    removeOld: async (before, newest) => {
      for (const [rank, { id, createdAt }] of byAge().entries())
        if (rank >= newest || createdAt < before) importRuns.delete(id);
    },
    remove: async (id) => {
      const exists = importRuns.get(id) !== undefined;
      importRuns.delete(id);
      return exists;
    },
  };
}
