import type { JobQueue } from '../../ports/jobs.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import {
  ENRICH_TASK,
  findEditable,
  shouldNotifyOwner,
  READ_TASK,
  readTaskPayload,
  OCR_TASK,
} from '../objects/index.ts';
import { saveResponse } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { newTask, enqueueAll } from '../tasks/index.ts';
import { namingOf } from './model-enrichment-task.ts';

export interface ReprocessDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'tasks' | 'pinLock' | 'idempotency'>;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/**
 * Processes an object of any kind again: a file's bytes or a link's page. An object has at most one read task: a
 * waiting one is used, and a running or failed one is replaced.
 */
export async function reprocessObject(
  deps: ReprocessDeps,
  caller: Caller,
  id: string,
): Promise<{ readonly taskId: string }> {
  const task = await deps.uow.write(caller.scope, async (stores) => {
    const zone = await zoneFor(deps, stores.pinLock, caller);
    const object = await findEditable(stores, zone, id);
    const queued = await queue(deps, stores, object);
    await saveResponse(stores, deps.clock, caller, { taskId: queued.id });
    return queued;
  });
  await enqueueAll(deps.jobs, [{ kind: task.kind, taskId: task.id }]);
  return { taskId: task.id };
}

async function queue(
  deps: Pick<ReprocessDeps, 'clock' | 'random'>,
  stores: Pick<Stores, 'objects' | 'tasks'>,
  object: StoredObject,
): Promise<Task> {
  const earlier = await stores.tasks.findFor(object.id, READ_TASK);
  const waiting = earlier.find(
    ({ state, payload }) => state === 'waiting' && payload['version'] === object.version,
  );
  const enriching = await stores.tasks.findFor(object.id, ENRICH_TASK);
  const unnamed = enriching.find(({ payload }) => payload['version'] === object.version);
  const payload = { ...readTaskPayload(object.version, true), ...(unnamed && namingOf(unnamed)) };
  if (waiting && object.status === 'pending') {
    // From now on the owner is notified of the result.
    if (!shouldNotifyOwner(waiting)) await stores.tasks.save({ ...waiting, payload });
    return waiting;
  }
  const recognising = await stores.tasks.findFor(object.id, OCR_TASK);
  for (const { id } of [...earlier, ...recognising, ...enriching]) await stores.tasks.remove(id);
  await stores.objects.save({
    ...object,
    status: 'pending',
    error: null,
    needsManual: false,
    textState: object.textState === 'available' ? 'available' : 'pending',
    updatedAt: deps.clock.now(),
  });
  const task = newTask(deps, READ_TASK, object.id, payload);
  await stores.tasks.save(task);
  return task;
}
