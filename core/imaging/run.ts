import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import type { AccountRoles, Accounts } from '../../ports/identity.ts';
import type { EditResult, ImageEditor } from '../../ports/image-editor.ts';
import type { PendingImageOperation } from '../../ports/image-operations.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { PictureSentence } from '../../ports/reasons.ts';
import { zoneOfBackground } from '../hidden-zone/index.ts';
import { limitsOf } from '../identity/index.ts';
import type { NotifyDeps } from '../notifications/index.ts';
import {
  replaceContentInPlace,
  discardBlobs,
  discardBlobsOnError,
  requireStorageQuota,
  type ContentStores,
} from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { DomainError } from '../shared/errors.ts';
import { enqueueAll, type TaskHandler, type TaskNudge } from '../tasks/index.ts';
import { expectedOf } from '../shared/expected-content.ts';
import { editableFormat } from './editable-format.ts';
import { hasEnded, startNext } from './queue.ts';
import { notifyOperationEnd } from './notify-owner.ts';

type RunStores = ContentStores & Pick<Stores, 'pinLock'>;

export interface RunImageDeps extends NotifyDeps {
  readonly uow: UnitOfWork<keyof RunStores>;
  readonly accounts: Pick<Accounts, 'findOwner'>;
  readonly blobs: OwnerBlobs;
  readonly images: ImageEditor;
  readonly jobs: JobQueue;
  readonly roles: AccountRoles;
}

/** Maximum number of restarts if the content was replaced during the operation. */
const MAX_ROUNDS = 3;

const REPLACED: PictureSentence = 'The image was replaced repeatedly while it was edited.';
const TRASHED: PictureSentence = 'The image is in the trash.';
const NO_ROOM: PictureSentence = 'There is no room left for the edited picture.';
const NOT_EDITED: PictureSentence = 'The image could not be edited. It is unchanged.';

/**
 * Runs the first operation in its object's queue on the current content. The new version, the result of the
 * operation, its notification and the end of the task are one transaction: however often the task is delivered, the
 * object changes once.
 */
export const runImageOperation = (deps: RunImageDeps): TaskHandler => ({
  run: async (scope, task) => {
    for (let round = 1; ; round++) {
      const started = await begin(deps, scope, task);
      if (!started) return;
      const edited = await edit(deps, started);
      if ((await finish(deps, scope, task, started, edited, round === MAX_ROUNDS)) === 'ended')
        return;
    }
  },
  abandon: (scope, task) =>
    write(deps, scope, async (stores) => {
      // Another worker has claimed the task meanwhile and records the result.
      const claim = await stores.tasks.find(task.id);
      if (claim?.attempts !== task.attempts) return { nudges: [] };
      const pending = await lockKey(stores, task);
      const object = pending && (await stores.objects.find(pending.objectId));
      if (!object) return { nudges: await over(deps, stores, task) };
      return { nudges: await end(deps, stores, task, pending, object, failed(NOT_EDITED)) };
    }).then(() => undefined),
});

interface Begun {
  readonly pending: PendingImageOperation;
  readonly object: StoredObject;
  readonly format: Parameters<ImageEditor['edit']>[0]['format'];
}

type Ending = Pick<PendingImageOperation, 'state' | 'error' | 'version'>;

const failed = (error: PictureSentence): Ending => ({ state: 'failed', error, version: null });

/** Undefined if the operation ended here, or earlier. */
async function begin(
  deps: RunImageDeps,
  scope: OwnerScope,
  task: Task,
): Promise<Begun | undefined> {
  const { begun: started } = await write(deps, scope, async (stores): Promise<Begin> => {
    const pending = await lockKey(stores, task);
    const object = pending && (await stores.objects.find(pending.objectId));
    if (!object) return { nudges: await over(deps, stores, task) };
    const fit = editableFormat(object, pending.operation.op);
    if (object.deletedAt !== null || 'rejection' in fit) {
      const rejection = 'rejection' in fit && object.deletedAt === null ? fit.rejection : TRASHED;
      return { nudges: await end(deps, stores, task, pending, object, failed(rejection)) };
    }
    const running = { ...pending, state: 'running', updatedAt: deps.clock.now() } as const;
    await stores.imageOperations.save(running);
    return { nudges: [], begun: { pending: running, object, format: fit.format } };
  });
  return started;
}

interface Begin {
  readonly nudges: readonly TaskNudge[];
  readonly begun?: Begun;
}

const edit = (
  { images, blobs }: RunImageDeps,
  { pending, object, format }: Begun,
): Promise<EditResult> =>
  images.edit(
    {
      format,
      size: object.size,
      open: () => blobs.read(object.blobId, undefined, expectedOf(object)),
    },
    pending.operation,
  );

