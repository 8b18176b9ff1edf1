import { expect } from 'chai';
import fc from 'fast-check';
import { SoftwareAuthenticator, newKey, type Changes } from '../software-authenticator.ts';
import { browserWith, openShiftedClock, signInBrowser, type ShiftedClock } from './signed-in.ts';
import { profiles, startService, type Answer, type Call, type Service } from './harness.ts';

/** As behind a reverse proxy that ends TLS: browsers know another origin than the one the service listens on. */
const ORIGIN = 'https://workspace.test';
const COOKIE = '__Host-session';
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

for (const profile of profiles)
  describe(`${profile}: passkeys`, function () {
    this.timeout(60_000);
    let service: Service;
    let clock: ShiftedClock;
    before(async () => {
      clock = await openShiftedClock();
      service = await startService(profile, {
        PUBLIC_URL: `${ORIGIN}/`,
        TRUST_PROXY: '1',
        ...clock.env,
      });
    });
    after(async () => {
      await service.dispose();
      await clock.dispose();
    });

    let clients = 0;
    /** Sign-ins are counted by address, so each comes from another one. */
    const asBrowser = (headers: Call['headers'] = {}, origin = ORIGIN): Call => ({
      token: null,
      headers: {
        origin,
        'x-forwarded-for': `10.2.${clients >> 8}.${++clients & 255}`,
        'x-forwarded-proto': 'https',
        ...headers,
      },
    });

    const register = async (
      token: string,
      authenticator: SoftwareAuthenticator,
      name = 'Laptop',
      by = service,
    ): Promise<Answer> => {
      const begun = await by.call('POST', '/v1/me/passkeys/options', { token });
      expect(begun.status, begun.text).to.equal(200);
      const response = authenticator.create(begun.json);
      return by.call('POST', '/v1/me/passkeys', { token, body: { name, response } });
    };
    const answer = async (
      authenticator: SoftwareAuthenticator,
      changes: Changes = {},
      by = service,
    ) => {
      const begun = await by.call('POST', '/v1/sign-in/passkey/options', asBrowser());
      expect(begun.status, begun.text).to.equal(200);
      return authenticator.get(begun.json, changes);
    };
    const signIn = (response: unknown, call = asBrowser(), by = service) =>
      by.call('POST', '/v1/sign-in/passkey', { ...call, body: { response } });
    const cookieOf = ({ headers }: Answer): string =>
      new RegExp(`${COOKIE}=[\\w-]{43}`).exec(headers.get('set-cookie') ?? '')?.[0] ?? '';
    const withSession = async (authenticator: SoftwareAuthenticator): Promise<Call> =>
      asBrowser({ cookie: cookieOf(await signIn(await answer(authenticator))) });

    it('sign a browser in', async () => {
      const owner = await service.newOwner();
      const authenticator = new SoftwareAuthenticator(ORIGIN, 'EdDSA');
      const added = await register(owner.token, authenticator, ' My laptop ');
      expect(added.status, added.text).to.equal(200);
      expect(added.json).to.deep.include({
        name: 'My laptop',
        last_used_at: null,
        is_backed_up: false,
        is_backup_eligible: false,
        transports: ['internal', 'hybrid'],
      });
      const signedIn = await signIn(await answer(authenticator));
      expect(signedIn.status, signedIn.text).to.equal(200);
      expect(signedIn.json.owner.id).to.equal(owner.id);
      const cookie = signedIn.headers.get('set-cookie') ?? '';
      expect(cookie).to.match(/^__Host-session=[\w-]{43}; /);
      for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Secure'])
        expect(cookie).to.include(part);
      const me = await service.call('GET', '/v1/me', asBrowser({ cookie: cookieOf(signedIn) }));
      expect(me.json).to.deep.include({ token: null });
      expect(me.json.owner.id).to.equal(owner.id);
      const { json } = await service.call('GET', '/v1/me/passkeys', { token: owner.token });
      expect(json.total).to.equal(1);
      expect(json.items[0].last_used_at).to.be.a('string');
    });

    it('are added once for an idempotency key', async () => {
      const { token } = await service.newOwner();
      const begun = await service.call('POST', '/v1/me/passkeys/options', { token });
      const response = new SoftwareAuthenticator(ORIGIN).create(begun.json);
      const headers = { 'idempotency-key': 'add-laptop' };
      const add = (name: string) =>
        service.call('POST', '/v1/me/passkeys', { token, headers, body: { name, response } });
      const first = await add('Laptop');
      const again = await add('Laptop');
      expect([again.status, again.json]).to.deep.equal([200, first.json]);
      const other = await add('Phone');
      expect([other.status, other.json.code]).to.deep.equal([409, 'idempotency_key_reused']);
      const { json } = await service.call('GET', '/v1/me/passkeys', { token });
      expect(json.total).to.equal(1);
    });

    it('have options for the JSON methods of browsers, which name no owner before the sign-in', async () => {
      const owner = await service.newOwner();
      await register(owner.token, new SoftwareAuthenticator(ORIGIN));
      const { json } = await service.call('POST', '/v1/sign-in/passkey/options', asBrowser());
      expect(json.challenge).to.match(/^[\w-]{43}$/);
      expect({ ...json, challenge: '' }).to.deep.equal({
        challenge: '',
        rpId: 'workspace.test',
        allowCredentials: [],
        timeout: 300_000,
        userVerification: 'required',
      });
      const path = '/v1/me/passkeys/options';
      const [first, second] = [
        await service.call('POST', path, { token: owner.token }),
        await service.call('POST', path, { token: owner.token }),
      ];
      const { user, excludeCredentials, challenge } = first.json;
      expect(excludeCredentials).to.have.length(1);
      expect(user.id).not.to.include(owner.id.replaceAll('-', ''));
      expect(second.json.user.id).to.equal(user.id);
      expect(second.json.challenge).not.to.equal(challenge);
    });

    it('reject a wrong, repeated, unknown or malformed answer with one error, and set no cookie', async () => {
      const { token } = service;
      const authenticator = new SoftwareAuthenticator(ORIGIN, 'ES256', null);
      await register(token, authenticator);
      const used = await answer(authenticator);
      await signIn(used);
      const stranger = new SoftwareAuthenticator(ORIGIN);
      const begun = await service.call('POST', '/v1/me/passkeys/options', { token });
      stranger.create(begun.json);
      const wrong = [
        used,
        {},
        { response: null },
        await answer(stranger),
        await answer(authenticator, { key: newKey('ES256').privateKey }),
        await answer(authenticator, { origin: service.base }),
        await answer(authenticator, { origin: 'https://evil.example' }),
        await answer(authenticator, { rpId: 'evil.example' }),
        await answer(authenticator, { isUserVerified: false }),
        await answer(authenticator, { userHandle: 'AAAA' }),
        await answer(authenticator, { challenge: 'A'.repeat(43) }),
      ];
      const bodies = new Set<string>();
      for (const response of wrong) {
        const rejected = await signIn(response);
        expect(rejected.status, rejected.text).to.equal(401);
        expect(rejected.headers.get('set-cookie')).to.equal(null);
        bodies.add(rejected.text);
      }
      expect([...bodies].map((body) => JSON.parse(body).code)).to.deep.equal(['sign_in_failed']);
    });

    it('reject answers of any shape without an internal error', async () => {
      const { token } = await service.newOwner();
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      await register(token, authenticator);
      const honest = await answer(authenticator);
      const fields = [
        ...['id', 'rawId', 'type', 'response', 'clientDataJSON', 'authenticatorData'],
        ...['attestationObject', 'signature', 'userHandle', '__proto__', 'constructor', 'x'],
      ];
      const value = fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<unknown>('', '=', '%', '\0', '\ud800', 'A'.repeat(9_000), 1e30, honest),
      );
      const hostile = fc
        .array(fc.tuple(fc.constantFrom(...fields), value), { maxLength: 6 })
        .map((entries) => Object.fromEntries(entries) as unknown);
      const sent = fc.oneof(
        value,
        hostile,
        hostile.map((response) => ({ ...honest, response })),
        hostile.map((changed) => ({ ...honest, ...(changed as object), signature: 'AA' })),
      );
      await fc.assert(
        fc.asyncProperty(sent, async (response) => {
          const rejected = await signIn(response);
          expect(rejected.status, rejected.text).to.be.oneOf([200, 401, 413, 422]);
          if (rejected.status === 200) expect(response).to.deep.include({ id: honest.id });
          const body = { name: 'x', response };
          const added = await service.call('POST', '/v1/me/passkeys', { token, body });
          expect(added.status, added.text).to.be.oneOf([400, 413, 422, 429]);
        }),
        { numRuns: 50 },
      );
    });

    it('limit an answer to 16 KiB and 64 levels, and never repeat it in an error', async () => {
      const { token } = service;
      const large = { id: 'x'.repeat(17_000) };
      expect((await signIn(large)).status).to.equal(413);
      const added = { token, body: { name: 'x', response: large } };
      expect((await service.call('POST', '/v1/me/passkeys', added)).status).to.equal(413);
      let deep: object = {};
      for (let i = 0; i < 70; i++) deep = { deep };
      expect((await signIn(deep)).status).to.equal(422);
      const response = { id: 'not to be repeated' };
      for (const body of [{ response }, { name: 5, response }, { name: '', response }]) {
        const rejected = await service.call('POST', '/v1/me/passkeys', { token, body });
        expect(rejected.status).to.equal(422);
        expect(rejected.text).not.to.include('not to be repeated');
      }
      expect((await signIn('not to be repeated')).text).not.to.include('not to be repeated');
    });

    it('refuse a counter that goes back, and notify the owner', async () => {
      const { token } = service;
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      const { json: passkey } = await register(token, authenticator, 'Key ring');
      const copy = await answer(authenticator, { counter: 40 });
      expect((await signIn(await answer(authenticator, { counter: 41 }))).status).to.equal(200);
      const refused = await signIn(copy);
      expect(refused.status).to.equal(401);
      expect(refused.json.code).to.equal('sign_in_failed');
      const { json } = await service.call('GET', '/v1/notifications', { token });
      const alert = json.items.find(
        ({ kind, body }: Answer['json']) =>
          kind === 'security.alert' && body.includes('counter went back'),
      );
      expect(alert.body).to.include('Key ring');
      expect(alert.payload.kind).to.equal('sign_in_failed');
      const again = await signIn(await answer(authenticator, { counter: 42 }));
      expect(again.status, 'the original still works').to.equal(200);
      const list = await service.call('GET', '/v1/me/passkeys', { token });
      expect(list.json.items.map(({ id }: Answer['json']) => id)).to.include(passkey.id);
    });

    it('are managed by their owner only', async () => {
      const [mine, theirs] = [await service.newOwner(), await service.newOwner()];
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      const { json } = await register(mine.token, authenticator);
      const path = `/v1/me/passkeys/${json.id}`;
      const other = { token: theirs.token };
      for (const [target, call] of [
        [path, other],
        [`/v1/me/passkeys/${MISSING}`, { token: mine.token }],
      ] as const) {
        const renamed = await service.call('PATCH', target, { ...call, body: { name: 'x' } });
        const removed = await service.call('DELETE', target, call);
        for (const { status, json: error } of [renamed, removed]) {
          expect(status).to.equal(404);
          expect(error.code).to.equal('not_found');
        }
      }
      expect((await service.call('GET', '/v1/me/passkeys', other)).json.total).to.equal(0);
      const body = { name: 'Desk' };
      const renamed = await service.call('PATCH', path, { token: mine.token, body });
      expect(renamed.json).to.deep.equal({ ...json, name: 'Desk' });
      const removed = await service.call('DELETE', path, { token: mine.token });
      expect(removed.json).to.deep.equal({ deleted: true });
      expect((await signIn(await answer(authenticator))).status).to.equal(401);
    });

    it('cannot be removed down to none by a session', async () => {
      const { token } = await service.newOwner();
      const [first, second] = [
        new SoftwareAuthenticator(ORIGIN),
        new SoftwareAuthenticator(ORIGIN),
      ];
      const { json: one } = await register(token, first);
      const { json: two } = await register(token, second);
      const session = await withSession(second);
      const remove = (id: string, call: Call) =>
        service.call('DELETE', `/v1/me/passkeys/${id}`, call);
      expect((await remove(one.id, session)).status).to.equal(200);
      const last = await remove(two.id, session);
      expect(last.status).to.equal(409);
      expect(last.json.code).to.equal('last_sign_in');
      expect((await remove(two.id, { token })).status).to.equal(200);
    });

    it('need the scope `account`, and no page of another site can use them', async () => {
      const { token } = await service.newOwner();
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      const { json } = await register(token, authenticator);
      const reader = await service.call('POST', '/v1/tokens', {
        token,
        body: { name: 'reader', access: 'read' },
      });
      const session = await withSession(authenticator);
      const evil = { 'sec-fetch-site': 'cross-site' };
      const operations = [
        ['POST', '/v1/me/passkeys/options', undefined],
        ['POST', '/v1/me/passkeys', { name: 'x', response: {} }],
        ['PATCH', `/v1/me/passkeys/${json.id}`, { name: 'x' }],
        ['DELETE', `/v1/me/passkeys/${json.id}`, undefined],
      ] as const;
      for (const [method, path, body] of operations)
        for (const call of [
          { token: reader.json.token },
          { ...session, headers: { ...session.headers, ...evil } },
          { ...session, headers: { ...session.headers, origin: 'https://evil.example' } },
        ]) {
          const refused = await service.call(method, path, { ...call, body });
          expect(refused.status, `${method} ${path}`).to.equal(403);
          expect(refused.json.code).to.equal('forbidden');
        }
      const response = await answer(authenticator);
      for (const call of [asBrowser(evil), asBrowser({}, 'https://evil.example')])
        expect((await signIn(response, call)).status).to.equal(403);
      expect((await signIn(response)).status, 'the challenge was not consumed').to.equal(200);
    });

    it('are added and removed after a recent sign-in only; signing in with one is recent', async () => {
      const owner = await service.newOwner();
      // The way of a new owner: a one-time link, and then a passkey.
      const browser = await signInBrowser(service, owner.id);
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      const begun = await browser.call('POST', '/v1/me/passkeys/options');
      const response = authenticator.create(begun.json);
      const added = await browser.call('POST', '/v1/me/passkeys', {
        body: { name: 'x', response },
      });
      expect(added.status, added.text).to.equal(200);
      await clock.forward(16 * 60_000);
      const path = `/v1/me/passkeys/${added.json.id}`;
      for (const [method, target, body] of [
        ['POST', '/v1/me/passkeys/options', undefined],
        ['POST', '/v1/me/passkeys', { name: 'x', response }],
        ['PATCH', path, { name: 'x' }],
        ['DELETE', path, undefined],
      ] as const) {
        const refused = await browser.call(method, target, { body });
        expect(refused.status, `${method} ${target}`).to.equal(403);
        expect(refused.json.code).to.equal('sign_in_again');
      }
      expect((await browser.call('GET', '/v1/me/passkeys')).json.total).to.equal(1);
      const again = await signIn(
        await answer(authenticator),
        asBrowser({ cookie: browser.cookie }),
      );
      expect(again.json.session.id).to.equal(browser.id);
      const renewed = browserWith(service, cookieOf(again));
      expect((await renewed.call('PATCH', path, { body: { name: 'Desk' } })).status).to.equal(200);
    });

    it('are rejected if the answer takes longer than five minutes', async () => {
      const { token } = await service.newOwner();
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      await register(token, authenticator);
      const begun = await service.call('POST', '/v1/me/passkeys/options', { token });
      const late = await answer(authenticator);
      await clock.forward(5 * 60_000);
      expect((await signIn(late)).status).to.equal(401);
      const response = new SoftwareAuthenticator(ORIGIN).create(begun.json);
      const body = { name: 'x', response };
      const added = await service.call('POST', '/v1/me/passkeys', { token, body });
      expect(added.status).to.equal(400);
      expect(added.json.code).to.equal('passkey_rejected');
    });

    it('renew the session that the browser has', async () => {
      const { token } = service;
      const authenticator = new SoftwareAuthenticator(ORIGIN);
      await register(token, authenticator);
      const first = await signIn(await answer(authenticator));
      const before = asBrowser({ cookie: cookieOf(first) });
      const second = await signIn(await answer(authenticator), before);
      expect(second.json.session.id).to.equal(first.json.session.id);
      expect(cookieOf(second)).not.to.equal(cookieOf(first));
      expect((await service.call('GET', '/v1/me', before)).status).to.equal(401);
      const after = asBrowser({ cookie: cookieOf(second) });
      expect((await service.call('GET', '/v1/me', after)).status).to.equal(200);
    });

    if (profile === profiles[0])
      it('leave nothing of an answer in the log', async () => {
        const traced = await startService(profile, { PUBLIC_URL: ORIGIN, LOG_LEVEL: 'trace' });
        try {
          const authenticator = new SoftwareAuthenticator(ORIGIN);
          await register(traced.token, authenticator, 'x', traced);
          const response = await answer(authenticator, {}, traced);
          const signedIn = await signIn(response, asBrowser(), traced);
          expect(signedIn.status, signedIn.text).to.equal(200);
          expect((await signIn(response, asBrowser(), traced)).status).to.equal(401);
          // What is logged last is written when the process ends.
          await traced.stop();
          const secret = cookieOf(signedIn).split('=')[1] ?? '';
          const { challenge } = JSON.parse(
            Buffer.from(response.response.clientDataJSON, 'base64url').toString(),
          ) as { challenge: string };
          expect(traced.logged()).to.include('/v1/sign-in/passkey');
          for (const each of [secret, challenge, response.response.signature, response.id])
            expect(traced.logged()).not.to.include(each);
        } finally {
          await traced.dispose();
        }
      });

    if (profile === profiles[0])
      it('are refused by a service whose address cannot have them', async () => {
        const plain = await startService(profile, { PUBLIC_URL: 'http://192.0.2.1:8080' });
        try {
          const call = { token: null };
          for (const [path, sent] of [
            ['/v1/sign-in/passkey/options', call],
            ['/v1/me/passkeys/options', {}],
          ] as const) {
            const refused = await plain.call('POST', path, sent);
            expect(refused.status, refused.text).to.equal(409);
            expect(refused.json.code).to.equal('passkeys_unavailable');
          }
          expect((await plain.call('GET', '/v1/me/passkeys')).json.total).to.equal(0);
        } finally {
          await plain.dispose();
        }
      });

    if (profile === 'team')
      it('work across processes: options of one, the answer at another', async () => {
        const other = await service.beside();
        try {
          const { token } = await service.newOwner();
          const authenticator = new SoftwareAuthenticator(ORIGIN);
          const begun = await other.call('POST', '/v1/me/passkeys/options', { token });
          const made = authenticator.create(begun.json);
          const body = { name: 'x', response: made };
          expect((await service.call('POST', '/v1/me/passkeys', { token, body })).status).to.equal(
            200,
          );
          const response = await answer(authenticator, {}, other);
          const answers = await Promise.all(
            [service, other, service, other].map((by) => signIn(response, asBrowser(), by)),
          );
          expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401]);
          const [winner] = answers.filter(({ status }) => status === 200);
          if (!winner) throw new Error('No owner was signed in.');
          const session = asBrowser({ cookie: cookieOf(winner) });
          for (const by of [service, other])
            expect((await by.call('GET', '/v1/me', session)).status).to.equal(200);
        } finally {
          await other.stop();
        }
      });
  });
