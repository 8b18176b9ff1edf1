import type { PinLock } from '../../ports/hidden-zone.ts';
import type { PasswordHasher } from '../../ports/secrets.ts';
import type { RandomSource, Instant } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';
import { recordSecurityEvent, recordZoneLockout, sourceOf } from '../security-events/index.ts';
import { pinEntryLocked, pinNotSet, wrongPin } from './errors.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { requireStoredCredential } from '../identity/index.ts';

const TRIES = 5;
const LOCKED_MS = 15 * 60_000;

type PinStores = Pick<
  Stores,
  'pinLock' | 'securityEvents' | 'notifications' | 'sessions' | 'tokens'
>;

export interface PinDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof PinStores>;
  readonly passwords: PasswordHasher;
  readonly random: RandomSource;
  readonly mutex: KeyedMutex;
  /** Lifetime of an unlock token. */
  readonly unlockSeconds: number;
}

export interface Unlocked {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** Sets the first PIN, or changes it with the old one. Ends every earlier unlock token. */
export async function setPin(
  deps: PinDeps,
  caller: Caller,
  change: { readonly pin: string; readonly oldPin?: string },
): Promise<Unlocked> {
  const before = await deps.uow.read(caller.scope, ({ pinLock }) => pinLock.get());
  if (before) await provePin(deps, caller, change.oldPin);
  const pinHash = await deps.passwords.hash(change.pin);
  return deps.uow.write(caller.scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    const now = await stores.pinLock.get();
    // If the PIN was set or changed since the check, that change wins.
    if (now?.pinHash !== before?.pinHash) throw wrongPin();
    await stores.pinLock.put({ pinHash, failures: 0, lockedUntil: null });
    await stores.pinLock.clearTokens();
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'pin_set',
      detail: before ? 'The PIN of the hidden zone was changed.' : 'A PIN was set.',
      facts: { is_change: before !== undefined },
    });
    return unlocked(deps, stores);
  });
}

export async function unlockZone(deps: PinDeps, caller: Caller, pin: string): Promise<Unlocked> {
  const lock = await provePin(deps, caller, pin);
  return deps.uow.write(caller.scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    const now = await stores.pinLock.get();
    if (now?.pinHash !== lock.pinHash) throw wrongPin();
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'zone_unlocked',
      detail: 'The hidden zone was unlocked.',
    });
    return unlocked(deps, stores);
  });
}

/** Ends every unlock token. */
export async function lockZone(
  deps: { readonly uow: UnitOfWork<'pinLock'> },
  caller: Caller,
): Promise<void> {
  await deps.uow.write(caller.scope, ({ pinLock }) => pinLock.clearTokens());
}

/** Removes the PIN. */
export async function removePin(deps: PinDeps, caller: Caller, pin: string): Promise<void> {
  const lock = await provePin(deps, caller, pin);
  await deps.uow.write(caller.scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    const { pinLock } = stores;
    if ((await pinLock.get())?.pinHash !== lock.pinHash) throw wrongPin();
    await pinLock.remove();
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'pin_removed',
      detail: 'The PIN of the hidden zone was removed.',
    });
  });
}

export interface PinState {
  readonly configured: boolean;
  readonly unlocked: boolean;
  readonly lockedUntil: Instant | null;
}

export async function pinState(
  deps: ZoneDeps & { readonly uow: UnitOfWork<'pinLock'> },
  caller: Pick<Caller, 'scope' | 'hiddenToken'>,
): Promise<PinState> {
  return deps.uow.read(caller.scope, async ({ pinLock }) => {
    const lock = await pinLock.get();
    const live = lock && lock.lockedUntil !== null && lock.lockedUntil > deps.clock.now();
    return {
      configured: lock !== undefined,
      unlocked: (await zoneFor(deps, pinLock, caller)) === 'open',
      lockedUntil: live ? lock.lockedUntil : null,
    };
  });
}

/**
 * Returns the lock that the PIN opens. Attempts of one owner are serialized, so that correct ones never lock each
 * other out.
 */
const provePin = (deps: PinDeps, caller: Caller, pin: string | undefined): Promise<PinLock> =>
  deps.mutex(`pin ${caller.scope.ownerId}`, () => tryPin(deps, caller, pin));

/**
 * The attempt is counted, in its own transaction, before the slow comparison. A hundred concurrent guesses, in any
 * number of processes, get five comparisons between them, and a crash clears none.
 */
async function tryPin(deps: PinDeps, caller: Caller, pin: string | undefined): Promise<PinLock> {
  const charged = await deps.uow.write(caller.scope, async ({ pinLock }) => {
    const lock = await pinLock.get();
    if (!lock) throw pinNotSet();
    const now = deps.clock.now();
    const { lockedUntil } = lock;
    if (lockedUntil !== null && lockedUntil > now)
      throw pinEntryLocked({}, Math.ceil((lockedUntil - now) / 1000));
    // An absent PIN is not counted as a guess.
    if (pin === undefined) throw wrongPin();
    const failures = (lockedUntil === null ? lock.failures : 0) + 1;
    const next = {
      ...lock,
      failures,
      lockedUntil: failures >= TRIES ? now + LOCKED_MS : null,
    };
    await pinLock.put(next);
    return next;
  });
  if (!(await matches(deps, caller, pin ?? '', charged))) {
    await recordFailure(deps, caller, charged);
    throw wrongPin();
  }
  await deps.uow.write(caller.scope, async ({ pinLock }) => {
    const now = await pinLock.get();
    if (now?.pinHash === charged.pinHash)
      await pinLock.put({ ...now, failures: 0, lockedUntil: null });
  });
  return charged;
}

/** Committed before the caller learns that the PIN is wrong: a crash in between answers no guess. */
async function recordFailure(
  deps: PinDeps,
  caller: Caller,
  { lockedUntil }: PinLock,
): Promise<void> {
  const source = sourceOf(caller);
  await deps.uow.write(caller.scope, async (stores) => {
    await recordSecurityEvent(deps, stores, source, {
      kind: 'zone_unlock_failed',
      detail: 'A wrong PIN was entered.',
    });
    if (lockedUntil !== null)
      await recordZoneLockout(deps, stores, source, { attempts: TRIES, until: lockedUntil });
  });
}

/** Refunds an attempt that could not be compared: an overloaded service must not lock out the owner. */
async function matches(
  deps: PinDeps,
  caller: Caller,
  pin: string,
  { pinHash }: PinLock,
): Promise<boolean> {
  try {
    return await deps.passwords.matches(pin, pinHash);
  } catch (error) {
    await deps.uow.write(caller.scope, async ({ pinLock }) => {
      const now = await pinLock.get();
      if (now?.pinHash !== pinHash || now.failures === 0) return;
      await pinLock.put({ ...now, failures: now.failures - 1, lockedUntil: null });
    });
    throw error;
  }
}

async function unlocked(deps: PinDeps, stores: Pick<Stores, 'pinLock'>): Promise<Unlocked> {
  const token = deps.random.secret(32);
  const expiresAt = deps.clock.now() + deps.unlockSeconds * 1000;
  await stores.pinLock.addToken({ digest: deps.digests.digest(token), expiresAt });
  return { token, expiresIn: deps.unlockSeconds };
}
