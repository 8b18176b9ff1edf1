import { expect } from 'chai';
import fc from 'fast-check';
import type { BulkChange } from '../../core/objects/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { ROW_CHECKS } from '../../ports/integrity.ts';
import { emptyBackends, type Backend } from '../backends.ts';
import { NaiveWorkspace, type NaiveListing, type Zone } from './reference-workspace.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const RUNS: Readonly<Record<string, number>> = { memory: 80, sqlite: 15, postgres: 5 };

type Action = BulkChange['action'];
const ACTIONS: readonly Action[] = [
  'move',
  'trash',
  'restore',
  'delete',
  'hide',
  'unhide',
  'categorize',
];

/** One step of an owner. Numbers select among the existing items. */
type Step = { readonly open: boolean } & (
  | { do: 'note' | 'pdf' | 'text'; folder: number; hidden: boolean }
  | { do: 'one'; which: number; action: Action; folder: number; words: readonly string[] }
  | {
      do: 'many';
      which: readonly number[];
      action: Action;
      folder: number;
      words: readonly string[];
    }
  | { do: 'emptyTrash' | 'settle' }
  | { do: 'newFolder'; theme: number }
  | { do: 'renameFolder'; folder: number }
  | { do: 'rethemeFolder'; folder: number; theme: number }
  | { do: 'deleteFolder'; folder: number; objects: 'keep' | 'trash' }
  | { do: 'newTheme'; hidden: boolean }
  | { do: 'hideTheme'; theme: number; hidden: boolean }
  | { do: 'deleteTheme'; theme: number }
);

const open = fc.boolean();
/** Usually an existing one. */
const which = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 9 }) }, fc.constant(-1));
/** Zero selects none, and a high number a missing one. */
const folder = fc.nat(4);
const theme = fc.nat(3);
const action = fc.constantFrom(...ACTIONS);
const CATEGORIES = ['a', 'B', 'c'] as const;
const words = fc.array(fc.constantFrom(...CATEGORIES), { maxLength: 3 });
const hidden = fc.boolean();
const is = <const T extends string>(...names: T[]) => fc.constantFrom(...names);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: is('note', 'pdf', 'text'), open, folder, hidden }) },
  { weight: 7, arbitrary: fc.record({ do: is('one'), open, which, action, folder, words }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: is('many'),
      open,
      which: fc.array(which, { minLength: 1, maxLength: 6 }),
      action,
      folder,
      words,
    }),
  },
  fc.record({ do: is('emptyTrash', 'settle'), open }),
  { weight: 3, arbitrary: fc.record({ do: is('newFolder'), open, theme }) },
  fc.record({ do: is('renameFolder'), open, folder }),
  fc.record({ do: is('rethemeFolder'), open, folder, theme }),
  {
    weight: 2,
    arbitrary: fc.record({ do: is('deleteFolder'), open, folder, objects: is('keep', 'trash') }),
  },
  { weight: 2, arbitrary: fc.record({ do: is('newTheme'), open, hidden }) },
  fc.record({ do: is('hideTheme'), open, theme, hidden }),
  fc.record({ do: is('deleteTheme'), open, theme }),
);

/** Initial data, so that the first steps have something to work with. */
const STOCK: readonly Step[] = [
  { do: 'newTheme', open: true, hidden: true },
  { do: 'newFolder', open: true, theme: 1 },
  { do: 'newFolder', open: true, theme: 0 },
  { do: 'note', open: true, folder: 1, hidden: false },
  { do: 'pdf', open: true, folder: 1, hidden: true },
  { do: 'text', open: true, folder: 2, hidden: false },
  { do: 'note', open: true, folder: 0, hidden: true },
  { do: 'text', open: true, folder: 0, hidden: false },
];

const codeOf = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );

/** A workspace and the reference workspace in parallel. */
class Pair {
  readonly naive = new NaiveWorkspace();
  readonly backend: Backend;
  readonly world: CoreFixture;
  /** With a token that unlocks the zone, if there is a PIN. */
  readonly unlocked: Caller | undefined;
  readonly #objects: string[] = [];
  readonly #folders: string[] = [];
  readonly #themes: string[] = [];
  #made = 0;

