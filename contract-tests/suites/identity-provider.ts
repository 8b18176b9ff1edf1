import { expect } from 'chai';
import {
  IdentityProviderError,
  type IdentityProvider,
  type IdentityProviderErrorKind,
  type OidcFlow,
} from '../../ports/identity-provider.ts';
import type { FakeOidcProvider, Forgery } from '../fake-oidc-provider.ts';

/** An adapter with a provider that people sign in at. */
export interface OpenedIdentityProvider {
  readonly provider: IdentityProvider;
  /** The same with a short deadline. */
  readonly impatient: IdentityProvider;
  readonly issuer: FakeOidcProvider;
  readonly redirectUri: string;
  close(): Promise<void>;
}

/** The kind of error that a step ends with. */
export async function failureOf(
  step: Promise<unknown>,
): Promise<IdentityProviderErrorKind | undefined> {
  try {
    await step;
    return undefined;
  } catch (error) {
    if (error instanceof IdentityProviderError) return error.kind;
    throw error;
  }
}

/** On a loaded machine a provider that answers may miss a short deadline: the step is repeated then. */
async function withoutDelay<T>(step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await step();
    } catch (error) {
      const isLate = error instanceof IdentityProviderError && error.kind === 'unavailable';
      if (!isLate || attempt === MAX_ATTEMPTS) throw error;
    }
}

const MAX_ATTEMPTS = 50;

