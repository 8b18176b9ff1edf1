import { expect } from 'chai';
import fc from 'fast-check';
import { backends, type Backend } from '../backends.ts';
import { openUploads, sha256 } from './upload-fixture.ts';

const HOUR_MS = 3_600_000;

/** One step of a client, or of its network. */
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('send'), count: fc.integer({ min: 0, max: 60 }) }),
    fc.record({ does: fc.constant('drip'), count: fc.integer({ min: 0, max: 60 }) }),
    fc.record({ does: fc.constant('repeat'), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ does: fc.constant('spoil'), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ does: fc.constant('verify'), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ does: fc.constant('outage'), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ does: fc.constant('broken storage'), count: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ does: fc.constant('race'), count: fc.integer({ min: 1, max: 60 }) }),
  ),
  { maxLength: 25 },
);

for (const [name, open] of backends)
  describe(`${name}: resumable uploads`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('any sequence of cuts, repeats, wrong checksums, outages and races ends with the same bytes, and with one object', function () {
      this.timeout(120_000);
      return fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 1, max: 400 }), async (sequence, size) => {
          const it = await openUploads(backend);
          const bytes = Buffer.from(
            Array.from({ length: size }, (_, i) => (i * 7 + (i >> 3)) & 255),
          );
          const { id } = await it.create(size);
          let received = 0;
          const sent = async (work: Promise<{ received: number }>) =>
            work.then((view) => (received = view.received));
          for (const { does, count } of sequence) {
            if (received === size) break;
            const some = bytes.subarray(received, received + count);
            if (does === 'send') await sent(it.send(id, received, some));
            if (does === 'drip')
              await sent(it.send(id, received, some, { chunk: 7, pauseMs: 6_000 }));
            if (does === 'verify')
              await sent(it.send(id, received, some, { sha256: sha256(some) }));
            if (does === 'repeat')
              expect(await it.code(it.send(id, received + count, some))).to.equal(
                'offset_mismatch',
              );
            if (does === 'spoil')
              expect(await it.code(it.send(id, received, some, { sha256: 'x' }))).to.equal(
                'checksum_mismatch',
              );
            if (does === 'outage') {
              const requireSender = () => Promise.reject(new Error('outage'));
              expect(await it.code(it.send(id, received, some, { requireSender }))).to.equal(
                'Error',
              );
            }
            if (does === 'broken storage') {
              // The last bytes reach the storage, but the whole does not: as after a crash in between.
              const restore = it.breakStorage(received > 0 && count >= size - received ? 2 : 1);
              expect(await it.code(it.send(id, received, some))).to.equal('UnavailableError');
              restore();
            }
            if (does === 'race') {
              const both = await Promise.all([
                it.code(sent(it.send(id, received, some))),
                it.code(sent(it.send(id, received, some))),
              ]);
              expect(both.sort()).to.deep.equal(['done', 'offset_mismatch']);
            }
            const view = await it.core.uploads.getUpload(it.caller, id);
            expect(view.received).to.equal(received);
            expect(view.objectId === null).to.equal(received < size);
          }
          if (received < size) await sent(it.send(id, received, bytes.subarray(received)));
          const { objectId } = await it.core.uploads.getUpload(it.caller, id);
          expect(await it.code(it.send(id, 0, bytes))).to.equal('offset_mismatch');
          expect((await it.objects()).map(({ object }) => object.id)).to.deep.equal([objectId]);
          expect(await it.read(objectId ?? '')).to.deep.equal(bytes);
          await it.settle();
          expect(await it.usedBytes()).to.equal(size);
          expect(await it.blobCount()).to.equal(1);
        }),
        { numRuns: name === 'memory' ? 60 : 8 },
      );
    });

    it('parts count against the quota from the first byte, and an upload that does not fit is refused at creation', async () => {
      const it = await openUploads(backend);
      const small = { ...it.caller, limits: { ...it.caller.limits, storageBytes: 100 } };
      const { id } = await it.create(80, {}, small);
      await it.send(id, 0, Buffer.alloc(60, 1), { as: small });
      expect(await it.usedBytes()).to.equal(60);
      expect(await it.code(it.create(41, {}, small))).to.equal('plan_limit');
      const { id: other } = await it.create(40, {}, small);
      await it.send(other, 0, Buffer.alloc(39, 2), { as: small });
      expect(await it.code(it.send(id, 60, Buffer.alloc(20, 3), { as: small }))).to.equal(
        'plan_limit',
      );
      expect((await it.core.uploads.getUpload(small, id)).received).to.equal(60);
      await it.core.uploads.terminateUpload(small, other);
      const done = await it.send(id, 60, Buffer.alloc(20, 3), { as: small });
      expect(done.received).to.equal(80);
      expect(await it.usedBytes()).to.equal(80);
    });

    it('size, folder and name are judged at creation', async () => {
      const it = await openUploads(backend);
      expect(await it.code(it.create(1_000_001))).to.equal('too_large');
      const collectionId = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
      expect(await it.code(it.create(1, { collectionId }))).to.equal('not_found');
      for (const filename of ['', '..', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(256)])
        expect(await it.code(it.create(1, { filename })), filename).to.equal('InvalidInput');
    });

    it('more bytes than announced are refused, and none of their part is stored', async () => {
      const it = await openUploads(backend);
      const { id } = await it.create(5);
      expect(await it.code(it.send(id, 0, Buffer.from('sixsix')))).to.equal('too_large');
      expect((await it.core.uploads.getUpload(it.caller, id)).received).to.equal(0);
      expect(await it.blobCount()).to.equal(0);
    });

    it('an empty file is complete with a request of no bytes', async () => {
      const it = await openUploads(backend);
      const { id } = await it.create(0);
      const { objectId } = await it.send(id, 0, Buffer.alloc(0));
      expect(await it.read(objectId ?? '')).to.have.length(0);
    });

    it('the last bytes of two requests at once make one object, also where the parts are gone before they are read', async () => {
      const it = await openUploads(backend);
      const bytes = Buffer.from('abcdef');
      const { id } = await it.create(6);
      await it.send(id, 0, bytes.subarray(0, 3));
      const faster: { objectId?: string | null } = {};
      // The other request finishes while this one checks its sender.
      const requireSender = async () => {
        faster.objectId = (await it.send(id, 3, bytes.subarray(3))).objectId;
        await it.settle();
      };
      expect(await it.code(it.send(id, 3, bytes.subarray(3), { requireSender }))).to.equal(
        'offset_mismatch',
      );
      expect(await it.read(faster.objectId ?? '')).to.deep.equal(bytes);
      await it.settle();
      expect(await it.blobCount()).to.equal(1);
    });

    it('many small parts are merged into few', async () => {
      const it = await openUploads(backend);
      const bytes = Buffer.from(Array.from({ length: 200 }, (_, i) => i));
      const { id } = await it.create(201);
      for (let at = 0; at < 200; at++) await it.send(id, at, bytes.subarray(at, at + 1));
      expect((await it.parts(id)).length).to.be.below(30);
      const { objectId } = await it.send(id, 200, Buffer.from([9]));
      expect(await it.read(objectId ?? '')).to.deep.equal(Buffer.concat([bytes, Buffer.from([9])]));
    });

    it('an upload without progress expires after 24 hours, and is forgotten 24 hours later', async () => {
      const it = await openUploads(backend);
      const { id } = await it.create(10);
      const done = await it.upload('finished');
      await it.send(id, 0, Buffer.from('abc'));
      it.world.now += 23 * HOUR_MS;
      await it.send(id, 3, Buffer.from('d'));
      it.world.now += 23 * HOUR_MS;
      await it.core.background.expireUploads();
      expect((await it.core.uploads.getUpload(it.caller, id)).received).to.equal(4);
      it.world.now += HOUR_MS;
      const state = () => it.code(it.core.uploads.getUpload(it.caller, id));
      expect(await state()).to.equal('upload_expired');
      expect(await it.code(it.send(id, 4, Buffer.from('e')))).to.equal('upload_expired');
      it.world.now += 1;
      await it.core.background.expireUploads();
      await it.settle();
      expect(await state()).to.equal('upload_expired');
      expect(await it.usedBytes()).to.equal(8);
      expect(await it.blobCount()).to.equal(1);
      expect(await it.code(it.core.uploads.getUpload(it.caller, done.id))).to.equal('not_found');
      it.world.now += 24 * HOUR_MS + 1;
      await it.core.background.expireUploads();
      expect(await state()).to.equal('not_found');
    });

    it('a cancelled upload leaves nothing', async () => {
      const it = await openUploads(backend);
      const { id } = await it.create(10);
      await it.send(id, 0, Buffer.from('abc'));
      await it.core.uploads.terminateUpload(it.caller, id);
      await it.settle();
      expect(await it.code(it.core.uploads.getUpload(it.caller, id))).to.equal('not_found');
      expect(await it.usedBytes()).to.equal(0);
      expect(await it.blobCount()).to.equal(0);
    });

    it('duplicates are stored again, returned or refused, as in other uploads', async () => {
      const it = await openUploads(backend);
      const first = await it.upload('same bytes');
      const again = await it.upload('same bytes', { onDuplicate: 'return' });
      expect(again.objectId).to.equal(first.objectId);
      const other = await it.upload('same bytes');
      expect(other.objectId).not.to.equal(first.objectId);
      expect(await it.code(it.upload('same bytes', { onDuplicate: 'reject' }))).to.equal(
        'already_exists',
      );
      await it.settle();
      expect(await it.usedBytes()).to.equal(10);
      expect(await it.blobCount()).to.equal(1);
    });

    it('parts are stored in the bucket of the owner, and are removed from it', async () => {
      const it = await openUploads(backend);
      const { core, caller, world } = it;
      const config = { region: 'eu-west-9', bucket: 'papers', access_key_id: 'AKIDTEST' };
      await core.integrations.connectBucket(caller, { config, secret: 'wJalrXUtnFEMI-K7MDENG' });
      const place = { endpoint: null, prefix: '', forcePathStyle: false } as const;
      const bucket = world.buckets.at({
        ...place,
        region: config.region,
        bucket: config.bucket,
        accessKeyId: config.access_key_id,
        secretAccessKey: 'wJalrXUtnFEMI-K7MDENG',
      });
      const stored = async () => {
        const ids = [];
        for await (const { blobId } of bucket.list()) ids.push(blobId);
        return ids.length;
      };
      const { id } = await it.create(6);
      await it.send(id, 0, Buffer.from('ab'));
      await it.send(id, 2, Buffer.from('cd'));
      expect([await stored(), await it.blobCount()]).to.deep.equal([2, 0]);
      const { objectId } = await it.send(id, 4, Buffer.from('ef'));
      expect((await it.read(objectId ?? '')).toString()).to.equal('abcdef');
      await it.settle();
      expect([await stored(), await it.blobCount()]).to.deep.equal([1, 0]);
      const cancelled = await it.create(6);
      await it.send(cancelled.id, 0, Buffer.from('xy'));
      await core.uploads.terminateUpload(caller, cancelled.id);
      await it.settle();
      expect(await stored()).to.equal(1);
    });

    it('a file whose folder was deleted meanwhile becomes unfiled', async () => {
      const it = await openUploads(backend);
      const { collection } = await it.core.library.createCollection(it.caller, { name: 'Inbox' });
      const { id } = await it.create(4, { collectionId: collection.id });
      await it.send(id, 0, Buffer.from('ab'));
      await it.core.library.deleteCollection(it.caller, collection.id, 'keep');
      await it.send(id, 2, Buffer.from('cd'));
      const [only] = await it.objects();
      expect(only?.object.collectionId).to.equal(null);
    });

    it('another owner finds no upload', async () => {
      const it = await openUploads(backend);
      const other = await openUploads(backend);
      const { id } = await it.create(10);
      for (const work of [
        other.core.uploads.getUpload(other.caller, id),
        other.send(id, 0, Buffer.from('abc')),
        other.core.uploads.terminateUpload(other.caller, id),
      ])
        expect(await it.code(work)).to.equal('not_found');
    });

    it('a sender whose access has ended adds nothing', async () => {
      const it = await openUploads(backend);
      const { id } = await it.create(10);
      const requireSender = () => Promise.reject(new Error('signed out'));
      await it.code(it.send(id, 0, Buffer.from('abc'), { requireSender }));
      expect((await it.core.uploads.getUpload(it.caller, id)).received).to.equal(0);
      expect(await it.blobCount()).to.equal(0);
    });
  });
