import { expect } from 'chai';
import fc from 'fast-check';
import { OBJECT_ORDERS, type StoredObject } from '../../ports/objects.ts';
import {
  TERM_GAP,
  titleRowNumber,
  objectNumberOf,
  passageOrdinal,
  passageNumber,
  type QueryTerm,
  type IndexedPassage,
  type SearchEntry,
  type SearchFilter,
  type SearchIndex,
} from '../../ports/search.ts';
import type { Backend } from '../backends.ts';
import {
  everyFilter,
  FOLDERS,
  furtherFilters,
  IN_ORDER,
  isInPlace,
  listedObjects,
  makeFolders,
  newId,
  newScope,
  passes,
} from '../samples.ts';

const word = (...terms: readonly string[]): QueryTerm => [{ terms, prefix: false }];
const beginning = (...terms: readonly string[]): QueryTerm => [{ terms, prefix: true }];

const anEntry = (over: Partial<SearchEntry> = {}): SearchEntry => ({
  objectId: newId(),
  zone: 'visible',
  kind: 'pdf',
  docType: 'other',
  collectionId: null,
  createdAt: 1_000,
  head: [],
  ...over,
});

/** Passages with the given terms and different texts. */
const passages = (...rows: readonly string[]): readonly IndexedPassage[] =>
  rows.map((row, ord) => ({
    ord,
    charStart: ord * 10,
    charEnd: ord * 10 + 2,
    text: `${ord}𝕏`,
    terms: row === '' ? [] : row.split(' '),
  }));

/** Characters that are special in some database or query language. */
const AWKWARD_TERMS = [
  'a',
  'ab',
  'abc',
  'b',
  'A',
  'é',
  '日本',
  '𠀀𠀁',
  'x_y',
  'x_5fy',
  "o'clock",
  '"q"',
  '*',
  '+',
  '-',
  ':',
  '(',
  '%',
  '\\',
  '1v_a',
  'NEAR',
  'AND',
  'null',
  '&',
  '<->',
  '?',
] as const;

const terms = () => fc.array(fc.constantFrom(...AWKWARD_TERMS, TERM_GAP), { maxLength: 6 });

const atoms = (): fc.Arbitrary<QueryTerm> =>
  fc.array(
    fc.record({
      terms: fc.array(fc.constantFrom(...AWKWARD_TERMS), { minLength: 1, maxLength: 3 }),
      prefix: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  );

type Step = { readonly slot: number } & (
  | { readonly do: 'place'; readonly entry: Omit<SearchEntry, 'objectId'> }
  | { readonly do: 'put'; readonly rows: readonly (readonly string[])[] }
  | { readonly do: 'rename'; readonly head: readonly string[] }
  | { readonly do: 'drop' }
);

const steps = (): fc.Arbitrary<readonly Step[]> => {
  const slot = fc.nat(3);
  const entry = fc.record({
    zone: fc.constantFrom('visible', 'visible', 'hidden', 'excluded'),
    kind: fc.constantFrom('pdf', 'note'),
    docType: fc.constantFrom('report', 'note'),
    collectionId: fc.constantFrom(null, ...FOLDERS),
    createdAt: fc.nat(3),
    head: terms(),
  });
  return fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ slot, do: fc.constant('place'), entry }) },
      {
        weight: 3,
        arbitrary: fc.record({
          slot,
          do: fc.constant('put'),
          rows: fc.array(terms(), { maxLength: 3 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ slot, do: fc.constant('rename'), head: terms() }) },
      { weight: 1, arbitrary: fc.record({ slot, do: fc.constant('drop') }) },
    ),
    { maxLength: 12 },
  );
};

interface Known {
  readonly entry: SearchEntry;
  readonly rows: readonly (readonly string[])[];
}

/** A reference implementation: a map in insertion order. */
class Model {
  readonly objects = new Map<string, Known>();

  apply(step: Step, objectId: string): void {
    const known = this.objects.get(objectId);
    if (step.do === 'drop') this.objects.delete(objectId);
    else if (step.do === 'place')
      this.objects.set(objectId, { entry: { ...step.entry, objectId }, rows: known?.rows ?? [] });
    else if (known && step.do === 'rename')
      this.objects.set(objectId, { ...known, entry: { ...known.entry, head: step.head } });
    else if (known && step.do === 'put') this.objects.set(objectId, { ...known, rows: step.rows });
  }

