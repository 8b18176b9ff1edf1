import type { Directory } from '../../ports/directory.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { MigrationStatus, StorageMigration } from '../../ports/storage-migrations.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Scheduler, Instant } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify, type NotifyDeps } from '../notifications/index.ts';
import { reschedule, resetAttempts, enqueueAll, type TaskHandler } from '../tasks/index.ts';
import { needsMove, moveFile, reasonOf, type MigrateFileDeps, type Mover } from './migrate-file.ts';
import { migrationNotification } from './migration-notification.ts';
import { ownerBlobs } from './owner-blobs.ts';
import { targetOf } from './migrations.ts';
import {
  extendOutage,
  isTooLong,
  backoffMs,
  findOutage,
  type Outage,
  type OutageDeps,
} from './outages.ts';
import { countObjects, type CountDeps } from './count-cache.ts';
import { removeStaleCopies } from './remove-stale-copies.ts';

export interface MigrateFilesDeps
  extends
    NotifyDeps,
    Omit<MigrateFileDeps, 'uow' | 'buckets' | 'directory'>,
    Omit<OutageDeps, 'uow' | 'directory'>,
    Omit<CountDeps, 'uow'> {
  readonly directory: Directory;
  readonly uow: UnitOfWork<
    | 'contents'
    | 'integrations'
    | 'notifications'
    | 'blobLocations'
    | 'storageMigrations'
    | 'tasks'
    | 'pinLock'
  >;
  readonly scheduler: Scheduler;
  readonly jobs: JobQueue;
}

/** Duration of one run of the task. A closing process waits for it, and other work runs in between. */
const TURN_MS = 2_000;
const LOOKED_AT_ONCE = 500;
const OBJECTS_LOOKED_AT_ONCE = 100;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 1_000;
/** With this many failures the cause is not single files. */
const MAX_RECORDED_FAILURES = 1_000;
/** After that the sweep finds the leftover copies. */
const MAX_CLEANUP_MS = 3_600_000;

/** State of the task between its runs. */
interface Memory {
  /** The last content visited in this pass. */
  readonly after: string | null;
  /** Whether this pass has found work. */
  readonly tried: boolean;
  /** Whether the previous pass found none. */
  readonly idle?: true;
  readonly outage?: Outage;
  /** The run has ended. Contents that only hidden objects use are now moved without a trace in its status. */
  readonly unseen?: true;
  /** Since when only cleanup remains. */
  readonly ended?: Instant;
  readonly pauses?: number;
}

interface Next {
  readonly inMs: number;
  readonly memory: Memory;
}

const ANEW: Memory = { after: null, tried: false };

/**
 * Moves the files of an owner, one after the other in hash order, pass by pass until one finds only final failures.
 * It continues from stored state, so any worker can run it, any number of times.
 */
export const migrateFiles = (deps: MigrateFilesDeps): TaskHandler => ({
  run: async (scope, task) => {
    const memory = { ...ANEW, ...(task.payload as Partial<Memory>) };
    const next =
      (await slice(deps, scope, task, memory)) ??
      (await moveUnseen(deps, scope, task, memory)) ??
      (await tidyUp(deps, scope, memory));
    await deps.uow.write(scope, ({ tasks }) =>
      next
        ? reschedule(tasks, task.id, deps.clock.now() + next.inMs, { ...next.memory })
        : tasks.remove(task.id),
    );
    if (next?.inMs === 0) await enqueueAll(deps.jobs, [{ kind: task.kind, taskId: task.id }]);
  },
  abandon: async (scope, task) => {
    await end(
      deps,
      scope,
      task.id,
      'failed',
      'An unexpected error occurred. Start the move again.',
    );
    await deps.uow.write(scope, ({ tasks }) => tasks.remove(task.id));
  },
});

