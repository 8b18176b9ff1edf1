import type { Directory } from '../../ports/directory.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { MoveStatus, StorageMove } from '../../ports/storage-moves.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Breather, Instant } from '../../ports/time-and-ids.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notify, type NotifyDeps } from '../notifications/index.ts';
import { again, gotOn, offerAll, type TaskHandler } from '../tasks/index.ts';
import { isWanted, moveFile, reasonOf, type MoveFileDeps, type Mover } from './move-file.ts';
import { newsOf } from './move-news.ts';
import { ownerBlobs } from './owner-blobs.ts';
import { targetOf } from './moves.ts';
import {
  begunOr,
  isTooLong,
  pauseOf,
  whatIsAway,
  type Outage,
  type PlacesDeps,
} from './outages.ts';
import { countObjects, type CountDeps } from './recount.ts';
import { tidy } from './tidy.ts';

export interface MoveFilesDeps
  extends
    NotifyDeps,
    Omit<MoveFileDeps, 'uow' | 'buckets' | 'directory'>,
    Omit<PlacesDeps, 'uow' | 'directory'>,
    Omit<CountDeps, 'uow'> {
  readonly directory: Directory;
  readonly uow: UnitOfWork<
    | 'contents'
    | 'integrations'
    | 'notifications'
    | 'placements'
    | 'storageMoves'
    | 'tasks'
    | 'zoneLock'
  >;
  readonly breather: Breather;
  readonly jobs: JobQueue;
}

