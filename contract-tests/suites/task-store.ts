import { expect } from 'chai';
import fc from 'fast-check';
import type { Task } from '../../ports/tasks.ts';
import type { Backend } from '../backends.ts';
import {
  aTask,
  anObject,
  names,
  newId,
  newScope,
  orNull,
  structures,
  texts,
  wholes,
} from '../samples.ts';

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

  it('`nextWaiting` returns the waiting task of a kind with the earliest `dueAt`, due or not, then the oldest', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const kind = 'object.enrich';
    const due = { kind, dueAt: 9e12 };
    const next = aTask({ ...due, createdAt: 4 });
    await backend.uow.write(theirs, (s) => s.tasks.save(aTask({ kind, dueAt: 1 })));
    const found = await backend.uow.write(mine, async (s) => {
      const none = await s.tasks.nextWaiting(kind);
      await s.tasks.save(aTask({ ...due, createdAt: 5 }));
      await s.tasks.save(next);
      await s.tasks.save(aTask({ kind, dueAt: 9.5e12, createdAt: 1 }));
      for (const state of ['running', 'failed'] as const)
        await s.tasks.save(aTask({ kind, state, dueAt: 2 }));
      await s.tasks.save(aTask({ dueAt: 2 }));
      return [none, await s.tasks.nextWaiting(kind)];
    });
    expect(found).to.deep.equal([undefined, next]);
  });

  it('`expedite` makes the waiting tasks of a kind due at a moment at the latest, and changes no others', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const kind = 'object.enrich';
    const late = aTask({ kind, dueAt: 900 });
    const others = [
      aTask({ kind, dueAt: 100 }),
      aTask({ kind, dueAt: 900, state: 'running', leaseUntil: 950 }),
      aTask({ kind, dueAt: 900, state: 'failed' }),
      aTask({ dueAt: 900 }),
    ];
    const foreign = aTask({ kind, dueAt: 900 });
    await backend.uow.write(theirs, (s) => s.tasks.save(foreign));
    await backend.uow.write(mine, async (s) => {
      for (const task of [late, ...others]) await s.tasks.save(task);
      await s.tasks.expedite(kind, 500);
    });
    const found = await backend.uow.read(mine, (s) =>
      Promise.all([late, ...others].map(({ id }) => s.tasks.find(id))),
    );
    expect(found).to.deep.equal([{ ...late, dueAt: 500 }, ...others]);
    expect(await backend.uow.read(theirs, (s) => s.tasks.find(foreign.id))).to.deep.equal(foreign);
    const due = await backend.directory.dueTasks(500, 1_000, { only: [kind] });
    expect(due.some(({ id }) => id === late.id)).to.equal(true);
  });

  it('`countDelayed` counts the objects with a waiting or running task of a kind that has an error, which is the error of the last attempt. Hidden and trashed objects are not counted', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const kind = 'object.enrich';
    const [one, two, plain] = [anObject(), anObject(), anObject()];
    const unseen = [anObject({ isHidden: true }), anObject({ deletedAt: 5 })];
    const task = (subject: string, over: Partial<Task> = {}) =>
      aTask({ kind, subject, error: 'Busy.', ...over });
    const count = (scope: typeof mine) =>
      backend.uow.read(scope, (s) => s.tasks.countDelayed(kind));
    await backend.uow.write(mine, async (s) => {
      for (const object of [one, two, plain, ...unseen]) await s.objects.save(object);
      await s.tasks.save(task(one.id));
      await s.tasks.save(task(one.id));
      await s.tasks.save(task(two.id, { state: 'running', leaseUntil: 9 }));
      await s.tasks.save(task(plain.id, { error: null }));
      await s.tasks.save(task(plain.id, { state: 'failed' }));
      await s.tasks.save(task(plain.id, { kind: 'other' }));
      for (const { id } of unseen) await s.tasks.save(task(id));
      await s.tasks.save(task(newId()));
    });
    expect([await count(mine), await count(theirs)]).to.deep.equal([2, 0]);
  });
}
