import { expect } from 'chai';
import fc from 'fast-check';
import {
  MAX_NOTIFICATIONS,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationVisibility,
} from '../../ports/notifications.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { aNotification, newId, newScope, orNull, texts, wholes } from '../samples.ts';

const EVERYTHING = { limit: 1e6, offset: 0 };
const SIGHTS: readonly NotificationVisibility[] = ['visible', 'any'];
const OBJECTS = ['o1', 'o2', 'o3'];

/** Operations on a store, with notifications identified by their insertion index. */
type Command =
  | { readonly do: 'add'; readonly objectId: string | null; readonly createdAt: number }
  | {
      readonly do: 'read' | 'remove';
      readonly which: number;
      readonly sight: NotificationVisibility;
    }
  | { readonly do: 'readAll'; readonly sight: NotificationVisibility }
  | { readonly do: 'hide' | 'unhide' | 'forget'; readonly objectId: string };

const anObjectId = fc.constantFrom(...OBJECTS);
const sight = fc.constantFrom(...SIGHTS);
const commands = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('add'),
        objectId: orNull(anObjectId),
        createdAt: fc.integer({ min: 1, max: 4 }),
      }),
    },
    fc.record({ do: fc.constantFrom('read', 'remove'), which: fc.nat(6), sight }),
    fc.record({ do: fc.constant('readAll'), sight }),
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('hide', 'unhide'), objectId: anObjectId }),
    },
    fc.record({ do: fc.constant('forget'), objectId: anObjectId }),
  ),
  { maxLength: 14 },
) as fc.Arbitrary<Command[]>;

const newestFirst = (a: Notification, b: Notification) =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

