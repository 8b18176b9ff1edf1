import { expect } from 'chai';
import type { StoredObject } from '../../ports/objects.ts';
import type { Extraction } from '../../ports/text-extraction.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const URL_ = 'http://harbour.test/news/dredged%20at%20last/?page=1';
const NAME = 'harbour.test-news-dredged at last.url';
const PICTURE = 'http://harbour.test/picture.png';

/** The tasks that read an object. */
const readingsOf = async (backend: Backend, world: CoreFixture, id: string): Promise<string[]> => {
  const tasks = await backend.uow.read(world.caller.scope, (stores) =>
    stores.tasks.findFor(id, 'object.read'),
  );
  return tasks.map((task) => task.id);
};

for (const [name, open] of backends)
  describe(`${name}: links`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `links-${name}-${process.pid}-${Math.random()}`);
    });

    const add = async (more: { title?: string; url?: string } = {}): Promise<StoredObject> =>
      (await world.core.objects.addLink(world.caller, { url: URL_, ...more })).object;
    const look = async (id: string) =>
      (await world.core.objects.getObject(world.caller, id)).object;
    const preview = (id: string) =>
      backend.uow.read(world.caller.scope, ({ links }) => links.find(id));
    const usedBytes = () =>
      backend.uow.read(world.caller.scope, ({ contents }) => contents.usedBytes());
    const textOf = async (id: string) =>
      (await world.core.processing.getText(world.caller, id)).text;
    const again = async (id: string) => {
      const answer = await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      return answer;
    };
    const blobIds = async () => {
      const ids: string[] = [];
      for await (const { blobId } of world.blobs.list()) ids.push(blobId);
      return ids;
    };
    /** The result of reading the page, regardless of the link's name. */
    const article = (over: Partial<Extract<Extraction, { outcome: 'text' }>> = {}) => {
      world.web.set(URL_, { mime: 'text/html', bytes: 'markup' });
      const read = (): Extraction => ({
        outcome: 'text',
        source: 'extracted',
        text: 'The harbour was dredged.',
        title: 'Dredged: at/last',
        language: 'en',
        pages: [{ page: 1, charStart: 0, charEnd: 24 }],
        page: {
          title: 'Dredged: at/last',
          siteName: 'Gazette',
          description: 'Mud is gone.',
          imageUrl: PICTURE,
        },
        ...over,
      });
      for (const file of [NAME, 'Dredged: at-last.url', 'Mine.url', 'Again.url'])
        world.extractions.set(file, read);
    };

    it('are files of their own kind that wait to be read', async () => {
      const object = await add();
      expect(object).to.deep.include({
        kind: 'link',
        format: 'url',
        mime: 'application/internet-shortcut',
        status: 'pending',
        sourceUrl: URL_,
        filename: NAME,
        originalName: NAME,
        nameSource: 'original',
        nameLocked: false,
        title: '',
        version: 1,
      });
      const content = await world.core.objects.readContent(world.caller, object.id);
      const chunks: Uint8Array[] = [];
      for await (const chunk of content.open()) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).to.equal(`[InternetShortcut]\r\nURL=${URL_}\r\n`);
    });

    it('are named by host and path, with any characters', async () => {
      for (const [url, filename] of [
        ['http://harbour.test/', 'harbour.test.url'],
        ['https://ada:pw@harbour.test:8080/a/b.html?q=1#x', 'harbour.test:8080-a-b.html.url'],
        ['http://harbour.test/%D1%80%D0%B5%D0%BA%D0%B0', 'harbour.test-река.url'],
        ['http://harbour.test/%ff%0a%2F', 'harbour.test-%ff%0a%2F.url'],
        ['http://harbour.test/%E2%80%AE%00', 'harbour.test-.url'],
        [`http://harbour.test/${'a'.repeat(500)}`, `harbour.test-${'a'.repeat(107)}.url`],
      ] as const)
        expect((await add({ url })).filename, url).to.equal(filename);
    });

    it('store title, text, description and image of their page, and use its title as their name', async () => {
      article();
      world.web.set(PICTURE, { bytes: 'picture of mud' });
      const { id, size } = await add();
      await world.runPendingTasks();
      const object = await look(id);
      expect(object).to.deep.include({
        status: 'ready',
        error: null,
        textState: 'available',
        needsManual: false,
        title: 'Dredged: at/last',
        summary: 'Mud is gone.',
        filename: 'Dredged: at-last.url',
        originalName: NAME,
        nameSource: 'original',
        nameLocked: false,
      });
      expect(await textOf(id)).to.equal('The harbour was dredged.');
      const stored = await preview(id);
      expect(stored).to.deep.include({
        finalUrl: URL_,
        title: 'Dredged: at/last',
        siteName: 'Gazette',
        description: 'Mud is gone.',
        fetchedAt: world.now,
      });
      expect(stored?.image).to.include({ size: 14, mime: 'image/png' });
      expect(await usedBytes()).to.equal(size + 14);
      const hits = await world.core.search.searchObjects(world.caller, {
        q: 'dredged',
        limit: 10,
        offset: 0,
      });
      expect(hits.items.map(({ view }) => view.object.id)).to.deep.equal([id]);
    });

    it('have the image of their page as thumbnail, or none if it has none', async () => {
      const { id } = await add();
      const shown = () => world.core.objects.readThumbnail(world.caller, id, 64);
      article();
      await world.runPendingTasks();
      const refused = await shown().catch((error: unknown) => error);
      expect(refused).to.include({ code: 'unsupported_type' });
      world.web.set(PICTURE, { bytes: 'picture of mud' });
      await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      for (const time of ['made', 'kept']) {
        let text = '';
        for await (const chunk of (await shown()).open()) text += Buffer.from(chunk).toString();
        expect(text, time).to.equal('64 of picture of mud');
      }
      expect(world.rendered.times).to.equal(1);
    });

    it('keep the title their owner chose', async () => {
      article();
      const given = await add({ title: ' Mine ' });
      expect(given).to.include({ filename: 'Mine.url', title: 'Mine', nameSource: 'user' });
      expect(given.nameLocked).to.equal(true);
      await world.runPendingTasks();
      expect(await look(given.id)).to.include({ filename: 'Mine.url', title: 'Mine' });
      expect(await preview(given.id)).to.include({ title: 'Dredged: at/last' });
    });

    it('keep a name that was chosen while their page was fetched', async () => {
      article();
      const { id } = await add();
      await world.core.objects.editObject(world.caller, id, { filename: 'Mine.url' });
      await world.runPendingTasks();
      expect(await look(id)).to.include({ filename: 'Mine.url', title: 'Dredged: at/last' });
    });

    it('are updated when their page is read again, and release the earlier image', async () => {
      article();
      world.web.set(PICTURE, { bytes: 'picture of mud' });
      const { id, size } = await add();
      await world.runPendingTasks();
      const before = await preview(id);
      article({
        text: 'It rained.',
        pages: [{ page: 1, charStart: 0, charEnd: 10 }],
        page: { title: 'Again', siteName: '', description: 'Rain.', imageUrl: PICTURE },
      });
      world.web.set(PICTURE, { bytes: 'picture of rain' });
      await again(id);
      expect(await look(id)).to.include({
        title: 'Again',
        summary: 'Rain.',
        filename: 'Again.url',
        status: 'ready',
      });
      expect(await textOf(id)).to.equal('It rained.');
      const after = await preview(id);
      expect(after?.image).to.include({ size: 15 });
      expect(await usedBytes()).to.equal(size + 15);
      expect(await blobIds())
        .to.include(after?.image?.blobId)
        .and.not.include(before?.image?.blobId);
      // The same image again: the stored one is used, the new bytes are discarded.
      await again(id);
      expect((await preview(id))?.image).to.deep.equal(after?.image);
      expect(await usedBytes()).to.equal(size + 15);
      expect(await blobIds()).to.have.length(2);
    });

    it('store an image once that two of them use, until the last is deleted', async () => {
      article();
      world.web.set(PICTURE, { bytes: 'picture of mud' });
      const [one, two] = [await add(), await add()];
      await world.runPendingTasks();
      expect(one.contentHash).to.equal(two.contentHash);
      expect(await blobIds()).to.have.length(2);
      await world.core.objects.deleteObject(world.caller, one.id, true);
      await world.runPendingTasks();
      expect(await preview(one.id)).to.equal(undefined);
      expect(await blobIds()).to.have.length(2);
      await world.core.objects.deleteObject(world.caller, two.id, true);
      await world.runPendingTasks();
      expect(await blobIds()).to.deep.equal([]);
      expect(await usedBytes()).to.equal(0);
    });

    it('ignore an image that is invalid, too large or not accessible', async () => {
      article();
      const { id } = await add();
      for (const bad of [
        { bytes: 'no image' },
        { bytes: `picture${'x'.repeat(5 * 2 ** 20)}` },
        { bytes: 'picture', status: 404 },
        'private',
        'closed',
      ] as const) {
        world.web.set(PICTURE, bad);
        await again(id);
        expect(await look(id)).to.include({ status: 'ready', error: null });
        expect(await preview(id)).to.deep.include({ image: null, siteName: 'Gazette' });
      }
      expect(await blobIds()).to.have.length(1);
    });

    it('to other files have their text or image, or nothing without an error', async () => {
      world.web.set('http://harbour.test/a.txt', { mime: 'text/plain', bytes: 'plain words' });
      world.web.set('http://harbour.test/b.png', { mime: 'image/png', bytes: 'picture of b' });
      world.web.set('http://harbour.test/c.pdf', { mime: 'application/pdf', bytes: '%PDF' });
      const ids = [];
      for (const path of ['a.txt', 'b.png', 'c.pdf'])
        ids.push((await add({ url: `http://harbour.test/${path}` })).id);
      await world.runPendingTasks();
      const [text = '', picture = '', pdf = ''] = ids;
      expect(await textOf(text)).to.equal('plain words');
      expect(await preview(picture)).to.deep.include({ title: '', siteName: '' });
      expect((await preview(picture))?.image).to.include({ size: 12 });
      for (const id of [picture, pdf])
        expect(await look(id)).to.include({
          status: 'ready',
          error: null,
          needsManual: false,
          textState: 'absent',
        });
    });

    it('fail immediately if a retry is useless, with the reason', async () => {
      world.web.set(URL_, 'private');
      const { id } = await add();
      await world.runPendingTasks();
      const object = await look(id);
      expect(object).to.include({ status: 'failed', textState: 'absent', needsManual: false });
      expect(object.error).to.equal('It is rejected as address.');
      expect(await preview(id)).to.equal(undefined);
    });

    it('are retried a few times after a temporary failure, and then fail with its reason', async () => {
      world.web.set(URL_, { bytes: '', status: 503 });
      const { id } = await add();
      await world.runPendingTasks();
      expect((await look(id)).status).to.equal('processing');
      for (const pause of [2_000, 4_000]) {
        world.now += pause;
        await world.core.background.offerDueTasks();
        await world.runPendingTasks();
      }
      expect(await look(id)).to.include({
        status: 'failed',
        error: 'It is rejected as status with status 503.',
      });
      expect(await readingsOf(backend, world, id)).to.deep.equal([]);
      // And again on request.
      article();
      await again(id);
      expect(await look(id)).to.include({ status: 'ready', error: null });
    });

    it('remain readable and searchable when reading them again fails', async () => {
      article();
      const { id } = await add();
      await world.runPendingTasks();
      world.web.set(URL_, { bytes: '', status: 404 });
      await again(id);
      expect(await look(id)).to.include({
        status: 'failed',
        error: 'It is rejected as status with status 404.',
        textState: 'available',
        title: 'Dredged: at/last',
      });
      expect(await textOf(id)).to.equal('The harbour was dredged.');
      expect(await preview(id)).to.include({ siteName: 'Gazette' });
    });

    it('have no content other than their URL', async () => {
      const { id } = await add();
      const file = await world.file('a.txt', 'words');
      for (const work of [
        world.core.objects.saveText(world.caller, id, { content: 'x', baseVersion: 1 }),
        world.core.objects.saveFile(world.caller, id, { file, baseVersion: 1 }),
      ])
        expect(await work.catch((error: unknown) => error)).to.include({
          code: 'unsupported_type',
        });
      expect((await look(id)).version).to.equal(1);
      expect(await blobIds()).to.have.length(1);
    });

    it('leave no image behind if their result is superseded', async () => {
      article();
      world.web.set(PICTURE, { bytes: 'picture of mud' });
      const { id } = await add();
      world.extractions.set(NAME, async (attempt) => {
        // A new read is requested, or the object deleted, while this one runs.
        if (attempt === 1) await world.core.processing.reprocessObject(world.caller, id);
        else await world.core.objects.deleteObject(world.caller, id, true);
        return { outcome: 'none', expected: false, reason: '-', page: facts };
      });
      const facts = { title: 'T', siteName: '', description: '', imageUrl: PICTURE };
      await world.runPendingTasks();
      expect(await blobIds()).to.deep.equal([]);
      expect(await preview(id)).to.equal(undefined);
    });
  });

