import type { StoredObject } from '../../ports/objects.ts';
import { outsideFolders } from '../folder-scope/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { getObject } from '../objects/index.ts';
import type { Claim } from './grounding.ts';
import type { ToolDeps, AgentContext } from './tool.ts';

/** The object, if it is in the session's scope. In a session about a folder, objects elsewhere count as missing. */
export function requireInSession(
  { collectionId }: Pick<AgentContext, 'collectionId'>,
  object: StoredObject,
): StoredObject {
  if (collectionId !== null && object.collectionId !== collectionId) throw notFound();
  return object;
}

/** An object as the owner's message has to name it. Ends with `not_found`. */
export async function objectClaim(
  deps: ToolDeps,
  work: AgentContext,
  objectId: string,
): Promise<Extract<Claim, { readonly kind: 'object' }>> {
  const { object } = await getObject(deps, work.caller, objectId);
  const { id, filename, title } = requireInSession(work, object);
  return { kind: 'object', id, filename, title };
}

/** Ends with `forbidden` for no folder if the caller is bound to folders: that is refused before the owner is asked. */
export function requirePlace({ caller }: AgentContext, collectionId: string | null): void {
  if (collectionId === null && caller.scope.folderIds !== undefined) throw outsideFolders();
}

/** A folder as the owner's message has to name it. Moving an object out of all folders always needs a confirmation. */
export async function folderClaim(
  deps: Pick<ToolDeps, 'uow'>,
  work: AgentContext,
  collectionId: string | null,
): Promise<Claim> {
  requirePlace(work, collectionId);
  if (collectionId === null) return { kind: 'unnameable' };
  const folder = await deps.uow.read(work.caller.scope, (stores) =>
    stores.collections.find(collectionId),
  );
  if (!folder) throw notFound();
  return { kind: 'folder', id: folder.id, value: folder.name };
}
