import type { Backend } from '../backends.ts';
import { aTenant } from '../samples.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { OidcOutcome } from '../../core/sign-in/index.ts';
import {
  IdentityProviderError,
  type IdentityProviderErrorKind,
  type IdentityProvider,
  type OidcFlow,
  type OidcRequest,
  type OidcSubject,
} from '../../ports/identity-provider.ts';
import { NO_CLIENT } from '../no-client.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

export const ISSUER = 'https://id.example.org';

let flows = 0;

/** Trusts its answers: `code` is JSON of the subject, or the kind of an error. */
export class FakeIdentityProvider implements IdentityProvider {
  readonly name = 'Example';
  readonly issuer = ISSUER;
  readonly begun: OidcRequest[] = [];
  readonly finished: OidcFlow[] = [];
  /** How beginning a flow fails. */
  failure: IdentityProviderErrorKind | null = null;

  async begin(request: OidcRequest): Promise<{ readonly url: string; readonly flow: OidcFlow }> {
    this.begun.push(request);
    if (this.failure) throw new IdentityProviderError(this.failure, 'down');
    const flow = { state: `state-${++flows}`, nonce: `nonce-${flows}`, codeVerifier: 'verifier' };
    return { url: `${ISSUER}/auth?redirect_uri=${request.redirectUri}&state=${flow.state}`, flow };
  }

  async finish(callbackUrl: string, flow: OidcFlow): Promise<OidcSubject> {
    this.finished.push(flow);
    const sent = new URL(callbackUrl).searchParams;
    const code = sent.get('code') ?? '';
    if (code === 'denied' || code === 'rejected' || code === 'unavailable')
      throw new IdentityProviderError(code, code);
    return JSON.parse(code) as OidcSubject;
  }
}

export const subjectOf = (subject: string, over: Partial<OidcSubject> = {}): OidcSubject => ({
  issuer: ISSUER,
  subject,
  name: null,
  roles: [],
  authenticatedAt: null,
  ...over,
});

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

export interface Begun {
  readonly state: string;
  readonly browserSecret: string;
}

export interface OidcFixture extends CoreFixture {
  readonly provider: FakeIdentityProvider;
  readonly tenantId: string;
  begin(current?: Caller): Promise<Begun>;
  beginLink(caller: Caller): Promise<Begun>;
  finish(begun: Begun, subject: OidcSubject | string): Promise<OidcOutcome>;
  /** A whole sign-in. */
  signIn(subject: OidcSubject, current?: Caller): Promise<Caller>;
  link(subject: OidcSubject, caller?: Caller): Promise<OidcOutcome>;
  kinds(caller: Caller): Promise<readonly string[]>;
}

/** A core with an identity provider; with `provisions`, unknown subjects get an owner. */
export async function openOidcFixture(
  backend: Backend,
  name: string,
  { provisions = false, tenantId = '' } = {},
): Promise<OidcFixture> {
  const provider = new FakeIdentityProvider();
  const tenant = aTenant();
  if (tenantId === '') await backend.accounts.addTenant(tenant);
  const own = tenantId === '' ? tenant.id : tenantId;
  const world = await openCoreFixture(backend, name, {
    identityProvider: provider,
    oidcTenantId: provisions ? own : null,
  });
  const { signIn } = world.core;
  const begun = ({ url, browserSecret }: { url: string; browserSecret: string }): Begun => ({
    state: new URL(url).searchParams.get('state') ?? '',
    browserSecret,
  });
  const begin: OidcFixture['begin'] = async (current) =>
    begun(await signIn.beginOidcSignIn(current));
  const beginLink: OidcFixture['beginLink'] = async (caller) =>
    begun(await signIn.beginOidcLink(caller));
  const finish: OidcFixture['finish'] = (flow, subject) => {
    const code = typeof subject === 'string' ? subject : JSON.stringify(subject);
    const query = new URLSearchParams({ code, state: flow.state }).toString();
    return signIn.finishOidc({ ...flow, query, client: NO_CLIENT });
  };
  return Object.assign(world, {
    provider,
    tenantId: own,
    begin,
    beginLink,
    finish,
    signIn: async (subject: OidcSubject, current?: Caller) => {
      const outcome = await finish(await begin(current), subject);
      if (!('signedIn' in outcome)) throw new Error('No owner was signed in.');
      return world.core.identity.authenticate({ session: outcome.signedIn.secret }, NO_CLIENT);
    },
    link: async (subject: OidcSubject, caller = world.caller) =>
      finish(await beginLink(caller), subject),
    kinds: (caller: Caller) =>
      backend.uow.read(caller.scope, async ({ securityEvents }) => {
        const events = await securityEvents.chain(0, 100);
        return events.map(({ kind }) => kind);
      }),
  });
}
