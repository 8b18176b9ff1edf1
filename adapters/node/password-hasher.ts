import type { PasswordHasher } from '../../ports/secrets.ts';
import { PortFailure } from '../../ports/failures.ts';

const AT_ONCE = 2;
const MOST_WAITING = 64;
/** OWASP's smallest recommended Argon2id setting. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id, at most two at a time, so that a burst of guesses leaves threads for everybody else. */
export function argon2Hasher(): PasswordHasher {
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= MOST_WAITING)
        throw new PortFailure('passwords', 'Too many password checks at once.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      // The turn goes straight to the next in line; only with nobody waiting is it given up.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  // Loaded at the first password: most processes never see one.
  const library = () => import('@node-rs/argon2');
  return {
    hash: (password) => inTurn(async () => (await library()).hash(password, COST)),
    matches: (password, hash) => inTurn(async () => (await library()).verify(hash, password)),
  };
}
