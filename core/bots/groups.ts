import type { BotChat, BotMember } from '../../ports/bots.ts';
import type { MessengerGroup, MessengerId } from '../../ports/messenger.ts';
import {
  cardOf,
  currentId,
  FIRST_SYNC_MS,
  latest,
  memberKey,
  membersIn,
  isStale,
  type Registry,
} from './registry.ts';

/** Rare updates: the bot leaves a group, or a group is migrated. They need all members loaded. */

/**
 * The bot has left the group: its data is deleted, including the permission to write. If the bot has come back since,
 * only what was learnt before is deleted.
 */
export function leaveGroup(state: Registry, group: MessengerGroup, update: MessengerId): void {
  // Every member counts as having left the old chat of a migrated group.
  if (state.moves.has(group.chatId)) return;
  const { chats, members, now } = state;
  const { chatId } = group;
  const card = chats.get(chatId);
  const back =
    card?.isPresent === true && isStale(state, update, card.presenceUpdateId, card.lastUpdateAt);
  for (const member of membersIn(state, chatId))
    if (!back || member.presenceUpdateId === null || member.presenceUpdateId < update)
      members.delete(memberKey(chatId, member.userId));
  if (back && card) {
    const knownCount = countOf(state, chatId);
    const revision = card.revision + 1;
    chats.set(chatId, { ...card, proactiveAllowed: false, knownCount, revision });
    return;
  }
  if (card && !card.isPresent && isStale(state, update, card.presenceUpdateId, card.lastUpdateAt))
    return;
  chats.set(chatId, {
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
    syncDueAt: now,
    isPresent: false,
    presenceUpdateId: update,
    titleUpdateId: null,
    lastUpdateAt: now,
    revision: 0,
  });
}

/** The group has another id: its row moves there with all its data, and is merged with an existing one. */
export function moveGroup(
  state: Registry,
  from: MessengerId,
  to: MessengerGroup,
  update: MessengerId | null,
): void {
  const { chats, members, moves } = state;
  const target = currentId(state, to.chatId);
  if (target === from || moves.has(from)) return;
  moves.set(from, target);
  for (const [left, led] of moves) if (led === from) moves.set(left, target);
  const old = chats.get(from);
  const moved = membersIn(state, from);
  chats.delete(from);
  for (const { userId } of moved) members.delete(memberKey(from, userId));
  // The bot has left since; the update is late.
  if (old && !old.isPresent && isStale(state, update, old.presenceUpdateId, old.lastUpdateAt))
    return;
  const card = cardOf(state, to, update);
  if (!card || !old?.isPresent) return;
  for (const member of moved) {
    const key = memberKey(target, member.userId);
    members.set(key, merged(members.get(key), { ...member, chatId: target }));
  }
  const knownCount = countOf(state, target);
  chats.set(target, {
    ...mergedCard(card, old),
    knownCount,
    syncDueAt: state.now + FIRST_SYNC_MS,
  });
}

const countOf = (state: Registry, chatId: MessengerId): number =>
  membersIn(state, chatId).filter(({ isPresent }) => isPresent).length;

function mergedCard(card: BotChat, old: BotChat): BotChat {
  const told = (old.syncedAt ?? -1) > (card.syncedAt ?? -1) ? old : card;
  return {
    ...card,
    title: card.title === '' ? old.title : card.title,
    description: told.description,
    memberCount: told.memberCount,
    collectionId: card.collectionId === '' ? old.collectionId : card.collectionId,
    noteObjectId: card.noteObjectId === '' ? old.noteObjectId : card.noteObjectId,
    proactiveAllowed: card.proactiveAllowed || old.proactiveAllowed,
    lastSeenAt: latest(card.lastSeenAt, old.lastSeenAt),
    syncedAt: told.syncedAt,
    presenceUpdateId: higher(card.presenceUpdateId, old.presenceUpdateId),
    revision: card.revision + old.revision + 1,
  };
}

function merged(there: BotMember | undefined, moved: BotMember): BotMember {
  if (!there) return moved;
  const [last, first] = isHigher(moved.presenceUpdateId, there.presenceUpdateId)
    ? [moved, there]
    : [there, moved];
  const roled = isHigher(first.roleUpdateId, last.roleUpdateId) ? first : last;
  const { role, roleUpdateId } = last.isPresent ? roled : last;
  const source =
    last.isPresent && first.isPresent && last.source === 'admin_list' ? first.source : last.source;
  const lastSeenAt = latest(there.lastSeenAt, moved.lastSeenAt);
  return { ...last, role, roleUpdateId, source, lastSeenAt };
}

const isHigher = (a: MessengerId | null, b: MessengerId | null): boolean =>
  a !== null && (b === null || a > b);
const higher = (a: MessengerId | null, b: MessengerId | null): MessengerId | null =>
  isHigher(a, b) ? a : b;
