import { expect } from 'chai';
import { readdir, rm, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { profiles, startService, type Service } from './harness.ts';
import { openRawConnection } from './raw-connection.ts';

const MIB = 2 ** 20;
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const limits = (perMinute: number) => ({
  requests_per_minute: perMinute,
  questions: null,
  enrichments: null,
  storage_bytes: null,
});

/** The bytes of an answer as they went over the wire: fetch would inflate them. */
const fetched = (url: string, headers: Record<string, string>) =>
  new Promise<{ coding: string | undefined; vary: string | undefined; bytes: Buffer }>(
    (resolve, reject) => {
      get(url, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('end', () =>
          resolve({
            coding: response.headers['content-encoding'],
            vary: response.headers.vary,
            bytes: Buffer.concat(chunks),
          }),
        );
      }).on('error', reject);
    },
  );

for (const profile of profiles)
  describe(`${profile}: the edge`, function () {
    this.timeout(60_000);
    let service: Service;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const roles = join(folder, 'roles.json');
      await writeFile(roles, JSON.stringify({ unlimited: limits(100_000), shut: limits(0) }));
      // One of the specs provokes an internal error, which is logged.
      service = await startService(profile, { ROLES_FILE: roles, LOG_LEVEL: 'fatal' });
    });
    after(async () => {
      await service.dispose();
      await rm(folder, { recursive: true, force: true });
    });

    const note = async (content = 'x'): Promise<string> => {
      const { status, json, text } = await service.call('POST', '/v1/objects/notes', {
        body: { content },
      });
      expect(status, text).to.equal(200);
      return json.id;
    };
    const alive = async () =>
      expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);

    describe('headers', () => {
      it('have room for a long question in a query', async () => {
        const { status } = await service.call('GET', `/v1/search?q=${'word '.repeat(6_000)}`);
        expect(status).to.equal(200);
      });

      it("uses the caller's request id, or creates one, on every response", async () => {
        for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)])
          for (const [path, token] of [
            ['/v1/me', undefined],
            ['/v1/me', null],
            ['/nowhere', undefined],
          ] as const) {
            const answer = await service.call('GET', path, {
              headers: { 'x-request-id': id },
              ...(token === null && { token }),
            });
            expect(answer.headers.get('x-request-id'), path).to.equal(id);
          }
        const created = new Set<string | null>();
        for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'a:b', 'a, b']) {
          const answer = await service.call('GET', '/v1/me', { headers: { 'x-request-id': id } });
          expect(answer.headers.get('x-request-id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
          expect(answer.headers.get('x-request-id')).not.to.equal(id);
          created.add(answer.headers.get('x-request-id'));
        }
        expect(created.size).to.equal(6);
      });

      it('counts the last of a header that is sent more than once', async () => {
        const send = async (
          method: string,
          path: string,
          headers: [string, string][],
          body = '',
        ) => {
          const wire = await openRawConnection(service.base);
          const lines = [
            `${method} ${path} HTTP/1.1`,
            'Host: x',
            'Connection: close',
            `Content-Length: ${body.length}`,
            'Content-Type: application/json',
            ...headers.map(([name, value]) => `${name}: ${value}`),
          ];
          wire.send(`${lines.join('\r\n')}\r\n\r\n${body}`);
          const answer = await wire.answer();
          return { ...answer, json: JSON.parse(answer.body) };
        };
        const { token } = await service.newOwner();
        const mine: [string, string] = ['Authorization', `Bearer ${token}`];
        const no: [string, string] = ['authorization', 'Bearer nobody'];
        expect((await send('GET', '/v1/me', [no, mine])).status).to.equal(200);
        expect((await send('GET', '/v1/me', [mine, no])).status).to.equal(401);

        const ids: [string, string][] = [
          ['X-Request-Id', 'first'],
          ['x-request-id', 'last'],
        ];
        expect((await send('GET', '/v1/me', [mine, ...ids])).headers['x-request-id']).to.equal(
          'last',
        );

        const pin = await service.call('POST', '/v1/hidden-pin', { token, body: { pin: '8642' } });
        const good: [string, string] = ['X-Hidden-Token', pin.json.token];
        const bad: [string, string] = ['x-hidden-token', 'nonsense'];
        const hidden = '/v1/objects?hidden_only=true';
        expect((await send('GET', hidden, [mine, bad, good])).status).to.equal(200);
        expect((await send('GET', hidden, [mine, good, bad])).status).to.equal(403);

        const make = (...keys: string[]) =>
          send(
            'POST',
            '/v1/chats',
            [mine, ...keys.map((key): [string, string] => ['Idempotency-Key', key])],
            '{}',
          );
        const first = await make('a', 'b');
        expect((await make('b')).json.id).to.equal(first.json.id);
        expect((await make('a')).json.id).not.to.equal(first.json.id);
      });

      it('answers 304 to a matching If-None-Match, also by HEAD, and anew once something changed', async () => {
        await service.settled(await note());
        for (const path of [
          '/v1/me',
          '/v1/objects',
          '/v1/themes',
          '/v1/chats',
          '/v1/openapi.json',
        ]) {
          const etag = (await service.call('GET', path)).headers.get('etag') ?? '';
          expect(etag, path).to.match(/^(W\/)?"[^"]+"$/);
          for (const [method, condition] of [
            ['GET', etag],
            ['HEAD', etag],
            ['GET', `"other", ${etag}`],
            ['GET', '*'],
          ] as const) {
            const headers = { 'if-none-match': condition };
            const again = await service.call(method, path, { headers });
            expect([again.status, again.text], path).to.deep.equal([304, '']);
            expect(again.headers.get('etag')).to.equal(etag);
            expect(again.headers.get('x-request-id')).to.be.a('string');
          }
        }
        const headers = {
          'if-none-match': (await service.call('GET', '/v1/themes')).headers.get('etag') ?? '',
        };
        await service.call('POST', '/v1/themes', { body: { name: 'fresh' } });
        expect((await service.call('GET', '/v1/themes', { headers })).status).to.equal(200);
      });

      it('compresses responses over 1 kB for clients that accept it', async () => {
        const authorization = `Bearer ${service.token}`;
        const url = `${service.base}/v1/openapi.json`;
        const plain = await fetched(url, { authorization });
        expect(plain.coding).to.equal(undefined);
        expect(plain.vary).to.match(/accept-encoding/i);
        for (const [accepted, inflate] of [
          ['gzip', gunzipSync],
          ['br', brotliDecompressSync],
        ] as const) {
          const packed = await fetched(url, { authorization, 'accept-encoding': accepted });
          expect(packed.coding).to.equal(accepted);
          expect(packed.bytes.length).to.be.below(plain.bytes.length / 2);
          expect(inflate(packed.bytes).equals(plain.bytes)).to.equal(true);
        }
        const small = await fetched(`${service.base}/v1/me`, {
          authorization,
          'accept-encoding': 'gzip',
        });
        expect(small.coding).to.equal(undefined);
      });
    });

    describe('order of checks', () => {
      it('404, 405, 401, 429, 413, 422, then errors of the operation', async () => {
        const shut = (await service.newOwner('shut')).token;
        const huge = 'x'.repeat(MIB + 1);
        const bad = { 'content-type': 'application/json' };
        const outcome = async (
          method: string,
          path: string,
          token: string | null,
          raw: string,
        ): Promise<number> =>
          (await service.call(method, path, { token, raw, headers: bad })).status;
        expect(await outcome('POST', '/v1/nothing', null, huge)).to.equal(404);
        expect(await outcome('PUT', '/v1/themes', null, huge)).to.equal(405);
        expect(await outcome('PATCH', '/v1/objects/no-uuid', null, huge)).to.equal(401);
        expect(await outcome('PATCH', '/v1/objects/no-uuid', shut, huge)).to.equal(429);
        expect(await outcome('PATCH', '/v1/objects/no-uuid', service.token, huge)).to.equal(413);
        expect(await outcome('PATCH', `/v1/objects/${MISSING}`, service.token, '{')).to.equal(422);
        expect(await outcome('PATCH', `/v1/objects/${MISSING}`, service.token, '{}')).to.equal(404);
        const read = (
          await service.call('POST', '/v1/tokens', { body: { name: 'r', access: 'read' } })
        ).json.token;
        expect(await outcome('POST', '/v1/themes', read, '{}')).to.equal(422);
        expect(await outcome('POST', '/v1/themes', read, '{"name":"x"}')).to.equal(403);
      });
    });

    it('reveals no internals in an internal error', async () => {
      const id = await note('its bytes will be gone');
      await service.settled(id);
      for (const shard of await readdir(join(service.dataDir, 'blobs')))
        await rm(join(service.dataDir, 'blobs', shard), { recursive: true });
      const answer = await service.call('GET', `/v1/objects/${id}/content`);
      expect(answer.status).to.equal(500);
      expect(answer.json.code).to.equal('internal');
      expect(Object.keys(answer.json)).to.have.members(['code', 'detail']);
      expect(answer.text).not.to.match(/blobs|\/|ENOENT|select|\.ts|at /);
      expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      expect(answer.headers.get('etag')).not.to.match(/[0-9a-f]{64}/);
      for (const name of ['content-disposition', 'last-modified', 'accept-ranges'])
        expect(answer.headers.get(name), name).to.equal(null);
    });

    it('responds in the same format to a malformed request', async () => {
      for (const [sent, status] of [
        ['nonsense\r\n\r\n', 400],
        ['GET /health HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n', 400],
        [`GET /v1/search?q=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
      ] as const) {
        const wire = await openRawConnection(service.base);
        wire.send(sent);
        const answer = await wire.answer();
        expect(answer.status, sent.slice(0, 50)).to.equal(status);
        expect(answer.headers['content-type']).to.match(/^application\/json/);
        expect(answer.headers['x-request-id']).to.match(/^[\w.-]+$/);
        expect(JSON.parse(answer.body)).to.have.all.keys('detail', 'code');
      }
      await alive();
    });
  });
