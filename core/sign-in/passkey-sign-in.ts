import type { Directory } from '../../ports/directory.ts';
import type { PasskeyVerifier, VerifiedAssertion, WebAuthnJson } from '../../ports/passkeys.ts';
import type { Passkey } from '../../ports/sign-in.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { SecurityEvent } from '../../ports/security-events.ts';
import {
  alertCopiedPasskey,
  recordFailedSignIn,
  visitorSource,
  type AlertStores,
} from '../security-events/index.ts';
import { scopeOf } from '../shared/owner-scope.ts';
import { consumeChallenge, issueChallenge, type ChallengeDeps } from './challenges.ts';
import { signInFailed } from './errors.ts';
import { requireAvailable } from './passkeys.ts';
import {
  startSession,
  type SignedIn,
  type SignInOrigin,
  type StartSessionDeps,
} from './start-session.ts';
import { userHandleOf } from './user-handle.ts';

export interface PasskeySignInDeps extends ChallengeDeps, StartSessionDeps {
  readonly uow: UnitOfWork<'signInMethods' | 'sessions' | 'securityEvents' | 'notifications'>;
  readonly directory: Pick<Directory, 'passkeyOwner'>;
  readonly passkeys: PasskeyVerifier;
}

/** Begins a sign-in: the options for `navigator.credentials.get`. They name no owner: the authenticator knows its own. */
export async function beginPasskeySignIn(
  deps: Pick<PasskeySignInDeps, 'passkeys' | keyof ChallengeDeps>,
): Promise<WebAuthnJson> {
  requireAvailable(deps);
  return deps.passkeys.assertionOptions(await issueChallenge(deps, 'passkey-sign-in', null));
}

/**
 * Signs in with the answer of an authenticator. Ends with `sign_in_failed` for every error in it; the owner of a
 * credential that was found sees why in the log of security events. The challenge is consumed before anything is verified,
 * so a repeated answer finds none.
 */
export async function signInWithPasskey(
  deps: PasskeySignInDeps,
  response: WebAuthnJson,
  source: SignInOrigin,
): Promise<SignedIn> {
  const claims = deps.passkeys.claimsOf(response);
  if (!claims || !(await consumeChallenge(deps, claims.challenge, 'passkey-sign-in', null)))
    throw signInFailed();
  const known = await deps.directory.passkeyOwner(claims.credentialId);
  if (!known) throw signInFailed();
  const { owner, passkey } = known;
  const verified =
    claims.userHandle === userHandleOf(deps.digests, owner)
      ? await deps.passkeys.verifyAssertion(response, claims.challenge, passkey)
      : undefined;
  const signedIn = await deps.uow.write(scopeOf(owner), async (stores) => {
    // Removed, or used by another sign-in, since it was read.
    const current = await stores.signInMethods.findPasskey(passkey.id);
    if (!current) return undefined;
    if (!verified) {
      await recordInvalid(deps, stores, source, current);
      return undefined;
    }
    if (hasGoneBack(verified, current)) {
      await recordClone(deps, stores, source, current);
      return undefined;
    }
    await stores.signInMethods.savePasskey({
      ...current,
      ...verified,
      lastUsedAt: deps.clock.now(),
    });
    return startSession(deps, stores, owner, { ...source, method: 'passkey' });
  });
  // Thrown after the commit: the owner is to see the failed attempt.
  if (!signedIn) throw signInFailed();
  return signedIn;
}

/** A counter that does not increase means that there are two copies of the key (Web Authentication level 3, §6.1.1). */
const hasGoneBack = (verified: VerifiedAssertion, stored: Passkey): boolean =>
  (verified.counter !== 0 || stored.counter !== 0) && verified.counter <= stored.counter;

/** Anyone who knows the id of a credential can cause these, and must not fill the log. */
const MAX_RECORDED_PER_MINUTE = 10;

async function recordInvalid(
  deps: PasskeySignInDeps,
  stores: AlertStores,
  source: SignInOrigin,
  passkey: Passkey,
): Promise<void> {
  const since = deps.clock.now() - 60_000;
  const { securityEvents } = stores;
  const failed = await securityEvents.countSince('sign_in_failed', since, MAX_RECORDED_PER_MINUTE);
  if (failed < MAX_RECORDED_PER_MINUTE)
    await recordRejection(deps, stores, source, passkey, 'invalid_passkey');
}

const REJECTIONS = {
  invalid_passkey: 'The answer of the device is not valid.',
  copied_passkey: 'Its counter went back: there may be a copy of it.',
};

function recordRejection(
  deps: PasskeySignInDeps,
  stores: AlertStores,
  { client }: SignInOrigin,
  { id, name }: Passkey,
  cause: keyof typeof REJECTIONS,
): Promise<SecurityEvent> {
  return recordFailedSignIn(deps, stores, visitorSource(client.address), {
    subject: id,
    detail: `A sign-in with the passkey "${name}" was rejected. ${REJECTIONS[cause]}`,
    facts: { cause, passkey: name },
  });
}

async function recordClone(
  deps: PasskeySignInDeps,
  stores: AlertStores,
  source: SignInOrigin,
  passkey: Passkey,
): Promise<void> {
  const event = await recordRejection(deps, stores, source, passkey, 'copied_passkey');
  await alertCopiedPasskey(deps, stores, event);
}
