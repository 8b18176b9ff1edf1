import type { JobQueue } from '../../ports/jobs.ts';
import type { Scheduler, Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { DomainError } from '../shared/errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import type { ContentStores } from './content.ts';
import { applyCategories, applyEdit, applyMove, changeOne } from './edit.ts';
import { eraseVisible, trashVisible } from './trash.ts';

type BulkStores = ContentStores & Pick<Stores, 'search' | 'collections' | 'pinLock'>;

export interface BulkDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof BulkStores>;
  readonly jobs: JobQueue;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The operation applied to each object. `delete` is permanent. */
export type BulkChange =
  | { readonly action: 'move'; readonly collectionId: string | null }
  | { readonly action: 'categorize'; readonly categories: readonly string[] }
  | { readonly action: 'trash' | 'restore' | 'delete' | 'hide' | 'unhide' };

/** Every id is in one of the two lists, in request order. */
export interface BulkOutcome {
  readonly done: readonly string[];
  /** With the error code of the single operation. */
  readonly failed: readonly { readonly id: string; readonly code: string }[];
}

const BATCH = 50;
const SLICE = 5;

/**
 * Applies one operation to many objects, each like the single operation. Each batch is one transaction, so that other
 * requests run in between, and a crash leaves every object either done or unchanged. An unknown folder rejects the
 * request before any change.
 */
export async function updateMany(
  deps: BulkDeps,
  caller: Caller,
  ids: readonly string[],
  change: BulkChange,
): Promise<BulkOutcome> {
  const distinct = [...new Set(ids)];
  const done: string[] = [];
  const failed: { id: string; code: string }[] = [];
  for (let from = 0; from < distinct.length; from += BATCH) {
    const batch = await changeBatch(deps, caller, distinct.slice(from, from + BATCH), change, from);
    await enqueueAll(deps.jobs, batch.nudges);
    done.push(...batch.done);
    failed.push(...batch.failed);
  }
  return { done, failed };
}

async function changeBatch(
  deps: BulkDeps,
  caller: Caller,
  ids: readonly string[],
  change: BulkChange,
  earlier: number,
): Promise<BulkOutcome & { readonly nudges: readonly TaskNudge[] }> {
  return deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const done: string[] = [];
    const failed: { id: string; code: string }[] = [];
    const nudges: TaskNudge[] = [];
    const folder = change.action === 'move' ? change.collectionId : null;
    const folderGone = await codeOf(() => requireFolder(stores, folder));
    if (folderGone !== undefined && earlier === 0) throw notFound();
    for (const [i, id] of ids.entries()) {
      // An embedded database completes without yielding, which would block all other requests of the process.
      if (i > 0 && i % SLICE === 0) await deps.scheduler.yield();
      // The folder was deleted between two batches: objects moved before are unfiled again, and the rest is reported
      // as failed.
      const code =
        folderGone ??
        (await codeOf(async () => {
          nudges.push(...(await changeEach(deps, stores, zone, id, change)));
        }));
      if (code === undefined) done.push(id);
      else failed.push({ id, code });
    }
    return { done, failed, nudges };
  });
}

/** The single operation on one object. It rejects before it writes, so a failure leaves no trace in the batch. */
async function changeEach(
  deps: BulkDeps,
  stores: BulkStores,
  zone: Zone,
  id: string,
  change: BulkChange,
): Promise<readonly TaskNudge[]> {
  const now = deps.clock.now();
  switch (change.action) {
    case 'delete':
      return eraseVisible(deps, stores, zone, id);
    case 'trash':
    case 'restore':
      await trashVisible(deps, stores, zone, id, change.action === 'trash');
      break;
    case 'move':
      await changeOne(stores, zone, id, (object) => applyMove(object, change.collectionId, now));
      break;
    case 'categorize':
      await changeOne(stores, zone, id, (object) =>
        applyCategories(object, change.categories, now),
      );
      break;
    case 'hide':
    case 'unhide': {
      const isHidden = change.action === 'hide';
      await changeOne(stores, zone, id, (object) => applyEdit(object, { isHidden }, now));
      break;
    }
  }
  return [];
}

/** The error code of rejected work; undefined if it succeeded. */
async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
