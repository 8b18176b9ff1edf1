import type { ZoneLock } from '../../ports/hidden-zone.ts';
import type { PasswordHasher } from '../../ports/secrets.ts';
import type { Entropy, Instant } from '../../ports/time-and-ids.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import type { Turns } from '../shared/turns.ts';
import { pinEntryLocked, pinNotSet, wrongPin } from './errors.ts';
import { zoneFor, type ZoneDeps } from './zone.ts';

const TRIES = 5;
const LOCKED_MS = 15 * 60_000;

export interface PinDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'zoneLock'>;
  readonly passwords: PasswordHasher;
  readonly entropy: Entropy;
  readonly turns: Turns;
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
  const before = await deps.uow.read(caller.scope, ({ zoneLock }) => zoneLock.get());
  if (before) await provePin(deps, caller, change.oldPin);
  const pinHash = await deps.passwords.hash(change.pin);
  return deps.uow.write(caller.scope, async (stores) => {
    const now = await stores.zoneLock.get();
    // If the PIN was set or changed since the check, that change wins.
    if (now?.pinHash !== before?.pinHash) throw wrongPin();
    await stores.zoneLock.put({ pinHash, failures: 0, lockedUntil: null });
    await stores.zoneLock.clearTokens();
    return unlocked(deps, stores);
  });
}

export async function unlockZone(deps: PinDeps, caller: Caller, pin: string): Promise<Unlocked> {
  const lock = await provePin(deps, caller, pin);
  return deps.uow.write(caller.scope, async (stores) => {
    const now = await stores.zoneLock.get();
    if (now?.pinHash !== lock.pinHash) throw wrongPin();
    return unlocked(deps, stores);
  });
}

/** Ends every unlock token. */
export async function lockZone(deps: Pick<PinDeps, 'uow'>, caller: Caller): Promise<void> {
  await deps.uow.write(caller.scope, ({ zoneLock }) => zoneLock.clearTokens());
}

/** Removes the PIN. */
export async function removePin(deps: PinDeps, caller: Caller, pin: string): Promise<void> {
  const lock = await provePin(deps, caller, pin);
  await deps.uow.write(caller.scope, async ({ zoneLock }) => {
    if ((await zoneLock.get())?.pinHash !== lock.pinHash) throw wrongPin();
    await zoneLock.remove();
  });
}

export interface PinState {
  readonly configured: boolean;
  readonly unlocked: boolean;
  readonly lockedUntil: Instant | null;
}

export async function pinState(
  deps: PinDeps,
  caller: Pick<Caller, 'scope' | 'hiddenToken'>,
): Promise<PinState> {
  return deps.uow.read(caller.scope, async ({ zoneLock }) => {
    const lock = await zoneLock.get();
    const live = lock && lock.lockedUntil !== null && lock.lockedUntil > deps.clock.now();
    return {
      configured: lock !== undefined,
      unlocked: (await zoneFor(deps, zoneLock, caller)) === 'open',
      lockedUntil: live ? lock.lockedUntil : null,
    };
  });
}

/**
 * Returns the lock that the PIN opens. Attempts of one owner are serialized, so that correct ones never lock each
 * other out.
 */
const provePin = (deps: PinDeps, caller: Caller, pin: string | undefined): Promise<ZoneLock> =>
  deps.turns(`pin ${caller.scope.ownerId}`, () => tryPin(deps, caller, pin));

/**
 * The attempt is counted, in its own transaction, before the slow comparison. A hundred concurrent guesses, in any
 * number of processes, get five comparisons between them, and a crash clears none.
 */
async function tryPin(deps: PinDeps, caller: Caller, pin: string | undefined): Promise<ZoneLock> {
  const charged = await deps.uow.write(caller.scope, async ({ zoneLock }) => {
    const lock = await zoneLock.get();
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
    await zoneLock.put(next);
    return next;
  });
  if (!(await matches(deps, caller, pin ?? '', charged))) throw wrongPin();
  await deps.uow.write(caller.scope, async ({ zoneLock }) => {
    const now = await zoneLock.get();
    if (now?.pinHash === charged.pinHash)
      await zoneLock.put({ ...now, failures: 0, lockedUntil: null });
  });
  return charged;
}

/** Refunds an attempt that could not be compared: an overloaded service must not lock out the owner. */
async function matches(
  deps: PinDeps,
  caller: Caller,
  pin: string,
  { pinHash }: ZoneLock,
): Promise<boolean> {
  try {
    return await deps.passwords.matches(pin, pinHash);
  } catch (error) {
    await deps.uow.write(caller.scope, async ({ zoneLock }) => {
      const now = await zoneLock.get();
      if (now?.pinHash !== pinHash || now.failures === 0) return;
      await zoneLock.put({ ...now, failures: now.failures - 1, lockedUntil: null });
    });
    throw error;
  }
}

async function unlocked(
  deps: PinDeps,
  stores: Parameters<Parameters<PinDeps['uow']['write']>[1]>[0],
): Promise<Unlocked> {
  const token = deps.entropy.secret(32);
  const expiresAt = deps.clock.now() + deps.unlockSeconds * 1000;
  await stores.zoneLock.addToken({ digest: deps.digests.digest(token), expiresAt });
  return { token, expiresIn: deps.unlockSeconds };
}
