import type { Bot, BotChat, BotMember, BotStore, MemberKey } from '../../ports/bots.ts';
import type { MessengerId } from '../../ports/messenger.ts';
import type { BotRows, Tables } from './database.ts';
import { cut, newestFirst } from './order.ts';
import type { SnapshotMap } from './snapshot-map.ts';

const under = (botId: string, ...ids: readonly MessengerId[]): string => [botId, ...ids].join('/');
const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** `heldElsewhere` returns whether another owner has a bot with the account. */
export function memoryBots(
  { bots, botChats, botMembers, botMoves, botUpdates }: Tables,
  heldElsewhere: (bot: Bot) => boolean,
): BotStore {
  const beside = [botChats, botMembers, botMoves, botUpdates] as SnapshotMap<
    string,
    BotRows<unknown>
  >[];
  const keep = (bot: Bot) => bots.set(bot.id, Object.freeze({ ...bot }));
  const valuesOf = <T>(table: SnapshotMap<string, BotRows<T>>, botId: string): T[] =>
    table.values().flatMap((each) => (each.botId === botId ? [each.value] : []));
  const put = <T extends object>(
    table: SnapshotMap<string, BotRows<T>>,
    botId: string,
    value: T,
    ...ids: readonly MessengerId[]
  ) => table.set(under(botId, ...ids), { botId, value: Object.freeze({ ...value }) });
  const found = <T>(table: SnapshotMap<string, BotRows<T>>, keys: readonly string[]): T[] =>
    [...new Set(keys)].flatMap((key) => {
      const each = table.get(key);
      return each ? [each.value] : [];
    });
  const keyOf = (botId: string) => (key: MemberKey) => under(botId, key.chatId, key.userId);
  const chatsHere = (botId: string) =>
    valuesOf<BotChat>(botChats, botId).filter((c) => c.isPresent);
  const membersOf = (botId: string, chatId: MessengerId) =>
    valuesOf<BotMember>(botMembers, botId).filter((member) => member.chatId === chatId);
  return {
    add: async (bot) => {
      const taken =
        heldElsewhere(bot) ||
        bots
          .values()
          .some((each) => each.platform === bot.platform && each.accountId === bot.accountId);
      if (!taken) keep(bot);
      return !taken;
    },
    save: async (bot) => {
      if (bots.get(bot.id)) keep(bot);
    },
    find: async (id) => bots.get(id),
    all: async () => bots.values().sort(newestFirst),
    remove: async (id) => {
      for (const table of beside)
        for (const [key, { botId }] of [...table.entries()]) if (botId === id) table.delete(key);
      const known = bots.get(id) !== undefined;
      bots.delete(id);
      return known;
    },
    claimUpdates: async (botId, updateIds, at) =>
      updateIds.filter((id) => {
        if (botUpdates.get(under(botId, id))) return false;
        botUpdates.set(under(botId, id), { botId, value: at });
        return true;
      }),
    lastReceivedAt: async (botId) => {
      const times = valuesOf(botUpdates, botId);
      return times.length === 0 ? null : Math.max(...times);
    },
    forget: async (botId, before) => {
      const old = (each: BotRows<unknown>, updatedAt: number) =>
        each.botId === botId && updatedAt < before;
      for (const [key, each] of [...botUpdates.entries()])
        if (old(each, each.value)) botUpdates.delete(key);
      for (const table of [botChats, botMembers] as SnapshotMap<
        string,
        BotRows<BotChat | BotMember>
      >[])
        for (const [key, each] of [...table.entries()])
          if (!each.value.isPresent && old(each, each.value.lastUpdateAt)) table.delete(key);
    },
    chats: async (botId, chatIds) =>
      found(
        botChats,
        chatIds.map((id) => under(botId, id)),
      ),
    chatPage: async (botId, request) =>
      cut(
        chatsHere(botId).sort(
          (a, b) =>
            compare(b.lastSeenAt ?? -Infinity, a.lastSeenAt ?? -Infinity) ||
            compare(a.chatId, b.chatId),
        ),
        request,
      ),
    dueChats: async (botId, limit) =>
      chatsHere(botId)
        .sort((a, b) => a.syncDueAt - b.syncDueAt || compare(a.chatId, b.chatId))
        .slice(0, limit),
    saveChats: async (botId, chats) => {
      for (const chat of chats) put(botChats, botId, chat, chat.chatId);
    },
    dropChats: async (botId, chatIds) => {
      for (const id of chatIds) {
        botChats.delete(under(botId, id));
        for (const member of membersOf(botId, id)) botMembers.delete(keyOf(botId)(member));
      }
    },
    members: async (botId, keys) => found(botMembers, keys.map(keyOf(botId))),
    membersOf: async (botId, chatId, which, limit) =>
      membersOf(botId, chatId)
        .filter(({ isPresent }) => which === 'kept' || isPresent)
        .sort((a, b) => compare(a.userId, b.userId))
        .slice(0, limit),
    saveMembers: async (botId, members) => {
      for (const member of members) put(botMembers, botId, member, member.chatId, member.userId);
    },
    dropMembers: async (botId, keys) => {
      for (const key of keys) botMembers.delete(keyOf(botId)(key));
    },
    movesOf: async (botId, chatIds) => {
      const asked = new Set(chatIds);
      return valuesOf(botMoves, botId).filter(({ from, to }) => asked.has(from) || asked.has(to));
    },
    saveMoves: async (botId, moves) => {
      for (const move of moves) put(botMoves, botId, move, move.from);
    },
  };
}
