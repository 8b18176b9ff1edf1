import type { Collection } from '../../ports/library.ts';
import type { ObjectFilter, ObjectSummary, StoredObject } from '../../ports/objects.ts';
import type { Page, PageRequest } from '../../ports/paging.ts';
import type { Share } from '../../ports/shares.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { notFound } from '../shared/common-errors.ts';

/** The target of a share. */
export type SharedResource =
  | { readonly kind: 'folder'; readonly folder: Collection }
  | { readonly kind: 'file'; readonly object: StoredObject };

export type ResourceStores = Pick<Stores, 'objects' | 'collections'>;

/** Neither hidden nor in the trash: others must not learn of other objects. */
export const isShown = ({ isHidden, deletedAt }: StoredObject): boolean =>
  !isHidden && deletedAt === null;

/**
 * The current target of a share. A share that has ended, or whose resource is trashed, hidden or deleted, ends with
 * the same `not_found` as one that never existed.
 */
export async function requireResource(
  stores: ResourceStores,
  share: Share | undefined,
  now: Instant,
): Promise<SharedResource> {
  if (!share || (share.expiresAt !== null && share.expiresAt <= now)) throw notFound();
  if (share.kind === 'folder') {
    const folder = await stores.collections.find(share.resourceId);
    if (!folder) throw notFound();
    return { kind: 'folder', folder };
  }
  const object = await stores.objects.find(share.resourceId);
  if (!object || !isShown(object)) throw notFound();
  return { kind: 'file', object };
}

export const nameOf = (resource: SharedResource): string =>
  resource.kind === 'folder' ? resource.folder.name : resource.object.filename;

/** Filter for the objects of a folder. */
export const shownIn = ({ id }: Collection): ObjectFilter => ({
  visibility: 'visible',
  trashed: false,
  collectionId: id,
});

/** The objects of a resource, newest first. */
export async function shownObjects(
  { objects }: Pick<Stores, 'objects'>,
  resource: SharedResource,
  { limit, offset }: PageRequest,
): Promise<Page<ObjectSummary>> {
  if (resource.kind === 'folder')
    return objects.outlines(shownIn(resource.folder), { limit, offset });
  return { items: [resource.object].slice(offset, offset + limit), total: 1 };
}

/** One of them, or `not_found`, even if another resource has the id. */
export async function requireShown(
  { objects }: Pick<Stores, 'objects'>,
  resource: SharedResource,
  id: string,
): Promise<StoredObject> {
  if (resource.kind === 'file') {
    if (resource.object.id !== id) throw notFound();
    return resource.object;
  }
  const object = await objects.find(id);
  if (!object || !isShown(object) || object.collectionId !== resource.folder.id) throw notFound();
  return object;
}
