import { expect } from 'chai';
import type { ReadableContent } from '../../core/objects/index.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

for (const [name, open] of backends)
  describe(`${name}: thumbnails`, () => {
    let backend: Backend;
    let world: CoreFixture;
    let id: string;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `thumbnails-${name}-${process.pid}-${Math.random()}`);
      const [added] = await world.core.objects.addFiles(
        world.caller,
        [await world.file('a.pdf', 'one')],
        {},
      );
      id = added?.object.id ?? '';
      await world.runPendingTasks();
    });

    const thumbnail = (side = 256) => world.core.objects.readThumbnail(world.caller, id, side);
    const textOf = async (content: ReadableContent): Promise<string> => {
      let text = '';
      for await (const chunk of content.open()) text += Buffer.from(chunk).toString();
      return text;
    };
    const blobIds = async () => {
      const ids: string[] = [];
      for await (const { blobId } of world.blobs.list()) ids.push(blobId);
      return ids;
    };
    const blobs = async () => (await blobIds()).length;
    const replace = async (text: string) =>
      world.core.objects.saveFile(world.caller, id, {
        file: await world.file('a.pdf', text),
        baseVersion: 1,
      });

    it('are rendered once per size and then cached, with the ETag of their bytes', async () => {
      const first = await thumbnail();
      expect(first).to.include({ filename: 'a.webp', mime: 'image/webp', size: 10 });
      expect(await textOf(first)).to.equal('256 of one');
      expect(await textOf(await thumbnail())).to.equal('256 of one');
      expect((await thumbnail()).sha256).to.equal(first.sha256);
      expect(world.rendered.times).to.equal(1);
      expect(await textOf(await thumbnail(64))).to.equal('64 of one');
      expect((await thumbnail(64)).sha256).not.to.equal(first.sha256);
      expect(world.rendered.times).to.equal(2);
    });

    it('are rendered once for concurrent requests, and leave one blob', async () => {
      const before = await blobs();
      const all = await Promise.all(Array.from({ length: 10 }, () => thumbnail()));
      expect(new Set(await Promise.all(all.map(textOf)))).to.deep.equal(new Set(['256 of one']));
      expect(world.rendered.times).to.equal(1);
      expect(await blobs()).to.equal(before + 1);
    });

    it('are limited in number per object', async () => {
      const before = await blobs();
      for (let side = 64; side < 84; side++) {
        world.now += 1;
        await thumbnail(side);
      }
      expect(await blobs()).to.equal(before + 8);
      expect(await textOf(await thumbnail(64))).to.equal('64 of one');
      expect(world.rendered.times).to.equal(21);
    });

    it('are removed when the content is replaced, and rendered from the new one', async () => {
      await thumbnail();
      const before = await blobs();
      await replace('two');
      await world.runPendingTasks();
      expect(await blobs()).to.equal(before);
      expect(await textOf(await thumbnail())).to.equal('256 of two');
      await world.core.objects.restoreVersion(world.caller, id, 1);
      expect(await textOf(await thumbnail())).to.equal('256 of one');
    });

    it('are deleted with their object', async () => {
      await thumbnail();
      await thumbnail(64);
      await world.core.objects.deleteObject(world.caller, id, true);
      await world.runPendingTasks();
      expect(await blobs()).to.equal(0);
    });

    it('are available while it is in the trash', async () => {
      await world.core.objects.deleteObject(world.caller, id, false);
      expect(await textOf(await thumbnail())).to.equal('256 of one');
    });

    it('are rendered again if their bytes are missing', async () => {
      await thumbnail();
      for (const blobId of (await blobIds()).slice(-1)) await world.blobs.remove(blobId);
      expect(await textOf(await thumbnail())).to.equal('256 of one');
      expect(world.rendered.times).to.equal(2);
    });

    it("do not count towards their owner's storage quota", async () => {
      const used = () => backend.uow.read(world.caller.scope, (s) => s.contents.usedBytes());
      const before = await used();
      await thumbnail();
      expect(await used()).to.equal(before);
    });

    it('are no orphan blobs, except those left by a crash before their row', async () => {
      await thumbnail();
      const stored = await blobs();
      // The state after a process crashed before writing the row.
      await world.blobs.write('webp', { maxBytes: 9 });
      await world.core.background.sweepBlobs(Infinity);
      expect(await blobs()).to.equal(stored);
      expect(await textOf(await thumbnail())).to.equal('256 of one');
      expect(world.rendered.times).to.equal(1);
    });

    it('leave nothing if the object is deleted or changed while one is rendered', async () => {
      const before = await blobs();
      const making = thumbnail();
      await world.core.objects.deleteObject(world.caller, id, true);
      const ended = await making.then(textOf, (error: unknown) => error);
      await world.runPendingTasks();
      await world.core.background.sweepBlobs(Infinity);
      expect(await blobs()).to.equal(before - 1);
      if (ended instanceof Error)
        expect(['BlobNotFoundError', 'DomainError']).to.include(ended.name);
      else expect(ended).to.equal('256 of one');
    });

    it('are rejected with the reason if none can be rendered', async () => {
      const [added] = await world.core.objects.addFiles(
        world.caller,
        [await world.file('a.txt', 'one')],
        {},
      );
      const error = await world.core.objects
        .readThumbnail(world.caller, added?.object.id ?? '', 256)
        .catch((e: unknown) => e);
      expect(error).to.be.instanceOf(DomainError);
      expect(error).to.deep.include({
        code: 'unsupported_type',
        details: { detail: 'It is no picture.' },
      });
    });
  });
