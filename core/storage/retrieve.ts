import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { retiredLocation } from '../integrations/index.ts';
import { reschedule, type TaskHandler } from '../tasks/index.ts';
import { moveFile, type MigrateFileDeps, type Mover } from './migrate-file.ts';
import { removeStaleCopies } from './remove-stale-copies.ts';

export interface RetrieveDeps extends Omit<MigrateFileDeps, 'uow'> {
  readonly uow: MigrateFileDeps['uow'] & UnitOfWork<'integrations' | 'blobLocations' | 'tasks'>;
}

const TURN_MS = 2_000;
const CONTENTS_AT_ONCE = 50;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Moves back the files of a retired bucket, and deletes its connection after the last copy. It leaves no trace on a
 * card or in a notification: the contents may be those of hidden objects. Failures are retried with exponential
 * backoff.
 */
export const retrieveFiles = (deps: RetrieveDeps): TaskHandler => ({
  run: async (scope, task) => {
    const left = await retrieve(deps, scope, task.subject);
    const pauses = left === 'waiting' ? Number(task.payload['pauses'] ?? 0) + 1 : 0;
    const inMs =
      left === 'more' ? 0 : Math.min(MIN_PAUSE_MS * 2 ** Math.min(pauses, 20), MAX_PAUSE_MS);
    await deps.uow.write(scope, ({ tasks }) =>
      left === 'nothing'
        ? tasks.remove(task.id)
        : reschedule(tasks, task.id, deps.clock.now() + inMs, { pauses }),
    );
  },
  // Never abandons the task: no other task would move the files back.
  abandon: (scope, task) =>
    deps.uow.write(scope, async ({ tasks }) => {
      await reschedule(tasks, task.id, deps.clock.now() + MAX_PAUSE_MS, task.payload);
    }),
});

async function retrieve(
  deps: RetrieveDeps,
  scope: OwnerScope,
  id: string,
): Promise<'nothing' | 'more' | 'waiting'> {
  const until = deps.clock.now() + TURN_MS;
  const place = retiredLocation(id);
  const mover: Mover = {
    target: 'service',
    shouldContinue: async ({ integrations }) => isRetired(integrations, id),
    moved: () => Promise.resolve(),
  };
  await removeStaleCopies(deps, scope);
  const contents = await deps.uow.read(scope, ({ blobLocations }) =>
    blobLocations.contentsIn(place, CONTENTS_AT_ONCE),
  );
  let moved = 0;
  for (const content of contents) {
    const { outcome } = await moveFile(deps, scope, mover, content);
    if (outcome === 'over') break;
    if (outcome === 'moved') moved++;
    if (deps.clock.now() >= until) break;
  }
  const isDone = await deps.uow.write(scope, async ({ integrations, blobLocations }) => {
    if (!(await isRetired(integrations, id))) return true;
    if (await blobLocations.hasCopies(place)) return false;
    await integrations.forgetRetired(id);
    return true;
  });
  if (isDone) return 'nothing';
  return moved > 0 ? 'more' : 'waiting';
}

const isRetired = async (integrations: Stores['integrations'], id: string): Promise<boolean> =>
  (await integrations.retired()).some((each) => each.id === id);
