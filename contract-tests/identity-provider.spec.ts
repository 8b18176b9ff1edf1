import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { destinationOfUrl } from '../adapters/outbound/destination-policy.ts';
import {
  OidcIdentityProvider,
  type OidcSettings,
} from '../adapters/outbound/oidc/identity-provider.ts';
import { IdentityProviderError } from '../ports/identity-provider.ts';
import {
  CALLBACK_PATH,
  CLIENT_ID,
  CLIENT_SECRET,
  openOidcProvider,
  type FakeOidcProvider,
  type Interference,
} from './fake-oidc-provider.ts';
import { startLocalServer } from './local-server.ts';
import { failureOf, identityProviderContract } from './suites/identity-provider.ts';

const REDIRECT_URI = `http://127.0.0.1:8080${CALLBACK_PATH}`;
const REQUEST = { redirectUri: REDIRECT_URI, needsLogin: false };
const METADATA = '/.well-known/openid-configuration';
const SHORT_MS = 500;
const LONG_MS = 60_000;

const providerFor = (issuer: string, over: Partial<OidcSettings> = {}) =>
  new OidcIdentityProvider({
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    name: 'Test',
    roleClaim: 'role',
    needsName: true,
    rules: { allowed: destinationOfUrl(issuer) },
    timeoutMs: LONG_MS,
    ...over,
  });

describe('over HTTP: IdentityProvider', () =>
  identityProviderContract(async () => {
    const issuer = await openOidcProvider();
    const provider = providerFor(issuer.issuer);
    const impatient = providerFor(issuer.issuer, { timeoutMs: SHORT_MS });
    return {
      provider,
      impatient,
      issuer,
      redirectUri: REDIRECT_URI,
      close: async () => {
        await provider.close();
        await impatient.close();
        await issuer.close();
      },
    };
  }));

