import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { openRawConnection, type Wire } from './raw-connection.ts';
import { profiles, startService, type Service } from './harness.ts';

const FORM_HEAD = [
  '--b',
  'content-disposition: form-data; name="file"; filename="slow.bin"',
  '',
  '',
].join('\r\n');

for (const profile of profiles)
  describe(`${profile}: files that visitors are sending`, function () {
    this.timeout(120_000);
    let service: Service;
    const open: Wire[] = [];
    before(async () => {
      service = await startService(profile, { TRUST_PROXY: '1' });
    });
    afterEach(() => {
      for (const wire of open.splice(0)) wire.cut();
    });
    after(() => service.dispose());

    let folders = 0;
    const share = async (limits: object = {}): Promise<string> => {
      const made = await service.call('POST', '/v1/collections', {
        body: { name: `Inbox ${++folders}` },
      });
      const { json } = await service.call('POST', '/v1/shares', {
        body: { kind: 'folder', resource_id: made.json.id, role: 'contributor', ...limits },
      });
      return json.token;
    };
    /** Sends the beginning of a body that announces so many bytes. */
    const begin = async (token: string, address: string, announced: number): Promise<Wire> => {
      const wire = await openRawConnection(service.base);
      open.push(wire);
      const head = [
        `POST /v1/public/shares/${token}/uploads HTTP/1.1`,
        'host: 127.0.0.1',
        `x-forwarded-for: ${address}`,
        'content-type: multipart/form-data; boundary=b',
        `content-length: ${announced}`,
        'connection: close',
      ];
      wire.send(`${head.join('\r\n')}\r\n\r\n${FORM_HEAD}x`);
      return wire;
    };
    const upload = (token: string, address: string, bytes: Uint8Array | string) => {
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'whole.bin');
      return service.call('POST', `/v1/public/shares/${token}/uploads`, {
        token: null,
        raw: form,
        headers: { 'x-forwarded-for': address },
      });
    };
    type Answer = Awaited<ReturnType<typeof upload>>;
    /** Tries anew, with longer pauses, while the service has not seen what was begun. */
    const refused = async (attempt: (pause: () => Promise<void>) => Promise<Answer>) => {
      for (let ms = 50; ; ms *= 2) {
        const { status, json } = await attempt(() => setTimeout(ms));
        if (status !== 200) return [status, json.detail];
      }
    };

    it('are two at once of an IPv4 address, or of the /64 of an IPv6 address', async () => {
      for (const [first, same, other] of [
        ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'],
        ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1'],
      ] as const) {
        let token = '';
        const [status, detail] = await refused(async (pause) => {
          token = await share();
          for (const address of [first, same]) await begin(token, address, 1_000);
          await pause();
          return upload(token, first, 'third');
        });
        expect(status).to.equal(429);
        expect(detail).to.match(/^Too many files are being uploaded/);
        expect((await upload(token, other, 'another')).status).to.equal(200);
      }
    });

    it('count from their first byte against the quota of the share', async () => {
      let token = '';
      const beside = () => upload(token, '192.0.2.2', new Uint8Array(60_000));
      const [status, detail] = await refused(async (pause) => {
        token = await share({ max_upload_bytes: 300_000 });
        await begin(token, '192.0.2.1', 250_000);
        await pause();
        return beside();
      });
      expect(status).to.equal(413);
      expect(detail).to.match(/what this link still accepts, 49 KiB/);
      expect((await upload(token, '192.0.2.3', 'x')).status).to.equal(200);
      for (const wire of open) wire.cut();
      while ((await beside()).status !== 200) await setTimeout(50);
    });

    it('end with 408 when they are slower than 10 kB a second', async () => {
      const token = await share();
      const wire = await begin(token, '192.0.2.1', 1_000_000);
      const trickle = setInterval(() => wire.send('x'), 500);
      const began = Date.now();
      const { status, body, headers } = await wire.answer();
      clearInterval(trickle);
      expect([status, JSON.parse(body).code]).to.deep.equal([408, 'request_timeout']);
      expect(headers['connection']).to.equal('close');
      expect(Date.now() - began).to.be.at.least(9_000);
      expect((await upload(token, '192.0.2.1', 'fast')).status).to.equal(200);
    });
  });
