import type { BotChat, BotMember, BotStore, MemberKey } from '../../../../ports/bots.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { rowsAsJson, rowsTable, upsertMany, type TypedColumn } from '../../bulk-rows.ts';
import { flag, plain, recordMap } from '../../record-mapper.ts';
import type { Sql, Value } from '../../sql.ts';
import { int64, int64From, int64OrNull, int64Rows, int64Table, int64Text } from './int64.ts';

const CHAT = recordMap<BotChat>({
  chatId: int64('chat_id'),
  title: plain('title'),
  description: plain('description'),
  collectionId: plain('collection_id'),
  noteObjectId: plain('note_object_id'),
  memberCount: plain('member_count'),
  knownCount: plain('known_count'),
  proactiveAllowed: flag('proactive_allowed'),
  lastSeenAt: plain('last_seen_at'),
  syncedAt: plain('synced_at'),
  syncDueAt: plain('sync_due_at'),
  isPresent: flag('is_present'),
  presenceUpdateId: int64OrNull('presence_update_id'),
  titleUpdateId: int64OrNull('title_update_id'),
  lastUpdateAt: plain('last_update_at'),
  revision: plain('revision'),
});

const MEMBER = recordMap<BotMember>({
  chatId: int64('chat_id'),
  userId: int64('user_id'),
  displayName: plain('display_name'),
  username: plain('username'),
  role: plain('role'),
  source: plain('source'),
  lastSeenAt: plain('last_seen_at'),
  isPresent: flag('is_present'),
  presenceUpdateId: int64OrNull('presence_update_id'),
  roleUpdateId: int64OrNull('role_update_id'),
  lastUpdateAt: plain('last_update_at'),
});

const NUMBERS = /_count$|_at$|^revision$/;
const FLAGS = new Set(['is_present', 'proactive_allowed']);

const typed = (columns: readonly string[]): readonly TypedColumn[] =>
  ['owner_id', 'bot_id', ...columns].map((name) => [
    name,
    FLAGS.has(name) ? 'smallint' : NUMBERS.test(name) ? 'bigint' : 'text',
  ]);

const CHATS = typed(CHAT.columns);
const MEMBERS = typed(MEMBER.columns);
const MOVES = typed(['from_chat_id', 'to_chat_id']);
const KEY = typed(['chat_id', 'user_id']).slice(2);

const SELECT_CHAT = `select ${CHAT.columns.map((name) => `c.${name}`).join(', ')} from bot_chats c`;
const SELECT_MEMBER = `select ${MEMBER.columns.map((name) => `m.${name}`).join(', ')}`;

type Row = Record<string, Value>;

type BotChats = Pick<
  BotStore,
  'chats' | 'chatPage' | 'dueChats' | 'saveChats' | 'dropChats' | 'movesOf' | 'saveMoves'
>;

