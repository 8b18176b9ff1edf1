import type { CustomAgentRole, Toolset } from '../../ports/agent-roles.ts';
import type { Clock, Entropy } from '../../ports/time-and-ids.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { keepReceipt } from '../receipts/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { builtInRole } from './built-in.ts';
import { cardOf, type AgentCard, type AgentDeps } from './cards.ts';
import { roleLocked, slugTaken, tooManyRoles } from './errors.ts';
import { MOST_ROLES, RESERVED_SLUGS } from './role.ts';
import { ownRole } from './roles.ts';

export interface AgentEdit {
  readonly name?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly persona?: string;
  readonly toolsets?: readonly Toolset[];
}

export interface NewAgent extends AgentEdit {
  readonly slug: string;
  readonly name: string;
  readonly persona: string;
}

export interface CreateAgentDeps {
  readonly uow: UnitOfWork<'agentRoles' | 'receipts'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** What looks and changes nothing. */
const DEFAULT_TOOLSETS: readonly Toolset[] = ['objects'];

/**
 * A new role, not active yet.
 *
 * Ends with `already_exists` for a slug that is taken, built in or reserved, and with `too_many_roles`.
 */
export async function createAgent(
  deps: CreateAgentDeps,
  caller: Caller,
  wanted: NewAgent,
): Promise<AgentCard> {
  const now = deps.clock.now();
  const role: CustomAgentRole = {
    id: deps.entropy.uuid(),
    slug: wanted.slug,
    name: wanted.name,
    description: wanted.description ?? '',
    icon: wanted.icon ?? '',
    persona: wanted.persona,
    toolsets: wanted.toolsets ?? DEFAULT_TOOLSETS,
    createdAt: now,
    updatedAt: now,
  };
  if (builtInRole(role.slug) || RESERVED_SLUGS.includes(role.slug)) throw slugTaken();
  return deps.uow.write(caller.scope, async (stores) => {
    const { agentRoles } = stores;
    if (!(await agentRoles.add(role))) throw slugTaken();
    await requireRoomForRoles(agentRoles);
    return keepReceipt(stores, deps.clock, caller, cardOf(ownRole(role), null));
  });
}

/** Refuses a unit of work that has added one role too many. */
export async function requireRoomForRoles(agentRoles: Stores['agentRoles']): Promise<void> {
  const { total } = await agentRoles.page({ limit: 1, offset: 0 });
  if (total > MOST_ROLES) throw tooManyRoles();
}

/** Changes what is given. The slug stays. */
export async function editAgent(
  deps: AgentDeps & Pick<CreateAgentDeps, 'clock'>,
  caller: Caller,
  slug: string,
  edit: AgentEdit,
): Promise<AgentCard> {
  if (builtInRole(slug)) throw roleLocked();
  return deps.uow.write(caller.scope, async ({ agentRoles }) => {
    const role = await agentRoles.find(slug);
    if (!role) throw notFound();
    const edited = { ...role, ...edit, updatedAt: deps.clock.now() };
    await agentRoles.replace(edited);
    return cardOf(ownRole(edited), await agentRoles.active());
  });
}

/** Deleting the active role leaves none active. */
export async function deleteAgent(deps: AgentDeps, caller: Caller, slug: string): Promise<void> {
  if (builtInRole(slug)) throw roleLocked();
  await deps.uow.write(caller.scope, async ({ agentRoles }) => {
    if (!(await agentRoles.remove(slug))) throw notFound();
    if ((await agentRoles.active()) === slug) await agentRoles.activate(null);
  });
}
