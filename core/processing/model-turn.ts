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

/** What a task that enriches by a model needs to know. */
export interface Turn {
  /** The correction that stands for the object's text, null where none does. */
  readonly correctedAt: Instant | null;
  /** Reading the object ends with it, and whoever waits for that is told. */
  readonly finishesProcessing?: boolean;
  readonly notifiesOwner?: boolean;
  /**
   * The generated name the object had when a new one was put off until the model has looked. When another stands there
   * by then, its owner has answered; left out, none is to be given.
   */
  readonly namedBefore?: string;
}

/** What is hidden or in the trash goes to no model in the background. */
export const mayBeShown = ({ isHidden, deletedAt }: StoredObject): boolean =>
  !isHidden && deletedAt === null;

/** Whether a model is to look at the object's text. */
export async function awaitsModel(
  { operatorModel }: Pick<TurnDeps, 'operatorModel'>,
  { integrations }: Pick<Stores, 'integrations'>,
  object: StoredObject,
): Promise<boolean> {
  if (object.textState !== 'available' || !mayBeShown(object)) return false;
  return operatorModel !== null || (await integrations.find('llm'))?.enabled === true;
}

/**
 * Has a model look at the object's text, as it is from now on. Takes the place of a look that was asked for before, and
 * of what that was to bring about beside its findings.
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
    // Paid for and not asked, as after a crash.
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

/** What a task that waits knows of a name that is still to be given, to be handed on to the next. */
export function namingOf({ payload }: Task): Pick<Turn, 'namedBefore'> {
  const { namedBefore } = payload;
  return typeof namedBefore === 'string' ? { namedBefore } : {};
}
