import type { Instant } from '../../ports/runtime.ts';

/** How many wrong passwords are compared: those of one network, and those of all networks together. */
export interface AttemptLimits {
  /** Wrong passwords older than this are forgotten. */
  readonly windowMs: number;
  /**
   * Rate limit of one network: wrong passwords in any window. More are rejected until the earliest has left the window.
   */
  readonly maxTriesPerNetwork: number;
  /** Wrong passwords of all networks in any window. After that what the password protects is slow. */
  readonly maxFastAttempts: number;
  /** One attempt is accepted per interval while it is slow. */
  readonly slowIntervalMs: number;
  /** How long a reserved attempt may be used once its time has come. */
  readonly reservationMs: number;
  /**
   * How far ahead attempts are reserved. A flood from networks that never return delays a visitor for no longer than
   * this. It also bounds the stored rows, since networks are unlimited.
   */
  readonly maxReservationWaitMs: number;
}

/** The attempts of one network, or of all networks together. */
export interface Tries {
  /** Earliest first. */
  readonly attemptTimes: readonly Instant[];
  /** When the reserved attempt begins; of all networks, the latest reservation. null for none. */
  readonly reservedAt: Instant | null;
}

/**
 * The decision on an attempt: it is compared now or rejected with a delay. Also the attempts to store, if they
 * change.
 */
export type Verdict =
  | { readonly admitted: true; readonly own: Tries; readonly all: Tries }
  | {
      readonly admitted: false;
      readonly retryAfterMs: number;
      readonly reserved?: { readonly own: Tries; readonly all: Tries };
    };

/**
 * Decides whether a network may try a password now, by its own attempts and by those of all networks.
 *
 * While attempts are slow, the next free times are reserved for the networks in request order. Without that, a client that
 * sends requests continuously would get every free time, and a client that waits for `Retry-After` would get none.
 * `isSlow`: this attempt waits for a free time even if those of all networks are few.
 */
export function admitAttempt(
  limits: AttemptLimits,
  own: Tries | undefined,
  all: Tries | undefined,
  now: Instant,
  isSlow = false,
): Verdict {
  const mine = recent(limits, own, now);
  const [earliest] = mine;
  if (earliest !== undefined && mine.length >= limits.maxTriesPerNetwork)
    return { admitted: false, retryAfterMs: earliest + limits.windowMs - now };
  const everyone = recent(limits, all, now);
  // More than `maxFastAttempts`, so that refunding a correct password does not make the next ones fast.
  const maxStored = 2 * limits.maxFastAttempts;
  const admitted = (latest: Instant | null): Verdict => ({
    admitted: true,
    own: { attemptTimes: [...mine, now], reservedAt: null },
    all: { attemptTimes: [...everyone, now].slice(-maxStored), reservedAt: latest },
  });
  const latest = all?.reservedAt ?? null;
  if (!isSlow && everyone.length < limits.maxFastAttempts) return admitted(latest);
  const reserved = own?.reservedAt ?? null;
  if (reserved !== null && now < reserved + limits.reservationMs)
    return reserved <= now ? admitted(latest) : { admitted: false, retryAfterMs: reserved - now };
  const free = latest === null ? now : Math.max(now, latest + limits.slowIntervalMs);
  if (free === now) return admitted(now);
  const tooFar = free - now - limits.maxReservationWaitMs;
  if (tooFar > 0) return { admitted: false, retryAfterMs: tooFar };
  return {
    admitted: false,
    retryAfterMs: free - now,
    reserved: {
      own: { attemptTimes: mine, reservedAt: free },
      all: { attemptTimes: everyone, reservedAt: free },
    },
  };
}

/** The attempts with a reservation that was not used: it took a free time from others, so it counts as an attempt. */
export function withLapsedReservation(
  limits: AttemptLimits,
  tries: Tries | undefined,
  now: Instant,
): Tries {
  const { attemptTimes, reservedAt } = tries ?? { attemptTimes: [], reservedAt: null };
  if (reservedAt === null || now < reservedAt + limits.reservationMs)
    return { attemptTimes, reservedAt };
  return { attemptTimes: [...attemptTimes, reservedAt].sort((a, b) => a - b), reservedAt: null };
}

/** The attempts without one that turned out correct. Of equal times only one is removed. */
export function withoutAttempt({ attemptTimes, reservedAt }: Tries, moment: Instant): Tries {
  const index = attemptTimes.lastIndexOf(moment);
  return { attemptTimes: attemptTimes.filter((_, i) => i !== index), reservedAt };
}

/** The moment from which these attempts no longer count. */
export const expiryOf = (limits: AttemptLimits, { attemptTimes, reservedAt }: Tries): Instant =>
  Math.max(
    (attemptTimes.at(-1) ?? 0) + limits.windowMs,
    reservedAt === null ? 0 : reservedAt + limits.reservationMs,
  );

/** The attempts of the present window. */
export const recent = (
  { windowMs }: Pick<AttemptLimits, 'windowMs'>,
  tries: Tries | undefined,
  now: Instant,
): readonly Instant[] => (tries?.attemptTimes ?? []).filter((moment) => moment > now - windowMs);
