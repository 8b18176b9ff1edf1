import type { AgentConfirmationStore } from '../../ports/agent-confirmations.ts';
import type { Tables } from './database.ts';
import { newestFirst } from './order.ts';

export function memoryAgentConfirmations({ agentConfirmations }: Tables): AgentConfirmationStore {
  return {
    find: async (id) => agentConfirmations.get(id),
    ofSession: async (sessionId) =>
      agentConfirmations.values().filter((each) => each.sessionId === sessionId),
    add: async (confirmation) =>
      agentConfirmations.set(confirmation.id, Object.freeze({ ...confirmation })),
    remove: async (id) => {
      const isThere = agentConfirmations.get(id) !== undefined;
      agentConfirmations.delete(id);
      return isThere;
    },
    removeExpired: async (now) => {
      for (const { id, expiresAt } of agentConfirmations.values())
        if (expiresAt <= now) agentConfirmations.delete(id);
    },
    retain: async (newest) => {
      for (const { id } of agentConfirmations.values().sort(newestFirst).slice(newest))
        agentConfirmations.delete(id);
    },
  };
}
