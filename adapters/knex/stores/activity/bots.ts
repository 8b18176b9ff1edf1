import type { Bot, BotState, BotStore, FailedWebhook } from '../../../../ports/bots.ts';
import type { MessengerId } from '../../../../ports/messenger.ts';
import type { OwnerScope } from '../../../../ports/unit-of-work.ts';
import { json, plain, recordMap } from '../../record-mapper.ts';
import { placeholders, type Sql, type Value } from '../../sql.ts';
import { createBotChats, createBotMembers } from './bot-chats.ts';
import { int64, int64From, int64OrNull, int64Rows, int64Table } from './int64.ts';

/** A bot with its cursor and reception laid out. */
type BotRecord = Omit<Bot, 'cursor' | 'reception'> & {
  readonly cursorAfter: MessengerId | null;
  readonly cursorAt: number | null;
  readonly receptionState: BotState;
  readonly receptionReason: string;
  readonly failedWebhook: FailedWebhook | null;
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
  receptionState: plain('reception_state'),
  receptionReason: plain('reception_reason'),
  failedWebhook: json('failed_webhook'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
});

/** Everything that lies beside a bot. */
const BESIDE = ['bot_chats', 'bot_members', 'bot_chat_migrations', 'bot_updates'] as const;

const BOT_COLUMNS = BOT.columns.join(', ');

type Row = Record<string, Value>;

const valuesOf = ({ cursor, reception, ...rest }: Bot): Value[] =>
  BOT.values({
    ...rest,
    cursorAfter: cursor?.after ?? null,
    cursorAt: cursor?.at ?? null,
    receptionState: reception.state,
    receptionReason: reception.reason,
    failedWebhook: reception.failedWebhook,
  });

export const botFrom = (record: BotRecord): Bot => {
  const { cursorAfter, cursorAt, receptionState, receptionReason, failedWebhook, ...rest } = record;
  const cursor =
    cursorAfter === null || cursorAt === null ? null : { after: cursorAfter, at: cursorAt };
  const reception = { state: receptionState, reason: receptionReason, failedWebhook };
  return { ...rest, cursor, reception };
};

export function knexBots(sql: Sql, scope: OwnerScope): BotStore {
  const { ownerId } = scope;
  const own = (botId: string) => [ownerId, botId];
  return {
    ...createBotChats(sql, scope),
    ...createBotMembers(sql, scope),
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
         from ${int64Table(sql)} where true
         on conflict do nothing returning update_id`,
        [ownerId, botId, at, int64Rows([...new Set(updateIds)])],
      );
      const taken = new Set(rows.map(({ update_id }) => int64From(update_id)));
      return updateIds.filter((id) => taken.delete(id));
    },
    lastReceivedAt: async (botId) => {
      const row = await sql.get<{ latest: number | null }>(
        'select max(received_at) as latest from bot_updates where owner_id = ? and bot_id = ?',
        own(botId),
      );
      return row?.latest ?? null;
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
  };
}
