import type { Clock } from '../../ports/runtime.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { ENRICH_TASK, endPause, letProbe } from '../model-pause/index.ts';
import { enqueueAll, type TaskHandler } from '../tasks/index.ts';

export interface ResumeDeps {
  readonly uow: UnitOfWork<'tasks'>;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly answerSeconds: number;
}

/** Requests of one task, and its time in the queue behind others. */
const PROBE_ANSWERS = 3;

/**
 * A pause of a busy model is over: the document that has waited longest tries the model. If it is deleted or its worker
 * ends, another document does so later.
 */
export const resumeModel = (deps: ResumeDeps): TaskHandler => ({
  run: async (scope, task) => {
    const probe = await deps.uow.write(scope, async ({ tasks }) => {
      const claim = await tasks.find(task.id);
      if (claim?.attempts !== task.attempts) return undefined;
      const next = await tasks.nextWaiting(ENRICH_TASK);
      if (next)
        await letProbe(
          tasks,
          claim,
          next,
          deps.clock.now(),
          deps.answerSeconds * 1_000 * PROBE_ANSWERS,
        );
      else await tasks.remove(task.id);
      return next;
    });
    if (probe) await enqueueAll(deps.jobs, [{ kind: probe.kind, taskId: probe.id }]);
  },
  abandon: (scope) => deps.uow.write(scope, ({ tasks }) => endPause(tasks, deps.clock.now())),
});
