import {
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client';
import type { OidcFlow, OidcRequest, OidcSubject } from '../../../ports/identity-provider.ts';
import { authenticatedAtOf, nameOf, rolesOf, subjectOf, type Claims } from './claims.ts';
import { toProviderError, unsafeAddress } from './failures.ts';
import { isSafeAddress } from './safe-address.ts';

export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** null if roles are not read from a claim. */
  readonly roleClaim: string | null;
  /** Whether names are used, for new owners. */
  readonly needsName: boolean;
  /** How long the metadata of the issuer is used without a new request. */
  readonly metadataMs: number;
  readonly now: () => number;
}

const SCOPES = 'openid profile';
/**
 * Authenticates the person again, and has the ID token say when (OpenID Connect Core §3.1.2.1). Providers know one of the two or
 * both.
 */
const LOGIN = { prompt: 'login', max_age: '0' };

/** http is limited to this machine by the fetch, and by the check of the address for the browser. */
const isPlain = (issuer: string): boolean => issuer.startsWith('http:');

/** A relying party of one issuer. Only this module knows openid-client, so that it is loaded with the first sign-in. */
export class OidcClient {
  readonly #settings: ClientSettings;
  readonly #fetch: CustomFetch;
  #metadata: Promise<ServerMetadata> | undefined;
  #metadataUntil = 0;

  constructor(settings: ClientSettings, fetch: CustomFetch) {
    this.#settings = settings;
    this.#fetch = fetch;
  }

  async begin({
    redirectUri,
    needsLogin,
  }: OidcRequest): Promise<{ readonly url: string; readonly flow: OidcFlow }> {
    try {
      const flow = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(await this.#configuration(), {
        redirect_uri: redirectUri,
        scope: SCOPES,
        response_mode: 'query',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: 'S256',
        ...(needsLogin && LOGIN),
      });
      if (!isSafeAddress(url)) throw unsafeAddress();
      return { url: url.href, flow };
    } catch (error) {
      throw toProviderError(error);
    }
  }

  async finish(callbackUrl: string, flow: OidcFlow): Promise<OidcSubject> {
    try {
      const configuration = await this.#configuration();
      const tokens = await authorizationCodeGrant(configuration, new URL(callbackUrl), {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.codeVerifier,
        idTokenExpected: true,
      });
      const claims: Claims = { ...tokens.claims() };
      const subject = subjectOf(claims);
      const all = this.#needsUserInfo(configuration, claims)
        ? { ...claims, ...(await fetchUserInfo(configuration, tokens.access_token, subject)) }
        : claims;
      const { issuer, roleClaim } = this.#settings;
      // The library has compared the issuer of the token with that of the metadata, and that one with the configured one.
      return {
        issuer,
        subject,
        name: nameOf(all),
        roles: rolesOf(all, roleClaim),
        authenticatedAt: authenticatedAtOf(claims),
      };
    } catch (error) {
      throw toProviderError(error);
    }
  }

  /** In the code flow many providers leave the claims of a scope out of the ID token (OpenID Connect Core §5.4). */
  #needsUserInfo(configuration: Configuration, claims: Claims): boolean {
    const { roleClaim, needsName } = this.#settings;
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return false;
    const lacksRole = roleClaim !== null && !Object.hasOwn(claims, roleClaim);
    return lacksRole || (needsName && nameOf(claims) === null);
  }

  /**
   * A new configuration for each step. The library stores keys per configuration, so every sign-in reads the keys that the
   * issuer publishes at that moment: a key that it removed is rejected at once, and a new one is never unknown. That is one
   * request for each code that the issuer accepted.
   */
  async #configuration(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const metadata = await this.#serverMetadata();
    const methods = metadata.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    const configuration = new Configuration(
      metadata,
      clientId,
      {},
      isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret),
    );
    configuration[customFetch] = this.#fetch;
    if (isPlain(issuer)) allowInsecureRequests(configuration);
    // The signature of the ID token is checked although the token came from the issuer itself.
    enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** Concurrent calls share one request. A failure is not cached. */
  #serverMetadata(): Promise<ServerMetadata> {
    const { metadataMs, now } = this.#settings;
    if (this.#metadata && now() < this.#metadataUntil) return this.#metadata;
    const loading = this.#discover();
    this.#metadata = loading;
    this.#metadataUntil = Infinity;
    loading.then(
      () => (this.#metadataUntil = now() + metadataMs),
      () => (this.#metadata = undefined),
    );
    return loading;
  }

  async #discover(): Promise<ServerMetadata> {
    const { issuer, clientId } = this.#settings;
    const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
      [customFetch]: this.#fetch,
      execute: isPlain(issuer) ? [allowInsecureRequests] : [],
    });
    return found.serverMetadata();
  }
}
