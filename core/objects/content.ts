import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import type { VersionOrigin } from '../../ports/contents.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { ContentType } from '../../ports/text-extraction.ts';
import type { Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { DomainError } from '../shared/errors.ts';
import type { Zone } from '../hidden-zone/index.ts';
import { planLimit } from '../identity/index.ts';
import { placeObject } from '../search/index.ts';
import { newTask, type TaskNudge } from '../tasks/index.ts';
import { retainContent } from './retain-content.ts';

export const READ_TASK = 'object.read';
/** Recognising the text in pictures takes minutes; its tasks have a line of their own. */
export const RECOGNISE_TASK = 'object.recognise';
/** A model takes as long as it takes: its tasks have a line of their own as well. */
export const ENRICH_TASK = 'object.enrich';
export const REMOVE_BLOB_TASK = 'blob.remove';

/**
 * What a task that reads needs to know. `notifiesOwner`: the owner is told when it has ended well, which of texts that are
 * saved every few seconds nobody wants to hear.
 */
export const readingOf = (version: number, notifiesOwner: boolean): Task['payload'] => ({
  version,
  ...(notifiesOwner && { notifiesOwner }),
});
/** The content shows what the one before showed: its name was made of that, or its owner wanted none. */
export const keepsName = ({ payload }: Pick<Task, 'payload'>): boolean =>
  payload['keepsName'] === true;
export const isAwaited = ({ payload }: Task): boolean => payload['notifiesOwner'] === true;

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
  | 'notifications'
  | 'shares'
  | 'imageOperations'
  | 'officeSessions'
  | 'placements'
>;

/** Bytes that are durable already and wait for a row. */
export interface IncomingContent {
  readonly blob: WrittenBlob;
  readonly type: ContentType;
  readonly origin: VersionOrigin;
  /** What the task that reads it is told beside what it always is. */
  readonly reading?: Task['payload'];
}

export interface Change {
  readonly object: StoredObject;
  readonly nudges: readonly TaskNudge[];
  /** The blob that was written for this change, when the same bytes were there already. */
  readonly spare: string | null;
}

/**
 * Enforces the plan's storage quota. Behind a closed zone the quota counts the bytes of visible objects only, because an
 * error must not depend on hidden objects. With an open zone, or without a PIN, every byte counts. Behind a closed zone all
 * bytes together are limited to twice the quota.
 */
export async function requireRoom(
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
 * Makes the bytes the object's content under the version it carries: a reference to the bytes, a row of the history,
 * the object itself, and the task that will read it.
 */
export async function putContent(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  stores: ContentStores,
  object: Omit<StoredObject, 'contentHash' | 'blobId' | 'size' | 'kind' | 'mime' | 'format'>,
  incoming: IncomingContent,
): Promise<Change> {
  const now: Instant = deps.clock.now();
  const { blob, type, origin, reading } = incoming;
  const { content, unusedBlobId } = await retainContent(deps, stores, {
    sha256: blob.sha256,
    size: blob.size,
    blobId: blob.blobId,
  });
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
  const payload = { ...readingOf(object.version, notifiesOwner), ...reading };
  const task = newTask(deps, READ_TASK, object.id, payload);
  await stores.tasks.save(task);
  return {
    object: changed,
    nudges: [{ kind: task.kind, taskId: task.id }],
    spare: unusedBlobId,
  };
}

/** A new version on top of the object's history. What was corrected in the old text does not speak of the new. */
export async function replaceContent(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  stores: ContentStores,
  object: StoredObject,
  incoming: IncomingContent,
): Promise<Change> {
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
  // It may be of another kind now, and is found by that before it is read.
  await placeObject(stores.search, change.object, object);
  return { ...change, nudges: [...change.nudges, ...nudges] };
}

/**
 * A new version of what the object is already: what was proposed for it stays, and it is not named anew. One whose
 * reading was under way is read as if it had just come.
 */
export async function alterContent(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  stores: ContentStores,
  object: StoredObject,
  incoming: IncomingContent,
): Promise<Change> {
  const { suggestedName, suggestedReason, suggestedCollectionId, folderAnswered } = object;
  const isRead = object.status === 'ready' || object.status === 'failed';
  const reading: Task['payload'] = isRead ? { keepsName: true } : { notifiesOwner: true };
  const change = await replaceContent(deps, stores, object, { ...incoming, reading });
  const kept = { suggestedName, suggestedReason, suggestedCollectionId, folderAnswered };
  const altered: StoredObject = { ...change.object, ...kept };
  await stores.objects.save(altered);
  return { ...change, object: altered };
}

/** The pictures of a content go with it; their bytes by tasks. */
async function dropThumbnails(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  stores: Pick<Stores, 'thumbnails' | 'tasks'>,
  objectId: string,
): Promise<readonly TaskNudge[]> {
  const nudges: TaskNudge[] = [];
  for (const blobId of await stores.thumbnails.removeAll(objectId))
    nudges.push(await removeLater(deps, stores, blobId));
  return nudges;
}

async function removeLater(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  { tasks }: Pick<Stores, 'tasks'>,
  blobId: string,
): Promise<TaskNudge> {
  const task = newTask(deps, REMOVE_BLOB_TASK, blobId, {});
  await tasks.save(task);
  return { kind: task.kind, taskId: task.id };
}

/** Until the new content is read the text of the old one stands for it, but not one that was written over it. */
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

/** Takes an object away with everything that was made of it. Its bytes go by a task once nothing refers to them. */
export async function eraseObject(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
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

/** Gives one reference to the bytes back. With the last one they go by a task. */
export async function releaseContent(
  deps: { readonly clock: Clock; readonly entropy: Entropy },
  stores: Pick<Stores, 'contents' | 'tasks'>,
  sha256: string,
): Promise<readonly TaskNudge[]> {
  const blobId = await stores.contents.release(sha256);
  return blobId === undefined ? [] : [await removeLater(deps, stores, blobId)];
}

/** Lets go of blobs that no row came to need. What a crash leaves over, the sweep finds. */
export async function discardBlobs(
  deps: { readonly blobs: Pick<OwnerBlobs, 'discard'> },
  blobIds: readonly (string | null)[],
): Promise<void> {
  for (const blobId of blobIds) if (blobId !== null) await deps.blobs.discard(blobId);
}

/**
 * Waits for the unit of work that was to take the blobs in use. A refusal by the rules is certain, so its blobs go at
 * once; after any other failure the commit may have happened, and only the sweep may decide.
 */
export async function orDiscard<Result>(
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
