import type { PasswordHasher } from '../../ports/secrets.ts';
import { UnavailableError } from '../../ports/errors.ts';

/** OWASP's minimum recommended Argon2id setting. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface HasherOptions {
  /** Hashes computed at the same time. Each takes a thread and 19 MiB. */
  readonly maxRunning?: number;
  readonly maxWaiting?: number;
  /** How long a hash may wait until it begins. */
  readonly maxWaitMs?: number;
}

/**
 * Argon2id. Each hasher has a queue of its own, so that a full queue does not delay hashes of another hasher. Few run at the
 * same time, which leaves threads for other work. A hash fails with UnavailableError if the queue is full or its wait too long.
 */
export function argon2Hasher({
  maxRunning = 2,
  maxWaiting = 64,
  maxWaitMs = 10_000,
}: HasherOptions = {}): PasswordHasher {
  let running = 0;
  const waiting = new Set<() => void>();
  const begin = (): Promise<void> =>
    new Promise((resolve, reject) => {
      if (running < maxRunning) {
        running++;
        return resolve();
      }
      if (waiting.size >= maxWaiting)
        return reject(new UnavailableError('passwords', 'Too many password checks at once.'));
      const start = () => {
        clearTimeout(deadline);
        waiting.delete(start);
        resolve();
      };
      const deadline = setTimeout(() => {
        waiting.delete(start);
        reject(new UnavailableError('passwords', 'A password check did not begin in time.'));
      }, maxWaitMs);
      deadline.unref();
      waiting.add(start);
    });
  const queued = async <T>(work: () => Promise<T>): Promise<T> => {
    await begin();
    try {
      return await work();
    } finally {
      // The slot passes to the next hash in the queue; it is released only if the queue is empty.
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };
  // Loaded at the first password: most processes never see one.
  const library = () => import('@node-rs/argon2');
  return {
    hash: (password) => queued(async () => (await library()).hash(password, COST)),
    matches: (password, hash) => queued(async () => (await library()).verify(hash, password)),
  };
}
