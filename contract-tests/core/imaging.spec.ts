import { expect } from 'chai';
import fc from 'fast-check';
import { edited, toyFile, toyPicture, type FakeImage } from '../../adapters/memory/image-editor.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { ImageOperation } from '../../ports/image-editor.ts';
import type { PendingImageOperation } from '../../ports/image-operations.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const TOY: FakeImage = {
  format: 'jpg',
  quality: 90,
  width: 4,
  height: 3,
  rows: ['abcd', 'efgh', 'ijkl'],
};
const QUARTER = { op: 'rotate', angle: 90 } as const;

const operations = (): fc.Arbitrary<ImageOperation> =>
  fc.constantFrom<ImageOperation>(
    QUARTER,
    { op: 'rotate', angle: 180 },
    { op: 'flip', mode: 'h' },
    { op: 'flip', mode: 'v' },
    { op: 'crop', box: [0, 0, 0.7, 0.8] },
    { op: 'compress', quality: 50 },
    { op: 'compress', quality: 80 },
  );

for (const [name, open] of backends)
  describe(`${name}: image operations`, function () {
    this.timeout(60_000);
    let backend: Backend;
    let world: CoreFixture;
    let id: string;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    const begin = async () => {
      world = await openCoreFixture(backend, `imaging-${name}-${process.pid}-${Math.random()}`);
      id = await added(TOY);
    };
    beforeEach(begin);

    const added = async (toy: FakeImage): Promise<string> => {
      const file = await world.file(`p.${toy.format}`, toyFile(toy));
      const [view] = await world.core.objects.addFiles(world.caller, [file], {});
      await world.runPendingTasks();
      return view?.object.id ?? '';
    };
    const ask = (operation: ImageOperation, of = id) =>
      world.core.imaging.requestImageOperation(world.caller, of, operation);
    const status = (task: PendingImageOperation) =>
      world.core.imaging.imageOperationStatus(world.caller, task.objectId, task.id);
    const shown = async (of = id) => (await world.core.objects.getObject(world.caller, of)).object;
    const picture = async (): Promise<FakeImage | undefined> => {
      const content = await world.core.objects.readContent(world.caller, id);
      let text = '';
      for await (const chunk of content.open()) text += Buffer.from(chunk).toString();
      return toyPicture(text);
    };
    const event = async (kind: string) => {
      const all = { limit: 100, offset: 0, unreadOnly: false };
      const { items } = await world.core.notifications.listNotifications(world.caller, all);
      return items.filter((item) => item.kind === kind);
    };
    const blobs = async () => {
      const ids: string[] = [];
      for await (const { blobId } of world.blobs.list()) ids.push(blobId);
      return ids.length;
    };
    const refusal = async (work: Promise<unknown>): Promise<DomainError> => {
      const error = await work.then(
        () => undefined,
        (e: unknown) => e,
      );
      if (!(error instanceof DomainError)) throw new Error('It was not refused.', { cause: error });
      return error;
    };
    const run = (task: string) => world.core.background.runTask(task).catch(() => undefined);

    it('have a sequential effect, for any number and order of deliveries of their tasks', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(operations(), { minLength: 1, maxLength: 5 }),
          fc.infiniteStream(fc.nat()),
          async (requested, choices) => {
            await begin();
            const asked: PendingImageOperation[] = [];
            for (const operation of requested) asked.push(await ask(operation));
            const ids = new Set([...asked.map((each) => each.id)]);
            const any = (list: readonly string[]) =>
              list[(choices.next().value ?? 0) % list.length];
            for (let round = 0; round < 60; round++) {
              for (const { taskId } of world.takeQueuedNudges()) ids.add(taskId);
              // Two concurrent workers, for tasks that may be done, claimed or waiting.
              await Promise.all([run(any([...ids]) ?? ''), run(any([...ids]) ?? '')]);
            }
            for (const { id: task } of asked) for (const each of [task, task]) await run(each);
            await world.runPendingTasks();
            let expected = TOY;
            let version = 1;
            for (const [i, operation] of requested.entries()) {
              const { state, error, version: created } = await status(asked[i]!);
              const stays = operation.op === 'compress' && operation.quality >= expected.quality;
              if (!stays) expected = edited(expected, operation);
              expect([state, created]).to.deep.equal(['done', stays ? version : ++version]);
              expect(error === null).to.equal(!stays);
            }
            expect(await picture()).to.deep.equal(expected);
            expect((await shown()).version).to.equal(version);
            expect(await event('image.done')).to.have.length(requested.length);
          },
        ),
        { numRuns: name === 'memory' ? 25 : 4 },
      ));

    it('change the object once if a stalled worker resumes after another has completed the operation', async () => {
      const edit = world.images.edit;
      let release: () => void = () => undefined;
      const stalled = new Promise<void>((resolve) => (release = resolve));
      let calls = 0;
      world.images.edit = async (source, operation) => {
        if (++calls === 1) await stalled;
        return edit(source, operation);
      };
      const task = await ask(QUARTER);
      const first = run(task.id);
      while (calls === 0) await new Promise((resolve) => setImmediate(resolve));
      // Its claim has expired, and another worker takes over.
      world.now += 60_000;
      await run(task.id);
      expect(await status(task)).to.include({ state: 'done', version: 2 });
      const before = await blobs();
      release();
      await first;
      expect(calls).to.equal(2);
      expect((await shown()).version).to.equal(2);
      expect(await picture()).to.deep.equal(edited(TOY, QUARTER));
      expect(await blobs()).to.equal(before);
      expect(await event('image.done')).to.have.length(1);
    });

    it('report their state: accepted, running, done', async () => {
      const edit = world.images.edit;
      const seen: string[] = [];
      const [one, two] = [await ask(QUARTER), await ask(QUARTER)];
      seen.push((await status(one)).state);
      world.images.edit = async (source, operation) => {
        seen.push((await status(one)).state, (await status(two)).state);
        return edit(source, operation);
      };
      await world.runPendingTasks();
      expect(seen).to.deep.equal(['accepted', 'running', 'accepted', 'done', 'running']);
      expect((await status(two)).state).to.equal('done');
    });

    it('restart when the content is replaced while they run', async () => {
      const edit = world.images.edit;
      const other = { ...TOY, rows: ['zzzz', 'yyyy', 'xxxx'] };
      let calls = 0;
      world.images.edit = async (source, operation) => {
        if (++calls === 1) {
          const file = await world.file('p.jpg', toyFile(other));
          await world.core.objects.saveFile(world.caller, id, { file, baseVersion: 1 });
        }
        return edit(source, operation);
      };
      const task = await ask(QUARTER);
      await world.runPendingTasks();
      expect(await status(task)).to.include({ state: 'done', version: 3 });
      expect(await picture()).to.deep.equal(edited(other, QUARTER));
    });

    it('fail if that happens every time, and leave nothing behind', async () => {
      const edit = world.images.edit;
      let version = 1;
      world.images.edit = async (source, operation) => {
        const file = await world.file('p.jpg', toyFile({ ...TOY, quality: version }));
        await world.core.objects.saveFile(world.caller, id, { file, baseVersion: version++ });
        return edit(source, operation);
      };
      const task = await ask(QUARTER);
      await world.runPendingTasks();
      expect(await status(task)).to.include({ state: 'failed', version: null });
      expect((await status(task)).error).to.match(/replaced/);
      expect((await shown()).version).to.equal(4);
      expect(await blobs()).to.equal(4);
    });

    it('fail if the file is no longer an image when they start', async () => {
      const task = await ask(QUARTER);
      const file = await world.file('p.txt', 'words');
      await world.core.objects.saveFile(world.caller, id, { file, baseVersion: 1 });
      await world.runPendingTasks();
      expect(await status(task)).to.include({ state: 'failed' });
      expect((await shown()).version).to.equal(2);
      expect(await event('image.failed')).to.have.length(1);
    });

    it('fail if the object is trashed before or while they run, and change nothing', async () => {
      const early = await ask(QUARTER);
      await world.core.objects.deleteObject(world.caller, id, false);
      await world.runPendingTasks();
      expect(await status(early)).to.include({ state: 'failed' });
      await world.core.objects.restoreObject(world.caller, id);
      const edit = world.images.edit;
      world.images.edit = async (source, operation) => {
        await world.core.objects.deleteObject(world.caller, id, false);
        return edit(source, operation);
      };
      const before = await blobs();
      const late = await ask(QUARTER);
      await world.runPendingTasks();
      expect(await status(late)).to.include({
        state: 'failed',
        error: 'The image is in the trash.',
      });
      expect((await shown()).version).to.equal(1);
      expect(await blobs()).to.equal(before);
    });

    it('are removed with an object that is deleted while they run', async () => {
      const edit = world.images.edit;
      world.images.edit = async (source, operation) => {
        const created = await edit(source, operation);
        await world.core.objects.deleteObject(world.caller, id, true);
        return created;
      };
      const [one, two] = [await ask(QUARTER), await ask(QUARTER)];
      await world.runPendingTasks();
      for (const task of [one, two])
        expect((await refusal(status(task))).code).to.equal('not_found');
      expect(await blobs()).to.equal(0);
      expect(await event('image.done')).to.deep.equal([]);
    });

    it('continue with the next one after a failure', async () => {
      const edit = world.images.edit;
      let calls = 0;
      world.images.edit = (source, operation) =>
        ++calls === 1
          ? Promise.resolve({ outcome: 'failed', reason: 'The image is damaged.' })
          : edit(source, operation);
      const [one, two] = [await ask(QUARTER), await ask({ op: 'flip', mode: 'h' })];
      await world.runPendingTasks();
      expect(await status(one)).to.include({ state: 'failed', error: 'The image is damaged.' });
      expect(await status(two)).to.include({ state: 'done', version: 2 });
    });

    it('wait for an unavailable editor, and fail after a defect without details', async () => {
      const edit = world.images.edit;
      let answer: () => Promise<never> = () =>
        Promise.reject(new UnavailableError('images', 'away'));
      world.images.edit = () => answer();
      const [one, two] = [await ask(QUARTER), await ask(QUARTER)];
      await world.runPendingTasks();
      expect((await status(one)).state).to.equal('running');
      answer = () => Promise.reject(new Error('/secret/path'));
      for (let attempt = 0; attempt < 4; attempt++) {
        world.now += 60_000;
        await run(one.id);
      }
      const { state, error } = await status(one);
      expect([state, error]).to.deep.equal([
        'failed',
        'The image could not be edited. It is unchanged.',
      ]);
      world.images.edit = edit;
      await world.runPendingTasks();
      expect(await status(two)).to.include({ state: 'done', version: 2 });
    });

    it('do not rename the object, and preserve its suggestions', async () => {
      const proposed = { suggestedName: 'a.jpg', suggestedReason: 'why', folderAnswered: true };
      await backend.uow.write(world.caller.scope, async ({ objects }) => {
        const object = await objects.find(id);
        if (object) await objects.save({ ...object, ...proposed });
      });
      world.extractions.set('p.jpg', () => ({
        outcome: 'text',
        source: 'ocr',
        text: 'Invoice 2024-17 of 12 March 2024 by Acme GmbH. Total 100 EUR, due in 14 days.',
        title: '',
        language: 'en',
        pages: [{ page: 1, charStart: 0, charEnd: 78 }],
      }));
      await ask(QUARTER);
      await world.runPendingTasks();
      expect(await shown()).to.include({
        ...proposed,
        version: 2,
        filename: 'p.jpg',
        status: 'ready',
      });
      // Read and enriched like a new content.
      expect((await world.core.processing.getText(world.caller, id)).version).to.equal(2);
    });

    it('are rejected by type, by content, and for compressing a PNG', async () => {
      const note = await world.core.objects.addNote(world.caller, { content: 'words' });
      expect((await refusal(ask(QUARTER, note.object.id))).code).to.equal('unsupported_type');
      const png = await added({ ...TOY, format: 'png' });
      const error = await refusal(ask({ op: 'compress', quality: 50 }, png));
      expect([error.code, error.message]).to.deep.equal([
        'unsupported_type',
        'A png cannot be compressed by quality. Only jpg and webp can.',
      ]);
      const huge = await added({ ...TOY, width: 20_000, height: 20_000, rows: ['a'] });
      expect((await refusal(ask(QUARTER, huge))).message).to.match(/100 megapixels/);
      expect(
        await backend.uow.read(world.caller.scope, (s) => s.imageOperations.waiting('any')),
      ).to.equal(0);
    });

    it('are limited in number per owner, and their results are stored for a limited time', async () => {
      const first = await ask(QUARTER);
      await world.runPendingTasks();
      for (let i = 0; i < 200; i++) await ask(QUARTER);
      const error = await refusal(ask(QUARTER));
      expect([error.code, error.retryAfter]).to.deep.equal(['too_many_operations', 10]);
      world.now += 31 * 24 * 3_600_000;
      await world.runPendingTasks();
      expect((await status(first)).state).to.equal('done');
      const last = await ask(QUARTER);
      expect((await refusal(status(first))).code).to.equal('not_found');
      expect((await status(last)).state).to.equal('accepted');
    });

    it("count towards the owner's storage quota, which may be exceeded", async () => {
      const used = () => backend.uow.read(world.caller.scope, (s) => s.contents.usedBytes());
      await ask(QUARTER);
      await world.runPendingTasks();
      expect(await used()).to.equal(toyFile(TOY).length * 2);
      const storageBytes = await used();
      const full = { ...world.caller, limits: { ...world.caller.limits, storageBytes } };
      const error = await refusal(world.core.imaging.requestImageOperation(full, id, QUARTER));
      expect(error.code).to.equal('plan_limit');
    });
  });
