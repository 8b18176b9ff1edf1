import { expect } from 'chai';
import fc from 'fast-check';
import { chosenBy } from '../../bench/organize-samples.ts';
import {
  folderFor,
  planFolders,
  type ObjectFeatures,
  type Plan,
} from '../../core/organize/index.ts';
import { DOC_TYPES } from '../../ports/objects.ts';
import { OBJECT_KINDS } from '../../ports/text-extraction.ts';

const scheduler = { yield: () => Promise.resolve() };
const { samples, shelves, themes } = chosenBy;
const cards = samples.map(({ card }) => card);
const planned = (input: Partial<Parameters<typeof planFolders>[1]> = {}): Promise<Plan> =>
  planFolders({ scheduler }, { cards, shelves, themes, scope: 'uncategorized', ...input });
const plain = ({ folders, themes: created, placements }: Plan) => ({
  folders,
  themes: created,
  placements: [...placements].sort(),
});

const blank: ObjectFeatures = {
  objectId: 'a',
  filename: '',
  title: '',
  summary: '',
  kind: 'other',
  docType: 'other',
  language: '',
  keywords: [],
  organizations: [],
  collectionId: null,
};
const invoice = (n: number, language: string): ObjectFeatures => ({
  ...blank,
  objectId: `invoice-${n}`,
  filename: `${n}.pdf`,
  kind: 'pdf',
  docType: 'invoice',
  language,
});
const shelf = (name: string) => ({
  collectionId: `shelf ${name}`,
  name,
  description: '',
  themeId: null,
  themeName: '',
});

const WORDS = 'garden Счета Rechnung invoice Acme taxes 2024 2023 поездка chess 照片 photo x'.split(
  ' ',
);
const text = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const anyCards = fc.uniqueArray(
  fc.record({
    objectId: fc.uuid(),
    filename: text,
    title: text,
    summary: text,
    kind: fc.constantFrom(...OBJECT_KINDS),
    docType: fc.constantFrom(...DOC_TYPES),
    language: fc.constantFrom('', 'en', 'ru', 'de', 'zh', 'xx'),
    keywords: fc.array(text, { maxLength: 4 }),
    organizations: fc.array(text, { maxLength: 2 }),
    collectionId: fc.constantFrom(null, null, 'one', 'two', 'elsewhere'),
  }),
  { selector: (card) => card.objectId, maxLength: 60 },
);
const anyShelves = fc.tuple(text, text, text).map(([name, other, description]) => [
  { ...shelf(name), collectionId: 'one', description },
  { ...shelf(other), collectionId: 'two', themeId: 't', themeName: 'Money' },
]);
const scope = fc.constantFrom('uncategorized' as const, 'all' as const);

