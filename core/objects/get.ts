import type { OwnerBlobs, ByteRange } from '../../ports/blobs.ts';
import type { ObjectVersion } from '../../ports/contents.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { findVisible, type ObjectView } from './view.ts';

export interface GetDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'collections' | 'enrichments' | 'pinLock'>;
}

export async function getObject(deps: GetDeps, caller: Caller, id: string): Promise<ObjectView> {
  return deps.uow.read(caller.scope, async (stores) => {
    const [object, collectionName, enrichment] = await Promise.all([
      findVisible(stores, zoneFor(deps, stores.pinLock, caller), id),
      stores.collections.nameFor(id),
      stores.enrichments.find(id),
    ]);
    return { object, collectionName, ...(enrichment && { enrichment }) };
  });
}

export interface ContentDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'versions' | 'pinLock'>;
  readonly blobs: OwnerBlobs;
}

/** The bytes of one version, to be streamed from storage. */
export interface ReadableContent {
  readonly filename: string;
  readonly mime: string;
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
  readonly modifiedAt: number;
  /** Whether it belongs to the hidden zone: if so, no cache may store it. */
  readonly isHidden: boolean;
  open(range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Whether a part of the bytes may differ from the stored ones unnoticed. Absent: it may not. */
  mayDifferInParts?(): Promise<boolean>;
}

/** The current content, or an earlier version of it. */
export async function readContent(
  deps: ContentDeps,
  caller: Caller,
  id: string,
  version?: number,
): Promise<ReadableContent> {
  const { object, held } = await deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findVisible(stores, zone, id);
    const held = await stores.versions.find(id, version ?? object.version);
    return { object, held };
  });
  if (!held) throw notFound();
  return openVersion(deps, object, held);
}

/** One content of an object that the caller may see. */
export const openVersion = (
  { blobs }: Pick<ContentDeps, 'blobs'>,
  { filename, isHidden }: Pick<StoredObject, 'filename' | 'isHidden'>,
  { mime, size, sha256, createdAt, blobId }: ObjectVersion,
): ReadableContent => ({
  filename,
  mime,
  size,
  sha256,
  modifiedAt: createdAt,
  isHidden,
  open: (range) => blobs.read(blobId, range, { size, sha256 }),
  mayDifferInParts: () => blobs.isWithOwner(blobId),
});
