import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { TaskHandler } from '../tasks/index.ts';
import { applyMoves, type ApplyDeps } from './apply.ts';
import { prepare, type PrepareDeps } from './prepare.ts';
import { abortRun } from './start.ts';

export interface ReorganizeDeps extends Omit<PrepareDeps, 'uow'>, Omit<ApplyDeps, 'uow'> {
  readonly uow: PrepareDeps['uow'] & ApplyDeps['uow'] & UnitOfWork<'reorganizations' | 'tasks'>;
}

/**
 * Sorts an owner's objects into folders: a plan that is made once and executed in steps that are committed
 * separately.
 */
export const reorganize = (deps: ReorganizeDeps): TaskHandler => ({
  run: async (scope, task) => {
    if ((await prepare(deps, scope, task)) === 'over') return;
    while (await applyMoves(deps, scope, task)) await deps.scheduler.yield();
  },
  abandon: async (scope: OwnerScope, task) => {
    await deps.uow.write(scope, async ({ reorganizations, tasks }) => {
      const run = await reorganizations.find(task.subject);
      if (run && run.state !== 'SUCCESS')
        await reorganizations.save(abortRun(run, deps.clock.now()));
      // The run stores its result, so the task can be removed.
      await tasks.remove(task.id);
    });
  },
});
