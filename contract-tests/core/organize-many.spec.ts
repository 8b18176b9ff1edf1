import { expect } from 'chai';
import { prepare } from '../../core/organize/prepare.ts';
import { indexObjectMetadata } from '../../core/search/index.ts';
import type { DocType } from '../../ports/objects.ts';
import type { ReorganizationScope } from '../../ports/reorganizations.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends } from '../backends.ts';
import { anObject } from '../samples.ts';
import { openCoreFixture } from './core-fixture.ts';

/** Fewer than the objects, so that some are assigned without being part of the study. */
const BOUNDS = { studied: 10, atOnce: 7, considered: 1_000 };

/** A run over these objects, newest first in the list, whose planner studies only a few of them. */
async function organized(
  types: readonly DocType[],
  scope: ReorganizationScope,
  bounds = BOUNDS,
  dryRun = false,
) {
  const [, open] = backends.find(([name]) => name === 'memory') ?? [];
  if (!open) throw new Error('It needs the memory backend.');
  const backend = await open();
  const world = await openCoreFixture(backend);
  const { core, caller } = world;
  const objects = types.map((docType, i) =>
    anObject({ docType, filename: `${i}.dat`, kind: 'other', createdAt: 10_000 - i }),
  );
  await backend.uow.write(caller.scope, async (stores) => {
    for (const object of objects) {
      await stores.objects.save(object);
      await indexObjectMetadata(stores.search, object);
    }
  });
  const { taskId } = await core.organize.startReorganization(caller, { scope, dryRun });
  const task = await backend.uow.read(caller.scope, ({ tasks }) => tasks.find(taskId));
  if (!task) throw new Error('The run has no task.');
  let ids = 0;
  const random = { uuid: () => `place-${++ids}`, secret: () => '' };
  let units = 0;
  let mostUnits = 0;
  const uow: UnitOfWork = {
    read: (owner, work) => {
      mostUnits = Math.max(mostUnits, ++units);
      return backend.uow.read(owner, work);
    },
    write: (owner, work) => {
      mostUnits = Math.max(mostUnits, ++units);
      return backend.uow.write(owner, work);
    },
  };
  const scheduler = { yield: async () => void (units = 0) };
  const deps = { uow, scheduler, clock: { now: () => 1 }, random };
  await prepare(deps, caller.scope, task, bounds);
  await world.runPendingTasks();
  const { run } = await core.organize.getReorganization(caller, taskId);
  const where = await backend.uow.read(caller.scope, async (stores) => {
    const found = await stores.objects.findMany(objects.map(({ id }) => id));
    const folders = await stores.collections.page({}, { limit: 100, offset: 0 });
    const names = new Map(folders.items.map(({ id, name }) => [id, name]));
    const at = new Map(found.map((each) => [each.id, names.get(each.collectionId ?? '') ?? '']));
    return objects.map(({ id }) => at.get(id));
  });
  const stored = await backend.uow.read(caller.scope, ({ reorganizations }) =>
    reorganizations.moves(taskId, dryRun ? 'planned' : 'moved', -1, 10_000),
  );
  return { run, where, mostUnits, kept: stored.length };
}

const times = (count: number, docType: DocType): readonly DocType[] =>
  Array.from({ length: count }, () => docType);

describe('a reorganization of more objects than one plan is derived from', () => {
  for (const scope of ['uncategorized', 'all'] as const)
    it(`assigns objects outside the study like similar ones: ${scope}`, async () => {
      const types = [...times(5, 'invoice'), ...times(5, 'contract'), ...times(40, 'invoice')];
      const { run, where } = await organized(types, scope);
      const counted = { state: 'SUCCESS', total: 50, processed: 50, moved: 50, skipped: 0 };
      expect(run).to.include({ ...counted, createdFolders: 2 });
      expect(where.slice(10)).to.deep.equal(times(40, 'invoice').map(() => 'Invoices'));
    });

  for (const scope of ['uncategorized', 'all'] as const)
    it(`reaches the older objects although the newest have no match: ${scope}`, async () => {
      const types = [...times(30, 'other'), ...times(12, 'invoice')];
      const { run, where } = await organized(types, scope);
      expect(run).to.include({ total: 42, processed: 42, moved: 12, skipped: 30 });
      expect(where).to.deep.equal([
        ...times(30, 'other').map(() => ''),
        ...times(12, 'invoice').map(() => 'Invoices'),
      ]);
    });

  it('returns the same result in a dry run', async () => {
    const types = [...times(30, 'other'), ...times(12, 'invoice'), ...times(9, 'contract')];
    const real = await organized(types, 'all');
    const dry = await organized(types, 'all', BOUNDS, true);
    const counters = (run: typeof dry.run) => [run.total, run.processed, run.moved, run.skipped];
    expect(counters(dry.run)).to.deep.equal(counters(real.run));
    expect(dry.run.createdFolders).to.equal(real.run.createdFolders);
    expect(new Set(dry.where)).to.deep.equal(new Set(['']));
  });

  it('counts objects beyond its limit as skipped', async () => {
    const bounds = { ...BOUNDS, considered: 20 };
    const { run } = await organized(times(50, 'invoice'), 'uncategorized', bounds);
    expect(run).to.include({ total: 50, processed: 50, moved: 20, skipped: 30 });
  });

  it('yields to other work, however many moves are stored', async () => {
    const bounds = { studied: 5_000, atOnce: 500, considered: 5_000 };
    const { run, mostUnits } = await organized(times(3_000, 'invoice'), 'all', bounds);
    expect(run.moved).to.equal(3_000);
    expect(mostUnits).to.be.at.most(8);
  }).timeout(20_000);

  it('stores all moves of a dry run, and of another run', async () => {
    const bounds = { studied: 5_000, atOnce: 500, considered: 5_000 };
    const invoices = times(700, 'invoice');
    const dry = await organized(invoices, 'all', bounds, true);
    expect([dry.run.moved, dry.kept]).to.deep.equal([700, 700]);
    const real = await organized(invoices, 'all', bounds);
    expect([real.run.moved, real.kept]).to.deep.equal([700, 700]);
  });
});