  constructor(backend: Backend, world: CoreFixture, unlocked: Caller | undefined) {
    this.backend = backend;
    this.world = world;
    this.unlocked = unlocked;
  }

  callers(): readonly (readonly [Zone, Caller])[] {
    const { caller } = this.world;
    return this.unlocked
      ? [
          ['closed', caller],
          ['open', this.unlocked],
        ]
      : [['unset', caller]];
  }

  async take(step: Step): Promise<void> {
    const { naive, world } = this;
    const { objects, library } = world.core;
    const [zone, caller] = this.callers()[this.unlocked && step.open ? 1 : 0] ?? [];
    if (!zone || !caller) throw new Error('The step has no caller.');
    const name = `name ${++this.#made}`;
    switch (step.do) {
      case 'note':
      case 'pdf':
      case 'text': {
        const at = this.#folder(step.folder);
        const place = { isHidden: step.hidden, ...(at !== null && { collectionId: at }) };
        const created =
          step.do === 'note'
            ? objects.addNote(caller, { content: name, ...place })
            : this.#upload(caller, `${name}.${step.do === 'pdf' ? 'pdf' : 'txt'}`, place);
        if (!this.#isFolder(at)) return void expect(await codeOf(created)).to.equal('not_found');
        const { object } = await created;
        this.#objects.push(object.id);
        naive.objects.set(object.id, {
          id: object.id,
          kind: step.do,
          docType: step.do === 'note' ? 'note' : 'other',
          folder: at,
          hidden: step.hidden,
          trashed: false,
          categories: [],
        });
        return;
      }
      case 'one': {
        const [id, change] = [this.#object(step.which), this.#change(step)];
        expect(await codeOf(this.#single(caller, id, change))).to.equal(
          naive.change(zone, id, change),
        );
        return;
      }
      case 'many': {
        const [ids, change] = [step.which.map((each) => this.#object(each)), this.#change(step)];
        if (change.action === 'move' && !this.#isFolder(change.collectionId)) {
          expect(await codeOf(objects.updateMany(caller, ids, change))).to.equal('not_found');
          return;
        }
        const { taskId: _, ...outcome } = await objects.updateMany(caller, ids, change);
        const codes = [...new Set(ids)].map((id) => ({ id, code: naive.change(zone, id, change) }));
        expect(outcome).to.deep.equal({
          done: codes.filter(({ code }) => code === undefined).map(({ id }) => id),
          failed: codes.filter(({ code }) => code !== undefined),
        });
        return;
      }
      case 'emptyTrash':
        await objects.emptyTrash(caller);
        return naive.emptyTrash(zone);
      case 'settle':
        return world.runPendingTasks();
      case 'newFolder': {
        const themeId = this.#theme(step.theme);
        const refused = themeId !== null && !naive.seesTheme(zone, themeId);
        const created = library.createCollection(caller, { name, themeId });
        if (refused) return void expect(await codeOf(created)).to.equal('not_found');
        const { collection } = await created;
        this.#folders.push(collection.id);
        return void naive.folders.set(collection.id, themeId);
      }
      case 'renameFolder': {
        const id = this.#folder(step.folder) ?? MISSING;
        const code = await codeOf(library.editCollection(caller, id, { name }));
        return void expect(code).to.equal(naive.folders.has(id) ? undefined : 'not_found');
      }
      case 'rethemeFolder': {
        const [id, themeId] = [this.#folder(step.folder) ?? MISSING, this.#theme(step.theme)];
        const code = await codeOf(library.editCollection(caller, id, { themeId }));
        const there = naive.folders.has(id);
        // While the zone is locked the id of a hidden theme is unknown, also that of the folder's own.
        const refused = !there || (themeId !== null && !naive.seesTheme(zone, themeId));
        expect(code).to.equal(refused ? 'not_found' : undefined);
        if (!refused) naive.folders.set(id, themeId);
        return;
      }
      case 'deleteFolder': {
        const id = this.#folder(step.folder) ?? MISSING;
        const code = await codeOf(library.deleteCollection(caller, id, step.objects));
        return void expect(code).to.equal(naive.deleteFolder(zone, id, step.objects));
      }
      case 'newTheme': {
        const created = await library.createTheme(caller, { name, isHidden: step.hidden });
        this.#themes.push(created.theme.id);
        return void naive.themes.set(created.theme.id, step.hidden);
      }
      case 'hideTheme': {
        const id = this.#theme(step.theme) ?? MISSING;
        const code = await codeOf(library.editTheme(caller, id, { isHidden: step.hidden }));
        expect(code).to.equal(naive.seesTheme(zone, id) ? undefined : 'not_found');
        if (code === undefined) naive.themes.set(id, step.hidden);
        return;
      }
      case 'deleteTheme': {
        const id = this.#theme(step.theme) ?? MISSING;
        const code = await codeOf(library.deleteTheme(caller, id));
        return void expect(code).to.equal(naive.deleteTheme(zone, id));
      }
    }
  }

  /** Classification is tested elsewhere; here lists and counts have to agree with it. */
  async #learnTypes(): Promise<void> {
    const { caller } = this.world;
    const found = await this.backend.uow.read(caller.scope, ({ objects }) =>
      objects.findMany([...this.naive.objects.keys()]),
    );
    for (const { id, docType } of found) {
      const object = this.naive.objects.get(id);
      if (object) object.docType = docType;
    }
  }

  async compare(facets: readonly NaiveListing[]): Promise<void> {
    await this.#learnTypes();
    for (const [zone, caller] of this.callers()) {
      for (const facet of facets)
        for (const shown of [{}, { includeHidden: true }, { hiddenOnly: true }])
          for (const trashed of [false, true])
            await this.#compareList(zone, caller, { ...facet, ...shown, trashed });
      const { library } = this.world.core;
      const all = { limit: 100, offset: 0 };
      const folders = await library.listCollections(caller, all);
      expect(folders.total).to.equal(this.naive.folders.size);
      expect(
        new Map(folders.items.map(({ collection, objectCount }) => [collection.id, objectCount])),
      ).to.deep.equal(this.naive.folderCounts());
      for (const includeHidden of [false, true]) {
        const themes = await library.listThemes(caller, { ...all, includeHidden });
        const counts = this.naive.themeCounts(zone, includeHidden);
        expect(themes.total).to.equal(counts.size);
        expect(
          new Map(themes.items.map(({ theme: { id }, folderCount }) => [id, folderCount])),
        ).to.deep.equal(counts);
      }
    }
  }

  /** All filters of a list. */
  facets(): readonly NaiveListing[] {
    return [
      ...['note', 'pdf', 'text', 'link', 'image'].map((kind) => ({ kind })),
      ...['note', 'other', 'invoice'].map((docType) => ({ docType })),
      { isLink: true },
      { isLink: false },
      { notesOnly: true },
      { uncategorized: true },
      { uncategorized: true, kind: 'pdf' },
      { order: 'oldest' as const },
      { order: 'oldest' as const, kind: 'note' },
      ...CATEGORIES.map((category) => ({ category: category.toUpperCase() })),
      ...[...this.#themes, MISSING].flatMap((themeId) => [
        { themeId },
        { themeId, order: 'oldest' as const },
        { themeId, kind: 'text' },
        { themeId, category: CATEGORIES[0] },
      ]),
      ...[...this.#folders, MISSING].flatMap((collectionId) => [
        { collectionId },
        { collectionId, docType: 'other', kind: 'text' },
      ]),
    ];
  }

  async compareCards(): Promise<void> {
    for (const [zone, caller] of this.callers())
      for (const id of [...this.#objects, MISSING]) {
        const expected = this.naive.objects.get(id);
        const answer = this.world.core.objects.getObject(caller, id);
        if (!expected || (expected.hidden && zone === 'closed')) {
          expect(await codeOf(answer)).to.equal('not_found');
          continue;
        }
        const { object } = await answer;
        expect({
          id,
          kind: object.kind,
          docType: object.docType,
          folder: object.collectionId,
          hidden: object.isHidden,
          trashed: object.deletedAt !== null,
          categories: object.categories,
        }).to.deep.equal(expected);
      }
  }

  async #compareList(zone: Zone, caller: Caller, listing: NaiveListing): Promise<void> {
    const expected = this.naive.list(zone, listing);
    const { order = 'newest', ...filters } = listing;
    const page = { limit: 100, offset: 0, order };
    const answer = this.world.core.objects.listObjects(caller, filters, page);
    if (expected === 'hidden_locked')
      return void expect(await codeOf(answer)).to.equal('hidden_locked');
    const { items, total } = await answer;
    const reported = { ids: items.map(({ object }) => object.id), total };
    expect(reported, JSON.stringify(listing)).to.deep.equal({
      ids: expected,
      total: expected.length,
    });
  }

  #single(caller: Caller, id: string, change: BulkChange): Promise<unknown> {
    const { objects } = this.world.core;
    switch (change.action) {
      case 'move':
        return objects.moveObject(caller, id, change.collectionId);
      case 'categorize':
        return objects.categorizeObject(caller, id, change.categories);
      case 'hide':
      case 'unhide':
        return objects.editObject(caller, id, { isHidden: change.action === 'hide' });
      case 'restore':
        return objects.restoreObject(caller, id);
      case 'trash':
      case 'delete':
        return objects.deleteObject(caller, id, change.action === 'delete');
    }
  }

  async #upload(caller: Caller, name: string, place: object) {
    const file = await this.world.file(name, `Bytes ${this.#made % 3}`);
    const [added] = await this.world.core.objects.addFiles(caller, [file], place);
    if (!added) throw new Error('A file was taken and none was answered.');
    return added;
  }

  #change(step: { action: Action; folder: number; words: readonly string[] }): BulkChange {
    const { action } = step;
    if (action === 'move') return { action, collectionId: this.#folder(step.folder) };
    if (action === 'categorize') return { action, categories: [...new Set(step.words)] };
    return { action };
  }

  #isFolder(id: string | null): boolean {
    return id === null || this.naive.folders.has(id);
  }

