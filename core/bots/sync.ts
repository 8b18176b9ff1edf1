import type { Bot, BotChat, BotStore } from '../../ports/bots.ts';
import {
  MessengerError,
  type GroupInfo,
  type Messenger,
  type MessengerId,
  type MessengerUpdate,
} from '../../ports/messenger.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';
import { notFound, unavailable } from '../shared/common-errors.ts';
import { changeRegistry, isHere } from './apply.ts';
import { moveGroup } from './groups.ts';
import { addMember, membersIn, memberKey, type Registry } from './registry.ts';

export interface SyncDeps {
  readonly uow: UnitOfWork<'bots'>;
  readonly clock: Clock;
  readonly messenger: Messenger;
}

/** Maximum number of repeated queries because the reply may be older than concurrent updates. */
const MAX_ATTEMPTS = 3;
export const SYNC_EVERY_MS = 86_400_000;

/**
 * Queries the platform about a group and applies the reply. A migration is followed.
 *
 * Ends with `not_found`, with a MessengerError, and with `unavailable` if the group keeps changing during the query.
 */
export async function syncGroup(
  deps: SyncDeps,
  scope: OwnerScope,
  bot: Bot,
  token: string,
  chatId: MessengerId,
): Promise<BotChat> {
  let requestedChatId = chatId;
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const before = await deps.uow.read(scope, ({ bots }) => cardOf(bots, bot.id, requestedChatId));
    let disclosed: GroupInfo;
    try {
      disclosed = await deps.messenger.fetchGroup(token, requestedChatId);
    } catch (error) {
      const movedTo = error instanceof MessengerError ? error.movedTo : undefined;
      if (movedTo === undefined || movedTo === requestedChatId) throw error;
      await follow(deps, scope, bot, before, movedTo);
      requestedChatId = movedTo;
      continue;
    }
    const card = await deps.uow.write(scope, async ({ bots }) => {
      const now = await cardOf(bots, bot.id, requestedChatId);
      if (now.revision !== before.revision) return undefined;
      await disclose(bots, bot, deps.clock.now(), requestedChatId, disclosed);
      return cardOf(bots, bot.id, requestedChatId);
    });
    if (card) return card;
  }
  throw unavailable({}, 1);
}

async function cardOf(bots: BotStore, botId: string, chatId: MessengerId): Promise<BotChat> {
  const [card] = await bots.chats(botId, [chatId]);
  if (!isHere(card)) throw notFound();
  return card;
}

/** A new id reported by the platform counts like an update. */
async function follow(
  { uow, clock }: SyncDeps,
  scope: OwnerScope,
  bot: Bot,
  { chatId, title }: BotChat,
  movedTo: MessengerId,
): Promise<void> {
  const to = { chatId: movedTo, title };
  const loaded = [asIf({ type: 'moved', from: chatId, to })];
  await uow.write(scope, ({ bots }) =>
    changeRegistry(bots, bot, clock.now(), loaded, (state) => moveGroup(state, chatId, to, null)),
  );
}

async function disclose(
  bots: BotStore,
  bot: Bot,
  now: Instant,
  chatId: MessengerId,
  disclosed: GroupInfo,
): Promise<void> {
  const group = { chatId, title: disclosed.title };
  // All members have to be loaded, to find those in the list and those no longer in it.
  const loaded = [asIf({ type: 'own_standing', group, role: null })];
  await changeRegistry(bots, bot, now, loaded, (state) => take(state, chatId, disclosed));
}

const asIf = (event: MessengerUpdate['event']): MessengerUpdate => ({
  updateId: 0n,
  at: null,
  event,
});

function take(state: Registry, chatId: MessengerId, disclosed: GroupInfo): void {
  const { chats, members, now } = state;
  const card = chats.get(chatId);
  if (!card) return;
  chats.set(chatId, {
    ...card,
    title: disclosed.title === '' ? card.title : disclosed.title,
    description: disclosed.description ?? card.description,
    memberCount: disclosed.memberCount ?? card.memberCount,
    syncedAt: now,
    syncDueAt: now + SYNC_EVERY_MS,
  });
  if (disclosed.administrators === null) return;
  const listed = new Set(disclosed.administrators.map(({ person }) => person.userId));
  for (const { person, role } of disclosed.administrators)
    addMember(state, chatId, person, { source: 'admin_list', update: null, role });
  for (const member of membersIn(state, chatId)) {
    const led = member.role === 'creator' || member.role === 'administrator';
    if (member.isPresent && led && !listed.has(member.userId))
      members.set(memberKey(chatId, member.userId), { ...member, role: 'member' });
  }
}
