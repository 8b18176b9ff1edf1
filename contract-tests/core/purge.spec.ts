import { expect } from 'chai';
import { UnavailableError } from '../../ports/errors.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends } from '../backends.ts';
import { openCoreFixture } from './core-fixture.ts';

const DAY_MS = 86_400_000;

describe('purging the trash', () => {
  /** A trash of old objects of which one cannot be deleted. */
  async function aTrash(count: number, failure: Error) {
    const [, open] = backends.find(([name]) => name === 'memory') ?? [];
    if (!open) throw new Error('It needs the memory backend.');
    const backend = await open();
    let poisoned = '';
    const damaged = (stores: Stores): Stores => ({
      ...stores,
      texts: {
        ...stores.texts,
        remove: (id) => (id === poisoned ? Promise.reject(failure) : stores.texts.remove(id)),
      },
    });
    const uow: UnitOfWork = {
      read: (scope, work) => backend.uow.read(scope, work),
      write: (scope, work) => backend.uow.write(scope, (stores) => work(damaged(stores))),
    };
    const world = await openCoreFixture({ ...backend, uow });
    const { objects } = world.core;
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const { object } = await objects.addNote(world.caller, { content: `note ${i}` });
      ids.push(object.id);
      world.now += 1;
      await objects.deleteObject(world.caller, object.id, false);
    }
    await world.runPendingTasks();
    const left = async () => {
      const page = { limit: 1, offset: 0 };
      return (await objects.listObjects(world.caller, { trashed: true }, page)).total;
    };
    return { world, ids, left, poison: (id: string) => (poisoned = id) };
  }

  it('continues after an object that cannot be deleted, and reports it', async () => {
    const { world, ids, left, poison } = await aTrash(5, new Error('broken'));
    poison(ids[0] ?? '');
    world.now += 31 * DAY_MS;
    const purge = () => world.core.background.purgeTrash();
    const error = await purge().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.equal('Error: broken');
    expect(await left()).to.equal(1);
    poison('');
    expect(await purge()).to.equal(1);
    expect([await left(), await purge()]).to.deep.equal([0, 0]);
  });

  it('stops at an outage, which would affect the next object as well', async () => {
    const { world, ids, left, poison } = await aTrash(5, new UnavailableError('database', 'away'));
    poison(ids[2] ?? '');
    world.now += 31 * DAY_MS;
    const error = await world.core.background.purgeTrash().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(UnavailableError);
    expect(await left()).to.equal(3);
  });

  it('yields after every object', async () => {
    const { world, ids } = await aTrash(20, new Error('none'));
    world.now += 31 * DAY_MS;
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    expect(await world.core.background.purgeTrash()).to.equal(ids.length);
    clearImmediate(next);
    expect(turns).to.be.at.least(ids.length - 1);
  });

  it('leaves the rest to the next run when it is interrupted', async () => {
    const { world, ids, left } = await aTrash(7, new Error('none'));
    world.now += 31 * DAY_MS;
    let requested = 0;
    expect(await world.core.background.purgeTrash(() => ++requested <= 3)).to.equal(3);
    expect(await left()).to.equal(4);
    expect(await world.core.background.purgeTrash()).to.equal(ids.length - 3);
  });

  it('deletes exactly the objects past their retention, in any number', async () => {
    const { world, ids, left } = await aTrash(250, new Error('none'));
    world.now += 30 * DAY_MS - 1_000;
    expect(await world.core.background.purgeTrash()).to.equal(0);
    expect(await left()).to.equal(ids.length);
    world.now += 2_000;
    expect(await world.core.background.purgeTrash()).to.equal(ids.length);
    expect(await left()).to.equal(0);
  });
});
