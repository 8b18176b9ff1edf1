import type { PasswordHasher } from '../../ports/secrets.ts';
import { ALL_VISITORS, type Share } from '../../ports/shares.ts';
import type { RandomSource, Instant } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { expiryOf, withoutAttempt, type Tries } from '../shared/attempts.ts';
import type { Slots } from '../shared/slots.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';
import {
  requireShareOwner,
  requireShare,
  type VisitorDeps,
  type VisitorStores,
  type ShareOwnerDeps,
  type ShareOwner,
  type Visitor,
} from './visitor-access.ts';
import { clientNetwork, networkOf } from '../shared/network.ts';
import { admitVisitor, type VisitorVerdict } from './admit-visitor.ts';
import { noPassword, passwordEntryLocked, wrongPassword } from './errors.ts';
import { candidatesOf } from './password.ts';
import { recordFailedUnlock, recordUnlock } from './security-events.ts';
import { SHARE_ATTEMPTS } from './attempts.ts';

const ACCESS_BYTES = 32;
/** Lifetime of an access. */
const ACCESS_SECONDS = 12 * 3_600;
const PURGED_AT_ONCE = 50;
/** Limits of the attempts that one process counts concurrently: for one share, and for all shares of an owner. */
const MAX_PARALLEL_CHARGES = 16;
const MAX_PARALLEL_CHARGES_OF_OWNER = 32;
const BUSY_RETRY_MS = 2_000;

export interface UnlockDeps extends VisitorDeps, ShareOwnerDeps {
  readonly uow: UnitOfWork<keyof VisitorStores | 'securityEvents'>;
  /** A queue separate from that of PINs, so that a flood of guesses does not delay an owner's PIN. */
  readonly visitorPasswords: PasswordHasher;
  readonly random: RandomSource;
  readonly mutex: KeyedMutex;
  readonly slots: Slots;
}

