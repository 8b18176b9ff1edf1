import { expect } from 'chai';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Upload } from 'tus-js-client';
import { eventually, placings, startService, type Service } from './harness.ts';
import type { IncomingMessage } from 'node:http';
import { signInBrowser } from './signed-in.ts';
import { RESUMABLE, ageUpload, metadataOf, tusClient } from './uploads-client.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const MIB = 2 ** 20;
const PART_BYTES = 8 * MIB;
const digest = (algorithm: string, bytes: Uint8Array | string) =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;

for (const { title, profile, files } of placings)
  describe(`${title}: resumable uploads`, function () {
    this.timeout(120_000);
    let service: Service;
    let tus: ReturnType<typeof tusClient>;
    before(async () => {
      service = await startService(profile, { MAX_UPLOAD_BYTES: String(64 * MIB) }, files);
    });
    let owner: string;
    beforeEach(async () => {
      owner = (await service.newOwner()).token;
      tus = tusClient(service, owner);
    });
    after(() => service.dispose());

    const offsetOf = async (path: string) =>
      Number((await tus.head(path)).headers.get('upload-offset'));
    const contentOf = async (id: string | null, at = service) => {
      const response = await fetch(`${at.base}/v1/objects/${id}/content`, {
        headers: { authorization: `Bearer ${owner}` },
      });
      return Buffer.from(await response.arrayBuffer());
    };
    const total = async () => (await tus.call('GET', '/v1/objects')).json.total;

    it('tell what they support, without an account', async () => {
      const { status, headers } = await tus.call('OPTIONS', RESUMABLE, { token: null });
      expect(status).to.equal(204);
      expect(headers.get('tus-version')).to.equal('1.0.0');
      expect(headers.get('tus-extension')).to.equal(
        'creation,creation-with-upload,checksum,termination,expiration',
      );
      expect(headers.get('tus-max-size')).to.equal(String(64 * MIB));
      expect(headers.get('tus-checksum-algorithm')).to.include('sha1');
    });

    it('make an object of what tus-js-client sends in chunks', async () => {
      const bytes = randomBytes(3 * MIB + 17);
      const progress: number[] = [];
      const url = await new Promise<string | null>((resolve, reject) => {
        const upload = new Upload(bytes, {
          endpoint: service.base + RESUMABLE,
          headers: { authorization: `Bearer ${owner}` },
          chunkSize: MIB,
          retryDelays: null,
          metadata: { filename: 'räksmörgås.bin', filetype: 'application/octet-stream' },
          onChunkComplete: (_size, accepted) => progress.push(accepted),
          onError: reject,
          onSuccess: () => resolve(upload.url),
        });
        upload.start();
      });
      expect(progress).to.deep.equal([MIB, 2 * MIB, 3 * MIB, bytes.length]);
      const { headers } = await tus.head(new URL(url ?? '').pathname);
      expect(headers.get('upload-offset')).to.equal(String(bytes.length));
      const id = headers.get('object-id');
      expect(await contentOf(id)).to.deep.equal(bytes);
      expect((await tus.call('GET', `/v1/objects/${id}`)).json.filename).to.equal('räksmörgås.bin');
      expect(await total()).to.equal(1);
    });

    it('are created with their first bytes, or with all of them', async () => {
      const type = { 'content-type': 'application/offset+octet-stream' };
      const some = await tus.create(6, {}, { raw: 'abc', headers: type });
      expect([some.status, some.headers.get('upload-offset')]).to.deep.equal([201, '3']);
      expect(some.headers.get('upload-expires')).to.match(/GMT$/);
      const rest = await tus.patch(some.headers.get('location') ?? '', 3, 'def');
      expect(rest.status).to.equal(204);
      expect((await contentOf(rest.headers.get('object-id'))).toString()).to.equal('abcdef');
      const all = await tus.create(3, {}, { raw: 'xyz', headers: type });
      expect((await contentOf(all.headers.get('object-id'))).toString()).to.equal('xyz');
      const none = await tus.create(0);
      expect(none.status).to.equal(201);
      expect((await contentOf(none.headers.get('object-id'))).length).to.equal(0);
    });

    it('continue after a request that was cut, with the bytes that had arrived', async () => {
      const bytes = randomBytes(200_000);
      const path = await tus.begin(bytes.length, { filename: 'cut.bin' });
      const opened = await tus.open(path, 0, bytes.length);
      await new Promise((sent) => opened.write(bytes.subarray(0, 120_000), sent));
      opened.destroy();
      const offset = await eventually(
        () => offsetOf(path),
        (found) => found > 0,
        60_000,
      );
      expect(offset).to.be.at.most(120_000);
      const last = await tus.patch(path, offset, bytes.subarray(offset));
      expect(last.status).to.equal(204);
      expect(await contentOf(last.headers.get('object-id'))).to.deep.equal(bytes);
    });

    it('take the place of an earlier request for the same upload, whose bytes they keep', async () => {
      const bytes = randomBytes(100_000);
      const path = await tus.begin(bytes.length);
      const opened = await tus.open(path, 0, bytes.length);
      await new Promise((sent) => opened.write(bytes.subarray(0, 60_000), sent));
      // The first request may reach the service after the second one, which then asks for the offset again.
      const resume = async () => {
        const offset = await offsetOf(path);
        return tus.patch(path, offset, bytes.subarray(offset));
      };
      const last = await eventually(resume, ({ status }) => status === 204, 60_000);
      opened.destroy();
      expect(await contentOf(last.headers.get('object-id'))).to.deep.equal(bytes);
    });

    it('continue after the service was killed, from an offset of which every byte is durable', async () => {
      const bytes = randomBytes(3 * PART_BYTES);
      const path = await tus.begin(bytes.length, { filename: 'killed.bin' });
      const opened = await tus.open(path, 0, bytes.length);
      opened.write(bytes.subarray(0, 2 * PART_BYTES + 100_000));
      await eventually(
        () => usedBytes(tus),
        (used) => used >= 2 * PART_BYTES,
        60_000,
      );
      service = await service.restart('SIGKILL');
      tus = tusClient(service, owner);
      opened.destroy();
      const offset = await offsetOf(path);
      expect(offset).to.equal(2 * PART_BYTES);
      const last = await tus.patch(path, offset, bytes.subarray(offset));
      const id = last.headers.get('object-id');
      expect(
        createHash('sha256')
          .update(await contentOf(id))
          .digest('hex'),
      ).to.equal(createHash('sha256').update(bytes).digest('hex'));
      expect(await total()).to.equal(1);
      expect(await usedBytes(tus)).to.equal(bytes.length);
    });

    it('end early when the service stops, and continue with the bytes that had arrived', async () => {
      const bytes = randomBytes(2 * PART_BYTES);
      const path = await tus.begin(bytes.length);
      const opened = await tus.open(path, 0, bytes.length);
      const closed = new Promise((resolve) => opened.once('close', resolve));
      opened.once('response', (response) => response.resume());
      let sent = PART_BYTES + 1_000;
      opened.write(bytes.subarray(0, sent));
      await eventually(
        () => usedBytes(tus),
        (used) => used >= PART_BYTES,
        60_000,
      );
      const drip = setInterval(() => opened.write(bytes.subarray(sent, (sent += 100))), 20);
      const restarted = service.restart();
      await closed;
      clearInterval(drip);
      service = await restarted;
      tus = tusClient(service, owner);
      const offset = await offsetOf(path);
      expect(offset).to.be.within(PART_BYTES, sent);
      const last = await tus.patch(path, offset, bytes.subarray(offset));
      expect(await contentOf(last.headers.get('object-id'))).to.deep.equal(bytes);
    });

    it('a repeat of the last request makes no second object, and names the first', async () => {
      const path = await tus.begin(4);
      const last = await tus.patch(path, 0, 'abcd');
      const id = last.headers.get('object-id');
      const repeat = await tus.patch(path, 0, 'abcd');
      expect([repeat.status, repeat.headers.get('object-id')]).to.deep.equal([409, id]);
      const nothing = await tus.patch(path, 4, '');
      expect([nothing.status, nothing.headers.get('object-id')]).to.deep.equal([204, id]);
      service = await service.restart('SIGKILL');
      tus = tusClient(service, owner);
      const head = await tus.head(path);
      expect(head.headers.get('object-id')).to.equal(id);
      expect(await total()).to.equal(1);
    });

    it('refuse other offsets, wrong checksums, too many bytes and other protocols', async () => {
      const path = await tus.begin(6);
      const wrong = await tus.patch(path, 3, 'def');
      expect([wrong.status, wrong.json.code]).to.deep.equal([409, 'offset_mismatch']);
      const sum = (value: string) => ({ headers: { 'upload-checksum': value } });
      const spoilt = await tus.patch(path, 0, 'abd', sum(digest('sha1', 'abc')));
      expect([spoilt.status, spoilt.json.code]).to.deep.equal([460, 'checksum_mismatch']);
      expect(await offsetOf(path)).to.equal(0);
      for (const value of ['sha1', 'crc32 AAAA', 'sha1 *', ''])
        expect((await tus.patch(path, 0, 'abc', sum(value))).status, value).to.equal(400);
      expect((await tus.patch(path, 0, 'abc', sum(digest('sha256', 'abc')))).status).to.equal(204);
      const long = await tus.patch(path, 3, 'defg');
      expect([long.status, long.json.code]).to.deep.equal([413, 'too_large']);
      const version = await tus.patch(path, 3, 'def', { headers: { 'tus-resumable': '0.2.2' } });
      expect([version.status, version.headers.get('tus-version')]).to.deep.equal([412, '1.0.0']);
      const type = await tus.patch(path, 3, 'def', { headers: { 'content-type': 'text/plain' } });
      expect(type.status).to.equal(415);
      for (const offset of ['', '-1', '1e0', 'x'])
        expect(
          (await tus.patch(path, 3, 'def', { headers: { 'upload-offset': offset } })).status,
          offset,
        ).to.equal(400);
      expect(await offsetOf(path)).to.equal(3);
      expect((await tus.patch(path, 3, 'def')).status).to.equal(204);
    });

    it('judge size, plan, folder and metadata at creation', async () => {
      const status = async (size: number, values: Record<string, string>) => {
        const { status: found, text } = await tus.create(size, values);
        if (found !== 201) expect(text).to.match(/"detail"/);
        return found;
      };
      expect(await status(64 * MIB + 1, {})).to.equal(413);
      expect(await status(1, { collection_id: MISSING })).to.equal(404);
      expect(await status(1, { collection_id: 'x' })).to.equal(422);
      expect(await status(1, { on_duplicate: 'maybe' })).to.equal(422);
      for (const filename of ['', '..', '../../x', 'a\0b'])
        expect(await status(1, { filename }), filename).to.equal(422);
      for (const relative of ['../x', '/x', 'a\\b/c', 'a//b', 'con/x', 'l/'.repeat(33) + 'x'])
        expect(await status(1, { relative_path: relative }), relative).to.equal(422);
      expect(await status(1, { unknown: 'x' })).to.equal(201);
      const bare = await tus.call('POST', RESUMABLE, { headers: { 'upload-length': '1' } });
      expect(bare.status).to.equal(422);
      const broken = { 'upload-length': '1', 'upload-metadata': 'filename a,b c d' };
      expect((await tus.call('POST', RESUMABLE, { headers: broken })).status).to.equal(400);
      const deferred = {
        'upload-defer-length': '1',
        'upload-metadata': metadataOf({ filename: 'a' }),
      };
      expect((await tus.call('POST', RESUMABLE, { headers: deferred })).status).to.equal(400);
    });

    it('send back their metadata, and place folder drops as one run', async () => {
      const values = { relative_path: 'Trip/day 1/a.txt', filetype: 'text/plain' };
      const path = await tus.begin(3, values);
      const { headers } = await tus.head(path);
      expect(headers.get('upload-metadata')).to.equal(metadataOf({ filename: 'a.txt', ...values }));
      expect(headers.get('cache-control')).to.include('no-store');
      const last = await tus.patch(path, 0, 'abc');
      const run = last.headers.get('task-id');
      const { json } = await tus.call('GET', `/v1/objects/${last.headers.get('object-id')}`);
      expect(json.collection_name).to.equal('day 1');
      const undone = await tus.call('POST', `/v1/objects/reorganize/${run}/undo`);
      expect(undone.json).to.deep.equal({ undone: 1, skipped: 0 });
      expect((await tus.call('GET', '/v1/collections')).json.total).to.equal(0);
    });

    it('end with 204 when they are cancelled, and are gone then', async () => {
      const path = await tus.begin(10);
      await tus.patch(path, 0, 'abc');
      expect(await usedBytes(tus)).to.equal(3);
      expect((await tus.call('DELETE', path)).status).to.equal(204);
      expect((await tus.head(path)).status).to.equal(404);
      expect((await tus.patch(path, 3, 'def')).status).to.equal(404);
      expect(await usedBytes(tus)).to.equal(0);
    });

    it('are 410 once they have expired', async () => {
      const path = await tus.begin(10);
      await tus.patch(path, 0, 'abc');
      await ageUpload(service, path, 25 * 3_600_000);
      expect((await tus.head(path)).status).to.equal(410);
      const late = await tus.patch(path, 3, 'def');
      expect([late.status, late.json.code]).to.deep.equal([410, 'upload_expired']);
    });

    it('of others, and without an account, do not exist', async () => {
      const path = await tus.begin(10);
      const other = tusClient(service, (await service.newOwner()).token);
      expect((await other.head(path)).status).to.equal(404);
      expect((await other.patch(path, 0, 'abc')).status).to.equal(404);
      expect((await other.call('DELETE', path)).status).to.equal(404);
      expect((await tus.call('HEAD', path, { token: null })).status).to.equal(401);
      expect((await tus.call('HEAD', `${RESUMABLE}/${MISSING}`)).status).to.equal(404);
      expect((await tus.call('GET', path)).status).to.equal(405);
    });

    it('need the scope `write`, and a page of the service if a cookie authenticates them', async () => {
      const { id, token } = await service.newOwner();
      const made = await service.call('POST', '/v1/tokens', {
        token,
        body: { name: 'reader', access: 'read' },
      });
      const reader = await tusClient(service, made.json.token).create(1);
      expect([reader.status, reader.json.code]).to.deep.equal([403, 'forbidden']);
      const browser = await signInBrowser(service, id);
      const headers = {
        'tus-resumable': '1.0.0',
        'upload-length': '3',
        'upload-metadata': metadataOf({ filename: 'a.txt' }),
      };
      const created = await browser.call('POST', RESUMABLE, { headers });
      expect(created.status).to.equal(201);
      const path = created.headers.get('location') ?? '';
      const bytes = { raw: 'abc' };
      const sent = {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      };
      const foreign = { ...sent, 'sec-fetch-site': 'cross-site' };
      expect((await browser.call('PATCH', path, { ...bytes, headers: foreign })).status).to.equal(
        403,
      );
      expect((await browser.call('PATCH', path, { ...bytes, headers: sent })).status).to.equal(204);
    });

    if (profile === 'team')
      it('are taken by two processes, and only one of two requests for the same bytes adds them', async () => {
        const two = await service.beside();
        try {
          const there = tusClient(two, owner);
          const bytes = randomBytes(900_000);
          const path = await tus.begin(bytes.length);
          let offset = 0;
          for (const [nth, client] of [tus, there, tus].entries()) {
            const end = (nth + 1) * 200_000;
            const answer = await client.patch(path, offset, bytes.subarray(offset, end));
            expect(answer.status).to.equal(204);
            offset = end;
          }
          const race = await Promise.all(
            [tus, there].map((client) => client.patch(path, offset, bytes.subarray(offset))),
          );
          expect(race.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
          const done = race.find(({ status }) => status === 204);
          expect(await contentOf(done?.headers.get('object-id') ?? null, two)).to.deep.equal(bytes);
          expect(await total()).to.equal(1);
        } finally {
          await two.stop();
        }
      });

    it('wait for the rest of a slow request without counting as work', async () => {
      const path = await tus.begin(10);
      const opened = await tus.open(path, 0, 10);
      opened.write('abcde');
      expect((await tus.call('GET', '/v1/objects')).status).to.equal(200);
      const answered = once(opened, 'response') as Promise<[IncomingMessage]>;
      opened.end('fghij');
      const [answer] = await answered;
      expect(answer.statusCode).to.equal(204);
      answer.resume();
    });
  });

const usedBytes = async (tus: ReturnType<typeof tusClient>): Promise<number> => {
  const { json } = await tus.call('GET', '/v1/usage');
  const item = json.items.find(({ metric }: { metric: string }) => metric === 'storage_bytes');
  return item.used;
};
