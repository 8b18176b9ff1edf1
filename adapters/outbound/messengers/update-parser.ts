import type {
  MemberRole,
  MessengerGroup,
  MessengerEvent,
  MessengerPerson,
  MessengerUpdate,
} from '../../../ports/messenger.ts';
import type { Instant } from '../../../ports/runtime.ts';
import { at, idAt, personAt, textAt } from './fields.ts';

/** The kinds of updates that are processed; membership updates have to be requested explicitly. */
export const READ_UPDATES = ['message', 'edited_message', 'my_chat_member', 'chat_member'] as const;

const MAX_TEXT_LENGTH = 8_192;
const MAX_NEW_MEMBERS = 200;
/** Users that represent messages in the name of a group or of a channel. */
const PSEUDO_USER_IDS: ReadonlySet<bigint> = new Set([1_087_968_824n, 136_817_688n]);
const OTHER: MessengerEvent = { type: 'other' };

/** An update of the Bot API; undefined if invalid. */
export function parseUpdate(raw: unknown): MessengerUpdate | undefined {
  const updateId = idAt(raw, 'update_id');
  if (updateId === undefined) return undefined;
  const kind = READ_UPDATES.find((each) => at(raw, each) !== undefined);
  if (!kind) return { updateId, at: null, event: OTHER };
  const payload = at(raw, kind);
  // An edited message proves that its author was present when it was written. It says nothing about the time of the
  // edit, which the platform may have made.
  return { updateId, at: instantAt(payload, 'date'), event: eventOf(kind, payload) ?? OTHER };
}

function eventOf(
  kind: (typeof READ_UPDATES)[number],
  payload: unknown,
): MessengerEvent | undefined {
  const chat = at(payload, 'chat');
  const isPrivate = at(chat, 'type') === 'private';
  const group = groupOf(chat);
  switch (kind) {
    case 'message':
      return isPrivate ? privateEvent(chat, payload) : group && groupEvent(group, payload);
    case 'edited_message':
      return group && { type: 'message', group, from: authorOf(payload) };
    case 'my_chat_member':
      return isPrivate ? blockedEvent(chat, payload) : group && ownMembership(group, payload);
    case 'chat_member':
      return group && membership(group, payload);
  }
}

function privateEvent(chat: unknown, message: unknown): MessengerEvent | undefined {
  const [chatId, messageId = null] = [idAt(chat, 'id'), idAt(message, 'message_id')];
  const from = personAt(message, 'from');
  if (chatId === undefined || !from) return undefined;
  return {
    type: 'private',
    chatId,
    from,
    messageId,
    text: textAt(message, 'text', MAX_TEXT_LENGTH),
  };
}

function groupEvent(group: MessengerGroup, message: unknown): MessengerEvent {
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

function blockedEvent(chat: unknown, payload: unknown): MessengerEvent | undefined {
  const chatId = idAt(chat, 'id');
  const gone = roleOf(at(payload, 'new_chat_member')) === null;
  return gone && chatId !== undefined ? { type: 'blocked', chatId } : undefined;
}

function ownMembership(group: MessengerGroup, payload: unknown): MessengerEvent | undefined {
  const role = roleOf(at(payload, 'new_chat_member'));
  return role === undefined ? undefined : { type: 'own_standing', group, role };
}

function membership(group: MessengerGroup, payload: unknown): MessengerEvent | undefined {
  const member = at(payload, 'new_chat_member');
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
  if (!from || PSEUDO_USER_IDS.has(from.userId) || at(message, 'sender_chat') !== undefined)
    return null;
  return from;
}

const peopleOf = (users: unknown): readonly MessengerPerson[] =>
  Array.isArray(users)
    ? users.slice(0, MAX_NEW_MEMBERS).flatMap((each: unknown) => personAt({ each }, 'each') ?? [])
    : [];

/** Given in whole seconds. */
export function instantAt(value: unknown, key: string): Instant | null {
  const seconds = at(value, key);
  const known =
    Number.isSafeInteger(seconds) && (seconds as number) > 0 && (seconds as number) < 1e11;
  return known ? (seconds as number) * 1_000 : null;
}
