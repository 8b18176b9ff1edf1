import type { MemberRole, MessengerId, MessengerPlatform } from './messenger.ts';
import type { Page, PageRequest } from './paging.ts';
import type { Instant } from './runtime.ts';

/** A bot account on a messaging platform that acts for an owner. */
export interface Bot {
  readonly id: string;
  readonly platform: MessengerPlatform;
  /** Account id on the platform. Unique among all bots of a platform, across owners. */
  readonly accountId: MessengerId;
  readonly username: string;
  readonly name: string;
  readonly sealedToken: string;
  /** Links the private chat that sends it to the owner. Replaced after use. */
  readonly linkCode: string;
  /** The private chat of the owner; null until it is linked. */
  readonly ownerChatId: MessengerId | null;
  /**
   * Where the platform delivers updates, and the digest of the secret it sends along; null while updates are polled.
   */
  readonly webhook: BotWebhook | null;
  readonly reception: BotReception;
  readonly cursor: UpdateOffset | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface BotWebhook {
  /** '' while the platform has not confirmed it. */
  readonly address: string;
  readonly digest: string;
}

/**
 * How the updates of a bot arrive. `webhook`: the platform delivers them. `polling`: the service fetches them. The others
 * receive nothing: `conflict`: another program receives the updates, `refused`: the token is not accepted, `unavailable`:
 * the platform cannot be reached.
 */
export const BOT_STATES = ['webhook', 'polling', 'conflict', 'refused', 'unavailable'] as const;
export type BotState = (typeof BOT_STATES)[number];

export interface BotReception {
  readonly state: BotState;
  /** A sentence: why no updates arrive, or why they are polled although a webhook is possible; '' for none. */
  readonly reason: string;
  /** The webhook that is not used because it failed, or was set again and has not yet delivered; null for none. */
  readonly failedWebhook: FailedWebhook | null;
}

export interface FailedWebhook {
  readonly address: string;
  /** A sentence. */
  readonly reason: string;
  /** How often it has failed in a row. */
  readonly failures: number;
  /** When it is set again. */
  readonly retryAt: Instant;
}

/** The offset of the last update fetched, and when it was fetched. */
export interface UpdateOffset {
  readonly after: MessengerId;
  readonly at: Instant;
}

/** Known facts of a group that a bot is in, or was in recently. */
export interface BotChat {
  readonly chatId: MessengerId;
  readonly title: string;
  readonly description: string;
  /** '' for none. */
  readonly collectionId: string;
  /** '' for none. */
  readonly noteObjectId: string;
  /** Number of members; 0 if the platform has not reported it. */
  readonly memberCount: number;
  /** Number of known members. */
  readonly knownCount: number;
  /** Whether the bot may write to the group without being addressed. */
  readonly proactiveAllowed: boolean;
  /** When a member last wrote. */
  readonly lastSeenAt: Instant | null;
  /** When the platform was last queried. */
  readonly syncedAt: Instant | null;
  /** When the platform is to be queried next. */
  readonly syncDueAt: Instant;
  /** Whether the bot is in the group. If not, the row exists only so that a late update is recognised as stale. */
  readonly isPresent: boolean;
  /** Id of the last update that reported the bot's membership. */
  readonly presenceUpdateId: MessengerId | null;
  /** Id of the last update that reported the title. */
  readonly titleUpdateId: MessengerId | null;
  /** When the last update of the group arrived. */
  readonly lastUpdateAt: Instant;
  /** Incremented with every change that may be newer than a pending reply of the platform. */
  readonly revision: number;
}

/** Ordered by what they say: the list of administrators does not say whether a member was heard from. */
export const MEMBER_SOURCES = ['message', 'admin_list', 'join', 'member_update'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];

/** A person known to be in a group, or who was in it recently. */
export interface BotMember {
  readonly chatId: MessengerId;
  readonly userId: MessengerId;
  readonly displayName: string;
  readonly username: string;
  readonly role: MemberRole;
  readonly source: MemberSource;
  /** null: never heard from. */
  readonly lastSeenAt: Instant | null;
  readonly isPresent: boolean;
  /** Id of the last update that reported whether the person is in the group. */
  readonly presenceUpdateId: MessengerId | null;
  /** Id of the last update that reported the role. */
  readonly roleUpdateId: MessengerId | null;
  readonly lastUpdateAt: Instant;
}

export interface MemberKey {
  readonly chatId: MessengerId;
  readonly userId: MessengerId;
}

/** A group whose id has changed. */
export interface ChatMigration {
  readonly from: MessengerId;
  readonly to: MessengerId;
}

/** A bot as seen by the other owners of its tenant. */
export interface OwnedBot {
  readonly bot: Bot;
  readonly ownerId: string;
}

/**
 * The bots of one owner, and the registry of their groups.
 *
 * Contract (contract-tests/suites/bot-store.ts):
 * - `add` stores a bot unless another bot, of any owner, has its account, and returns whether it did.
 * - A saved bot is found by its id, field for field. `all` returns bots newest first, then by id, descending.
 * - `remove` removes a bot with all its data, returns whether it existed, and leaves other bots unchanged. Its
 *   account is free again.
 * - `claimUpdates` claims updates and returns the ids that had not been claimed before, each once, in request order.
 * - `lastReceivedAt` returns when the latest update of a bot was claimed; null for none that is not forgotten.
 * - `forget` removes ids claimed before a moment, and absent groups and members that were not touched since.
 * - Groups are found by their ids, field for field, and replaced by a later save. The same holds for members by group
 *   and person.
 * - Ids and update numbers are exact up to 64 bits.
 * - `chatPage` returns the groups that the bot is in: most recently heard from first, never heard from last, then by
 *   id, with their total.
 * - `membersOf` returns the present members of a group, or all stored ones, at most `limit`.
 * - `dropChats` removes groups with their members, `dropMembers` single members.
 * - `dueChats` returns the groups that the bot is in, next to be synced first, at most `limit`.
 * - `movesOf` returns the migrations from or to one of the ids.
 * - Another owner's bots, groups and members are out of reach.
 */
export interface BotStore {
  add(bot: Bot): Promise<boolean>;
  /** For an existing bot. Its account does not change. */
  save(bot: Bot): Promise<void>;
  find(id: string): Promise<Bot | undefined>;
  all(): Promise<readonly Bot[]>;
  remove(id: string): Promise<boolean>;
  claimUpdates(
    botId: string,
    updateIds: readonly MessengerId[],
    at: Instant,
  ): Promise<readonly MessengerId[]>;
  lastReceivedAt(botId: string): Promise<Instant | null>;
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
  movesOf(botId: string, chatIds: readonly MessengerId[]): Promise<readonly ChatMigration[]>;
  saveMoves(botId: string, moves: readonly ChatMigration[]): Promise<void>;
}
