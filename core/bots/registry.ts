import type { BotChat, BotMember, MemberSource } from '../../ports/bots.ts';
import type {
  MemberRole,
  MessengerGroup,
  MessengerId,
  MessengerPerson,
} from '../../ports/messenger.ts';
import type { Instant } from '../../ports/time-and-ids.ts';

/**
 * The state to which a batch of updates is applied: of each bot the groups, people and migrations that the batch
 * mentions.
 */
export interface Registry {
  /** Id of the bot, which does not count as a member of its groups. */
  readonly accountId: MessengerId;
  readonly now: Instant;
  readonly chats: Map<MessengerId, BotChat>;
  /** By group and person. */
  readonly members: Map<string, BotMember>;
  /** Maps each former id directly to the current one. */
  readonly moves: Map<MessengerId, MessengerId>;
  /** Remaining capacity for groups. */
  room: number;
}

/** Maximum number of known members per group; the platform discloses no more anyway. */
export const MOST_MEMBERS = 10_000;
/** Maximum number of groups per bot. */
export const MOST_CHATS = 10_000;
/** How long late updates are recognised as stale. A platform stores updates for a day. */
export const LATE_MS = 2 * 86_400_000;
/** Soon, but after the first updates. */
export const FIRST_SYNC_MS = 10_000;

export const memberKey = (chatId: MessengerId, userId: MessengerId): string =>
  `${chatId}/${userId}`;

export const currentId = ({ moves }: Registry, chatId: MessengerId): MessengerId =>
  moves.get(chatId) ?? chatId;

/** Whether the named update supersedes this one. After two days a platform may restart its numbering. */
export const overtaken = (
  state: Registry,
  update: MessengerId | null,
  by: MessengerId | null,
  lastUpdateAt: Instant,
): boolean => update !== null && by !== null && update < by && lastUpdateAt > state.now - LATE_MS;

const later = (state: Registry, update: MessengerId | null, by: MessengerId | null, at: Instant) =>
  update === null || overtaken(state, update, by, at) ? by : update;

const newCard = (chatId: MessengerId, now: Instant): BotChat => ({
  chatId,
  title: '',
  description: '',
  collectionId: '',
  noteObjectId: '',
  memberCount: 0,
  knownCount: 0,
  proactiveAllowed: false,
  lastSeenAt: null,
  syncedAt: null,
  syncDueAt: now + FIRST_SYNC_MS,
  here: true,
  hereBy: null,
  titleUpdateId: null,
  lastUpdateAt: now,
  revision: 0,
});

/** The group of an update; undefined if the bot has left it since, or the limit is reached. */
export function cardOf(
  state: Registry,
  group: MessengerGroup,
  update: MessengerId | null,
): BotChat | undefined {
  const { chats, now } = state;
  const chatId = currentId(state, group.chatId);
  const known = chats.get(chatId);
  if (known && !known.here && overtaken(state, update, known.hereBy, known.lastUpdateAt))
    return undefined;
  if (!known?.here && state.room <= 0) return undefined;
  if (!known?.here) state.room -= 1;
  const card = known?.here ? known : newCard(chatId, now);
  const renamed =
    group.title !== '' &&
    !overtaken(state, update, card.titleUpdateId, card.lastUpdateAt) &&
    // Updates under the former id are older.
    (chatId === group.chatId || card.title === '');
  const changed: BotChat = {
    ...card,
    ...(renamed && {
      title: group.title,
      titleUpdateId: update ?? card.titleUpdateId,
      revision: card.revision + Number(card.title !== group.title),
    }),
    hereBy: later(state, update, card.hereBy, card.lastUpdateAt),
    lastUpdateAt: now,
  };
  chats.set(chatId, changed);
  return changed;
}

/** A member wrote into the group. */
export function heardIn({ chats }: Registry, { chatId }: BotChat, at: Instant): void {
  const card = chats.get(chatId);
  if (card) chats.set(chatId, { ...card, lastSeenAt: latest(card.lastSeenAt, at) });
}

export const latest = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

