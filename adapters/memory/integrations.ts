import type { IntegrationStore } from '../../ports/integrations.ts';
import type { Tables } from './database.ts';
import { byCodePoint } from './order.ts';

export function memoryIntegrations({ integrations, retiredBuckets }: Tables): IntegrationStore {
  return {
    find: async (kind) => integrations.get(kind),
    put: async (integration) =>
      integrations.set(integration.kind, Object.freeze({ ...integration })),
    remove: async (kind) => {
      const found = integrations.get(kind) !== undefined;
      integrations.delete(kind);
      return found;
    },
    retired: async () => retiredBuckets.values().sort((a, b) => byCodePoint(a.id, b.id)),
    retire: async (bucket) => retiredBuckets.set(bucket.id, Object.freeze({ ...bucket })),
    forgetRetired: async (id) => {
      retiredBuckets.delete(id);
    },
  };
}
