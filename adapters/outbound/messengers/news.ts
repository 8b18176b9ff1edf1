import type {
  MemberRole,
  MessengerGroup,
  MessengerNews,
  MessengerPerson,
  MessengerUpdate,
} from '../../../ports/messenger.ts';
import type { Instant } from '../../../ports/time-and-ids.ts';
import { at, idAt, personAt, textAt } from './fields.ts';

/** The kinds of updates that are processed; membership updates have to be requested explicitly. */
export const READ_UPDATES = ['message', 'edited_message', 'my_chat_member', 'chat_member'] as const;

const LONGEST_TEXT = 8_192;
const MOST_JOINING = 200;
/** Users that represent messages in the name of a group or of a channel. */
const NOBODY: ReadonlySet<bigint> = new Set([1_087_968_824n, 136_817_688n]);
const OTHER: MessengerNews = { type: 'other' };

/** An update of the Bot API; undefined if invalid. */
export function updateOf(raw: unknown): MessengerUpdate | undefined {
  const updateId = idAt(raw, 'update_id');
  if (updateId === undefined) return undefined;
  const kind = READ_UPDATES.find((each) => at(raw, each) !== undefined);
  if (!kind) return { updateId, at: null, news: OTHER };
  const told = at(raw, kind);
  // An edited message proves that its author was present when it was written. It says nothing about the time of the
  // edit, which the platform may have made.
  return { updateId, at: instantOf(told), news: newsOf(kind, told) ?? OTHER };
}

function newsOf(kind: (typeof READ_UPDATES)[number], told: unknown): MessengerNews | undefined {
  const chat = at(told, 'chat');
  const isPrivate = at(chat, 'type') === 'private';
  const group = groupOf(chat);
  switch (kind) {
    case 'message':
      return isPrivate ? privateNews(chat, told) : group && groupNews(group, told);
    case 'edited_message':
      return group && { type: 'message', group, from: authorOf(told) };
    case 'my_chat_member':
      return isPrivate ? blockedNews(chat, told) : group && ownStanding(group, told);
    case 'chat_member':
      return group && standing(group, told);
  }
}

function privateNews(chat: unknown, message: unknown): MessengerNews | undefined {
  const [chatId, messageId = null] = [idAt(chat, 'id'), idAt(message, 'message_id')];
  const from = personAt(message, 'from');
  if (chatId === undefined || !from) return undefined;
  return { type: 'private', chatId, from, messageId, text: textAt(message, 'text', LONGEST_TEXT) };
}

function groupNews(group: MessengerGroup, message: unknown): MessengerNews {
  const to = idAt(message, 'migrate_to_chat_id');
  if (to !== undefined) return { type: 'moved', from: group.chatId, to: { ...group, chatId: to } };
  const from = idAt(message, 'migrate_from_chat_id');
  if (from !== undefined) return { type: 'moved', from, to: group };
  const people = peopleOf(at(message, 'new_chat_members'));
  if (people.length > 0) return { type: 'joined', group, people };
  const person = personAt(message, 'left_chat_member');
  if (person) return { type: 'left', group, person };
  const title = textAt(message, 'new_chat_title') || group.title;
  return { type: 'message', group: { ...group, title }, from: authorOf(message) };
}

function blockedNews(chat: unknown, told: unknown): MessengerNews | undefined {
  const chatId = idAt(chat, 'id');
  const gone = roleOf(at(told, 'new_chat_member')) === null;
  return gone && chatId !== undefined ? { type: 'blocked', chatId } : undefined;
}

function ownStanding(group: MessengerGroup, told: unknown): MessengerNews | undefined {
  const role = roleOf(at(told, 'new_chat_member'));
  return role === undefined ? undefined : { type: 'own_standing', group, role };
}

function standing(group: MessengerGroup, told: unknown): MessengerNews | undefined {
  const member = at(told, 'new_chat_member');
  const [role, person] = [roleOf(member), personAt(member, 'user')];
  return role === undefined || !person ? undefined : { type: 'standing', group, person, role };
}

/** Null: no longer in the chat; undefined: an unknown status. */
export function roleOf(member: unknown): MemberRole | null | undefined {
  const status = at(member, 'status');
  switch (status) {
    case 'creator':
    case 'administrator':
    case 'member':
      return status;
    case 'restricted':
      return at(member, 'is_member') === false ? null : status;
    case 'left':
    case 'kicked':
      return null;
    default:
      return undefined;
  }
}

function groupOf(chat: unknown): MessengerGroup | undefined {
  const chatId = idAt(chat, 'id');
  const type = at(chat, 'type');
  if (chatId === undefined || (type !== 'group' && type !== 'supergroup')) return undefined;
  return { chatId, title: textAt(chat, 'title') };
}

function authorOf(message: unknown): MessengerPerson | null {
  const from = personAt(message, 'from');
  if (!from || NOBODY.has(from.userId) || at(message, 'sender_chat') !== undefined) return null;
  return from;
}

const peopleOf = (users: unknown): readonly MessengerPerson[] =>
  Array.isArray(users)
    ? users.slice(0, MOST_JOINING).flatMap((each: unknown) => personAt({ each }, 'each') ?? [])
    : [];

/** Given in whole seconds. */
function instantOf(told: unknown): Instant | null {
  const seconds = at(told, 'date');
  const known =
    Number.isSafeInteger(seconds) && (seconds as number) > 0 && (seconds as number) < 1e11;
  return known ? (seconds as number) * 1_000 : null;
}
