import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';

/**
 * The system time, monotonic within a process: expired items stay expired when the clock is set back. After a step
 * back the time continues at normal speed from its last value.
 */
function steadyClock(): Clock {
  let ahead = -Infinity;
  return {
    now: () => {
      // Whole milliseconds: large numbers have no precision for fractions.
      const elapsed = Math.trunc(performance.now());
      ahead = Math.max(ahead, Date.now() - elapsed);
      return ahead + elapsed;
    },
  };
}

export const systemClock: Clock = steadyClock();

export const cryptoRandom: RandomSource = {
  uuid: () => v7(),
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
};

export const sha256Digest: SecretDigest = {
  digest: (secret) => hash('sha256', secret),
  matches: (secret, digest) => {
    const known = Buffer.from(digest, 'hex');
    const sent = hash('sha256', secret, 'buffer');
    return known.length === sent.length && timingSafeEqual(sent, known);
  },
};
