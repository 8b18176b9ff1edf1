import type { BulkCount, BulkItem, BulkRun } from '../../ports/bulk-runs.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { DomainError } from '../shared/errors.ts';
import { requireFolder } from '../shared/require-folder.ts';
import { enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { changeItem, type BulkChange, type ChangeResult } from './bulk-change.ts';
import { addRun, newRun, UNDO_MS, type RunDeps } from './bulk-run.ts';
import type { ContentStores } from './content.ts';

type BulkStores = ContentStores & Pick<Stores, 'chats' | 'search' | 'collections' | 'pinLock'>;

export interface BulkDeps extends ZoneDeps, RunDeps {
  readonly uow: UnitOfWork<keyof BulkStores>;
  readonly jobs: JobQueue;
  readonly scheduler: Scheduler;
}

/** Every id is in one of the two lists, in request order. */
export interface BulkOutcome {
  /** The run that an undo puts back. */
  readonly taskId: string;
  readonly done: readonly string[];
  /** With the error code of the single operation. */
  readonly failed: readonly { readonly id: string; readonly code: string }[];
}

const BATCH = 50;
const SLICE = 5;

/**
 * Applies one operation to many objects, each like the single operation. Each batch is one transaction, so that other
 * requests run in between, and a crash leaves every object either done or unchanged. An unknown folder rejects the
 * request before any change. What was changed is stored with each batch, for an undo.
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
  let run = immediateRun(deps, caller, change);
  for (let from = 0; from < distinct.length; from += BATCH) {
    const some = distinct.slice(from, from + BATCH);
    const batch = await deps.uow.write(caller.scope, async (stores) => {
      const zone = await zoneFor(deps, stores.pinLock, caller);
      if (from === 0) run = { ...run, zone };
      return changeBatch(deps, stores, zone, run, some, change, from);
    });
    await enqueueAll(deps.jobs, batch.nudges);
    done.push(...batch.done);
    failed.push(...batch.failed);
  }
  return { taskId: run.id, done, failed };
}

/** Complete after every batch, so that a crash leaves a run that can be undone. */
const immediateRun = (deps: BulkDeps, caller: Caller, change: BulkChange): BulkRun => ({
  ...newRun(deps, caller, 'closed', {
    action: change.action,
    ...(change.action === 'move' && { collectionId: change.collectionId }),
    isBackground: false,
    isCollected: true,
    state: 'SUCCESS',
  }),
  expiresAt: deps.clock.now() + UNDO_MS,
});

async function changeBatch(
  deps: BulkDeps,
  stores: BulkStores,
  zone: Zone,
  run: BulkRun,
  ids: readonly string[],
  change: BulkChange,
  earlier: number,
): Promise<Omit<BulkOutcome, 'taskId'> & { readonly nudges: readonly TaskNudge[] }> {
  const folderCode = await missingFolder(stores, change);
  if (folderCode !== undefined && earlier === 0) throw notFound();
  const nudges: TaskNudge[] = [];
  if (earlier === 0) nudges.push(...(await addRun(deps, stores, run)));
  const changes: (readonly [string, ChangeResult])[] = [];
  for (const [i, id] of ids.entries()) {
    // An embedded database completes without yielding, which would block all other requests of the process.
    if (i > 0 && i % SLICE === 0) await deps.scheduler.yield();
    // The folder was deleted between two batches: objects moved before are unfiled again, and the rest is reported
    // as failed.
    const result =
      folderCode === undefined
        ? await changeItem(deps, stores, zone, id, change)
        : { outcome: folderCode, object: undefined, change: null, nudges: [] };
    changes.push([id, result]);
    nudges.push(...result.nudges);
  }
  await stores.bulkRuns.saveItems(
    run.id,
    changes.flatMap(([objectId, { object, outcome, change: made }], i): BulkItem[] =>
      object
        ? [{ objectId, ord: earlier + i, isHidden: object.isHidden, outcome, change: made }]
        : [],
    ),
  );
  await stores.bulkRuns.addCounts(run.id, countsOf(changes.map(([, result]) => result)));
  return {
    done: changes.filter(([, { outcome }]) => outcome === 'done').map(([id]) => id),
    failed: changes
      .filter(([, { outcome }]) => outcome !== 'done')
      .map(([id, { outcome }]) => ({ id, code: outcome })),
    nudges,
  };
}

/** The number of results with the same outcome in the same zone. */
function countsOf(results: readonly ChangeResult[]): readonly BulkCount[] {
  const counts = new Map<string, BulkCount>();
  for (const { object, outcome, erasedHidden } of results) {
    const isHidden = object?.isHidden ?? erasedHidden ?? false;
    const key = `${isHidden} ${outcome}`;
    counts.set(key, { isHidden, outcome, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** The error code of a move to a folder that does not exist. */
export async function missingFolder(
  stores: Pick<Stores, 'collections'>,
  change: BulkChange,
): Promise<string | undefined> {
  try {
    await requireFolder(stores, change.action === 'move' ? change.collectionId : null);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
