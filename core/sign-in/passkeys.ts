import type { IdentityProvider } from '../../ports/identity-provider.ts';
import type { Page } from '../../ports/paging.ts';
import type { PasskeyVerifier, WebAuthnJson } from '../../ports/passkeys.ts';
import { MAX_PASSKEYS, type Passkey } from '../../ports/sign-in.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { saveResponse } from '../idempotency/index.ts';
import { requireStoredCredential } from '../identity/index.ts';
import { recordSecurityEvent, sourceOf } from '../security-events/index.ts';
import type { Caller } from '../shared/caller.ts';
import { notFound } from '../shared/common-errors.ts';
import { consumeChallenge, issueChallenge, type ChallengeDeps } from './challenges.ts';
import { offeredMethods, requireOtherMethod } from './last-method.ts';
import { passkeyRejected, passkeysUnavailable, tooManyPasskeys } from './errors.ts';
import { userHandleOf } from './user-handle.ts';

export interface PasskeyDeps extends ChallengeDeps {
  readonly uow: UnitOfWork<
    'signInMethods' | 'sessions' | 'tokens' | 'securityEvents' | 'idempotency'
  >;
  readonly passkeys: PasskeyVerifier;
  readonly identityProvider: Pick<IdentityProvider, 'issuer'> | null;
}

export interface NewPasskey {
  readonly name: string;
  /** What the browser made of the options. */
  readonly response: WebAuthnJson;
}

/** All passkeys of the owner, earliest first. */
export async function listPasskeys(
  { uow }: Pick<PasskeyDeps, 'uow'>,
  { scope }: Caller,
): Promise<Page<Passkey>> {
  const items = await uow.read(scope, ({ signInMethods }) => signInMethods.passkeys());
  return { items, total: items.length };
}

/** Begins a registration: the options for `navigator.credentials.create`. They are valid for five minutes, and once. */
export async function beginPasskey(
  deps: PasskeyDeps,
  { scope, owner }: Caller,
): Promise<WebAuthnJson> {
  requireAvailable(deps);
  const existing = await deps.uow.read(scope, requireCapacity);
  const challenge = await issueChallenge(deps, 'passkey-registration', owner.id);
  return deps.passkeys.registrationOptions({
    challenge,
    userId: userHandleOf(deps.digests, owner),
    userName: owner.name,
    existing,
  });
}

/** Ends a registration. The challenge is consumed before the answer is verified, also if it is wrong. */
export async function addPasskey(
  deps: PasskeyDeps,
  caller: Caller,
  { name, response }: NewPasskey,
): Promise<Passkey> {
  const claims = deps.passkeys.claimsOf(response);
  const { scope, owner } = caller;
  if (
    !claims ||
    !(await consumeChallenge(deps, claims.challenge, 'passkey-registration', owner.id))
  )
    throw passkeyRejected();
  const registered = await deps.passkeys.verifyRegistration(response, claims.challenge);
  if (!registered) throw passkeyRejected();
  return deps.uow.write(scope, async (stores) => {
    await requireStoredCredential(deps, stores, caller);
    await requireCapacity(stores);
    const passkey: Passkey = {
      id: deps.random.uuid(),
      ...registered,
      name,
      createdAt: deps.clock.now(),
      lastUsedAt: null,
    };
    if (!(await stores.signInMethods.addPasskey(passkey))) throw passkeyRejected();
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'passkey_added',
      subject: passkey.id,
      detail: `The passkey "${name}" was added.`,
      facts: { name },
    });
    return saveResponse(stores, deps.clock, caller, passkey);
  });
}

export async function renamePasskey(
  { uow }: Pick<PasskeyDeps, 'uow'>,
  { scope }: Caller,
  id: string,
  name: string,
): Promise<Passkey> {
  return uow.write(scope, async ({ signInMethods }) => {
    const passkey = await signInMethods.findPasskey(id);
    if (!passkey) throw notFound();
    const renamed = { ...passkey, name };
    await signInMethods.savePasskey(renamed);
    return renamed;
  });
}

/** The authenticator still has the credential, but nothing accepts it any more. */
export async function removePasskey(deps: PasskeyDeps, caller: Caller, id: string): Promise<void> {
  const offered = offeredMethods(deps);
  await deps.uow.write(caller.scope, async (stores) => {
    const passkey = await stores.signInMethods.findPasskey(id);
    if (!passkey) throw notFound();
    await requireOtherMethod(stores, caller, { kind: 'passkey', id }, offered);
    await stores.signInMethods.removePasskey(id);
    await recordSecurityEvent(deps, stores, sourceOf(caller), {
      kind: 'passkey_removed',
      subject: id,
      detail: `The passkey "${passkey.name}" was removed.`,
      facts: { name: passkey.name },
    });
  });
}

export function requireAvailable({ passkeys }: Pick<PasskeyDeps, 'passkeys'>): void {
  if (!passkeys.isAvailable()) throw passkeysUnavailable();
}

async function requireCapacity({
  signInMethods,
}: Pick<Stores, 'signInMethods'>): Promise<readonly Passkey[]> {
  const existing = await signInMethods.passkeys();
  if (existing.length >= MAX_PASSKEYS) throw tooManyPasskeys();
  return existing;
}
