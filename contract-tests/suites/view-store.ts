import { expect } from 'chai';
import fc from 'fast-check';
import type { SavedView } from '../../ports/views.ts';
import type { Backend } from '../backends.ts';
import { aView, newScope, views } from '../samples.ts';

const ALL = 1_000;

/** By position, then by creation time, then by id. */
const inOrder = (a: SavedView, b: SavedView): number =>
  a.position - b.position || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** The contract of every ViewStore. */
export function viewStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const scopeWith = async (saved: readonly SavedView[]) => {
    const scope = newScope();
    await backend.uow.write(scope, async (s) => {
      for (const view of saved) await s.views.save(view);
    });
    return scope;
  };

  it('`save` inserts or replaces, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(views(), views(), async (first, second) => {
        const replaced = { ...second, id: first.id };
        const scope = await scopeWith([first]);
        const find = () => backend.uow.read(scope, (s) => s.views.find(first.id));
        expect(await find()).to.deep.equal(first);
        await backend.uow.write(scope, (s) => s.views.save(replaced));
        expect(await find()).to.deep.equal(replaced);
        expect(await backend.uow.read(scope, (s) => s.views.list(ALL))).to.have.length(1);
      }),
      { numRuns: 30 },
    ));

  it('`list` returns the first views by position, then by creation time, then by id', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(views(), { maxLength: 8, selector: ({ id }) => id }),
        fc.nat(9),
        async (saved, limit) => {
          const scope = await scopeWith(saved);
          const listed = await backend.uow.read(scope, (s) => s.views.list(limit));
          expect(listed).to.deep.equal(saved.toSorted(inOrder).slice(0, limit));
        },
      ),
      { numRuns: 30 },
    ));

  it('`remove` removes that view only, and returns whether it existed', async () => {
    const [one, other] = [aView(), aView()];
    const scope = await scopeWith([one, other]);
    const remove = () => backend.uow.write(scope, (s) => s.views.remove(one.id));
    expect([await remove(), await remove()]).to.deep.equal([true, false]);
    expect(await backend.uow.read(scope, (s) => s.views.list(ALL))).to.deep.equal([other]);
  });

  it("Another owner's views are out of reach", async () => {
    const view = aView();
    const mine = await scopeWith([view]);
    const theirs = { ...mine, ownerId: newScope().ownerId };
    await backend.uow.write(theirs, async (s) => {
      expect(await s.views.find(view.id)).to.equal(undefined);
      expect(await s.views.list(ALL)).to.deep.equal([]);
      expect(await s.views.remove(view.id)).to.equal(false);
      await s.views.save({ ...view, name: 'theirs' });
    });
    expect(await backend.uow.read(mine, (s) => s.views.list(ALL))).to.deep.equal([view]);
  });
}
