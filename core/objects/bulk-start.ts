import type { BulkRun } from '../../ports/bulk-runs.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { ObjectFilter, ObjectPosition } from '../../ports/objects.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { enqueueAll } from '../tasks/index.ts';
import type { BulkChange } from './bulk-change.ts';
import { findShownRun, progressOf, type BulkProgress } from './bulk-progress.ts';
import { addRun, hasEndedRun, newRun, type RunDeps } from './bulk-run.ts';
import { notUndoable, stillRunning, tooManyObjects } from './errors.ts';
import { filterFor, type ObjectListing } from './list.ts';

type StartStores = Pick<
  Stores,
  'objects' | 'bulkRuns' | 'collections' | 'idempotency' | 'pinLock' | 'tasks' | 'themes'
>;

export interface StartBulkDeps extends ZoneDeps, RunDeps {
  readonly uow: UnitOfWork<keyof StartStores>;
  readonly jobs: JobQueue;
}

/** Maximum number of objects of one run. */
export const MAX_BULK_OBJECTS = 100_000;

/**
 * Applies one operation in the background to every object that a filter selects now, but for some. Objects that are added
 * later are not among them. An unknown folder and too many objects reject the request before any change.
 */
export async function updateMatching(
  deps: StartBulkDeps,
  caller: Caller,
  listing: ObjectListing,
  except: readonly string[],
  change: BulkChange,
): Promise<{ readonly taskId: string }> {
  const { run, nudges } = await deps.uow.write(caller.scope, async (stores) => {
    if (change.action === 'move') await requireFolder(stores, change.collectionId);
    const filter = (await filterFor(deps, stores, caller, listing)) ?? null;
    const added: BulkRun = {
      ...newRun(deps, caller, await zoneForFilter(deps, stores, caller, filter), {
        action: change.action,
        filter,
        except: [...new Set(except)],
        ...(change.action === 'move' && { collectionId: change.collectionId }),
        ...(change.action === 'categorize' && { categories: change.categories }),
      }),
      isConcealed: filter !== null && filter.visibility !== 'visible',
      position: filter && (await startOf(stores, filter)),
    };
    const nudges = await addRun(deps, stores, added);
    await saveResponse(stores, deps.clock, caller, { taskId: added.id });
    return { run: added, nudges };
  });
  await enqueueAll(deps.jobs, nudges);
  return { taskId: run.id };
}

/** A filter for visible objects never reaches one that is hidden meanwhile. */
const zoneForFilter = async (
  deps: StartBulkDeps,
  { pinLock }: Pick<Stores, 'pinLock'>,
  caller: Caller,
  filter: ObjectFilter | null,
): Promise<BulkRun['zone']> =>
  filter === null || filter.visibility === 'visible' ? 'closed' : zoneFor(deps, pinLock, caller);

/** The position before the newest match, so that objects added later are before it. */
async function startOf(
  { objects }: Pick<Stores, 'objects'>,
  filter: ObjectFilter,
): Promise<ObjectPosition | null> {
  const { items, total } = await objects.page(filter, { limit: 1, offset: 0 });
  if (total > MAX_BULK_OBJECTS) throw tooManyObjects({ limit: MAX_BULK_OBJECTS });
  const [newest] = items;
  // Ids are compared as texts: this one is the next after it.
  return newest ? { key: newest.createdAt, id: `${newest.id}~` } : null;
}

/**
 * Puts back in the background what a run changed, for objects that have not been changed since. It is a run itself, and
 * can be undone.
 */
export async function undoBulk(
  deps: StartBulkDeps,
  caller: Caller,
  id: string,
): Promise<BulkProgress> {
  const { progress, nudges } = await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const undone = await findShownRun(deps, stores, zone, id);
    if (!undone) throw notFound();
    if (undone.action === 'delete') throw notUndoable();
    if (!hasEndedRun(undone)) throw stillRunning({ task_id: id });
    const { action, collectionId, categories } = undone;
    const changesVisibility = action === 'hide' || action === 'unhide';
    const run = newRun(deps, caller, zone, {
      action,
      collectionId,
      categories,
      undoOf: id,
      isConcealed: zone !== 'closed' && (undone.isConcealed || changesVisibility),
    });
    const nudges = await addRun(deps, stores, run);
    const progress = await progressOf(stores, zone, run);
    await saveResponse(stores, deps.clock, caller, progress);
    return { progress, nudges };
  });
  await enqueueAll(deps.jobs, nudges);
  return progress;
}
