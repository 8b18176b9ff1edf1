import { expect } from 'chai';
import fc from 'fast-check';
import type { Backend } from '../backends.ts';
import { linkPreviews, newScope } from '../samples.ts';

/** The contract of every LinkStore. */
export function linkStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it("`find` returns what was stored, field for field. A second `put` replaces. Another owner's previews are out of reach", () =>
    fc.assert(
      fc.asyncProperty(linkPreviews(), linkPreviews(), async (preview, other) => {
        const [mine, theirs] = [newScope(), newScope()];
        const next = { ...other, objectId: preview.objectId };
        const found = await backend.uow.write(mine, async ({ links }) => {
          const seen = [await links.find(preview.objectId)];
          await links.put(preview);
          seen.push(await links.find(preview.objectId));
          await links.put(next);
          return seen;
        });
        expect(found).to.deep.equal([undefined, preview]);
        const look = (scope: typeof mine) =>
          backend.uow.read(scope, ({ links }) => links.find(preview.objectId));
        expect([await look(mine), await look(theirs)]).to.deep.equal([next, undefined]);
      }),
      { numRuns: 25 },
    ));

  it('`remove` removes a preview and returns it, so that its image can be released. A missing one is not an error', () =>
    fc.assert(
      fc.asyncProperty(linkPreviews(), linkPreviews(), async (gone, stored) => {
        const scope = newScope();
        const remove = (who: typeof scope, id: string) =>
          backend.uow.write(who, ({ links }) => links.remove(id));
        await backend.uow.write(scope, async ({ links }) => {
          await links.put(gone);
          await links.put(stored);
        });
        expect(await remove(newScope(), gone.objectId)).to.equal(undefined);
        expect(await remove(scope, gone.objectId)).to.deep.equal(gone);
        expect(await remove(scope, gone.objectId)).to.equal(undefined);
        const left = await backend.uow.read(scope, async ({ links }) => [
          await links.find(gone.objectId),
          await links.find(stored.objectId),
        ]);
        expect(left).to.deep.equal([undefined, stored]);
      }),
      { numRuns: 15 },
    ));
}
