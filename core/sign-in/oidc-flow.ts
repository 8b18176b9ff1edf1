import {
  IdentityProviderError,
  type IdentityProvider,
  type OidcFlow,
  type OidcSubject,
} from '../../ports/identity-provider.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { SecretDigest, Sealer } from '../../ports/secrets.ts';
import type { OneTimeSecrets } from '../../ports/sign-in.ts';
import type { CredentialId } from '../identity/index.ts';
import {
  oidcDenied,
  oidcExpired,
  oidcNotConfigured,
  oidcUnavailable,
  signInFailed,
} from './errors.ts';

/** How long the person may take at the provider. */
export const OIDC_FLOW_MS = 10 * 60_000;
export const OIDC_CALLBACK_PATH = '/v1/sign-in/oidc/callback';
const SECRET_BYTES = 32;
/** 32 random bytes as base64url. */
const BROWSER_SECRET = /^[A-Za-z0-9_-]{43}$/;
const MAX_STATE_LENGTH = 200;
/** Flows of one owner that link an account. One more replaces the one that expires first. */
const MAX_LINK_FLOWS = 5;
const MAX_FLOWS = 10_000;

export interface OidcFlowDeps {
  readonly identityProvider: IdentityProvider | null;
  readonly oneTimeSecrets: Pick<OneTimeSecrets, 'add' | 'consume'>;
  readonly sealer: Sealer;
  readonly digests: SecretDigest;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** The address at which browsers reach the service. */
  readonly browserUrl: () => string;
}

/** Why the flow was begun. The session cookie is not sent with the callback, so what it says is stored here. */
export type OidcPurpose =
  | { readonly kind: 'sign-in'; readonly ownerId: string | null; readonly sessionId: string | null }
  | {
      readonly kind: 'link';
      readonly ownerId: string;
      /** The credential that began the flow. It has to be valid at the end as well. */
      readonly credential: CredentialId;
    };

interface StoredFlow {
  readonly flow: OidcFlow;
  readonly purpose: OidcPurpose;
}

/** A flow that has begun. `browserSecret` is stored by the browser that began it, which sends it with the answer. */
export interface OidcStart {
  readonly url: string;
  readonly browserSecret: string;
}

/** What the browser brings back from the provider. */
export interface OidcAnswer {
  /** The query of the callback, as the provider made it. */
  readonly query: string;
  readonly state: string;
  /** From the cookie of the browser, if it has one. */
  readonly browserSecret: string | undefined;
}

/** Ends with `oidc_not_configured`. */
export function requireProvider({
  identityProvider,
}: Pick<OidcFlowDeps, 'identityProvider'>): IdentityProvider {
  if (!identityProvider) throw oidcNotConfigured();
  return identityProvider;
}

/** The state and the secret of the browser together find the flow: neither is of use without the other. */
const digestOf = ({ digests }: OidcFlowDeps, state: string, browserSecret: string): string =>
  digests.digest(`${state}.${browserSecret}`);

export async function beginFlow(deps: OidcFlowDeps, purpose: OidcPurpose): Promise<OidcStart> {
  const provider = requireProvider(deps);
  // A session is renewed to prove that its person is there: the session at the provider does not.
  const needsLogin = purpose.kind === 'sign-in' && purpose.sessionId !== null;
  const { url, flow } = await toProvider(() =>
    provider.begin({ redirectUri: redirectUri(deps), needsLogin }),
  );
  const browserSecret = deps.random.secret(SECRET_BYTES);
  const stored: StoredFlow = { flow, purpose };
  await deps.oneTimeSecrets.add(
    {
      digest: digestOf(deps, flow.state, browserSecret),
      purpose: 'oidc',
      ownerId: purpose.kind === 'link' ? purpose.ownerId : null,
      payload: deps.sealer.seal(JSON.stringify(stored)),
      expiresAt: deps.clock.now() + OIDC_FLOW_MS,
    },
    MAX_FLOWS,
    MAX_LINK_FLOWS,
  );
  return { url, browserSecret };
}

/**
 * The subject that signed in at the provider. The flow is consumed before the provider is called, so every answer is accepted at
 * most once.
 */
export async function endFlow(
  deps: OidcFlowDeps,
  { query, state, browserSecret }: OidcAnswer,
): Promise<{ readonly subject: OidcSubject; readonly purpose: OidcPurpose }> {
  const provider = requireProvider(deps);
  if (browserSecret === undefined || !BROWSER_SECRET.test(browserSecret)) throw oidcExpired();
  if (state === '' || state.length > MAX_STATE_LENGTH) throw oidcExpired();
  const digest = digestOf(deps, state, browserSecret);
  const secret = await deps.oneTimeSecrets.consume(digest, 'oidc', deps.clock.now());
  const opened = secret && deps.sealer.open(secret.payload);
  // Sealed with another key, the flow is lost like an expired one.
  if (opened === undefined) throw oidcExpired();
  const { flow, purpose } = JSON.parse(opened) as StoredFlow;
  const address = `${redirectUri(deps)}?${query}`;
  return { subject: await atProvider(() => provider.finish(address, flow)), purpose };
}

const redirectUri = ({ browserUrl }: OidcFlowDeps): string => browserUrl() + OIDC_CALLBACK_PATH;

/** No owner is signed in yet: any fault, of the provider or the configuration, is an outage to the caller. */
async function toProvider<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof IdentityProviderError) throw oidcUnavailable();
    throw error;
  }
}

async function atProvider<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof IdentityProviderError)) throw error;
    switch (error.kind) {
      case 'denied':
        throw oidcDenied();
      case 'rejected':
        throw signInFailed();
      case 'unavailable':
        throw oidcUnavailable();
    }
  }
}
