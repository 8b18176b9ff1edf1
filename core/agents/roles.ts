import type { CustomAgentRole } from '../../ports/agent-roles.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { notFound } from '../shared/common-errors.ts';
import { builtInRole } from './built-in.ts';
import type { AgentRole } from './role.ts';

export type RoleStores = Pick<Stores, 'agentRoles'>;

const FALLBACK = 'assistant';

/**
 * The role to use, within a unit of work: the named one, else the active one, else the assistant.
 *
 * Ends with `not_found` if a named role does not exist.
 */
export async function roleFor(stores: RoleStores, slug?: string): Promise<AgentRole> {
  if (slug !== undefined) return requireRole(stores, slug);
  const active = await stores.agentRoles.active();
  const role = active === null ? undefined : await findRole(stores, active);
  return role ?? requireRole(stores, FALLBACK);
}

/** Ends with `not_found`. */
export async function requireRole(stores: RoleStores, slug: string): Promise<AgentRole> {
  const role = await findRole(stores, slug);
  if (!role) throw notFound();
  return role;
}

export async function findRole(
  { agentRoles }: RoleStores,
  slug: string,
): Promise<AgentRole | undefined> {
  const builtIn = builtInRole(slug);
  if (builtIn) return builtIn;
  const custom = await agentRoles.find(slug);
  return custom && ownRole(custom);
}

export const ownRole = (role: CustomAgentRole): AgentRole => ({ ...role, kind: 'custom' });
