import type { OwnerBlobs } from '../../ports/blobs.ts';
import type { ImageEditor, ImageOperation } from '../../ports/image-editor.ts';
import type { PendingImageOperation } from '../../ports/image-operations.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import { pictureReason, type PictureSentence } from '../../ports/reasons.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { findEditable, requireStorageQuota, unsupportedType } from '../objects/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { enqueueAll } from '../tasks/index.ts';
import { expectedOf } from '../shared/expected-content.ts';
import { tooManyWaiting } from './errors.ts';
import { editableFormat } from './editable-format.ts';
import { startNext } from './queue.ts';

export { IMAGE_TASK } from './queue.ts';

type RequestStores = Pick<
  Stores,
  'contents' | 'imageOperations' | 'objects' | 'idempotency' | 'tasks' | 'pinLock'
>;

export interface RequestImageDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof RequestStores>;
  readonly blobs: Pick<OwnerBlobs, 'read'>;
  readonly images: Pick<ImageEditor, 'inspect'>;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Limit per owner, for objects that the caller can see. */
const MAX_WAITING = 200;
/** Limit on all objects. It bounds operations on hidden objects, which do not count against the limit above. */
const MAX_WAITING_WITH_HIDDEN = 10 * MAX_WAITING;
const RETRY_SECONDS = 10;
/** How long, and how many of an owner's, finished operations are stored. */
const KEPT_MS = 30 * 24 * 3_600_000;
const MAX_STORED_OPERATIONS = 1_000;

/**
 * Queues an edit of an image, after all earlier operations on it. A file that cannot be edited is rejected
 * immediately, by the type of the object and by its header.
 */
export async function requestImageOperation(
  deps: RequestImageDeps,
  caller: Caller,
  objectId: string,
  operation: ImageOperation,
): Promise<PendingImageOperation> {
  const object = await deps.uow.read(caller.scope, (stores) =>
    find(deps, stores, caller, objectId),
  );
  const fit = editableFormat(object, operation.op);
  if ('rejection' in fit) throw refused(fit.rejection);
  const verdict = await deps.images.inspect({
    format: fit.format,
    size: object.size,
    open: () => deps.blobs.read(object.blobId, undefined, expectedOf(object)),
  });
  if (verdict.outcome === 'refused') throw refused(verdict.reason);
  const { pending, nudges } = await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    // A content that arrives in between is checked when the operation runs.
    await findEditable(stores, zone, objectId);
    await requireStorageQuota(stores, caller, 1, zone);
    await requireFewWaiting(stores, zone);
    return enqueue(deps, stores, caller, objectId, operation);
  });
  await enqueueAll(deps.jobs, nudges);
  return pending;
}

async function find(
  deps: RequestImageDeps,
  stores: RequestStores,
  caller: Caller,
  id: string,
): Promise<StoredObject> {
  return findEditable(stores, await zoneFor(deps, stores.pinLock, caller), id);
}

async function requireFewWaiting(
  { imageOperations }: Pick<Stores, 'imageOperations'>,
  zone: Zone,
): Promise<void> {
  const seen = await imageOperations.waiting(zone === 'closed' ? 'visible' : 'any');
  const all = await imageOperations.waiting('any');
  if (seen >= MAX_WAITING || all >= MAX_WAITING_WITH_HIDDEN)
    throw tooManyWaiting({}, RETRY_SECONDS);
}

async function enqueue(
  deps: RequestImageDeps,
  stores: RequestStores,
  caller: Caller,
  objectId: string,
  operation: ImageOperation,
) {
  const { imageOperations } = stores;
  const now = deps.clock.now();
  await imageOperations.prune(now - KEPT_MS, MAX_STORED_OPERATIONS);
  const pending: PendingImageOperation = {
    id: deps.random.uuid(),
    objectId,
    operation,
    state: 'accepted',
    error: null,
    version: null,
    createdAt: now,
    updatedAt: now,
  };
  await imageOperations.save(pending);
  const nudges = await startNext(deps, stores, objectId);
  await saveResponse(stores, deps.clock, caller, pending);
  return { pending, nudges };
}

const refused = (reason: PictureSentence) =>
  unsupportedType({ error_code: pictureReason(reason).code }, undefined, reason);
