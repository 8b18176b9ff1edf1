import type { IdentityProvider } from '../../ports/identity-provider.ts';
import type { PasskeyVerifier } from '../../ports/passkeys.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { lastSignIn } from './errors.ts';

/** A way to sign in that is about to be removed. `id` is that of the passkey. */
export type RemovedMethod =
  | { readonly kind: 'password' }
  | { readonly kind: 'oidc' }
  | { readonly kind: 'passkey'; readonly id: string };

/** What the installation offers at present. A method that is stored but not offered does not sign anybody in. */
export interface OfferedMethods {
  readonly hasPasskeys: boolean;
  /** null without an OpenID Connect provider. A link to another issuer is of no use. */
  readonly oidcIssuer: string | null;
}

export interface OfferedMethodsDeps {
  readonly passkeys: Pick<PasskeyVerifier, 'isAvailable'>;
  readonly identityProvider: Pick<IdentityProvider, 'issuer'> | null;
}

export const offeredMethods = ({
  passkeys,
  identityProvider,
}: OfferedMethodsDeps): OfferedMethods => ({
  hasPasskeys: passkeys.isAvailable(),
  oidcIssuer: identityProvider?.issuer ?? null,
});

/**
 * Ends with `last_sign_in` if a session would remove the last way of its owner to sign in. A token remains a way to get a
 * new one, so a caller with a token may remove every one. Called in the transaction of the removal: of two concurrent
 * removals the second sees the first.
 */
export async function requireOtherMethod(
  { signInMethods }: Pick<Stores, 'signInMethods'>,
  { credential }: Pick<Caller, 'credential'>,
  removed: RemovedMethod,
  offered: OfferedMethods,
): Promise<void> {
  if (credential.kind === 'token') return;
  if (removed.kind !== 'password' && (await signInMethods.password())) return;
  if (offered.hasPasskeys) {
    const passkeys = await signInMethods.passkeys();
    if (passkeys.some(({ id }) => removed.kind !== 'passkey' || id !== removed.id)) return;
  }
  if (removed.kind !== 'oidc') {
    const link = await signInMethods.oidc();
    if (link && link.issuer === offered.oidcIssuer) return;
  }
  throw lastSignIn();
}
