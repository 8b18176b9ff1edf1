import type { CommonPasswords } from '../../ports/common-passwords.ts';
import type { PasswordHasher, Sealer } from '../../ports/secrets.ts';
import type { StoredPassword } from '../../ports/sign-in.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { requireStoredCredential } from '../identity/index.ts';
import { recordSecurityEvent, sourceOf, type SecurityEventDeps } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { removeOtherSessions } from './remove-other-sessions.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import { offeredMethods, requireOtherMethod, type OfferedMethodsDeps } from './last-method.ts';
import { noPassword, wrongPassword } from './errors.ts';
import { requireStrongPassword, toOpaqueString } from './password-rules.ts';
import { passwordChangeKey, tryPassword, type AttemptDeps } from './sign-in-attempts.ts';

export interface PasswordDeps extends AttemptDeps, SecurityEventDeps {
  readonly uow: UnitOfWork<
    'signInMethods' | 'sessions' | 'tokens' | 'securityEvents' | 'notifications'
  >;
  /** A queue separate from those of PINs and shares, so that a flood of sign-ins delays neither. */
  readonly accountPasswords: PasswordHasher;
  readonly commonPasswords: CommonPasswords;
  readonly sealer: Sealer;
  readonly failedSignIns: FailedSignIns;
}

export interface PasswordChange {
  /** Required if a password is set, of sessions and tokens alike. */
  readonly current?: string;
  readonly password: string;
}

/**
 * Sets or changes the password of the account. A change ends the other sessions of the owner, or all if a token made it.
 *
 * Ends with an invalid `password`, `wrong_password`, and `rate_limited` after ten wrong ones of a network in 15 minutes. An
 * owner who forgot the password removes it and sets a new one.
 */
export async function setPassword(
  deps: PasswordDeps,
  caller: Caller,
  change: PasswordChange,
): Promise<StoredPassword> {
  const password = toOpaqueString(change.password);
  await requireStrongPassword(deps, password, caller.owner.name);
  const before = await deps.uow.read(caller.scope, (stores) => stores.signInMethods.password());
  if (before) await proveCurrent(deps, caller, before, change.current);
  const sealedHash = deps.sealer.seal(await deps.accountPasswords.hash(password));
  return deps.uow.write(caller.scope, async (stores) => {
    // Hashing takes a while, and longer in a queue.
    await requireStoredCredential(deps, stores, caller);
    const now = await stores.signInMethods.password();
    // If the password was set or changed since the check, that change wins.
    if (now?.sealedHash !== before?.sealedHash) throw wrongPassword();
    const stored = { sealedHash, setAt: deps.clock.now() };
    await stores.signInMethods.setPassword(stored);
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'password_set',
      detail: before ? 'The password was changed.' : 'A password was set.',
      facts: { is_change: before !== undefined },
    });
    if (before) await removeOtherSessions(deps, stores, caller, 'password_changed');
    return stored;
  });
}

/** Removes the password and ends the other sessions. Ends with `not_configured` and `last_sign_in`. */
export async function removePassword(
  deps: PasswordDeps & OfferedMethodsDeps,
  caller: Caller,
): Promise<void> {
  const offered = offeredMethods(deps);
  await deps.uow.write(caller.scope, async (stores) => {
    if (!(await stores.signInMethods.password())) throw noPassword();
    await requireOtherMethod(stores, caller, { kind: 'password' }, offered);
    await stores.signInMethods.setPassword(null);
    await recordRemoval(deps, stores, caller);
  });
}

async function recordRemoval(
  deps: PasswordDeps,
  stores: Pick<Stores, 'sessions' | 'securityEvents'>,
  caller: Caller,
): Promise<void> {
  await recordSecurityEvent(deps, stores, sourceOf(caller), {
    kind: 'password_removed',
    detail: 'The password was removed.',
  });
  await removeOtherSessions(deps, stores, caller, 'password_removed');
}

async function proveCurrent(
  deps: PasswordDeps,
  caller: Caller,
  { sealedHash }: StoredPassword,
  current: string | undefined,
): Promise<void> {
  // An absent password is not counted as a guess.
  if (current === undefined) throw wrongPassword();
  const key = passwordChangeKey(deps, caller.scope.ownerId, caller.client.address);
  const isRight = await tryPassword(deps, key, async () => {
    const hash = deps.sealer.open(sealedHash);
    // Sealed with a key that is lost: no password is right.
    if (hash === undefined) return undefined;
    return (await deps.accountPasswords.matches(toOpaqueString(current), hash)) || undefined;
  });
  if (isRight) return;
  deps.failedSignIns.add(caller.scope, {
    source: sourceOf(caller),
    detail: 'A wrong current password was entered to change the password.',
    cause: 'wrong_current_password',
  });
  throw wrongPassword();
}