export interface Sighting {
  readonly source: MemberSource;
  readonly update: MessengerId | null;
  /** If reported. */
  readonly role?: MemberRole;
  /** The groups in which they wrote. */
  readonly heardAt?: Instant;
}

/** A person is in the group. Bots do not count as members. */
export function knowMember(
  state: Registry,
  chatId: MessengerId,
  person: MessengerPerson,
  { source, update, role, heardAt }: Sighting,
): void {
  if (person.isBot || person.userId === state.accountId) return;
  const key = memberKey(chatId, person.userId);
  const known = state.members.get(key);
  // A join of a known member says nothing about the role.
  const told = source === 'join' ? undefined : role;
  const lastSeenAt = latest(known?.lastSeenAt ?? null, heardAt ?? null);
  if (known && overtaken(state, update, known.hereBy, known.lastUpdateAt)) {
    const earlier = { ...known, lastSeenAt };
    state.members.set(key, known.here ? withRole(state, earlier, told, update) : earlier);
    if (known.here && told !== undefined) changed(state, chatId, 0);
    return;
  }
  if (known?.here) {
    const there: BotMember = {
      ...known,
      displayName: person.displayName,
      username: person.username,
      // Any other evidence outweighs the list of administrators, and the first evidence counts.
      source: known.source === 'admin_list' ? source : known.source,
      lastSeenAt,
      hereBy: later(state, update, known.hereBy, known.lastUpdateAt),
    };
    const next = withRole(state, there, told, update);
    state.members.set(key, { ...next, lastUpdateAt: state.now });
    if (next.role !== known.role) changed(state, chatId, 0);
    return;
  }
  const card = state.chats.get(chatId);
  if (!card || card.knownCount >= MOST_MEMBERS) return;
  state.members.set(key, {
    chatId,
    userId: person.userId,
    displayName: person.displayName,
    username: person.username,
    role: role ?? 'member',
    source,
    lastSeenAt,
    here: true,
    hereBy: update ?? known?.hereBy ?? null,
    roleUpdateId: told === undefined ? (known?.roleUpdateId ?? null) : update,
    lastUpdateAt: state.now,
  });
  changed(state, chatId, 1);
}

/** A person has left the group. The row remains to recognise stale updates. */
export function missMember(
  state: Registry,
  chatId: MessengerId,
  person: MessengerPerson,
  update: MessengerId,
): void {
  if (person.isBot || person.userId === state.accountId) return;
  const key = memberKey(chatId, person.userId);
  const known = state.members.get(key);
  if (known && overtaken(state, update, known.hereBy, known.lastUpdateAt)) {
    // They have rejoined since; their former role does not apply.
    if (known.here && (known.roleUpdateId === null || known.roleUpdateId < update)) {
      const role = known.roleUpdateId === null ? known.role : 'member';
      state.members.set(key, { ...known, role, roleUpdateId: update });
      changed(state, chatId, 0);
    }
    return;
  }
  state.members.set(key, {
    chatId,
    userId: person.userId,
    displayName: person.displayName,
    username: person.username,
    role: 'member',
    source: known?.source ?? 'member_update',
    lastSeenAt: known?.lastSeenAt ?? null,
    here: false,
    hereBy: update,
    roleUpdateId: update,
    lastUpdateAt: state.now,
  });
  changed(state, chatId, known?.here ? -1 : 0);
}

function withRole(
  state: Registry,
  member: BotMember,
  role: MemberRole | undefined,
  update: MessengerId | null,
): BotMember {
  if (role === undefined) return member;
  if (overtaken(state, update, member.roleUpdateId, member.lastUpdateAt)) return member;
  return { ...member, role, roleUpdateId: update ?? member.roleUpdateId };
}

/** A reply of the platform that is in progress may not include it. */
function changed({ chats }: Registry, chatId: MessengerId, members: -1 | 0 | 1): void {
  const card = chats.get(chatId);
  if (!card) return;
  const { revision, knownCount } = card;
  chats.set(chatId, { ...card, revision: revision + 1, knownCount: knownCount + members });
}

export const membersIn = ({ members }: Registry, chatId: MessengerId): readonly BotMember[] =>
  [...members.values()].filter((member) => member.chatId === chatId);
