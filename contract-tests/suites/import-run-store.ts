import { expect } from 'chai';
import fc from 'fast-check';
import { IMPORT_KINDS, IMPORT_STATES, type ImportRun } from '../../ports/import-runs.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anImportRun, newId, newScope, orNull, texts } from '../samples.ts';

const runs = (): fc.Arbitrary<ImportRun> =>
  fc
    .record({
      kind: fc.constantFrom(...IMPORT_KINDS),
      filename: texts(),
      state: fc.constantFrom(...IMPORT_STATES),
      isConcealed: fc.boolean(),
      done: fc.nat(2 ** 40),
      total: orNull(fc.nat(2 ** 40)),
      report: orNull(fc.record({ created: fc.nat(9), errors: fc.array(texts()) })),
      code: orNull(texts()),
      leaseUntil: fc.nat(2 ** 40),
      createdAt: fc.nat(2 ** 40),
      updatedAt: fc.nat(2 ** 40),
    })
    .map((run) => anImportRun(run));

/** The contract of every ImportRunStore. */
export function importRunStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const save = (scope: OwnerScope, ...all: readonly ImportRun[]) =>
    backend.uow.write(scope, async ({ importRuns }) => {
      for (const each of all) await importRuns.save(each);
    });
  const find = (scope: OwnerScope, { id }: ImportRun) =>
    backend.uow.read(scope, ({ importRuns }) => importRuns.find(id));
  const newest = (scope: OwnerScope, limit = 100) =>
    backend.uow.read(scope, ({ importRuns }) => importRuns.newest(limit));

  it('`save` inserts or replaces a run, and `find` and `findByKey` return what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(runs(), runs(), async (run, other) => {
        const scope = newScope();
        await save(scope, run, anImportRun());
        expect(await find(scope, run)).to.deep.equal(run);
        const changed = { ...other, id: run.id };
        await save(scope, changed);
        const byKey = (key: string) =>
          backend.uow.read(scope, ({ importRuns }) => importRuns.findByKey(key));
        expect(await find(scope, run)).to.deep.equal(changed);
        expect(await byKey(changed.key)).to.deep.equal(changed);
        expect(await byKey(run.key)).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`newest` returns runs by creation, newest first, at most `limit`', async () => {
    const scope = newScope();
    const [old, middle, young] = [1, 2, 3].map((createdAt) => anImportRun({ createdAt }));
    await save(scope, middle!, young!, old!);
    expect(await newest(scope)).to.deep.equal([young, middle, old]);
    expect(await newest(scope, 2)).to.deep.equal([young, middle]);
  });

  it('`removeOld` removes the runs created before a moment and those that are not among the `newest`, and no others', async () => {
    const scope = newScope();
    const all = [1, 2, 3, 4].map((createdAt) => anImportRun({ createdAt }));
    await save(scope, ...all);
    const removeOld = (before: number, remaining: number) =>
      backend.uow.write(scope, ({ importRuns }) => importRuns.removeOld(before, remaining));
    await removeOld(2, 9);
    expect(await newest(scope)).to.deep.equal([all[3], all[2], all[1]]);
    await removeOld(2, 2);
    expect(await newest(scope)).to.deep.equal([all[3], all[2]]);
  });

  it('`remove` removes a run and says whether it existed', async () => {
    const scope = newScope();
    const [run, stays] = [anImportRun(), anImportRun()];
    await save(scope, run, stays);
    const remove = (id: string) =>
      backend.uow.write(scope, ({ importRuns }) => importRuns.remove(id));
    expect(await remove(run.id)).to.equal(true);
    expect(await remove(run.id)).to.equal(false);
    expect(await remove(newId())).to.equal(false);
    expect(await newest(scope)).to.deep.equal([stays]);
  });

  it("Another owner's runs are out of reach", async () => {
    const [scope, other] = [newScope(), newScope()];
    const run = anImportRun();
    await save(scope, run);
    await backend.uow.write(other, async ({ importRuns }) => {
      expect(await importRuns.find(run.id)).to.equal(undefined);
      expect(await importRuns.findByKey(run.key)).to.equal(undefined);
      expect(await importRuns.newest(9)).to.deep.equal([]);
      expect(await importRuns.remove(run.id)).to.equal(false);
      await importRuns.removeOld(9_000, 0);
      await importRuns.save({ ...run, filename: 'other.zip' });
    });
    expect(await find(scope, run)).to.deep.equal(run);
  });
}