  #object(which: number): string {
    return this.#objects[which % this.#objects.length] ?? MISSING;
  }

  /** Including deleted folders. */
  #folder(which: number): string | null {
    return which === 0 ? null : (this.#folders[which - 1] ?? MISSING);
  }

  #theme(which: number): string | null {
    return which === 0 ? null : (this.#themes[which - 1] ?? MISSING);
  }
}

for (const [name, openBackend] of emptyBackends)
  it(`${name}: every list, filter and count equals that of a reference workspace after any operations`, async function () {
    this.timeout(120_000);
    const backend = await openBackend();
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
          fc.boolean(),
          async (steps, withPin) => {
            const world = await openCoreFixture(backend);
            const { core, caller } = world;
            const unlock = withPin
              ? await core.hiddenZone.setPin(caller, { pin: '1234' })
              : undefined;
            const pair = new Pair(
              backend,
              world,
              unlock && { ...caller, hiddenToken: unlock.token },
            );
            for (const [i, each] of [...STOCK, ...steps].entries()) {
              world.now += 1_000;
              world.step(i + 1);
              await pair.take(each);
              if (i >= STOCK.length && i % 4 === 0) await pair.compare([{}]);
            }
            await pair.compare(pair.facets());
            await pair.compareCards();
            await world.runPendingTasks();
            await pair.compare([{}]);
          },
        ),
        { numRuns: RUNS[name] ?? 10 },
      );
      for (const check of ROW_CHECKS)
        expect(await backend.integrity.examine(check)).to.deep.equal({
          name: check,
          count: 0,
          examples: [],
        });
    } finally {
      await backend.close();
    }
  });
