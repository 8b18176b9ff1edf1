import { expect } from 'chai';
import type { Task } from '../../ports/tasks.ts';
import type { Backend } from '../backends.ts';
import { anObject, aTask, newId, newScope } from '../samples.ts';

/** The contract of every InstallationCounts. The backend has to be empty: sizes of other suites exceed 2^53 in sum. */
export function installationCountsContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const save = async (...tasks: readonly Task[]): Promise<void> => {
    await backend.uow.write(newScope(), async (stores) => {
      for (const task of tasks) await stores.tasks.save(task);
    });
  };

  it('`queues` counts the tasks of all owners by kind and state, in the order of the kinds, with the first due moment', async () => {
    const name = newId();
    const [first, second] = [`${name}.a`, `${name}.b`];
    await save(
      aTask({ kind: second, dueAt: 70 }),
      aTask({ kind: second, dueAt: 30 }),
      aTask({ kind: second, dueAt: 5, state: 'failed', error: 'why' }),
    );
    await save(
      aTask({ kind: second, dueAt: 40 }),
      aTask({ kind: first, dueAt: 9, state: 'running', leaseUntil: 99 }),
    );
    const queues = await backend.installationCounts.queues();
    expect(queues.filter(({ kind }) => kind.startsWith(name))).to.deep.equal([
      { kind: first, waiting: 0, running: 1, failed: 0, oldestDueAt: null },
      { kind: second, waiting: 3, running: 0, failed: 1, oldestDueAt: 30 },
    ]);
  });

  it('`queues` does not count tasks that work on a hidden object', async () => {
    const kind = newId();
    const [shown, hidden] = [anObject(), anObject({ isHidden: true })];
    await backend.uow.write(newScope(), async ({ objects, tasks }) => {
      for (const object of [shown, hidden]) {
        await objects.save(object);
        await tasks.save(aTask({ kind, subject: object.id, dueAt: 3 }));
      }
    });
    const queues = await backend.installationCounts.queues();
    expect(queues.filter((queue) => queue.kind === kind)).to.deep.equal([
      { kind, waiting: 1, running: 0, failed: 0, oldestDueAt: 3 },
    ]);
  });

  it('`visibleFiles` counts the objects of all owners and the bytes of their current versions, without hidden ones', async () => {
    const before = await backend.installationCounts.visibleFiles();
    for (const sizes of [[10, 2 ** 40], [10]])
      await backend.uow.write(newScope(), async ({ objects }) => {
        for (const size of sizes) await objects.save(anObject({ size }));
        await objects.save(anObject({ size: 500, isHidden: true }));
      });
    const after = await backend.installationCounts.visibleFiles();
    expect([after.files - before.files, after.bytes - before.bytes]).to.deep.equal([
      3,
      20 + 2 ** 40,
    ]);
  });
}
