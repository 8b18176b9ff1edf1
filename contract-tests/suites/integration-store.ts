import { expect } from 'chai';
import fc from 'fast-check';
import {
  INTEGRATION_KINDS,
  type IntegrationKind,
  type IntegrationStore,
} from '../../ports/integrations.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { integrations, newScope } from '../samples.ts';

/** The contract of every IntegrationStore. */
export function integrationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const find = (scope: OwnerScope, kind: IntegrationKind) =>
    backend.uow.read(scope, (s) => s.integrations.find(kind));

  it('A connection is found by its kind, field for field, and replaced by a later one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(integrations(), { minLength: 1, maxLength: 6 }),
        async (several) => {
          const scope = newScope();
          for (const kind of INTEGRATION_KINDS) expect(await find(scope, kind)).to.equal(undefined);
          for (const each of several)
            await backend.uow.write(scope, (s) => s.integrations.put(each));
          for (const kind of INTEGRATION_KINDS)
            expect(await find(scope, kind)).to.deep.equal(
              several.findLast((each) => each.kind === kind),
            );
        },
      ),
      { numRuns: 30 },
    ));

  it('`remove` returns whether the connection existed, and removes that kind only', () =>
    fc.assert(
      fc.asyncProperty(integrations(), integrations(), async (one, another) => {
        const scope = newScope();
        const remove = (kind: IntegrationKind) =>
          backend.uow.write(scope, (s) => s.integrations.remove(kind));
        expect(await remove('llm')).to.equal(false);
        const s3 = { ...another, kind: 's3' as const };
        await backend.uow.write(scope, async (s) => {
          await s.integrations.put({ ...one, kind: 'llm' });
          await s.integrations.put(s3);
        });
        expect([await remove('llm'), await remove('llm')]).to.deep.equal([true, false]);
        expect([await find(scope, 'llm'), await find(scope, 's3')]).to.deep.equal([undefined, s3]);
      }),
      { numRuns: 10 },
    ));

  it('`retire` stores or replaces a retired bucket by its id, field for field, and `forgetRetired` removes only that one', async () => {
    const [scope, elsewhere] = [newScope(), newScope()];
    const retired = () => backend.uow.read(scope, (s) => s.integrations.retired());
    const write = (work: (store: IntegrationStore) => Promise<void>) =>
      backend.uow.write(scope, (s) => work(s.integrations));
    const one = { id: 'a', config: { bucket: 'papers', prefix: 'é' }, sealedSecret: 'sealed' };
    const other = { id: 'b', config: {}, sealedSecret: null };
    expect(await retired()).to.deep.equal([]);
    await write((store) => store.retire(other));
    await write((store) => store.retire({ ...one, sealedSecret: null }));
    await write((store) => store.retire(one));
    expect(await retired()).to.deep.equal([one, other]);
    expect(await find(scope, 's3')).to.equal(undefined);
    await backend.uow.write(elsewhere, (s) => s.integrations.forgetRetired('a'));
    expect(await backend.uow.read(elsewhere, (s) => s.integrations.retired())).to.deep.equal([]);
    await write((store) => store.forgetRetired('a'));
    expect(await retired()).to.deep.equal([other]);
  });

  it("Another owner's connections are out of reach", () =>
    fc.assert(
      fc.asyncProperty(integrations(), integrations(), async (mine, other) => {
        const [scope, elsewhere] = [newScope(), newScope()];
        const theirs = { ...other, kind: mine.kind };
        await backend.uow.write(scope, (s) => s.integrations.put(mine));
        await backend.uow.write(elsewhere, async (s) => {
          expect(await s.integrations.find(mine.kind)).to.equal(undefined);
          expect(await s.integrations.remove(mine.kind)).to.equal(false);
          await s.integrations.put(theirs);
        });
        expect(await find(scope, mine.kind)).to.deep.equal(mine);
        expect(await find(elsewhere, mine.kind)).to.deep.equal(theirs);
      }),
      { numRuns: 10 },
    ));
}
