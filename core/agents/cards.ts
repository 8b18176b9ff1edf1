import type { Page, PageRequest } from '../../ports/paging.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { BUILT_IN_ROLES } from './built-in.ts';
import type { AgentRole } from './role.ts';
import { ownRole, requireRole } from './roles.ts';

export interface AgentCard {
  readonly role: AgentRole;
  /** Whether the agent uses this role by default. At most one role is active. */
  readonly active: boolean;
}

export interface AgentDeps {
  readonly uow: UnitOfWork<'agentRoles'>;
}

/** The built-in roles, then the owner's roles, oldest first. */
export async function listAgents(
  deps: AgentDeps,
  caller: Caller,
  { limit, offset }: PageRequest,
): Promise<Page<AgentCard>> {
  return deps.uow.read(caller.scope, async ({ agentRoles }) => {
    const builtIn = BUILT_IN_ROLES.slice(offset, offset + limit);
    const own = await agentRoles.page({
      limit: limit - builtIn.length,
      offset: Math.max(0, offset - BUILT_IN_ROLES.length),
    });
    const active = await agentRoles.active();
    return {
      items: [...builtIn, ...own.items.map(ownRole)].map((role) => cardOf(role, active)),
      total: BUILT_IN_ROLES.length + own.total,
    };
  });
}

export async function getAgent(deps: AgentDeps, caller: Caller, slug: string): Promise<AgentCard> {
  return deps.uow.read(caller.scope, async (stores) =>
    cardOf(await requireRole(stores, slug), await stores.agentRoles.active()),
  );
}

/** Makes a role, built-in or custom, the active one. */
export async function activateAgent(
  deps: AgentDeps,
  caller: Caller,
  slug: string,
): Promise<AgentCard> {
  return deps.uow.write(caller.scope, async (stores) => {
    const role = await requireRole(stores, slug);
    await stores.agentRoles.activate(slug);
    return cardOf(role, slug);
  });
}

/** Clears the active role, if there is one. */
export async function deactivateAgent(deps: AgentDeps, caller: Caller): Promise<void> {
  await deps.uow.write(caller.scope, ({ agentRoles }) => agentRoles.activate(null));
}

/** @param active the slug of the active role. */
export const cardOf = (role: AgentRole, active: string | null): AgentCard => ({
  role,
  active: role.slug === active,
});
