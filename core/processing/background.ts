import { RECOGNISE_TASK, REMOVE_BLOB_TASK, READ_TASK } from '../objects/index.ts';
import { REORGANIZE_TASK, reorganize, type ReorganizeDeps } from '../organize/index.ts';
import {
  keepClaim as keep,
  offerDueTasks as offerDue,
  runTask as run,
  type RunDeps,
  type TaskHandlers,
} from '../tasks/index.ts';
import { readObject, recogniseObject, type ReadDeps } from './read-object.ts';
import { removeBlob, type SweepDeps } from './sweep-blobs.ts';

export interface BackgroundDeps
  extends ReadDeps, SweepDeps, Omit<RunDeps, 'uow'>, Omit<ReorganizeDeps, 'uow'> {
  readonly uow: ReadDeps['uow'] & ReorganizeDeps['uow'];
}

const OFFERED_AT_ONCE = 200;
/** Kinds of tasks that run for minutes: one of each at a time, beside all the others. */
export const SLOW_TASK_KINDS: readonly string[] = [RECOGNISE_TASK];

const handlersOf = (deps: BackgroundDeps): TaskHandlers => ({
  [READ_TASK]: readObject(deps),
  [RECOGNISE_TASK]: recogniseObject(deps),
  [REMOVE_BLOB_TASK]: removeBlob(deps),
  [REORGANIZE_TASK]: reorganize(deps),
});

/** The kinds of tasks there are. */
export const taskKinds = (_deps: Pick<BackgroundDeps, 'clock'>): readonly string[] => [
  READ_TASK,
  RECOGNISE_TASK,
  REMOVE_BLOB_TASK,
  REORGANIZE_TASK,
];

export const runTask = (deps: BackgroundDeps, taskId: string): Promise<void> =>
  run(deps, handlersOf(deps), taskId);

export const keepClaim = (deps: BackgroundDeps, taskId: string): Promise<void> =>
  keep(deps, taskId);

/** Slow tasks are offered beside the others: however many of them wait, the others are not crowded out. */
export const offerDueTasks = async (deps: BackgroundDeps): Promise<number> =>
  (await offerDue(deps, OFFERED_AT_ONCE, { but: SLOW_TASK_KINDS })) +
  (await offerDue(deps, OFFERED_AT_ONCE, { only: SLOW_TASK_KINDS }));
