import type { AttemptLimits } from '../shared/attempts.ts';

/** The limits of a share's password. */
export const SHARE_ATTEMPTS: AttemptLimits = {
  windowMs: 15 * 60_000,
  maxTriesPerNetwork: 5,
  maxFastAttempts: 50,
  slowIntervalMs: 3_000,
  reservationMs: 60_000,
  maxReservationWaitMs: 30_000,
};

/** Wrong passwords of one /24 or /48 in any window. After that its attempts are slow, independent of other networks. */
export const MAX_FAST_ATTEMPTS_PER_NETWORK = 10;