  seen({ visibility }: SearchFilter): readonly Known[] {
    return [...this.objects.values()].filter(({ entry: { zone } }) =>
      visibility === 'any' ? zone !== 'excluded' : zone === visibility,
    );
  }

  occurrences(atom: QueryTerm, filter: SearchFilter): readonly string[] {
    return this.seen(filter).flatMap(({ entry, rows }) =>
      [entry.head, ...rows].flatMap((row, i) =>
        atom.some((run) => deletionHolds(row, run)) ? [`${entry.objectId} ${i - 1}`] : [],
      ),
    );
  }
}

const deletionHolds = (
  row: readonly string[],
  { terms: run, prefix }: QueryTerm[number],
): boolean =>
  row.some((_, at) =>
    run.every((term, i) =>
      prefix && i === run.length - 1 ? (row[at + i] ?? '').startsWith(term) : row[at + i] === term,
    ),
  );

const perform = async (
  search: SearchIndex,
  step: Step,
  objectId: string,
  model: Model,
): Promise<void> => {
  if (step.do === 'drop') await search.drop(objectId);
  else if (step.do === 'rename')
    await search.rename(objectId, model.objects.get(objectId)?.entry.zone ?? 'visible', step.head);
  else if (step.do === 'place') await search.place({ ...step.entry, objectId });
  else
    await search.put(
      objectId,
      passages(...step.rows.map(() => '')).map((p, i) => ({ ...p, terms: step.rows[i] ?? [] })),
    );
};

/** Occurrences by content instead of number. */
async function named(
  search: SearchIndex,
  atom: QueryTerm,
  visibility: SearchFilter['visibility'],
): Promise<readonly string[]> {
  const numbers = await search.occurrences(atom, visibility);
  const known = await search.identify(numbers.map(objectNumberOf));
  const ids = new Map(known.map(({ number, objectId }) => [number, objectId]));
  return numbers.map(
    (number) => `${ids.get(objectNumberOf(number)) ?? '?'} ${passageOrdinal(number)}`,
  );
}

const VISIBILITIES = ['visible', 'hidden', 'any'] as const;

