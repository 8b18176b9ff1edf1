import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { openVersion, type ReadableContent } from '../objects/index.ts';
import { notFound } from '../shared/common-errors.ts';
import {
  requireShareOwner,
  requireUnlocked,
  type VisitorDeps,
  type VisitorStores,
  type ShareOwnerDeps,
  type Visitor,
} from './visitor-access.ts';
import { requireShown } from './resource.ts';

export interface ReadSharedDeps extends VisitorDeps, ShareOwnerDeps {
  readonly uow: UnitOfWork<keyof VisitorStores | 'versions'>;
  readonly blobs: OwnerBlobs;
}

/** The current content of an object of a share. */
export async function readShared(
  deps: ReadSharedDeps,
  visitor: Visitor,
  token: string,
  objectId: string,
): Promise<ReadableContent> {
  const { scope, shareId } = await requireShareOwner(deps, token);
  const found = await deps.uow.read(scope, async (stores) => {
    const { resource } = await requireUnlocked(deps, stores, shareId, visitor);
    const object = await requireShown(stores, resource, objectId);
    const version = await stores.versions.find(objectId, object.version);
    return version && { object, version };
  });
  if (!found) throw notFound();
  return openVersion(deps, found.object, found.version);
}
