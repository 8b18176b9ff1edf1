import type { IdentityProvider } from '../../ports/identity-provider.ts';
import type { PasskeyVerifier } from '../../ports/passkeys.ts';
import type { Caller } from '../shared/caller.ts';

/** The ways to sign in that this installation offers. Not which of them an account has set up. */
export interface SignInMethods {
  readonly passkey: boolean;
  readonly password: boolean;
  /** null without an OpenID Connect provider. */
  readonly oidc: { readonly name: string } | null;
  /** Whether the browser is signed in. */
  readonly isSignedIn: boolean;
}

export interface SignInMethodsDeps {
  readonly passkeys: Pick<PasskeyVerifier, 'isAvailable'>;
  readonly identityProvider: IdentityProvider | null;
}

export const signInMethods = (
  { passkeys, identityProvider }: SignInMethodsDeps,
  current: Caller | undefined,
): SignInMethods => ({
  passkey: passkeys.isAvailable(),
  password: true,
  oidc: identityProvider && { name: identityProvider.name },
  isSignedIn: current !== undefined,
});
