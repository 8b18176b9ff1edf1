import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import type { VersionOrigin } from '../../ports/contents.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { ContentType } from '../../ports/text-extraction.ts';
import type { Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { DomainError } from '../shared/errors.ts';
import type { Zone } from '../hidden-zone/index.ts';
import { planLimit } from '../identity/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import { newTask, type TaskNudge } from '../tasks/index.ts';
import { retainContent } from './retain-content.ts';

export const READ_TASK = 'object.read';
/** OCR takes minutes, so its tasks have a separate queue. */
export const OCR_TASK = 'object.recognise';
export { ENRICH_TASK } from '../model-pause/index.ts';
export const REMOVE_BLOB_TASK = 'blob.remove';

/**
 * Payload of a read task. `notifiesOwner`: the owner is notified of success. It is false for texts that are saved every few
 * seconds.
 */
export const readTaskPayload = (version: number, notifiesOwner: boolean): Task['payload'] => ({
  version,
  ...(notifiesOwner && { notifiesOwner }),
});
/** The content continues the previous one: the name was generated from that, or the owner chose one. */
export const keepsName = ({ payload }: Pick<Task, 'payload'>): boolean =>
  payload['keepsName'] === true;
export const shouldNotifyOwner = ({ payload }: Task): boolean => payload['notifiesOwner'] === true;

export type ContentStores = Pick<
  Stores,
  | 'objects'
  | 'versions'
  | 'contents'
  | 'texts'
  | 'links'
  | 'enrichments'
  | 'thumbnails'
  | 'search'
  | 'tasks'
  | 'reorganizations'
  | 'bulkRuns'
  | 'notifications'
  | 'shares'
  | 'imageOperations'
  | 'officeSessions'
  | 'blobLocations'
>;

/** Durable bytes without a row yet. */
export interface IncomingContent {
  readonly blob: WrittenBlob;
  readonly type: ContentType;
  readonly origin: VersionOrigin;
  /** Additional payload of the read task. */
  readonly reading?: Task['payload'];
}

export interface ContentChange {
  readonly object: StoredObject;
  readonly nudges: readonly TaskNudge[];
  /** The blob written for this change, if the same bytes were stored already. */
  readonly unusedBlobId: string | null;
}

/**
 * Enforces the plan's storage quota. While the zone is locked, the quota counts the bytes of visible objects only,
 * because an error must not depend on hidden objects. With an unlocked zone, or without a PIN, every byte counts.
 * While the zone is locked, all bytes together are limited to twice the quota.
 */
export async function requireStorageQuota(
  { contents }: Pick<Stores, 'contents'>,
  caller: Pick<Caller, 'limits'>,
  moreBytes: number,
  zone: Zone = 'unset',
): Promise<void> {
  const { storageBytes } = caller.limits;
  if (storageBytes === null) return;
  const needed = (await contents.usedBytes()) + moreBytes;
  if (needed <= storageBytes) return;
  if (zone !== 'closed' || needed > 2 * storageBytes) throw planLimit();
  if (needed - (await contents.hiddenBytes()) > storageBytes) throw planLimit();
}

/**
 * Makes the bytes the object's content under its version number: a reference to the bytes, a history row, the object
 * itself, and the task that will read it.
 */
export async function putContent(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: ContentStores,
  object: Omit<StoredObject, 'contentHash' | 'blobId' | 'size' | 'kind' | 'mime' | 'format'>,
  incoming: IncomingContent,
): Promise<ContentChange> {
  const now: Instant = deps.clock.now();
  const { blob, type, origin, reading } = incoming;
  const { sha256, size, blobId } = blob;
  const { content, unusedBlobId } = await retainContent(
    deps,
    stores,
    { sha256, size, blobId },
    object.isHidden,
  );
  const changed: StoredObject = {
    ...object,
    kind: type.kind,
    mime: type.mime,
    format: type.format,
    size: blob.size,
    contentHash: blob.sha256,
    blobId: content.blobId,
  };
  await stores.versions.add({
    objectId: object.id,
    version: object.version,
    kind: type.kind,
    mime: type.mime,
    format: type.format,
    size: blob.size,
    sha256: blob.sha256,
    blobId: content.blobId,
    origin,
    createdAt: now,
  });
  await stores.objects.save(changed);
  const notifiesOwner = object.version === 1 || origin === 'upload';
  const payload = { ...readTaskPayload(object.version, notifiesOwner), ...reading };
  const task = newTask(deps, READ_TASK, object.id, payload);
  await stores.tasks.save(task);
  return {
    object: changed,
    nudges: [{ kind: task.kind, taskId: task.id }],
    unusedBlobId,
  };
}

/** A new version of the object. Corrections of the old text do not apply to the new one. */
export async function replaceContent(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: ContentStores,
  object: StoredObject,
  incoming: IncomingContent,
): Promise<ContentChange> {
  const textState = await withoutCorrection(stores, object);
  const nudges = await dropThumbnails(deps, stores, object.id);
  const change = await putContent(
    deps,
    stores,
    {
      ...object,
      version: object.version + 1,
      status: 'pending',
      error: null,
      hasCorrections: false,
      needsManual: false,
      textState,
      suggestedName: null,
      suggestedReason: null,
      suggestedCollectionId: null,
      folderAnswered: false,
      updatedAt: deps.clock.now(),
    },
    incoming,
  );
  // The new content may be of another kind, and the kind filter of search must match before it is read.
  await indexObjectMetadata(stores.search, change.object, object);
  return { ...change, nudges: [...change.nudges, ...nudges] };
}

/**
 * A new version with the same kind of content: suggestions remain, and it is not renamed. If the old one was still
 * being read, the new one is read like an upload.
 */
export async function replaceContentInPlace(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: ContentStores,
  object: StoredObject,
  incoming: IncomingContent,
): Promise<ContentChange> {
  const { suggestedName, suggestedReason, suggestedCollectionId, folderAnswered } = object;
  const isRead = object.status === 'ready' || object.status === 'failed';
  const reading: Task['payload'] = isRead ? { keepsName: true } : { notifiesOwner: true };
  const change = await replaceContent(deps, stores, object, { ...incoming, reading });
  const stored = { suggestedName, suggestedReason, suggestedCollectionId, folderAnswered };
  const altered: StoredObject = { ...change.object, ...stored };
  await stores.objects.save(altered);
  return { ...change, object: altered };
}

/** The thumbnails of a content are removed with it; their bytes by tasks. */
async function dropThumbnails(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: Pick<Stores, 'thumbnails' | 'tasks'>,
  objectId: string,
): Promise<readonly TaskNudge[]> {
  const nudges: TaskNudge[] = [];
  for (const blobId of await stores.thumbnails.removeAll(objectId))
    nudges.push(await removeLater(deps, stores, blobId));
  return nudges;
}

async function removeLater(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  { tasks }: Pick<Stores, 'tasks'>,
  blobId: string,
): Promise<TaskNudge> {
  const task = newTask(deps, REMOVE_BLOB_TASK, blobId, {});
  await tasks.save(task);
  return { kind: task.kind, taskId: task.id };
}

/** Until the new content is read, the old text is searched, unless it was overwritten in place. */
async function withoutCorrection(
  stores: ContentStores,
  { id, hasCorrections, textState }: StoredObject,
): Promise<StoredObject['textState']> {
  if (!hasCorrections) return textState === 'available' ? 'available' : 'pending';
  const { text } = await stores.texts.find(id);
  await stores.texts.removeCorrection(id);
  if (text) return 'available';
  await stores.search.put(id, []);
  return 'pending';
}

/** Deletes an object with all derived data. Its bytes are removed by a task once nothing refers to them. */
export async function eraseObject(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: ContentStores,
  id: string,
): Promise<readonly TaskNudge[]> {
  const nudges: TaskNudge[] = [];
  await stores.tasks.removeFor(id);
  await stores.search.drop(id);
  await stores.texts.remove(id);
  nudges.push(...(await dropThumbnails(deps, stores, id)));
  await stores.enrichments.remove(id);
  await stores.reorganizations.forgetObject(id);
  await stores.bulkRuns.forgetObject(id);
  await stores.notifications.forgetObject(id, deps.clock.now());
  await stores.shares.removeOf('file', id);
  await stores.imageOperations.forgetObject(id);
  await stores.officeSessions.removeAll(id);
  const preview = await stores.links.remove(id);
  const held = [...(await stores.versions.removeAll(id)), preview?.image ?? null];
  for (const content of held)
    if (content) nudges.push(...(await releaseContent(deps, stores, content.sha256)));
  await stores.objects.remove(id);
  return nudges;
}

/** Releases one reference to the bytes. With the last one a task removes them. */
export async function releaseContent(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  stores: Pick<Stores, 'contents' | 'tasks'>,
  sha256: string,
): Promise<readonly TaskNudge[]> {
  const blobId = await stores.contents.release(sha256);
  return blobId === undefined ? [] : [await removeLater(deps, stores, blobId)];
}

/** Discards blobs that no row needs. After a crash the garbage collection finds them. */
export async function discardBlobs(
  deps: { readonly blobs: Pick<OwnerBlobs, 'discard'> },
  blobIds: readonly (string | null)[],
): Promise<void> {
  for (const blobId of blobIds) if (blobId !== null) await deps.blobs.discard(blobId);
}

/**
 * Waits for the unit of work that would use the blobs. A rejection by the rules is certain, so its blobs are
 * discarded immediately. After any other failure the commit may have happened, and only the garbage collection may
 * decide.
 */
export async function discardBlobsOnError<Result>(
  deps: { readonly blobs: Pick<OwnerBlobs, 'discard'> },
  unit: Promise<Result>,
  blobIds: readonly string[],
): Promise<Result> {
  try {
    return await unit;
  } catch (error) {
    if (error instanceof DomainError) await discardBlobs(deps, blobIds);
    throw error;
  }
}
