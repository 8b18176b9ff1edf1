import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Clock, Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { OperatorModel } from '../models/index.ts';
import { ENRICH_TASK, isAwaited } from '../objects/index.ts';
import { newTask, type TaskNudge } from '../tasks/index.ts';

export interface TurnDeps {
  readonly operatorModel: OperatorModel | null;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Payload of a task that enriches by a model. */
export interface Turn {
  /** The correction that replaces the object's text, null if there is none. */
  readonly correctedAt: Instant | null;
  /** The task completes the processing of the object, and the owner is notified if requested. */
  readonly finishesProcessing?: boolean;
  readonly notifiesOwner?: boolean;
  /**
   * The generated name of the object when naming was deferred until after the model. If it has changed since, its
   * owner has answered. Absent if no name is to be given.
   */
  readonly namedBefore?: string;
}

/** Hidden or trashed objects are not sent to a model in the background. */
export const mayBeShown = ({ isHidden, deletedAt }: StoredObject): boolean =>
  !isHidden && deletedAt === null;

/** Whether a model is to analyse the object's text. */
export async function awaitsModel(
  { operatorModel }: Pick<TurnDeps, 'operatorModel'>,
  { integrations }: Pick<Stores, 'integrations'>,
  object: StoredObject,
): Promise<boolean> {
  if (object.textState !== 'available' || !mayBeShown(object)) return false;
  return operatorModel !== null || (await integrations.find('llm'))?.enabled === true;
}

/**
 * Schedules model enrichment of the object's current text. Replaces a waiting task, including its pending completion
 * and naming.
 */
export async function enrichLater(
  deps: TurnDeps,
  { tasks }: Pick<Stores, 'tasks'>,
  object: StoredObject,
  turn: Turn,
): Promise<readonly TaskNudge[]> {
  let whole = turn;
  let charge: unknown;
  for (const earlier of await tasks.findFor(object.id, ENRICH_TASK)) {
    if (earlier.payload['version'] === object.version) whole = { ...duties(earlier), ...whole };
    // Charged but not called, as after a crash.
    if (earlier.state === 'waiting') charge ??= earlier.payload['charge'];
    await tasks.remove(earlier.id);
  }
  const payload = { version: object.version, ...whole, ...(charge !== undefined && { charge }) };
  const task = newTask(deps, ENRICH_TASK, object.id, payload);
  await tasks.save(task);
  return [{ kind: task.kind, taskId: task.id }];
}

const duties = (task: Task): Omit<Turn, 'correctedAt'> => ({
  ...(completes(task) && { finishesProcessing: true }),
  ...(isAwaited(task) && { notifiesOwner: true }),
  ...namingOf(task),
});

export const completes = ({ payload }: Task): boolean => payload['finishesProcessing'] === true;

/** The pending naming of a waiting task, to be passed on to the next. */
export function namingOf({ payload }: Task): Pick<Turn, 'namedBefore'> {
  const { namedBefore } = payload;
  return typeof namedBefore === 'string' ? { namedBefore } : {};
}