/** The contract of every SearchIndex. */
export function searchIndexContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  /** In one unit of work of a new owner. */
  const inNew = <T>(work: (search: SearchIndex) => Promise<T>) =>
    backend.uow.write(newScope(), ({ search }) => work(search));

  it('Indexed text is found by its terms, by sequences of neighbouring terms and by prefixes, in passages and title rows alike', () =>
    inNew(async (search) => {
      const [one, two] = [anEntry({ head: ['a', 'b'] }), anEntry()];
      for (const entry of [one, two]) await search.place(entry);
      await search.put(one.objectId, passages('c a', 'ab c'));
      await search.put(two.objectId, passages('a b a b'));
      const [first, second] = [one.objectId, two.objectId];
      const found = (atom: QueryTerm) => named(search, atom, 'visible');
      expect(await found(word('a'))).to.deep.equal([`${first} -1`, `${first} 0`, `${second} 0`]);
      expect(await found(word('a', 'b'))).to.deep.equal([`${first} -1`, `${second} 0`]);
      expect(await found(word('b', 'a', 'b'))).to.deep.equal([`${second} 0`]);
      expect(await found(beginning('c', 'a'))).to.deep.equal([`${first} 0`]);
      expect(await found([...beginning('ab'), ...word('b')])).to.deep.equal([
        `${first} -1`,
        `${first} 1`,
        `${second} 0`,
      ]);
      expect(await found(word('d'))).to.deep.equal([]);
    }));

  it('A sequence does not match across a gap, across passages or from the title row into the text', () =>
    inNew(async (search) => {
      const entry = anEntry({ head: ['a', TERM_GAP, 'b'] });
      await search.place(entry);
      await search.put(entry.objectId, passages(`b ${TERM_GAP} c`, 'd e'));
      for (const run of [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
        ['b', 'b'],
      ])
        expect(await search.occurrences(word(...run), 'visible')).to.deep.equal([]);
      expect(await search.occurrences(word('d', 'e'), 'visible')).to.have.length(1);
    }));

  it('Occurrences are in ascending order, each passage once, for objects of the requested visibility only', () =>
    fc.assert(
      fc.asyncProperty(steps(), fc.array(atoms(), { maxLength: 4 }), (history, sought) =>
        inNew(async (search) => {
          const slots = Array.from({ length: 4 }, newId);
          const model = new Model();
          for (const step of history) {
            const objectId = slots[step.slot] ?? '';
            if (step.do === 'put' && !model.objects.has(objectId)) continue;
            model.apply(step, objectId);
            await perform(search, step, objectId, model);
          }
          for (const visibility of VISIBILITIES)
            for (const atom of sought)
              expect(await named(search, atom, visibility)).to.deep.equal(
                model.occurrences(atom, { visibility }),
              );
        }),
      ),
      { numRuns: 60 },
    ));

  it('All passages with a query term are returned, however many', () =>
    inNew(async (search) => {
      // Numbers of later objects exceed 32 bits, and a database may return them in chunks.
      const entries = Array.from({ length: 3 }, () => anEntry({ head: ['a'] }));
      for (const entry of entries) {
        await search.place(entry);
        await search.put(entry.objectId, passages(...Array.from({ length: 4_000 }, () => 'a b')));
      }
      const numbers = await search.admitted({ visibility: 'visible' });
      expect(numbers).to.have.length(entries.length);
      const all = [...numbers]
        .sort((a, b) => a - b)
        .flatMap((number) =>
          Array.from({ length: 4_001 }, (_, ord) => passageNumber(number, ord - 1)),
        );
      expect(await search.occurrences(word('a'), 'visible')).to.deep.equal(all);
      expect(await search.occurrences(word('a', 'b'), 'visible')).to.deep.equal(
        all.filter((each) => passageOrdinal(each) >= 0),
      );
    })).timeout(60_000);

  it("Indexing an object's metadata again preserves its passages and its number. Storing passages again replaces them", () =>
    inNew(async (search) => {
      const [entry, later] = [anEntry({ head: ['old'] }), anEntry({ head: ['new'] })];
      await search.place(entry);
      await search.put(entry.objectId, passages('a', 'b'));
      const before = await search.occurrences(word('a'), 'visible');
      await search.place(later);
      await search.place({
        ...entry,
        head: ['new'],
        docType: 'report',
        createdAt: 5,
        zone: 'hidden',
      });
      expect(await search.occurrences(word('a'), 'hidden')).to.deep.equal(before);
      expect(await search.occurrences(word('old'), 'any')).to.deep.equal([]);
      const [number = 0] = before.map(objectNumberOf);
      expect(await named(search, word('new'), 'any')).to.deep.equal([
        `${entry.objectId} -1`,
        `${later.objectId} -1`,
      ]);
      expect(await search.identify([number])).to.deep.equal([
        { number, objectId: entry.objectId, createdAt: 5 },
      ]);
      const reports = await search.admitted({ visibility: 'any', docType: 'report' });
      expect([...reports]).to.deep.equal([number]);

      await search.put(entry.objectId, passages('c'));
      for (const gone of ['a', 'b'])
        expect(await search.occurrences(word(gone), 'any')).to.deep.equal([]);
      expect(await search.occurrences(word('c'), 'hidden')).to.deep.equal(before);
      expect(await search.passagesOf(entry.objectId, 0, 9)).to.have.length(1);
    }));

  it('Renaming an object changes its title row only. Renaming one that is not indexed changes nothing', () =>
    inNew(async (search) => {
      const [entry, other] = [anEntry({ head: ['old', 'x'] }), anEntry({ head: ['old'] })];
      for (const each of [entry, other]) {
        await search.place(each);
        await search.put(each.objectId, passages('old'));
      }
      const numbers = await search.admitted({ visibility: 'any' });
      await search.rename(entry.objectId, 'visible', ['new', 'a&b']);
      await search.rename(newId(), 'visible', ['new']);
      expect(await named(search, word('new', 'a&b'), 'visible')).to.deep.equal([
        `${entry.objectId} -1`,
      ]);
      expect(await named(search, word('old'), 'visible')).to.deep.equal([
        `${entry.objectId} 0`,
        `${other.objectId} -1`,
        `${other.objectId} 0`,
      ]);
      expect(await search.admitted({ visibility: 'any' })).to.deep.equal(numbers);
      expect(await search.statistics('any')).to.deep.equal({ objects: 2, passages: 2, terms: 2 });
      // An excluded object has its name when it is included again.
      await search.place({ ...entry, head: ['new'], zone: 'excluded' });
      await search.rename(entry.objectId, 'excluded', ['newer']);
      expect(await search.occurrences(word('newer'), 'any')).to.deep.equal([]);
      await search.place({ ...entry, head: ['newer'] });
      expect(await search.occurrences(word('newer'), 'any')).to.have.length(1);
      expect(await search.occurrences(word('new'), 'any')).to.deep.equal([]);
    }));

  it('An excluded object is neither found nor counted until its zone changes again', () =>
    inNew(async (search) => {
      const entry = anEntry({ head: ['a'] });
      await search.place(entry);
      await search.put(entry.objectId, passages('a b'));
      await search.place({ ...entry, zone: 'excluded' });
      for (const visibility of VISIBILITIES) {
        expect(await search.occurrences(word('a'), visibility)).to.deep.equal([]);
        expect(await search.admitted({ visibility })).to.deep.equal(new Set());
        expect(await search.statistics(visibility)).to.deep.equal(NOTHING);
      }
      // Stored while it is excluded, and not found.
      await search.put(entry.objectId, passages('c', 'd'));
      expect(await search.occurrences(word('c'), 'any')).to.deep.equal([]);
      expect(await search.passagesOf(entry.objectId, 1, 9)).to.have.length(1);
      await search.place(entry);
      expect(await named(search, word('d'), 'visible')).to.deep.equal([`${entry.objectId} 1`]);
      expect(await search.statistics('any')).to.deep.equal({ objects: 1, passages: 2, terms: 2 });
    }));

  it('A dropped object is removed. Dropping a missing one changes nothing. Storing passages of an object that is not indexed rejects', () =>
    inNew(async (search) => {
      const [entry, other] = [anEntry({ head: ['a'] }), anEntry({ head: ['a'] })];
      for (const each of [entry, other]) {
        await search.place(each);
        await search.put(each.objectId, passages('a'));
      }
      const numbers = await search.occurrences(word('a'), 'visible');
      expect(await search.identify(numbers.map(objectNumberOf))).to.have.length(2);
      await search.drop(entry.objectId);
      expect(await search.identify(numbers.map(objectNumberOf))).to.have.length(1);
      await search.drop(newId());
      expect(await named(search, word('a'), 'any')).to.deep.equal([
        `${other.objectId} -1`,
        `${other.objectId} 0`,
      ]);
      expect(await search.passagesOf(entry.objectId, 0, 9)).to.deep.equal([]);
      expect((await search.terms(numbers)).filter((row) => row !== '')).to.have.length(2);
      expect(await search.texts(numbers)).to.have.length(1);
      expect(await search.statistics('visible')).to.deep.equal({
        objects: 1,
        passages: 1,
        terms: 1,
      });
      const refused = await search.put(newId(), []).then(
        () => 'accepted',
        () => 'refused',
      );
      expect(refused).to.equal('refused');
    }));

  it('Statistics count the objects of the requested visibility after any sequence of changes', () =>
    fc.assert(
      fc.asyncProperty(steps(), (history) =>
        inNew(async (search) => {
          const slots = Array.from({ length: 4 }, newId);
          const model = new Model();
          for (const step of history) {
            const objectId = slots[step.slot] ?? '';
            if (step.do === 'put' && !model.objects.has(objectId)) continue;
            model.apply(step, objectId);
            await perform(search, step, objectId, model);
          }
          for (const visibility of VISIBILITIES) {
            const seen = model.seen({ visibility });
            const rows = seen.flatMap((known) => known.rows);
            expect(await search.statistics(visibility)).to.deep.equal({
              objects: seen.length,
              passages: rows.length,
              terms: rows.reduce((sum, row) => sum + row.length, 0),
            });
          }
        }),
      ),
      { numRuns: 30 },
    ));

  it('Statistics of some folders count the objects in them', () =>
    inNew(async (search) => {
      const placed: { readonly entry: SearchEntry; readonly rows: readonly string[] }[] = [];
      for (const zone of ['visible', 'hidden', 'excluded'] as const)
        for (const collectionId of [null, ...FOLDERS]) {
          const entry = anEntry({ zone, collectionId, head: ['name'] });
          const rows = collectionId === FOLDERS[0] ? ['a b', 'c'] : ['d e f'];
          await search.place(entry);
          await search.put(entry.objectId, passages(...rows));
          placed.push({ entry, rows });
        }
      const moved = placed[0]!;
      placed[0] = { ...moved, entry: { ...moved.entry, collectionId: FOLDERS[1] } };
      await search.place(placed[0].entry);
      for (const visibility of VISIBILITIES)
        for (const ids of [[], [FOLDERS[0]], [...FOLDERS], [FOLDERS[1], 'missing', FOLDERS[1]]]) {
          const seen = placed.filter(
            ({ entry: { zone, collectionId } }) =>
              (visibility === 'any' ? zone !== 'excluded' : zone === visibility) &&
              isInPlace(collectionId, { collectionIds: ids }),
          );
          const rows = seen.flatMap((each) => each.rows);
          expect(await search.statistics(visibility, ids)).to.deep.equal({
            objects: seen.length,
            passages: rows.length,
            terms: rows.reduce((sum, row) => sum + row.split(' ').length, 0),
          });
        }
    }));

  it('`admitted` returns the numbers of the objects that pass every part of the filter', () =>
    inNew(async (search) => {
      const placed: SearchEntry[] = [];
      for (const zone of ['visible', 'hidden'] as const)
        for (const kind of ['pdf', 'note', 'link'] as const)
          for (const docType of ['report', 'note'] as const)
            for (const collectionId of [null, ...FOLDERS])
              placed.push(anEntry({ zone, kind, docType, collectionId }));
      for (const entry of placed) await search.place(entry);
      const someIds = placed.filter((_, i) => i % 3 === 0).map(({ objectId }) => objectId);
      for (const { trashed, textState, ...requested } of everyFilter())
        for (const objectIds of [undefined, [], someIds]) {
          if (trashed || textState) continue;
          const filter: SearchFilter = { ...requested, ...(objectIds && { objectIds }) };
          const expected = placed.filter(
            (entry) =>
              (filter.visibility === 'any' || filter.visibility === entry.zone) &&
              (!filter.kinds || filter.kinds.includes(entry.kind)) &&
              (!filter.docType || filter.docType === entry.docType) &&
              isInPlace(entry.collectionId, filter) &&
              (!objectIds || objectIds.includes(entry.objectId)),
          );
          const found = await search.identify([...(await search.admitted(filter))]);
          expect(found.map(({ objectId }) => objectId)).to.have.members(
            expected.map(({ objectId }) => objectId),
          );
        }
    }));

  /** The objects are saved, with entries like those of the core. */
  const inSaved = (
    work: (search: SearchIndex, saved: readonly StoredObject[]) => Promise<void>,
  ): Promise<void> => {
    const saved = fc.sample(listedObjects(), { numRuns: 60, seed: 7 });
    return backend.uow.write(newScope(), async (s) => {
      await makeFolders(s);
      for (const object of saved) {
        await s.objects.save(object);
        const {
          id: objectId,
          kind,
          docType,
          collectionId,
          createdAt,
          deletedAt,
          isHidden,
        } = object;
        const zone = deletedAt !== null ? 'excluded' : isHidden ? 'hidden' : 'visible';
        await s.search.place({ objectId, zone, kind, docType, collectionId, createdAt, head: [] });
      }
      await work(s.search, saved);
    });
  };

  it('`admitted` checks some conditions on the objects themselves: status, theme, category, suggestion, time of creation', () =>
    inSaved(async (search, saved) => {
      for (const { textState, ...filter } of furtherFilters()) {
        if (textState) continue;
        const { trashed: _, ...requested } = filter;
        const found = await search.identify([...(await search.admitted(requested))]);
        expect(
          found.map(({ objectId }) => objectId),
          JSON.stringify(filter),
        ).to.have.members(saved.filter((o) => passes(o, filter)).map(({ id }) => id));
      }
    }));

  it('`inOrder` returns a page of the requested objects, each in its place in an order of lists', () =>
    inSaved(async (search, saved) => {
      const everything = [...(await search.admitted({ visibility: 'any' }))];
      const known = new Map(
        (await search.identify(everything)).map(({ number, objectId }) => [number, objectId]),
      );
      const some = everything.filter((number) => number % 3 > 0);
      const requested = saved.filter(({ id }) => some.some((number) => known.get(number) === id));
      for (const order of OBJECT_ORDERS)
        for (const [limit, offset] of [
          [100, 0],
          [7, 5],
          [3, 99],
        ] as const) {
          const expected = requested.toSorted(IN_ORDER[order]).slice(offset, offset + limit);
          const found = await search.inOrder(some.toReversed(), order, { limit, offset });
          expect(found.map((number) => known.get(number))).to.deep.equal(
            expected.map(({ id }) => id),
          );
        }
      expect(await search.inOrder([], 'name', { limit: 9, offset: 0 })).to.deep.equal([]);
    }));

  it('Terms and texts are returned unchanged, astral characters included', () =>
    inNew(async (search) => {
      const entry = anEntry({ head: ['x', TERM_GAP, '𠀀'] });
      await search.place(entry);
      const put: readonly IndexedPassage[] = [
        { ord: 0, charStart: 0, charEnd: 3, text: '𠀀 "', terms: [...AWKWARD_TERMS] },
        { ord: 1, charStart: 5, charEnd: 6, text: 'é', terms: [] },
      ];
      await search.put(entry.objectId, put);
      const [number = 0] = await search.admitted({ visibility: 'visible' });
      const [head, ...rest] = [
        titleRowNumber(number),
        passageNumber(number, 0),
        passageNumber(number, 1),
      ];
      const unassigned = passageNumber(number + 1_000_000, 0);
      expect(await search.terms([...rest, unassigned, head])).to.deep.equal([
        put[0]?.terms.join(' '),
        '',
        '',
        entry.head.join(' '),
      ]);
      const texts = await search.texts([head, unassigned, ...rest]);
      const spans = put.map(({ ord, charStart, charEnd, text }) => ({
        ord,
        charStart,
        charEnd,
        text,
      }));
      expect([...texts].sort((a, b) => a.ord - b.ord)).to.deep.equal(
        spans.map((span, i) => ({ ...span, number: rest[i], objectId: entry.objectId })),
      );
      expect(await search.passagesOf(entry.objectId, 0, 9)).to.deep.equal(spans);
      expect(await search.passagesOf(entry.objectId, 0, 1)).to.deep.equal(spans.slice(0, 1));
    }));

  it("Another owner's objects are out of reach and affect neither statistics nor order", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const shared = newId();
    const write = (scope: typeof mine, work: (search: SearchIndex) => Promise<void>) =>
      backend.uow.write(scope, ({ search }) => work(search));
    const add = (entry: SearchEntry) => async (search: SearchIndex) => {
      await search.place(entry);
      await search.put(entry.objectId, passages('a b'));
    };
    const [first, last] = [anEntry(), anEntry()];
    await write(mine, add(first));
    await write(theirs, add(anEntry({ objectId: shared })));
    await write(mine, add(anEntry({ objectId: shared })));
    await write(theirs, add(anEntry()));
    await write(mine, add(last));
    await write(theirs, (search) => search.drop(shared));
    await write(theirs, (search) => search.drop(first.objectId));

    const numbers = await backend.uow.read(theirs, ({ search }) =>
      search.occurrences(word('a'), 'visible'),
    );
    await backend.uow.read(mine, async ({ search }) => {
      expect(await named(search, word('a', 'b'), 'any')).to.deep.equal(
        [first.objectId, shared, last.objectId].map((id) => `${id} 0`),
      );
      expect(await search.statistics('visible')).to.deep.equal({
        objects: 3,
        passages: 3,
        terms: 6,
      });
      expect((await search.admitted({ visibility: 'any' })).size).to.equal(3);
      // In a database the numbers of all owners come from one sequence; in memory each owner has its own.
      const own = new Set(await search.admitted({ visibility: 'any' }));
      const foreign = numbers.filter((number) => !own.has(objectNumberOf(number)));
      expect((await search.terms(foreign)).join('')).to.equal('');
      expect(await search.texts(foreign)).to.deep.equal([]);
      expect(await search.identify(foreign.map(objectNumberOf))).to.deep.equal([]);
    });
  });
}

const NOTHING = { objects: 0, passages: 0, terms: 0 };
