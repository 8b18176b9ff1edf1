import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';
import type { SecretDigest } from '../../ports/secrets.ts';
import type { Breather, Clock, Entropy } from '../../ports/time-and-ids.ts';

export const systemClock: Clock = { now: () => Date.now() };

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

/** The next turn of the event loop: timers, sockets and everybody else come first. */
export const eventLoopBreather: Breather = {
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
};
