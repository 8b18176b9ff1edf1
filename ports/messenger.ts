import type { Instant } from './runtime.ts';

/** Platforms on which bots talk to people. */
export const MESSENGER_PLATFORMS = ['telegram'] as const;
export type MessengerPlatform = (typeof MESSENGER_PLATFORMS)[number];

/** Platform ids are signed 64-bit integers, which exceed the safe range of `number`. */
export type MessengerId = bigint;

/** The account that a token belongs to. */
export interface BotAccount {
  readonly accountId: MessengerId;
  /** Without the at sign. */
  readonly username: string;
  readonly name: string;
}

export interface MessengerPerson {
  readonly userId: MessengerId;
  /** Display name: first and last name. */
  readonly displayName: string;
  /** Without the at sign; '' for none. */
  readonly username: string;
  readonly isBot: boolean;
}

export const MEMBER_ROLES = ['creator', 'administrator', 'member', 'restricted'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export interface MessengerGroup {
  readonly chatId: MessengerId;
  readonly title: string;
}

/** An event that a platform reports to a bot. Any other kind is `other`. */
export type MessengerEvent =
  /** A message. Without an author if it was written in the name of the group or of a channel. */
  | {
      readonly type: 'message';
      readonly group: MessengerGroup;
      readonly from: MessengerPerson | null;
    }
  | {
      readonly type: 'joined';
      readonly group: MessengerGroup;
      readonly people: readonly MessengerPerson[];
    }
  | { readonly type: 'left'; readonly group: MessengerGroup; readonly person: MessengerPerson }
  /** A member's new role in a group; null if they are no longer in it. */
  | {
      readonly type: 'standing';
      readonly group: MessengerGroup;
      readonly person: MessengerPerson;
      readonly role: MemberRole | null;
    }
  /** The bot's own new role. */
  | {
      readonly type: 'own_standing';
      readonly group: MessengerGroup;
      readonly role: MemberRole | null;
    }
  /** A group has become a supergroup and has a new id. */
  | { readonly type: 'moved'; readonly from: MessengerId; readonly to: MessengerGroup }
  /** A private message to the bot. */
  | {
      readonly type: 'private';
      readonly chatId: MessengerId;
      readonly from: MessengerPerson;
      /** Null if not reported. */
      readonly messageId: MessengerId | null;
      readonly text: string;
    }
  /** A person has blocked the bot. */
  | { readonly type: 'blocked'; readonly chatId: MessengerId }
  | { readonly type: 'other' };

export interface MessengerUpdate {
  /**
   * Identifies an update of the bot. Mostly ascending, but a platform may start from another number after a quiet
   * week.
   */
  readonly updateId: MessengerId;
  /** When it happened; null if not reported. */
  readonly at: Instant | null;
  readonly event: MessengerEvent;
}

/** What a platform returns about a group. Null for what it does not disclose of this one. */
export interface GroupInfo {
  /** '' if not disclosed. */
  readonly title: string;
  readonly description: string | null;
  /** All members, including the bot. */
  readonly memberCount: number | null;
  readonly administrators:
    | readonly {
        readonly person: MessengerPerson;
        readonly role: 'creator' | 'administrator';
      }[]
    | null;
}

/** Webhook to which a platform delivers updates, instead of polling. */
export interface WebhookTarget {
  /** https. */
  readonly address: string;
  /** Sent with every update: 1 to 256 letters, digits, `_` and `-`. */
  readonly secret: string;
}

/** What a platform reports about the webhook of a bot. */
export interface WebhookReport {
  /** '' for none. */
  readonly address: string;
  /** Number of updates that wait for delivery. */
  readonly pending: number;
  /** The latest delivery that failed; null if none is known. The time is that of the platform, the reason a sentence. */
  readonly lastFailure: { readonly at: Instant; readonly reason: string } | null;
}

/**
 * Why the platform rejected a request. `unauthorized`: the token is invalid or revoked. `conflict`: another client
 * receives the updates. `too_many`: rate limited. `forbidden`: the bot lacks the permission or is not a member.
 * `moved`: the group has another id. `refused`: anything else.
 */
export type MessengerErrorReason =
  'unauthorized' | 'conflict' | 'too_many' | 'forbidden' | 'moved' | 'refused';

/** A request rejected by the platform. The message is a sentence for the user and contains no token. */
export class MessengerError extends Error {
  override readonly name = 'MessengerError';
  readonly reason: MessengerErrorReason;
  /** For `too_many`, in seconds. */
  readonly retryAfter: number | undefined;
  /** For `moved`: the new id. */
  readonly movedTo: MessengerId | undefined;

  constructor(
    reason: MessengerErrorReason,
    message: string,
    more: { readonly retryAfter?: number; readonly movedTo?: MessengerId } = {},
  ) {
    super(message);
    this.reason = reason;
    this.retryAfter = more.retryAfter;
    this.movedTo = more.movedTo;
  }
}

/**
 * A messaging platform with a bot API. Slow, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/messenger.ts):
 * - `identify` returns the account of a token. A token unknown to the platform is rejected as `unauthorized`.
 * - `updates` returns the updates after the given offset, oldest first, at most a hundred, and the platform forgets
 *   everything up to it. With null it begins with the oldest update that has not been forgotten.
 * - `updates` waits for the first update for the given time, then returns none.
 * - 64-bit ids are exact.
 * - Events are mapped: messages, joins, leaves, role changes, the bot's own role, migrations, private messages,
 *   blocks.
 * - An update of an unknown kind is `other`, and retains its id.
 * - `setWebhook` sets a webhook with a secret. Afterwards `updates` is rejected as `conflict`, until `deleteWebhook`.
 * - `setWebhook` is rejected as `refused` if the platform does not accept the address. The message is the reason.
 * - `webhookReport` returns the address of the webhook, the number of waiting updates and the latest failed delivery.
 * - `read` parses a delivered update like a fetched one, and returns nothing for invalid input.
 * - `fetchGroup` returns a group's title, description, member count and administrators. A migrated group is rejected as
 *   `moved` with the new id, a group the bot is not in as `forbidden`.
 * - `send` writes to a chat. Without permission it is rejected as `forbidden`.
 * - `acknowledge` marks a message as seen without writing anything.
 * - Too many requests are rejected as `too_many`, with the seconds to wait.
 * - A platform that is unreachable, hangs, fails or sends an unintelligible response rejects with UnavailableError,
 *   within the deadline.
 * - No error contains the token.
 * - `stopWaiting` ends current and later waits for updates immediately, with UnavailableError. Other requests are
 *   still served.
 * - `close` ends everything immediately, with UnavailableError.
 */
export interface Messenger {
  identify(token: string): Promise<BotAccount>;
  /** A platform may return no updates immediately, so the caller must limit the rate of polling. */
  updates(
    token: string,
    request: { readonly after: MessengerId | null; readonly waitSeconds: number },
  ): Promise<readonly MessengerUpdate[]>;
  setWebhook(token: string, target: WebhookTarget): Promise<void>;
  /** Pending updates are preserved. */
  deleteWebhook(token: string): Promise<void>;
  webhookReport(token: string): Promise<WebhookReport>;
  /** The body of a webhook request. */
  read(body: string): MessengerUpdate | undefined;
  fetchGroup(token: string, chatId: MessengerId): Promise<GroupInfo>;
  send(token: string, chatId: MessengerId, text: string): Promise<void>;
  acknowledge(token: string, chatId: MessengerId, messageId: MessengerId): Promise<void>;
  /** Called before other work in progress has ended. */
  stopWaiting(): void;
  close(): Promise<void>;
}
