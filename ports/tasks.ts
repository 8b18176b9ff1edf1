import type { Instant } from './time-and-ids.ts';

export type TaskState = 'waiting' | 'running' | 'failed';

/**
 * Work to be done after the change that asked for it, written in the same transaction. A task that is done is
 * removed in the transaction of its effect, so that a second delivery finds nothing to do.
 */
export interface Task {
  readonly id: string;
  readonly kind: string;
  /** What the task works on, as its kind understands it. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly state: TaskState;
  readonly attempts: number;
  /** Not before this moment. */
  readonly dueAt: Instant;
  /** While running: when the claim lapses and somebody else may take the task. */
  readonly leaseUntil: Instant | null;
  readonly error: string | null;
  readonly createdAt: Instant;
}

/**
 * The tasks of one owner.
 *
 * Contract (contract-tests/suites/task-store.ts):
 * - `save` inserts or replaces, and `find` gives back what was saved, field for field.
 * - `findFor` gives the tasks of one kind for a subject, oldest first, whatever their state.
 * - `remove` takes a task away; removing a missing one changes nothing.
 * - `removeFor` takes away every task of the subject and no other.
 */
export interface TaskStore {
  find(id: string): Promise<Task | undefined>;
  findFor(subject: string, kind: string): Promise<readonly Task[]>;
  save(task: Task): Promise<void>;
  remove(id: string): Promise<void>;
  removeFor(subject: string): Promise<void>;
}
