import { expect } from 'chai';
import fc from 'fast-check';
import type { Task } from '../../ports/tasks.ts';
import type { Backend } from '../backends.ts';
import { aTask, names, newId, newScope, orNull, structures, texts, wholes } from '../samples.ts';

const tasks = (): fc.Arbitrary<Task> =>
  fc
    .record({
      kind: names(),
      subject: names(),
      payload: structures(),
      state: fc.constantFrom('waiting', 'running', 'failed'),
      attempts: wholes(),
      dueAt: wholes(),
      leaseUntil: orNull(wholes()),
      error: orNull(texts()),
      createdAt: wholes(),
    })
    .map((task) => ({ id: newId(), ...task }));

/** The contract of every TaskStore. */
export function taskStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('`save` inserts or replaces, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(tasks(), tasks(), async (task, next) => {
        const [mine, theirs] = [newScope(), newScope()];
        const replaced = { ...next, id: task.id };
        const found = await backend.uow.write(mine, async (s) => {
          await s.tasks.save(task);
          const first = await s.tasks.find(task.id);
          await s.tasks.save(replaced);
          return [first, await s.tasks.find(task.id)];
        });
        expect(found).to.deep.equal([task, replaced]);
        expect(await backend.uow.read(theirs, (s) => s.tasks.find(task.id))).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`remove` removes a task. Removing a missing one changes nothing', async () => {
    const scope = newScope();
    const [gone, stored] = [aTask(), aTask()];
    await backend.uow.write(scope, async (s) => {
      for (const task of [gone, stored]) await s.tasks.save(task);
      await s.tasks.remove(gone.id);
      await s.tasks.remove(gone.id);
    });
    await backend.uow.write(newScope(), (s) => s.tasks.remove(stored.id));
    const found = await backend.uow.read(scope, async (s) => [
      await s.tasks.find(gone.id),
      await s.tasks.find(stored.id),
    ]);
    expect(found).to.deep.equal([undefined, stored]);
  });

  it('`findFor` returns the tasks of one kind for a subject, oldest first, in any state', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const subject = newId();
    const kind = 'object.read';
    const second = aTask({ subject, kind, createdAt: 5, state: 'running', leaseUntil: 9 });
    const first = aTask({ subject, kind, createdAt: 4, state: 'failed' });
    const third = aTask({ subject, kind, createdAt: 5 });
    await backend.uow.write(theirs, (s) => s.tasks.save(aTask({ subject, kind })));
    const found = await backend.uow.write(mine, async (s) => {
      for (const task of [third, second, first]) await s.tasks.save(task);
      await s.tasks.save(aTask({ subject, kind: 'other' }));
      await s.tasks.save(aTask({ kind }));
      return [await s.tasks.findFor(subject, kind), await s.tasks.findFor('nobody', kind)];
    });
    expect(found).to.deep.equal([[first, second, third], []]);
  });

  it('`removeFor` removes every task of the subject and no other', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const subject = newId();
    const [first, second, other] = [aTask({ subject }), aTask({ subject }), aTask()];
    const foreign = aTask({ subject });
    await backend.uow.write(theirs, (s) => s.tasks.save(foreign));
    await backend.uow.write(mine, async (s) => {
      for (const task of [first, second, other]) await s.tasks.save(task);
      await s.tasks.removeFor(subject);
      await s.tasks.removeFor('nobody');
    });
    const left = await backend.uow.read(mine, async (s) => [
      await s.tasks.find(first.id),
      await s.tasks.find(second.id),
      await s.tasks.find(other.id),
    ]);
    expect(left).to.deep.equal([undefined, undefined, other]);
    expect(await backend.uow.read(theirs, (s) => s.tasks.find(foreign.id))).to.deep.equal(foreign);
  });
}
