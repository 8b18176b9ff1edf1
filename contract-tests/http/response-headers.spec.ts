import { expect } from 'chai';
import { profiles, startService, type Answer, type Service } from './harness.ts';
import { openRawConnection } from './raw-connection.ts';

const HSTS = 'strict-transport-security';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

for (const profile of profiles)
  describe(`${profile}: the headers of an answer`, function () {
    this.timeout(60_000);
    let service: Service;
    let note: string;
    let picture: string;
    let share: string;
    before(async () => {
      service = await startService(profile, { CORS_ORIGINS: 'https://app.example' });
      const created = await service.call('POST', '/v1/objects/notes', { body: { content: 'x' } });
      note = created.json.id;
      await service.settled(note);
      picture = (await service.upload('a.png', PNG)).json.items[0].id;
      await service.settled(picture);
      const body = { kind: 'file', resource_id: note };
      share = (await service.call('POST', '/v1/shares', { body })).json.token;
      expect(share).to.be.a('string');
    });
    after(() => service.dispose());

    const expectCommon = (
      { headers, status }: Pick<Answer, 'headers' | 'status'>,
      what: string,
    ) => {
      const shown = `${what} ${status}`;
      expect(headers.get('x-request-id'), shown).to.match(/^[\w.-]+$/);
      expect(headers.get('x-content-type-options'), shown).to.equal('nosniff');
      expect(headers.get('content-security-policy'), shown).to.match(/default-src 'none'/);
      expect(headers.get('cross-origin-opener-policy'), shown).to.equal('same-origin');
      expect(headers.get('cross-origin-resource-policy'), shown).to.equal('same-origin');
      const denied = headers.get('permissions-policy') ?? '';
      for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
        expect(denied, shown).to.include(`${feature}=()`);
      expect(headers.get('cache-control'), shown).to.be.a('string');
      expect(headers.get(HSTS), shown).to.equal(null);
    };

    it('hold the common ones on every kind of answer', async () => {
      const html = { accept: 'text/html' };
      const calls: readonly (readonly [string, string, Parameters<Service['call']>[2]?])[] = [
        ['GET', '/health', { token: null }],
        ['GET', '/health/deep'],
        ['GET', '/v1/me'],
        ['HEAD', '/v1/me'],
        ['GET', '/v1/me', { token: null }],
        ['GET', '/v1/openapi.json'],
        ['GET', '/v1/objects?limit=x'],
        ['GET', '/nowhere'],
        ['DELETE', '/v1/me'],
        ['OPTIONS', '/v1/me'],
        ['POST', '/v1/themes', { body: {} }],
        ['POST', '/v1/themes', { body: { name: 'x' } }],
        ['POST', '/v1/themes', { raw: 'x'.repeat(2 ** 20 + 1) }],
        ['GET', '/docs', { token: null }],
        ['GET', `/v1/objects/${note}/content`],
        ['GET', `/v1/objects/${note}/content`, { headers: { range: 'bytes=0-0' } }],
        ['GET', `/v1/objects/${note}/content`, { headers: { range: 'bytes=99-' } }],
        ['GET', `/v1/objects/${picture}/thumbnail`],
        ['GET', `/v1/public/shares/${share}`, { token: null }],
        ['GET', `/v1/public/shares/${share}`, { token: null, headers: html }],
        ['GET', '/v1/public/shares/none', { token: null, headers: html }],
        ['GET', `/v1/public/shares/${share}/objects/${note}/content`, { token: null }],
        ['GET', '/v1/export'],
      ];
      for (const [method, path, call] of calls) {
        const answer = await service.call(method, path, call);
        expectCommon(answer, `${method} ${path}`);
        const etag = answer.headers.get('etag');
        if (answer.status !== 200 || etag === null) continue;
        const headers = { ...call?.headers, 'if-none-match': etag };
        const again = await service.call(method, path, { ...call, headers });
        if (method === 'GET') expect(again.status, path).to.equal(304);
        expectCommon(again, `${method} ${path}`);
        expect(again.headers.get('cache-control'), path).to.equal(
          answer.headers.get('cache-control'),
        );
      }
    });

    it('are the same for a plain read and for one through express', async () => {
      const origin = { origin: 'https://nobody.example' };
      for (const path of ['/v1/me', '/v1/objects', '/v1/themes']) {
        const [plain, long] = await Promise.all([
          service.call('GET', path),
          service.call('GET', path, { headers: origin }),
        ]);
        const shown = ({ headers }: Answer) =>
          [...headers]
            .filter(([name]) => !/^(x-request-id|date|ratelimit-.*)$/.test(name))
            .map(([name, value]) => `${name}: ${value}`)
            .sort();
        expect(shown(plain), path).to.deep.equal(shown(long));
      }
    });

    it('let a listed origin read, which asks by CORS', async () => {
      const answer = await service.call('GET', '/v1/me', {
        headers: { origin: 'https://app.example' },
      });
      expect(answer.headers.get('access-control-allow-origin')).to.equal('https://app.example');
      expectCommon(answer, 'by CORS');
    });

    it('forbid every cache to store data of an owner, and a matching ETag still gives 304', async () => {
      for (const path of ['/v1/me', '/v1/objects', `/v1/objects/${note}`, '/v1/chats']) {
        const answer = await service.call('GET', path);
        expect(answer.headers.get('cache-control'), path).to.equal('private, no-store');
        const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
        const again = await service.call('GET', path, { headers });
        expect([again.status, again.text], path).to.deep.equal([304, '']);
        expect(again.headers.get('cache-control'), path).to.equal('private, no-store');
      }
      const denied = await service.call('GET', '/v1/me', { token: null });
      expect(denied.headers.get('cache-control')).to.equal('private, no-store');
    });

    it('forbid every cache to store the bytes of hidden objects', async () => {
      const hidden = (await service.upload('hidden.png', Buffer.concat([PNG, Buffer.from('x')])))
        .json.items[0].id;
      await service.settled(hidden);
      const paths = (id: string) => [
        `/v1/objects/${id}/content`,
        `/v1/objects/${id}/thumbnail`,
        `/v1/objects/${id}/content?disposition=inline`,
      ];
      for (const path of paths(hidden))
        expect((await service.call('GET', path)).headers.get('cache-control'), path).to.equal(
          'private, no-cache, no-transform',
        );
      await service.call('PATCH', `/v1/objects/${hidden}`, { body: { is_hidden: true } });
      const { json } = await service.call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
      const headers = { 'x-hidden-token': json.token };
      for (const path of paths(hidden)) {
        expect((await service.call('GET', path)).status, path).to.equal(404);
        const answer = await service.call('GET', path, { headers });
        expect(answer.status, path).to.equal(200);
        expect(answer.headers.get('cache-control'), path).to.equal(
          'private, no-store, no-transform',
        );
      }
      for (const path of paths(picture))
        expect((await service.call('GET', path)).headers.get('cache-control'), path).to.equal(
          'private, no-cache, no-transform',
        );
    });

    it('send HSTS if the request came over HTTPS, and never otherwise', async () => {
      const hsts = async (at: Service, forwarded?: string) => {
        const headers = forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded };
        const reported = new Set<string | null>();
        for (const path of ['/v1/me', '/nowhere', '/health', `/v1/public/shares/${share}`])
          reported.add((await at.call('GET', path, { headers })).headers.get(HSTS));
        const wire = await openRawConnection(at.base);
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        wire.send(`GET /health HTTP/1.1\r\n${lines.join('')}\r\n`);
        reported.add((await wire.answer()).headers[HSTS] ?? null);
        return [...reported];
      };
      const always = ['max-age=31536000'];
      expect(await hsts(service, 'https'), 'no proxy is trusted').to.deep.equal([null]);
      // The standalone profile has its folder for itself.
      const proxied = await startService(profile, { TRUST_PROXY: '1' });
      try {
        expect(await hsts(proxied)).to.deep.equal([null]);
        expect(await hsts(proxied, 'http')).to.deep.equal([null]);
        expect(await hsts(proxied, 'http, https')).to.deep.equal([null]);
        expect(await hsts(proxied, 'https')).to.deep.equal(always);
        expect(await hsts(proxied, 'HTTPS, http')).to.deep.equal(always);
      } finally {
        await proxied.dispose();
      }
      const published = await startService(profile, {
        PUBLIC_URL: 'https://docs.example',
        TRUST_PROXY: '1',
      });
      try {
        expect(await hsts(published)).to.deep.equal(always);
        expect(await hsts(published, 'http')).to.deep.equal([null]);
      } finally {
        await published.dispose();
      }
    });
  });
