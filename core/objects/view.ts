import type { Enrichment, EnrichmentStore } from '../../ports/enrichments.ts';
import type { CollectionStore } from '../../ports/library.ts';
import type { ObjectStore, StoredObject } from '../../ports/objects.ts';
import { canSee, type Zone } from '../hidden-zone/index.ts';
import { notFound } from '../shared/common-errors.ts';
import { inTrash } from './errors.ts';

/** An object with the name of its folder. */
export interface ObjectView {
  readonly object: StoredObject;
  readonly collectionName: string | null;
  /** Only for a single object, not in a list. */
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

/** One object with everything that a response shows. */
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
 * The object, or the same `not_found` for a missing, foreign or concealed one. If the zone is still being looked up,
 * both lookups are sent in the same batch.
 */
export async function findVisible(
  stores: { readonly objects: ObjectStore },
  zone: Zone | Promise<Zone>,
  id: string,
): Promise<StoredObject> {
  const [object, known] = await Promise.all([stores.objects.find(id), zone]);
  if (!object || !canSee(object, known)) throw notFound();
  return object;
}

/** The same for an operation that changes the object: an object in the trash can only be restored or deleted. */
export async function findEditable(
  stores: { readonly objects: ObjectStore },
  zone: Zone | Promise<Zone>,
  id: string,
): Promise<StoredObject> {
  const object = await findVisible(stores, zone, id);
  if (object.deletedAt !== null) throw inTrash();
  return object;
}
