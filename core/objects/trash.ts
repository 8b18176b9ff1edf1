import { PortFailure } from '../../ports/failures.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Breather, Clock, Entropy } from '../../ports/time-and-ids.ts';
import type { Directory } from '../../ports/directory.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import { placeObject } from '../search/index.ts';
import type { Caller } from '../shared/caller.ts';
import { offerAll, type TaskNudge } from '../tasks/index.ts';
import { eraseObject, type ContentStores } from './content.ts';
import { findSeen, viewOf, type ObjectView } from './view.ts';

type TrashStores = ContentStores & Pick<Stores, 'collections' | 'zoneLock'>;

export interface TrashDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof TrashStores>;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly entropy: Entropy;
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
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    if (permanent) return eraseSeen(deps, stores, zone, id);
    await trashSeen(deps, stores, zone, id, true);
    return [];
  });
  await offerAll(deps.jobs, nudges);
}

export async function restoreObject(
  deps: TrashDeps,
  caller: Caller,
  id: string,
): Promise<ObjectView> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.zoneLock, caller);
    return viewOf(stores, await trashSeen(deps, stores, zone, id, false));
  });
}

/** Trashes or deletes an object that the caller may see. An object in the requested state is unchanged. */
export async function trashSeen(
  deps: { readonly clock: Clock },
  stores: Pick<Stores, 'objects' | 'search'>,
  zone: Zone,
  id: string,
  trashed: boolean,
): Promise<StoredObject> {
  const object = await findSeen(stores, zone, id);
  return (object.deletedAt !== null) === trashed
    ? object
    : setTrashed(deps, stores, object, trashed);
}

export async function eraseSeen(
  deps: Pick<TrashDeps, 'clock' | 'entropy'>,
  stores: ContentStores & Pick<Stores, 'search'>,
  zone: Zone,
  id: string,
): Promise<readonly TaskNudge[]> {
  await findSeen(stores, zone, id);
  return eraseObject(deps, stores, id);
}

/**
 * Deletes all objects in the trash that the caller may see. Hidden objects remain while the zone is locked. Each
 * batch is one transaction; after a crash the rest is still in the trash.
 */
export async function emptyTrash(deps: TrashDeps, caller: Caller): Promise<void> {
  for (;;) {
    const { nudges, erased } = await deps.uow.write(
      caller.scope,
      async (stores) => {
        const zone = await zoneFor(deps, stores.zoneLock, caller);
        const visibility = zone === 'closed' ? 'visible' : 'any';
        const page = await stores.objects.page(
          { visibility, trashed: true },
          { limit: BATCH, offset: 0 },
        );
        const all: TaskNudge[] = [];
        for (const { id } of page.items) all.push(...(await eraseObject(deps, stores, id)));
        return { nudges: all, erased: page.items.length };
      },
      'large',
    );
    await offerAll(deps.jobs, nudges);
    if (erased < BATCH) return;
  }
}

export interface PurgeDeps extends TrashDeps {
  readonly breather: Breather;
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
  goesOn: () => boolean = () => true,
): Promise<number> {
  const before = deps.clock.now() - deps.trashDays * DAY_MS;
  const failures: unknown[] = [];
  let gone = 0;
  for (;;) {
    const expired = await deps.directory.expiredTrash(before, BATCH);
    for (const { scope, objectId } of expired) {
      if (!goesOn()) return gone;
      try {
        await purgeOne(deps, scope, objectId, before);
        gone += 1;
      } catch (error) {
        if (error instanceof PortFailure) throw error;
        failures.push(error);
      } finally {
        // An embedded database completes without yielding: emptying years of trash would block all requests.
        await deps.breather.breathe();
      }
    }
    if (failures.length > 0) throw failures[0];
    // Processed objects are no longer in the result, so every round returns others.
    if (expired.length < BATCH) return gone;
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
  await offerAll(deps.jobs, nudges);
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
  await placeObject(stores.search, moved, object);
  return moved;
}
