import { expect } from 'chai';
import fc from 'fast-check';
import { answerQuestion } from '../core/answers/index.ts';
import { findObjects, indexObjectMetadata } from '../core/search/index.ts';
import type { OwnerScope } from '../ports/unit-of-work.ts';
import { backends, type Backend } from './backends.ts';
import {
  aDocument,
  documentTexts,
  EVERYTHING,
  queries,
  indexDocuments,
  type Document,
} from './search-documents.ts';
import { newScope } from './samples.ts';
import { searchIndexContract } from './suites/search-index.ts';

const ALL = { limit: 100, offset: 0 };

const libraries = (maxLength = 8): fc.Arbitrary<readonly Document[]> =>
  fc
    .array(
      fc.record({
        text: documentTexts(),
        filename: fc.constantFrom('a.txt', 'rent.pdf', 'договор.docx'),
        times: fc.integer({ min: 1, max: 4 }),
        createdAt: fc.nat(2),
      }),
      { maxLength },
    )
    // Objects are placed as they come to be; some in one moment.
    .map((created) =>
      [...created]
        .sort((a, b) => a.createdAt - b.createdAt)
        .map(({ text, times, filename, createdAt }) =>
          aDocument(text.repeat(times), { filename, createdAt }),
        ),
    );

/** All that anybody can see of an index, as bytes. */
const seen = (backend: Backend, scope: OwnerScope, query: string): Promise<string> =>
  backend.uow.read(scope, async (stores) =>
    JSON.stringify([
      await findObjects(stores.search, query, EVERYTHING, ALL),
      await answerQuestion(stores, query, EVERYTHING),
    ]),
  );

for (const [name, open] of backends) {
  describe(`${name}: SearchIndex`, () => searchIndexContract(open));

  describe(`${name}: search`, function () {
    this.timeout(60_000);
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    it('returns identical bytes in worlds that differ only in hidden, trashed or foreign objects', () =>
      fc.assert(
        fc.asyncProperty(
          libraries(4),
          fc.array(
            fc.record({
              text: documentTexts(),
              before: fc.nat(4),
              fate: fc.constantFrom('hidden', 'hidden later', 'trashed', 'dropped', 'foreign'),
            }),
            { maxLength: 5 },
          ),
          queries(),
          async (visible, others, query) => {
            const [plain, crowded, stranger] = [newScope(), newScope(), newScope()];
            await backend.uow.write(plain, (stores) => indexDocuments(stores, visible));
            for (const at of [0, 1, 2, 3, 4]) {
              for (const { text, fate, before } of others) {
                if (before !== at) continue;
                const document = aDocument(text, { isHidden: fate === 'hidden' });
                const scope = fate === 'foreign' ? stranger : crowded;
                await backend.uow.write(scope, async (stores) => {
                  await indexDocuments(stores, [document]);
                  if (fate === 'dropped') {
                    await stores.search.drop(document.object.id);
                    await stores.objects.remove(document.object.id);
                    return;
                  }
                  const changed = {
                    ...document.object,
                    isHidden: fate.startsWith('hidden'),
                    deletedAt: fate === 'trashed' ? 1 : null,
                  };
                  await stores.objects.save(changed);
                  await indexObjectMetadata(stores.search, changed);
                });
              }
              await backend.uow.write(crowded, (stores) =>
                indexDocuments(stores, visible.slice(at, at + 1)),
              );
            }
            expect(await seen(backend, crowded, query)).to.equal(await seen(backend, plain, query));
          },
        ),
        { numRuns: 25 },
      ));

    it('lists every match once across pages, best first and the newest of equals', () =>
      fc.assert(
        fc.asyncProperty(
          libraries(12),
          queries(),
          fc.integer({ min: 1, max: 5 }),
          async (documents, query, limit) => {
            const scope = newScope();
            await backend.uow.write(scope, (stores) => indexDocuments(stores, documents));
            const page = (offset: number, size: number) =>
              backend.uow.read(scope, ({ search }) =>
                findObjects(search, query, EVERYTHING, { limit: size, offset }),
              );
            const whole = await page(0, 100);
            expect(whole.items).to.have.length(whole.total);
            const pieces = [];
            for (let offset = 0; offset <= whole.total; offset += limit)
              pieces.push(...(await page(offset, limit)).items);
            expect(pieces).to.deep.equal(whole.items);
            const objects = new Map(documents.map(({ object }) => [object.id, object]));
            const order = whole.items.map(({ objectId, score }) => ({
              objectId,
              score,
              createdAt: objects.get(objectId)?.createdAt ?? -1,
            }));
            expect(order).to.deep.equal(
              [...order].sort(
                (a, b) =>
                  b.score - a.score ||
                  b.createdAt - a.createdAt ||
                  (a.objectId < b.objectId ? 1 : -1),
              ),
            );
          },
        ),
        { numRuns: 25 },
      ));

    it('lists the unscored matches as well, below the scored ones', async () => {
      const scope = newScope();
      const documents = Array.from({ length: 420 }, (_, i) =>
        aDocument(i % 100 === 7 ? 'rent contract' : 'rent'),
      );
      await backend.uow.write(scope, (stores) => indexDocuments(stores, documents));
      const found: { objectId: string; score: number }[] = [];
      for (let offset = 0; offset < 420; offset += 100) {
        const { items, total } = await backend.uow.read(scope, ({ search }) =>
          findObjects(search, 'rent contract', EVERYTHING, { limit: 100, offset }),
        );
        expect(total).to.equal(420);
        found.push(...items);
      }
      expect(new Set(found.map(({ objectId }) => objectId)).size).to.equal(420);
      expect(found.map(({ score }) => score)).to.deep.equal(
        found.map(({ score }) => score).sort((a, b) => b - a),
      );
      const newestFirst = documents.map(({ object }) => object.id).reverse();
      const [both, rent] = [found.slice(0, 5), found.slice(5)];
      expect(both.map(({ objectId }) => objectId)).to.deep.equal(
        newestFirst.filter((_, i) => (419 - i) % 100 === 7),
      );
      expect(rent.map(({ objectId }) => objectId)).to.deep.equal(
        newestFirst.filter((_, i) => (419 - i) % 100 !== 7),
      );
    });
  });
}

describe('search with every database', function () {
  this.timeout(60_000);
  const opened: Backend[] = [];
  before(async () => {
    for (const [, open] of backends) opened.push(await open());
  });
  after(async () => {
    for (const backend of opened) await backend.close();
  });

  it('has the same ranking and scores', () =>
    fc.assert(
      fc.asyncProperty(
        libraries(),
        fc.array(queries(), { minLength: 1, maxLength: 3 }),
        async (documents, sought) => {
          const answers = new Set<string>();
          for (const backend of opened) {
            const scope = newScope();
            await backend.uow.write(scope, (stores) => indexDocuments(stores, documents));
            const all = [];
            for (const query of sought) all.push(await seen(backend, scope, query));
            answers.add(all.join('\n'));
          }
          expect(answers.size).to.equal(1);
        },
      ),
      { numRuns: 30 },
    ));
});
