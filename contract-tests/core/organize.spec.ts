import { expect } from 'chai';
import fc from 'fast-check';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';
import {
  codeOf,
  expectSound,
  fill,
  invoices,
  layout,
  openPlace,
  plain,
  progress,
  run,
  start,
  TYPES,
  undo,
  type Given,
} from './organize-fixture.ts';

const workspaces = (): fc.Arbitrary<readonly Given[]> =>
  fc.array(
    fc.record({
      docType: fc.constantFrom(...TYPES),
      isHidden: fc.boolean(),
      trashed: fc.boolean(),
      folder: fc.constantFrom(null, null, 0, 1),
    }),
    { maxLength: 40 },
  );
const scopes = fc.constantFrom('uncategorized', 'all');

describe('a reorganization', () => {
  it('counts every visible object in scope once, changes no other, and is undone completely', () =>
    fc.assert(
      fc.asyncProperty(workspaces(), scopes, async (given, scope) => {
        const place = await openPlace();
        const ids = await fill(place, given);
        const before = await layout(place, ids);
        const { id, run: ended, moves } = await run(place, scope);
        const inScope = given.filter(
          ({ isHidden, trashed, folder }) =>
            !isHidden && !trashed && (scope === 'all' || folder === null),
        ).length;
        expect(ended).to.include({ state: 'SUCCESS', total: inScope, processed: inScope });
        expect(ended.moved + ended.skipped).to.equal(inScope);
        expect(moves).to.have.length(ended.moved);
        const after = await layout(place, ids);
        expect(after.folders.length - before.folders.length).to.equal(ended.createdFolders);
        expect(after.themes.length - before.themes.length).to.equal(ended.createdThemes);
        for (const [i, object] of after.objects.entries()) {
          const was = before.objects[i];
          const move = moves?.find(({ objectId }) => objectId === object?.id);
          if (!move) expect(object).to.deep.equal(was);
          else
            expect([was?.collectionId, object?.collectionId]).to.deep.equal([move.from, move.to]);
        }
        expect(await undo(place, id)).to.deep.equal({ undone: ended.moved, skipped: 0 });
        const back = await layout(place, ids);
        expect(back.folders).to.deep.equal(before.folders);
        expect(back.themes).to.deep.equal(before.themes);
        expect(back.objects.map((each) => each?.collectionId)).to.deep.equal(
          before.objects.map((each) => each?.collectionId),
        );
        expect(await undo(place, id)).to.deep.equal({ undone: 0, skipped: ended.moved });
      }),
      { numRuns: 40 },
    ));

  it('predicts its result in a dry run without changing anything', () =>
    fc.assert(
      fc.asyncProperty(workspaces(), scopes, async (given, scope) => {
        const place = await openPlace();
        const ids = await fill(place, given);
        const before = await layout(place, ids);
        const dry = await run(place, scope, true);
        expect(await undo(place, dry.id)).to.deep.equal({ undone: 0, skipped: 0 });
        expect(await layout(place, ids)).to.deep.equal(before);
        const real = await run(place, scope);
        const { id: _i, dryRun: _d, createdAt: _c, updatedAt: _u, ...counters } = dry.run;
        expect(real.run).to.deep.include(counters);
        const there = new Set(before.folders.map((folder) => folder.id));
        const expected = real.moves?.map(({ to, ...move }) => ({
          ...move,
          to: to !== null && there.has(to) ? to : null,
        }));
        expect(dry.moves?.map(({ folder: _, ...move }) => move)).to.deep.equal(expected);
      }),
      { numRuns: 30 },
    ));

  it('has the same result wherever its process crashes', async () => {
    const given = Array.from({ length: 230 }, (_, i) => plain(TYPES[i % 3] ?? 'other'));
    const ended = async (dieAt: number) => {
      const place = await openPlace();
      const ids = await fill(place, given);
      const id = await start(place);
      let writes = 0;
      place.hook.after = async () => {
        if (writes++ === dieAt) place.hook.dead = true;
      };
      await place.world.runPendingTasks();
      const died = place.hook.dead;
      Object.assign(place.hook, { dead: false, after: () => Promise.resolve() });
      place.world.now += 60_000;
      if (died) await place.world.core.background.runTask(id);
      const { run: end } = await progress(place, id);
      const { objects, folders, themes } = await layout(place, ids);
      const names = new Map(folders.map((folder) => [folder.id, folder.name]));
      await expectSound(place);
      return {
        writes,
        died,
        what: {
          counters: [end.state, end.total, end.processed, end.moved, end.skipped],
          made: [end.createdFolders, end.createdThemes],
          folders: [...names.values()],
          themes: themes.map(({ name }) => name),
          lies: objects.map((object) => names.get(object?.collectionId ?? '')),
        },
      };
    };
    const whole = await ended(Infinity);
    expect(whole.what.counters.slice(0, 3)).to.deep.equal(['SUCCESS', 230, 230]);
    expect(whole.writes).to.be.above(6);
    for (let dieAt = 0; dieAt < whole.writes; dieAt++) {
      const { died, what } = await ended(dieAt);
      expect(died, `write ${dieAt}`).to.equal(true);
      expect(what, `write ${dieAt}`).to.deep.equal(whole.what);
    }
  }).timeout(120_000);

  it('is executed once if a second worker claims it from a slow first one', async () => {
    for (let when = 0, writes = 0; when <= writes; when++) {
      const place = await openPlace();
      const ids = await fill(place, invoices(120));
      const id = await start(place);
      writes = 0;
      place.hook.after = async () => {
        if (writes++ !== when) return;
        place.world.now += 60_000;
        await place.world.core.background.runTask(id);
      };
      await place.world.runPendingTasks();
      const { run: ended, moves = [] } = await progress(place, id);
      expect(ended, `write ${when}`).to.include({ state: 'SUCCESS', total: 120, processed: 120 });
      expect([ended.moved, ended.skipped, moves.length]).to.deep.equal([120, 0, 120]);
      const { objects, folders } = await layout(place, ids);
      expect(new Set(objects.map((object) => object?.collectionId)).size).to.equal(
        ended.createdFolders,
      );
      expect(folders).to.have.length(2 + ended.createdFolders);
      await expectSound(place);
    }
  }).timeout(60_000);

  it('preserves changes that its owner makes meanwhile', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('hide', 'trash', 'delete', 'move', 'folders'),
        fc.nat(8),
        async (action, when) => {
          const place = await openPlace();
          const { core, caller } = place.world;
          const ids = await fill(place, invoices(120));
          const touched = ids.filter((_, i) => i % 3 === 0);
          const change = async () => {
            if (action !== 'folders') {
              const collectionId = place.folders[0] ?? '';
              await core.objects.updateMany(
                caller,
                touched,
                action === 'move' ? { action, collectionId } : { action },
              );
              return;
            }
            const { items } = await core.library.listCollections(caller, { limit: 99, offset: 0 });
            for (const { collection } of items)
              await core.library.deleteCollection(caller, collection.id, 'keep');
          };
          const id = await start(place);
          let writes = 0;
          let at: Awaited<ReturnType<typeof layout>> | undefined;
          place.hook.after = async () => {
            if (writes++ !== when) return;
            await change();
            at = await layout(place, ids);
          };
          await place.world.runPendingTasks();
          place.hook.after = () => Promise.resolve();
          const { run: ended, moves = [] } = await progress(place, id);
          expect(ended).to.include({ state: 'SUCCESS', processed: ended.total });
          expect(ended.moved + ended.skipped).to.equal(ended.total);
          const after = await layout(place, ids);
          if (at && action !== 'folders' && action !== 'move')
            for (const [i, objectId] of ids.entries())
              if (touched.includes(objectId))
                expect(after.objects[i], `${action} at ${when}`).to.deep.equal(at.objects[i]);
          for (const { objectId, to } of moves)
            if (action !== 'folders' && !touched.includes(objectId))
              expect(after.objects[ids.indexOf(objectId)]?.collectionId).to.equal(to);
          await expectSound(place);
          const { undone, skipped } = await undo(place, id);
          expect(undone + skipped).to.equal(ended.moved);
          const back = await layout(place, ids);
          for (const [i, objectId] of ids.entries())
            if (!touched.includes(objectId)) expect(back.objects[i]?.collectionId).to.equal(null);
        },
      ),
      { numRuns: 30 },
    ));

  it('moves objects, creates folders, and notifies the owner', async () => {
    const place = await openPlace();
    const ids = await fill(place, invoices(8));
    const { id: first, run: ended, moves } = await run(place, 'uncategorized');
    expect(ended).to.include({ phase: 'done', total: 8, moved: 8, skipped: 0, createdFolders: 1 });
    expect(moves?.map(({ objectId }) => objectId)).to.have.members(ids);
    const again = await run(place, 'uncategorized');
    expect(again.run).to.include({ total: 0, moved: 0, createdFolders: 0 });
    await place.world.core.objects.deleteObject(place.world.caller, ids[0] ?? '', true);
    expect((await progress(place, first)).moves).to.have.length(7);
    expect(await undo(place, first)).to.deep.equal({ undone: 7, skipped: 1 });
    await expectSound(place);
  });

  it('is rejected while another one runs, but not because of one that can never end', async () => {
    const place = await openPlace();
    await fill(place, invoices(3));
    const id = await start(place);
    const error: unknown = await start(place).catch((thrown: unknown) => thrown);
    expect(error).to.deep.include({ code: 'already_running', details: { task_id: id } });
    expect(await codeOf(undo(place, id))).to.equal('already_running');
    await place.backend.uow.write(place.world.caller.scope, ({ tasks }) => tasks.remove(id));
    const next = await start(place);
    await place.world.runPendingTasks();
    expect((await progress(place, id)).run.state).to.equal('FAILURE');
    expect((await progress(place, next)).run.state).to.equal('SUCCESS');
  });

  it('that fails repeatedly ends as failed and can be undone', async () => {
    const place = await openPlace();
    const { backend, world } = place;
    const ids = await fill(place, invoices(230));
    const before = await layout(place, ids);
    const id = await start(place);
    const saved = backend.uow.write.bind(backend.uow);
    let batches = 0;
    backend.uow.write = (scope, work) =>
      saved(scope, (stores) =>
        work({
          ...stores,
          reorganizations: {
            ...stores.reorganizations,
            moves: (...requested) => {
              if (batches++ > 0) return Promise.reject(new Error('broken'));
              return stores.reorganizations.moves(...requested);
            },
          },
        }),
      );
    for (let attempt = 0; attempt < 4; attempt++) {
      await world.core.background.runTask(id).catch(() => undefined);
      world.now += 60_000;
    }
    backend.uow.write = saved;
    const { run: ended, moves } = await progress(place, id);
    expect(ended).to.include({
      state: 'FAILURE',
      phase: 'moving',
      total: 230,
      processed: 230,
      moved: 100,
      skipped: 130,
    });
    expect(moves).to.equal(undefined);
    expect(await undo(place, id)).to.deep.equal({ undone: 100, skipped: 0 });
    expect((await layout(place, ids)).folders).to.deep.equal(before.folders);
    await expectSound(place);
  });

  it('is stored for the last 20 runs', async () => {
    const place = await openPlace();
    const ids: string[] = [];
    for (let i = 0; i < 22; i++) {
      place.world.now += 1_000;
      ids.push((await run(place, 'all', true)).id);
    }
    const codes = await Promise.all(ids.map((id) => codeOf(progress(place, id))));
    expect(codes.map((code) => code === 'not_found')).to.deep.equal(ids.map((_, i) => i < 2));
  });

  it('keeps a folder with objects or chats when it is undone', async () => {
    for (const stays of ['object', 'chat'] as const) {
      const place = await openPlace();
      const { core, caller } = place.world;
      await fill(place, invoices(6));
      const { id, moves } = await run(place);
      const to = moves?.[0]?.to ?? '';
      if (stays === 'object')
        await core.objects.addNote(caller, { content: 'mine', collectionId: to });
      else await core.conversations.createChat(caller, { collectionId: to });
      expect(await undo(place, id)).to.deep.equal({ undone: 6, skipped: 0 });
      expect((await core.library.getCollection(caller, to)).collection.id).to.equal(to);
    }
  });

  it('reveals no object that was hidden since and no conversation about it, not even by a remaining folder', async () => {
    const place = await openPlace();
    const { core, caller } = place.world;
    await fill(place, invoices(6));
    const before = await layout(place, []);
    const { id, moves = [] } = await run(place);
    const hidden = moves[0]?.objectId ?? '';
    const collectionId = moves[0]?.to ?? '';
    const { session } = await core.conversations.createChat(caller, { collectionId });
    await core.conversations.addTurn(caller, session.id, { content: 'x', attachments: [hidden] });
    const { token } = await core.hiddenZone.setPin(caller, { pin: '4711' });
    await core.objects.editObject(caller, hidden, { isHidden: true });
    const { moves: shown = [] } = await progress(place, id);
    expect(shown.map(({ objectId }) => objectId)).to.deep.equal(
      moves.slice(1).map(({ objectId }) => objectId),
    );
    expect(await undo(place, id)).to.deep.equal({ undone: 5, skipped: 1 });
    expect((await layout(place, [])).folders).to.deep.equal(before.folders);
    const unlocked = { ...caller, hiddenToken: token };
    const left = await core.conversations.getChat(unlocked, session.id);
    expect(left.session.collectionId).to.equal(null);
  });
});

