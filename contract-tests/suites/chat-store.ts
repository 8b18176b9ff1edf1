import { expect } from 'chai';
import fc from 'fast-check';
import type { ChatFilter, ChatMessage, ChatSession } from '../../ports/conversations.ts';
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
      createdAt: wholes(),
      updatedAt: fc.oneof(wholes(), fc.nat(2)),
    })
    .map((session) => ({ id: newId(), ...session }));

const attachments = () => fc.record({ objectId: texts(), filename: texts() });

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
        }),
        { maxLength: 2 },
      ),
      objects: orNull(fc.array(attachments(), { maxLength: 2 })),
      steps: orNull(fc.array(structures(), { maxLength: 2 })),
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

  it('`remove` removes a session with its messages. `leaveCollection` removes the folder from its sessions', async () => {
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
      expect(await chats.messages(inside.id, 9)).to.have.length(1);
      expect((await chats.recentQueries(0, { limit: 9, offset: 0 })).total).to.equal(3);
    });
  });
}
