/** A nudge to run a task. The task itself is stored in the database, so a lost nudge loses no work. */
export interface Nudge {
  readonly kind: string;
  readonly taskId: string;
}

export interface QueueLimits {
  /** Maximum number of concurrent handlers in this process. */
  readonly concurrency: number;
  /** Slow kinds with their own concurrency limit in this process, independent of the other kinds. */
  readonly lanes: Readonly<Record<string, number>>;
  /** Maximum number of waiting nudges. Further ones are dropped; the sweeper enqueues their tasks again. */
  readonly maxWaiting: number;
}

/**
 * Contract (contract-tests/suites/job-queue.ts):
 * - A nudge is delivered at least once to the handler of its kind, even if enqueued before the handler is registered.
 * - One task never runs twice at the same time, however often it is enqueued.
 * - A handler that rejects does not stop the queue.
 * - The limit of concurrent handlers is never exceeded.
 * - The limit of waiting nudges is never exceeded.
 * - A kind with its own lane neither waits for other kinds nor delays them.
 * - `close` waits for running handlers and starts no more.
 */
export interface JobQueue {
  enqueue(nudge: Nudge): Promise<void>;
  handle(kind: string, run: (taskId: string) => Promise<void>): void;
  /** Nudges waiting in all processes. Rejects with UnavailableError while the shared queue cannot be reached. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}
