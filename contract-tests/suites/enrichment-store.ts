import { expect } from 'chai';
import fc from 'fast-check';
import type { Backend } from '../backends.ts';
import { enrichments, newScope } from '../samples.ts';

/** The contract of every EnrichmentStore. */
export function enrichmentStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('`put` inserts or replaces, and `find` returns what was stored, field for field, entities of any shape included', () =>
    fc.assert(
      fc.asyncProperty(enrichments(), enrichments(), async (first, other) => {
        const scope = newScope();
        const next = { ...other, objectId: first.objectId };
        await backend.uow.write(scope, (s) => s.enrichments.put(first));
        const found = await backend.uow.read(scope, (s) => s.enrichments.find(first.objectId));
        expect(found).to.deep.equal(first);
        await backend.uow.write(scope, (s) => s.enrichments.put(next));
        const replaced = await backend.uow.read(scope, (s) => s.enrichments.find(first.objectId));
        expect(replaced).to.deep.equal(next);
      }),
      { numRuns: 25 },
    ));

  it('`findMany` returns those of the objects that have one, in no promised order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(enrichments(), { maxLength: 8 }), async (all) => {
        const scope = newScope();
        await backend.uow.write(scope, async (s) => {
          for (const each of all) await s.enrichments.put(each);
        });
        const requested = all.filter((_, n) => n % 2 === 0).map(({ objectId }) => objectId);
        const asked = [...requested, ...requested, 'missing'];
        const found = await backend.uow.read(scope, (s) => s.enrichments.findMany(asked));
        expect(found.map(({ objectId }) => objectId)).to.have.members([...new Set(requested)]);
      }),
      { numRuns: 10 },
    ));

  it("`remove` removes one object's enrichment only. Removing a missing one changes nothing", () =>
    fc.assert(
      fc.asyncProperty(enrichments(), enrichments(), async (gone, stored) => {
        const scope = newScope();
        const found = await backend.uow.write(scope, async (s) => {
          await s.enrichments.put(gone);
          await s.enrichments.put(stored);
          await s.enrichments.remove(gone.objectId);
          await s.enrichments.remove('missing');
          return [
            await s.enrichments.find(gone.objectId),
            await s.enrichments.find(stored.objectId),
          ];
        });
        expect(found).to.deep.equal([undefined, stored]);
      }),
      { numRuns: 10 },
    ));

  it("Another owner's enrichments are out of reach", () =>
    fc.assert(
      fc.asyncProperty(enrichments(), async (mine) => {
        const [scope, other] = [newScope(), newScope()];
        await backend.uow.write(scope, (s) => s.enrichments.put(mine));
        await backend.uow.write(other, async (s) => {
          expect(await s.enrichments.find(mine.objectId)).to.equal(undefined);
          expect(await s.enrichments.findMany([mine.objectId])).to.deep.equal([]);
          await s.enrichments.remove(mine.objectId);
        });
        const found = await backend.uow.read(scope, (s) => s.enrichments.find(mine.objectId));
        expect(found).to.deep.equal(mine);
      }),
      { numRuns: 10 },
    ));
}
