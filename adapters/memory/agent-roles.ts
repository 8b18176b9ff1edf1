import type { AgentRoleStore, CustomAgentRole } from '../../ports/agent-roles.ts';
import type { Tables } from './database.ts';
import { byCodePoint, cut } from './order.ts';

const oldestFirst = (a: CustomAgentRole, b: CustomAgentRole): number =>
  a.createdAt - b.createdAt || byCodePoint(a.id, b.id);

export function memoryAgentRoles({ agentRoles, activeAgentRole }: Tables): AgentRoleStore {
  const withId = (id: string) => agentRoles.values().find((role) => role.id === id);
  const put = (role: CustomAgentRole) => agentRoles.set(role.slug, Object.freeze({ ...role }));
  return {
    find: async (slug) => agentRoles.get(slug),
    withId: async (id) => withId(id),
    page: async (request) => cut(agentRoles.values().sort(oldestFirst), request),
    add: async (role) => {
      const taken = agentRoles.get(role.slug) ?? withId(role.id);
      if (!taken) put(role);
      return !taken;
    },
    replace: async (role) => {
      const found = agentRoles.get(role.slug) !== undefined;
      if (found) put(role);
      return found;
    },
    remove: async (slug) => {
      const found = agentRoles.get(slug) !== undefined;
      if (found) agentRoles.delete(slug);
      return found;
    },
    active: async () => activeAgentRole.get('active') ?? null,
    activate: async (slug) => {
      if (slug === null) activeAgentRole.delete('active');
      else activeAgentRole.set('active', slug);
    },
  };
}
