import type { Instant } from '../../ports/runtime.ts';
import { admitAttempt, recent, withLapsedReservation, type Tries } from '../shared/attempts.ts';
import { MAX_FAST_ATTEMPTS_PER_NETWORK, SHARE_ATTEMPTS } from './attempts.ts';

/** The attempts on a share that an attempt is judged by. */
export interface ShareTries {
  /** Of the visitor: an IPv4 address, or the /64 of an IPv6 address. */
  readonly own: Tries | undefined;
  /** Of the visitor's network: the /24 of an IPv4 address, the /48 of an IPv6 address. */
  readonly network: Tries | undefined;
  readonly all: Tries | undefined;
}

type StoredTries = { readonly [K in keyof ShareTries]: Tries };

export type VisitorVerdict =
  | { readonly admitted: true; readonly stored: StoredTries }
  | { readonly admitted: false; readonly retryAfterMs: number; readonly stored?: StoredTries };

/**
 * Decides whether a visitor may try a password now. A sender that rotates its addresses inside one network is slow after a
 * few attempts, when others are still fast. Its addresses hold one reservation between them, so free times remain for
 * others.
 */
export function admitVisitor(tries: ShareTries, now: Instant): VisitorVerdict {
  const own = withLapsedReservation(SHARE_ATTEMPTS, tries.own, now);
  const network = withLapsedReservation(SHARE_ATTEMPTS, tries.network, now);
  const ofNetwork = recent(SHARE_ATTEMPTS, network, now);
  const isSlow = ofNetwork.length >= MAX_FAST_ATTEMPTS_PER_NETWORK;
  const verdict = admitAttempt(SHARE_ATTEMPTS, own, tries.all, now, isSlow);
  const isOfOther = network.reservedAt !== null && network.reservedAt !== own.reservedAt;
  const needsTime = isSlow || isSlowForAll(tries.all, now);
  if (isOfOther && needsTime && (verdict.admitted || verdict.reserved))
    return {
      admitted: false,
      retryAfterMs: Math.max(network.reservedAt - now, 0) + SHARE_ATTEMPTS.slowIntervalMs,
    };
  if (verdict.admitted)
    return {
      admitted: true,
      stored: {
        own: verdict.own,
        network: {
          attemptTimes: [...ofNetwork, now].slice(-2 * MAX_FAST_ATTEMPTS_PER_NETWORK),
          reservedAt: isOfOther ? network.reservedAt : null,
        },
        all: verdict.all,
      },
    };
  const { retryAfterMs, reserved } = verdict;
  if (!reserved) return { admitted: false, retryAfterMs };
  const { reservedAt } = reserved.own;
  return {
    admitted: false,
    retryAfterMs,
    stored: { ...reserved, network: { attemptTimes: ofNetwork, reservedAt } },
  };
}

const isSlowForAll = (all: Tries | undefined, now: Instant): boolean =>
  recent(SHARE_ATTEMPTS, all, now).length >= SHARE_ATTEMPTS.maxFastAttempts;
