import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidInput } from '../../core/shared/errors.ts';
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
  undo,
  TYPES,
  type Given,
  type Place,
} from './organize-fixture.ts';

interface Sent {
  readonly except?: readonly string[];
  readonly rename?: Readonly<Record<string, string>>;
}

const apply = async (place: Place, id: string, { except = [], rename = {} }: Sent = {}) => {
  const { world } = place;
  const changes = { except, rename: new Map(Object.entries(rename)) };
  const { taskId } = await world.core.organize.applyReorganization(world.caller, id, changes);
  await world.runPendingTasks();
  return { id: taskId, ...(await progress(place, taskId)) };
};

const workspaces = (): fc.Arbitrary<readonly Given[]> =>
  fc.array(
    fc.record({
      docType: fc.constantFrom(...TYPES),
      isHidden: fc.boolean(),
      trashed: fc.boolean(),
      folder: fc.constantFrom(null, null, 0, 1),
    }),
    { maxLength: 30 },
  );
const scopes = fc.constantFrom('uncategorized' as const, 'all' as const);

/** The name of the folder of each object, and of its theme. */
async function names(place: Place, ids: readonly string[]) {
  const { objects, folders, themes } = await layout(place, ids);
  const themeNames = new Map(themes.map(({ id, name }) => [id, name]));
  const folderNames = new Map(
    folders.map(({ id, name, themeId }) => [
      id,
      { name, theme: themeId === null ? null : (themeNames.get(themeId) ?? null) },
    ]),
  );
  return objects.map((object) => folderNames.get(object?.collectionId ?? ''));
}

