import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

for (const [name, open] of backends)
  describe(`${name}: background tasks`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `tasks-${name}-${process.pid}-${Math.random()}`);
    });

    const upload = async (filename: string, text = 'some words'): Promise<string> => {
      const file = await world.file(filename, text);
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      return added?.object.id ?? '';
    };
    const look = async (id: string) =>
      (await world.core.objects.getObject(world.caller, id)).object;
    const due = async () => (await backend.directory.dueTasks(world.now, 1000)).map(({ id }) => id);
    const mine = async () => {
      const ids = [];
      for (const id of await due())
        if ((await backend.directory.ownerOfTask(id))?.ownerId === world.caller.scope.ownerId)
          ids.push(id);
      return ids;
    };
    const textOf = async (id: string) =>
      (await world.core.processing.getText(world.caller, id)).text;

    it('read a file once it is stored', async () => {
      const id = await upload('a.txt', 'harbour lights');
      expect((await look(id)).status).to.equal('pending');
      await world.runPendingTasks();
      expect(await look(id)).to.deep.include({ status: 'ready', textState: 'available' });
      expect(await textOf(id)).to.equal('harbour lights');
      expect(await mine()).to.deep.equal([]);
    });

    it('have one effect when they are delivered twice, also concurrently', async () => {
      let reads = 0;
      world.extractions.set('twice.txt', () => ({
        outcome: 'text',
        source: 'native',
        text: `reading ${++reads}`,
        title: '',
        language: '',
        pages: [],
      }));
      const id = await upload('twice.txt');
      const [task = ''] = await mine();
      const run = () => world.core.background.runTask(task);
      await Promise.all([run(), run(), run()]);
      await run();
      expect(reads).to.equal(1);
      expect(await textOf(id)).to.equal('reading 1');
    });

    it('belong to their worker while it renews its claim, and are available soon after it died', async () => {
      let going = (): void => undefined;
      let reads = 0;
      world.extractions.set('long.txt', async () => {
        if (++reads === 1) await new Promise<void>((resolve) => (going = resolve));
        return { outcome: 'none', expected: false, reason: '' };
      });
      await upload('long.txt');
      const [task = ''] = await mine();
      const { keepClaim, runTask } = world.core.background;
      const worker = runTask(task);
      while (reads === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      for (let second = 0; second < 600; second += 10) {
        world.now += 10_000;
        await keepClaim(task);
        expect(await mine()).to.deep.equal([]);
      }
      world.now += 25_000;
      expect(await mine()).to.deep.equal([task]);
      await runTask(task);
      expect(reads).to.equal(2);
      going();
      await worker;
      await keepClaim(task);
      expect(await mine()).to.deep.equal([]);
    });

    it('are tried three times with growing delays, and then end as failed with the reason', async () => {
      let reads = 0;
      world.extractions.set('bad.txt', () => {
        reads++;
        throw new Error('the reader broke');
      });
      const id = await upload('bad.txt');
      for (let i = 0; i < 8; i++) {
        await world.runPendingTasks();
        world.now += 60_000;
        await world.core.background.offerDueTasks();
      }
      expect(reads).to.equal(3);
      expect(await look(id)).to.deep.include({
        status: 'failed',
        error: 'The text could not be read: the reader broke',
      });
      expect(await mine()).to.deep.equal([]);
    });

    it('that crash their worker each time end as failed, a dozen workers later', async () => {
      let deaths = 0;
      let dies = (): void => undefined;
      world.extractions.set('deadly.txt', () => {
        deaths++;
        dies();
        return new Promise(() => undefined);
      });
      const id = await upload('deadly.txt');
      const [task = ''] = await mine();
      for (let worker = 1; worker <= 13; worker++) {
        expect(await mine(), String(worker)).to.deep.equal([task]);
        const death = new Promise<void>((resolve) => (dies = resolve));
        await Promise.race([world.core.background.runTask(task), death]);
        world.now += 25_000;
      }
      expect(deaths).to.equal(12);
      expect(await look(id)).to.deep.include({
        status: 'failed',
        error: 'The text could not be read: It ended its worker.',
      });
      expect(await mine()).to.deep.equal([]);
    });

    it('are released without counting an attempt while a dependency is unavailable', async () => {
      let reads = 0;
      world.extractions.set('away.txt', () => {
        if (++reads <= 5) throw new UnavailableError('reader', 'away');
        return {
          outcome: 'text',
          source: 'native',
          text: 'back',
          title: '',
          language: '',
          pages: [],
        };
      });
      const id = await upload('away.txt');
      for (let i = 0; i < 8; i++) {
        await world.runPendingTasks();
        world.now += 60_000;
        await world.core.background.offerDueTasks();
      }
      expect(await textOf(id)).to.equal('back');
    });

    it('leave a newer content to its own task', async () => {
      const id = await upload('a.txt', 'old words');
      const [old = ''] = await mine();
      await world.core.objects.saveText(world.caller, id, { content: 'new words', baseVersion: 1 });
      await world.core.background.runTask(old);
      expect(await look(id)).to.deep.include({ status: 'pending', version: 2 });
      await world.runPendingTasks();
      expect(await textOf(id)).to.equal('new words');
    });

    it('remove exactly the bytes without references', async () => {
      const count = async () => {
        let blobs = 0;
        for await (const { blobId } of world.blobs.list()) blobs += blobId === '' ? 0 : 1;
        return blobs;
      };
      const [one, two] = [await upload('a.txt', 'same'), await upload('b.txt', 'same')];
      await world.runPendingTasks();
      expect(await count()).to.equal(1);
      await world.core.objects.deleteObject(world.caller, one, true);
      await world.runPendingTasks();
      expect(await count()).to.equal(1);
      expect(await textOf(two)).to.equal('same');
      await world.core.objects.deleteObject(world.caller, two, true);
      await world.runPendingTasks();
      expect(await count()).to.equal(0);
    });

    it('sweep bytes left by a crash before their row, and no recent ones', async () => {
      const id = await upload('a.txt', 'kept');
      await world.runPendingTasks();
      await world.blobs.write('lost', { maxBytes: 10 });
      const { sweepBlobs } = world.core.background;
      expect(await sweepBlobs(Date.now() - 60_000)).to.equal(0);
      expect(await sweepBlobs(Date.now() + 60_000)).to.equal(1);
      expect(await textOf(id)).to.equal('kept');
    });

    it('remove no bytes during a deletion hold, without counting attempts', async () => {
      const count = async () => {
        let blobs = 0;
        for await (const { blobId } of world.blobs.list()) blobs += blobId === '' ? 0 : 1;
        return blobs;
      };
      const id = await upload('a.txt', 'held');
      await world.runPendingTasks();
      await world.blobs.write('lost', { maxBytes: 10 });
      await backend.deletionHolds.acquire('a backup', world.now + 3_600_000);
      await world.core.objects.deleteObject(world.caller, id, true);
      for (let n = 0; n < 20; n++) {
        await world.core.background.offerDueTasks();
        await world.runPendingTasks();
        world.now += 60_000;
      }
      expect(await world.core.background.sweepBlobs(Date.now() + 60_000)).to.equal(0);
      expect(await count()).to.equal(2);
      // Its holder has crashed, and it is not renewed.
      world.now += 3_600_000;
      await world.core.background.offerDueTasks();
      await world.runPendingTasks();
      expect(await count()).to.equal(1);
      expect(await world.core.background.sweepBlobs(Date.now() + 60_000)).to.equal(1);
      // Later suites use the same database, at an earlier time.
      await backend.deletionHolds.release('a backup', world.now);
    });
  });
