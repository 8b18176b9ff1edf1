import type { Enrichment, EnrichmentStore } from '../../ports/enrichments.ts';
import type { CollectionStore } from '../../ports/library.ts';
import type { ObjectStore, StoredObject } from '../../ports/objects.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { inTrash } from './errors.ts';

/** An object together with the name of the folder it lies in. */
export interface ObjectView {
  readonly object: StoredObject;
  readonly collectionName: string | null;
  /** Of a single object only: a list does without. */
  readonly enrichment?: Enrichment;
}

export async function viewsOf(
  stores: { readonly collections: CollectionStore },
  objects: readonly StoredObject[],
): Promise<ObjectView[]> {
  const ids = new Set<string>();
  for (const { collectionId } of objects) if (collectionId !== null) ids.add(collectionId);
  const names = ids.size ? await stores.collections.names([...ids]) : undefined;
  return objects.map((object) => ({
    object,
    collectionName: object.collectionId === null ? null : (names?.get(object.collectionId) ?? null),
  }));
}

/** One object with everything that is shown of it. */
export async function viewOf(
  stores: { readonly collections: CollectionStore; readonly enrichments: EnrichmentStore },
  object: StoredObject,
): Promise<ObjectView> {
  const [[view = { object, collectionName: null }], enrichment] = await Promise.all([
    viewsOf(stores, [object]),
    stores.enrichments.find(object.id),
  ]);
  return enrichment ? { ...view, enrichment } : view;
}

/**
 * The object, or the one answer for everything that is missing, foreign or behind a closed zone. A zone that is still
 * being looked up is looked up together with the object.
 */
export async function findSeen(
  stores: { readonly objects: ObjectStore },
  zone: Zone | Promise<Zone>,
  id: string,
): Promise<StoredObject> {
  const [object, known] = await Promise.all([stores.objects.find(id), zone]);
  if (!object || !canSee(object, known)) throw notFound();
  return object;
}

/** The same for an operation that changes it: what lies in the trash can only be restored or deleted. */
export async function findChangeable(
  stores: { readonly objects: ObjectStore },
  zone: Zone | Promise<Zone>,
  id: string,
): Promise<StoredObject> {
  const object = await findSeen(stores, zone, id);
  if (object.deletedAt !== null) throw inTrash();
  return object;
}
