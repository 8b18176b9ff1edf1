import type { PendingImageOperation } from '../../ports/image-operations.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { findVisible } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';

export interface ImageStatusDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'imageOperations' | 'objects' | 'pinLock'>;
}

/** Progress of an operation on this object. An operation of another object counts as missing. */
export async function imageOperationStatus(
  deps: ImageStatusDeps,
  caller: Caller,
  objectId: string,
  id: string,
): Promise<PendingImageOperation> {
  return deps.uow.read(caller.scope, async (stores) => {
    await findVisible(stores, await zoneFor(deps, stores.pinLock, caller), objectId);
    const found = await stores.imageOperations.find(id);
    if (found?.objectId !== objectId) throw notFound();
    return found;
  });
}