/** The contract of every NotificationStore. */
export function notificationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Store = Stores['notifications'];
  const write = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.write(scope, (s) => work(s.notifications));
  const read = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.notifications));
  const addAll = (scope: OwnerScope, all: readonly Notification[]) =>
    write(scope, async (s) => {
      for (const each of all) await s.add(each);
    });
  const idsOf = async (scope: OwnerScope, of: NotificationVisibility, unreadOnly = false) =>
    (await read(scope, (s) => s.page(of, unreadOnly, EVERYTHING))).items.map(({ id }) => id);

  it('`page` returns added notifications, field for field, newest first, then by id, descending, in pages without gaps or duplicates', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            kind: fc.constantFrom(...NOTIFICATION_KINDS),
            title: texts(),
            body: texts(),
            payload: fc.dictionary(texts(), orNull(texts()), { noNullPrototype: true }),
            objectId: orNull(anObjectId),
            isHidden: fc.boolean(),
            readAt: orNull(wholes()),
            createdAt: fc.integer({ min: 1, max: 3 }),
          }),
          { maxLength: 7 },
        ),
        fc.integer({ min: 1, max: 3 }),
        async (records, limit) => {
          const scope = newScope();
          const all = records.map((record) => aNotification(record));
          await addAll(scope, all);
          const paged: Notification[] = [];
          for (let offset = 0; offset <= all.length; offset += limit) {
            const page = await read(scope, (s) => s.page('any', false, { limit, offset }));
            expect(page.total).to.equal(all.length);
            paged.push(...page.items);
          }
          expect(paged).to.deep.equal(all.toSorted(newestFirst));
        },
      ),
      { numRuns: 15 },
    ));

  it('Visibility and `unreadOnly` narrow a page. Its total counts all matches. `unread` counts the unread ones of the visibility, regardless of other filters', () =>
    fc.assert(
      fc.asyncProperty(commands, async (all) => {
        const scope = newScope();
        let model: Notification[] = [];
        const hidden = new Set<string>();
        const added: string[] = [];
        for (const [i, command] of all.entries()) {
          const at = 100 + i;
          await write(scope, (s) => apply(s, command, at));
          for (const of of SIGHTS)
            for (const unreadOnly of [false, true]) {
              const seen = model.filter((each) => of === 'any' || !each.isHidden);
              const unread = seen.filter(({ readAt }) => readAt === null);
              const expected = (unreadOnly ? unread : seen).toSorted(newestFirst);
              const page = await read(scope, (s) =>
                s.page(of, unreadOnly, { limit: 3, offset: 1 }),
              );
              expect(page).to.deep.equal({
                items: expected.slice(1, 4),
                total: expected.length,
                unread: unread.length,
              });
            }
        }

        async function apply(store: Store, command: Command, at: number): Promise<void> {
          const which = 'which' in command ? (added[command.which % added.length] ?? newId()) : '';
          const inSight = (each: Notification) =>
            !('sight' in command) || command.sight === 'any' || !each.isHidden;
          switch (command.do) {
            case 'add': {
              const { objectId, createdAt } = command;
              const isHidden = objectId !== null && hidden.has(objectId);
              const fresh = aNotification({ objectId, isHidden, createdAt });
              added.push(fresh.id);
              model.push(fresh);
              return store.add(fresh);
            }
            case 'read':
            case 'readAll':
              model = model.map((each) =>
                inSight(each) &&
                each.readAt === null &&
                (command.do === 'readAll' || each.id === which)
                  ? { ...each, readAt: at }
                  : each,
              );
              return store.markRead(command.sight, command.do === 'read' ? [which] : 'all', at);
            case 'remove': {
              const found = model.find((each) => each.id === which && inSight(each));
              model = model.filter((each) => each !== found);
              expect(await store.remove(command.sight, which, at)).to.equal(found !== undefined);
              return;
            }
            case 'hide':
            case 'unhide': {
              const { objectId } = command;
              const isHidden = command.do === 'hide';
              if (isHidden) hidden.add(objectId);
              else hidden.delete(objectId);
              model = model.map((each) =>
                each.objectId === objectId ? { ...each, isHidden } : each,
              );
              return store.setObjectVisibility(objectId, isHidden, at);
            }
            case 'forget':
              model = model.filter((each) => each.objectId !== command.objectId);
              return store.forgetObject(command.objectId, at);
          }
        }
      }),
      { numRuns: 25 },
    ));

  it('`markRead` marks those of the ids, or all, that are of the visibility and unread. An earlier time of reading is preserved', async () => {
    const scope = newScope();
    const [one, two, three] = [aNotification(), aNotification(), aNotification()];
    const [early, hidden] = [aNotification({ readAt: 5 }), aNotification({ isHidden: true })];
    await addAll(scope, [one, two, three, early, hidden]);
    const readAt = async () => {
      const { items, unread } = await read(scope, (s) => s.page('any', false, EVERYTHING));
      const of = new Map(items.map((each) => [each.id, each.readAt]));
      return [unread, ...[one, two, three, early, hidden].map(({ id }) => of.get(id))];
    };
    const ids = [one.id, one.id, two.id, early.id, hidden.id, newId(), 'no id at all'];
    await write(scope, (s) => s.markRead('visible', ids, 7));
    expect(await readAt()).to.deep.equal([2, 7, 7, null, 5, null]);
    await write(scope, (s) => s.markRead('visible', [], 8));
    expect(await readAt()).to.deep.equal([2, 7, 7, null, 5, null]);
    await write(scope, (s) => s.markRead('visible', 'all', 9));
    expect(await readAt()).to.deep.equal([1, 7, 7, 9, 5, null]);
    await write(scope, (s) => s.markRead('any', 'all', 10));
    expect(await readAt()).to.deep.equal([0, 7, 7, 9, 5, 10]);
  });

  it('`remove` returns whether there was one of the visibility', async () => {
    const scope = newScope();
    const [seen, hidden] = [aNotification(), aNotification({ isHidden: true })];
    await addAll(scope, [seen, hidden]);
    const remove = (of: NotificationVisibility, id: string) =>
      write(scope, (s) => s.remove(of, id, 1));
    expect([
      await remove('visible', hidden.id),
      await remove('visible', newId()),
      await remove('visible', seen.id),
      await remove('visible', seen.id),
      await remove('any', hidden.id),
      await remove('any', hidden.id),
    ]).to.deep.equal([false, false, true, false, true, false]);
    expect(await idsOf(scope, 'any')).to.deep.equal([]);
  });

  it("`setObjectVisibility` changes the visibility of an object's notifications, and `forgetObject` removes them", async () => {
    const scope = newScope();
    const [object, other] = [newId(), newId()];
    const mine = [1, 2].map((createdAt) => aNotification({ objectId: object, createdAt }));
    const rest = [aNotification({ objectId: other }), aNotification({ objectId: null })];
    await addAll(scope, [...mine, ...rest]);
    const ids = (all: readonly Notification[]) => all.map(({ id }) => id);
    await write(scope, (s) => s.setObjectVisibility(object, true, 3));
    expect(await idsOf(scope, 'visible')).to.have.members(ids(rest));
    expect(await idsOf(scope, 'any')).to.have.members(ids([...mine, ...rest]));
    await write(scope, (s) => s.setObjectVisibility(object, false, 4));
    expect(await idsOf(scope, 'visible')).to.have.members(ids([...mine, ...rest]));
    await write(scope, async (s) => {
      await s.setObjectVisibility(object, true, 5);
      await s.forgetObject(object, 6);
    });
    expect(await idsOf(scope, 'any')).to.have.members(ids(rest));
  });

  it('Above `MAX_NOTIFICATIONS` the oldest are removed, visible and hidden ones separately', async function () {
    this.timeout(60_000);
    const scope = newScope();
    const object = newId();
    const many = Array.from({ length: MAX_NOTIFICATIONS }, (_, i) =>
      aNotification({ createdAt: i + 10, ...(i === 3 && { readAt: 1 }) }),
    );
    const [hidden, old] = [
      aNotification({ isHidden: true, createdAt: 1, objectId: object }),
      aNotification({ isHidden: true, createdAt: 2, objectId: object }),
    ];
    await addAll(scope, [hidden, ...many, old]);
    const numbers = async (of: NotificationVisibility) => {
      const { total, unread } = await read(scope, (s) =>
        s.page(of, false, { limit: 1, offset: 0 }),
      );
      return [total, unread];
    };
    expect(await numbers('visible')).to.deep.equal([MAX_NOTIFICATIONS, MAX_NOTIFICATIONS - 1]);
    expect(await numbers('any')).to.deep.equal([MAX_NOTIFICATIONS + 2, MAX_NOTIFICATIONS + 1]);
    const late = [aNotification({ createdAt: 1e6 }), aNotification({ createdAt: 1e6 })];
    await addAll(scope, late);
    expect(await numbers('visible')).to.deep.equal([MAX_NOTIFICATIONS, MAX_NOTIFICATIONS - 1]);
    expect((await idsOf(scope, 'visible')).at(-1)).to.equal(many[2]?.id);
    // Unhidden, they are the oldest of all.
    await write(scope, (s) => s.setObjectVisibility(object, false, 1e6));
    expect(await numbers('any')).to.deep.equal([MAX_NOTIFICATIONS, MAX_NOTIFICATIONS - 1]);
    expect((await idsOf(scope, 'any')).at(-1)).to.equal(many[2]?.id);
    // One that is older than all others is not stored.
    await addAll(scope, [aNotification({ createdAt: 3 })]);
    expect((await idsOf(scope, 'any')).at(-1)).to.equal(many[2]?.id);
  });

  it('`version` increases with every change within the visibility, to at least the time of the change, and is otherwise constant', async () => {
    const scope = newScope();
    const seen: number[] = [];
    const look = async () => {
      const [visible = 0, any = 0] = await read(scope, (s) =>
        Promise.all(SIGHTS.map((of) => s.version(of))),
      );
      seen.push(visible, any);
      return [visible, any] as const;
    };
    expect(await look()).to.deep.equal([0, 0]);
    const object = newId();
    const [one, two] = [aNotification({ objectId: object, createdAt: 1_000 }), aNotification()];
    const changes: ((s: Store, at: number) => Promise<unknown>)[] = [
      (s) => s.add(one),
      (s) => s.add({ ...two, createdAt: 1_000 }),
      (s, at) => s.markRead('visible', [one.id], at),
      (s, at) => s.setObjectVisibility(object, true, at),
      (s, at) => s.setObjectVisibility(object, false, at),
      (s, at) => s.remove('visible', two.id, at),
      (s, at) => s.forgetObject(object, at),
    ];
    for (const change of changes) {
      const [visible, any] = await look();
      await write(scope, (s) => change(s, 1_000));
      const after = await look();
      expect(after[0]).to.be.greaterThan(Math.max(visible, 999));
      expect(after[1]).to.be.greaterThan(Math.max(any, 999));
    }
    const before = await look();
    for (const idle of [
      (s: Store) => s.markRead('any', 'all', 9_000),
      (s: Store) => s.markRead('any', [newId()], 9_000),
      (s: Store) => s.remove('any', newId(), 9_000),
      (s: Store) => s.setObjectVisibility(newId(), true, 9_000),
      (s: Store) => s.forgetObject(newId(), 9_000),
    ]) {
      await write<unknown>(scope, idle);
      expect(await look()).to.deep.equal(before);
    }
    await addAll(scope, [aNotification({ createdAt: 50_000 })]);
    expect(await look()).to.deep.equal([50_000, 50_000]);
  });

  it('Changes of hidden notifications do not affect results about the visible ones', async () => {
    const scope = newScope();
    const object = newId();
    const hidden = aNotification({ objectId: object, isHidden: true });
    await addAll(scope, [aNotification(), aNotification({ readAt: 1 })]);
    const reported = () =>
      read(scope, async (s) => [
        await s.version('visible'),
        await s.page('visible', false, EVERYTHING),
        await s.page('visible', true, EVERYTHING),
      ]);
    const before = await reported();
    for (const change of [
      (s: Store) => s.add({ ...hidden, createdAt: 9_000 }),
      (s: Store) => s.add({ ...hidden, id: newId(), createdAt: 9_000 }),
      (s: Store) => s.markRead('any', [hidden.id], 9_000),
      (s: Store) => s.remove('any', hidden.id, 9_000),
      (s: Store) => s.forgetObject(object, 9_000),
    ]) {
      const all = await read(scope, (s) => s.version('any'));
      await write<unknown>(scope, change);
      expect(await reported()).to.deep.equal(before);
      expect(await read(scope, (s) => s.version('any'))).to.be.greaterThan(all);
    }
  });

  it("Another owner's notifications are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const object = newId();
    const notification = aNotification({ objectId: object });
    await addAll(mine, [notification]);
    await write(theirs, async (s) => {
      await s.markRead('any', 'all', 2);
      await s.markRead('any', [notification.id], 2);
      expect(await s.remove('any', notification.id, 2)).to.equal(false);
      await s.setObjectVisibility(object, true, 2);
      await s.forgetObject(object, 2);
    });
    const look = (scope: OwnerScope) => read(scope, (s) => s.page('visible', true, EVERYTHING));
    expect(await look(theirs)).to.deep.equal({ items: [], total: 0, unread: 0 });
    expect(await look(mine)).to.deep.equal({ items: [notification], total: 1, unread: 1 });
    expect(await read(theirs, (s) => s.version('any'))).to.equal(0);
  });
}