/** The contract of every IdentityProvider. */
export function identityProviderContract(open: () => Promise<OpenedIdentityProvider>): void {
  let opened: OpenedIdentityProvider;
  const request = (needsLogin = false) => ({ redirectUri: opened.redirectUri, needsLogin });
  beforeEach(async () => (opened = await open()));
  afterEach(() => opened.close());

  /** The answer of the issuer to a new flow. */
  const answered = async (
    subject = 'ada',
  ): Promise<{ readonly callback: string; readonly flow: OidcFlow }> => {
    const { url, flow } = await opened.provider.begin(request());
    return { callback: await opened.issuer.signIn(url, subject), flow };
  };
  const signIn = async (subject?: string) => {
    const { callback, flow } = await answered(subject);
    return opened.provider.finish(callback, flow);
  };
  const refusal = async (forgery: Forgery) => {
    opened.issuer.forges(forgery);
    return failureOf(signIn());
  };

  it("`begin` returns an address at the issuer and a flow that no other call returns; `finish` with that flow and the issuer's answer returns the subject", async () => {
    const { provider, issuer } = opened;
    const [first, second] = [await provider.begin(request()), await provider.begin(request())];
    expect(first.url.startsWith(issuer.issuer)).to.equal(true);
    for (const field of ['state', 'nonce', 'codeVerifier'] as const) {
      expect(first.flow[field].length).to.be.at.least(43);
      expect(first.flow[field]).not.to.equal(second.flow[field]);
    }
    expect(first.url).not.to.include(first.flow.codeVerifier);
    const callback = await issuer.signIn(first.url, 'ada');
    const found = await provider.finish(callback, first.flow);
    expect(found).to.include({ issuer: issuer.issuer, subject: 'ada' });
  });

  it('An answer with another state, nonce, issuer or audience is rejected', async () => {
    const { provider, issuer } = opened;
    const first = await answered();
    const second = await answered();
    expect(await failureOf(provider.finish(first.callback, second.flow))).to.equal('rejected');
    const nonce = { ...first.flow, nonce: second.flow.nonce };
    expect(await failureOf(provider.finish(first.callback, nonce))).to.equal('rejected');
    const elsewhere = second.callback.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fother.example');
    expect(elsewhere).not.to.equal(second.callback);
    expect(await failureOf(provider.finish(elsewhere, second.flow))).to.equal('rejected');
    const unnamed = second.callback.replace(/&iss=[^&]*/, '');
    expect(await failureOf(provider.finish(unnamed, second.flow))).to.equal('rejected');
    expect(await refusal({ claims: { nonce: 'another' } })).to.equal('rejected');
    expect(await refusal({ claims: { nonce: undefined } })).to.equal('rejected');
    expect(await refusal({ claims: { iss: `${issuer.issuer}/other` } })).to.equal('rejected');
    expect(await refusal({ claims: { aud: 'another-client' } })).to.equal('rejected');
    const shared = { aud: ['workspace', 'another-client'] };
    expect(await refusal({ claims: { ...shared, azp: 'another-client' } })).to.equal('rejected');
    expect(await refusal({ claims: { ...shared, azp: undefined } })).to.equal('rejected');
    expect(await refusal({ claims: { ...shared, azp: 'workspace' } })).to.equal(undefined);
  });

  it('An expired, unsigned or altered ID token, or one signed with a key that the issuer does not publish, is rejected', async () => {
    const anHourAgo = Math.floor(Date.now() / 1000) - 3_600;
    const expired = { exp: anHourAgo, iat: anHourAgo - 3_600 };
    expect(await refusal({ claims: expired })).to.equal('rejected');
    expect(await refusal({ claims: { exp: undefined } })).to.equal('rejected');
    expect(await refusal({ unsigned: true })).to.equal('rejected');
    expect(await refusal({ altered: 'payload' })).to.equal('rejected');
    expect(await refusal({ altered: 'signature' })).to.equal('rejected');
    expect(await refusal({ signedBy: 'unpublished key' })).to.equal('rejected');
    expect(await refusal({ signedBy: 'client secret' })).to.equal('rejected');
    expect(await refusal({ claims: {} })).to.equal(undefined);
  });

  it('A replayed code is rejected', async () => {
    const { provider } = opened;
    const { callback, flow } = await answered();
    expect(await failureOf(provider.finish(callback, flow))).to.equal(undefined);
    expect(await failureOf(provider.finish(callback, flow))).to.equal('rejected');
    const other = await answered();
    const verifier = { ...other.flow, codeVerifier: flow.codeVerifier };
    expect(await failureOf(provider.finish(other.callback, verifier))).to.equal('rejected');
  });

  it('An error of the provider is rejected, and a refusal is `denied`', async () => {
    const { provider } = opened;
    const refused = await answered('');
    expect(refused.callback).to.include('error=access_denied');
    expect(await failureOf(provider.finish(refused.callback, refused.flow))).to.equal('denied');
    const wrong = refused.callback.replace('access_denied', 'invalid_scope');
    expect(await failureOf(provider.finish(wrong, refused.flow))).to.equal('rejected');
  });

  it('A key that the provider rotated in is accepted without a restart, and a removed one is rejected', async () => {
    const { issuer } = opened;
    expect(await signIn()).to.include({ subject: 'ada' });
    await issuer.rotateKey();
    expect(await signIn()).to.include({ subject: 'ada' });
    expect(await refusal({ signedBy: 'removed key' })).to.equal('rejected');
  });

  it('A provider that does not answer within the deadline rejects as `unavailable`, and is used again once it answers', async () => {
    const { impatient, issuer } = opened;
    const metadata = '/.well-known/openid-configuration';
    const steps = [metadata, '/token', '/jwks'];
    for (const path of steps) {
      const { callback, flow } = await answered();
      issuer.interferes(path, () => undefined);
      const step =
        path === metadata ? impatient.begin(request()) : impatient.finish(callback, flow);
      expect(await failureOf(step), path).to.equal('unavailable');
      issuer.interferes(path, null);
      const found = await withoutDelay(async () => {
        const next = await impatient.begin(request());
        return impatient.finish(await issuer.signIn(next.url, 'ada'), next.flow);
      });
      expect(found, path).to.include({ subject: 'ada' });
    }
  });

  it('With `needsLogin` the provider authenticates the person again, and says when; else it need not', async () => {
    const { provider, issuer } = opened;
    const cookies = new Map<string, string>();
    const logins = () => issuer.requests.filter((path) => path.startsWith('/interaction/')).length;
    /** How often the person had to sign in at the provider, and what it says of that. */
    const signInAgain = async (needsLogin: boolean) => {
      const before = logins();
      const { url, flow } = await provider.begin(request(needsLogin));
      const callback = await issuer.signIn(url, 'ada', cookies);
      return { subject: await provider.finish(callback, flow), logins: logins() - before };
    };
    expect((await signInAgain(false)).logins).to.equal(1);
    expect((await signInAgain(false)).logins).to.equal(0);
    const from = Math.floor(Date.now() / 1000) * 1000;
    const again = await signInAgain(true);
    expect(again.logins).to.equal(1);
    expect(again.subject.authenticatedAt).to.be.within(from, Date.now());
    for (const [auth_time, time] of [
      [1_700_000_000, 1_700_000_000_000],
      [undefined, null],
    ] as const) {
      issuer.forges({ claims: { auth_time } });
      expect((await signIn()).authenticatedAt).to.equal(time);
    }
    expect(await refusal({ claims: { auth_time: '1700000000' } })).to.equal('rejected');
  });

  it('Name and roles are those that the provider has of the subject', async () => {
    const { issuer } = opened;
    issuer.people.set('ada', { name: 'Ada L.', role: 'pro' });
    issuer.people.set('bob', { preferred_username: 'bob', role: ['free', 7, 'pro'] });
    for (const isInIdToken of [true, false]) {
      issuer.setClaimsInIdToken(isInIdToken);
      expect(await signIn('ada'))
        .to.include({ name: 'Ada L.' })
        .and.deep.include({ roles: ['pro'] });
      const bob = await signIn('bob');
      expect(bob)
        .to.include({ name: 'bob' })
        .and.deep.include({ roles: ['free', 'pro'] });
      const carol = await signIn('carol');
      expect(carol).to.include({ name: null }).and.deep.include({ roles: [] });
    }
  });
}
