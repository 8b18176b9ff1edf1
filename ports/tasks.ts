import type { Instant } from './runtime.ts';

export type TaskState = 'waiting' | 'running' | 'failed';

/**
 * Background work, written in the same transaction as the change that needs it. A finished task is removed in the
 * transaction of its effect, so that a second delivery finds nothing to do.
 */
export interface Task {
  readonly id: string;
  readonly kind: string;
  /** What the task works on. Its meaning depends on the kind. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly state: TaskState;
  readonly attempts: number;
  /** Not before this moment. */
  readonly dueAt: Instant;
  /** While running: when the claim expires and another worker may claim the task. */
  readonly leaseUntil: Instant | null;
  readonly error: string | null;
  readonly createdAt: Instant;
}

/**
 * The tasks of one owner.
 *
 * Contract (contract-tests/suites/task-store.ts):
 * - `save` inserts or replaces, and `find` returns what was saved, field for field.
 * - `findFor` returns the tasks of one kind for a subject, oldest first, in any state.
 * - `remove` removes a task. Removing a missing one changes nothing.
 * - `removeFor` removes every task of the subject and no other.
 * - `nextWaiting` returns the waiting task of a kind with the earliest `dueAt`, due or not, then the oldest.
 * - `expedite` makes the waiting tasks of a kind due at a moment at the latest, and changes no others.
 * - `countDelayed` counts the objects with a waiting or running task of a kind that has an error, which is the error of
 *   the last attempt. Hidden and trashed objects are not counted.
 */
export interface TaskStore {
  find(id: string): Promise<Task | undefined>;
  findFor(subject: string, kind: string): Promise<readonly Task[]>;
  save(task: Task): Promise<void>;
  remove(id: string): Promise<void>;
  removeFor(subject: string): Promise<void>;
  nextWaiting(kind: string): Promise<Task | undefined>;
  expedite(kind: string, dueAt: Instant): Promise<void>;
  countDelayed(kind: string): Promise<number>;
}