export interface UnlockedShare {
  /** The secret that opens this share from now on. */
  readonly access: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/**
 * Unlocks a share with its password. Attempts of one visitor are serialized, so that correct ones never lock each
 * other out.
 *
 * Ends with `not_found`, `not_configured`, `wrong_password`, and `rate_limited` after five wrong ones of a network in
 * 15 minutes. After 10 wrong ones of one /24 or /48, or 50 of all networks, a share checks one attempt every three
 * seconds, in the order of reservations; a /24 or /48 holds at most one of these.
 */
export async function unlockShare(
  deps: UnlockDeps,
  visitor: Visitor,
  token: string,
  password: string,
): Promise<UnlockedShare> {
  const host = await requireShareOwner(deps, token);
  const { address } = visitor;
  const keys: AttemptKeys = {
    own: deps.digests.digest(`${host.shareId} ${clientNetwork(address)}`),
    network: deps.digests.digest(`${host.shareId} network ${networkOf(address)}`),
    all: ALL_VISITORS,
  };
  return deps.mutex(`share ${keys.own}`, () => tryPassword(deps, host, visitor, keys, password));
}

/** Under which the attempts of a visitor, of the visitor's network and of all visitors are stored. */
interface AttemptKeys {
  readonly own: string;
  readonly network: string;
  readonly all: string;
}

/**
 * The attempt is counted, in its own transaction, before the slow comparison. A hundred concurrent guesses, in any
 * number of processes, get five comparisons between them, and a crash clears none. A correct attempt is refunded, and
 * so is one that was never compared.
 */
async function tryPassword(
  deps: UnlockDeps,
  host: ShareOwner,
  visitor: Visitor,
  keys: AttemptKeys,
  password: string,
): Promise<UnlockedShare> {
  const { shareId } = host;
  // Rejects most of a flood by a read: writes of one owner are serialized.
  await deps.uow.read(host.scope, (stores) => requireAdmitted(deps, stores, shareId, keys));
  const { share, passwordHash, attempts, at } = await chargeInSlot(deps, host, keys);
  let matches: boolean;
  try {
    matches = await matchesAny(deps, candidatesOf(password), passwordHash);
  } catch (error) {
    await deps.uow.write(host.scope, (stores) => refund(stores, shareId, keys, at));
    throw error;
  }
  if (!matches) {
    // Committed before the visitor learns that the password is wrong: a crash in between answers no guess.
    await deps.uow.write(host.scope, (stores) =>
      recordFailedUnlock(deps, stores, visitor, share, attempts),
    );
    throw wrongPassword();
  }
  const access = deps.random.secret(ACCESS_BYTES);
  return deps.uow.write(host.scope, async (stores) => {
    const { share: now } = await requireShare(deps, stores, shareId);
    // The owner may have changed the password since the check.
    if (now.passwordHash !== passwordHash) throw wrongPassword();
    await refund(stores, shareId, keys, at);
    const expiresAt = deps.clock.now() + ACCESS_SECONDS * 1_000;
    await stores.shares.addAccess({ shareId, digest: deps.digests.digest(access), expiresAt });
    await recordUnlock(deps, stores, visitor, now);
    return { access, expiresIn: ACCESS_SECONDS };
  });
}

/** Compares all candidates, even after a match, so that the time reveals nothing about the password. */
async function matchesAny(
  { visitorPasswords }: UnlockDeps,
  candidates: readonly string[],
  hash: string,
): Promise<boolean> {
  let found = false;
  for (const each of candidates) found = (await visitorPasswords.matches(each, hash)) || found;
  return found;
}

type TryStores = VisitorStores;

interface Verified {
  readonly share: Share;
  readonly passwordHash: string;
  readonly verdict: VisitorVerdict;
  readonly at: Instant;
}

async function verifyPassword(
  deps: UnlockDeps,
  stores: TryStores,
  shareId: string,
  keys: AttemptKeys,
): Promise<Verified> {
  const { share } = await requireShare(deps, stores, shareId);
  const { passwordHash } = share;
  if (passwordHash === null) throw noPassword();
  const at = deps.clock.now();
  const tries = {
    own: await stores.shares.attempts(shareId, keys.own),
    network: await stores.shares.attempts(shareId, keys.network),
    all: await stores.shares.attempts(shareId, keys.all),
  };
  return { share, passwordHash, verdict: admitVisitor(tries, at), at };
}

/** Rejects an attempt that would neither be checked nor get a reservation. */
async function requireAdmitted(
  deps: UnlockDeps,
  stores: TryStores,
  shareId: string,
  keys: AttemptKeys,
): Promise<void> {
  const { verdict } = await verifyPassword(deps, stores, shareId, keys);
  if (!verdict.admitted && !verdict.stored) throw locked(verdict.retryAfterMs);
}

/** A flood of guesses from many networks must not fill the queue of the owner's writes. */
async function chargeInSlot(
  deps: UnlockDeps,
  host: ShareOwner,
  keys: AttemptKeys,
): Promise<Charged> {
  const release = deps.slots([
    { name: `tries ${host.shareId}`, max: MAX_PARALLEL_CHARGES },
    { name: `tries of ${host.scope.ownerId}`, max: MAX_PARALLEL_CHARGES_OF_OWNER },
  ]);
  if (!release) throw locked(BUSY_RETRY_MS);
  try {
    return await charge(deps, host, keys);
  } finally {
    release();
  }
}

interface Charged extends Omit<Verified, 'verdict'> {
  /** Of all visitors in the present window, this one included. */
  readonly attempts: number;
}

async function charge(
  deps: UnlockDeps,
  { scope, shareId }: ShareOwner,
  keys: AttemptKeys,
): Promise<Charged> {
  const { verdict, ...charged } = await deps.uow.write(scope, async (stores) => {
    const verified = await verifyPassword(deps, stores, shareId, keys);
    await stores.shares.removeExpired(verified.at, PURGED_AT_ONCE);
    const { stored } = verified.verdict;
    if (stored)
      for (const kind of ['own', 'network', 'all'] as const)
        await saveAttempts(stores, shareId, keys[kind], stored[kind]);
    return verified;
  });
  // Thrown after the commit, which stores the reservation.
  if (!verdict.admitted) throw locked(verdict.retryAfterMs);
  return { ...charged, attempts: verdict.stored.all.attemptTimes.length };
}

async function refund(
  stores: Pick<VisitorStores, 'shares'>,
  shareId: string,
  keys: AttemptKeys,
  at: Instant,
): Promise<void> {
  for (const visitor of [keys.own, keys.network, keys.all]) {
    const tries = await stores.shares.attempts(shareId, visitor);
    if (tries) await saveAttempts(stores, shareId, visitor, withoutAttempt(tries, at));
  }
}

const saveAttempts = (
  { shares }: Pick<VisitorStores, 'shares'>,
  shareId: string,
  visitor: string,
  tries: Tries,
): Promise<void> =>
  shares.saveAttempts({
    ...tries,
    shareId,
    visitor,
    expiresAt: Math.max(
      expiryOf(SHARE_ATTEMPTS, tries),
      // A reservation that lapses counts as an attempt for as long.
      tries.reservedAt === null ? 0 : tries.reservedAt + SHARE_ATTEMPTS.windowMs,
    ),
  });

const locked = (retryAfterMs: number) =>
  passwordEntryLocked({}, Math.max(1, Math.ceil(retryAfterMs / 1_000)));
