import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryUnitOfWork } from '../../adapters/memory/unit-of-work.ts';
import { sha256Digest, cryptoRandom } from '../../adapters/node/system.ts';
import { applyUpdates } from '../../core/bots/apply.ts';
import { knownMemberCount } from '../../core/bots/index.ts';
import type { Bot, BotChat, BotMember } from '../../ports/bots.ts';
import {
  MEMBER_ROLES,
  type MessengerEvent,
  type MessengerPerson,
  type MessengerUpdate,
} from '../../ports/messenger.ts';
import { aBot, newScope } from '../samples.ts';

const LINKING = { digests: sha256Digest, random: cryptoRandom };
const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const OLD = -100n;
const NEW = -1_000_000_000_100n;
const OTHER = -200n;

const person = (id: number, over: Partial<MessengerPerson> = {}): MessengerPerson => ({
  userId: BigInt(id),
  displayName: `P ${id}`,
  username: `p${id}`,
  isBot: false,
  ...over,
});
const group = (chatId: bigint, title = 'Harbour') => ({ chatId, title });

/** A registry in memory, with its visible state. */
async function open() {
  const uow = new MemoryUnitOfWork();
  const scope = newScope();
  const bot = aBot({ accountId: 99n, linkCode: 'aBcDef-42' });
  await uow.write(scope, ({ bots }) => bots.add(bot));
  const apply = (updates: readonly MessengerUpdate[], now = NOW) =>
    uow.write(scope, async ({ bots }) => {
      const found = (await bots.find(bot.id)) as Bot;
      const applied = await applyUpdates(LINKING, bots, found, updates, now);
      await bots.save(applied.bot);
      return applied;
    });
  const tell = (...event: readonly MessengerEvent[]) =>
    apply(event.map((each) => ({ updateId: next++, at: NOW, event: each })));
  let next = 1n;
  const seen = () =>
    uow.read(scope, async ({ bots }) => {
      const { items } = await bots.chatPage(bot.id, { limit: 100, offset: 0 });
      const cards: { chat: BotChat; members: readonly BotMember[] }[] = [];
      for (const chat of items)
        cards.push({ chat, members: await bots.membersOf(bot.id, chat.chatId, 'here', 100) });
      return { bot: (await bots.find(bot.id)) as Bot, cards };
    });
  const edit = (change: (chat: BotChat) => BotChat) =>
    uow.write(scope, async ({ bots }) => {
      const { items } = await bots.chatPage(bot.id, { limit: 100, offset: 0 });
      await bots.saveChats(bot.id, items.map(change));
    });
  return { apply, tell, seen, edit };
}

type Registry = Awaited<ReturnType<typeof open>>;

/** The state that an owner can distinguish, independent of its history. */
async function told(registry: Registry) {
  const { cards } = await registry.seen();
  return cards
    .map(({ chat, members }) => ({
      chatId: chat.chatId,
      lastSeenAt: chat.lastSeenAt,
      known: chat.knownCount,
      members: members
        .map(({ userId, role, lastSeenAt, displayName }) => ({
          userId,
          role,
          lastSeenAt,
          displayName,
        }))
        .sort((a, b) => (a.userId < b.userId ? -1 : 1)),
    }))
    .sort((a, b) => (a.chatId < b.chatId ? -1 : 1));
}

const people = fc.integer({ min: 1, max: 4 });
const named = fc
  .tuple(people, fc.constantFrom('Ada', 'Bea'))
  .map(([id, displayName]) => person(id, { displayName }));
const newsOf = (chats: readonly bigint[]): fc.Arbitrary<MessengerEvent> => {
  const where = fc.constantFrom(...chats).map((id) => group(id));
  const event: fc.Arbitrary<MessengerEvent>[] = [
    fc.record({
      type: fc.constant('message' as const),
      group: where,
      from: fc.option(named, { nil: null }),
    }),
    fc.record({
      type: fc.constant('joined' as const),
      group: where,
      people: fc.array(named, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ type: fc.constant('left' as const), group: where, person: named }),
    fc.record({
      type: fc.constant('standing' as const),
      group: where,
      person: named,
      role: fc.constantFrom(...MEMBER_ROLES, null),
    }),
    fc.record({
      type: fc.constant('own_standing' as const),
      group: where,
      role: fc.constant('member' as const),
    }),
  ];
  return fc.oneof(...event);
};

/** Updates in the platform's numbering; their timestamps may be in another order. */
const script = (chats: readonly bigint[]): fc.Arbitrary<readonly MessengerUpdate[]> =>
  fc
    .array(fc.tuple(newsOf(chats), fc.integer({ min: 0, max: 9 })), { maxLength: 14 })
    .map((all) =>
      all.map(([event, at], i) => ({ updateId: BigInt(i + 1), at: NOW + at * 1_000, event })),
    );

/** The same updates in another order, with duplicates, divided into batches. */
const mixed = (updates: readonly MessengerUpdate[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...updates], { minLength: updates.length }),
      fc.subarray([...updates]),
      fc.integer({ min: 1, max: 6 }),
    )
    .map(([shuffled, again, size]) => {
      const all = [...shuffled, ...again];
      return Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.slice(i * size, (i + 1) * size),
      );
    });