describe('the plan of a dry run', () => {
  it('names the folder and the theme of every move, and is applied as shown', () =>
    fc.assert(
      fc.asyncProperty(workspaces(), scopes, async (given, scope) => {
        const place = await openPlace();
        const ids = await fill(place, given);
        const before = await layout(place, ids);
        const start = await names(place, ids);
        const dry = await run(place, scope, true);
        const there = new Set(before.folders.map(({ id }) => id));
        const applied = await apply(place, dry.id);
        expect(applied.id).to.equal(dry.id);
        const { createdAt: _c, updatedAt: _u, dryRun: _d, ...counters } = dry.run;
        expect(applied.run).to.deep.include(counters);
        const after = await names(place, ids);
        for (const [i, id] of ids.entries()) {
          const move = dry.moves?.find(({ objectId }) => objectId === id);
          if (!move?.folder) expect(after[i]).to.deep.equal(start[i]);
          else {
            const { name, theme, exists, id: folderId } = move.folder;
            expect(after[i]).to.deep.equal({ name, theme });
            expect(there.has(folderId)).to.equal(exists);
          }
        }
        await expectSound(place);
        expect(await undo(place, dry.id)).to.deep.equal({ undone: dry.run.moved, skipped: 0 });
        const back = await layout(place, ids);
        expect(back.folders).to.deep.equal(before.folders);
        expect(back.themes).to.deep.equal(before.themes);
        expect(await names(place, ids)).to.deep.equal(start);
      }),
      { numRuns: 30 },
    ));

  it('is applied except for chosen objects and those that have changed since, which are skipped', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 4, max: 20 }),
        fc.array(fc.tuple(fc.nat(19), fc.constantFrom('move', 'trash', 'hide', 'delete')), {
          maxLength: 6,
        }),
        fc.uniqueArray(fc.nat(19), { maxLength: 6 }),
        async (count, changes, except) => {
          const place = await openPlace();
          const { core, caller } = place.world;
          const ids = await fill(place, invoices(count));
          const dry = await run(place, 'all', true);
          const excepted = ids.filter((_, i) => except.includes(i));
          for (const [which, action] of changes) {
            const id = ids[which % ids.length] ?? '';
            const collectionId = place.folders[1] ?? '';
            await core.objects.updateMany(
              caller,
              [id],
              action === 'move' ? { action, collectionId } : { action },
            );
          }
          const between = (await layout(place, ids)).objects;
          const unknown = '00000000-0000-7000-8000-000000000000';
          const applied = await apply(place, dry.id, { except: [...excepted, unknown] });
          const after = (await layout(place, ids)).objects;
          let moved = 0;
          for (const [i, id] of ids.entries()) {
            const was = between[i];
            const isSame =
              was && was.collectionId === null && !was.isHidden && was.deletedAt === null;
            if (isSame && !excepted.includes(id)) {
              moved += 1;
              expect(after[i]?.collectionId).not.to.equal(null);
            } else expect(after[i]).to.deep.equal(was);
          }
          const counts = { total: count, processed: count, moved, skipped: count - moved };
          expect(applied.run).to.deep.include({ state: 'SUCCESS', ...counts });
          await expectSound(place);
        },
      ),
      { numRuns: 40 },
    ));

  it('creates folders under other names on request', async () => {
    const place = await openPlace();
    const { core, caller } = place.world;
    const types = [...invoices(10), ...Array<Given>(10).fill(plain('resume'))];
    const ids = await fill(place, types);
    const dry = await run(place, 'all', true);
    const [resume, invoice] = [dry.moves?.[0]?.folder, dry.moves?.at(-1)?.folder];
    expect([resume?.exists, invoice?.exists]).to.deep.equal([false, false]);
    const rejected = await apply(place, dry.id, { rename: { Unknown: 'X' } }).catch(
      (error: unknown) => error,
    );
    expect(rejected).to.be.instanceOf(InvalidInput).with.property('field', 'rename');
    expect((await progress(place, dry.id)).run.dryRun).to.equal(true);
    const rename = { [invoice?.id ?? '']: 'Bills', [resume?.name.toUpperCase() ?? '']: 'People' };
    const { run: ended } = await apply(place, dry.id, { rename });
    expect(ended).to.deep.include({ state: 'SUCCESS', moved: 20, createdFolders: 2 });
    const found = new Set((await names(place, ids)).map((each) => each?.name));
    expect([...found].sort()).to.deep.equal(['Bills', 'People']);
    expect(await undo(place, dry.id)).to.deep.equal({ undone: 20, skipped: 0 });
    const { items } = await core.library.listCollections(caller, { limit: 99, offset: 0 });
    expect(items).to.have.length(2);
  });

  it('uses a folder that has the new name already', async () => {
    const place = await openPlace();
    const ids = await fill(place, [...invoices(10), ...Array<Given>(10).fill(plain('resume'))]);
    const dry = await run(place, 'all', true);
    const planned = new Set(dry.moves?.map(({ folder }) => folder?.id ?? ''));
    const rename = Object.fromEntries([...planned].map((id) => [id, 'Papers']));
    const themes = new Set(dry.moves?.map(({ folder }) => folder?.theme));
    const { run: ended } = await apply(place, dry.id, { rename });
    expect(ended).to.deep.include({ moved: 20, createdFolders: themes.size });
    expect(new Set((await names(place, ids)).map((each) => each?.name))).to.deep.equal(
      new Set(['Papers']),
    );
    await expectSound(place);
  });

  it('is applied once, and only when no other run is unfinished', async () => {
    const place = await openPlace();
    const { core, caller } = place.world;
    await fill(place, invoices(6));
    const dry = await run(place, 'all', true);
    const begun = await core.organize.startReorganization(caller, { scope: 'all', dryRun: true });
    expect(await codeOf(apply(place, dry.id))).to.equal('already_running');
    expect(await codeOf(apply(place, begun.taskId))).to.equal('already_running');
    await place.world.runPendingTasks();
    await apply(place, dry.id);
    expect(await codeOf(apply(place, dry.id))).to.equal('not_a_dry_run');
    expect(await codeOf(apply(place, 'no-such-run'))).to.equal('not_found');
    const { items, total } = await core.organize.listReorganizations(caller, {
      limit: 1,
      offset: 1,
    });
    expect([total, items.length]).to.deep.equal([2, 1]);
  });

  it('has the same result wherever its process crashes', async () => {
    const given = Array.from({ length: 230 }, (_, i) => plain(TYPES[i % 3] ?? 'other'));
    const ended = async (dieAt: number) => {
      const place = await openPlace();
      const ids = await fill(place, given);
      const { id, moves } = await run(place, 'all', true);
      const changes = { except: [moves?.[3]?.objectId ?? ''], rename: new Map() };
      await place.world.core.organize.applyReorganization(place.world.caller, id, changes);
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
      await expectSound(place);
      const counters = [end.state, end.total, end.processed, end.moved, end.skipped];
      return { writes, died, result: { counters, names: await names(place, ids) } };
    };
    const whole = await ended(Infinity);
    expect(whole.result.counters[0]).to.equal('SUCCESS');
    expect(whole.writes).to.be.at.least(3);
    for (let dieAt = 0; dieAt < whole.writes; dieAt++) {
      const { died, result } = await ended(dieAt);
      expect(died, `write ${dieAt}`).to.equal(true);
      expect(result, `write ${dieAt}`).to.deep.equal(whole.result);
    }
  }).timeout(60_000);

  it('is shown in pages without gaps, and without objects that are hidden now', async () => {
    const place = await openPlace();
    const { core, caller } = place.world;
    const ids = await fill(place, invoices(30));
    const { id } = await run(place, 'all', true);
    await core.hiddenZone.setPin(caller, { pin: '4711' });
    const pages = async (limit: number) => {
      const shown: (readonly string[])[] = [];
      for (let after = -1; ;) {
        const page = await core.organize.getReorganization(caller, id, { limit, after });
        const moves = page.moves ?? [];
        shown.push(moves.map(({ objectId }) => objectId));
        if (!page.hasMore) return shown;
        after = moves.at(-1)?.ord ?? after;
      }
    };
    const [all = []] = await pages(500);
    expect([...all].sort()).to.deep.equal([...ids].sort());
    expect((await pages(7)).map(({ length }) => length)).to.deep.equal([7, 7, 7, 7, 2]);
    expect((await pages(10)).flat()).to.deep.equal(all);
    const hidden = all.filter((_, i) => i % 4 === 1);
    await core.objects.updateMany(caller, hidden, { action: 'hide' });
    const left = all.filter((each) => !hidden.includes(each));
    const after = await pages(11);
    expect(after.map(({ length }) => length)).to.deep.equal([11, 11]);
    expect(after.flat()).to.deep.equal(left);
  });

  it('does not name a hidden theme while the zone is locked', async () => {
    const place = await openPlace();
    const { core, caller } = place.world;
    const { theme } = await core.library.createTheme(caller, { name: 'Secret' });
    const { collection } = await core.library.createCollection(caller, {
      name: 'Invoices',
      themeId: theme.id,
    });
    await fill(place, invoices(6));
    const { id, moves } = await run(place, 'all', true);
    expect(moves?.[0]?.folder).to.deep.equal({
      id: collection.id,
      theme: 'Secret',
      name: 'Invoices',
      exists: true,
    });
    await core.library.editTheme(caller, theme.id, { isHidden: true });
    const { token } = await core.hiddenZone.setPin(caller, { pin: '4711' });
    expect((await progress(place, id)).moves?.[0]?.folder).to.include({ theme: null });
    const open = { ...caller, hiddenToken: token };
    const unlocked = await core.organize.getReorganization(open, id);
    expect(unlocked.moves?.[0]?.folder).to.include({ theme: 'Secret' });
  });
});
