import { expect } from 'chai';
import fc from 'fast-check';
import { INCOMPLETE_REASONS } from '../../ports/conversations.ts';
import type {
  ChatFilter,
  ChatMessage,
  ChatObject,
  ChatSession,
} from '../../ports/conversations.ts';
import { DOC_TYPES } from '../../ports/objects.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import {
  aMessage,
  aSession,
  FOLDERS,
  newId,
  newScope,
  orNull,
  structures,
  texts,
  wholes,
} from '../samples.ts';

const sessions = (): fc.Arbitrary<ChatSession> =>
  fc
    .record({
      title: texts(),
      kind: fc.constantFrom('ask', 'chat', 'agent'),
      collectionId: orNull(fc.constantFrom(...FOLDERS)),
      pinned: fc.boolean(),
      hasDocumentText: fc.boolean(),
      boundTo: orNull(fc.array(fc.constantFrom(...FOLDERS))),
      createdAt: wholes(),
      updatedAt: fc.oneof(wholes(), fc.nat(2)),
    })
    .map((session) => ({ id: newId(), ...session }));

const attachments = () => fc.record({ objectId: texts(), filename: texts() });

const someIds = () => fc.array(fc.uuid(), { maxLength: 2 });

const messages = (sessionId: string): fc.Arbitrary<ChatMessage> =>
  fc
    .record({
      role: fc.constantFrom('user', 'assistant'),
      content: texts(),
      createdAt: fc.nat(5),
      attachments: fc.array(attachments(), { maxLength: 2 }),
      citations: fc.array(
        fc.record({
          index: wholes(),
          objectId: fc.uuid(),
          ord: wholes(),
          charStart: wholes(),
          charEnd: wholes(),
          snippet: texts(),
          docType: fc.constantFrom(...DOC_TYPES),
          filename: texts(),
          title: texts(),
          version: orNull(wholes()),
          page: orNull(wholes()),
        }),
        { maxLength: 2 },
      ),
      objects: orNull(fc.array(attachments(), { maxLength: 2 })),
      steps: orNull(fc.array(structures(), { maxLength: 2 })),
      coverage: orNull(
        fc.record(
          {
            searched: wholes(),
            unread: wholes(),
            objects: fc.record({ searched: someIds(), unread: someIds() }),
          },
          { requiredKeys: ['searched', 'unread'] },
        ),
      ),
      engine: orNull(texts()),
      confidence: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
      incomplete: orNull(fc.boolean()),
      incompleteReason: orNull(fc.constantFrom(...INCOMPLETE_REASONS)),
      agentRole: orNull(fc.record({ slug: texts(), name: texts() })),
    })
    .map((message) => ({ id: newId(), sessionId, ...message }));

const pinnedFirst = (a: ChatSession, b: ChatSession): number =>
  Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1);

const passes = (session: ChatSession, filter: ChatFilter): boolean =>
  (filter.kind === undefined || filter.kind === session.kind) &&
  (filter.pinned === undefined || filter.pinned === session.pinned) &&
  (filter.collectionId === undefined || filter.collectionId === session.collectionId);

const chatFilters = (): fc.Arbitrary<ChatFilter> =>
  fc.record(
    {
      kind: fc.constantFrom('ask', 'chat', 'agent'),
      pinned: fc.boolean(),
      collectionId: fc.constantFrom(...FOLDERS),
    },
    { requiredKeys: [] },
  );

const objectIds = () => fc.constantFrom('object-1', 'object-2', 'object-3');

const chatObjects = (): fc.Arbitrary<ChatObject> =>
  fc.record({ objectId: objectIds(), isHidden: fc.boolean() });

/** Changes of sessions and of the objects they hold. */
const concealingSteps = () =>
  fc.record({
    do: fc.constantFrom('add', 'add', 'set', 'save'),
    session: fc.nat(9),
    objectId: objectIds(),
    isHidden: fc.boolean(),
  });

