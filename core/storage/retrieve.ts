import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { retiredPlace } from '../integrations/index.ts';
import { again, type TaskHandler } from '../tasks/index.ts';
import { moveFile, type MoveFileDeps, type Mover } from './move-file.ts';
import { tidy } from './tidy.ts';

export interface RetrieveDeps extends Omit<MoveFileDeps, 'uow'> {
  readonly uow: MoveFileDeps['uow'] & UnitOfWork<'integrations' | 'placements' | 'tasks'>;
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
        : again(tasks, task.id, deps.clock.now() + inMs, { pauses }),
    );
  },
  // Never abandons the task: no other task would move the files back.
  giveUp: (scope, task) =>
    deps.uow.write(scope, async ({ tasks }) => {
      await again(tasks, task.id, deps.clock.now() + MAX_PAUSE_MS, task.payload);
    }),
});

async function retrieve(
  deps: RetrieveDeps,
  scope: OwnerScope,
  id: string,
): Promise<'nothing' | 'more' | 'waiting'> {
  const until = deps.clock.now() + TURN_MS;
  const place = retiredPlace(id);
  const mover: Mover = {
    target: 'service',
    goesOn: async ({ integrations }) => isRetired(integrations, id),
    moved: () => Promise.resolve(),
  };
  await tidy(deps, scope);
  const contents = await deps.uow.read(scope, ({ placements }) =>
    placements.contentsIn(place, CONTENTS_AT_ONCE),
  );
  let moved = 0;
  for (const content of contents) {
    const { came } = await moveFile(deps, scope, mover, content);
    if (came === 'over') break;
    if (came === 'moved') moved++;
    if (deps.clock.now() >= until) break;
  }
  const isDone = await deps.uow.write(scope, async ({ integrations, placements }) => {
    if (!(await isRetired(integrations, id))) return true;
    if (await placements.holdsCopies(place)) return false;
    await integrations.forgetRetired(id);
    return true;
  });
  if (isDone) return 'nothing';
  return moved > 0 ? 'more' : 'waiting';
}

const isRetired = async (integrations: Stores['integrations'], id: string): Promise<boolean> =>
  (await integrations.retired()).some((each) => each.id === id);