/** Undefined once the run has ended. */
async function slice(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  task: Task,
  memory: Memory,
): Promise<Next | undefined> {
  const { run, connected } = await deps.uow.read(scope, async (stores) => ({
    run: await stores.storageMigrations.find(),
    connected: (await stores.integrations.find('s3')) !== undefined,
  }));
  if (run?.id !== task.id || run.status !== 'running') return undefined;
  if (run.cancelRequested) return end(deps, scope, run.id, 'cancelled', '');
  if (!connected) return end(deps, scope, run.id, 'failed', 'The bucket is no longer connected.');
  await removeStaleCopies(deps, scope);
  return pass(deps, scope, run, memory);
}

/**
 * Moves contents that only hidden objects use, after the run of an owner with a PIN has ended. During the run they
 * would affect its duration and its outcome.
 */
async function moveUnseen(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  task: Task,
  memory: Memory,
): Promise<Next | undefined> {
  if (memory.ended !== undefined) return undefined;
  const { run, connected, hasPin } = await deps.uow.read(scope, async (stores) => ({
    run: await stores.storageMigrations.find(),
    connected: (await stores.integrations.find('s3')) !== undefined,
    hasPin: (await stores.pinLock.get()) !== undefined,
  }));
  if (run?.id !== task.id || run.status !== 'done' || !connected || !hasPin) return undefined;
  const from: Memory = memory.unseen ? memory : { ...ANEW, unseen: true };
  return pass(withoutTrace(deps), scope, run, from);
}

function withoutTrace(deps: MigrateFilesDeps): MigrateFilesDeps {
  const unrecorded = { ...deps, unrecorded: true } as const;
  return { ...unrecorded, blobs: ownerBlobs(unrecorded) };
}

const moverOf = (run: StorageMigration): Mover => ({
  target: targetOf(run),
  shouldContinue: async ({ storageMigrations }, when) => {
    const now = await storageMigrations.find();
    return (
      now?.id === run.id && now.status === run.status && (when === 'ends' || !now.cancelRequested)
    );
  },
  moved: async ({ storageMigrations, tasks }, { blobId }) => {
    await storageMigrations.forgetFailure(blobId);
    const now = await storageMigrations.find();
    if (now && now.error !== '') await storageMigrations.save({ ...now, error: '' });
    await resetAttempts(tasks, run.id);
  },
});

async function pass(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  run: StorageMigration,
  from: Memory,
): Promise<Next | undefined> {
  const until = deps.clock.now() + TURN_MS;
  let memory = from;
  for (;;) {
    const page = await deps.uow.read(
      scope,
      async ({ blobLocations, storageMigrations, pinLock }) => {
        // With a PIN the duration and the outcome of a run must not depend on hidden objects.
        const inSight = memory.unseen === undefined && (await pinLock.get()) !== undefined;
        const { contents, next } = inSight
          ? await blobLocations.misplacedVisibleContents(
              targetOf(run),
              memory.after,
              OBJECTS_LOOKED_AT_ONCE,
            )
          : await blobLocations.misplacedContents(targetOf(run), memory.after, LOOKED_AT_ONCE);
        const failures = await storageMigrations.failures(contents.map(({ blobId }) => blobId));
        const final = new Set(failures.filter((it) => it.isFinal).map(({ blobId }) => blobId));
        return { contents: contents.filter(({ blobId }) => !final.has(blobId)), next, inSight };
      },
    );
    for (const content of page.contents) {
      const outcome = await moveFile(deps, scope, moverOf(run), content);
      if (outcome.outcome === 'over') return stopped(deps, scope, run);
      if (outcome.outcome === 'failed') {
        const outage = await findOutage(deps, scope);
        if (outage !== undefined) return pause(deps, scope, run, memory, outage);
        const reason = memory.unseen ? '' : reasonOf(outcome.error);
        if ((await noteFailure(deps, scope, content, reason)) >= MAX_RECORDED_FAILURES)
          return end(
            deps,
            scope,
            run.id,
            'failed',
            `${MAX_RECORDED_FAILURES} files could not be moved.`,
          );
      }
      memory = { ...memory, after: page.inSight ? memory.after : content.sha256, tried: true };
      if (deps.clock.now() >= until) return { inMs: 0, memory };
    }
    if (page.next === null) return passed(deps, scope, run, memory);
    memory = { ...memory, after: page.next };
    if (deps.clock.now() >= until) return { inMs: 0, memory };
    await deps.scheduler.yield();
  }
}

