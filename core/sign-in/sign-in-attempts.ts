import { foldName } from '../../ports/library.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { KeyedDigest } from '../../ports/secrets.ts';
import type { SignInAttemptRecord, SignInAttempts } from '../../ports/sign-in.ts';
import {
  admitAttempt,
  expiryOf,
  withoutAttempt,
  type AttemptLimits,
  type Tries,
} from '../shared/attempts.ts';
import { unavailable } from '../shared/common-errors.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';
import { networkOf } from '../shared/network.ts';
import type { Slots } from '../shared/slots.ts';
import { tooManyWrongPasswords } from './errors.ts';

/** The limits of an account's password. */
export const PASSWORD_ATTEMPTS: AttemptLimits = {
  windowMs: 15 * 60_000,
  maxTriesPerNetwork: 10,
  maxFastAttempts: 100,
  slowIntervalMs: 5_000,
  reservationMs: 60_000,
  // Sixty reservations, one a network: guessers with fewer networks can not take the turn of an owner.
  maxReservationWaitMs: 5 * 60_000,
};

/** Limits of the checks that one process runs or queues: all together, and those for one network. */
const MAX_PARALLEL_CHECKS = 32;
const MAX_PARALLEL_CHECKS_OF_NETWORK = 8;
const BUSY_RETRY_SECONDS = 2;

export interface AttemptDeps {
  readonly signInAttempts: SignInAttempts;
  readonly keyedDigests: KeyedDigest;
  readonly clock: Clock;
  readonly mutex: KeyedMutex;
  readonly slots: Slots;
}

/** What is guessed and from where, as keyed digests: the stored rows reveal no name and no address. */
export interface AttemptKey {
  readonly account: string;
  readonly network: string;
}

/** Of a sign-in by account name. A name without an account has a key like any other. */
export const signInKey = (deps: AttemptDeps, name: string, address: string): AttemptKey =>
  keyOf(deps, `name ${foldName(name)}`, address);

/** Of the current password, sent by its owner. Separate, so that guessers of the name do not delay the owner. */
export const passwordChangeKey = (
  deps: AttemptDeps,
  ownerId: string,
  address: string,
): AttemptKey => keyOf(deps, `owner ${ownerId}`, address);

const keyOf = ({ keyedDigests }: AttemptDeps, subject: string, address: string): AttemptKey => ({
  account: keyedDigests.digest('sign-in account', subject),
  network: keyedDigests.digest('sign-in network', networkOf(address)),
});

/**
 * Runs a slow comparison under the limits. It is counted before, in a transaction of its own: a hundred concurrent
 * guesses, in any number of processes, get ten comparisons between them, and a crash clears none. An attempt that turns out
 * right is refunded, and so is one that could not be compared. undefined means wrong.
 *
 * Ends with `rate_limited`, or with `unavailable` while too many checks wait in this process.
 */
export async function tryPassword<T>(
  deps: AttemptDeps,
  key: AttemptKey,
  compare: () => Promise<T | undefined>,
): Promise<T | undefined> {
  // Rejects most of a flood by a read.
  await requireAdmissible(deps, key);
  const release = acquireSlots(deps, key);
  try {
    // Attempts of one network are serialized, so that correct ones never lock each other out.
    return await deps.mutex(`sign-in ${key.account} ${key.network}`, async () => {
      const at = await charge(deps, key);
      let right: T | undefined;
      try {
        right = await compare();
      } catch (error) {
        await refund(deps, key, at);
        throw error;
      }
      if (right !== undefined) await refund(deps, key, at);
      return right;
    });
  } finally {
    release();
  }
}

function acquireSlots({ slots }: AttemptDeps, { network }: AttemptKey): () => void {
  const ofNetwork = slots([
    { name: `password checks of ${network}`, max: MAX_PARALLEL_CHECKS_OF_NETWORK },
  ]);
  if (!ofNetwork) throw tooManyWrongPasswords({}, BUSY_RETRY_SECONDS, BUSY);
  const ofProcess = slots([{ name: 'password checks', max: MAX_PARALLEL_CHECKS }]);
  if (ofProcess)
    return () => {
      ofProcess();
      ofNetwork();
    };
  ofNetwork();
  throw unavailable({}, BUSY_RETRY_SECONDS);
}

const BUSY = 'Too many passwords from this network are being checked. Try again in a few seconds.';

/** Rejects an attempt that would neither be compared nor get a reservation. */
async function requireAdmissible(
  { signInAttempts, clock }: AttemptDeps,
  { account, network }: AttemptKey,
): Promise<void> {
  const { own, all } = await signInAttempts.read(account, network);
  const verdict = admitAttempt(PASSWORD_ATTEMPTS, own, all, clock.now());
  if (!verdict.admitted && !verdict.reserved) throw delayed(verdict.retryAfterMs);
}

/** Counts an attempt. Returns its time. */
async function charge(
  { signInAttempts, clock }: AttemptDeps,
  { account, network }: AttemptKey,
): Promise<Instant> {
  const { verdict, at } = await signInAttempts.update(account, network, ({ own, all }) => {
    const at = clock.now();
    const verdict = admitAttempt(PASSWORD_ATTEMPTS, own, all, at);
    const stored = verdict.admitted ? verdict : verdict.reserved;
    const result = { verdict, at };
    return stored
      ? { next: { own: recordOf(stored.own), all: recordOf(stored.all) }, result }
      : { result };
  });
  // Thrown after the commit, which stores the reservation.
  if (!verdict.admitted) throw delayed(verdict.retryAfterMs);
  return at;
}

async function refund(
  { signInAttempts }: AttemptDeps,
  { account, network }: AttemptKey,
  at: Instant,
): Promise<void> {
  await signInAttempts.update(account, network, ({ own, all }) => ({
    next: {
      own: own && recordOf(withoutAttempt(own, at)),
      all: all && recordOf(withoutAttempt(all, at)),
    },
    result: undefined,
  }));
}

const recordOf = (tries: Tries): SignInAttemptRecord => ({
  ...tries,
  expiresAt: expiryOf(PASSWORD_ATTEMPTS, tries),
});

const delayed = (retryAfterMs: number) =>
  tooManyWrongPasswords({}, Math.max(1, Math.ceil(retryAfterMs / 1_000)));
