import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { profiles, startService, type Answer, type Call, type Service } from './harness.ts';
import {
  CHROME,
  OF_A_PAGE,
  browserWith,
  cookieSetBy,
  openLink,
  signInBrowser,
} from './signed-in.ts';

const ELSEWHERE = 'https://elsewhere.example';
const LISTED = 'https://app.example';

for (const profile of profiles)
  describe(`${profile}: signing in`, function () {
    this.timeout(120_000);
    let service: Service;
    let owner: string;
    before(async () => {
      service = await startService(profile, { TRUST_PROXY: '1', CORS_ORIGINS: LISTED });
      owner = (await service.call('GET', '/v1/me')).json.owner.id;
    });
    after(() => service.dispose());

    let addresses = 0;
    /** Sign-ins and wrong secrets are counted by address. */
    const newAddress = () => `10.3.${++addresses >> 8}.${addresses & 255}`;
    const from = (address = newAddress()) => ({ 'x-forwarded-for': address });
    const signIn = (who = owner) => signInBrowser(service, who, { headers: from() });
    const me = (headers: Readonly<Record<string, string>>, call: Call = {}) =>
      service.call('GET', '/v1/me', { token: null, ...call, headers: { ...from(), ...headers } });

    /** The statuses up to the first 429. The count begins again with each minute, so there may be more than a minute's. */
    const untilLimited = async (send: () => Promise<Answer>): Promise<readonly number[]> => {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 429 && statuses.length < 2_000) {
        const answers = await Promise.all(Array.from({ length: 10 }, send));
        statuses.push(...answers.map(({ status }) => status).sort());
      }
      return statuses;
    };

    it('a link signs a browser in once, and its cookie stands for the owner', async () => {
      const code = await service.signInCode(owner);
      const answer = await openLink(service, code, { headers: from('192.0.2.77') });
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('cache-control')).to.include('no-store');
      expect(answer.headers.getSetCookie()).to.have.length(1);
      expect(answer.headers.getSetCookie()[0]).to.match(
        /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
      );
      const { session } = answer.json;
      expect(answer.json.owner).to.have.all.keys('id', 'name');
      expect(answer.json.owner.id).to.equal(owner);
      expect(session).to.deep.include({
        network: '192.0.2.0/24',
        client: 'Chrome on Linux',
        current: true,
      });
      expect(session.last_used_at).to.match(/:00\.000Z$/);
      expect(answer.text).not.to.include(cookieSetBy(answer)?.split('=')[1]);
      const cookie = cookieSetBy(answer) ?? '';
      const known = await me({ cookie });
      expect(known.json).to.deep.include({ token: null });
      expect(known.json.owner.id).to.equal(owner);

      const again = await openLink(service, code, { headers: from() });
      expect([again.status, again.json.code]).to.deep.equal([401, 'sign_in_failed']);
      expect(cookieSetBy(again)).to.equal(undefined);
      expect((await me({ cookie })).status).to.equal(200);
    });

    it('the command line prints links beside the server, by id and name, until one has been used', async () => {
      const { json } = await service.call('GET', '/v1/me');
      const links = [
        await service.cli('owner', 'sign-in-link', owner),
        await service.cli('owner', 'sign-in-link', json.owner.name),
      ];
      for (const { link, expires_at } of links) {
        expect(link).to.match(/^http:\/\/localhost:\d+\/app\/sign-in#[\w-]{43}$/);
        const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
        expect(minutes).to.be.within(15, 30.1);
        const answer = await openLink(service, new URL(link).hash.slice(1), { headers: from() });
        expect([answer.status, answer.json.owner?.id]).to.deep.equal([200, owner]);
      }
      const refused = await service.cli('owner', 'sign-in-link', 'nobody').then(
        () => '',
        (error: { stderr: string }) => error.stderr,
      );
      expect(refused).to.equal('owner-workspace: There is no owner "nobody".\n');
    });

    it('a wrong code of any form is 401, and no part of it is sent back', async () => {
      for (const code of ['', 'constructor', 'x'.repeat(43), 'x'.repeat(100)]) {
        const answer = await openLink(service, code, { headers: from() });
        expect([answer.status, answer.json.code]).to.deep.equal([401, 'sign_in_failed']);
      }
      const secret = `${'s'.repeat(60)}\u00e9${'s'.repeat(60)}`;
      for (const code of [secret, 7, null, ['a'], { a: secret }]) {
        const answer = await service.call('POST', '/v1/sign-in/link', {
          token: null,
          headers: from(),
          body: { code },
        });
        expect(answer.status).to.equal(422);
        expect(answer.text).not.to.include('ssss');
      }
    });

    it('GET /v1/sign-in tells the ways, and whether the browser is signed in; a token does not count', async () => {
      const { cookie } = await signIn();
      const ask = (headers: Readonly<Record<string, string>>, token: string | null = null) =>
        service.call('GET', '/v1/sign-in', { token, headers: { ...from(), ...headers } });
      const out = await ask({});
      expect([out.status, out.json]).to.deep.equal([
        200,
        { methods: { passkey: true, password: true, oidc: null }, signed_in: false },
      ]);
      expect((await ask({ cookie })).json.signed_in).to.equal(true);
      expect((await ask({}, service.token)).json.signed_in).to.equal(false);
      const stale = await ask({ cookie: `session=${'x'.repeat(43)}` });
      expect([stale.status, stale.json.signed_in, cookieSetBy(stale)]).to.deep.equal([
        ...[200, false, ''],
      ]);
    });

    it('with the cookie a sign-in renews the session: the same id, a new secret, the old one ends', async () => {
      const { cookie, id } = await signIn();
      const renewed = await signInBrowser(service, owner, { cookie, headers: from() });
      expect(renewed.id).to.equal(id);
      expect(renewed.cookie).not.to.equal(cookie);
      const old = await me({ cookie });
      // A request under way with the old cookie must not clear the new one.
      expect([old.status, cookieSetBy(old)]).to.deep.equal([401, undefined]);
      expect((await me({ cookie: renewed.cookie })).status).to.equal(200);

      const mate = await service.newOwner();
      const other = await signInBrowser(service, mate.id, {
        cookie: renewed.cookie,
        headers: from(),
      });
      expect(other.id).not.to.equal(id);
      expect((await me({ cookie: other.cookie })).json.owner.id).to.equal(mate.id);
    });

    it('an idempotency key has no effect: the cookie is not set a second time', async () => {
      const code = await service.signInCode(owner);
      const headers = { ...from(), 'idempotency-key': 'same' };
      const answers = [
        await openLink(service, code, { headers }),
        await openLink(service, code, { headers }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 401]);
      expect(answers.map((each) => cookieSetBy(each) === undefined)).to.deep.equal([false, true]);
    });

    it('a page of another site cannot sign in, a program can', async () => {
      const refused = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site', origin: service.base },
        { origin: ELSEWHERE },
        { origin: LISTED },
        { origin: 'null' },
        { origin: service.base.replace('http:', 'https:') },
        { origin: service.base.replace(/:\d+$/, ':1') },
      ];
      const code = await service.signInCode(owner);
      for (const headers of refused) {
        const answer = await openLink(service, code, { headers: { ...from(), ...headers } });
        expect([answer.status, answer.json.code], JSON.stringify(headers)).to.deep.equal([
          ...[403, 'forbidden'],
        ]);
      }
      for (const headers of [{}, OF_A_PAGE, { 'sec-fetch-site': 'none' }, { origin: service.base }])
        expect(
          (
            await openLink(service, await service.signInCode(owner), {
              headers: { ...from(), ...headers },
            })
          ).status,
        ).to.equal(200);
      // Refused before the code was looked at.
      expect((await openLink(service, code, { headers: from() })).status).to.equal(200);
    });

    it('a change by cookie has to come from a page of the service', async () => {
      const { cookie } = await signIn();
      let folders = 0;
      const change = (headers: Readonly<Record<string, string>>, token: string | null = null) =>
        service.call('POST', '/v1/collections', {
          token,
          headers: { cookie, ...headers },
          body: { name: `F${folders++}` },
        });
      const count = async () => (await service.call('GET', '/v1/collections')).json.total;
      const before = await count();
      for (const headers of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: service.base },
        { 'sec-fetch-site': 'constructor' },
        { 'sec-fetch-site': '' },
        { origin: ELSEWHERE },
        { origin: LISTED },
        { origin: 'null' },
        { origin: `${service.base}.example` },
        { origin: service.base.toUpperCase() },
        { referer: `${service.base}/app` },
      ]) {
        const answer = await change(headers);
        expect([answer.status, answer.json?.code], JSON.stringify(headers)).to.deep.equal([
          ...[403, 'forbidden'],
        ]);
        expect(answer.headers.get('access-control-allow-credentials')).to.equal(null);
      }
      expect(await count()).to.equal(before);
      for (const headers of [
        OF_A_PAGE,
        { 'sec-fetch-site': 'none' },
        { origin: service.base },
        { ...OF_A_PAGE, origin: service.base },
      ])
        expect((await change(headers)).status, JSON.stringify(headers)).to.equal(200);
      // A token authorizes by itself, from wherever it is sent, and the cookie beside it is not looked at.
      const both = { 'sec-fetch-site': 'cross-site', origin: LISTED };
      expect((await change(both, service.token)).status).to.equal(200);
    });

    it('a page of another origin of the same site may link to a read by cookie, and not embed or fetch it', async () => {
      const { cookie } = await signIn();
      // Not by fetch, which sets `Sec-Fetch-Mode` itself.
      const read = async (headers: Readonly<Record<string, string>>) => {
        const sent = request(`${service.base}/v1/me`, { headers: { cookie, ...headers } }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        return response.statusCode;
      };
      for (const headers of [
        { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
        { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: LISTED },
        { 'sec-fetch-site': 'cross-site' },
        { origin: LISTED },
        { origin: 'null' },
      ])
        expect(await read(headers), JSON.stringify(headers)).to.equal(403);
      for (const headers of [
        {},
        { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
        { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
        OF_A_PAGE,
        { origin: service.base },
      ])
        expect(await read(headers), JSON.stringify(headers)).to.equal(200);
    });

    it('origins of CORS_ORIGINS get no credentials', async () => {
      const { cookie } = await signIn();
      const preflight = await service.call('OPTIONS', '/v1/collections', {
        token: null,
        headers: { cookie, origin: LISTED, 'access-control-request-method': 'POST' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).to.equal(LISTED);
      const answers = [preflight, await me({ cookie, origin: LISTED })];
      for (const { headers } of answers)
        expect(headers.get('access-control-allow-credentials')).to.equal(null);
      expect(answers.map(({ status }) => status)).to.deep.equal([204, 403]);
    });

    it('a bearer token wins over a cookie; with any other Authorization the cookie is not tried', async () => {
      const mate = await service.newOwner();
      const { cookie } = await signIn(mate.id);
      const both = await me({ cookie }, { token: service.token });
      expect(both.json.owner.id).to.equal(owner);
      for (const authorization of [
        `Bearer ${service.token.slice(0, -4)}____`,
        ...['Bearer x', 'Bearer', 'Basic bWU6bWU=', '', 'garbage'],
      ]) {
        const answer = await me({ cookie, authorization });
        expect([answer.status, answer.json.code], authorization).to.deep.equal([
          ...[401, 'unauthorized'],
        ]);
        expect(cookieSetBy(answer), authorization).to.equal(undefined);
      }
      expect((await me({ cookie })).json.owner.id).to.equal(mate.id);
    });

    it('a cookie is one of its name among any others; a wrong one is cleared, a repeated one refused', async () => {
      const { cookie } = await signIn();
      const [, value = ''] = cookie.split('=');
      const accepted = [
        cookie,
        `a=b; ${cookie}; c=d`,
        `  session = ${value} ;`,
        `sessions=x; xsession=y; ${cookie}`,
        `; ;=;${cookie};=x`,
        `__Host-session=x; ${cookie}`,
        `share_access=x;${cookie}`,
      ];
      for (const sent of accepted) expect((await me({ cookie: sent })).status, sent).to.equal(200);
      const refused = [
        ...[
          `session=${value}x`,
          `session=${value.slice(1)}`,
          `session="${value}"`,
          `session=${'x'.repeat(8_000)}`,
        ],
        `session=${value}=`,
      ];
      for (const sent of refused) {
        const answer = await me({ cookie: sent });
        expect([answer.status, cookieSetBy(answer)], sent.slice(0, 80)).to.deep.equal([401, '']);
      }
      // To clear one of two would leave the other, which may be another owner's.
      for (const sent of [`${cookie}; ${cookie}`, `session=; ${cookie}`, 'session=']) {
        const answer = await me({ cookie: sent });
        expect([answer.status, cookieSetBy(answer)], sent).to.deep.equal([401, undefined]);
      }
      for (const sent of [`__Host-session=${value}`, `Session=${value}`, 'session', `x=${value}`]) {
        const answer = await me({ cookie: sent });
        expect([answer.status, cookieSetBy(answer)], sent).to.deep.equal([401, undefined]);
      }
    });

    it('behind a proxy with https the cookie has the prefix __Host- and is Secure', async () => {
      const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'docs.example' };
      const code = await service.signInCode(owner);
      const answer = await openLink(service, code, { headers: { ...from(), ...proxied } });
      expect(answer.headers.getSetCookie()[0]).to.match(
        /^__Host-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
      );
      const cookie = cookieSetBy(answer) ?? '';
      expect((await me({ cookie, ...proxied })).status).to.equal(200);
      expect((await me({ cookie })).status).to.equal(401);
      const change = (origin: string) =>
        service.call('POST', '/v1/collections', {
          token: null,
          headers: { ...proxied, cookie, origin },
          body: { name: `P ${origin}` },
        });
      expect((await change('https://docs.example')).status).to.equal(200);
      expect((await change('http://docs.example')).status).to.equal(403);
      expect((await change(service.base)).status).to.equal(403);
    });

    it('a wrong cookie counts against its address like a wrong token, and affects no other client there', async () => {
      const address = newAddress();
      const { cookie } = await signIn();
      const wrong = () => me({ ...from(address), cookie: `session=${'w'.repeat(43)}` });
      const statuses = await untilLimited(wrong);
      expect(new Set(statuses)).to.deep.equal(new Set([401, 429]));
      expect(statuses.length).to.be.greaterThan(60);
      expect(cookieSetBy(await wrong())).to.equal('');
      expect((await me({ ...from(address), cookie })).status).to.equal(200);
      expect((await me({ ...from(address), cookie }, { token: service.token })).status).to.equal(
        200,
      );
    });

    it('requests of signing in have a limit of their own by address', async () => {
      const address = newAddress();
      const { cookie } = await signIn();
      const statuses = await untilLimited(() => openLink(service, 'x', { headers: from(address) }));
      expect(new Set(statuses)).to.deep.equal(new Set([401, 429]));
      expect(statuses.length).to.be.greaterThan(300);
      expect((await openLink(service, 'x', { headers: from() })).status).to.equal(401);
      expect((await me({ ...from(address), cookie })).status).to.equal(200);
    });

    it('a cookie opens nothing for visitors, platforms and the document server', async () => {
      const { cookie } = await signIn();
      const browser = browserWith(service, cookie);
      const note = await browser.call('POST', '/v1/objects/notes', { body: { content: 'mine' } });
      expect(note.status).to.equal(200);
      const share = await browser.call('POST', '/v1/shares', {
        body: { kind: 'file', resource_id: note.json.id, password: 'open sesame' },
      });
      const token = /shares\/([^/]+)$/.exec(share.json.url)?.[1] ?? '';
      const file = `/v1/public/shares/${token}/objects/${note.json.id}/content`;
      const visited = await browser.call('GET', file);
      expect(visited.status).to.equal(401);
      const told = await browser.call('POST', `/v1/public/bots/${note.json.id}/updates`, {
        body: { update_id: 1 },
      });
      expect([401, 404]).to.include(told.status);
    });

    it('every read of an owner answers a cookie as it answers a token', async () => {
      const mate = await service.newOwner();
      const { cookie } = await signIn(mate.id);
      const browser = browserWith(service, cookie);
      const make = async (path: string, body: object): Promise<string> =>
        (await browser.call('POST', path, { body })).json.id;
      const note = await make('/v1/objects/notes', { content: 'Lanterns are lit at dusk.' });
      await service.settled(note, { token: mate.token });
      const ids: Readonly<Record<string, string>> = {
        object_id: note,
        theme_id: await make('/v1/themes', { name: 'T' }),
        collection_id: await make('/v1/collections', { name: 'C' }),
        chat_id: await make('/v1/chats', { title: 'S' }),
      };
      const { routes } = await import('../../adapters/http/routes/index.ts');
      const query: Readonly<Record<string, string>> = {
        search: '?q=lanterns',
        getAgenda: '?from=2026-01-01&to=2026-02-01',
      };
      /** They say which credential was used, or when, or how long something took. */
      const differ = [
        ...['whoAmI', 'listSessions', 'listTokens', 'exportWorkspace', 'listSecurityEvents'],
        'deepHealth',
      ];
      let compared = 0;
      for (const { method, path, access, name } of routes) {
        if (method !== 'get' || access !== 'owner') continue;
        const target =
          path.replaceAll(/:(\w+)/g, (_, key: string) => ids[key] ?? '1') + (query[name] ?? '');
        const byToken = await service.call('GET', target, { token: mate.token });
        const byCookie = await browser.call('GET', target);
        expect(byCookie.status, target).to.equal(byToken.status);
        if (!differ.includes(name)) {
          expect(byCookie.text, target).to.equal(byToken.text);
          expect(byCookie.headers.get('etag'), target).to.equal(byToken.headers.get('etag'));
        }
        if (byToken.status === 200) compared++;
      }
      expect(compared).to.be.greaterThan(25);
    });

    it('names an unknown client as such', async () => {
      const answer = await openLink(service, await service.signInCode(owner), {
        headers: { ...from(), 'user-agent': `x${'é'.repeat(4_000)}`.replaceAll('é', '(') },
      });
      expect(answer.json.session.client).to.equal('Unknown browser');
      expect(CHROME).to.include('Chrome');
    });
  });
