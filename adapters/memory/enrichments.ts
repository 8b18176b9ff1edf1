import type { EnrichmentStore } from '../../ports/enrichments.ts';
import type { SettingsStore } from '../../ports/settings.ts';
import type { Tables } from './database.ts';

export function memoryEnrichments({ enrichments }: Tables): EnrichmentStore {
  return {
    find: async (objectId) => enrichments.get(objectId),
    findMany: async (objectIds) =>
      [...new Set(objectIds)].flatMap((objectId) => enrichments.get(objectId) ?? []),
    put: async (enrichment) =>
      enrichments.set(enrichment.objectId, Object.freeze({ ...enrichment })),
    remove: async (objectId) => enrichments.delete(objectId),
  };
}

export function memorySettings({ settings }: Tables): SettingsStore {
  return {
    find: async () => settings.get('settings'),
    put: async (changed) => settings.set('settings', Object.freeze({ ...changed })),
  };
}
