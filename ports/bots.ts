import type { MemberRole, MessengerId, MessengerPlatform } from './messenger.ts';
import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './time-and-ids.ts';

/** An account on a platform of messages that speaks for an owner. */
export interface Bot {
  readonly id: string;
  readonly platform: MessengerPlatform;
  /** Of the platform. No two bots of a platform have one, whoever owns them. */
  readonly accountId: MessengerId;
  readonly username: string;
  readonly name: string;
  readonly sealedToken: string;
  /** Links the private chat that sends it to the owner. Replaced after use. */
  readonly linkCode: string;
  /** The private chat of the owner; null until it was linked. */
  readonly ownerChatId: MessengerId | null;
  /** Where the platform brings updates, and the digest of what comes along; null while it is asked for them. */
  readonly webhook: BotWebhook | null;
  readonly cursor: BotCursor | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface BotWebhook {
  /** '' while the platform has not confirmed it. */
  readonly address: string;
  readonly digest: string;
}

/** The update that was fetched last, and when. */
export interface BotCursor {
  readonly after: MessengerId;
  readonly at: Instant;
}

/** What is known of a group that a bot is in, or was in until lately. */
export interface BotChat {
  readonly chatId: MessengerId;
  readonly title: string;
  readonly description: string;
  /** '' for none. */
  readonly collectionId: string;
  /** '' for none. */
  readonly noteObjectId: string;
  /** How many are in it; 0 where the platform has not told. */
  readonly memberCount: number;
  /** How many of its members are known. */
  readonly knownCount: number;
  /** Whether the bot may write into it first. */
  readonly proactiveAllowed: boolean;
  /** When somebody wrote last. */
  readonly lastSeenAt: Instant | null;
  /** When the platform was asked last. */
  readonly syncedAt: Instant | null;
  /** When it is to be asked next. */
  readonly syncDueAt: Instant;
  /** Whether the bot is in it. Where it is not, the row only keeps what came late from being taken for news. */
  readonly here: boolean;
  /** The last update that told so. */
  readonly hereBy: MessengerId | null;
  /** The last update that told the title. */
  readonly titleUpdateId: MessengerId | null;
  /** When the last update of it came. */
  readonly lastUpdateAt: Instant;
  /** Rises with every change that an answer of the platform may be older than. */
  readonly revision: number;
}

/** In the order of what they say: the list of administrators says nothing of whether somebody was heard from. */
export const MEMBER_SOURCES = ['message', 'admin_list', 'join', 'member_update'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];

/** Somebody who is known to be in a group, or was until lately. */
export interface BotMember {
  readonly chatId: MessengerId;
  readonly userId: MessengerId;
  readonly displayName: string;
  readonly username: string;
  readonly role: MemberRole;
  readonly source: MemberSource;
  /** null: never heard from. */
  readonly lastSeenAt: Instant | null;
  readonly here: boolean;
  /** The last update that told whether they are there. */
  readonly hereBy: MessengerId | null;
  /** The last update that told their role. */
  readonly roleUpdateId: MessengerId | null;
  readonly lastUpdateAt: Instant;
}

export interface MemberKey {
  readonly chatId: MessengerId;
  readonly userId: MessengerId;
}

/** A group that has another id now. */
export interface ChatMove {
  readonly from: MessengerId;
  readonly to: MessengerId;
}

/** A bot as the others of its tenant find it. */
export interface OwnedBot {
  readonly bot: Bot;
  readonly ownerId: string;
}

/**
 * The bots of one owner, and the registry of the groups that they are in.
 *
 * Contract (contract-tests/suites/bot-store.ts):
 * - `add` keeps a bot unless another has its account, whoever owns that one, and answers whether it did.
 * - A bot that was saved is found by its id, field for field; `all` gives them newest first, then by id, descending.
 * - `remove` takes a bot with everything of it, answers whether there was one, and leaves other bots alone; its account is free again.
 * - `takeUpdates` gives those of the ids that were not taken before, each once, in the order they were asked for.
 * - `forget` lets go of ids taken before a moment, and of what is kept of groups and members that are not there and were not touched since.
 * - Groups are found by their ids, field for field, and replaced by what is saved later; so are members by group and person.
 * - Ids and numbers of updates are exact up to 64 bits.
 * - `chatPage` gives the groups that the bot is in, the one last heard from first, those never heard from last, then by id, and tells their total.
 * - `membersOf` gives those of a group who are in it, or everybody who is kept, at most `limit`.
 * - `dropChats` takes groups with their members, `dropMembers` single members.
 * - `dueChats` gives the groups that the bot is in, the one to be synced next first, at most `limit`.
 * - `movesOf` gives the moves that begin or end at one of the ids.
 * - Another owner's bots, groups and members are out of reach.
 */
export interface BotStore {
  add(bot: Bot): Promise<boolean>;
  /** Of a bot that is there. Its account stays as it is. */
  save(bot: Bot): Promise<void>;
  find(id: string): Promise<Bot | undefined>;
  all(): Promise<readonly Bot[]>;
  remove(id: string): Promise<boolean>;
  takeUpdates(
    botId: string,
    updateIds: readonly MessengerId[],
    at: Instant,
  ): Promise<readonly MessengerId[]>;
  forget(botId: string, before: Instant): Promise<void>;
  chats(botId: string, chatIds: readonly MessengerId[]): Promise<readonly BotChat[]>;
  chatPage(botId: string, request: PageRequest): Promise<Page<BotChat>>;
  dueChats(botId: string, limit: number): Promise<readonly BotChat[]>;
  saveChats(botId: string, chats: readonly BotChat[]): Promise<void>;
  dropChats(botId: string, chatIds: readonly MessengerId[]): Promise<void>;
  members(botId: string, keys: readonly MemberKey[]): Promise<readonly BotMember[]>;
  membersOf(
    botId: string,
    chatId: MessengerId,
    which: 'here' | 'kept',
    limit: number,
  ): Promise<readonly BotMember[]>;
  saveMembers(botId: string, members: readonly BotMember[]): Promise<void>;
  dropMembers(botId: string, keys: readonly MemberKey[]): Promise<void>;
  movesOf(botId: string, chatIds: readonly MessengerId[]): Promise<readonly ChatMove[]>;
  saveMoves(botId: string, moves: readonly ChatMove[]): Promise<void>;
}
