import { expect } from 'chai';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  PUBLIC_URL,
  openOidcProvider,
  type FakeOidcProvider,
} from '../fake-oidc-provider.ts';
import { profiles, startService, type Answer, type Service } from './harness.ts';
import { browserWith, cookieSetBy, signInBrowser, type SignedInBrowser } from './signed-in.ts';

const BEGIN = '/v1/sign-in/oidc';
const CALLBACK = '/v1/sign-in/oidc/callback';

for (const profile of profiles)
  describe(`${profile}: signing in at an identity provider`, function () {
    this.timeout(120_000);
    let issuer: FakeOidcProvider;
    let service: Service;
    let owner: string;
    /** What must not be in the log. */
    const secrets = new Set<string>([CLIENT_SECRET]);
    before(async () => {
      issuer = await openOidcProvider();
      service = await startService(profile, { TRUST_PROXY: '1', LOG_LEVEL: 'info' });
      owner = (await service.call('GET', '/v1/me')).json.owner.id;
    });
    after(async () => {
      await service.dispose();
      await issuer.close();
    });

    let addresses = 0;
    /** Sign-ins are counted by address. */
    const from = () => ({ 'x-forwarded-for': `10.4.${++addresses >> 8}.${addresses & 255}` });
    const get = (path: string, cookie?: string, on = service): Promise<Answer> =>
      on.call('GET', path, {
        token: null,
        headers: { ...from(), ...(cookie !== undefined && { cookie }) },
      });
    const flowCookieOf = ({ headers }: Answer): string | undefined =>
      headers
        .getSetCookie()
        .find((each) => /^(__Host-)?oidc=/.test(each))
        ?.split(';', 1)[0];
    const outcomeOf = ({ status, headers }: Answer): string =>
      `${status} ${(headers.get('location') ?? '').replace(/^https?:\/\/[^/]+/, '')}`;

    interface Begun {
      readonly url: string;
      readonly cookie: string;
    }
    const begin = async (cookie?: string): Promise<Begun> => {
      const answer = await get(BEGIN, cookie);
      expect(answer.status).to.equal(303);
      return { url: answer.headers.get('location') ?? '', cookie: flowCookieOf(answer) ?? '' };
    };
    const beginLink = async (browser: SignedInBrowser): Promise<Begun> => {
      const answer = await browser.call('POST', '/v1/me/oidc', { headers: from() });
      expect(answer.status, answer.text).to.equal(200);
      return { url: answer.json.url, cookie: flowCookieOf(answer) ?? '' };
    };
    /** The path and query that the provider sends the browser back to. */
    const back = async ({ url, cookie }: Begun, subject: string): Promise<string> => {
      const { pathname, search, searchParams } = new URL(await issuer.signIn(url, subject));
      for (const secret of [searchParams.get('code'), searchParams.get('state'), cookie])
        if (secret) secrets.add(secret.replace(/^.*=/, ''));
      return pathname.replace(/^\/base/, '') + search;
    };
    const finish = async (begun: Begun, subject: string, on = service): Promise<Answer> => {
      const answer = await get(await back(begun, subject), begun.cookie, on);
      secrets.add(cookieSetBy(answer)?.split('=')[1] || CLIENT_SECRET);
      return answer;
    };
    const signIn = async (subject: string, cookie?: string) => finish(await begin(cookie), subject);
    const link = async (browser: SignedInBrowser, subject: string) =>
      finish(await beginLink(browser), subject);
    const newBrowser = (who = owner) => signInBrowser(service, who, { headers: from() });
    const signedIn = async (subject: string): Promise<SignedInBrowser> =>
      browserWith(service, cookieSetBy(await signIn(subject)) ?? '');
    const me = async (browser: SignedInBrowser) =>
      (await browser.call('GET', '/v1/me', { headers: from() })).json;
    /** Another process with another configuration instead of this one. */
    const restartWith = async (extra: Readonly<Record<string, string>>) => {
      await service.stop();
      const before = service.logged();
      const next = await service.beside(extra);
      service = { ...next, logged: () => before + next.logged() };
    };

    describe('without one', () => {
      it('is not offered', async () => {
        expect((await get('/v1/sign-in')).json.methods.oidc).to.equal(null);
        for (const path of [BEGIN, `${CALLBACK}?code=x&state=y`]) {
          const { status, json } = await get(path, `oidc=${'x'.repeat(43)}`);
          expect([status, json.code]).to.deep.equal([404, 'oidc_not_configured']);
        }
        const linking = await service.call('POST', '/v1/me/oidc');
        expect([linking.status, linking.json.code]).to.deep.equal([404, 'oidc_not_configured']);
        expect((await service.call('GET', '/v1/me/oidc')).json).to.deep.equal({ linked: null });
      });
    });

    describe('with one', () => {
      before(() =>
        restartWith({
          OIDC_ISSUER: issuer.issuer,
          OIDC_CLIENT_ID: CLIENT_ID,
          OIDC_CLIENT_SECRET: CLIENT_SECRET,
        }),
      );

      it('sends the browser there, with a cookie that comes back from another site', async () => {
        const { host } = new URL(issuer.issuer);
        expect((await get('/v1/sign-in')).json.methods.oidc).to.deep.equal({ name: host });
        const answer = await get(BEGIN);
        expect(answer.status).to.equal(303);
        expect(answer.headers.get('location')).to.match(new RegExp(`^${issuer.issuer}/`));
        expect(answer.headers.get('cache-control')).to.include('no-store');
        expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
        expect(answer.text).to.equal('');
        expect(answer.headers.getSetCookie()).to.have.length(1);
        expect(answer.headers.getSetCookie()[0]).to.match(
          /^oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
        );
      });

      it('rejects a subject that is not linked', async () => {
        const answer = await signIn('stranger');
        expect(outcomeOf(answer)).to.equal('303 /app/sign-in?error=oidc_unknown');
        expect(answer.headers.getSetCookie()).to.deep.equal([
          'oidc=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
        ]);
      });

      it('links the account that signs in, without the session cookie, and signs in by it', async () => {
        const browser = await newBrowser();
        const begun = await beginLink(browser);
        const linking = await finish(begun, 'ada');
        expect(outcomeOf(linking)).to.equal('303 /app');
        expect(cookieSetBy(linking)).to.equal(undefined);
        const { linked } = (await browser.call('GET', '/v1/me/oidc', { headers: from() })).json;
        expect(linked).to.have.all.keys('issuer', 'linked_at');
        expect(linked.issuer).to.equal(issuer.issuer);

        const answer = await signIn('ada');
        expect(outcomeOf(answer)).to.equal('303 /app');
        expect(answer.headers.getSetCookie()).to.have.length(2);
        expect(answer.headers.getSetCookie()[0]).to.match(
          /^session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
        );
        expect(flowCookieOf(answer)).to.equal('oidc=');
        const next = browserWith(service, cookieSetBy(answer) ?? '');
        expect((await me(next)).owner.id).to.equal(owner);
        const { items } = (await service.call('GET', '/v1/security-events')).json;
        const kinds = items.map(({ kind }: { kind: string }) => kind);
        expect(kinds.slice(0, 2)).to.deep.equal(['signed_in', 'oidc_linked']);
      });

      it('accepts an answer once, and only from the browser that began', async () => {
        const begun = await begin();
        const path = await back(begun, 'ada');
        const other = await begin();
        const expired = '303 /app/sign-in?error=oidc_expired';
        const swapped = path.replace(
          /state=[^&]*/,
          `state=${new URL(other.url).searchParams.get('state')}`,
        );
        for (const [sent, cookie] of [
          [path, undefined],
          [path, other.cookie],
          [path, 'oidc=constructor'],
          [path, `${other.cookie}; ${begun.cookie}`],
          [swapped, begun.cookie],
          [CALLBACK, begun.cookie],
          [path.replace('state=', 'State='), begun.cookie],
        ] as const) {
          const answer = await get(sent, cookie);
          expect(outcomeOf(answer)).to.equal(expired);
          expect(answer.headers.getSetCookie()).to.deep.equal([]);
        }
        expect(outcomeOf(await get(path, begun.cookie))).to.equal('303 /app');
        expect(outcomeOf(await get(path, begun.cookie))).to.equal(expired);
      });

      it('renews the session of the browser', async () => {
        const first = await signedIn('ada');
        const session = async (browser: SignedInBrowser) => {
          const { json } = await browser.call('GET', '/v1/sessions', { headers: from() });
          return json.items.find(({ current }: { current: boolean }) => current).id as string;
        };
        const id = await session(first);
        const renewed = browserWith(service, cookieSetBy(await signIn('ada', first.cookie)) ?? '');
        expect(await session(renewed)).to.equal(id);
        expect((await first.call('GET', '/v1/me', { headers: from() })).status).to.equal(401);
      });

      it('renews a session by a new login at the provider, whose time decides whether it is recent', async () => {
        const first = await signedIn('ada');
        const { url } = await begin(first.cookie);
        const sent = Object.fromEntries(new URL(url).searchParams);
        expect(sent).to.include({ prompt: 'login', max_age: '0' });
        expect(new URL((await begin()).url).searchParams.has('prompt')).to.equal(false);
        const makesToken = async (browser: SignedInBrowser) => {
          const body = { name: 'of a session' };
          const { status, json } = await browser.call('POST', '/v1/tokens', {
            body,
            headers: from(),
          });
          return status < 300 ? 'made' : json.code;
        };
        issuer.forges({ claims: { auth_time: Math.floor(Date.now() / 1000) - 3_600 } });
        const known = await signedIn('ada');
        issuer.forges(null);
        expect(await makesToken(known)).to.equal('sign_in_again');
        const cookie = cookieSetBy(await signIn('ada', known.cookie)) ?? '';
        expect(await makesToken(browserWith(service, cookie))).to.equal('made');
      });

      it('renews no session for a page of another origin that sends the browser there', async () => {
        const first = await signedIn('ada');
        const answer = await service.call('GET', BEGIN, {
          token: null,
          headers: { ...from(), cookie: first.cookie, 'sec-fetch-site': 'same-site' },
        });
        const begun = {
          url: answer.headers.get('location') ?? '',
          cookie: flowCookieOf(answer) ?? '',
        };
        const second = browserWith(service, cookieSetBy(await finish(begun, 'ada')) ?? '');
        for (const each of [first, second])
          expect((await each.call('GET', '/v1/me', { headers: from() })).status).to.equal(200);
      });

      it('reports failures of the provider by a code, and repeats no text of it', async () => {
        const refused = await begin();
        const path = await back(refused, '');
        expect(path).to.include('error=access_denied').and.include('%3Cb%3E');
        const answer = await get(path, refused.cookie);
        expect(outcomeOf(answer)).to.equal('303 /app/sign-in?error=oidc_denied');
        expect(answer.text).to.equal('');
        issuer.interferes('/token', (_request, response) => response.writeHead(503).end());
        const down = await signIn('ada');
        expect(outcomeOf(down)).to.equal('303 /app/sign-in?error=oidc_unavailable');
        issuer.interferes('/token', null);
        issuer.forges({ claims: { nonce: 'another' } });
        const forged = await signIn('ada');
        expect(outcomeOf(forged)).to.equal('303 /app/sign-in?error=sign_in_failed');
        issuer.forges(null);
        for (const each of [answer, down, forged]) expect(cookieSetBy(each)).to.equal(undefined);
        expect(outcomeOf(await signIn('ada'))).to.equal('303 /app');
      });

      it('begins a link for pages of the service only, and links no account of another owner', async () => {
        const other = await newBrowser((await service.newOwner()).id);
        const crossSite = await other.call('POST', '/v1/me/oidc', {
          headers: { ...from(), 'sec-fetch-site': 'cross-site' },
        });
        expect([crossSite.status, crossSite.json.code]).to.deep.equal([403, 'forbidden']);
        expect(crossSite.headers.getSetCookie()).to.deep.equal([]);
        const taken = await link(other, 'ada');
        expect(outcomeOf(taken)).to.equal('303 /app/sign-in?error=oidc_taken');
        const { json } = await other.call('GET', '/v1/me/oidc', { headers: from() });
        expect(json).to.deep.equal({ linked: null });
      });

      it('does not link for a session that was signed out meanwhile', async () => {
        const other = await newBrowser((await service.newOwner()).id);
        const begun = await beginLink(other);
        await other.call('POST', '/v1/sign-out', { headers: from() });
        const answer = await finish(begun, 'bob');
        expect(outcomeOf(answer)).to.equal('303 /app/sign-in?error=oidc_expired');
        expect(outcomeOf(await signIn('bob'))).to.equal('303 /app/sign-in?error=oidc_unknown');
      });

      it('unlinks, but not the last way to sign in of a session', async () => {
        const browser = await signedIn('ada');
        const last = await browser.call('DELETE', '/v1/me/oidc', { headers: from() });
        expect([last.status, last.json.code]).to.deep.equal([409, 'last_sign_in']);
        expect((await service.call('DELETE', '/v1/me/oidc')).status).to.equal(200);
        expect((await browser.call('GET', '/v1/me', { headers: from() })).status).to.equal(401);
        const again = await service.call('DELETE', '/v1/me/oidc');
        expect([again.status, again.json.code]).to.deep.equal([409, 'not_configured']);
        expect(outcomeOf(await signIn('ada'))).to.equal('303 /app/sign-in?error=oidc_unknown');
      });
    });

    describe('behind a proxy, with a tenant for unknown people', () => {
      let tenant: string;
      let other: Service;
      before(async () => {
        tenant = (await service.call('GET', '/v1/me')).json.tenant.id;
        const extra = {
          PUBLIC_URL,
          OIDC_ISSUER: issuer.issuer,
          OIDC_CLIENT_ID: CLIENT_ID,
          OIDC_CLIENT_SECRET: CLIENT_SECRET,
          OIDC_NAME: 'Home',
          OIDC_PROVISION: tenant,
          OIDC_ROLE_CLAIM: 'role',
        };
        const missing = { ...extra, OIDC_PROVISION: '01936f5e-4d2a-7000-8000-0123456789ab' };
        await service.stop();
        const refused = await service.beside(missing).then(
          () => 'started',
          () => 'refused',
        );
        expect(refused).to.equal('refused');
        await restartWith(extra);
        other = profile === 'team' ? await service.beside(extra) : service;
      });
      after(async () => {
        if (other !== service) await other.stop();
      });

      it('sets cookies for https only', async () => {
        const begun = await get(BEGIN);
        expect(begun.headers.getSetCookie()[0]).to.match(
          /^__Host-oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
        );
        const sent = new URL(begun.headers.get('location') ?? '').searchParams;
        expect(sent.get('redirect_uri')).to.equal(PUBLIC_URL + CALLBACK);
        const answer = await signIn('eve');
        expect(answer.headers.get('location')).to.equal(`${PUBLIC_URL}/app`);
        expect(answer.headers.getSetCookie()[0]).to.match(
          /^__Host-session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
        );
        const failed = await get(`${CALLBACK}?state=x`);
        expect(failed.headers.get('location')).to.equal(
          `${PUBLIC_URL}/app/sign-in?error=oidc_expired`,
        );
      });

      it('creates one owner for a person, with name and role of the provider', async () => {
        issuer.people.set('dora', { name: ' Dora\u0000 Mar ', role: ['nothing', 'pro'] });
        const answers = await Promise.all(
          Array.from({ length: 6 }, async (_, i) =>
            finish(await begin(), 'dora', i % 2 ? other : service),
          ),
        );
        const owners = [];
        for (const answer of answers)
          owners.push(await me(browserWith(service, cookieSetBy(answer) ?? '')));
        const [first] = owners;
        expect(first.owner).to.include({ name: 'Dora Mar', role: 'pro' });
        expect(first.tenant.id).to.equal(tenant);
        expect(new Set(owners.map((each) => each.owner.id)).size).to.equal(1);
        issuer.people.set('dora', { role: 'free' });
        const later = await me(await signedIn('dora'));
        expect(later.owner).to.deep.equal({ ...first.owner, role: 'free' });
      });
    });

    describe('the log', () => {
      it('names the failures of the provider, and no secret', () => {
        const log = service.logged();
        expect(log).to.include('a sign-in at the identity provider failed');
        for (const secret of secrets) {
          expect(secret.length).to.be.greaterThan(10);
          expect(log.includes(secret), secret).to.equal(false);
        }
      });
    });
  });
