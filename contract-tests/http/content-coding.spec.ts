import { expect } from 'chai';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { profiles, startService, type Service } from './harness.ts';
import { openRawConnection } from './raw-connection.ts';

const MIB = 2 ** 20;
const BODY = Buffer.from('{"name":"packed"}');

for (const profile of profiles)
  describe(`${profile}: the content coding of a body`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    const send = (
      path: string,
      coding: string,
      body: Uint8Array | string = '{}',
      method = 'POST',
      type = 'application/json',
    ) =>
      service.call(method, path, {
        raw: body as NonNullable<RequestInit['body']>,
        headers: { 'content-type': type, 'content-encoding': coding },
      });
    const expectAlive = async () => {
      expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
      expect(service.process.exitCode).to.equal(null);
    };

    it('that names an inherited property is unsupported like any other, and the process survives', async () => {
      for (const coding of [
        'constructor',
        '__proto__',
        'toString',
        'valueOf',
        'hasOwnProperty',
        'isPrototypeOf',
        '__defineGetter__',
        'nonsense',
      ])
        for (const [method, path] of [
          ['POST', '/v1/public/shares/anything/unlock'],
          ['POST', '/v1/themes'],
          ['PUT', '/v1/settings'],
          ['POST', '/v1/ask'],
        ] as const) {
          const answer = await send(path, coding, '{}', method);
          expect([answer.status, answer.json.code], `${coding} ${path}`).to.deep.equal([
            415,
            'unsupported_type',
          ]);
        }
      await expectAlive();
    });

    it('is read in any case and beside identity, and twice is unsupported', async () => {
      for (const [coding, bytes] of [
        ['gzip', gzipSync(BODY)],
        ['x-gzip', gzipSync(BODY)],
        ['GZip', gzipSync(BODY)],
        ['identity, gzip', gzipSync(BODY)],
        ['gzip, identity', gzipSync(BODY)],
        ['deflate', deflateSync(BODY)],
        ['br', brotliCompressSync(BODY)],
        ['identity', BODY],
        ['', BODY],
        [' , ', BODY],
      ] as const) {
        const answer = await send('/v1/themes', coding, bytes);
        expect(answer.status, `${coding}: ${answer.text}`).to.equal(200);
        expect(answer.json.name).to.equal('packed');
      }
      for (const coding of ['gzip, gzip', 'br, gzip', 'gzip,deflate', 'gzip, constructor'])
        expect((await send('/v1/themes', coding, gzipSync(gzipSync(BODY)))).status).to.equal(415);
      await expectAlive();
    });

    it('is rejected for uploads', async () => {
      const form =
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--b--';
      const type = 'multipart/form-data; boundary=b';
      for (const coding of ['gzip', 'constructor', 'identity, br']) {
        const answer = await send('/v1/uploads', coding, form, 'POST', type);
        expect([answer.status, answer.json.code], coding).to.deep.equal([415, 'unsupported_type']);
      }
      expect((await send('/v1/uploads', 'identity', form, 'POST', type)).status).to.equal(200);
    });

    it('that does not decode is a malformed body', async () => {
      for (const [coding, bytes] of [
        ['gzip', Buffer.from('no gzip')],
        ['gzip', gzipSync(BODY).subarray(0, -5)],
        ['br', Buffer.from([0xff, 0xff, 0xff])],
        ['deflate', BODY],
      ] as const)
        expect((await send('/v1/themes', coding, bytes)).status, coding).to.equal(422);
      await expectAlive();
    });

    it('does not lift the limit of the bytes that are sent', async () => {
      const wire = await openRawConnection(service.base);
      wire.send(
        [
          'POST /v1/themes HTTP/1.1',
          'Host: x',
          `Authorization: Bearer ${service.token}`,
          'Content-Type: application/json',
          'Content-Encoding: gzip',
          'Transfer-Encoding: chunked',
          '\r\n',
        ].join('\r\n'),
      );
      // Empty gzip members of 20 bytes each, which decompress to nothing.
      const nothing = Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync('')));
      const chunk = Buffer.concat([
        Buffer.from(`${nothing.length.toString(16)}\r\n`),
        nothing,
        Buffer.from('\r\n'),
      ]);
      for (let sent = 0; sent < 2 * MIB; sent += nothing.length) wire.send(chunk);
      wire.send('0\r\n\r\n');
      const answer = await wire.answer();
      expect([answer.status, JSON.parse(answer.body).code]).to.deep.equal([413, 'too_large']);
      await expectAlive();
    });

    it('leaks nothing when its sender disconnects in the middle', async () => {
      for (const bytes of [gzipSync(BODY).subarray(0, 12), Buffer.alloc(0), Buffer.from('xxx')]) {
        const wire = await openRawConnection(service.base);
        wire.send(
          `POST /v1/themes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\n` +
            'Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 500\r\n\r\n',
        );
        wire.send(bytes);
        await new Promise((resolve) => setTimeout(resolve, 20));
        wire.cut();
      }
      await expectAlive();
    });
  });
