import type { StorageLocation } from '../../ports/blob-locations.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type {
  MigrationDirection,
  MigrationStatus,
  StorageMigration,
} from '../../ports/storage-migrations.ts';
import type { RandomSource, Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { newTask, enqueueAll, type TaskNudge } from '../tasks/index.ts';
import { migrationRunning, noBucket } from './errors.ts';
import { countObjects, type CountDeps, type CountCache } from './count-cache.ts';
import { countState } from './count-state.ts';

export const MIGRATION_TASK = 'storage.migrate';

/** `idle`: no run yet. */
export const PROGRESS_STATUSES = ['idle', 'running', 'done', 'failed', 'cancelled'] as const;

/** Progress of a run. `total` is the sum of `moved` and `remaining`; `failed` is a part of `remaining`. */
export interface MigrationProgress {
  readonly status: MigrationStatus | 'idle';
  /** Of the latest run; `out` before the first. It says at which location `moved` counts. */
  readonly direction: MigrationDirection;
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
  readonly uow: UnitOfWork<
    'storageMigrations' | 'pinLock' | 'objects' | 'contents' | 'integrations'
  >;
  readonly countCache: CountCache;
}

export interface StartMigrationDeps extends Omit<ProgressDeps, 'uow'> {
  readonly uow: UnitOfWork<
    'integrations' | 'idempotency' | 'storageMigrations' | 'tasks' | 'pinLock'
  >;
  readonly jobs: JobQueue;
  readonly random: RandomSource;
}

/** The target location of a run. */
export const targetOf = ({ direction }: Pick<StorageMigration, 'direction'>): StorageLocation =>
  direction === 'out' ? 'own' : 'service';

/** Counted from the objects. While the zone is locked, hidden ones are excluded. */
export async function migrationProgress(
  deps: ProgressDeps,
  caller: Caller,
): Promise<MigrationProgress> {
  const { run, hidden, last, state } = await deps.uow.read(caller.scope, async (stores) => {
    const found = await stores.storageMigrations.find();
    const seesAll = (await zoneFor(deps, stores.pinLock, caller)) !== 'closed';
    return {
      run: found,
      last: await stores.storageMigrations.lastFailure(),
      hidden: seesAll,
      state: await countState(stores, seesAll, found),
    };
  });
  const place = run ? targetOf(run) : 'own';
  // Read after the run: if that has ended, all its effects are counted.
  const { total, elsewhere, failed } = await deps.countCache.get(
    { ownerId: caller.scope.ownerId, hidden, state },
    () => countObjects(deps, caller.scope, place, hidden),
  );
  const reason = failed > 0 ? (last?.reason ?? '') : '';
  return {
    status: run?.status ?? 'idle',
    direction: run?.direction ?? 'out',
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
export async function startMigration(
  deps: StartMigrationDeps,
  caller: Caller,
  direction: MigrationDirection,
): Promise<MigrationProgress> {
  const counted = await countObjects(
    deps,
    caller.scope,
    targetOf({ direction }),
    await seesHidden(deps, caller),
  );
  const { task, progress } = await deps.uow.write(caller.scope, async (stores) => {
    const found = await stores.integrations.find('s3');
    if (!found) throw noBucket();
    await rejectWhileRunning(stores);
    const now = deps.clock.now();
    const created = newTask(deps, MIGRATION_TASK, '', {});
    const run: StorageMigration = {
      id: created.id,
      direction,
      status: 'running',
      cancelRequested: false,
      error: '',
      startedAt: now,
      finishedAt: null,
    };
    if (direction === 'back' && found.enabled)
      await stores.integrations.put({ ...found, enabled: false, updatedAt: now });
    await stores.storageMigrations.clearFailures();
    await stores.storageMigrations.save(run);
    await stores.tasks.save({ ...created, subject: created.id });
    const started: MigrationProgress = {
      status: 'running',
      direction,
      total: counted.total,
      moved: counted.total - counted.elsewhere,
      failed: 0,
      remaining: counted.elsewhere,
      startedAt: now,
      finishedAt: null,
      error: '',
    };
    return { task: created, progress: await saveResponse(stores, deps.clock, caller, started) };
  });
  await enqueueAll(deps.jobs, [{ kind: task.kind, taskId: task.id }]);
  return progress;
}

const seesHidden = (deps: StartMigrationDeps, caller: Caller): Promise<boolean> =>
  deps.uow.read(
    caller.scope,
    async ({ pinLock }) => (await zoneFor(deps, pinLock, caller)) !== 'closed',
  );

async function rejectWhileRunning({
  storageMigrations,
  tasks,
}: Pick<Stores, 'storageMigrations' | 'tasks'>): Promise<void> {
  const run = await storageMigrations.find();
  if (run?.status !== 'running') return;
  const task = await tasks.find(run.id);
  // A run without its task will never continue, and must not block a new one.
  if (task && task.state !== 'failed') throw migrationRunning();
}

/** The run ends after the current file. Moved files remain where they are. */
export async function cancelMigration(
  deps: Pick<StartMigrationDeps, 'uow' | 'jobs' | 'clock'>,
  caller: Caller,
): Promise<void> {
  const nudges = await deps.uow.write(caller.scope, async ({ storageMigrations, tasks }) => {
    const run = await storageMigrations.find();
    if (run?.status !== 'running') throw notFound();
    const now = deps.clock.now();
    const task = await tasks.find(run.id);
    if (!task || task.state === 'failed') {
      await storageMigrations.save({ ...run, status: 'cancelled', error: '', finishedAt: now });
      return [];
    }
    await storageMigrations.save({ ...run, cancelRequested: true });
    if (task.state !== 'waiting') return [];
    await tasks.save({ ...task, dueAt: Math.min(task.dueAt, now) });
    return [{ kind: task.kind, taskId: task.id }] satisfies TaskNudge[];
  });
  await enqueueAll(deps.jobs, nudges);
}