describe('the OpenID Connect client', () => {
  let issuer: FakeOidcProvider;
  let provider: OidcIdentityProvider;
  beforeEach(async () => {
    issuer = await openOidcProvider();
    provider = providerFor(issuer.issuer);
  });
  afterEach(async () => {
    await provider.close();
    await issuer.close();
  });

  const begin = () => provider.begin(REQUEST);
  const signIn = async (by = provider) => {
    const { url, flow } = await begin();
    return by.finish(await issuer.signIn(url, 'ada'), flow);
  };
  const answer =
    (status: number, type: string, body: string | Buffer): Interference =>
    (_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body);
  const json = (body: unknown) => answer(200, 'application/json', JSON.stringify(body));
  const metadata = async () =>
    (await (await fetch(issuer.issuer + METADATA)).json()) as Record<string, unknown>;
  const read = () => issuer.requests.filter((path) => path === METADATA).length;

  it('sends the code challenge, state, nonce and scopes, and asks for an answer in the query', async () => {
    const { url, flow } = await begin();
    const sent = Object.fromEntries(new URL(url).searchParams);
    expect(sent).to.deep.include({
      response_type: 'code',
      response_mode: 'query',
      scope: 'openid profile',
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT_URI,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge_method: 'S256',
    });
    expect(url).not.to.include(CLIENT_SECRET);
  });

  it('is unavailable while the provider refuses connections, fails or is overloaded', async () => {
    for (const status of [500, 502, 503, 429]) {
      issuer.interferes(METADATA, answer(status, 'text/plain', 'later'));
      expect(await failureOf(begin()), String(status)).to.equal('unavailable');
    }
    issuer.interferes(METADATA, (request) => request.socket.destroy());
    expect(await failureOf(begin())).to.equal('unavailable');
    await issuer.close();
    expect(await failureOf(begin())).to.equal('unavailable');
  });

  it('rejects metadata that is no JSON, not that of the issuer, or too large', async () => {
    issuer.interferes(METADATA, answer(200, 'text/html', '<h1>Welcome</h1>'));
    expect(await failureOf(begin())).to.equal('rejected');
    issuer.interferes(METADATA, answer(200, 'application/json', '[]'));
    expect(await failureOf(begin())).to.equal('rejected');
    issuer.interferes(METADATA, answer(404, 'application/json', '{}'));
    expect(await failureOf(begin())).to.equal('rejected');
    issuer.interferes(METADATA, null);
    const right = await metadata();
    issuer.interferes(METADATA, json({ ...right, issuer: `${issuer.issuer}/other` }));
    expect(await failureOf(begin())).to.equal('rejected');
    issuer.interferes(METADATA, json({ ...right, padding: 'x'.repeat(10_000_000) }));
    expect(await failureOf(begin())).to.equal('rejected');
    issuer.interferes(METADATA, (_request, response) => endless(response));
    expect(await failureOf(begin())).to.equal('rejected');
    issuer.interferes(METADATA, null);
    expect(await signIn()).to.include({ subject: 'ada' });
  });

  it('follows no redirect', async () => {
    const other = await startLocalServer((_request, response) => response.end('{}'));
    try {
      issuer.interferes(METADATA, (_request, response) =>
        response.writeHead(302, { location: other.origin }).end(),
      );
      expect(await failureOf(begin())).to.equal('rejected');
      expect(other.visits()).to.equal(0);
    } finally {
      await other.close();
    }
  });

  it('connects to no private address but that of the issuer, and nowhere without encryption', async () => {
    const other = await startLocalServer((_request, response) => response.end('{}'));
    try {
      const right = await metadata();
      issuer.interferes(METADATA, json({ ...right, token_endpoint: `${other.origin}/token` }));
      const { url, flow } = await begin();
      const callback = await issuer.signIn(url, 'ada');
      expect(await failureOf(provider.finish(callback, flow))).to.equal('unavailable');
      expect(other.visits()).to.equal(0);
      for (const field of ['token_endpoint', 'authorization_endpoint']) {
        const one = providerFor(issuer.issuer);
        issuer.interferes(METADATA, json({ ...right, [field]: 'http://id.example.org/x' }));
        const ended = field === 'token_endpoint' ? one.finish(callback, flow) : one.begin(REQUEST);
        expect(await failureOf(ended), field).to.equal('rejected');
      }
    } finally {
      await other.close();
    }
  });

  it('reads the metadata once for concurrent sign-ins and for a time, and again after a failure', async () => {
    let now = 0;
    const own = providerFor(issuer.issuer, { metadataMs: 1_000, now: () => now });
    const ask = () => own.begin(REQUEST);
    await Promise.all([ask(), ask(), ask()]);
    now = 999;
    await ask();
    expect(read()).to.equal(1);
    now = 1_000;
    issuer.interferes(METADATA, answer(500, 'text/plain', ''));
    expect(await failureOf(ask())).to.equal('unavailable');
    expect(await failureOf(ask())).to.equal('unavailable');
    expect(read()).to.equal(3);
    issuer.interferes(METADATA, null);
    await ask();
    await ask();
    expect(read()).to.equal(4);
  });

  it('rejects claims of another subject, and requests them only if they are used', async () => {
    issuer.setClaimsInIdToken(false);
    issuer.interferes('/me', json({ sub: 'bob', name: 'Bob', role: 'unlimited' }));
    expect(await failureOf(signIn())).to.equal('rejected');
    issuer.interferes('/me', answer(503, 'text/plain', ''));
    expect(await failureOf(signIn())).to.equal('unavailable');
    issuer.interferes('/me', null);
    issuer.requests.length = 0;
    await signIn(providerFor(issuer.issuer, { roleClaim: null, needsName: false }));
    expect(issuer.requests).not.to.include('/me');
  });

  it('rejects a subject that is no identifier', async () => {
    for (const sub of ['', 'x'.repeat(256), 'a\u0000b', 'ä', 7, null]) {
      issuer.forges({ claims: { sub } });
      expect(await failureOf(signIn()), JSON.stringify(sub)).to.equal('rejected');
    }
    issuer.forges(null);
    const inherited = providerFor(issuer.issuer, { roleClaim: 'constructor' });
    expect(await signIn(inherited)).to.deep.include({ subject: 'ada', roles: [] });
  });

  it('limits the sign-ins that wait for the provider, and ends them when it is closed', async () => {
    const { url, flow } = await begin();
    const callback = await issuer.signIn(url, 'ada');
    issuer.interferes('/token', () => undefined);
    const waiting = Array.from({ length: 32 }, () => failureOf(provider.finish(callback, flow)));
    expect(await failureOf(provider.finish(callback, flow))).to.equal('unavailable');
    await provider.close();
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set(['unavailable']));
    expect(await failureOf(begin())).to.equal('unavailable');
  });

  it('names no secret in an error', async () => {
    const seen: string[] = [];
    const secrets = [CLIENT_SECRET, Buffer.from(CLIENT_SECRET).toString('base64')];
    const record = async (step: Promise<unknown>) => {
      const error: unknown = await step.catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(IdentityProviderError);
      const { message, stack, cause } = error as Error;
      expect(cause).to.equal(undefined);
      seen.push(message, stack ?? '');
    };
    const forgeries = [{ claims: { nonce: 'x' } }, { altered: 'signature' as const }];
    for (const forgery of forgeries) {
      issuer.forges(forgery);
      await record(signIn());
    }
    issuer.forges(null);
    const { url, flow } = await begin();
    const callback = await issuer.signIn(url, 'ada');
    secrets.push(flow.codeVerifier, flow.nonce, flow.state);
    secrets.push(new URL(callback).searchParams.get('code') ?? '');
    await record(provider.finish(callback, { ...flow, state: 'another' }));
    const echo = { error: 'invalid_client', error_description: CLIENT_SECRET };
    issuer.interferes('/token', answer(400, 'application/json', JSON.stringify(echo)));
    await record(provider.finish(callback, flow));
    const shouted = { error: `${CLIENT_SECRET} IS WRONG` };
    issuer.interferes('/token', answer(400, 'application/json', JSON.stringify(shouted)));
    await record(provider.finish(callback, flow));
    issuer.interferes('/token', answer(200, 'application/json', `{"${CLIENT_SECRET}`));
    await record(provider.finish(callback, flow));
    for (const secret of secrets) {
      expect(secret).not.to.equal('');
      expect(seen.filter((text) => text.includes(secret))).to.deep.equal([]);
    }
    expect(seen.filter((text) => /eyJ/.test(text))).to.deep.equal([]);
  });
});

const CHUNK = Buffer.alloc(65_536, 0x20);

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const write = () => {
    while (!response.destroyed && response.write(CHUNK));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}