/** `again`: the edited content was replaced meanwhile. */
async function finish(
  deps: RunImageDeps,
  scope: OwnerScope,
  task: Task,
  { object: before }: Begun,
  edited: EditResult,
  last: boolean,
): Promise<'ended' | 'again'> {
  const blob = edited.outcome === 'edited' ? await keep(deps, scope, edited.bytes) : undefined;
  const owner = blob && (await deps.accounts.findOwner(scope.ownerId));
  const limits = limitsOf(deps.roles, owner?.role ?? '');
  const unit = write(deps, scope, async (stores): Promise<Finish> => {
    const pending = await lockKey(stores, task);
    const object = pending && (await stores.objects.find(pending.objectId));
    const unusedBlobId = blob?.blobId ?? null;
    if (!object) return { nudges: await over(deps, stores, task), unusedBlobId, outcome: 'ended' };
    const ended = async (ending: Ending): Promise<Finish> => {
      const nudges = await end(deps, stores, task, pending, object, ending);
      return { nudges, unusedBlobId, outcome: 'ended' };
    };
    if (object.deletedAt !== null) return ended(failed(TRASHED));
    if (object.version !== before.version)
      return last ? ended(failed(REPLACED)) : { nudges: [], unusedBlobId, outcome: 'again' };
    if (edited.outcome === 'failed') return ended(failed(edited.reason));
    if (!blob || edited.outcome === 'unchanged') {
      const error = edited.outcome === 'unchanged' ? edited.reason : null;
      return ended({ state: 'done', error, version: object.version });
    }
    if (!(await hasCapacity(stores, limits, blob.size))) return ended(failed(NO_ROOM));
    const { kind, mime, format } = object;
    const type = { kind, mime, format };
    const change = await replaceContentInPlace(deps, stores, object, {
      blob,
      type,
      origin: 'image',
    });
    const { version } = change.object;
    const ending: Ending = { state: 'done', error: null, version };
    const nudges = await end(deps, stores, task, pending, change.object, ending);
    return {
      nudges: [...change.nudges, ...nudges],
      unusedBlobId: change.unusedBlobId,
      outcome: 'ended',
    };
  });
  const { unusedBlobId, outcome } = await discardBlobsOnError(
    deps,
    unit,
    blob ? [blob.blobId] : [],
  );
  await discardBlobs(deps, [unusedBlobId]);
  return outcome;
}

interface Finish {
  readonly nudges: readonly TaskNudge[];
  readonly unusedBlobId: string | null;
  readonly outcome: 'ended' | 'again';
}

const keep = (
  { blobs }: RunImageDeps,
  scope: OwnerScope,
  bytes: Uint8Array,
): Promise<WrittenBlob> => blobs.write(scope, once(bytes), { maxBytes: Number.MAX_SAFE_INTEGER });

async function hasCapacity(
  stores: Pick<Stores, 'contents' | 'pinLock'>,
  limits: Caller['limits'],
  moreBytes: number,
): Promise<boolean> {
  try {
    // A task runs with the zone locked: a locked caller may read the result.
    await requireStorageQuota(
      stores,
      { limits },
      moreBytes,
      await zoneOfBackground(stores.pinLock),
    );
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** The operation of a task; undefined if either has ended, or the object was deleted. */
async function lockKey(
  { imageOperations, tasks }: Pick<Stores, 'imageOperations' | 'tasks'>,
  task: Task,
): Promise<PendingImageOperation | undefined> {
  if (!(await tasks.find(task.id))) return undefined;
  const pending = await imageOperations.find(task.id);
  return pending && !hasEnded(pending) ? pending : undefined;
}

/** Ends the operation: stores its result, notifies the owner, and starts the next one. */
async function end(
  deps: RunImageDeps,
  stores: ContentStores,
  task: Task,
  pending: PendingImageOperation,
  object: StoredObject,
  ending: Ending,
): Promise<readonly TaskNudge[]> {
  const ended: PendingImageOperation = { ...pending, ...ending, updatedAt: deps.clock.now() };
  await stores.imageOperations.save(ended);
  await notifyOperationEnd(deps, stores, ended, object);
  return over(deps, stores, task);
}

async function over(
  deps: RunImageDeps,
  stores: Pick<Stores, 'imageOperations' | 'tasks'>,
  task: Task,
): Promise<readonly TaskNudge[]> {
  await stores.tasks.remove(task.id);
  return startNext(deps, stores, task.subject);
}

async function write<Result extends { readonly nudges: readonly TaskNudge[] }>(
  deps: RunImageDeps,
  scope: OwnerScope,
  work: (stores: RunStores) => Promise<Result>,
): Promise<Result> {
  const result = await deps.uow.write(scope, work);
  await enqueueAll(deps.jobs, result.nudges);
  return result;
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}
