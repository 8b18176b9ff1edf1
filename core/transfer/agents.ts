import type { CustomAgentRole } from '../../ports/agent-roles.ts';
import { MOST_ROLES, builtInRole, findRole, requireRoomForRoles } from '../agents/index.ts';
import { placeOf } from './ids.ts';
import type { Part, Target, TransferStores } from './part.ts';
import { activeRoleShape, roleShape } from './records.ts';
import { Unreadable } from './shapes.ts';

export type RoleLine =
  | { readonly role: CustomAgentRole; readonly active?: undefined }
  | { readonly active: { readonly slug: string }; readonly role?: undefined };

/** The custom roles, oldest first, followed by the active role. */
export const agentsPart: Part<RoleLine> = {
  name: 'agents',
  async *out({ deps, caller }) {
    const { items, active } = await deps.uow.read(caller.scope, async ({ agentRoles }) => ({
      ...(await agentRoles.page({ limit: MOST_ROLES, offset: 0 })),
      active: await agentRoles.active(),
    }));
    for (const role of items) yield { line: { role: roleShape.write(role) }, counts: true };
    if (active !== null)
      yield { line: { active: activeRoleShape.write({ slug: active }) }, counts: false };
  },
  reader: () => {
    const slugs = new Set<string>();
    let ended = false;
    return (sent) => {
      if (ended) throw new Unreadable('it follows the active role, which is the last');
      const line = (sent ?? {}) as { readonly role?: unknown; readonly active?: unknown };
      if (line.active === undefined) return { role: newRole(slugs, line.role) };
      const active = activeRoleShape.read(line.active, 'active');
      if (!slugs.has(active.slug) && !builtInRole(active.slug))
        throw new Unreadable('active.slug is none of the roles');
      ended = true;
      return { active };
    };
  },
  needs: () => [],
  atOnce: MOST_ROLES + 1,
  take: (target, lines) =>
    target.write(async (stores) => {
      for (const { role, active } of lines)
        if (role) await takeRole(target, stores, role);
        else await takeActive(stores, active.slug);
      await requireRoomForRoles(stores.agentRoles);
    }),
};

/** Reads a role, and rejects a duplicate slug or one role too many. */
function newRole(slugs: Set<string>, sent: unknown): CustomAgentRole {
  const role = roleShape.read(sent, 'role');
  if (slugs.has(role.slug)) throw new Unreadable('role.slug is that of an earlier role');
  if (slugs.size === MOST_ROLES) throw new Unreadable(`it is one role more than ${MOST_ROLES}`);
  slugs.add(role.slug);
  return role;
}

/** A role is skipped if its slug exists already, whether or not the roles are equal. */
async function takeRole(
  target: Target,
  stores: TransferStores,
  role: CustomAgentRole,
): Promise<void> {
  const { agentRoles } = stores;
  const { deps, tallies } = target;
  if (await findRole(stores, role.slug)) {
    tallies.agents.unchanged++;
    return;
  }
  const { id } = await placeOf<CustomAgentRole>(
    deps.digests,
    role,
    'agent role',
    (wanted) => agentRoles.withId(wanted),
    () => false,
  );
  if (id !== role.id) target.newIds++;
  await agentRoles.add({ ...role, id });
  tallies.agents.created++;
}

/** An existing choice of the owner is preserved. */
async function takeActive({ agentRoles }: TransferStores, slug: string): Promise<void> {
  if ((await agentRoles.active()) === null) await agentRoles.activate(slug);
}