/** The contract of every ChatStore. */
export function chatStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const pageThrough = (scope: OwnerScope, filter: ChatFilter, limit: number) =>
    backend.uow.read(scope, async ({ chats }) => {
      const seen: ChatSession[] = [];
      for (;;) {
        const { items, total } = await chats.page(filter, { limit, offset: seen.length });
        seen.push(...items);
        // A page that ignores its offset would loop forever.
        expect(seen).to.have.length.at.most(100);
        if (items.length < limit) return { seen, total };
      }
    });

  it('`save` inserts or replaces a session, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(sessions(), sessions(), async (session, next) => {
        const [mine, theirs] = [newScope(), newScope()];
        const replaced = { ...next, id: session.id };
        const found = await backend.uow.write(mine, async ({ chats }) => {
          await chats.save(session);
          const first = await chats.find(session.id);
          await chats.save(replaced);
          return [first, await chats.find(session.id)];
        });
        expect(found).to.deep.equal([session, replaced]);
        expect(await pageThrough(mine, {}, 5)).to.deep.equal({ seen: [replaced], total: 1 });
        expect(await backend.uow.read(theirs, (s) => s.chats.find(session.id))).to.equal(undefined);
      }),
      { numRuns: 20 },
    ));

  it('`page` lists pinned sessions first, then by last change, newest first, then by id, descending. Every filter narrows it, and the total is the full one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(sessions(), { maxLength: 10 }),
        chatFilters(),
        fc.integer({ min: 1, max: 4 }),
        async (saved, filter, limit) => {
          const scope = newScope();
          await backend.uow.write(scope, async ({ chats }) => {
            for (const session of saved) await chats.save({ ...session, pinned: false });
            for (const session of saved) await chats.save(session);
          });
          for (const narrowed of [filter, {}]) {
            const expected = saved.filter((s) => passes(s, narrowed)).sort(pinnedFirst);
            expect(await pageThrough(scope, narrowed, limit)).to.deep.equal({
              seen: expected,
              total: expected.length,
            });
          }
        },
      ),
      {
        numRuns: 25,
        examples: [[[aSession(), aSession({ pinned: true }), aSession()], { kind: 'ask' }, 1]],
      },
    ));

  it('`boundWithin` narrows a page and `recentQueries` to sessions bound to these folders or some of them', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(sessions(), { maxLength: 8 }),
        chatFilters(),
        fc.array(fc.constantFrom(...FOLDERS), { maxLength: 2 }),
        async (saved, filter, boundWithin) => {
          const scope = newScope();
          await backend.uow.write(scope, async ({ chats }) => {
            for (const session of saved) {
              await chats.save(session);
              await chats.addMessage(aMessage({ sessionId: session.id, createdAt: 5 }));
            }
          });
          const isSeen = ({ boundTo, collectionId }: ChatSession) =>
            boundTo !== null &&
            [...boundTo, ...(collectionId === null ? [] : [collectionId])].every((id) =>
              boundWithin.includes(id as never),
            );
          const seen = saved.filter(isSeen);
          expect(await pageThrough(scope, { ...filter, boundWithin }, 2)).to.deep.equal({
            seen: seen.filter((each) => passes(each, filter)).sort(pinnedFirst),
            total: seen.filter((each) => passes(each, filter)).length,
          });
          const asked = await backend.uow.read(scope, ({ chats }) =>
            chats.recentQueries(0, { limit: 99, offset: 0 }, { boundWithin }),
          );
          expect(asked.items.map(({ sessionId }) => sessionId)).to.have.members(
            seen.map(({ id }) => id),
          );
          expect(asked.total).to.equal(seen.length);
        },
      ),
      { numRuns: 30 },
    ));

  it('`holding` narrows a page to sessions that hold the object', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(sessions(), { minLength: 1, maxLength: 6 }),
        fc.array(fc.record({ session: fc.nat(9), object: chatObjects() }), { maxLength: 8 }),
        chatFilters(),
        objectIds(),
        fc.boolean(),
        async (saved, added, filter, holding, visibleOnly) => {
          const scope = newScope();
          const held = new Map(saved.map(({ id }) => [id, new Map<string, boolean>()]));
          await backend.uow.write(scope, async ({ chats }) => {
            for (const session of saved) await chats.save(session);
            for (const { session, object } of added) {
              const { id } = saved[session % saved.length]!;
              await chats.addObjects(id, [object]);
              held.get(id)?.set(object.objectId, object.isHidden);
            }
          });
          const seen = saved
            .filter(({ id }) => held.get(id)?.has(holding))
            .filter(({ id }) => !visibleOnly || ![...held.get(id)!.values()].includes(true))
            .filter((each) => passes(each, filter))
            .sort(pinnedFirst);
          const found = await pageThrough(scope, { ...filter, holding, visibleOnly }, 2);
          expect(found).to.deep.equal({ seen, total: seen.length });
          expect(await pageThrough(newScope(), { holding }, 2)).to.deep.equal({
            seen: [],
            total: 0,
          });
        },
      ),
      { numRuns: 20 },
    ));

  it('`addObjects` adds objects to a session or replaces their visibility, and `objects` returns them by id, in pages', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(chatObjects(), { maxLength: 4 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (added, limit) => {
          const scope = newScope();
          const [session, other] = [aSession(), aSession()];
          const expected = new Map<string, boolean>();
          await backend.uow.write(scope, async ({ chats }) => {
            for (const each of [session, other]) await chats.save(each);
            await chats.addObjects(other.id, [{ objectId: 'elsewhere', isHidden: false }]);
            for (const objects of added) {
              await chats.addObjects(session.id, objects);
              for (const { objectId, isHidden } of objects) expected.set(objectId, isHidden);
            }
          });
          await backend.uow.read(scope, async ({ chats }) => {
            const seen: ChatObject[] = [];
            for (let offset = 0; offset <= expected.size; offset += limit)
              seen.push(...(await chats.objects(session.id, { limit, offset })));
            expect(seen).to.deep.equal(
              [...expected]
                .map(([objectId, isHidden]) => ({ objectId, isHidden }))
                .sort((a, b) => (a.objectId < b.objectId ? -1 : 1)),
            );
          });
          const theirs = await backend.uow.read(newScope(), (s) =>
            s.chats.objects(session.id, { limit: 9, offset: 0 }),
          );
          expect(theirs).to.deep.equal([]);
        },
      ),
      { numRuns: 20 },
    ));

  it('`setObjectVisibility` changes the visibility of an object in every session that has it', async () => {
    const scope = newScope();
    const both = [aSession(), aSession()];
    const another = aSession();
    const object = { objectId: newId(), isHidden: false };
    const other = { objectId: newId(), isHidden: false };
    const heldBy = (id: string) =>
      backend.uow.read(scope, ({ chats }) => chats.objects(id, { limit: 9, offset: 0 }));
    const set = (isHidden: boolean) =>
      backend.uow.write(scope, ({ chats }) => chats.setObjectVisibility(object.objectId, isHidden));
    await backend.uow.write(scope, async ({ chats }) => {
      for (const session of [...both, another]) await chats.save(session);
      for (const { id } of both) await chats.addObjects(id, [object]);
      await chats.addObjects(another.id, [other]);
      await chats.setObjectVisibility('missing', true);
    });
    for (const isHidden of [true, false]) {
      await set(isHidden);
      for (const { id } of both) expect(await heldBy(id)).to.deep.equal([{ ...object, isHidden }]);
      expect(await heldBy(another.id)).to.deep.equal([other]);
    }
    const theirs = newScope();
    await backend.uow.write(theirs, (s) => s.chats.setObjectVisibility(object.objectId, true));
    expect(await heldBy(both[0]!.id)).to.deep.equal([object]);
  });

  it('A session that has a hidden object holds one. `visibleOnly` excludes it from a page, its total and `recentQueries`', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(sessions(), { minLength: 1, maxLength: 5 }),
        fc.array(concealingSteps(), { maxLength: 12 }),
        chatFilters(),
        async (saved, steps, filter) => {
          const scope = newScope();
          const held = new Map(saved.map(({ id }) => [id, new Map<string, boolean>()]));
          const current = new Map(saved.map((session) => [session.id, session]));
          await backend.uow.write(scope, async ({ chats }) => {
            for (const session of saved) {
              await chats.save(session);
              await chats.addMessage(aMessage({ sessionId: session.id, createdAt: 5 }));
            }
            for (const step of steps) {
              const { id } = saved[step.session % saved.length]!;
              if (step.do === 'add') {
                const { objectId, isHidden } = step;
                await chats.addObjects(id, [{ objectId, isHidden }]);
                held.get(id)?.set(objectId, isHidden);
              }
              if (step.do === 'set') {
                await chats.setObjectVisibility(step.objectId, step.isHidden);
                for (const objects of held.values())
                  if (objects.has(step.objectId)) objects.set(step.objectId, step.isHidden);
              }
              if (step.do === 'save') {
                const changed = { ...current.get(id)!, pinned: step.isHidden };
                await chats.save(changed);
                current.set(id, changed);
              }
            }
          });
          const isHidden = (id: string) => [...(held.get(id)?.values() ?? [])].includes(true);
          const left = [...current.values()];
          const visible = left.filter(({ id }) => !isHidden(id));
          for (const narrowed of [filter, {}])
            for (const [visibleOnly, all] of [
              [true, visible],
              [false, left],
            ] as const) {
              const seen = all.filter((each) => passes(each, narrowed)).sort(pinnedFirst);
              expect(await pageThrough(scope, { ...narrowed, visibleOnly }, 2)).to.deep.equal({
                seen,
                total: seen.length,
              });
            }
          await backend.uow.read(scope, async ({ chats }) => {
            for (const { id } of left) expect(await chats.holdsHidden(id)).to.equal(isHidden(id));
            const asked = (visibleOnly: boolean) =>
              chats.recentQueries(0, { limit: 99, offset: 0 }, { visibleOnly });
            const ids = (all: readonly ChatSession[]) => all.map(({ id }) => id);
            const [some, all] = [await asked(true), await asked(false)];
            expect(some.items.map((each) => each.sessionId)).to.have.members(ids(visible));
            expect(all.items.map((each) => each.sessionId)).to.have.members(ids(left));
            expect([some.total, all.total]).to.deep.equal([visible.length, left.length]);
          });
        },
      ),
      { numRuns: 30 },
    ));

  it('Messages are returned in insertion order, field for field: `messages` returns the latest `limit`, `messagesFrom` those from an offset on', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(messages('s'), { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (added, limit) => {
          const scope = newScope();
          const session = aSession();
          const mine = added.map((message) => ({ ...message, sessionId: session.id }));
          await backend.uow.write(scope, async ({ chats }) => {
            await chats.save(session);
            for (const message of mine) {
              await chats.addMessage(message);
              await chats.addMessage(aMessage({ sessionId: 'another' }));
            }
          });
          const [all, latest, from] = await backend.uow.read(scope, async ({ chats }) => [
            await chats.messages(session.id, 99),
            await chats.messages(session.id, limit),
            await chats.messagesFrom(session.id, { limit: 2, offset: limit }),
          ]);
          expect(all).to.deep.equal(mine);
          expect(latest).to.deep.equal(mine.slice(-limit));
          expect(from).to.deep.equal(mine.slice(limit, limit + 2));
          expect(
            await backend.uow.read(newScope(), (s) => s.chats.messages(session.id, 9)),
          ).to.deep.equal([]);
        },
      ),
      {
        numRuns: 25,
        // A clock that was set back does not change the order of a conversation.
        examples: [[[3, 1, 2, 1].map((createdAt) => aMessage({ createdAt })), 2]],
      },
    ));

  it("`recentQueries` lists the owner's messages since a moment, newest first, with the session's title and the full total", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(1), messages('s')), { maxLength: 10 }),
        fc.nat(4),
        fc.integer({ min: 1, max: 4 }),
        async (added, since, limit) => {
          const scope = newScope();
          const both = [aSession({ title: 'first 𝕏' }), aSession({ title: 'second' })];
          const titles = new Map(both.map(({ id, title }) => [id, title]));
          const mine = added.map(([which, message]) => ({
            ...message,
            sessionId: both[which]?.id ?? '',
          }));
          await backend.uow.write(scope, async ({ chats }) => {
            for (const session of both) await chats.save({ ...session, title: 'before' });
            for (const session of both) await chats.save(session);
            for (const message of mine) await chats.addMessage(message);
          });
          const expected = mine
            .filter((m) => m.role === 'user' && m.createdAt >= since)
            .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
            .map(({ content, sessionId, createdAt }) => ({
              query: content,
              sessionId,
              createdAt,
              title: titles.get(sessionId) ?? '',
            }));
          await backend.uow.read(scope, async ({ chats }) => {
            const seen = [];
            for (let offset = 0; offset <= mine.length; offset += limit) {
              const page = await chats.recentQueries(since, { limit, offset });
              expect(page.total).to.equal(expected.length);
              seen.push(...page.items);
            }
            expect(seen).to.deep.equal(expected);
          });
          const theirs = await backend.uow.read(newScope(), (s) =>
            s.chats.recentQueries(0, { limit: 9, offset: 0 }),
          );
          expect(theirs).to.deep.equal({ items: [], total: 0 });
        },
      ),
      { numRuns: 25 },
    ));

  it('`remove` removes a session with its messages and objects. `leaveCollection` removes the folder from its sessions', async () => {
    const scope = newScope();
    const [gone, inside, pinned, elsewhere] = [
      aSession(),
      aSession({ collectionId: FOLDERS[0] }),
      aSession({ collectionId: FOLDERS[0], pinned: true, kind: 'chat' }),
      aSession({ collectionId: FOLDERS[1] }),
    ];
    await backend.uow.write(scope, async ({ chats }) => {
      for (const session of [gone, inside, pinned, elsewhere]) {
        await chats.save(session);
        await chats.addMessage(aMessage({ sessionId: session.id }));
      }
      await chats.addObjects(gone.id, [{ objectId: newId(), isHidden: true }]);
      await chats.remove(gone.id);
      await chats.remove('missing');
      await chats.leaveCollection(FOLDERS[0]);
    });
    const out = [inside, pinned].map((session) => ({ ...session, collectionId: null }));
    expect((await pageThrough(scope, {}, 9)).seen).to.have.deep.members([...out, elsewhere]);
    expect(await pageThrough(scope, {}, 9)).to.have.property('total', 3);
    expect(await pageThrough(scope, { collectionId: FOLDERS[0] }, 9)).to.deep.equal({
      seen: [],
      total: 0,
    });
    await backend.uow.read(scope, async ({ chats }) => {
      expect(await chats.find(gone.id)).to.equal(undefined);
      expect(await chats.messages(gone.id, 9)).to.deep.equal([]);
      expect(await chats.objects(gone.id, { limit: 9, offset: 0 })).to.deep.equal([]);
      expect(await chats.holdsHidden(gone.id)).to.equal(false);
      expect(await chats.messages(inside.id, 9)).to.have.length(1);
      expect((await chats.recentQueries(0, { limit: 9, offset: 0 })).total).to.equal(3);
    });
  });
}
