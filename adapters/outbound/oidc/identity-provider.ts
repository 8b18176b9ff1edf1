import {
  IdentityProviderError,
  type IdentityProvider,
  type OidcFlow,
  type OidcRequest,
  type OidcSubject,
} from '../../../ports/identity-provider.ts';
import type { RequestTimeout } from '../request-timeout.ts';
import type { OutboundPolicy } from '../ssrf-guard.ts';
import type { ClientSettings, OidcClient } from './client.ts';
import { closing, tooMany } from './failures.ts';

export type OidcSettings = Omit<ClientSettings, 'metadataMs' | 'now'> & {
  /** Shown on the button. */
  readonly name: string;
  /** The issuer's address may be private; so may be those that the operator allows. */
  readonly rules: OutboundPolicy;
  /** Deadline of each request to the provider. */
  readonly timeoutMs?: number;
  readonly metadataMs?: number;
  readonly now?: () => number;
  /** For the operator: a provider that does not answer, or answers wrongly. */
  readonly onFailure?: (error: IdentityProviderError) => void;
};

const TIMEOUT_MS = 5_000;
const METADATA_MS = 10 * 60_000;
/** Sign-ins that wait for the provider at the same time; further ones are rejected. */
const MAX_RUNNING = 32;

/** OpenID Connect by openid-client. The library and the HTTP client are loaded with the first sign-in. */
export class OidcIdentityProvider implements IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  readonly #settings: OidcSettings;
  readonly #requests = new Set<RequestTimeout>();
  #client: Promise<OidcClient> | undefined;
  #running = 0;
  #isClosed = false;

  constructor(settings: OidcSettings) {
    this.name = settings.name;
    this.issuer = settings.issuer;
    this.#settings = settings;
  }

  begin(request: OidcRequest): Promise<{ readonly url: string; readonly flow: OidcFlow }> {
    return this.#run((client) => client.begin(request));
  }

  finish(callbackUrl: string, flow: OidcFlow): Promise<OidcSubject> {
    return this.#run((client) => client.finish(callbackUrl, flow));
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const request of this.#requests) request.end(closing());
    return Promise.resolve();
  }

  async #run<T>(step: (client: OidcClient) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closing();
    if (this.#running >= MAX_RUNNING) throw tooMany();
    this.#running++;
    try {
      return await step(await (this.#client ??= this.#load()));
    } catch (error) {
      if (error instanceof IdentityProviderError && error.kind !== 'denied')
        this.#settings.onFailure?.(error);
      throw error;
    } finally {
      this.#running--;
    }
  }

  async #load(): Promise<OidcClient> {
    const [{ OidcClient }, { createGuardedFetch }] = await Promise.all([
      import('./client.ts'),
      import('./guarded-fetch.ts'),
    ]);
    const { rules, timeoutMs = TIMEOUT_MS, metadataMs = METADATA_MS, ...rest } = this.#settings;
    const fetch = createGuardedFetch({
      rules,
      timeoutMs,
      running: this.#requests,
      isClosed: () => this.#isClosed,
    });
    return new OidcClient({ now: () => performance.now(), metadataMs, ...rest }, fetch);
  }
}