for (const [name, open] of backends)
  describe(`${name}: reading again`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `anew-${name}-${process.pid}-${Math.random()}`);
    });

    const upload = async (filename: string): Promise<string> => {
      const file = await world.file(filename, 'some words');
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      return added?.object.id ?? '';
    };
    const anew = (id: string) => world.core.processing.reprocessObject(world.caller, id);
    const look = async (id: string) =>
      (await world.core.objects.getObject(world.caller, id)).object;

    it('resets an object of any kind and reads it', async () => {
      const id = await upload('a.txt');
      await world.runPendingTasks();
      world.now += 1_000;
      const { taskId } = await anew(id);
      expect(await look(id)).to.include({
        status: 'pending',
        textState: 'available',
        updatedAt: world.now,
        version: 1,
      });
      expect(await backend.directory.ownerOfTask(taskId)).to.deep.equal(world.caller.scope);
      await world.runPendingTasks();
      expect((await look(id)).status).to.equal('ready');
    });

    it('is queued once however often it is requested', async () => {
      const id = await upload('a.txt');
      const first = await anew(id);
      expect(await anew(id)).to.deep.equal(first);
      expect(await readingsOf(backend, world, id)).to.deep.equal([first.taskId]);
    });

    it('replaces a read in progress, whose result is discarded', async () => {
      const requested: string[] = [];
      world.extractions.set('b.txt', async (attempt) => {
        if (attempt === 1) requested.push((await anew(id)).taskId);
        return {
          outcome: 'text',
          source: 'native',
          text: `reading ${attempt}`,
          title: '',
          language: '',
          pages: [],
        };
      });
      const id = await upload('b.txt');
      const seen: string[] = [];
      const { runTask } = world.core.background;
      const [running = ''] = await readingsOf(backend, world, id);
      await runTask(running);
      seen.push((await look(id)).status);
      await world.runPendingTasks();
      seen.push((await look(id)).status);
      expect(requested).to.have.length(1);
      expect(seen).to.deep.equal(['pending', 'ready']);
      expect((await world.core.processing.getText(world.caller, id)).text).to.equal('reading 2');
    });

    it('preserves a correction, for any result', async () => {
      const ends: Extraction[] = [
        { outcome: 'failed', reason: 'Broken.' },
        { outcome: 'none', expected: true, reason: 'A scan.' },
      ];
      world.extractions.set('c.txt', (attempt) => ends[attempt - 2] ?? text);
      const text: Extraction = {
        outcome: 'text',
        source: 'native',
        text: 'read words',
        title: '',
        language: 'en',
        pages: [],
      };
      const id = await upload('c.txt');
      await world.runPendingTasks();
      await world.core.processing.correctText(world.caller, id, {
        text: 'corrected words',
        baseVersion: 1,
      });
      for (let reading = 0; reading <= ends.length; reading++) {
        await anew(id);
        await world.runPendingTasks();
        expect(await look(id)).to.include({ hasCorrections: true, textState: 'available' });
        const current = await world.core.processing.getText(world.caller, id);
        expect(current.text).to.equal('corrected words');
        const { items } = await world.core.search.searchObjects(world.caller, {
          q: 'corrected',
          limit: 10,
          offset: 0,
        });
        expect(items).to.have.length(1);
      }
    });

    it('waits while the service is closing, without counting an attempt', async () => {
      world.extractions.set('d.txt', (attempt) => {
        if (attempt > 1) return { outcome: 'none', expected: false, reason: '-' };
        throw new UnavailableError('text-extraction', 'closing');
      });
      const id = await upload('d.txt');
      await world.runPendingTasks();
      world.now += 10_000;
      await world.core.background.offerDueTasks();
      await world.runPendingTasks();
      expect((await look(id)).status).to.equal('ready');
    });

    it('is rejected for objects in the trash and without content', async () => {
      const id = await upload('a.txt');
      await world.core.objects.deleteObject(world.caller, id, false);
      const code = (work: Promise<unknown>) =>
        work.then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
      expect(await code(anew(id))).to.equal('in_trash');
      expect(await code(anew('0190a000-0000-7000-8000-000000000000'))).to.equal('not_found');
    });
  });