describe('the plan of a reorganization', function () {
  this.timeout(60_000);

  it("does not move objects out of a user's folder without need", async () => {
    const { placements } = await planned({ scope: 'all' });
    for (const { card } of samples)
      if (card.collectionId !== null) expect(placements.has(card.objectId)).to.equal(false);
  });

  it('leaves objects in folders where they are unless all are in scope', async () => {
    const misplaced = {
      ...invoice(1, 'en'),
      collectionId: 'shelf Garden',
      title: 'Acme',
      organizations: ['Acme'],
    };
    const input = { cards: [misplaced], shelves: [shelf('Acme invoices'), shelf('Garden')] };
    expect((await planned(input)).placements.size).to.equal(0);
    const moved = await planned({ ...input, scope: 'all' });
    expect([...moved.placements]).to.deep.equal([['invoice-1', 'shelf Acme invoices']]);
  });

  for (const name of ['Invoices', 'Bills', 'Rechnungen', 'Счета', 'Factures', 'Facturas', '发票'])
    it(`assigns invoices in any language to ${name}`, async () => {
      const { placements } = await planned({
        cards: [invoice(1, 'en'), invoice(2, 'ru'), invoice(3, '')],
        shelves: [shelf(name), shelf('Photos')],
      });
      expect([...placements.values()]).to.deep.equal(Array(3).fill(`shelf ${name}`));
    });

  it('names new folders and themes in the language of their objects', async () => {
    const ask = { shelves: [], themes: [] };
    const russian = await planned({ ...ask, cards: [1, 2].map((n) => invoice(n, 'ru')) });
    expect(russian.folders.map(({ name }) => name)).to.deep.equal(['Счета']);
    expect(russian.themes.map(({ name }) => name)).to.deep.equal(['Финансы']);
    const known = await planned({
      shelves: [],
      themes: [{ id: 'money', name: 'Geld' }],
      cards: [1, 2].map((n) => invoice(n, 'de')),
    });
    expect(known.folders.map(({ name, theme }) => [name, theme])).to.deep.equal([
      ['Rechnungen', { id: 'money' }],
    ]);
    expect(known.themes).to.deep.equal([]);
  });

  it('creates no folder for a single object, and none for objects without features', async () => {
    const {
      placements,
      folders,
      themes: created,
    } = await planned({
      cards: [invoice(1, 'en'), blank, { ...blank, objectId: 'b' }],
      shelves: [],
    });
    expect([placements.size, folders, created]).to.deep.equal([0, [], []]);
  });

  it('names no folder after a currency or the caption of a field', async () => {
    const sharing = (keyword: string) =>
      Array.from({ length: 12 }, (_, n) => ({
        ...invoice(n, n % 2 ? 'de' : 'en'),
        docType: n < 6 ? ('invoice' as const) : ('contract' as const),
        title: `Harbour paper ${n}`,
        keywords: [keyword],
      }));
    const namesFor = async (keyword: string) =>
      (await planned({ cards: sharing(keyword), shelves: [], themes: [] })).folders.map(
        ({ name }) => name,
      );
    expect(await namesFor('berth')).to.deep.equal(['Berth']);
    for (const word of ['EUR', 'Euro', 'euros', 'dollars', 'рублей', 'CHF', 'Date', 'Betrag'])
      expect(await namesFor(word), word).to.have.members(await namesFor(''));
  });

  it('suggests a folder only with high confidence', () => {
    const two = [shelf('Invoices'), shelf('Photos')];
    expect(folderFor(invoice(1, 'en'), two, [])).to.equal('shelf Invoices');
    expect(folderFor(blank, two, [])).to.equal(undefined);
    expect(folderFor(invoice(1, 'en'), [shelf('Bills'), shelf('Invoices')], [])).to.equal(
      undefined,
    );
  });

  it('does not depend on the order of the objects and folders', () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(cards, { minLength: cards.length }),
        fc.shuffledSubarray([...shelves], { minLength: shelves.length }),
        scope,
        async (shuffled, shelved, requested) => {
          const ordered = await planned({ scope: requested });
          const other = await planned({ cards: shuffled, shelves: shelved, scope: requested });
          expect(plain(other)).to.deep.equal(plain(ordered));
        },
      ),
      { numRuns: 10 },
    ));

  it('respects its limits for any input, and assigns only objects in scope', () =>
    fc.assert(
      fc.asyncProperty(anyCards, anyShelves, scope, async (some, two, requested) => {
        const known = [{ id: 't', name: 'Money' }];
        const plan = await planned({ cards: some, shelves: two, themes: known, scope: requested });
        expectSound(plan, some, two, requested);
        const reversed = {
          cards: [...some].reverse(),
          shelves: two,
          themes: known,
          scope: requested,
        };
        expect(plain(await planned(reversed))).to.deep.equal(plain(plan));
      }),
      { numRuns: 150 },
    ));

  it('creates forty folders at most', async () => {
    const many = Array.from({ length: 600 }, (_, i) => ({
      ...blank,
      objectId: `o${String(i).padStart(4, '0')}`,
      docType: DOC_TYPES[i % DOC_TYPES.length] ?? 'other',
      title: `zor${Math.floor(i / 6)}bel mak${Math.floor(i / 6)}tun`,
      keywords: [
        `zor${String.fromCharCode(97 + (Math.floor(i / 6) % 26), 97 + Math.floor(i / 156))}q`,
      ],
      organizations: [`Firm ${Math.floor(i / 6)}`],
    }));
    const plan = await planned({ cards: many, shelves: [], themes: [] });
    expect(plan.folders.length).to.be.within(20, 40);
    expectSound(plan, many, [], 'all');
  });
});

function expectSound(
  plan: Plan,
  some: readonly ObjectFeatures[],
  standing: readonly {
    readonly collectionId: string;
    readonly name: string;
    readonly themeId: string | null;
  }[],
  requested: string,
): void {
  const { placements, folders, themes: created } = plan;
  expect(folders.length).to.be.at.most(40);
  expect(created.length).to.be.at.most(8);
  const places = new Set([
    ...folders.map(({ key }) => key),
    ...standing.map((s) => s.collectionId),
  ]);
  const byId = new Map(some.map((card) => [card.objectId, card]));
  for (const [id, to] of placements) {
    const card = byId.get(id);
    expect(places.has(to)).to.equal(true);
    expect(card?.collectionId).to.not.equal(to);
    if (requested === 'uncategorized') expect(card?.collectionId).to.equal(null);
    if (typeof card?.collectionId === 'string') expect(to.startsWith('folder:')).to.equal(false);
  }
  const used = new Set(placements.values());
  const names = standing.map(({ name, themeId }) => `${themeId} ${name.toLowerCase()}`);
  for (const { key, name, theme } of folders) {
    expect(used.has(key)).to.equal(true);
    expect([...name].length).to.be.within(1, 120);
    expect(name.isWellFormed()).to.equal(true);
    const under = theme === null ? 'null' : 'id' in theme ? theme.id : theme.key;
    expect(names).to.not.include(`${under} ${name.toLowerCase()}`);
    names.push(`${under} ${name.toLowerCase()}`);
    if (theme && 'key' in theme) expect(created.map((each) => each.key)).to.include(theme.key);
  }
  for (const { key } of created)
    expect(folders.some(({ theme }) => theme && 'key' in theme && theme.key === key)).to.equal(
      true,
    );
}
