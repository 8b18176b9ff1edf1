import type { Lock, Locker } from '@tus/server';
import { unavailable } from '../../../core/shared/common-errors.ts';

/** How long a request waits for the one before it. */
const MAX_WAIT_MS = 10_000;
const MAX_WAITING = 16;
const RETRY_SECONDS = 2;

interface Held {
  /** Asks the holder to end early: it stores what has arrived. */
  readonly release: () => Promise<void> | void;
  readonly freed: PromiseWithResolvers<void>;
  waiting: number;
}

/**
 * Lets one request of this process at a time work on an upload. A request that arrives takes the place of the one before it,
 * whose connection may be dead. Requests in other processes are kept apart by the offset in the row of the upload.
 */
export class UploadLocks {
  readonly #held = new Map<string, Held>();

  /** The locks of one owner: a request of another one must not end theirs. */
  of(ownerId: string): Locker {
    return { newLock: (id) => this.#lock(`${ownerId} ${id}`) };
  }

  #lock(key: string): Lock {
    return {
      lock: async (signal, release) => {
        await this.#wait(key, signal);
        this.#held.set(key, { release, freed: Promise.withResolvers(), waiting: 0 });
      },
      unlock: () => {
        const held = this.#held.get(key);
        this.#held.delete(key);
        held?.freed.resolve();
        return Promise.resolve();
      },
    };
  }

  async #wait(key: string, signal: AbortSignal): Promise<void> {
    if (!this.#held.has(key)) return;
    const late = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
    const stopped = new Promise<void>((resolve) => {
      late.addEventListener('abort', () => resolve(), { once: true });
    });
    for (let held = this.#held.get(key); held; held = this.#held.get(key)) {
      if (late.aborted || held.waiting >= MAX_WAITING) throw unavailable({}, RETRY_SECONDS);
      held.waiting += 1;
      await held.release();
      await Promise.race([held.freed.promise, stopped]);
      held.waiting -= 1;
    }
  }
}
