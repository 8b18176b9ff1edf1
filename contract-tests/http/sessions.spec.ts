import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { chunk, openModelService, streaming, type ModelService } from '../fake-model-server.ts';
import { openRawConnection, type Wire } from './raw-connection.ts';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';
import {
  CHROME,
  browserWith,
  cookieSetBy,
  openLink,
  openShiftedClock,
  signInBrowser,
  type ShiftedClock,
  type SignedInBrowser,
} from './signed-in.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FIREFOX =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0';
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

for (const profile of profiles)
  describe(`${profile}: sessions`, function () {
    this.timeout(120_000);
    let service: Service;
    /** Another process where the profile has several, else the same one. */
    let beside: Service;
    let model: ModelService;
    before(async () => {
      model = await openModelService();
      service = await startService(profile, {
        TRUST_PROXY: '1',
        OUTBOUND_ALLOW: `127.0.0.1:${model.port}`,
      });
      beside = profile === 'team' ? await service.beside() : service;
    });
    after(async () => {
      if (beside !== service) await beside.stop();
      await service.dispose();
      await model.close();
    });

    let addresses = 0;
    const from = (address = `10.4.${++addresses >> 8}.${addresses & 255}`) => ({
      'x-forwarded-for': address,
    });
    const signIn = (owner: string, headers = {}) =>
      signInBrowser(service, owner, { headers: { ...from(), ...headers } });
    /** The same browser as it calls another process. */
    const at = (where: Service, { cookie }: SignedInBrowser) => browserWith(where, cookie);
    const statusOf = async (browser: SignedInBrowser) =>
      (await browser.call('GET', '/v1/me', { headers: from() })).status;

    it('are listed with network and client, most recently used first, in pages', async () => {
      const { id, token } = await service.newOwner();
      const first = await signIn(id, from('198.51.100.9'));
      const second = await signIn(id, { ...from('2001:db8:5:6::7'), 'user-agent': FIREFOX });
      const list = (await second.call('GET', '/v1/sessions', { headers: from('203.0.113.5') }))
        .json;
      expect(list.total).to.equal(2);
      expect(list.items[0]).to.have.all.keys(
        ...['id', 'created_at', 'last_used_at', 'network', 'client', 'current'],
      );
      const seen = list.items.map(({ id, current, client, network }: Record<string, unknown>) => [
        ...[id, current, client, network],
      ]);
      expect(seen).to.have.deep.members([
        [first.id, false, 'Chrome on Linux', '198.51.100.0/24'],
        // Its last use, which is this request, is in the minute of its sign-in.
        [second.id, true, 'Firefox on macOS', '2001:db8:5::/48'],
      ]);
      const pages = await Promise.all(
        [0, 1, 2].map((offset) =>
          service.call('GET', `/v1/sessions?limit=1&offset=${offset}`, { token }),
        ),
      );
      expect(pages.map(({ json }) => json.total)).to.deep.equal([2, 2, 2]);
      expect(
        pages.flatMap(({ json }) => json.items.map(({ id }: { id: string }) => id)),
      ).to.deep.equal(list.items.map(({ id }: { id: string }) => id));
      for (const { json } of pages)
        for (const { current } of json.items) expect(current).to.equal(false);
      for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x'])
        expect((await first.call('GET', `/v1/sessions?${query}`)).status, query).to.equal(422);
    });

    it('sign-out ends the session at once in every process, and clears the cookie', async () => {
      const { id } = await service.newOwner();
      const [one, two] = [await signIn(id), await signIn(id)];
      expect(await statusOf(at(beside, one))).to.equal(200);
      const answer = await one.call('POST', '/v1/sign-out');
      expect([answer.status, answer.json, cookieSetBy(answer)]).to.deep.equal([
        ...[200, { signed_out: true }, ''],
      ]);
      for (const where of [beside, service]) {
        const after = await at(where, one).call('GET', '/v1/me', { headers: from() });
        expect([after.status, after.json.code, cookieSetBy(after)]).to.deep.equal([
          ...[401, 'unauthorized', ''],
        ]);
        expect(await statusOf(at(where, two))).to.equal(200);
      }
      expect((await one.call('POST', '/v1/sign-out', { headers: from() })).status).to.equal(401);
    });

    it('sign-out by a token is 403, without credentials 401, by another site 403', async () => {
      const { id, token } = await service.newOwner();
      const browser = await signIn(id);
      const byToken = await service.call('POST', '/v1/sign-out', { token });
      expect([byToken.status, byToken.json.code]).to.deep.equal([403, 'forbidden']);
      expect(cookieSetBy(byToken)).to.equal(undefined);
      expect((await service.call('POST', '/v1/sign-out', { token: null })).status).to.equal(401);
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await browser.call('POST', '/v1/sign-out', { headers })).status).to.equal(403);
      expect(await statusOf(browser)).to.equal(200);
    });

    it('one is ended at once in every process, by another one or by a token', async () => {
      const { id, token } = await service.newOwner();
      const [mine, other, third] = [await signIn(id), await signIn(id), await signIn(id)];
      const end = (by: SignedInBrowser, which: string) =>
        by.call('DELETE', `/v1/sessions/${which}`);
      const ended = await end(mine, other.id);
      expect([ended.status, ended.json, cookieSetBy(ended)]).to.deep.equal([
        ...[200, { deleted: true }, undefined],
      ]);
      expect(await statusOf(at(beside, other))).to.equal(401);
      const byToken = await beside.call('DELETE', `/v1/sessions/${third.id.toUpperCase()}`, {
        token,
      });
      expect(byToken.status).to.equal(200);
      expect(await statusOf(third)).to.equal(401);

      const stranger = await service.newOwner();
      const foreign = await signIn(stranger.id);
      const refused = [];
      for (const which of [other.id, foreign.id, MISSING]) refused.push(await end(mine, which));
      for (const { status, text } of refused)
        expect([status, text]).to.deep.equal([404, refused[2]!.text]);
      expect((await end(mine, 'constructor')).status).to.equal(422);
      expect(await statusOf(foreign)).to.equal(200);

      const own = await end(mine, mine.id);
      expect([own.status, cookieSetBy(own)]).to.deep.equal([200, '']);
      expect(await statusOf(at(beside, mine))).to.equal(401);
    });

    it('all others are ended at once in every process, and by a token all', async () => {
      const { id, token } = await service.newOwner();
      const all = [await signIn(id), await signIn(id), await signIn(id)] as const;
      const stranger = await service.newOwner();
      const foreign = await signIn(stranger.id);
      const answer = await all[1].call('DELETE', '/v1/sessions');
      expect([answer.status, answer.json, cookieSetBy(answer)]).to.deep.equal([
        ...[200, { deleted: true, ended: 2 }, undefined],
      ]);
      const statuses = [];
      for (const each of all) statuses.push(await statusOf(at(beside, each)));
      expect(statuses).to.deep.equal([401, 200, 401]);
      expect((await all[1].call('DELETE', '/v1/sessions')).json).to.deep.equal({
        deleted: true,
        ended: 0,
      });
      expect((await service.call('DELETE', '/v1/sessions', { token })).json).to.deep.equal({
        deleted: true,
        ended: 1,
      });
      expect(await statusOf(at(beside, all[1]))).to.equal(401);
      expect(await statusOf(foreign)).to.equal(200);
    });

    it('an answer in progress ends with the session, or with the token, that asked for it', async () => {
      const { id, token } = await service.newOwner();
      await service.call('PUT', '/v1/integrations/llm', {
        token,
        body: { config: { base_url: `${model.origin}/v1`, model: 'lamp-7b' } },
      });
      const note = { content: 'Lanterns are lit at dusk.' };
      const { json } = await service.call('POST', '/v1/objects/notes', { token, body: note });
      await service.settled(json.id, { token });
      // Slowly, for as long as it is read.
      model.plays((response) => {
        response.writeHead(200, streaming);
        const timer = setInterval(() => response.write(chunk({ content: 'On and on. ' })), 100);
        response.once('close', () => clearInterval(timer));
      });
      const question = { question: 'When are lanterns lit?' };
      const made = await service.call('POST', '/v1/tokens', { token, body: { name: 'asks' } });
      const browser = await signIn(id);
      const asks = (accept: string) => [
        browser.call('POST', '/v1/ask', { body: question, headers: { accept } }),
        service.call('POST', '/v1/ask', {
          token: made.json.token,
          body: question,
          headers: { accept },
        }),
      ];
      const asked = model.asked.length;
      const answers = [...asks('application/json'), ...asks('text/event-stream')];
      await eventually(
        () => Promise.resolve(model.asked.length),
        (count) => count >= asked + answers.length,
        60_000,
      );
      expect((await at(beside, browser).call('POST', '/v1/sign-out')).status).to.equal(200);
      await beside.call('DELETE', `/v1/tokens/${made.json.id}`, { token });
      const [json1, json2, stream1, stream2] = await Promise.all(answers);
      for (const answer of [json1!, json2!])
        expect([answer.status, answer.json.code]).to.deep.equal([401, 'unauthorized']);
      // A stream whose first event was not sent yet ends like any other response.
      for (const answer of [stream1!, stream2!])
        expect(answer.text).to.match(
          answer.status === 401
            ? /"code":"unauthorized"/
            : /event: error\ndata: \{"code":"unauthorized".*\n\n$/,
        );
    });

    it('a download in progress ends with the session, or with the token, that began it', async () => {
      const { id, token } = await service.newOwner();
      // More than the buffers of both ends hold.
      const bytes = Buffer.alloc(48 * 2 ** 20, 7);
      const files = [['large.bin', bytes]] as const;
      const { json } = await service.uploadAll(files, {}, { token });
      const path = `/v1/objects/${json.items[0].id}/content`;
      const made = await service.call('POST', '/v1/tokens', { token, body: { name: 'reads' } });
      const browser = await signIn(id);
      const begin = async (headers: Readonly<Record<string, string>>) => {
        const sent = request(service.base + path, { headers }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        expect(response.statusCode).to.equal(200);
        return response;
      };
      const downloads = [
        await begin({ cookie: browser.cookie }),
        await begin({ authorization: `Bearer ${made.json.token}` }),
      ];
      await at(beside, browser).call('POST', '/v1/sign-out');
      await beside.call('DELETE', `/v1/tokens/${made.json.id}`, { token });
      for (const download of downloads) {
        let received = 0;
        // Slowly: the credential is checked from time to time.
        const read = async () => {
          for await (const chunk of download as AsyncIterable<Buffer>) {
            received += chunk.length;
            await setTimeout(25);
          }
        };
        expect(await read().catch((error: NodeJS.ErrnoException) => error.code)).to.equal(
          'ECONNRESET',
        );
        expect(received).to.be.lessThan(bytes.length);
      }
    });

    it('a body that ends after the sign-out, or after the token was revoked, changes nothing', async () => {
      const { id, token } = await service.newOwner();
      const boundary = 'b0undary';
      const bodies = [
        ['/v1/tokens', 'application/json', '{"name":"late"', '}'],
        [
          '/v1/uploads',
          `multipart/form-data; boundary=${boundary}`,
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n\r\nLate`,
          `\r\n--${boundary}--\r\n`,
        ],
      ] as const;
      const remaining = async () =>
        Number((await service.call('GET', '/v1/me', { token })).headers.get('ratelimit-remaining'));
      for (const [path, contentType, begin, end] of bodies) {
        const browser = await signIn(id);
        const made = await service.call('POST', '/v1/tokens', { token, body: { name: 'early' } });
        const credentials = [
          `Cookie: ${browser.cookie}\r\nSec-Fetch-Site: same-origin`,
          `Authorization: Bearer ${made.json.token}`,
        ];
        const started = await remaining();
        const wires: Wire[] = [];
        for (const credential of credentials) {
          const wire = await openRawConnection(service.base);
          wire.send(
            `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.base).host}\r\n${credential}\r\nContent-Type: ${contentType}\r\nContent-Length: ${begin.length + end.length}\r\nConnection: close\r\n\r\n${begin}`,
          );
          wires.push(wire);
        }
        // Both are counted, so both have been authenticated.
        let polls = 0;
        await eventually(
          async () => started - (await remaining()) - ++polls,
          (others) => others >= wires.length,
        );
        await at(beside, browser).call('POST', '/v1/sign-out');
        await beside.call('DELETE', `/v1/tokens/${made.json.id}`, { token });
        for (const wire of wires) {
          wire.send(end);
          const { status, body } = await wire.answer();
          expect([status, JSON.parse(body).code], path).to.deep.equal([401, 'unauthorized']);
        }
      }
      expect((await service.call('GET', '/v1/tokens', { token })).json.total).to.equal(1);
      expect((await service.call('GET', '/v1/objects', { token })).json.total).to.equal(0);
    });

    it('a hundred are kept: one more ends the one that was used least recently', async () => {
      const { id } = await service.newOwner();
      const codes: Answer[] = [];
      const first = await signIn(id);
      let latest = first;
      for (let i = 0; i < 100; i++) latest = await signIn(id);
      codes.push(await latest.call('GET', '/v1/sessions?limit=1'));
      expect(codes[0]!.json.total).to.equal(100);
      expect(await statusOf(latest)).to.equal(200);
    });
  });

for (const profile of profiles)
  describe(`${profile}: the age of sessions`, function () {
    this.timeout(120_000);
    let clock: ShiftedClock;
    let service: Service;
    before(async () => {
      clock = await openShiftedClock();
      service = await startService(profile, { TRUST_PROXY: '1', ...clock.env });
    });
    after(async () => {
      await service.dispose();
      await clock.dispose();
    });

    const openOwner = async () => {
      const { token } = await service.newOwner();
      const { json } = await service.call('GET', '/v1/me', { token });
      const { owner } = json as { owner: { id: string; name: string } };
      const password = 'seven crooked umbrellas';
      await service.call('PUT', '/v1/me/password', { token, body: { password } });
      const signIn = async (cookie?: string): Promise<SignedInBrowser> => {
        const answer = await service.call('POST', '/v1/sign-in/password', {
          token: null,
          headers: { 'user-agent': CHROME, ...(cookie !== undefined && { cookie }) },
          body: { name: owner.name, password },
        });
        const set = cookieSetBy(answer);
        if (!set) throw new Error(`${answer.status}: ${answer.text}`);
        return browserWith(service, set, answer.json.session.id as string);
      };
      return { token, signIn };
    };
    const statusOf = async (browser: SignedInBrowser) =>
      (await browser.call('GET', '/v1/me')).status;

    it('dangerous operations need a sign-in within 15 minutes, which a new one renews; tokens are not asked', async () => {
      const { token, signIn } = await openOwner();
      const [browser, other] = [await signIn(), await signIn()];
      const pin = { pin: '8642' };
      await service.call('POST', '/v1/hidden-pin', { token, body: pin });
      const dangerous: readonly (readonly [string, string, object?])[] = [
        ['POST', '/v1/tokens', { name: 'new' }],
        ['GET', '/v1/export'],
        ['HEAD', '/v1/export'],
        ['DELETE', '/v1/hidden-pin', pin],
        ['DELETE', '/v1/sessions'],
        ['DELETE', `/v1/sessions/${other.id}`],
        ['PUT', '/v1/me/password', { password: 'seven crooked umbrellas' }],
        ['DELETE', '/v1/me/password'],
        ['POST', '/v1/me/passkeys/options'],
        ['POST', '/v1/me/oidc'],
        ['DELETE', '/v1/me/oidc'],
      ];
      await clock.forward(15 * MINUTE + 1);
      const counts = async () => [
        (await service.call('GET', '/v1/tokens', { token })).json.total,
        (await service.call('GET', '/v1/sessions', { token })).json.total,
        (await service.call('GET', '/v1/hidden-pin', { token })).json.configured,
      ];
      const before = await counts();
      for (const [method, path, body] of dangerous) {
        const answer = await browser.call(method, path, body && { body });
        expect(answer.status, `${method} ${path}`).to.equal(403);
        if (method !== 'HEAD') expect(answer.json.code).to.equal('sign_in_again');
      }
      expect(await counts()).to.deep.equal(before);
      // Everything else goes on.
      expect(
        (await browser.call('POST', '/v1/collections', { body: { name: 'C' } })).status,
      ).to.equal(200);
      expect((await browser.call('GET', '/v1/sessions')).status).to.equal(200);
      for (const [method, path, body] of dangerous.slice(0, 3))
        expect(
          (await service.call(method, path, { token, ...(body && { body }) })).status,
        ).to.equal(200);

      const renewed = await signIn(browser.cookie);
      expect(renewed.id).to.equal(browser.id);
      for (const [method, path, body] of dangerous.slice(0, 5))
        expect((await renewed.call(method, path, body && { body })).status, path).to.equal(200);
      expect(await statusOf(other)).to.equal(401);
      // One that is old may end itself.
      await clock.forward(15 * MINUTE + 1);
      expect((await renewed.call('DELETE', `/v1/sessions/${renewed.id}`)).status).to.equal(200);
    });

    it('the last use is stored to the minute, with its network', async () => {
      const { token, signIn } = await openOwner();
      const browser = await signIn();
      await clock.forward(3 * MINUTE);
      const headers = { 'x-forwarded-for': '203.0.113.44' };
      await browser.call('GET', '/v1/me', { headers });
      const [session] = (await service.call('GET', '/v1/sessions', { token, headers })).json.items;
      expect(session.network).to.equal('203.0.113.0/24');
      expect(Date.parse(session.last_used_at) % MINUTE).to.equal(0);
      const age = Date.parse(session.last_used_at) - Date.parse(session.created_at);
      expect(age).to.be.at.least(2 * MINUTE);
      const { items } = (await service.call('GET', '/v1/tokens', { token, headers })).json;
      expect(items[0].last_used_network).to.equal('203.0.113.0/24');
      expect(Date.parse(items[0].last_used_at) % MINUTE).to.equal(0);
    });

    it('the last use is stored before the process ends', async () => {
      const { token, signIn } = await openOwner();
      const browser = await signIn();
      await clock.forward(2 * MINUTE);
      await browser.call('GET', '/v1/me', { headers: { 'x-forwarded-for': '203.0.113.91' } });
      service = await service.restart();
      const [session] = (await service.call('GET', '/v1/sessions', { token })).json.items;
      expect(session.network).to.equal('203.0.113.0/24');
    });

    it('a session ends after 14 days without use, and 30 days after its sign-in, however it was used', async () => {
      const { token, signIn } = await openOwner();
      const [used, unused] = [await signIn(), await signIn()];
      await clock.forward(13 * DAY);
      expect(await statusOf(used)).to.equal(200);
      await clock.forward(DAY + MINUTE);
      expect(await statusOf(unused)).to.equal(401);
      expect(await statusOf(used)).to.equal(200);
      const { items, total } = (await service.call('GET', '/v1/sessions', { token })).json;
      expect([total, items[0].id]).to.deep.equal([1, used.id]);
      await clock.forward(10 * DAY);
      expect(await statusOf(used)).to.equal(200);
      await clock.forward(6 * DAY);
      expect(await statusOf(used)).to.equal(401);
      expect((await service.call('GET', '/v1/sessions', { token })).json.total).to.equal(0);
    });

    it('a link ends after 30 minutes', async () => {
      const { token } = await openOwner();
      const { owner } = (await service.call('GET', '/v1/me', { token })).json;
      const { link } = await service.cli('owner', 'sign-in-link', owner.id);
      await clock.forward(30 * MINUTE);
      const answer = await openLink(service, new URL(link).hash.slice(1));
      expect([answer.status, answer.json.code]).to.deep.equal([401, 'sign_in_failed']);
    });
  });
