import { expect } from 'chai';
import type { Notification } from '../../ports/notifications.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const BROKEN = 'The file is damaged, or does not match its name.';
const ALL = { unreadOnly: false, limit: 200, offset: 0 };

for (const [name, open] of backends)
  describe(`${name}: notifications`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(
        backend,
        `notifications-${name}-${process.pid}-${Math.random()}`,
      );
    });

    const reported = async (caller: Caller = world.caller) =>
      (await world.core.notifications.listNotifications(caller, ALL)).items;
    /** The notifications since the last call. */
    const event = async () => {
      const items = await reported();
      for (const { id } of items)
        await world.core.notifications.deleteNotification(world.caller, id);
      return items.map(({ kind, title, payload }) => ({ kind, title, payload }));
    };
    const upload = async (filename: string, text = 'some words'): Promise<string> => {
      const file = await world.file(filename, text);
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      return added?.object.id ?? '';
    };
    const ready = (filename: string, object_id: string) => ({
      kind: 'object.ready',
      title: `${filename} is ready`,
      payload: { object_id, filename },
    });
    const failed = (filename: string, object_id: string, code = 'damaged') => ({
      kind: 'object.failed',
      title: `${filename} could not be read`,
      payload: { object_id, filename, failure: 'unread', error_code: code, error_fact: '' },
    });
    const breaks = (filename: string) =>
      world.extractions.set(filename, () => ({ outcome: 'failed', reason: BROKEN }));
    const passHour = async () => {
      for (let i = 0; i < 8; i++) {
        await world.runPendingTasks();
        world.now += 450_000;
        await world.core.background.offerDueTasks();
      }
    };
    const dueTasks = async () => {
      const ids: string[] = [];
      for (const { id } of await backend.directory.dueTasks(world.now, 1_000))
        if ((await backend.directory.ownerOfTask(id))?.ownerId === world.caller.scope.ownerId)
          ids.push(id);
      return ids;
    };

    it('report every new file, link and note once it is ready', async () => {
      const file = await upload('lease.txt');
      expect(await event(), 'nothing has been read yet').to.deep.equal([]);
      await world.runPendingTasks();
      expect(await event()).to.deep.equal([ready('lease.txt', file)]);
      const note = await world.core.objects.addNote(world.caller, { content: 'Milk, bread.' });
      await world.runPendingTasks();
      expect(await event()).to.deep.equal([ready('Milk, bread..md', note.object.id)]);
      const link = await world.core.objects.addLink(world.caller, {
        url: 'https://example.org/',
        title: 'A page',
      });
      await passHour();
      expect(await event()).to.deep.equal([failed('A page.url', link.object.id, 'other')]);
    });

    it('report an uploaded version, and none that was saved as text or restored', async () => {
      const { objects } = world.core;
      const id = await upload('a.txt');
      await world.runPendingTasks();
      await event();
      const file = await world.file('b.txt', 'new words');
      await objects.saveFile(world.caller, id, { file, baseVersion: 1 });
      await world.runPendingTasks();
      expect(await event()).to.deep.equal([ready('a.txt', id)]);
      await objects.saveText(world.caller, id, { content: 'typed', baseVersion: 2 });
      await world.runPendingTasks();
      await objects.restoreVersion(world.caller, id, 1);
      await world.runPendingTasks();
      expect(await event()).to.deep.equal([]);
      breaks('a.txt');
      await objects.saveText(world.caller, id, { content: 'typed again', baseVersion: 4 });
      await world.runPendingTasks();
      expect(await event(), 'a failure is always told').to.deep.equal([failed('a.txt', id)]);
    });

    it('report a requested read, also while an unrequested one is running', async () => {
      const { objects, processing } = world.core;
      const id = await upload('a.txt');
      await world.runPendingTasks();
      await event();
      await processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      expect(await event()).to.deep.equal([ready('a.txt', id)]);
      await objects.saveText(world.caller, id, { content: 'typed', baseVersion: 1 });
      await processing.reprocessObject(world.caller, id);
      await processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      expect(await event()).to.deep.equal([ready('a.txt', id)]);
    });

    it('wait for OCR if it is pending', async () => {
      world.extractions.set('scan.pdf', () => ({
        outcome: 'none',
        expected: true,
        reason: 'It is a scan.',
        scanned: true,
      }));
      const seen: number[] = [];
      world.recognitions.set('scan.pdf', async () => {
        seen.push((await reported()).length);
        return { outcome: 'none', expected: false, reason: '' };
      });
      const id = await upload('scan.pdf');
      await world.runPendingTasks();
      expect(seen).to.deep.equal([0]);
      expect(await event()).to.deep.equal([ready('scan.pdf', id)]);
    });

    it('report a failure with its reason, once, however often its task is delivered', async () => {
      breaks('bad.txt');
      const id = await upload('bad.txt');
      const [task = ''] = await dueTasks();
      const run = () => world.core.background.runTask(task);
      await Promise.all([run(), run(), run()]);
      await run();
      const [only, ...more] = await reported();
      expect(more).to.deep.equal([]);
      expect(only).to.deep.include({ body: BROKEN, objectId: id, readAt: null });
    });

    it('report a crashed reader once, also if its worker dies meanwhile', async () => {
      world.extractions.set('bad.txt', () => {
        throw new Error('the reader broke');
      });
      const id = await upload('bad.txt');
      await passHour();
      expect(await event()).to.deep.equal([failed('bad.txt', id, 'interrupted')]);

      let dying = false;
      const uow: UnitOfWork = {
        read: (scope, work) => backend.uow.read(scope, work),
        write: async (scope, work) => {
          if (dying) throw new Error('The process is gone.');
          const result = await backend.uow.write(scope, work);
          const page = await backend.uow.read(scope, (s) =>
            s.notifications.page('any', false, { limit: 9, offset: 0 }),
          );
          dying = page.total > 0;
          if (dying) throw new Error('The process is gone.');
          return result;
        },
      };
      world = await openCoreFixture(
        { ...backend, uow },
        `dying-${name}-${process.pid}-${Math.random()}`,
      );
      world.extractions.set('bad.txt', () => {
        throw new Error('the reader broke');
      });
      await upload('bad.txt');
      for (let i = 0; i < 5; i++) {
        await world.runPendingTasks();
        world.now += 60_000;
        await world.core.background.offerDueTasks();
      }
      expect(dying).to.equal(true);
      const scope = world.caller.scope;
      world = await openCoreFixture(backend, `again-${name}-${process.pid}-${Math.random()}`);
      world.now = Date.UTC(2030, 0, 1);
      for (const { id: left } of await backend.directory.dueTasks(world.now, 1_000))
        if ((await backend.directory.ownerOfTask(left))?.ownerId === scope.ownerId)
          await world.core.background.runTask(left).catch(() => undefined);
      const page = await backend.uow.read(scope, (s) =>
        s.notifications.page('any', false, { limit: 9, offset: 0 }),
      );
      expect(page.total).to.equal(1);
    });

    it('report what a run put into folders, and for a dry run what it would have', async () => {
      const { organize, objects } = world.core;
      for (const dryRun of [true, false]) {
        const { taskId } = await organize.startReorganization(world.caller, {
          scope: 'all',
          dryRun,
        });
        await world.runPendingTasks();
        const { run } = await organize.getReorganization(world.caller, taskId);
        expect(run.state).to.equal('SUCCESS');
        const [only, ...more] = await event();
        expect(more).to.deep.equal([]);
        expect(only?.payload).to.deep.equal({
          task_id: taskId,
          moved: 0,
          total: 0,
          dry_run: dryRun,
        });
        expect(only?.title).to.match(dryRun ? /^A dry run would put 0 objects/ : /^0 objects put/);
      }
      for (let i = 0; i < 4; i++)
        await objects.addNote(world.caller, {
          content: `Invoice number ${i}. Amount due: ${i}00 EUR. Payment terms: 30 days. Invoice date 2026-01-0${i + 1}.`,
          title: `Invoice ${i}`,
        });
      await world.runPendingTasks();
      await event();
      const { taskId } = await organize.startReorganization(world.caller, {
        scope: 'all',
        dryRun: false,
      });
      await world.runPendingTasks();
      const { run } = await organize.getReorganization(world.caller, taskId);
      const [only] = await event();
      expect(only?.payload).to.deep.equal({
        task_id: taskId,
        moved: run.moved,
        total: run.total,
        dry_run: false,
      });
    });

    it('follow their object: hidden, unhidden, deleted', async () => {
      const { core, caller } = world;
      const [one, two] = [await upload('one.txt'), await upload('two.txt')];
      await world.runPendingTasks();
      const set = await core.hiddenZone.setPin(caller, { pin: '1234' });
      const inside = { ...caller, hiddenToken: set.token };
      const seen = async () => [
        (await reported()).map(({ objectId }) => objectId).sort(),
        (await reported(inside)).map(({ objectId }) => objectId).sort(),
      ];
      await core.objects.editObject(inside, one, { isHidden: true });
      expect(await seen()).to.deep.equal([[two], [one, two].sort()]);
      await core.objects.updateMany(inside, [one, two], { action: 'hide' });
      expect(await seen()).to.deep.equal([[], [one, two].sort()]);
      await core.objects.updateMany(inside, [two], { action: 'unhide' });
      await core.objects.editObject(inside, one, { filename: 'hidden still.txt' });
      expect(await seen()).to.deep.equal([[two], [one, two].sort()]);
      await core.objects.deleteObject(inside, one, false);
      expect(await seen(), 'the trash is not the end').to.deep.equal([[two], [one, two].sort()]);
      await core.objects.deleteObject(inside, one, true);
      await core.objects.deleteObject(caller, two, true);
      expect(await seen()).to.deep.equal([[], []]);
    });

    it('about an object that is hidden already are hidden from the start', async () => {
      const { core, caller } = world;
      const set = await core.hiddenZone.setPin(caller, { pin: '1234' });
      const inside = { ...caller, hiddenToken: set.token };
      const before = await core.notifications.notificationsTag(caller);
      const { object } = await core.objects.addNote(inside, { content: 'x', isHidden: true });
      await world.runPendingTasks();
      expect(await reported()).to.deep.equal([]);
      expect(await core.notifications.notificationsTag(caller)).to.equal(before);
      const [mine] = (await reported(inside)) as [Notification];
      expect(mine.objectId).to.equal(object.id);
      await core.notifications.markNotificationsRead(caller, [mine.id]);
      await core.notifications.markNotificationsRead(caller, []);
      expect((await reported(inside))[0]?.readAt).to.equal(null);
      const refused = await core.notifications
        .deleteNotification(caller, mine.id)
        .catch((error: { code: string }) => error.code);
      expect(refused).to.equal('not_found');
      await core.notifications.markNotificationsRead(inside, []);
      expect((await reported(inside))[0]?.readAt).to.equal(world.now);
      expect(await core.notifications.notificationsTag(caller)).to.equal(before);
    });

    it('leave no trace of an event that was rolled back', async () => {
      const { caller } = world;
      const before = await world.core.notifications.notificationsTag(caller);
      const lost = backend.uow.write(caller.scope, async (stores) => {
        await stores.notifications.add({
          id: 'x',
          kind: 'referral.credited',
          title: '',
          body: '',
          payload: {},
          objectId: null,
          isHidden: false,
          readAt: null,
          createdAt: 1,
        });
        throw new Error('taken back');
      });
      expect(await lost.catch((error: Error) => error.message)).to.equal('taken back');
      expect(await reported()).to.deep.equal([]);
      expect(await world.core.notifications.notificationsTag(caller)).to.equal(before);
    });
  });
