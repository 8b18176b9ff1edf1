import type { CustomAgentRole } from '../../ports/agent-roles.ts';
import { MAX_ROLES, builtInRole, findRole, requireRoleCapacity } from '../agents/index.ts';
import { resolveImportId } from './import-ids.ts';
import type { Part, Target, TransferStores } from './part.ts';
import { activeRoleShape, roleShape } from './records.ts';
import { ArchiveFormatError } from './shapes.ts';

export type RoleLine =
  | { readonly role: CustomAgentRole; readonly active?: undefined }
  | { readonly active: { readonly slug: string }; readonly role?: undefined };

/** The custom roles, oldest first, followed by the active role. */
export const agentsPart: Part<RoleLine> = {
  name: 'agents',
  isOfAccount: true,
  async *out({ deps, caller }) {
    const { items, active } = await deps.uow.read(caller.scope, async ({ agentRoles }) => ({
      ...(await agentRoles.page({ limit: MAX_ROLES, offset: 0 })),
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
      if (ended) throw new ArchiveFormatError('it follows the active role, which is the last');
      const line = (sent ?? {}) as { readonly role?: unknown; readonly active?: unknown };
      if (line.active === undefined) return { role: newRole(slugs, line.role) };
      const active = activeRoleShape.read(line.active, 'active');
      if (!slugs.has(active.slug) && !builtInRole(active.slug))
        throw new ArchiveFormatError('active.slug is none of the roles');
      ended = true;
      return { active };
    };
  },
  needs: () => [],
  atOnce: MAX_ROLES + 1,
  importRecords: (target, lines) =>
    target.write(async (stores) => {
      // The active role of an archive is ignored: only the owner activates a role.
      for (const { role } of lines) if (role) await importRole(target, stores, role);
      await requireRoleCapacity(stores.agentRoles);
    }),
};

/** Reads a role, and rejects a duplicate slug or one role too many. */
function newRole(slugs: Set<string>, sent: unknown): CustomAgentRole {
  const role = roleShape.read(sent, 'role');
  if (slugs.has(role.slug)) throw new ArchiveFormatError('role.slug is that of an earlier role');
  if (slugs.size === MAX_ROLES)
    throw new ArchiveFormatError(`it is one role more than ${MAX_ROLES}`);
  slugs.add(role.slug);
  return role;
}

/** A role is skipped if its slug exists already, whether or not the roles are equal. */
async function importRole(
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
  const { id } = await resolveImportId<CustomAgentRole>(
    deps.digests,
    role,
    'agent role',
    (input) => agentRoles.withId(input),
    () => false,
  );
  if (id !== role.id) target.newIds++;
  await agentRoles.add({ ...role, id });
  tallies.agents.created++;
}
