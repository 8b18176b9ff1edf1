import type { StoredObject } from '../../ports/objects.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Clock, RandomSource, Instant } from '../../ports/runtime.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { OperatorModel } from '../models/index.ts';
import { ENRICH_TASK, shouldNotifyOwner } from '../objects/index.ts';
import { newTask, type TaskNudge } from '../tasks/index.ts';

export interface ModelEnrichmentDeps {
  readonly operatorModel: OperatorModel | null;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Payload of a task that enriches by a model. */
export interface ModelEnrichmentPayload {
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
export const isEligibleForModel = ({ isHidden, deletedAt }: StoredObject): boolean =>
  !isHidden && deletedAt === null;

/** Whether a model is to analyse the object's text. */
export async function needsModelEnrichment(
  { operatorModel }: Pick<ModelEnrichmentDeps, 'operatorModel'>,
  { integrations }: Pick<Stores, 'integrations'>,
  object: StoredObject,
): Promise<boolean> {
  if (object.textState !== 'available' || !isEligibleForModel(object)) return false;
  return operatorModel !== null || (await integrations.find('llm'))?.enabled === true;
}

/**
 * Schedules model enrichment of the object's current text. Replaces a waiting task, including its pending completion
 * and naming.
 */
export async function scheduleModelEnrichment(
  deps: ModelEnrichmentDeps,
  { tasks }: Pick<Stores, 'tasks'>,
  object: StoredObject,
  enrichment: ModelEnrichmentPayload,
): Promise<readonly TaskNudge[]> {
  let complete = enrichment;
  let charge: unknown;
  for (const earlier of await tasks.findFor(object.id, ENRICH_TASK)) {
    if (earlier.payload['version'] === object.version)
      complete = { ...duties(earlier), ...complete };
    // Charged but not called, as after a crash.
    if (earlier.state === 'waiting') charge ??= earlier.payload['charge'];
    await tasks.remove(earlier.id);
  }
  const payload = { version: object.version, ...complete, ...(charge !== undefined && { charge }) };
  const task = newTask(deps, ENRICH_TASK, object.id, payload);
  await tasks.save(task);
  return [{ kind: task.kind, taskId: task.id }];
}

const duties = (task: Task): Omit<ModelEnrichmentPayload, 'correctedAt'> => ({
  ...(finishesProcessing(task) && { finishesProcessing: true }),
  ...(shouldNotifyOwner(task) && { notifiesOwner: true }),
  ...namingOf(task),
});

export const finishesProcessing = ({ payload }: Task): boolean =>
  payload['finishesProcessing'] === true;

/** The pending naming of a waiting task, to be passed on to the next. */
export function namingOf({ payload }: Task): Pick<ModelEnrichmentPayload, 'namedBefore'> {
  const { namedBefore } = payload;
  return typeof namedBefore === 'string' ? { namedBefore } : {};
}
