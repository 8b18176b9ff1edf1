import type { StoredObject } from '../../ports/objects.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { placeObject } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { keptName } from './filename.ts';
import { findChangeable, viewOf, type ObjectView } from './view.ts';

export interface ObjectEdit {
  readonly filename?: string;
  readonly isHidden?: boolean;
}

export interface EditDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'collections' | 'enrichments' | 'search' | 'zoneLock'>;
}

/** Renames an object, or moves it into or out of the hidden zone. */
export async function editObject(
  deps: EditDeps,
  caller: Caller,
  id: string,
  edit: ObjectEdit,
): Promise<ObjectView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findChangeable(stores, zone, id);
    const edited = applyEdit(object, edit, deps.clock.now());
    if (edited !== object) {
      await stores.objects.save(edited);
      await placeObject(stores.search, edited);
    }
    return viewOf(stores, edited);
  });
}

/** Returns the same object when nothing would change, so that an idle edit does not move `updatedAt`. */
export function applyEdit(object: StoredObject, edit: ObjectEdit, now: Instant): StoredObject {
  const filename = edit.filename === undefined ? undefined : keptName(edit.filename);
  const renamed = filename !== undefined && filename !== object.filename;
  const isHidden = edit.isHidden ?? object.isHidden;
  // Confirming the present name is a decision too: automatic renaming leaves it alone from then on.
  const locks = filename !== undefined && !object.nameLocked;
  if (!renamed && !locks && isHidden === object.isHidden) return object;
  return {
    ...object,
    isHidden,
    ...(filename !== undefined && {
      filename,
      nameSource: 'user',
      nameLocked: true,
      suggestedName: null,
      suggestedReason: null,
    }),
    updatedAt: now,
  };
}

/** Puts an object into a folder, or with null into none. */
export async function moveObject(
  deps: EditDeps,
  caller: Caller,
  id: string,
  collectionId: string | null,
): Promise<ObjectView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    const object = await findChangeable(stores, zone, id);
    if (collectionId !== null && !(await stores.collections.find(collectionId))) throw notFound();
    if (object.collectionId === collectionId) return viewOf(stores, object);
    const moved: StoredObject = {
      ...object,
      collectionId,
      suggestedCollectionId: null,
      updatedAt: deps.clock.now(),
    };
    await stores.objects.save(moved);
    await placeObject(stores.search, moved);
    return viewOf(stores, moved);
  });
}
