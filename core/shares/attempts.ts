import type { PasswordAttempts } from '../../ports/shares.ts';
import type { Instant } from '../../ports/runtime.ts';

export const WINDOW_MS = 15 * 60_000;
/**
 * Rate limit of one network: wrong passwords in any window. More are rejected until the earliest has left the window.
 */
const MAX_TRIES_PER_NETWORK = 5;
/** Wrong passwords of all networks in any window. After that the share is slow. */
export const MAX_FAST_ATTEMPTS = 50;
/** A slow share accepts one attempt per interval. */
export const SLOW_INTERVAL_MS = 3_000;
/** How long a reserved attempt may be used once its time has come. */
export const RESERVATION_MS = 60_000;
/**
 * How far ahead attempts are reserved. A flood from networks that never return delays a visitor for no longer than
 * this. It also bounds the rows of a slow share, whose networks are unlimited.
 */
export const MAX_RESERVATION_WAIT_MS = 30_000;
/** More than `MAX_FAST_ATTEMPTS`, so that refunding a correct password leaves a slow share slow. */
const MAX_STORED_TRIES = 2 * MAX_FAST_ATTEMPTS;

type Tries = Pick<PasswordAttempts, 'attemptTimes' | 'reservedAt'>;

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
 * A slow share reserves its next free times for the networks in request order. Without that, a client that sends
 * requests all the time would get every time, and a visitor who waits as told would get none.
 */
export function admitAttempt(
  own: Tries | undefined,
  all: Tries | undefined,
  now: Instant,
): Verdict {
  const mine = recent(own, now);
  const [earliest] = mine;
  if (earliest !== undefined && mine.length >= MAX_TRIES_PER_NETWORK)
    return { admitted: false, retryAfterMs: earliest + WINDOW_MS - now };
  const everyone = recent(all, now);
  const admitted = (latest: Instant | null): Verdict => ({
    admitted: true,
    own: { attemptTimes: [...mine, now], reservedAt: null },
    all: { attemptTimes: [...everyone, now].slice(-MAX_STORED_TRIES), reservedAt: latest },
  });
  if (everyone.length < MAX_FAST_ATTEMPTS) return admitted(null);
  const latest = all?.reservedAt ?? null;
  const reserved = own?.reservedAt ?? null;
  if (reserved !== null && now < reserved + RESERVATION_MS)
    return reserved <= now ? admitted(latest) : { admitted: false, retryAfterMs: reserved - now };
  const free = latest === null ? now : Math.max(now, latest + SLOW_INTERVAL_MS);
  if (free === now) return admitted(now);
  const tooFar = free - now - MAX_RESERVATION_WAIT_MS;
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

/** The attempts without one that turned out correct. Of equal times only one is removed. */
export function withoutAttempt({ attemptTimes, reservedAt }: Tries, moment: Instant): Tries {
  const index = attemptTimes.lastIndexOf(moment);
  return { attemptTimes: attemptTimes.filter((_, i) => i !== index), reservedAt };
}

/** The moment from which these attempts no longer count. */
export const expiryOf = ({ attemptTimes, reservedAt }: Tries): Instant =>
  Math.max(
    (attemptTimes.at(-1) ?? 0) + WINDOW_MS,
    reservedAt === null ? 0 : reservedAt + RESERVATION_MS,
  );

const recent = (tries: Tries | undefined, now: Instant): readonly Instant[] =>
  (tries?.attemptTimes ?? []).filter((moment) => moment > now - WINDOW_MS);
