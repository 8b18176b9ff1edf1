import { expect } from 'chai';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profiles, startService, type Service } from './harness.ts';
import { openRawConnection, type Wire } from './raw-connection.ts';

const PART = '--b\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n\r\n';

describe('a client whose headers never end', function () {
  this.timeout(60_000);
  let service: Service;
  let slow: Wire;
  before(async () => {
    // It does not use the database, so one profile is enough.
    service = await startService(profiles[0] ?? 'standalone');
    slow = await openRawConnection(service.base);
    slow.send('GET /health HTTP/1.1\r\nHost: x\r\n');
  });
  after(() => service.dispose());

  it('is disconnected after a 408', async () => {
    const drip = setInterval(() => slow.send('X-More: and more\r\n'), 1_000);
    const { status, body } = await slow.answer();
    clearInterval(drip);
    expect([status, JSON.parse(body).code]).to.deep.equal([408, 'request_timeout']);
  });
});

for (const profile of profiles)
  describe(`${profile}: a served process`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { LOG_LEVEL: 'info' });
    });
    after(() => service.dispose());

    const uploadHead = (length: number) =>
      [
        'POST /v1/uploads HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${service.token}`,
        'Content-Type: multipart/form-data; boundary=b',
        `Content-Length: ${length}`,
        'Connection: close',
        '\r\n',
      ].join('\r\n');

    /** Its temporary file is there. */
    const uploadBegun = async () => {
      const incoming = join(service.dataDir, 'incoming');
      const deadline = Date.now() + 5_000;
      while ((await readdir(incoming)).length === 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await readdir(incoming)).to.have.length(1);
    };

    it('writes an access log without secrets, questions and texts', async () => {
      // None of them can be a part of an id or a time.
      const pinned = 'sesame-pin';
      const secrets = [pinned, 'sesame-words', 'sesame-text', 'sesame-name', 'sesame-token'];
      await service.call('GET', '/v1/search?q=sesame-words&token=sesame-token');
      await service.call('POST', '/v1/ask', { body: { question: 'Where are sesame-words?' } });
      await service.call('POST', '/v1/objects/notes', { body: { content: 'sesame-text' } });
      await service.upload('sesame-name.txt', 'sesame-text');
      const pin = await service.call('POST', '/v1/hidden-pin', { body: { pin: pinned } });
      await service.call('DELETE', '/v1/hidden-pin', { body: { pin: pinned } });
      const created = await service.call('POST', '/v1/tokens', { body: { name: 'x' } });
      await service.call('GET', '/v1/me', { token: 'owt_sesame-token' });
      await service.call('GET', '/sesame-words/nowhere');
      const id = 'seen-in-the-log';
      await service.call('GET', '/v1/objects?limit=1', { headers: { 'x-request-id': id } });
      const deadline = Date.now() + 5_000;
      while (!service.logged().includes(id) && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      const log = service.logged();
      const entries = log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const entry = entries.find(({ requestId }) => requestId === id);
      expect(entry).to.deep.include({ method: 'GET', route: '/v1/objects', status: 200 });
      expect(entry?.['ms']).to.be.a('number');
      for (const secret of [...secrets, service.token, pin.json.token, created.json.token])
        expect(log, secret).not.to.include(secret);
      expect(log).not.to.match(/bearer|authorization/i);
    });

    it('continues an upload while commands run concurrently', async () => {
      const body = `${PART}${'slowly '.repeat(20_000)}\r\n--b--\r\n`;
      const open = await openRawConnection(service.base);
      open.send(uploadHead(body.length) + body.slice(0, 100_000));
      await uploadBegun();
      await service.cli('owner', 'list');
      open.send(body.slice(100_000));
      const { status, headers } = await open.answer();
      expect([status, headers['connection']]).to.deep.equal([200, 'close']);
    });

    it('finishes running requests after a stop signal, accepts no new ones, and exits', async () => {
      const body = `${PART}${'the rest comes late '.repeat(2_000)}\r\n--b--\r\n`;
      const open = await openRawConnection(service.base);
      const idle = await openRawConnection(service.base);
      const answered = once(idle.socket, 'data');
      idle.send('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
      open.send(uploadHead(body.length) + body.slice(0, 10_000));
      const halfSaid = await openRawConnection(service.base);
      halfSaid.send('GET /health HTTP/1.1\r\nHost: x\r\n');
      await Promise.all([answered, uploadBegun()]);
      const exit = once(service.process, 'exit');
      const reported = performance.now();
      service.process.kill('SIGTERM');
      const deadline = Date.now() + 5_000;
      for (;;) {
        const refused = await fetch(`${service.base}/health`).then(
          () => false,
          () => true,
        );
        if (refused) break;
        if (Date.now() > deadline) throw new Error('It still takes connections.');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect((await idle.answer()).status).to.equal(200);
      open.send(body.slice(10_000));
      const answer = await open.answer();
      expect(answer.status).to.equal(200);
      expect(await exit).to.deep.equal([0, null]);
      // A connection without a complete request is closed at once: waiting for them would take the whole grace period.
      expect(performance.now() - reported).to.be.below(8_000);
      expect((await halfSaid.answer()).status).to.equal(0);
      service = await service.restart();
      const { id } = JSON.parse(answer.body).items[0];
      expect((await service.settled(id)).status).to.equal('ready');
    });

    it('leaves a data folder that serves at another path', async () => {
      const note = await service.call('POST', '/v1/objects/notes', {
        body: { content: 'It moved house.' },
        headers: { 'idempotency-key': 'moving' },
      });
      await service.settled(note.json.id);
      expect(await service.stop()).to.equal(0);
      const elsewhere = await mkdtemp(join(tmpdir(), 'ow-moved-'));
      await cp(service.dataDir, elsewhere, { recursive: true });
      const moved = await service.beside({ DATA_DIR: elsewhere });
      try {
        const { id } = note.json;
        expect((await moved.call('GET', `/v1/objects/${id}/content`)).text).to.equal(
          'It moved house.',
        );
        const found = await moved.call('GET', '/v1/search?q=house');
        expect(found.json.items[0].object.id).to.equal(id);
        // Values encrypted with the key of the folder can be decrypted as well.
        const again = await moved.call('POST', '/v1/objects/notes', {
          body: { content: 'It moved house.' },
          headers: { 'idempotency-key': 'moving' },
        });
        expect(again.json).to.deep.equal(note.json);
      } finally {
        await moved.stop();
        await rm(elsewhere, { recursive: true, force: true });
        service = await service.restart();
      }
    });
  });
