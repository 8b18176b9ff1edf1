import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { openS3Service, type S3Service } from '../fake-s3.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

const PATH = '/v1/integrations/s3/migration';

for (const profile of profiles)
  describe(`${profile}: moving files into an own bucket`, function () {
    this.timeout(120_000);
    let bucket: S3Service;
    let service: Service;
    const files = new Map<string, Buffer>();
    before(async () => {
      bucket = await openS3Service();
      const near = { OUTBOUND_ALLOW: '127.0.0.1/32' };
      service = await startService(profile, { LOG_LEVEL: 'fatal', ...near });
    });
    after(async () => {
      await service.dispose();
      await bucket.close();
    });
    afterEach(() => bucket.injectFault());

    const progress = async () => (await service.call('GET', PATH)).json;
    const start = (direction?: string) =>
      service.call('POST', PATH, { body: direction === undefined ? {} : { direction } });
    const ended = () => eventually(progress, ({ status }) => status !== 'running', 60_000);
    const stored = () => [...bucket.objects.keys()].filter((key) => /blobs/.test(key)).length;
    const readable = async () => {
      for (const [id, bytes] of files) {
        const answer = await fetch(`${service.base}/v1/objects/${id}/content`, {
          headers: { authorization: `Bearer ${service.token}` },
        });
        expect(answer.status).to.equal(200);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
      }
    };

    it('is rejected without a bucket, and sends no notification', async () => {
      const none = {
        status: 'idle',
        direction: 'out',
        total: 0,
        moved: 0,
        failed: 0,
        remaining: 0,
      };
      expect(await progress()).to.deep.equal({
        ...none,
        started_at: '',
        finished_at: '',
        error: '',
        error_code: null,
        error_fact: '',
      });
      expect((await start()).json.code).to.equal('not_configured');
      expect((await start('sideways')).status).to.equal(422);
      expect((await service.call('DELETE', PATH)).status).to.equal(404);
    });

    it('counts every write of the owner that precedes the request, of any process', async () => {
      const { token } = await service.newOwner();
      const beside = profile === 'team' ? await service.beside() : service;
      try {
        const counts = async () => {
          const all = await Promise.all(
            [service, beside].map((each) => each.call('GET', PATH, { token })),
          );
          return all.map(({ json }) => json.remaining as number);
        };
        const ids: string[] = [];
        for (let n = 0; n < 12; n++) {
          expect(await counts()).to.deep.equal([n, n]);
          const by = n % 2 ? beside : service;
          // Two files have the same bytes.
          const { json } = await by.uploadAll([[`${n}.txt`, `text ${n >> 1}`]], {}, { token });
          ids.push(json.items[0].id);
        }
        for (const [n, id] of ids.entries()) {
          const left = ids.length - n;
          expect(await counts()).to.deep.equal([left, left]);
          const by = n % 2 ? service : beside;
          await by.call('DELETE', `/v1/objects/${id}?permanent=true`, { token });
        }
        expect(await counts()).to.deep.equal([0, 0]);
      } finally {
        if (beside !== service) await beside.stop();
      }
    });

    it('moves them out despite a killed process, skips failures, and moves them back', async () => {
      for (let i = 0; i < 6; i++) {
        const bytes = randomBytes(2_000 + i);
        const { json } = await service.upload(`f${i}.bin`, bytes);
        files.set(json.items[0].id, bytes);
        await service.settled(json.items[0].id);
      }
      const { endpoint, region, accessKeyId, secretAccessKey } = bucket.place;
      const connected = await service.call('PUT', '/v1/integrations/s3', {
        body: {
          config: { endpoint, region, bucket: bucket.place.bucket, access_key_id: accessKeyId },
          secret: secretAccessKey,
        },
      });
      expect(connected.json, connected.text).to.deep.include({ status: 'ok' });
      expect(connected.json.migration).to.deep.include({ status: 'idle', remaining: 6 });
      // The third file is not answered, and the process dies over it.
      let puts = 0;
      bucket.injectFault(({ operation, key }) =>
        operation === 'PutObject' && /blobs/.test(key) && ++puts > 2 ? 'silent' : undefined,
      );
      const started = await start();
      expect(started.json, started.text).to.deep.include({
        status: 'running',
        direction: 'out',
        total: 6,
      });
      await eventually(
        async () => puts,
        (n) => n > 2,
      );
      expect((await start()).json.code).to.equal('already_running');
      expect(await progress()).to.deep.include({ moved: 2, remaining: 4 });
      service = await service.restart('SIGKILL');
      await readable();
      // One remaining file cannot be stored under any name.
      const there = new Set([...bucket.objects.values()].map(({ bytes }) => bytes.length));
      const size = String([...files.values()].find((bytes) => !there.has(bytes.length))?.length);
      bucket.injectFault(({ operation, headers }) =>
        operation === 'PutObject' && headers['content-length'] === size ? 'forbidden' : undefined,
      );
      const first = await ended();
      expect(first).to.deep.include({ status: 'done', total: 6, moved: 5, failed: 1 });
      expect(first.remaining).to.equal(1);
      expect(first.error).not.to.equal('');
      await readable();
      bucket.injectFault();
      await start('out');
      expect(await ended()).to.deep.include({ status: 'done', moved: 6, failed: 0, remaining: 0 });
      expect(stored()).to.be.at.least(6);
      expect(await service.blobs()).to.equal(0);
      await readable();
      expect((await service.call('DELETE', '/v1/integrations/s3')).json.code).to.equal('in_use');

      await start('back');
      expect(await ended()).to.deep.include({
        status: 'done',
        direction: 'back',
        moved: 6,
        remaining: 0,
      });
      await readable();
      expect(await service.blobs()).to.equal(6);
      const card = (await service.call('GET', '/v1/integrations/s3')).json;
      expect(card).to.deep.include({ enabled: false, status: 'disabled' });
      expect(card.migration).to.deep.equal(await progress());
      const { items } = (await service.call('GET', '/v1/notifications')).json;
      const event = items.filter(({ kind }: { kind: string }) => kind === 'migration.done');
      expect(event.map(({ payload }: { payload: object }) => payload)).to.deep.equal([
        { direction: 'back', moved: 6, failed: 0, total: 6, error_code: null, error_fact: '' },
        { direction: 'out', moved: 6, failed: 0, total: 6, error_code: null, error_fact: '' },
        { direction: 'out', moved: 5, failed: 1, total: 6, error_code: null, error_fact: '' },
      ]);
    });

    it('stops after the file in hand', async () => {
      let puts = 0;
      bucket.injectFault(({ operation, key }) =>
        operation === 'PutObject' && /blobs/.test(key) && ++puts > 0 ? 'error' : undefined,
      );
      await start('out');
      await eventually(
        async () => puts,
        (n) => n > 0,
      );
      expect((await service.call('DELETE', PATH)).json).to.deep.equal({ deleted: true });
      bucket.injectFault();
      expect((await ended()).status).to.equal('cancelled');
      await readable();
    });

    it('leaves every original in place if a bucket stores other bytes under the ETag of the sent ones', async () => {
      bucket.injectFault(({ operation, key }) =>
        operation === 'PutObject' && /blobs/.test(key) ? 'lying' : undefined,
      );
      await start('out');
      const end = await ended();
      expect(end.failed, JSON.stringify(end)).to.equal(end.remaining);
      expect(end.failed).to.be.at.least(5);
      expect(await service.blobs()).to.be.at.least(5);
      expect((await service.call('GET', '/v1/integrations/s3')).json.last_error).to.match(
        /other bytes/,
      );
      await readable();
      bucket.injectFault();
      await readable();
    });
  });
