import type { PendingImageOperation } from '../../ports/image-operations.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { newTask, type TaskNudge } from '../tasks/index.ts';

export const IMAGE_TASK = 'image_ops.run';

export const hasEnded = ({ state }: PendingImageOperation): boolean =>
  state === 'done' || state === 'failed';

/**
 * Starts the next operation of an object, unless one of them has a task already. Only the first operation in line has
 * a task, so they run in request order, one at a time, across any number of processes.
 */
export async function startNext(
  deps: { readonly clock: Clock; readonly random: RandomSource },
  { imageOperations, tasks }: Pick<Stores, 'imageOperations' | 'tasks'>,
  objectId: string,
): Promise<readonly TaskNudge[]> {
  const next = await imageOperations.next(objectId);
  if (!next || (await tasks.find(next.id))) return [];
  await tasks.save({ ...newTask(deps, IMAGE_TASK, objectId, {}), id: next.id });
  return [{ kind: IMAGE_TASK, taskId: next.id }];
}
