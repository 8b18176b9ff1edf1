import type { BotChat, BotMember, MemberSource } from '../../ports/bots.ts';
import type {
  MemberRole,
  MessengerGroup,
  MessengerId,
  MessengerPerson,
} from '../../ports/messenger.ts';
import type { Instant } from '../../ports/runtime.ts';

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
  freeChats: number;
}

/** Maximum number of known members per group; the platform discloses no more anyway. */
export const MAX_MEMBERS = 10_000;
/** Maximum number of groups per bot. */
export const MAX_CHATS = 10_000;
/** How long late updates are recognised as stale. A platform stores updates for a day. */
export const LATE_UPDATE_WINDOW_MS = 2 * 86_400_000;
/** Soon, but after the first updates. */
export const FIRST_SYNC_MS = 10_000;

export const memberKey = (chatId: MessengerId, userId: MessengerId): string =>
  `${chatId}/${userId}`;

export const currentId = ({ moves }: Registry, chatId: MessengerId): MessengerId =>
  moves.get(chatId) ?? chatId;

/** Whether the named update supersedes this one. After two days a platform may restart its numbering. */
export const isStale = (
  state: Registry,
  update: MessengerId | null,
  by: MessengerId | null,
  lastUpdateAt: Instant,
): boolean =>
  update !== null && by !== null && update < by && lastUpdateAt > state.now - LATE_UPDATE_WINDOW_MS;

const later = (state: Registry, update: MessengerId | null, by: MessengerId | null, at: Instant) =>
  update === null || isStale(state, update, by, at) ? by : update;

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
  isPresent: true,
  presenceUpdateId: null,
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
  if (
    known &&
    !known.isPresent &&
    isStale(state, update, known.presenceUpdateId, known.lastUpdateAt)
  )
    return undefined;
  if (!known?.isPresent && state.freeChats <= 0) return undefined;
  if (!known?.isPresent) state.freeChats -= 1;
  const card = known?.isPresent ? known : newCard(chatId, now);
  const renamed =
    group.title !== '' &&
    !isStale(state, update, card.titleUpdateId, card.lastUpdateAt) &&
    // Updates under the former id are older.
    (chatId === group.chatId || card.title === '');
  const changed: BotChat = {
    ...card,
    ...(renamed && {
      title: group.title,
      titleUpdateId: update ?? card.titleUpdateId,
      revision: card.revision + Number(card.title !== group.title),
    }),
    presenceUpdateId: later(state, update, card.presenceUpdateId, card.lastUpdateAt),
    lastUpdateAt: now,
  };
  chats.set(chatId, changed);
  return changed;
}

/** A member wrote into the group. */
export function touchChat({ chats }: Registry, { chatId }: BotChat, at: Instant): void {
  const card = chats.get(chatId);
  if (card) chats.set(chatId, { ...card, lastSeenAt: latest(card.lastSeenAt, at) });
}

export const latest = (a: Instant | null, b: Instant | null): Instant | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

export interface MemberEvidence {
  readonly source: MemberSource;
  readonly update: MessengerId | null;
  /** If reported. */
  readonly role?: MemberRole;
  /** The groups in which they wrote. */
  readonly seenAt?: Instant;
}

/** A person is in the group. Bots do not count as members. */
export function addMember(
  state: Registry,
  chatId: MessengerId,
  person: MessengerPerson,
  { source, update, role, seenAt }: MemberEvidence,
): void {
  if (person.isBot || person.userId === state.accountId) return;
  const key = memberKey(chatId, person.userId);
  const known = state.members.get(key);
  // A join of a known member says nothing about the role.
  const reportedRole = source === 'join' ? undefined : role;
  const lastSeenAt = latest(known?.lastSeenAt ?? null, seenAt ?? null);
  if (known && isStale(state, update, known.presenceUpdateId, known.lastUpdateAt)) {
    const earlier = { ...known, lastSeenAt };
    state.members.set(
      key,
      known.isPresent ? withRole(state, earlier, reportedRole, update) : earlier,
    );
    if (known.isPresent && reportedRole !== undefined) changed(state, chatId, 0);
    return;
  }
  if (known?.isPresent) {
    const there: BotMember = {
      ...known,
      displayName: person.displayName,
      username: person.username,
      // Any other evidence outweighs the list of administrators, and the first evidence counts.
      source: known.source === 'admin_list' ? source : known.source,
      lastSeenAt,
      presenceUpdateId: later(state, update, known.presenceUpdateId, known.lastUpdateAt),
    };
    const next = withRole(state, there, reportedRole, update);
    state.members.set(key, { ...next, lastUpdateAt: state.now });
    if (next.role !== known.role) changed(state, chatId, 0);
    return;
  }
  const card = state.chats.get(chatId);
  if (!card || card.knownCount >= MAX_MEMBERS) return;
  state.members.set(key, {
    chatId,
    userId: person.userId,
    displayName: person.displayName,
    username: person.username,
    role: role ?? 'member',
    source,
    lastSeenAt,
    isPresent: true,
    presenceUpdateId: update ?? known?.presenceUpdateId ?? null,
    roleUpdateId: reportedRole === undefined ? (known?.roleUpdateId ?? null) : update,
    lastUpdateAt: state.now,
  });
  changed(state, chatId, 1);
}

/** A person has left the group. The row remains to recognise stale updates. */
export function removeMember(
  state: Registry,
  chatId: MessengerId,
  person: MessengerPerson,
  update: MessengerId,
): void {
  if (person.isBot || person.userId === state.accountId) return;
  const key = memberKey(chatId, person.userId);
  const known = state.members.get(key);
  if (known && isStale(state, update, known.presenceUpdateId, known.lastUpdateAt)) {
    // They have rejoined since; their former role does not apply.
    if (known.isPresent && (known.roleUpdateId === null || known.roleUpdateId < update)) {
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
    isPresent: false,
    presenceUpdateId: update,
    roleUpdateId: update,
    lastUpdateAt: state.now,
  });
  changed(state, chatId, known?.isPresent ? -1 : 0);
}

function withRole(
  state: Registry,
  member: BotMember,
  role: MemberRole | undefined,
  update: MessengerId | null,
): BotMember {
  if (role === undefined) return member;
  if (isStale(state, update, member.roleUpdateId, member.lastUpdateAt)) return member;
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