/** The chats of bots, and those that were migrated to another id. */
export function createBotChats(sql: Sql, { ownerId }: OwnerScope): BotChats {
  const oneOf = `in (select id from ${int64Table(sql)})`;
  const own = (botId: string) => [ownerId, botId];
  return {
    chats: async (botId, chatIds) => {
      if (chatIds.length === 0) return [];
      const rows = await sql.all<Row>(
        `${SELECT_CHAT} where c.owner_id = ? and c.bot_id = ? and c.chat_id ${oneOf}`,
        [...own(botId), int64Rows(chatIds)],
      );
      return rows.map(CHAT.from);
    },
    chatPage: async (botId, { limit, offset }) => {
      const rows = await sql.all<Row>(
        `${SELECT_CHAT} where c.owner_id = ? and c.bot_id = ? and c.is_present = 1
         order by coalesce(c.last_seen_at, ${-(2 ** 53)}) desc, c.chat_id limit ? offset ?`,
        [...own(botId), limit, offset],
      );
      const counted = await sql.get<{ n: number }>(
        'select count(*) as n from bot_chats where owner_id = ? and bot_id = ? and is_present = 1',
        own(botId),
      );
      return { items: rows.map(CHAT.from), total: counted?.n ?? 0 };
    },
    dueChats: async (botId, limit) => {
      const rows = await sql.all<Row>(
        `${SELECT_CHAT} where c.owner_id = ? and c.bot_id = ? and c.is_present = 1
         order by c.sync_due_at, c.chat_id limit ?`,
        [...own(botId), limit],
      );
      return rows.map(CHAT.from);
    },
    saveChats: (botId, chats) =>
      upsertMany(
        sql,
        'bot_chats',
        CHATS,
        ['owner_id', 'bot_id', 'chat_id'],
        chats.map((chat) => [...own(botId), ...CHAT.values(chat)]),
      ),
    dropChats: async (botId, chatIds) => {
      if (chatIds.length === 0) return;
      for (const table of ['bot_chats', 'bot_members'])
        await sql.enqueueChange(
          `delete from ${table} where owner_id = ? and bot_id = ? and chat_id ${oneOf}`,
          [...own(botId), int64Rows(chatIds)],
        );
    },
    movesOf: async (botId, chatIds) => {
      if (chatIds.length === 0) return [];
      const rows = await sql.all<{ from_chat_id: string; to_chat_id: string }>(
        `select from_chat_id, to_chat_id from bot_chat_migrations where owner_id = ? and bot_id = ? and from_chat_id ${oneOf}
         union
         select from_chat_id, to_chat_id from bot_chat_migrations where owner_id = ? and bot_id = ? and to_chat_id ${oneOf}`,
        [...own(botId), int64Rows(chatIds), ...own(botId), int64Rows(chatIds)],
      );
      return rows.map((row) => ({
        from: int64From(row.from_chat_id),
        to: int64From(row.to_chat_id),
      }));
    },
    saveMoves: (botId, moves) =>
      upsertMany(
        sql,
        'bot_chat_migrations',
        MOVES,
        ['owner_id', 'bot_id', 'from_chat_id'],
        moves.map(({ from, to }) => [...own(botId), int64Text(from), int64Text(to)]),
      ),
  };
}

type BotMembers = Pick<BotStore, 'members' | 'membersOf' | 'saveMembers' | 'dropMembers'>;

export function createBotMembers(sql: Sql, { ownerId }: OwnerScope): BotMembers {
  const own = (botId: string) => [ownerId, botId];
  return {
    members: async (botId, keys) => {
      if (keys.length === 0) return [];
      // The keys lead: each is one look into the index, however many members their groups have.
      const rows = await sql.all<Row>(
        `${SELECT_MEMBER} from (select distinct chat_id, user_id from ${rowsTable(sql, KEY)} as sent) k
         join bot_members m on m.owner_id = ? and m.bot_id = ?
           and m.chat_id = k.chat_id and m.user_id = k.user_id`,
        [keysOf(keys), ...own(botId)],
      );
      return rows.map(MEMBER.from);
    },
    membersOf: async (botId, chatId, which, limit) => {
      const rows = await sql.all<Row>(
        `${SELECT_MEMBER} from bot_members m where m.owner_id = ? and m.bot_id = ? and m.chat_id = ?
         ${which === 'here' ? 'and m.is_present = 1' : ''} order by m.user_id limit ?`,
        [...own(botId), int64Text(chatId), limit],
      );
      return rows.map(MEMBER.from);
    },
    saveMembers: (botId, members) =>
      upsertMany(
        sql,
        'bot_members',
        MEMBERS,
        ['owner_id', 'bot_id', 'chat_id', 'user_id'],
        members.map((member) => [...own(botId), ...MEMBER.values(member)]),
      ),
    dropMembers: async (botId, keys) => {
      if (keys.length === 0) return;
      await sql.enqueueChange(
        `delete from bot_members where owner_id = ? and bot_id = ?
         and (chat_id, user_id) in (select chat_id, user_id from ${rowsTable(sql, KEY)} as keys)`,
        [...own(botId), keysOf(keys)],
      );
    },
  };
}

const keysOf = (keys: readonly MemberKey[]) =>
  rowsAsJson(keys.map(({ chatId, userId }) => [int64Text(chatId), int64Text(userId)]));
