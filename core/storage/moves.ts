import type { Place } from '../../ports/placements.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { MoveDirection, MoveStatus, StorageMove } from '../../ports/storage-moves.ts';
import type { Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { keepReceipt } from '../receipts/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { newTask, offerAll, type TaskNudge } from '../tasks/index.ts';
import { filesMoveAlready, noBucket } from './errors.ts';
import { countObjects, type CountDeps, type Recounts } from './recount.ts';

export const MOVE_TASK = 'storage.migrate';

/** `idle`: no run yet. */
export const PROGRESS_STATUSES = ['idle', 'running', 'done', 'failed', 'cancelled'] as const;

/** Progress of a run. `total` is the sum of `moved` and `remaining`; `failed` is a part of `remaining`. */
export interface MoveProgress {
  readonly status: MoveStatus | 'idle';
  /** Objects with bytes that are visible to the caller. */
  readonly total: number;
  readonly moved: number;
  readonly failed: number;
  readonly remaining: number;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  /** Why it failed, what it waits for, or why single files could not be moved; '' for nothing. */
  readonly error: string;
}

export interface ProgressDeps extends Omit<CountDeps, 'uow'>, ZoneDeps {
  readonly uow: UnitOfWork<'storageMoves' | 'zoneLock'>;
  readonly recounts: Recounts;
}

export interface StartMoveDeps extends Omit<ProgressDeps, 'uow'> {
  readonly uow: UnitOfWork<'integrations' | 'receipts' | 'storageMoves' | 'tasks' | 'zoneLock'>;
  readonly jobs: JobQueue;
  readonly entropy: Entropy;
}

/** The target location of a run. */
export const targetOf = ({ direction }: Pick<StorageMove, 'direction'>): Place =>
  direction === 'out' ? 'own' : 'service';

/** Counted from the objects. While the zone is locked, hidden ones are excluded. */
export async function moveProgress(deps: ProgressDeps, caller: Caller): Promise<MoveProgress> {
  const { run, hidden, last } = await deps.uow.read(caller.scope, async (stores) => ({
    run: await stores.storageMoves.find(),
    last: await stores.storageMoves.lastFailure(),
    hidden: (await zoneFor(deps, stores.zoneLock, caller)) !== 'closed',
  }));
  const place = run ? targetOf(run) : 'own';
  const key = [caller.scope.ownerId, hidden, run?.id, run?.status].join(' ');
  // Read after the run: if that has ended, all its effects are counted.
  const { total, elsewhere, failed } = await deps.recounts(key, () =>
    countObjects(deps, caller.scope, place, hidden),
  );
  const reason = failed > 0 ? (last?.reason ?? '') : '';
  return {
    status: run?.status ?? 'idle',
    total,
    moved: total - elsewhere,
    failed,
    remaining: elsewhere,
    startedAt: run?.startedAt ?? null,
    finishedAt: run?.finishedAt ?? null,
    error: run && run.error !== '' ? run.error : reason,
  };
}

/**
 * Starts to move all files of the owner into the bucket, or back to the service. An owner has one run at a time.
 * Moving back also disables the bucket for new files.
 */
export async function startMove(
  deps: StartMoveDeps,
  caller: Caller,
  direction: MoveDirection,
): Promise<MoveProgress> {
  const counted = await countObjects(
    deps,
    caller.scope,
    targetOf({ direction }),
    await seesHidden(deps, caller),
  );
  const { task, progress } = await deps.uow.write(caller.scope, async (stores) => {
    const found = await stores.integrations.find('s3');
    if (!found) throw noBucket();
    await refuseWhileRunning(stores);
    const now = deps.clock.now();
    const made = newTask(deps, MOVE_TASK, '', {});
    const run: StorageMove = {
      id: made.id,
      direction,
      status: 'running',
      cancelRequested: false,
      error: '',
      startedAt: now,
      finishedAt: null,
    };
    if (direction === 'back' && found.enabled)
      await stores.integrations.put({ ...found, enabled: false, updatedAt: now });
    await stores.storageMoves.clearFailures();
    await stores.storageMoves.save(run);
    await stores.tasks.save({ ...made, subject: made.id });
    const begun: MoveProgress = {
      status: 'running',
      total: counted.total,
      moved: counted.total - counted.elsewhere,
      failed: 0,
      remaining: counted.elsewhere,
      startedAt: now,
      finishedAt: null,
      error: '',
    };
    return { task: made, progress: await keepReceipt(stores, deps.clock, caller, begun) };
  });
  await offerAll(deps.jobs, [{ kind: task.kind, taskId: task.id }]);
  return progress;
}

const seesHidden = (deps: ProgressDeps, caller: Caller): Promise<boolean> =>
  deps.uow.read(
    caller.scope,
    async ({ zoneLock }) => (await zoneFor(deps, zoneLock, caller)) !== 'closed',
  );

async function refuseWhileRunning({
  storageMoves,
  tasks,
}: Pick<Stores, 'storageMoves' | 'tasks'>): Promise<void> {
  const run = await storageMoves.find();
  if (run?.status !== 'running') return;
  const task = await tasks.find(run.id);
  // A run without its task will never continue, and must not block a new one.
  if (task && task.state !== 'failed') throw filesMoveAlready();
}

/** The run ends after the current file. Moved files remain where they are. */
export async function cancelMove(
  deps: Pick<StartMoveDeps, 'uow' | 'jobs' | 'clock'>,
  caller: Caller,
): Promise<void> {
  const nudges = await deps.uow.write(caller.scope, async ({ storageMoves, tasks }) => {
    const run = await storageMoves.find();
    if (run?.status !== 'running') throw notFound();
    const now = deps.clock.now();
    const task = await tasks.find(run.id);
    if (!task || task.state === 'failed') {
      await storageMoves.save({ ...run, status: 'cancelled', error: '', finishedAt: now });
      return [];
    }
    await storageMoves.save({ ...run, cancelRequested: true });
    if (task.state !== 'waiting') return [];
    await tasks.save({ ...task, dueAt: Math.min(task.dueAt, now) });
    return [{ kind: task.kind, taskId: task.id }] satisfies TaskNudge[];
  });
  await offerAll(deps.jobs, nudges);
}