/** Duration of one run of the task. A closing process waits for it, and other work runs in between. */
const TURN_MS = 2_000;
const LOOKED_AT_ONCE = 500;
const OBJECTS_LOOKED_AT_ONCE = 100;
const MOST_TRIES = 3;
const RETRY_MS = 1_000;
/** With this many failures the cause is not single files. */
const MOST_FAILED = 1_000;
/** After that the sweep finds the leftover copies. */
const LONGEST_TIDYING_MS = 3_600_000;

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
export const moveFiles = (deps: MoveFilesDeps): TaskHandler => ({
  run: async (scope, task) => {
    const memory = { ...ANEW, ...(task.payload as Partial<Memory>) };
    const next =
      (await turn(deps, scope, task, memory)) ??
      (await moveUnseen(deps, scope, task, memory)) ??
      (await tidyUp(deps, scope, memory));
    await deps.uow.write(scope, ({ tasks }) =>
      next
        ? again(tasks, task.id, deps.clock.now() + next.inMs, { ...next.memory })
        : tasks.remove(task.id),
    );
    if (next?.inMs === 0) await offerAll(deps.jobs, [{ kind: task.kind, taskId: task.id }]);
  },
  giveUp: async (scope, task) => {
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
async function turn(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  task: Task,
  memory: Memory,
): Promise<Next | undefined> {
  const { run, connected } = await deps.uow.read(scope, async (stores) => ({
    run: await stores.storageMoves.find(),
    connected: (await stores.integrations.find('s3')) !== undefined,
  }));
  if (run?.id !== task.id || run.status !== 'running') return undefined;
  if (run.cancelRequested) return end(deps, scope, run.id, 'cancelled', '');
  if (!connected) return end(deps, scope, run.id, 'failed', 'The bucket is no longer connected.');
  await tidy(deps, scope);
  return pass(deps, scope, run, memory);
}

/**
 * Moves contents that only hidden objects use, after the run of an owner with a PIN has ended. During the run they
 * would affect its duration and its outcome.
 */
async function moveUnseen(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  task: Task,
  memory: Memory,
): Promise<Next | undefined> {
  if (memory.ended !== undefined) return undefined;
  const { run, connected, hasPin } = await deps.uow.read(scope, async (stores) => ({
    run: await stores.storageMoves.find(),
    connected: (await stores.integrations.find('s3')) !== undefined,
    hasPin: (await stores.zoneLock.get()) !== undefined,
  }));
  if (run?.id !== task.id || run.status !== 'done' || !connected || !hasPin) return undefined;
  const from: Memory = memory.unseen ? memory : { ...ANEW, unseen: true };
  return pass(withoutTrace(deps), scope, run, from);
}

function withoutTrace(deps: MoveFilesDeps): MoveFilesDeps {
  const unrecorded = { ...deps, unrecorded: true } as const;
  return { ...unrecorded, blobs: ownerBlobs(unrecorded) };
}

const moverOf = (run: StorageMove): Mover => ({
  target: targetOf(run),
  goesOn: async ({ storageMoves }, when) => {
    const now = await storageMoves.find();
    return (
      now?.id === run.id && now.status === run.status && (when === 'ends' || !now.cancelRequested)
    );
  },
  moved: async ({ storageMoves, tasks }, { blobId }) => {
    await storageMoves.forgetFailure(blobId);
    const now = await storageMoves.find();
    if (now && now.error !== '') await storageMoves.save({ ...now, error: '' });
    await gotOn(tasks, run.id);
  },
});

async function pass(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  run: StorageMove,
  from: Memory,
): Promise<Next | undefined> {
  const until = deps.clock.now() + TURN_MS;
  let memory = from;
  for (;;) {
    const page = await deps.uow.read(scope, async ({ placements, storageMoves, zoneLock }) => {
      // With a PIN the duration and the outcome of a run must not depend on hidden objects.
      const inSight = memory.unseen === undefined && (await zoneLock.get()) !== undefined;
      const { contents, next } = inSight
        ? await placements.elsewhereInSight(targetOf(run), memory.after, OBJECTS_LOOKED_AT_ONCE)
        : await placements.elsewhere(targetOf(run), memory.after, LOOKED_AT_ONCE);
      const failures = await storageMoves.failures(contents.map(({ blobId }) => blobId));
      const final = new Set(failures.filter((it) => it.isFinal).map(({ blobId }) => blobId));
      return { contents: contents.filter(({ blobId }) => !final.has(blobId)), next, inSight };
    });
    for (const content of page.contents) {
      const outcome = await moveFile(deps, scope, moverOf(run), content);
      if (outcome.came === 'over') return stopped(deps, scope, run);
      if (outcome.came === 'failed') {
        const away = await whatIsAway(deps, scope);
        if (away !== undefined) return pause(deps, scope, run, memory, away);
        const reason = memory.unseen ? '' : reasonOf(outcome.error);
        if ((await noteFailure(deps, scope, content, reason)) >= MOST_FAILED)
          return end(deps, scope, run.id, 'failed', `${MOST_FAILED} files could not be moved.`);
      }
      memory = { ...memory, after: page.inSight ? memory.after : content.sha256, tried: true };
      if (deps.clock.now() >= until) return { inMs: 0, memory };
    }
    if (page.next === null) return passed(deps, scope, run, memory);
    memory = { ...memory, after: page.next };
    if (deps.clock.now() >= until) return { inMs: 0, memory };
    await deps.breather.breathe();
  }
}

/** A pass without work is the last one. Two are required if another worker may have found some. */
async function passed(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  run: StorageMove,
  { tried, idle, unseen }: Memory,
): Promise<Next | undefined> {
  const { open } = await deps.uow.read(scope, ({ storageMoves }) => storageMoves.failureCounts());
  if (!tried && (open === 0 || idle)) return end(deps, scope, run.id, 'done', '');
  const anew: Memory = { ...ANEW, ...(unseen && { unseen }) };
  return { inMs: open > 0 ? RETRY_MS : 0, memory: tried ? anew : { ...anew, idle: true } };
}

async function stopped(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  { id }: StorageMove,
): Promise<undefined> {
  const run = await deps.uow.read(scope, ({ storageMoves }) => storageMoves.find());
  if (run?.id === id && run.cancelRequested) await end(deps, scope, id, 'cancelled', '');
}

/** Returns the number of final failures. */
const noteFailure = (
  deps: MoveFilesDeps,
  scope: OwnerScope,
  content: Parameters<typeof isWanted>[1],
  reason: string,
): Promise<number> =>
  deps.uow.write(scope, async (stores) => {
    const { storageMoves } = stores;
    const { blobId } = content;
    // It was deleted while it was being moved.
    if (!(await isWanted(stores, content))) return 0;
    const [before] = await storageMoves.failures([blobId]);
    const attempts = (before?.attempts ?? 0) + 1;
    await storageMoves.noteFailure({
      blobId,
      attempts,
      isFinal: attempts >= MOST_TRIES,
      reason,
    });
    return (await storageMoves.failureCounts()).final;
  });

/** No file is the cause: the run waits, and eventually ends. */
async function pause(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  run: StorageMove,
  memory: Memory,
  reason: string,
): Promise<Next | undefined> {
  const now = deps.clock.now();
  const outage = begunOr(memory.outage, now);
  if (isTooLong(outage, now)) return end(deps, scope, run.id, 'failed', reason);
  await deps.uow.write(scope, async ({ storageMoves }) => {
    const found = await storageMoves.find();
    if (found?.id === run.id && found.status === 'running')
      await storageMoves.save({ ...found, error: reason });
  });
  return { inMs: pauseOf(outage), memory: { ...memory, outage } };
}

/** The result of the run and its notification, once. Hidden files are included if there is no PIN. */
async function end(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  runId: string,
  status: Exclude<MoveStatus, 'running'>,
  error: string,
): Promise<undefined> {
  const { run, hidden } = await deps.uow.read(scope, async ({ storageMoves, zoneLock }) => ({
    run: await storageMoves.find(),
    hidden: (await zoneLock.get()) === undefined,
  }));
  if (run?.id !== runId || run.status !== 'running') return;
  const counted = await countObjects(deps, scope, targetOf(run), hidden);
  await deps.uow.write(scope, async (stores: Pick<Stores, 'storageMoves' | 'notifications'>) => {
    const now = await stores.storageMoves.find();
    if (now?.id !== runId || now.status !== 'running') return;
    const ended = { ...now, status, error, cancelRequested: false, finishedAt: deps.clock.now() };
    await stores.storageMoves.save(ended);
    const news = newsOf(ended, counted);
    if (news) await notify(deps, stores, news);
  });
}

/** After the run, leftover copies are removed; undefined if there are none. */
async function tidyUp(
  deps: MoveFilesDeps,
  scope: OwnerScope,
  memory: Memory,
): Promise<Next | undefined> {
  if ((await tidy(withoutTrace(deps), scope)) === 'clean') return undefined;
  const now = deps.clock.now();
  const ended = memory.ended ?? now;
  if (now - ended >= LONGEST_TIDYING_MS) return undefined;
  const pauses = (memory.pauses ?? 0) + 1;
  return { inMs: pauseOf({ pauses }), memory: { ...ANEW, ended, pauses } };
}
