import type { CustomAgentRole, Toolset } from '../../ports/agent-roles.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { builtInRole } from './built-in.ts';
import { cardOf, type AgentCard, type AgentDeps } from './cards.ts';
import { roleLocked, slugInUse, tooManyRoles } from './errors.ts';
import { MAX_ROLES, RESERVED_SLUGS } from './role.ts';
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
  readonly uow: UnitOfWork<'agentRoles' | 'idempotency'>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Toolsets that only read. */
const DEFAULT_TOOLSETS: readonly Toolset[] = ['objects'];

/**
 * Creates a role, which is not active yet.
 *
 * Ends with `already_exists` if the slug is in use, built-in or reserved, and with `too_many_roles`.
 */
export async function createAgent(
  deps: CreateAgentDeps,
  caller: Caller,
  input: NewAgent,
): Promise<AgentCard> {
  const now = deps.clock.now();
  const role: CustomAgentRole = {
    id: deps.random.uuid(),
    slug: input.slug,
    name: input.name,
    description: input.description ?? '',
    icon: input.icon ?? '',
    persona: input.persona,
    toolsets: input.toolsets ?? DEFAULT_TOOLSETS,
    isImported: false,
    createdAt: now,
    updatedAt: now,
  };
  if (builtInRole(role.slug) || RESERVED_SLUGS.includes(role.slug)) throw slugInUse();
  return deps.uow.write(caller.scope, async (stores) => {
    const { agentRoles } = stores;
    if (!(await agentRoles.add(role))) throw slugInUse();
    await requireRoleCapacity(agentRoles);
    return saveResponse(stores, deps.clock, caller, cardOf(ownRole(role), null));
  });
}

/** Rejects the unit of work if it exceeds the limit of roles. */
export async function requireRoleCapacity(agentRoles: Stores['agentRoles']): Promise<void> {
  const { total } = await agentRoles.page({ limit: 1, offset: 0 });
  if (total > MAX_ROLES) throw tooManyRoles();
}

/** Changes the given fields. The slug cannot change. */
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
    // The owner has read and saved it, also if it came with an import.
    const edited = { ...role, ...edit, isImported: false, updatedAt: deps.clock.now() };
    await agentRoles.replace(edited);
    return cardOf(ownRole(edited), await agentRoles.active());
  });
}

/** Deleting the active role clears the active role. */
export async function deleteAgent(deps: AgentDeps, caller: Caller, slug: string): Promise<void> {
  if (builtInRole(slug)) throw roleLocked();
  await deps.uow.write(caller.scope, async ({ agentRoles }) => {
    if (!(await agentRoles.remove(slug))) throw notFound();
    if ((await agentRoles.active()) === slug) await agentRoles.activate(null);
  });
}
