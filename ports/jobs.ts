/** A nudge to work on a task. The task itself lives in the database; losing a nudge must lose no work. */
export interface Nudge {
  readonly kind: string;
  readonly taskId: string;
}

export interface QueueBounds {
  /** Handlers that may run at once in this process. */
  readonly concurrency: number;
  /** Kinds that are slow, and how many of each may run at once in this process, beside the others. */
  readonly lanes: Readonly<Record<string, number>>;
  /** Nudges that may wait; past that one is dropped, and the sweeper offers its task again. */
  readonly mostWaiting: number;
}

/**
 * Contract (contract-tests/suites/job-queue.ts):
 * - A nudge is delivered at least once to the handler of its kind, also when offered before the handler exists.
 * - One task never runs twice at the same time, however often it is offered.
 * - A handler that rejects does not stop the queue.
 * - No more handlers run at once than the queue was given room for.
 * - No more nudges wait than the queue was given room for.
 * - A kind with a lane of its own neither waits for other kinds nor makes them wait.
 * - `close` waits for running handlers and starts no more.
 */
export interface JobQueue {
  offer(nudge: Nudge): Promise<void>;
  handle(kind: string, run: (taskId: string) => Promise<void>): void;
  /** Nudges that wait for a handler, of whichever process. Rejects with PortFailure while processes share none. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}
