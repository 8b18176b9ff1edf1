import { expect } from 'chai';
import { profiles, startService, type Service } from './harness.ts';
import { openRawConnection } from './raw-connection.ts';

for (const profile of profiles)
  describe(`${profile}: the head of a request`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    const sent = async (...lines: string[]) => {
      const wire = await openRawConnection(service.base);
      wire.send(`${lines.join('\r\n')}\r\n\r\n`);
      return wire.answer();
    };
    const expectError = async (status: number, code: string, ...lines: string[]) => {
      const shown = lines.join(' | ').slice(0, 120);
      const answer = await sent(...lines);
      expect(answer.status, shown).to.equal(status);
      const { headers } = answer;
      expect(headers['content-type'], shown).to.match(/^application\/json/);
      expect(headers['x-request-id'], shown).to.match(/^[\w.-]{1,128}$/);
      expect(headers['cache-control'], shown).to.equal('private, no-store');
      expect(headers['x-content-type-options'], shown).to.equal('nosniff');
      expect(headers['connection'], shown).to.equal('close');
      const body = JSON.parse(answer.body);
      expect(body, shown).to.have.all.keys('detail', 'code');
      expect(body.code, shown).to.equal(code);
    };
    const get = (path = '/health') => `GET ${path} HTTP/1.1`;
    const last = 'Connection: close';
    const bearer = () => `Authorization: Bearer ${service.token}`;
    afterEach(async () => {
      expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
    });

    it('has exactly one host, which is well formed', async () => {
      for (const path of ['/health', '/v1/me', '/nowhere']) {
        await expectError(400, 'malformed_request', get(path), last);
        await expectError(400, 'malformed_request', get(path), 'Host: a', 'host: b', last);
        await expectError(400, 'malformed_request', get(path), 'Host: a', 'HOST: a', last);
        for (const host of [
          '',
          'a b',
          'a/b',
          'user@a',
          'a:b',
          'a:999999',
          '[::1',
          'a,b/',
          '\u00e9',
        ])
          await expectError(400, 'malformed_request', get(path), `Host: ${host}`, last);
        await expectError(
          400,
          'malformed_request',
          `POST ${path} HTTP/1.1`,
          'Content-Length: 5',
          last,
          '',
          'abc',
        );
      }
      await expectError(400, 'malformed_request', 'GET /health HTTP/1.0', 'Host: a', 'Host: b');
      for (const host of ['a', 'a.example:80', '127.0.0.1:8080', '[::1]:8080', 'my_host', 'a:'])
        expect((await sent(get(), `Host: ${host}`, last)).status, host).to.equal(200);
      expect((await sent('GET /health HTTP/1.0')).status).to.equal(200);
    });

    it('in absolute form means the path behind the authority, with any Host header', async () => {
      for (const [target, status] of [
        ['http://other.example/health', 200],
        ['HTTPS://other.example:8443/health', 200],
        ['http://other.example/v1/objects?limit=1', 200],
        ['http://other.example/nowhere', 404],
        ['http://other.example', 404],
        ['http://other.example?limit=1', 404],
      ] as const)
        expect((await sent(get(target), 'Host: x', bearer(), last)).status, target).to.equal(
          status,
        );
      await expectError(400, 'malformed_request', get('http://'), 'Host: x', last);
      await expectError(400, 'malformed_request', get('http://user@a/health'), 'Host: x', last);
      await expectError(400, 'malformed_request', get('ftp://a/health'), 'Host: x', last);
    });

    it('means the same without its fragment, and an asterisk names nothing', async () => {
      const found = async (target: string): Promise<[number, string]> => {
        const { status, body } = await sent(get(target), 'Host: a', bearer(), last);
        return [status, status === 200 ? body : ''];
      };
      const requested = await found('/v1/themes?limit=1');
      expect(requested[0]).to.equal(200);
      for (const fragment of ['#', '#x', '#x?limit=0', '##'])
        expect(await found(`/v1/themes?limit=1${fragment}`), fragment).to.deep.equal(requested);
      expect(await found(`http://a/v1/themes?limit=1#x`)).to.deep.equal(requested);
      for (const target of ['*', '/v1/#themes', '/#/v1/themes'])
        expect((await found(target))[0], target).to.equal(404);
      await expectError(400, 'malformed_request', get('/v1/themes?q=\u00e9'), 'Host: a', last);
    });

    it('may expect 100-continue and nothing else', async () => {
      for (const expectation of ['nonsense', '100-continue, nonsense', '200-ok', 'constructor']) {
        const wire = await openRawConnection(service.base);
        wire.send(
          `POST /v1/themes HTTP/1.1\r\nHost: x\r\n${bearer()}\r\nContent-Type: application/json\r\n` +
            `Content-Length: 15\r\nExpect: ${expectation}\r\n\r\n{"name":"none"}`,
        );
        const answer = await wire.answer();
        const text = `HTTP/1.1 ${answer.status}\r\n${answer.body}`;
        expect(text, expectation).to.match(/417/);
        expect(text, expectation).to.match(/"code":"expectation_failed"/);
      }
      await expectError(417, 'expectation_failed', get(), 'Host: x', 'Expect: nonsense');
      expect((await sent('GET /health HTTP/1.0', 'Expect: nonsense')).status).to.equal(200);
      const { total } = (await service.call('GET', '/v1/themes')).json;
      const wire = await openRawConnection(service.base);
      wire.send(
        `POST /v1/themes HTTP/1.1\r\nHost: x\r\n${bearer()}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 15\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n',
      );
      await new Promise<void>((resolve) => wire.socket.once('data', () => resolve()));
      wire.send('{"name":"sent"}');
      const answer = await wire.answer();
      expect(answer.status).to.equal(100);
      expect(answer.body).to.match(/^HTTP\/1\.1 200 /);
      expect((await service.call('GET', '/v1/themes')).json.total).to.equal(total + 1);
    });

    it('that can not be parsed gets an error in the same form', async () => {
      const host = 'Host: x';
      for (const lines of [
        ['PROPFOUND / HTTP/1.1', host],
        ['get /health HTTP/1.1', host],
        ['GET /health HTTP/9.9', host],
        ['GET /health', host],
        ['GET health HTTP/1.1', host],
        ['PRI * HTTP/2.0', '', 'SM'],
        [get(), host, 'X: a', ' folded'],
        [get(), host, ' leading: space'],
        [get(), host, 'Spaced : name'],
        [get(), host, 'Null: a\u0000b'],
        ['POST /v1/themes HTTP/1.1', host, 'Content-Length: 2', 'Content-Length: 3', '', '{}'],
        ['POST /v1/themes HTTP/1.1', host, 'Content-Length: -1'],
        ['POST /v1/themes HTTP/1.1', host, 'Content-Length: 0x2'],
        ['POST /v1/themes HTTP/1.1', host, 'Content-Length: 2, 2', '', '{}'],
        ['POST /v1/themes HTTP/1.1', host, 'Content-Length: 99999999999999999999'],
        ['POST /v1/themes HTTP/1.1', host, 'Transfer-Encoding: nonsense', '', '{}'],
        ['POST /v1/themes HTTP/1.1', host, 'Transfer-Encoding: chunked, identity', '', '{}'],
        ['POST /v1/themes HTTP/1.1', host, 'Transfer-Encoding: chunked', 'Content-Length: 2'],
      ])
        await expectError(400, 'malformed_request', ...lines);
      const long = 'x'.repeat(100_000);
      await expectError(431, 'headers_too_large', get(`/${long}`), host);
      await expectError(431, 'headers_too_large', get(), host, `X: ${long}`);
    });

    it('can not open a tunnel, and an upgrade is ignored', async () => {
      await expectError(405, 'method_not_allowed', 'CONNECT other.example:443 HTTP/1.1', 'Host: x');
      for (const protocol of ['websocket', 'h2c', 'constructor'])
        expect(
          (await sent(get(), 'Host: x', 'Connection: upgrade, close', `Upgrade: ${protocol}`))
            .status,
          protocol,
        ).to.equal(200);
      for (const method of ['TRACE', 'PROPFIND', 'OPTIONS', 'PURGE']) {
        const answer = await sent(`${method} /health HTTP/1.1`, 'Host: x', last);
        expect([answer.status, JSON.parse(answer.body).code], method).to.deep.equal([
          405,
          'method_not_allowed',
        ]);
      }
      expect((await sent('OPTIONS * HTTP/1.1', 'Host: x', last)).status).to.equal(404);
    });
  });
