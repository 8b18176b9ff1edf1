import type { IntegrationStore } from '../../ports/integrations.ts';
import type { Tables } from './database.ts';

export function memoryIntegrations({ integrations }: Tables): IntegrationStore {
  return {
    find: async (kind) => integrations.get(kind),
    put: async (integration) =>
      integrations.set(integration.kind, Object.freeze({ ...integration })),
    remove: async (kind) => {
      const found = integrations.get(kind) !== undefined;
      integrations.delete(kind);
      return found;
    },
  };
}
