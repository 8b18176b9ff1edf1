import { expect } from 'chai';
import fc from 'fast-check';
import type { Backend } from '../backends.ts';
import { newScope, settings } from '../samples.ts';

/** The contract of every SettingsStore. */
export function settingsStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('Nothing is found until settings are stored. A second `put` replaces. Settings are returned field for field, with any keys', () =>
    fc.assert(
      fc.asyncProperty(settings(), settings(), async (first, next) => {
        const scope = newScope();
        const find = () => backend.uow.read(scope, (s) => s.settings.find());
        expect(await find()).to.equal(undefined);
        await backend.uow.write(scope, (s) => s.settings.put(first));
        expect(await find()).to.deep.equal(first);
        await backend.uow.write(scope, (s) => s.settings.put(next));
        expect(await find()).to.deep.equal(next);
      }),
      { numRuns: 30 },
    ));

  it("Another owner's settings are out of reach", () =>
    fc.assert(
      fc.asyncProperty(settings(), settings(), async (mine, theirs) => {
        const [scope, other] = [newScope(), newScope()];
        await backend.uow.write(scope, (s) => s.settings.put(mine));
        await backend.uow.write(other, async (s) => {
          expect(await s.settings.find()).to.equal(undefined);
          await s.settings.put(theirs);
        });
        expect(await backend.uow.read(scope, (s) => s.settings.find())).to.deep.equal(mine);
      }),
      { numRuns: 10 },
    ));
}
