import { expect } from 'chai';
import fc from 'fast-check';
import { foldName, type Collection } from '../../ports/library.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import {
  aCollection,
  anObject,
  names,
  newId,
  newScope,
  orNull,
  texts,
  wholes,
} from '../samples.ts';
import { byName } from './theme-store.ts';

const THEMES = ['theme-1', 'theme-2'] as const;

const collections = (): fc.Arbitrary<Collection> =>
  fc
    .record({
      name: names(),
      description: texts(),
      icon: texts(),
      themeId: orNull(fc.constantFrom(...THEMES)),
      createdAt: wholes(),
      updatedAt: wholes(),
    })
    .map((collection) => ({ id: newId(), ...collection }));

/** The contract of every CollectionStore. */
export function collectionStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const save = (scope: OwnerScope, ...all: readonly Collection[]) =>
    backend.uow.write(scope, async (s) => {
      const answers: boolean[] = [];
      for (const collection of all) answers.push(await s.collections.save(collection));
      return answers;
    });
  const listed = (scope: OwnerScope, themeId?: string) =>
    backend.uow.read(scope, (s) =>
      s.collections.page(themeId === undefined ? {} : { themeId }, { limit: 99, offset: 0 }),
    );

  it('`save` inserts or replaces, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(collections(), collections(), async (collection, next) => {
        const scope = newScope();
        const replaced = { ...next, id: collection.id };
        const find = () => backend.uow.read(scope, (s) => s.collections.find(collection.id));
        expect(await save(scope, collection)).to.deep.equal([true]);
        expect(await find()).to.deep.equal(collection);
        expect(await save(scope, replaced, replaced)).to.deep.equal([true, true]);
        expect(await find()).to.deep.equal(replaced);
        expect(await listed(scope)).to.deep.equal({ items: [replaced], total: 1 });
        expect(
          await backend.uow.read(newScope(), (s) => s.collections.find(collection.id)),
        ).to.equal(undefined);
      }),
      { numRuns: 15 },
    ));

  it('`save` returns `false` and stores nothing if another folder of the same theme (or of none) has the name, ignoring case', async () => {
    for (const themeId of [null, THEMES[0]]) {
      const scope = newScope();
      const first = aCollection({ name: 'Straße Ａ', themeId });
      const clash = aCollection({ name: 'STRAßE a', themeId });
      const elsewhere = aCollection({ name: 'straße a', themeId: THEMES[1] });
      const renamed = { ...first, name: 'sTRAßE A' };
      expect(await save(scope, first, clash, elsewhere, renamed)).to.deep.equal([
        true,
        false,
        true,
        true,
      ]);
      expect(await save(scope, { ...elsewhere, themeId, icon: 'moved' })).to.deep.equal([false]);
      expect((await listed(scope)).items).to.have.deep.members([renamed, elsewhere]);
      expect((await listed(scope)).total).to.equal(2);
      expect(await save(newScope(), clash)).to.deep.equal([true]);
    }
  });

  it('`page` lists by name, ignoring case, then by id, with `themeId` only the folders of that theme, and returns the full total', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(collections(), { maxLength: 10 }),
        fc.constantFrom(undefined, ...THEMES),
        fc.integer({ min: 1, max: 4 }),
        async (offered, themeId, limit) => {
          const scope = newScope();
          const answers = await save(scope, ...offered);
          const saved = offered.filter((_, i) => answers[i]);
          const expected = saved
            .filter((c) => themeId === undefined || c.themeId === themeId)
            .sort(byName);
          await backend.uow.read(scope, async (s) => {
            const seen: Collection[] = [];
            for (let offset = 0; offset <= offered.length; offset += limit) {
              const filter = themeId === undefined ? {} : { themeId };
              const page = await s.collections.page(filter, { limit, offset });
              expect(page.total).to.equal(expected.length);
              seen.push(...page.items);
            }
            expect(seen).to.deep.equal(expected);
          });
        },
      ),
      { numRuns: 25 },
    ));

  it('`named` finds the folder with a name, ignoring case, in a theme or in none', async () => {
    const scope = newScope();
    const [free, inside] = [null, THEMES[0]].map((themeId) =>
      aCollection({ name: 'Größe', themeId }),
    );
    await save(scope, free!, inside!);
    const [found, within, elsewhere, other] = await backend.uow.read(scope, async (s) => [
      await s.collections.named(null, 'GRÖßE'),
      await s.collections.named(THEMES[0], 'größe'),
      await s.collections.named(THEMES[1], 'Größe'),
      await s.collections.named(null, 'Grösse'),
    ]);
    expect([found, within, elsewhere, other]).to.deep.equal([free, inside, undefined, undefined]);
    const foreign = await backend.uow.read(newScope(), (s) => s.collections.named(null, 'Größe'));
    expect(foreign).to.equal(undefined);
  });

  it('`allNamed` finds all folders with a name, ignoring case, in any theme or in none, ordered by id', async () => {
    const scope = newScope();
    const all = [null, ...THEMES].map((themeId) => aCollection({ name: 'Größe', themeId }));
    await save(scope, ...all, aCollection({ name: 'Grösse' }));
    const find = (whose: OwnerScope, name: string) =>
      backend.uow.read(whose, (s) => s.collections.allNamed(name));
    expect(await find(scope, 'GRÖßE')).to.deep.equal(
      all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    expect(await find(scope, 'Größ')).to.deep.equal([]);
    expect(await find(newScope(), 'Größe')).to.deep.equal([]);
  });

  it('`names` returns the names of those ids that exist', async () => {
    const scope = newScope();
    const all = Array.from({ length: 70 }, (_, n) => aCollection({ name: `Folder ${n} 𝕏` }));
    await save(scope, ...all);
    const [none, found] = await backend.uow.read(scope, async (s) => [
      await s.collections.names([]),
      await s.collections.names(['missing', ...all.map(({ id }) => id)]),
    ]);
    expect(none).to.deep.equal(new Map());
    expect(found).to.deep.equal(new Map(all.map(({ id, name }) => [id, name])));
  });

  it('`nameFor` returns the name of the folder that contains an object, null if there is none', async () => {
    const scope = newScope();
    const folder = aCollection({ name: 'Lamps' });
    const inside = anObject({ collectionId: folder.id });
    const [outside, astray] = [anObject(), anObject({ collectionId: newId() })];
    await save(scope, folder);
    await backend.uow.write(scope, async ({ objects }) => {
      for (const object of [inside, outside, astray]) await objects.save(object);
    });
    const named = (whose: OwnerScope) =>
      backend.uow.read(whose, ({ collections }) =>
        Promise.all(
          [inside, outside, astray, { id: newId() }].map(({ id }) => collections.nameFor(id)),
        ),
      );
    expect(await named(scope)).to.deep.equal(['Lamps', null, null, null]);
    expect(await named(newScope())).to.deep.equal([null, null, null, null]);
  });

  it('`countByTheme` counts the folders of each requested theme', () =>
    fc.assert(
      fc.asyncProperty(fc.array(collections(), { maxLength: 8 }), async (offered) => {
        const scope = newScope();
        const answers = await save(scope, ...offered);
        const saved = offered.filter((_, i) => answers[i]);
        const [gone, ...stored] = saved;
        await backend.uow.write(scope, async (s) => {
          if (gone) await s.collections.remove(gone.id);
          await s.collections.remove('missing');
        });
        const counts = await backend.uow.read(scope, (s) =>
          s.collections.countByTheme([...THEMES, 'nobody-is-here']),
        );
        for (const theme of [...THEMES, 'nobody-is-here'])
          expect(counts.get(theme) ?? 0).to.equal(
            stored.filter(({ themeId }) => themeId === theme).length,
          );
        expect((await listed(scope)).total).to.equal(stored.length);
      }),
      { numRuns: 15 },
    ));

  it('`leaveTheme` removes the theme from its folders. A name that would then clash gets a number', async () => {
    const scope = newScope();
    const themeId = THEMES[0];
    const free = [aCollection({ name: 'Bills' }), aCollection({ name: 'bills (2)' })];
    const other = aCollection({ name: 'Bills', themeId: THEMES[1] });
    const inside = [
      aCollection({ name: 'BILLS', themeId }),
      aCollection({ name: 'Photos', themeId }),
    ];
    await save(scope, ...free, other, ...inside);
    await backend.uow.write(scope, (s) => s.collections.leaveTheme(themeId, 7_000));
    const { items, total } = await listed(scope);
    expect(total).to.equal(5);
    expect(items).to.deep.include.members([...free, other]);
    const byId = new Map(items.map((item) => [item.id, item]));
    const [bills, photos] = inside.map(({ id }) => byId.get(id));
    expect(photos).to.deep.equal({ ...inside[1], themeId: null, updatedAt: 7_000 });
    expect(bills).to.deep.equal({
      ...inside[0],
      name: 'BILLS (3)',
      themeId: null,
      updatedAt: 7_000,
    });
    expect(new Set(items.map(({ name, themeId: t }) => `${t}/${foldName(name)}`)).size).to.equal(5);
    expect(await listed(scope, themeId)).to.deep.equal({ items: [], total: 0 });
  });
}
