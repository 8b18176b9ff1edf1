import type { TextStore } from '../../ports/texts.ts';
import type { Tables } from './database.ts';

export function memoryTexts({ texts, corrections }: Tables): TextStore {
  return {
    find: async (objectId) => {
      const text = texts.get(objectId);
      const correction = corrections.get(objectId);
      return { ...(text && { text }), ...(correction && { correction }) };
    },
    pages: async (objectIds) =>
      [...new Set(objectIds)].flatMap((id) => {
        const text = corrections.get(id) ? undefined : texts.get(id);
        return text ? [{ objectId: id, version: text.version, pages: text.pages }] : [];
      }),
    put: async (text) => texts.set(text.objectId, Object.freeze({ ...text })),
    putCorrection: async (correction) =>
      corrections.set(correction.objectId, Object.freeze({ ...correction })),
    removeCorrection: async (objectId) => corrections.delete(objectId),
    remove: async (objectId) => {
      texts.delete(objectId);
      corrections.delete(objectId);
    },
  };
}
