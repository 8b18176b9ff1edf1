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
  /** When the model was first too busy. */
  readonly busySince?: Instant;
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

/** Longest time that a document waits for a busy model. */
const MAX_WAIT_MS = 7 * 86_400_000;
/** A waiting task looks for the pause it waits for in these intervals, in case it has been lost. */
const CHECK_PAUSE_MS = 6 * 3_600_000;

const busySince = ({ payload }: Task, now: Instant): Instant =>
  typeof payload['busySince'] === 'number' ? payload['busySince'] : now;

/** Whether the document has waited for a busy model before. */
export const isDelayed = ({ payload }: Task): boolean => payload['busySince'] !== undefined;

/** Whether the document may wait longer for a busy model. */
export const mayWait = (task: Task, now: Instant): boolean =>
  now - busySince(task, now) < MAX_WAIT_MS;

/**
 * The task of a document that waits for a busy model. Its processing is complete; `aiName` is the generated name that the
 * model may replace.
 */
export function delayed(
  task: Task,
  reason: string,
  aiName: string | undefined,
  now: Instant,
): Task {
  const { version, correctedAt } = task.payload;
  return {
    ...task,
    payload: {
      version,
      correctedAt,
      busySince: busySince(task, now),
      ...(aiName !== undefined && { namedBefore: aiName }),
    },
    state: 'waiting',
    attempts: 0,
    leaseUntil: null,
    error: reason,
    dueAt: now + CHECK_PAUSE_MS,
  };
}
