import type { AgentUndoStore } from '../../ports/agent-undos.ts';
import type { Tables } from './database.ts';

export function memoryAgentUndos({ agentUndos }: Tables): AgentUndoStore {
  return {
    find: async (id) => agentUndos.get(id),
    save: async (undo) => agentUndos.set(undo.id, Object.freeze({ ...undo })),
    statesOf: async (sessionId) =>
      agentUndos
        .values()
        .filter((undo) => undo.sessionId === sessionId)
        .map(({ id, expiresAt, undoneAt }) => ({ id, expiresAt, undoneAt })),
    removeOf: async (sessionId) => {
      for (const undo of agentUndos.values())
        if (undo.sessionId === sessionId) agentUndos.delete(undo.id);
    },
    removeExpired: async (before, limit) => {
      const expired = agentUndos
        .values()
        .filter(({ expiresAt }) => expiresAt !== null && expiresAt < before)
        .slice(0, limit);
      for (const undo of expired)
        if (undo.undoneAt === null) agentUndos.delete(undo.id);
        else agentUndos.set(undo.id, Object.freeze({ ...undo, effects: [], expiresAt: null }));
      return expired.length;
    },
  };
}
