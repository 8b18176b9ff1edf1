import { REMOVE_BLOB_TASK, READ_TASK } from '../objects/index.ts';
import { REORGANIZE_TASK, reorganize, type ReorganizeDeps } from '../organize/index.ts';
import {
  keepClaim as keep,
  offerDueTasks as offerDue,
  runTask as run,
  type RunDeps,
  type TaskHandlers,
} from '../tasks/index.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import { readObject, type ReadDeps } from './read-object.ts';
import { removeBlob, type SweepDeps } from './sweep-blobs.ts';

export interface BackgroundDeps
  extends ReadDeps, SweepDeps, Omit<RunDeps, 'uow'>, Omit<ReorganizeDeps, 'uow'> {
  readonly uow: ReadDeps['uow'] & ReorganizeDeps['uow'];
  readonly jobs: JobQueue;
}

const OFFERED_AT_ONCE = 200;

const handlersOf = (deps: BackgroundDeps): TaskHandlers => ({
  [READ_TASK]: readObject(deps),
  [REMOVE_BLOB_TASK]: removeBlob(deps),
  [REORGANIZE_TASK]: reorganize(deps),
});

/** The kinds of tasks there are. */
export const taskKinds = (_deps: Pick<BackgroundDeps, 'clock'>): readonly string[] => [
  READ_TASK,
  REMOVE_BLOB_TASK,
  REORGANIZE_TASK,
];

export const runTask = (deps: BackgroundDeps, taskId: string): Promise<void> =>
  run(deps, handlersOf(deps), taskId);

export const keepClaim = (deps: BackgroundDeps, taskId: string): Promise<void> =>
  keep(deps, taskId);

export const offerDueTasks = (deps: BackgroundDeps): Promise<number> =>
  offerDue(deps, OFFERED_AT_ONCE);
