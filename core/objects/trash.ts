import { UnavailableError } from '../../ports/errors.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Scheduler, Clock, RandomSource } from '../../ports/runtime.ts';
import type { Directory } from '../../ports/directory.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { indexObjectMetadata } from '../search/index.ts';
import { recordSecurityEvent, sourceOf } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { eraseObject, type ContentStores } from './content.ts';
import { findVisible, viewOf, type ObjectView } from './view.ts';

type TrashStores = ContentStores & Pick<Stores, 'collections' | 'pinLock'>;

export interface TrashDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof TrashStores>;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

const BATCH = 100;
const DAY_MS = 86_400_000;

/** Moves an object to the trash, or with `permanent` deletes it. Trashing is idempotent. */
export async function deleteObject(
  deps: TrashDeps,
  caller: Caller,
  id: string,
  permanent: boolean,
): Promise<void> {
  const nudges = await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    if (permanent) return eraseVisible(deps, stores, zone, id);
    await trashVisible(deps, stores, zone, id, true);
    return [];
  });
  await enqueueAll(deps.jobs, nudges);
}

export async function restoreObject(
  deps: TrashDeps,
  caller: Caller,
  id: string,
): Promise<ObjectView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    return viewOf(stores, await trashVisible(deps, stores, zone, id, false));
  });
}

/** Trashes or deletes an object that the caller may see. An object in the requested state is unchanged. */
export async function trashVisible(
  deps: { readonly clock: Clock },
  stores: Pick<Stores, 'objects' | 'search'>,
  zone: Zone,
  id: string,
  trashed: boolean,
): Promise<StoredObject> {
  const object = await findVisible(stores, zone, id);
  return (object.deletedAt !== null) === trashed
    ? object
    : setTrashed(deps, stores, object, trashed);
}

export async function eraseVisible(
  deps: Pick<TrashDeps, 'clock' | 'random'>,
  stores: ContentStores & Pick<Stores, 'search'>,
  zone: Zone,
  id: string,
): Promise<readonly TaskNudge[]> {
  await findVisible(stores, zone, id);
  return eraseObject(deps, stores, id);
}

type EmptyTrashStores = TrashStores & Pick<Stores, 'securityEvents'>;

export interface EmptyTrashDeps extends Omit<TrashDeps, 'uow'> {
  readonly uow: UnitOfWork<keyof EmptyTrashStores>;
}

/**
 * Deletes all objects in the trash that the caller may see. Hidden objects remain while the zone is locked. Each
 * batch is one transaction; after a crash the rest is still in the trash.
 */
export async function emptyTrash(deps: EmptyTrashDeps, caller: Caller): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { nudges, erased } = await deps.uow.write(
      caller.scope,
      async (stores) => {
        const zone = await zoneFor(deps, stores.pinLock, caller);
        const visibility = zone === 'closed' ? 'visible' : 'any';
        const page = await stores.objects.page(
          { visibility, trashed: true },
          { limit: BATCH, offset: 0 },
        );
        if (isFirst) await recordEmptying(deps, stores, caller, page.items);
        const all: TaskNudge[] = [];
        for (const { id } of page.items) all.push(...(await eraseObject(deps, stores, id)));
        return { nudges: all, erased: page.items.length };
      },
      'large',
    );
    await enqueueAll(deps.jobs, nudges);
    if (erased < BATCH) return;
  }
}

/**
 * Recorded with the first batch, before its objects are erased. Only a visible object makes an event that is listed while the
 * zone is locked, and its text has no number: both must be the same if there were no hidden objects.
 */
async function recordEmptying(
  deps: EmptyTrashDeps,
  stores: EmptyTrashStores,
  caller: Caller,
  batch: readonly StoredObject[],
): Promise<void> {
  const [first] = batch;
  if (!first) return;
  const { total } = await stores.objects.page(
    { visibility: 'visible', trashed: true },
    { limit: 1, offset: 0 },
  );
  await recordSecurityEvent(deps, stores, sourceOf(caller), {
    kind: 'trash_emptied',
    detail: caller.scope.folderIds
      ? 'The trash of the folders that the token is bound to was emptied.'
      : 'The trash was emptied.',
    facts: { is_folder_bound: caller.scope.folderIds !== undefined },
    objectId: total > 0 ? null : first.id,
  });
}

/** How long an object remains in the trash, in days, before it is purged. */
export const trashRetention = ({ trashDays }: Pick<PurgeDeps, 'trashDays'>, _caller: Caller) =>
  Promise.resolve(trashDays);

export interface PurgeDeps extends TrashDeps {
  readonly scheduler: Scheduler;
  readonly directory: Directory;
  readonly trashDays: number;
}

/**
 * Deletes objects of any owner that have been in the trash longer than allowed. Returns their number. A failure for
 * one object does not affect the others; the first error is thrown at the end. If the run is interrupted, the rest is
 * left to the next one.
 */
export async function purgeTrash(
  deps: PurgeDeps,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  const before = deps.clock.now() - deps.trashDays * DAY_MS;
  const failures: unknown[] = [];
  let missing = 0;
  for (;;) {
    const expired = await deps.directory.expiredTrash(before, BATCH);
    for (const { scope, objectId } of expired) {
      if (!shouldContinue()) return missing;
      try {
        await purgeOne(deps, scope, objectId, before);
        missing += 1;
      } catch (error) {
        if (error instanceof UnavailableError) throw error;
        failures.push(error);
      } finally {
        // An embedded database completes without yielding: emptying years of trash would block all requests.
        await deps.scheduler.yield();
      }
    }
    if (failures.length > 0) throw failures[0];
    // Processed objects are no longer in the result, so every round returns others.
    if (expired.length < BATCH) return missing;
  }
}

async function purgeOne(
  deps: PurgeDeps,
  scope: OwnerScope,
  id: string,
  before: number,
): Promise<void> {
  const nudges = await deps.uow.write(scope, async (stores) => {
    const object = await stores.objects.find(id);
    // Restored or deleted meanwhile.
    if (!object || object.deletedAt === null || object.deletedAt >= before) return [];
    return eraseObject(deps, stores, id);
  });
  await enqueueAll(deps.jobs, nudges);
}

/** Also for a folder that is deleted with its objects. */
export async function setTrashed(
  deps: { readonly clock: Clock },
  stores: Pick<Stores, 'objects' | 'search'>,
  object: StoredObject,
  trashed: boolean,
): Promise<StoredObject> {
  const now = deps.clock.now();
  const moved: StoredObject = { ...object, deletedAt: trashed ? now : null, updatedAt: now };
  await stores.objects.save(moved);
  await indexObjectMetadata(stores.search, moved, object);
  return moved;
}