/** A pass without work is the last one. Two are required if another worker may have found some. */
async function passed(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  run: StorageMigration,
  { tried, idle, unseen }: Memory,
): Promise<Next | undefined> {
  const { open } = await deps.uow.read(scope, ({ storageMigrations }) =>
    storageMigrations.failureCounts(),
  );
  if (!tried && (open === 0 || idle)) return end(deps, scope, run.id, 'done', '');
  const anew: Memory = { ...ANEW, ...(unseen && { unseen }) };
  return { inMs: open > 0 ? RETRY_MS : 0, memory: tried ? anew : { ...anew, idle: true } };
}

async function stopped(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  { id }: StorageMigration,
): Promise<undefined> {
  const run = await deps.uow.read(scope, ({ storageMigrations }) => storageMigrations.find());
  if (run?.id === id && run.cancelRequested) await end(deps, scope, id, 'cancelled', '');
}

/** Returns the number of final failures. */
const noteFailure = (
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  content: Parameters<typeof needsMove>[1],
  reason: string,
): Promise<number> =>
  deps.uow.write(scope, async (stores) => {
    const { storageMigrations } = stores;
    const { blobId } = content;
    // It was deleted while it was being moved.
    if (!(await needsMove(stores, content))) return 0;
    const [before] = await storageMigrations.failures([blobId]);
    const attempts = (before?.attempts ?? 0) + 1;
    await storageMigrations.noteFailure({
      blobId,
      attempts,
      isFinal: attempts >= MAX_ATTEMPTS,
      reason,
    });
    return (await storageMigrations.failureCounts()).final;
  });

/** No file is the cause: the run waits, and eventually ends. */
async function pause(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  run: StorageMigration,
  memory: Memory,
  reason: string,
): Promise<Next | undefined> {
  const now = deps.clock.now();
  const outage = extendOutage(memory.outage, now);
  if (isTooLong(outage, now)) return end(deps, scope, run.id, 'failed', reason);
  await deps.uow.write(scope, async ({ storageMigrations }) => {
    const found = await storageMigrations.find();
    if (found?.id === run.id && found.status === 'running')
      await storageMigrations.save({ ...found, error: reason });
  });
  return { inMs: backoffMs(outage), memory: { ...memory, outage } };
}

/** The result of the run and its notification, once. Hidden files are included if there is no PIN. */
async function end(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  runId: string,
  status: Exclude<MigrationStatus, 'running'>,
  error: string,
): Promise<undefined> {
  const { run, hidden } = await deps.uow.read(scope, async ({ storageMigrations, pinLock }) => ({
    run: await storageMigrations.find(),
    hidden: (await pinLock.get()) === undefined,
  }));
  if (run?.id !== runId || run.status !== 'running') return;
  const counted = await countObjects(deps, scope, targetOf(run), hidden);
  await deps.uow.write(
    scope,
    async (stores: Pick<Stores, 'storageMigrations' | 'notifications'>) => {
      const now = await stores.storageMigrations.find();
      if (now?.id !== runId || now.status !== 'running') return;
      const ended = { ...now, status, error, cancelRequested: false, finishedAt: deps.clock.now() };
      await stores.storageMigrations.save(ended);
      const news = migrationNotification(ended, counted);
      if (news) await notify(deps, stores, news);
    },
  );
}

/** After the run, leftover copies are removed; undefined if there are none. */
async function tidyUp(
  deps: MigrateFilesDeps,
  scope: OwnerScope,
  memory: Memory,
): Promise<Next | undefined> {
  if ((await removeStaleCopies(withoutTrace(deps), scope)) === 'clean') return undefined;
  const now = deps.clock.now();
  const ended = memory.ended ?? now;
  if (now - ended >= MAX_CLEANUP_MS) return undefined;
  const pauses = (memory.pauses ?? 0) + 1;
  return { inMs: backoffMs({ pauses }), memory: { ...ANEW, ended, pauses } };
}
