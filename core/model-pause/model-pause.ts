import type { Instant, RandomSource } from '../../ports/runtime.ts';
import type { Task, TaskStore } from '../../ports/tasks.ts';
import { newTask } from '../tasks/index.ts';

/** The duration of a model call is unpredictable, so its tasks have a separate queue. */
export const ENRICH_TASK = 'object.enrich';
/** The task that ends a pause by letting one document try the model. An owner has at most one. */
export const RESUME_TASK = 'model.resume';
const SUBJECT = 'llm';

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 4 * 3_600_000;
/** Share of a pause that is added at random, so that several owners of one model do not return together. */
const JITTER = 0.2;
/** At least a second, also for a service that says zero. */
const MIN_PAUSE_MS = 1_000;

/**
 * The model of an owner is busy. Until it has answered, one document at a time tries it, and the other tasks wait.
 */
export interface ModelPause {
  readonly taskId: string;
  /** Refusals in succession. */
  readonly refusals: number;
  readonly since: Instant;
  /** When the next document tries the model. */
  readonly until: Instant;
  /** The task that may try the model now. */
  readonly probe: string | null;
  /** A sentence for the user. */
  readonly reason: string;
}

interface Deps {
  readonly clock: { now(): Instant };
  readonly random: RandomSource;
}

/** The pause of the owner's model; undefined if the model is not busy. */
export async function findPause(tasks: TaskStore): Promise<ModelPause | undefined> {
  const [task] = (await tasks.findFor(SUBJECT, RESUME_TASK)).filter(
    ({ state }) => state !== 'failed',
  );
  return task && pauseOf(task);
}

function pauseOf({ id: taskId, dueAt: until, payload }: Task): ModelPause {
  const { refusals, since, probe, reason } = payload as unknown as Omit<
    ModelPause,
    'taskId' | 'until'
  >;
  return { taskId, until, refusals, since, probe, reason };
}

/** What a busy model has said. */
export interface Refusal {
  readonly reason: string;
  readonly retryAfterSeconds: number | null;
}

/** Begins or prolongs the pause after a refusal. Returns the pause in effect. */
export async function pauseModel(
  deps: Deps,
  tasks: TaskStore,
  taskId: string,
  refusal: Refusal,
): Promise<ModelPause> {
  const now = deps.clock.now();
  const pause = await findPause(tasks);
  // Requests that were sent together are refused together, which counts once.
  const isLate = pause !== undefined && pause.probe !== taskId;
  if (isLate && pause.probe !== null) return pause;
  const refusals = isLate ? pause.refusals : (pause?.refusals ?? 0) + 1;
  const until = now + pauseMs(deps.random, refusals, refusal.retryAfterSeconds);
  const found = pause && (await tasks.find(pause.taskId));
  return save(tasks, found ?? newTask(deps, RESUME_TASK, SUBJECT, {}), {
    refusals,
    since: pause?.since ?? now,
    until: isLate ? Math.max(pause.until, until) : until,
    probe: null,
    reason: refusal.reason,
  });
}

/** The service's own time comes first. If it was wrong, or none was given, pauses double. */
function pauseMs(random: RandomSource, refusals: number, retryAfter: number | null): number {
  const doublings = retryAfter === null ? refusals - 1 : refusals - 2;
  const usual = doublings < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
  const pause = Math.max(usual, (retryAfter ?? 0) * 1_000, MIN_PAUSE_MS);
  const jitter = Math.min(pause, MAX_PAUSE_MS) * JITTER * fraction(random);
  return Math.round(pause + jitter);
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** From 0 to 1, of which 1 is excluded. */
const fraction = (random: RandomSource): number =>
  Math.max(BASE64URL.indexOf(random.secret(3).charAt(0)), 0) / BASE64URL.length;

/** Lets one task try the model, `withinMs` at most. The next task is chosen after that. */
export async function letProbe(
  tasks: TaskStore,
  task: Task,
  probe: Task,
  now: Instant,
  withinMs: number,
): Promise<void> {
  await tasks.save({ ...probe, dueAt: now });
  await save(tasks, task, { ...pauseOf(task), probe: probe.id, until: now + withinMs });
}

/** The task that was to try the model had nothing to ask, so the next one is chosen at once. */
export async function skipProbe(tasks: TaskStore, pause: ModelPause, now: Instant): Promise<void> {
  const found = await tasks.find(pause.taskId);
  if (found) await save(tasks, found, { ...pause, probe: null, until: now });
}

/** The model is available again, or is another one: all waiting tasks are due. */
export async function endPause(tasks: TaskStore, now: Instant): Promise<void> {
  await tasks.removeFor(SUBJECT);
  await tasks.expedite(ENRICH_TASK, now);
}

async function save(
  tasks: TaskStore,
  task: Task,
  { refusals, since, until, probe, reason }: Omit<ModelPause, 'taskId'>,
): Promise<ModelPause> {
  const content = { refusals, since, probe, reason };
  await tasks.save({
    ...task,
    payload: content,
    state: 'waiting',
    attempts: 0,
    leaseUntil: null,
    error: null,
    dueAt: until,
  });
  return { taskId: task.id, until, ...content };
}