for (const [name, open] of backends)
  describe(`${name}: a folder is suggested`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());

    const INVOICE =
      'Lumen Optics GmbH\nINVOICE\nInvoice no. 17\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $40.00\nAmount due $40.00\n';
    let folder: string;
    beforeEach(async () => {
      world = await openCoreFixture(backend, `suggest-${name}-${process.pid}-${Math.random()}`);
      const { core, caller } = world;
      folder = (await core.library.createCollection(caller, { name: 'Invoice' })).collection.id;
      for (let i = 0; i < 4; i++) await put(`held-${i}.txt`, { collectionId: folder }, `${i}`);
    });
    const put = async (filename: string, where: object, more = '') => {
      const file = await world.file(filename, INVOICE + more);
      const [added] = await world.core.objects.addFiles(world.caller, [file], where);
      await world.runPendingTasks();
      return added?.object.id ?? '';
    };
    const suggested = async (id: string) =>
      (await world.core.objects.getObject(world.caller, id)).object.suggestedCollectionId;
    const again = async (id: string) => {
      await world.core.processing.reprocessObject(world.caller, id);
      await world.runPendingTasks();
      return suggested(id);
    };
    const answer = (id: string, accept: boolean) =>
      world.core.objects.resolveSuggestion(world.caller, id, accept);

    it('for an unfiled object, with any naming setting, and applied when the suggestion is accepted', async () => {
      await world.core.settings.putSettings(world.caller, { autoRenameMode: 'dont_rename' });
      const id = await put('new.txt', {});
      expect(await suggested(id)).to.equal(folder);
      const { object } = await answer(id, true);
      expect(object).to.include({ collectionId: folder, suggestedCollectionId: null });
    });

    it('for no object that is in a folder', async () => {
      const { collection } = await world.core.library.createCollection(world.caller, {
        name: 'Elsewhere',
      });
      expect(await suggested(await put('new.txt', { collectionId: collection.id }))).to.equal(null);
    });

    it('once per content: after a dismissal only for the next content', async () => {
      const id = await put('new.txt', {});
      expect(await again(id)).to.equal(folder);
      await answer(id, false);
      expect(await again(id)).to.equal(null);
      await world.core.objects.saveText(world.caller, id, {
        content: `${INVOICE} and more`,
        baseVersion: 1,
      });
      await world.runPendingTasks();
      expect(await suggested(id)).to.equal(folder);
    });

    it('no longer if the folder was deleted', async () => {
      const id = await put('new.txt', {});
      await world.core.library.deleteCollection(world.caller, folder, 'keep');
      expect(await again(id)).to.equal(null);
    });

    it('for a hidden object as well', async () => {
      expect(await suggested(await put('new.txt', { isHidden: true }))).to.equal(folder);
    });
  });
