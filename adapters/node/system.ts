import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Clock, Entropy } from '../../ports/time-and-ids.ts';

/**
 * The time of the machine, which never goes back while the process runs: what has expired stays so, however the clock
 * is set. After a step back it goes on at its own pace from where it was, so that nothing stands still either.
 */
function steadyClock(): Clock {
  let ahead = -Infinity;
  return {
    now: () => {
      // Whole milliseconds: fractions of numbers this large would be lost on the way.
      const elapsed = Math.trunc(performance.now());
      ahead = Math.max(ahead, Date.now() - elapsed);
      return ahead + elapsed;
    },
  };
}

export const systemClock: Clock = steadyClock();

export const cryptoEntropy: Entropy = {
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