const orders = (chats: readonly bigint[], more: readonly MessengerEvent[] = []) =>
  script(chats).chain((updates) => {
    const moved = more.map((event, i) => ({ updateId: BigInt(100 + i), at: NOW, event }));
    const all = [...updates, ...moved];
    return fc.record({ all: fc.constant(all), batches: mixed(all) });
  });

describe('the registry of a bot', () => {
  it('does not depend on the order, repetition and batching of updates', () =>
    fc.assert(
      fc.asyncProperty(orders([OLD, OTHER]), async ({ all, batches }) => {
        const [straight, crooked] = [await open(), await open()];
        await straight.apply(all);
        for (const batch of batches) await crooked.apply(batch);
        expect(await told(crooked)).to.deep.equal(await told(straight));
      }),
      { numRuns: 300 },
    ));

  it('moves a migrated group with all its data, however often the migration is reported', () =>
    fc.assert(
      fc.asyncProperty(
        orders(
          [OLD, NEW],
          [
            { type: 'moved', from: OLD, to: group(NEW) },
            { type: 'moved', from: OLD, to: group(NEW) },
          ],
        ),
        async ({ all, batches }) => {
          const [straight, crooked] = [await open(), await open()];
          await straight.apply(all);
          for (const batch of batches) await crooked.apply(batch);
          expect(await told(crooked)).to.deep.equal(await told(straight));
          const { cards } = await crooked.seen();
          expect(cards.map(({ chat }) => chat.chatId)).to.deep.equal([NEW]);
        },
      ),
      { numRuns: 300 },
    ));

  it('counts the members that it lists, at most the member count', () =>
    fc.assert(
      fc.asyncProperty(script([OLD, OTHER]), fc.nat(5), async (updates, memberCount) => {
        const registry = await open();
        await registry.apply(updates);
        await registry.edit((chat) => ({ ...chat, memberCount }));
        for (const { chat, members } of (await registry.seen()).cards) {
          expect(chat.knownCount).to.equal(members.length);
          expect(knownMemberCount(chat)).to.equal(
            memberCount === 0 ? members.length : Math.min(members.length, memberCount),
          );
        }
      }),
      { numRuns: 100 },
    ));

  it('lists people who wrote, joined or were reported, but no bots and no former members', async () => {
    const registry = await open();
    const robot = person(50, { isBot: true });
    await registry.tell(
      { type: 'message', group: group(OLD), from: person(1) },
      { type: 'message', group: group(OLD), from: robot },
      { type: 'message', group: group(OLD), from: null },
      { type: 'joined', group: group(OLD), people: [person(2), person(99), robot] },
      { type: 'standing', group: group(OLD), person: person(3), role: 'administrator' },
      { type: 'joined', group: group(OLD), people: [person(4)] },
      { type: 'left', group: group(OLD), person: person(4) },
      { type: 'standing', group: group(OLD), person: person(5), role: 'restricted' },
      { type: 'standing', group: group(OLD), person: person(6), role: null },
    );
    const [card] = (await registry.seen()).cards;
    expect(
      card?.members.map(({ userId, source, role, lastSeenAt }) => [
        Number(userId),
        source,
        role,
        lastSeenAt,
      ]),
    ).to.deep.equal([
      [1, 'message', 'member', NOW],
      [2, 'join', 'member', null],
      [3, 'member_update', 'administrator', null],
      [5, 'member_update', 'restricted', null],
    ]);
    expect(card?.chat).to.include({ title: 'Harbour', knownCount: 4, lastSeenAt: NOW });
    await registry.tell(
      { type: 'message', group: group(OLD, 'Quay'), from: person(4) },
      { type: 'left', group: group(OLD), person: person(1) },
      { type: 'message', group: group(OLD, 'Quay'), from: person(2) },
    );
    const [later] = (await registry.seen()).cards;
    expect(later?.members.map(({ userId, source }) => [Number(userId), source])).to.deep.equal([
      [2, 'join'],
      [3, 'member_update'],
      [4, 'message'],
      [5, 'member_update'],
    ]);
    expect(later?.chat.title).to.equal('Quay');
  });

  it('never decreases the time of the last message, for any timestamps', async () => {
    const registry = await open();
    const said = (updateId: bigint, at: number | null): MessengerUpdate => ({
      updateId,
      at,
      event: { type: 'message', group: group(OLD), from: person(1) },
    });
    await registry.apply([said(1n, NOW), said(2n, NOW - DAY), said(3n, -5), said(4n, 9e15)]);
    const [card] = (await registry.seen()).cards;
    expect(card?.chat.lastSeenAt).to.equal(NOW);
    expect(card?.members[0]?.lastSeenAt).to.equal(NOW);
  });

  it('deletes a group that the bot has left, permission included, and ignores late updates', async () => {
    const registry = await open();
    const said = (updateId: bigint): MessengerUpdate => ({
      updateId,
      at: NOW,
      event: { type: 'message', group: group(OLD), from: person(1) },
    });
    const own = (updateId: bigint, role: 'member' | null): MessengerUpdate => ({
      updateId,
      at: NOW,
      event: { type: 'own_standing', group: group(OLD), role },
    });
    await registry.apply([said(1n)]);
    await registry.edit((chat) => ({ ...chat, proactiveAllowed: true }));
    await registry.apply([own(3n, null), said(2n)]);
    expect((await registry.seen()).cards).to.deep.equal([]);
    await registry.apply([own(4n, 'member')]);
    const [card] = (await registry.seen()).cards;
    expect(card?.chat).to.include({ proactiveAllowed: false, knownCount: 0, lastSeenAt: null });
    expect(card?.members).to.deep.equal([]);
    // If an earlier leave is reported late, the permission given before it is removed as well.
    await registry.apply([own(6n, 'member')]);
    await registry.edit((chat) => ({ ...chat, proactiveAllowed: true }));
    await registry.apply([own(5n, null)]);
    const [again] = (await registry.seen()).cards;
    expect(again?.chat.proactiveAllowed).to.equal(false);
  });

  it('follows a chain of migrations, keeps the permission, and applies updates of an old id to the new group', async () => {
    const registry = await open();
    await registry.tell({ type: 'message', group: group(OLD), from: person(1) });
    await registry.edit((chat) => ({
      ...chat,
      proactiveAllowed: true,
      memberCount: 7,
      syncedAt: 5,
    }));
    await registry.tell(
      { type: 'message', group: group(OTHER), from: person(2) },
      { type: 'moved', from: OTHER, to: group(NEW) },
      { type: 'moved', from: OLD, to: group(OTHER) },
      { type: 'message', group: group(OLD), from: person(3) },
      { type: 'own_standing', group: group(OLD), role: null },
      // No chain of migrations returns to its start.
      { type: 'moved', from: NEW, to: group(OLD) },
    );
    const { cards } = await registry.seen();
    expect(cards).to.have.length(1);
    expect(cards[0]?.chat).to.include({ chatId: NEW, proactiveAllowed: true, memberCount: 7 });
    expect(cards[0]?.members.map(({ userId }) => userId)).to.deep.equal([1n, 2n, 3n]);
  });

  it('accepts update numbers that restart after a quiet week', async () => {
    const registry = await open();
    const left = (updateId: bigint): MessengerUpdate => ({
      updateId,
      at: null,
      event: { type: 'left', group: group(OLD), person: person(1) },
    });
    const said = (updateId: bigint): MessengerUpdate => ({
      updateId,
      at: null,
      event: { type: 'message', group: group(OLD, 'Anew'), from: person(1) },
    });
    await registry.apply([said(5_000n), left(5_001n)]);
    await registry.apply([said(4n)], NOW + 8 * DAY);
    const [card] = (await registry.seen()).cards;
    expect(card?.members.map(({ userId }) => userId)).to.deep.equal([1n]);
    expect(card?.chat.title).to.equal('Anew');
    // The numbers of the week before may be used again.
    await registry.apply([left(5_001n)], NOW + 8 * DAY);
    expect((await registry.seen()).cards[0]?.members).to.deep.equal([]);
  });

  it('links the private chat that sends the exact code, once per code, and unlinks it when it blocks the bot', async () => {
    const registry = await open();
    const { bot } = await registry.seen();
    const write = (chatId: bigint, text: string): MessengerEvent => ({
      type: 'private',
      chatId,
      from: person(1),
      messageId: 3n,
      text,
    });
    const chat = async () => (await registry.seen()).bot.ownerChatId;
    await registry.tell(
      write(5n, '/start'),
      write(5n, `/start ${bot.linkCode}x`),
      write(5n, `/start ${bot.linkCode.toUpperCase()}`),
      write(5n, bot.linkCode),
      write(5n, `say /start ${bot.linkCode}`),
    );
    expect(await chat()).to.equal(null);
    const { greetings } = await registry.tell(write(5n, `/start ${bot.linkCode}`));
    expect(greetings).to.deep.equal([{ chatId: 5n, messageId: 3n }]);
    expect(await chat()).to.equal(5n);
    // A code that was used or leaked cannot divert the chat.
    await registry.tell(write(6n, `/start ${bot.linkCode}`));
    expect(await chat()).to.equal(5n);
    const code = async () => (await registry.seen()).bot.linkCode;
    expect(await code()).to.not.equal(bot.linkCode);
    // Typed by hand, and not to be marked as seen.
    const byHand = { ...write(7n, `/start  ${await code()}`), messageId: null } as MessengerEvent;
    expect((await registry.tell(byHand)).greetings).to.deep.equal([]);
    expect(await chat()).to.equal(7n);
    const next = await code();
    await registry.tell(write(6n, `/start ${next}`), write(8n, `/start ${next}`), {
      type: 'blocked',
      chatId: 5n,
    });
    expect(await chat()).to.equal(6n);
    await registry.tell({ type: 'blocked', chatId: 6n });
    expect(await chat()).to.equal(null);
  });
});
