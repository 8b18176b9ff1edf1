import { expect } from 'chai';
import fc from 'fast-check';
import type { Bot, BotChat, BotMember, BotStore, MemberKey } from '../../ports/bots.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import {
  aBot,
  aBotChat,
  aBotMember,
  botChats,
  botMembers,
  bots as someBots,
  int64s,
  newId,
  newScope,
} from '../samples.ts';

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const by = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
const byId = (a: MemberKey, b: MemberKey) => by(a.chatId, b.chatId) || by(a.userId, b.userId);

/** The contract of every BotStore. */
export function botStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const write = <T>(scope: OwnerScope, work: (bots: BotStore) => Promise<T>) =>
    backend.uow.write(scope, ({ bots }) => work(bots));
  const read = <T>(scope: OwnerScope, work: (bots: BotStore) => Promise<T>) =>
    backend.uow.read(scope, ({ bots }) => work(bots));
  const stored = async (scope: OwnerScope, bot: Bot = aBot()): Promise<Bot> => {
    expect(await write(scope, (bots) => bots.add(bot))).to.equal(true);
    return bot;
  };

  it('`add` stores a bot unless another bot, of any owner, has its account, and returns whether it did', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const bot = await stored(mine);
    for (const scope of [mine, theirs]) {
      const second = aBot({ accountId: bot.accountId });
      expect(await write(scope, (bots) => bots.add(second))).to.equal(false);
      expect(await read(scope, (bots) => bots.find(second.id))).to.equal(undefined);
    }
    expect(await read(mine, (bots) => bots.find(bot.id))).to.deep.equal(bot);
  });

  it('A saved bot is found by its id, field for field. `all` returns bots newest first, then by id, descending', () =>
    fc.assert(
      fc.asyncProperty(fc.array(someBots(), { maxLength: 5 }), someBots(), async (all, next) => {
        const scope = newScope();
        // Only two different times, so that there are ties.
        const created = all.map((bot, i) => ({ ...bot, createdAt: i % 2 }));
        for (const bot of created) await stored(scope, bot);
        for (const bot of created)
          expect(await read(scope, (bots) => bots.find(bot.id))).to.deep.equal(bot);
        const requested = created.toSorted(
          (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
        );
        expect(await read(scope, (bots) => bots.all())).to.deep.equal(requested);
        const [first] = requested;
        if (!first) return;
        const changed = { ...next, id: first.id, accountId: first.accountId };
        await write(scope, (bots) => bots.save(changed));
        expect(await read(scope, (bots) => bots.find(first.id))).to.deep.equal(changed);
        expect(await read(scope, (bots) => bots.find(newId()))).to.equal(undefined);
      }),
      { numRuns: 8 },
    ));

  it('`remove` removes a bot with all its data, returns whether it existed, and leaves other bots unchanged. Its account is free again', async () => {
    const scope = newScope();
    const [bot, other] = [await stored(scope), await stored(scope)];
    const fill = (id: string) =>
      write(scope, async (bots) => {
        await bots.saveChats(id, [aBotChat()]);
        await bots.saveMembers(id, [aBotMember()]);
        await bots.saveMoves(id, [{ from: 1n, to: 2n }]);
        await bots.claimUpdates(id, [1n], 5);
      });
    const seen = (id: string) =>
      write(scope, async (bots) => [
        (await bots.chatPage(id, { limit: 9, offset: 0 })).total,
        (await bots.membersOf(id, -1_001n, 'kept', 9)).length,
        (await bots.movesOf(id, [1n])).length,
        (await bots.claimUpdates(id, [1n], 5)).length,
      ]);
    await fill(bot.id);
    await fill(other.id);
    expect(await write(scope, (bots) => bots.remove(bot.id))).to.equal(true);
    expect(await write(scope, (bots) => bots.remove(bot.id))).to.equal(false);
    expect(await seen(bot.id)).to.deep.equal([0, 0, 0, 1]);
    expect(await seen(other.id)).to.deep.equal([1, 1, 1, 0]);
    await stored(newScope(), aBot({ accountId: bot.accountId }));
  });

  it('`claimUpdates` claims updates and returns the ids that had not been claimed before, each once, in request order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(int64s(), { maxLength: 6 })), async (batches) => {
        const scope = newScope();
        const [bot, other] = [await stored(scope), await stored(scope)];
        const before = new Set<bigint>();
        for (const batch of batches) {
          const requested = [...new Set(batch)].filter((id) => !before.has(id));
          const taken = await write(scope, (bots) => bots.claimUpdates(bot.id, batch, 1));
          expect(taken).to.deep.equal(requested);
          batch.forEach((id) => before.add(id));
        }
        const all = [...before];
        expect(await write(scope, (b) => b.claimUpdates(other.id, all, 1))).to.deep.equal(all);
      }),
      { numRuns: 8 },
    ));

  it('`lastReceivedAt` returns when the latest update of a bot was claimed; null for none that is not forgotten', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const [bot, beside] = [await stored(mine), await stored(mine)];
    const latest = (of: Bot, scope = mine) => read(scope, (bots) => bots.lastReceivedAt(of.id));
    expect(await latest(bot)).to.equal(null);
    for (const [ids, at] of [
      [[MOST, 5n], 2_000],
      [[LEAST], 1_000],
      [[5n], 3_000],
    ] as const)
      await write(mine, (bots) => bots.claimUpdates(bot.id, ids, at));
    expect(await latest(bot)).to.equal(2_000);
    expect(await latest(beside)).to.equal(null);
    expect(await latest(bot, theirs)).to.equal(null);
    await write(mine, (bots) => bots.forget(bot.id, 2_001));
    expect(await latest(bot)).to.equal(null);
  });

  it('`forget` removes ids claimed before a moment, and absent groups and members that were not touched since', async () => {
    const scope = newScope();
    const { id } = await stored(scope);
    const gone = { isPresent: false };
    await write(scope, async (bots) => {
      await bots.claimUpdates(id, [1n], 9);
      await bots.claimUpdates(id, [2n], 10);
      await bots.saveChats(id, [
        aBotChat({ chatId: 1n, lastUpdateAt: 9 }),
        aBotChat({ chatId: 2n, lastUpdateAt: 9, ...gone }),
        aBotChat({ chatId: 3n, lastUpdateAt: 10, ...gone }),
      ]);
      await bots.saveMembers(id, [
        aBotMember({ userId: 1n, lastUpdateAt: 9 }),
        aBotMember({ userId: 2n, lastUpdateAt: 9, ...gone }),
        aBotMember({ userId: 3n, lastUpdateAt: 10, ...gone }),
      ]);
      await bots.forget(id, 10);
      expect(await bots.claimUpdates(id, [1n, 2n], 11)).to.deep.equal([1n]);
      const chats = await bots.chats(id, [1n, 2n, 3n]);
      expect(chats.map(({ chatId }) => chatId)).to.have.members([1n, 3n]);
      const members = await bots.membersOf(id, -1_001n, 'kept', 9);
      expect(members.map(({ userId }) => userId)).to.deep.equal([1n, 3n]);
    });
  });

  it('Groups are found by their ids, field for field, and replaced by a later save. The same holds for members by group and person', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(botChats(), { maxLength: 6, selector: ({ chatId }) => chatId }),
        fc.uniqueArray(botMembers(), {
          maxLength: 6,
          selector: ({ chatId, userId }) => `${chatId}/${userId}`,
        }),
        botChats(),
        botMembers(),
        async (chats, members, chat, member) => {
          const scope = newScope();
          const { id } = await stored(scope);
          const save = (c: readonly BotChat[], m: readonly BotMember[]) =>
            write(scope, async (bots) => {
              await bots.saveChats(id, c);
              await bots.saveMembers(id, m);
            });
          const seen = () =>
            read(scope, async (bots) => ({
              chats: [...(await bots.chats(id, [...chats.map((c) => c.chatId), 5n]))].sort((a, b) =>
                by(a.chatId, b.chatId),
              ),
              members: [
                ...(await bots.members(id, [...members, ...members, { chatId: 5n, userId: 5n }])),
              ].sort(byId),
            }));
          // Also if one of them has the other requested id by coincidence.
          const sorted = () => ({
            chats: chats.toSorted((a, b) => by(a.chatId, b.chatId)),
            members: members.toSorted(byId),
          });
          await save(chats, members);
          expect(await seen()).to.deep.equal(sorted());
          if (chats[0]) chats[0] = { ...chat, chatId: chats[0].chatId };
          const [first] = members;
          if (first) members[0] = { ...member, chatId: first.chatId, userId: first.userId };
          await save(chats.slice(0, 1), members.slice(0, 1));
          expect(await seen()).to.deep.equal(sorted());
        },
      ),
      { numRuns: 8 },
    ));

  it('Ids and update numbers are exact up to 64 bits', async () => {
    const scope = newScope();
    const bot = await stored(
      scope,
      aBot({
        accountId: MOST - BigInt(Date.now()),
        ownerChatId: LEAST,
        cursor: { after: MOST, at: 1 },
      }),
    );
    const edges = [LEAST, LEAST + 1n, -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n + 1n, MOST - 1n, MOST];
    await write(scope, async (bots) => {
      await bots.saveChats(
        bot.id,
        edges.map((id) => aBotChat({ chatId: id, presenceUpdateId: id, titleUpdateId: id })),
      );
      await bots.saveMembers(
        bot.id,
        edges.map((id) => aBotMember({ userId: id, presenceUpdateId: id, roleUpdateId: id })),
      );
      await bots.saveMoves(
        bot.id,
        edges.map((id) => ({ from: id, to: id })),
      );
      expect(await bots.claimUpdates(bot.id, edges, 1)).to.deep.equal(edges);
      expect(await bots.claimUpdates(bot.id, edges, 1)).to.deep.equal([]);
    });
    await read(scope, async (bots) => {
      expect(await bots.find(bot.id)).to.deep.equal(bot);
      const page = await bots.chatPage(bot.id, { limit: 99, offset: 0 });
      expect(page.items.map(({ chatId }) => chatId)).to.deep.equal(edges);
      expect(page.items.map(({ presenceUpdateId }) => presenceUpdateId)).to.deep.equal(edges);
      const members = await bots.membersOf(bot.id, -1_001n, 'here', 99);
      expect(members.map(({ userId }) => userId)).to.deep.equal(edges);
      const moves = [...(await bots.movesOf(bot.id, edges))].sort((a, b) => by(a.from, b.from));
      expect(moves).to.deep.equal(edges.map((id) => ({ from: id, to: id })));
    });
  });

  it('`chatPage` returns the groups that the bot is in: most recently heard from first, never heard from last, then by id, with their total', async () => {
    const scope = newScope();
    const { id } = await stored(scope);
    const order = [
      aBotChat({ chatId: -5n, lastSeenAt: 9 }),
      aBotChat({ chatId: 5n, lastSeenAt: 9 }),
      aBotChat({ chatId: 30n, lastSeenAt: 2 }),
      aBotChat({ chatId: -40n, lastSeenAt: 0 }),
      aBotChat({ chatId: -9n }),
      aBotChat({ chatId: -8n }),
    ];
    const away = aBotChat({ chatId: 77n, lastSeenAt: 99, isPresent: false });
    await write(scope, (bots) => bots.saveChats(id, [away, ...order.toReversed()]));
    for (const offset of [0, 2, 4, 6])
      expect(await read(scope, (bots) => bots.chatPage(id, { limit: 2, offset }))).to.deep.equal({
        items: order.slice(offset, offset + 2),
        total: 6,
      });
  });

  it('`membersOf` returns the present members of a group, or all stored ones, at most `limit`', async () => {
    const scope = newScope();
    const { id } = await stored(scope);
    const some = [1n, 2n, 3n].map((userId) => aBotMember({ userId, isPresent: userId !== 2n }));
    await write(scope, (bots) => bots.saveMembers(id, [...some, aBotMember({ chatId: 4n })]));
    const ids = async (which: 'here' | 'kept', limit: number) =>
      (await read(scope, (bots) => bots.membersOf(id, -1_001n, which, limit))).map(
        ({ userId }) => userId,
      );
    expect(await ids('here', 9)).to.have.members([1n, 3n]);
    expect(await ids('kept', 9)).to.have.members([1n, 2n, 3n]);
    expect(await ids('kept', 2)).to.have.length(2);
  });

  it('`dropChats` removes groups with their members, `dropMembers` single members', async () => {
    const scope = newScope();
    const [bot, other] = [await stored(scope), await stored(scope)];
    for (const { id } of [bot, other])
      await write(scope, async (bots) => {
        await bots.saveChats(
          id,
          [1n, 2n, 3n].map((chatId) => aBotChat({ chatId })),
        );
        await bots.saveMembers(
          id,
          [1n, 2n, 3n].flatMap((chatId) =>
            [7n, 8n].map((userId) => aBotMember({ chatId, userId })),
          ),
        );
      });
    await write(scope, async (bots) => {
      await bots.dropChats(bot.id, [1n, 99n]);
      await bots.dropMembers(bot.id, [
        { chatId: 2n, userId: 8n },
        { chatId: 9n, userId: 7n },
      ]);
      await bots.dropChats(bot.id, []);
      await bots.dropMembers(bot.id, []);
    });
    const left = (id: string) =>
      read(scope, async (bots) => {
        const { items } = await bots.chatPage(id, { limit: 9, offset: 0 });
        const counts: number[] = [];
        for (const chatId of [1n, 2n, 3n])
          counts.push((await bots.membersOf(id, chatId, 'kept', 9)).length);
        return [items.length, ...counts];
      });
    expect(await left(bot.id)).to.deep.equal([2, 0, 1, 2]);
    expect(await left(other.id)).to.deep.equal([3, 2, 2, 2]);
  });

  it('`dueChats` returns the groups that the bot is in, next to be synced first, at most `limit`', async () => {
    const scope = newScope();
    const { id } = await stored(scope);
    const chats = [30, 10, 20, 10].map((syncDueAt, i) =>
      aBotChat({ chatId: BigInt(i), syncDueAt }),
    );
    const away = aBotChat({ chatId: 9n, syncDueAt: 1, isPresent: false });
    await write(scope, (bots) => bots.saveChats(id, [...chats, away]));
    const due = await read(scope, (bots) => bots.dueChats(id, 3));
    expect(due).to.deep.equal([chats[1], chats[3], chats[2]]);
  });

  it('`movesOf` returns the migrations from or to one of the ids', async () => {
    const scope = newScope();
    const { id } = await stored(scope);
    await write(scope, (bots) =>
      bots.saveMoves(id, [
        { from: 1n, to: 2n },
        { from: 3n, to: 2n },
        { from: 4n, to: 5n },
      ]),
    );
    await write(scope, (bots) => bots.saveMoves(id, [{ from: 4n, to: 6n }]));
    const of = async (...ids: bigint[]) =>
      (await read(scope, (bots) => bots.movesOf(id, ids))).map(({ from, to }) => `${from}-${to}`);
    expect(await of(2n)).to.have.members(['1-2', '3-2']);
    expect(await of(1n, 4n)).to.have.members(['1-2', '4-6']);
    expect(await of(5n)).to.deep.equal([]);
    expect(await of()).to.deep.equal([]);
  });

  it("Another owner's bots, groups and members are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const bot = await stored(mine);
    await write(mine, async (bots) => {
      await bots.saveChats(bot.id, [aBotChat()]);
      await bots.saveMembers(bot.id, [aBotMember()]);
    });
    const before = await read(mine, (bots) => bots.find(bot.id));
    await write(theirs, async (bots) => {
      expect(await bots.find(bot.id)).to.equal(undefined);
      expect(await bots.all()).to.deep.equal([]);
      expect(await bots.chats(bot.id, [-1_001n])).to.deep.equal([]);
      expect(await bots.members(bot.id, [aBotMember()])).to.deep.equal([]);
      await bots.save({ ...bot, name: 'Theirs' });
      await bots.dropChats(bot.id, [-1_001n]);
      expect(await bots.remove(bot.id)).to.equal(false);
    });
    expect(await read(mine, (bots) => bots.find(bot.id))).to.deep.equal(before);
    expect(await read(mine, (bots) => bots.chats(bot.id, [-1_001n]))).to.have.length(1);
    expect(await read(mine, (bots) => bots.members(bot.id, [aBotMember()]))).to.have.length(1);
  });
}
