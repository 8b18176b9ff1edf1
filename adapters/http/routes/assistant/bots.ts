import { knownMemberCount, type BotView, type ChatDetail } from '../../../../core/bots/index.ts';
import {
  BOT_STATES,
  MEMBER_SOURCES,
  type BotChat,
  type BotMember,
} from '../../../../ports/bots.ts';
import { MEMBER_ROLES, MESSENGER_PLATFORMS } from '../../../../ports/messenger.ts';
import { CONNECTION_CODES } from '../../../../ports/reasons.ts';
import { route } from '../../route.ts';
import {
  closed,
  dateTime,
  exactly,
  flag,
  int,
  int64,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  secret,
  sentInt64,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import { Deleted, connectionError, deleted, iso, listReply, paging } from '../shapes.ts';

const tag = 'Bots';

const Card = named(
  'Bot',
  closed({
    id: uuid(),
    platform: oneOf(...MESSENGER_PLATFORMS),
    username: text({ description: 'Without the leading `@`.' }),
    name: text(),
    created_at: dateTime(),
    link_code: nullable(
      text({
        description:
          'Shown to the owner of the bot only, with a token of full access. It works once and is then replaced.',
      }),
    ),
    owner_linked: flag({ description: 'Whether a private chat of the owner is linked.' }),
    state: oneOf(...BOT_STATES),
    last_error: text({
      description:
        'Why no updates arrive, or why they are polled although a webhook is possible; empty for none.',
    }),
    last_error_code: nullable(oneOf(...CONNECTION_CODES)),
    last_error_fact: text({ description: 'A status or number in the error; empty for none.' }),
  }),
);

function card({ bot, linkCode }: BotView): TypeOf<typeof Card> {
  const { state, reason } = bot.reception;
  const { error_code: code, error_fact: fact } = connectionError(reason);
  return {
    id: bot.id,
    platform: bot.platform,
    username: bot.username,
    name: bot.name,
    created_at: iso(bot.createdAt),
    link_code: linkCode,
    owner_linked: bot.ownerChatId !== null,
    state,
    last_error: reason,
    last_error_code: code,
    last_error_fact: fact,
  };
}

const never = { description: 'ISO 8601; empty for never.' };

const chatFields = {
  chat_id: int64(),
  title: text(),
  collection_id: text(),
  description: text(),
  note_object_id: text(),
  known_count: int({ description: 'Number of known members; show it as “known X of Y”.' }),
  member_count: int({ description: 'Number of members according to the platform; 0 if unknown.' }),
  last_seen_at: text(never),
  synced_at: text(never),
  proactive_allowed: flag({ description: 'Whether the bot may write into the group first.' }),
};

const Chat = named('BotChat', closed(chatFields));

const Member = named(
  'BotMember',
  closed({
    messenger_user_id: int64(),
    display_name: text(),
    username: text(),
    is_admin: flag(),
    last_seen_at: text({ description: 'ISO 8601; empty without a message.' }),
    role: oneOf(...MEMBER_ROLES),
    source: oneOf(...MEMBER_SOURCES),
  }),
);

const Detail = named('BotChatDetail', closed({ ...chatFields, members: list(Member) }));

const isoOrEmpty = (at: number | null): string => (at === null ? '' : iso(at));

const chatCard = (chat: BotChat): TypeOf<typeof Chat> => ({
  chat_id: exactly(chat.chatId),
  title: chat.title,
  collection_id: chat.collectionId,
  description: chat.description,
  note_object_id: chat.noteObjectId,
  known_count: knownMemberCount(chat),
  member_count: chat.memberCount,
  last_seen_at: isoOrEmpty(chat.lastSeenAt),
  synced_at: isoOrEmpty(chat.syncedAt),
  proactive_allowed: chat.proactiveAllowed,
});

const memberCard = (member: BotMember): TypeOf<typeof Member> => ({
  messenger_user_id: exactly(member.userId),
  display_name: member.displayName,
  username: member.username,
  is_admin: member.role === 'creator' || member.role === 'administrator',
  last_seen_at: isoOrEmpty(member.lastSeenAt),
  role: member.role,
  source: member.source,
});

const chatDetail = ({ chat, members }: ChatDetail): TypeOf<typeof Detail> => ({
  ...chatCard(chat),
  members: members.map(memberCard),
});

const botPath = object({ bot_id: uuid() });
const chatPath = object({ bot_id: uuid(), chat_id: sentInt64() });

export const botRoutes = [
  route({
    method: 'get',
    path: '/v1/bots',
    tag,
    name: 'listBots',
    summary: 'Bots of all owners of the tenant, newest first',
    access: 'owner',
    scope: ['connections', 'read'],
    query: object(paging),
    reply: { json: listReply('BotList', Card) },
    run: (core, { caller, query }) => core.bots.listBots(caller, query),
    present: ({ items, total }) => ({ items: items.map(card), total }),
  }),
  route({
    method: 'post',
    path: '/v1/bots',
    tag,
    name: 'registerBot',
    summary: 'Register a bot by its token',
    description:
      'The token is checked with the platform. If its owner registers it again, the bot gets the new token and keeps its data. Send `/start` and the `link_code` to the bot in a private chat to link that chat.',
    access: 'owner',
    scope: 'connections',
    acceptsIdempotencyKey: true,
    guessable: 'A token of a platform is long and random.',
    errors: ['bot_exists', 'too_many_bots'],
    body: {
      json: object({
        platform: oneOf(...MESSENGER_PLATFORMS),
        token: secret({
          ...text({ minLength: 1, maxLength: 256, pattern: '^[!-~]*$' }),
          trimmed: true,
        }),
      }),
    },
    reply: { json: Card },
    run: (core, { caller, body }) => core.bots.registerBot(caller, body),
    present: card,
  }),
  route({
    method: 'get',
    path: '/v1/bots/:bot_id',
    tag,
    name: 'getBot',
    summary: 'One bot',
    access: 'owner',
    scope: ['connections', 'read'],
    errors: ['not_found'],
    params: botPath,
    reply: { json: Card },
    run: (core, { caller, params }) => core.bots.getBot(caller, params.bot_id),
    present: card,
  }),
  route({
    method: 'delete',
    path: '/v1/bots/:bot_id',
    tag,
    name: 'removeBot',
    summary: 'Delete a bot, its token and its registry',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found'],
    params: botPath,
    reply: { json: Deleted },
    run: (core, { caller, params }) => core.bots.removeBot(caller, params.bot_id),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/bots/:bot_id/webhook',
    tag,
    name: 'receiveUpdate',
    summary: 'Webhook for updates of the platform, authenticated by the secret of the bot',
    description: 'A repeated update gets the same response and changes nothing.',
    access: 'platform',
    params: botPath,
    body: { json: object({}), verbatim: true },
    reply: { json: named('Received', closed({})) },
    run: (core, { bot, source }) => core.bots.receiveUpdate(bot, source),
    present: () => ({}),
  }),
  route({
    method: 'get',
    path: '/v1/bots/:bot_id/chats',
    tag,
    name: 'listBotChats',
    summary: 'Groups of a bot, by last activity',
    access: 'owner',
    scope: ['connections', 'read'],
    errors: ['not_found'],
    params: botPath,
    query: object(paging),
    reply: { json: listReply('BotChatList', Chat) },
    run: (core, { caller, params, query }) => core.bots.listBotChats(caller, params.bot_id, query),
    present: ({ items, total }) => ({ items: items.map(chatCard), total }),
  }),
  route({
    method: 'get',
    path: '/v1/bots/:bot_id/chats/:chat_id',
    tag,
    name: 'getBotChat',
    summary: 'A group with its known members',
    description:
      'A platform does not disclose the members of a group, so the list is incomplete. Members are ordered by last activity.',
    access: 'owner',
    scope: ['connections', 'read'],
    errors: ['not_found'],
    params: chatPath,
    reply: { json: Detail },
    run: (core, { caller, params }) => core.bots.getBotChat(caller, params.bot_id, params.chat_id),
    present: chatDetail,
  }),
  route({
    method: 'patch',
    path: '/v1/bots/:bot_id/chats/:chat_id',
    tag,
    name: 'editBotChat',
    summary: 'Grant or withdraw the consent to write into a group first',
    description: 'Only the owner of the bot may do this.',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found'],
    params: chatPath,
    body: { json: object({ proactive_allowed: optional(flag()) }) },
    reply: { json: Chat },
    run: (core, { caller, params, body: { proactive_allowed: proactiveAllowed } }) =>
      core.bots.editBotChat(caller, params.bot_id, params.chat_id, {
        ...(proactiveAllowed !== undefined && { proactiveAllowed }),
      }),
    present: chatCard,
  }),
  route({
    method: 'post',
    path: '/v1/bots/:bot_id/chats/:chat_id/sync',
    tag,
    name: 'syncBotChat',
    summary: 'Synchronise a group with the platform now',
    description:
      'Only the owner of the bot may do this. The card in the response has another `chat_id` if the group has migrated. 409 `bot_not_in_chat` if the platform does not know the group.',
    access: 'owner',
    scope: 'connections',
    errors: ['not_found', 'bot_not_in_chat', 'bot_token_rejected', 'upstream_failed'],
    params: chatPath,
    reply: { json: Chat },
    run: (core, { caller, params }) => core.bots.syncBotChat(caller, params.bot_id, params.chat_id),
    present: chatCard,
  }),
];
