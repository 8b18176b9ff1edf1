import type { Bot, BotChat, BotMember, BotStore, MemberKey } from '../../../../ports/bots.ts';
import type { MessengerId } from '../../../../ports/messenger.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { rowsAsJson, rowsTable, upsertMany, type TypedColumn } from '../../bulk-rows.ts';
import { flag, json, plain, recordMap, type Field } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';

const LEAST = -(2n ** 63n);
const DIGITS = 20;

/** A number of 64 bits as a text that sorts as it does: counted from the least of them, always as long. */
export const int64Text = (id: MessengerId): string => (id - LEAST).toString().padStart(DIGITS, '0');
const int64From = (text: string): MessengerId => BigInt(text) + LEAST;

const int64 = (column: string): Field<MessengerId> => ({
  column,
  put: int64Text,
  take: (value) => int64From(value as string),
});

const int64OrNull = (column: string): Field<MessengerId | null> => ({
  column,
  put: (id) => (id === null ? null : int64Text(id)),
  take: (value) => (value === null ? null : int64From(value as string)),
});

/** A bot with its cursor laid out. */
type BotRecord = Omit<Bot, 'cursor'> & {
  readonly cursorAfter: MessengerId | null;
  readonly cursorAt: number | null;
};

export const BOT = recordMap<BotRecord>({
  id: plain('id'),
  platform: plain('platform'),
  accountId: int64('account_id'),
  username: plain('username'),
  name: plain('name'),
  sealedToken: plain('sealed_token'),
  linkCode: plain('link_code'),
  ownerChatId: int64OrNull('owner_chat_id'),
  webhook: json('webhook'),
  cursorAfter: int64OrNull('update_offset'),
  cursorAt: plain('update_offset_at'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});

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
const ONE_ID: readonly TypedColumn[] = [['id', 'text']];

/** The tables that belong to a bot. */
const BESIDE = ['bot_chats', 'bot_members', 'bot_chat_migrations', 'bot_updates'] as const;

const BOT_COLUMNS = BOT.columns.join(', ');
const SELECT_CHAT = `select ${CHAT.columns.map((name) => `c.${name}`).join(', ')} from bot_chats c`;
const SELECT_MEMBER = `select ${MEMBER.columns.map((name) => `m.${name}`).join(', ')}`;

type Row = Record<string, Value>;

const valuesOf = ({ cursor, ...rest }: Bot): Value[] =>
  BOT.values({ ...rest, cursorAfter: cursor?.after ?? null, cursorAt: cursor?.at ?? null });

export const botFrom = (record: BotRecord): Bot => {
  const { cursorAfter, cursorAt, ...rest } = record;
  const cursor =
    cursorAfter === null || cursorAt === null ? null : { after: cursorAfter, at: cursorAt };
  return { ...rest, cursor };
};

export function knexBots(sql: Sql, { ownerId }: OwnerScope): BotStore {
  const ids = (all: readonly MessengerId[]) => rowsAsJson(all.map((id) => [int64Text(id)]));
  const keysOf = (keys: readonly MemberKey[]) =>
    rowsAsJson(keys.map(({ chatId, userId }) => [int64Text(chatId), int64Text(userId)]));
  const oneOf = `in (select id from ${rowsTable(sql, ONE_ID)} as ids)`;
  const own = (botId: string) => [ownerId, botId];
  return {
    add: async (bot) =>
      (await sql.run(
        `insert into bots (owner_id, ${BOT_COLUMNS}) values (${placeholders(BOT.columns.length + 1)})
         on conflict do nothing`,
        [ownerId, ...valuesOf(bot)],
      )) > 0,
    save: (bot) =>
      sql.enqueueChange(
        `update bots set ${BOT.columns.map((name) => `${name} = ?`).join(', ')}
         where owner_id = ? and id = ?`,
        [...valuesOf(bot), ownerId, bot.id],
      ),
    find: async (id) => {
      const row = await sql.get<Row>(
        `select ${BOT_COLUMNS} from bots where owner_id = ? and id = ?`,
        [ownerId, id],
      );
      return row && botFrom(BOT.from(row));
    },
    all: async () => {
      const rows = await sql.all<Row>(
        `select ${BOT_COLUMNS} from bots where owner_id = ? order by created_at desc, id desc`,
        [ownerId],
      );
      return rows.map(BOT.from).map(botFrom);
    },
    remove: async (id) => {
      for (const table of BESIDE)
        await sql.enqueueChange(`delete from ${table} where owner_id = ? and bot_id = ?`, own(id));
      return (await sql.run('delete from bots where owner_id = ? and id = ?', own(id))) > 0;
    },
    claimUpdates: async (botId, updateIds, at) => {
      if (updateIds.length === 0) return [];
      const rows = await sql.all<{ update_id: string }>(
        `insert into bot_updates (owner_id, bot_id, update_id, received_at)
         select ?, ?, id, ${sql.dialect === 'sqlite' ? '?' : '?::bigint'}
         from ${rowsTable(sql, ONE_ID)} as ids where true
         on conflict do nothing returning update_id`,
        [ownerId, botId, at, ids([...new Set(updateIds)])],
      );
      const taken = new Set(rows.map(({ update_id }) => int64From(update_id)));
      return updateIds.filter((id) => taken.delete(id));
    },
    forget: async (botId, before) => {
      await sql.enqueueChange(
        'delete from bot_updates where owner_id = ? and bot_id = ? and received_at < ?',
        [...own(botId), before],
      );
      for (const table of ['bot_chats', 'bot_members'])
        await sql.enqueueChange(
          `delete from ${table} where owner_id = ? and bot_id = ? and is_present = 0 and last_update_at < ?`,
          [...own(botId), before],
        );
    },
    chats: async (botId, chatIds) => {
      if (chatIds.length === 0) return [];
      const rows = await sql.all<Row>(
        `${SELECT_CHAT} where c.owner_id = ? and c.bot_id = ? and c.chat_id ${oneOf}`,
        [...own(botId), ids(chatIds)],
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
          [...own(botId), ids(chatIds)],
        );
    },
    members: async (botId, keys) => {
      if (keys.length === 0) return [];
      // Ordered by key: each key takes one index lookup, regardless of the number of members.
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
    movesOf: async (botId, chatIds) => {
      if (chatIds.length === 0) return [];
      const rows = await sql.all<{ from_chat_id: string; to_chat_id: string }>(
        `select from_chat_id, to_chat_id from bot_chat_migrations where owner_id = ? and bot_id = ? and from_chat_id ${oneOf}
         union
         select from_chat_id, to_chat_id from bot_chat_migrations where owner_id = ? and bot_id = ? and to_chat_id ${oneOf}`,
        [...own(botId), ids(chatIds), ...own(botId), ids(chatIds)],
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
