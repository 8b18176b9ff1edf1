import type { BulkRun } from '../../ports/bulk-runs.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type Zone, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { hasEndedRun } from './bulk-run.ts';

type ProgressStores = Pick<Stores, 'bulkRuns' | 'pinLock'>;

export interface BulkProgressDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof ProgressStores>;
}

/** A run as its caller may see it: while the zone is locked, without the objects that are hidden now. */
export interface BulkProgress {
  readonly run: BulkRun;
  /** Objects listed so far; all once they are changed. */
  readonly total: number;
  readonly done: number;
  /** By error code, ordered by it. */
  readonly failed: readonly { readonly code: string; readonly count: number }[];
  /** Until when it can be undone; null if it can not be. */
  readonly undoUntil: number | null;
}

export async function getBulkRun(
  deps: BulkProgressDeps,
  caller: Caller,
  id: string,
): Promise<BulkProgress> {
  return deps.uow.read(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const run = await findShownRun(deps, stores, zone, id);
    if (!run) throw notFound();
    return progressOf(stores, zone, run);
  });
}

/** A run that exists for this caller: an expired one waits for its removal. */
export async function findShownRun(
  { clock }: { readonly clock: Clock },
  { bulkRuns }: Pick<Stores, 'bulkRuns'>,
  zone: Zone,
  id: string,
): Promise<BulkRun | undefined> {
  const run = await bulkRuns.find(id);
  if (!run || (run.expiresAt !== null && run.expiresAt <= clock.now())) return undefined;
  if (zone !== 'closed') return run;
  return run.isConcealed || (await isOnHiddenOnly(bulkRuns, run)) ? undefined : run;
}

/** Whether it was started with access to hidden objects, and all of its objects are hidden now. */
async function isOnHiddenOnly(bulkRuns: Stores['bulkRuns'], run: BulkRun): Promise<boolean> {
  if (run.zone === 'closed') return false;
  const counts = await bulkRuns.counts(run.id);
  return counts.length > 0 && counts.every(({ isHidden }) => isHidden);
}

export async function progressOf(
  { bulkRuns }: Pick<Stores, 'bulkRuns'>,
  zone: Zone,
  run: BulkRun,
): Promise<BulkProgress> {
  const byOutcome = new Map<string, number>();
  let total = 0;
  for (const { isHidden, outcome, count } of await bulkRuns.counts(run.id)) {
    if (isHidden && zone === 'closed') continue;
    byOutcome.set(outcome, (byOutcome.get(outcome) ?? 0) + count);
    total += count;
  }
  const failed = [...byOutcome]
    .filter(([outcome]) => outcome !== 'done' && outcome !== 'pending')
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  const canUndo = hasEndedRun(run) && run.action !== 'delete';
  return {
    run,
    total,
    done: byOutcome.get('done') ?? 0,
    failed,
    undoUntil: canUndo ? run.expiresAt : null,
  };
}
