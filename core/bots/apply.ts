import type { Bot, BotChat, BotMember, BotStore, MemberKey } from '../../ports/bots.ts';
import type { MessengerId, MessengerUpdate } from '../../ports/messenger.ts';
import type { Instant } from '../../ports/runtime.ts';
import { applyOwnerLink, type Acknowledgement, type LinkDeps } from './owner-link.ts';
import { groupsOf, needsAllMembers, peopleOf, reduce } from './reduce.ts';
import {
  LATE_UPDATE_WINDOW_MS,
  MAX_CHATS,
  MAX_MEMBERS,
  memberKey,
  type Registry,
} from './registry.ts';

export interface Applied {
  /** Its current state. */
  readonly bot: Bot;
  /** Messages that linked a chat to the owner. */
  readonly greetings: readonly Acknowledgement[];
  /** Number of updates that were not processed before. */
  readonly taken: number;
  /** Whether a group was seen for the first time. */
  readonly metGroups: boolean;
}

/**
 * Applies updates to the registry of a bot, each once, regardless of repetition and order: duplicates are detected in
 * the unit of work of their effect. The bot itself is not saved.
 */
export async function applyUpdates(
  deps: LinkDeps,
  bots: BotStore,
  bot: Bot,
  updates: readonly MessengerUpdate[],
  now: Instant,
): Promise<Applied> {
  await bots.forget(bot.id, now - LATE_UPDATE_WINDOW_MS);
  const ids = updates.map(({ updateId }) => updateId);
  const fresh = new Set(await bots.claimUpdates(bot.id, ids, now));
  // A batch may contain an update twice.
  const batch = updates.filter(({ updateId }) => fresh.delete(updateId));
  const link = applyOwnerLink(deps, bot, batch);
  const metGroups = await changeRegistry(bots, bot, now, batch, (state) => {
    for (const update of batch) reduce(state, update);
  });
  return { ...link, taken: batch.length, metGroups };
}

/**
 * Loads the groups and members that the updates mention, applies the changes, and saves what differs. Returns whether
 * a group is new.
 */
export async function changeRegistry(
  bots: BotStore,
  bot: Bot,
  now: Instant,
  batch: readonly MessengerUpdate[],
  change: (state: Registry) => void,
): Promise<boolean> {
  const state = await load(bots, bot, now, batch);
  const before = {
    chats: new Map(state.chats),
    members: new Map(state.members),
    moves: new Map(state.moves),
  };
  change(state);
  return store(bots, bot.id, before, state);
}

async function load(
  bots: BotStore,
  { id, accountId }: Bot,
  now: Instant,
  batch: readonly MessengerUpdate[],
): Promise<Registry> {
  const named = [...new Set(batch.flatMap(groupsOf))];
  const moves = new Map((await bots.movesOf(id, named)).map(({ from, to }) => [from, to]));
  const chatIds = [...new Set([...named, ...moves.values()])];
  const chats = new Map((await bots.chats(id, chatIds)).map((chat) => [chat.chatId, chat]));
  const members = new Map<string, BotMember>();
  const keep = (all: readonly BotMember[]) => {
    for (const member of all) members.set(memberKey(member.chatId, member.userId), member);
  };
  const complete = new Set(batch.filter(needsAllMembers).flatMap(groupsOf));
  for (const [from, to] of moves) if (complete.has(from)) complete.add(to);
  for (const chatId of complete) keep(await bots.membersOf(id, chatId, 'kept', 2 * MAX_MEMBERS));
  keep(await bots.members(id, keysOf(batch, moves)));
  const known = [...chats.values()].filter(({ isPresent }) => isPresent).length;
  const { total } =
    known < chatIds.length ? await bots.chatPage(id, { limit: 1, offset: 0 }) : { total: 0 };
  return { accountId, now, chats, members, moves, freeChats: MAX_CHATS - total };
}

/** Under the reported id, and under the one it was migrated to. */
const keysOf = (
  batch: readonly MessengerUpdate[],
  moves: ReadonlyMap<MessengerId, MessengerId>,
): readonly MemberKey[] =>
  batch.flatMap((update) =>
    groupsOf(update).flatMap((chatId) =>
      peopleOf(update).map((userId) => ({ chatId: moves.get(chatId) ?? chatId, userId })),
    ),
  );

async function store(
  bots: BotStore,
  botId: string,
  before: Pick<Registry, 'chats' | 'members' | 'moves'>,
  after: Registry,
): Promise<boolean> {
  const chats = changedIn(before.chats, after.chats);
  const members = changedIn(before.members, after.members);
  const moves = changedIn(before.moves, after.moves, ([from, to]) => ({ from, to }));
  const lostChats = [...before.chats.keys()].filter((chatId) => !after.chats.has(chatId));
  const lostMembers = [...before.members].filter(([key]) => !after.members.has(key));
  await bots.dropChats(botId, lostChats);
  await bots.dropMembers(
    botId,
    lostMembers.map(([, member]) => member),
  );
  await bots.saveChats(botId, chats);
  await bots.saveMembers(botId, members);
  await bots.saveMoves(botId, moves);
  return chats.some(({ chatId, isPresent }) => isPresent && !before.chats.get(chatId)?.isPresent);
}

function changedIn<K, V>(before: ReadonlyMap<K, V>, after: ReadonlyMap<K, V>): V[];
function changedIn<K, V, T>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  as: (entry: [K, V]) => T,
): T[];
function changedIn<K, V, T>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
  as: (entry: [K, V]) => T | V = ([, value]) => value,
): (T | V)[] {
  return [...after].filter(([key, value]) => before.get(key) !== value).map(as);
}

export const isHere = (chat: BotChat | undefined): chat is BotChat => chat?.isPresent === true;
