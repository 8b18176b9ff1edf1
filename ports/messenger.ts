import type { Instant } from './time-and-ids.ts';

/** Platforms on which bots talk to people. */
export const MESSENGER_PLATFORMS = ['telegram'] as const;
export type MessengerPlatform = (typeof MESSENGER_PLATFORMS)[number];

/** Numbers of the platform are signed 64-bit integers, more than a `number` can tell apart. */
export type MessengerId = bigint;

/** Who a token speaks for. */
export interface BotAccount {
  readonly accountId: MessengerId;
  /** Without the at sign. */
  readonly username: string;
  readonly name: string;
}

export interface MessengerPerson {
  readonly userId: MessengerId;
  /** What people see: first and last name. */
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

/** What a platform tells a bot of. Whatever else happens there is `other`. */
export type MessengerNews =
  /** Somebody wrote. Nobody, where it was written in the name of the group or of a channel. */
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
  /** What somebody is in a group from now on; null is not in it any more. */
  | {
      readonly type: 'standing';
      readonly group: MessengerGroup;
      readonly person: MessengerPerson;
      readonly role: MemberRole | null;
    }
  /** The same of the bot itself. */
  | {
      readonly type: 'own_standing';
      readonly group: MessengerGroup;
      readonly role: MemberRole | null;
    }
  /** A group has become a bigger one, and has another id. */
  | { readonly type: 'moved'; readonly from: MessengerId; readonly to: MessengerGroup }
  /** Somebody wrote to the bot alone. */
  | {
      readonly type: 'private';
      readonly chatId: MessengerId;
      readonly from: MessengerPerson;
      /** Null where it is not told. */
      readonly messageId: MessengerId | null;
      readonly text: string;
    }
  /** Somebody wants to hear no more of the bot. */
  | { readonly type: 'blocked'; readonly chatId: MessengerId }
  | { readonly type: 'other' };

export interface MessengerUpdate {
  /** Tells the updates of a bot apart. Mostly ascending, but a platform may begin anew elsewhere after a quiet week. */
  readonly updateId: MessengerId;
  /** When it happened; null where it is not told. */
  readonly at: Instant | null;
  readonly news: MessengerNews;
}

/** What a platform discloses of a group when it is asked; null is what it does not tell of this one. */
export interface GroupDisclosure {
  /** '' where it is not told. */
  readonly title: string;
  readonly description: string | null;
  /** Everybody in it, the bot included. */
  readonly memberCount: number | null;
  readonly administrators:
    | readonly {
        readonly person: MessengerPerson;
        readonly role: 'creator' | 'administrator';
      }[]
    | null;
}

/** Where a platform is to bring its updates, instead of being asked for them. */
export interface WebhookTarget {
  /** https. */
  readonly address: string;
  /** Comes along with every update: 1 to 256 letters, digits, `_` and `-`. */
  readonly secret: string;
}

/**
 * Why the platform does not do what it was asked: `unauthorized`, the token is no good (any more); `conflict`, the updates
 * go to somebody else; `too_many`, again after a while; `forbidden`, the bot may not, or is not there; `moved`, the
 * group has another id; `refused`, anything else.
 */
export type MessengerRefusalReason =
  'unauthorized' | 'conflict' | 'too_many' | 'forbidden' | 'moved' | 'refused';

/** A refusal of the platform. Its message is a sentence for a person and holds no token. */
export class MessengerRefusal extends Error {
  override readonly name = 'MessengerRefusal';
  readonly reason: MessengerRefusalReason;
  /** Of `too_many`, seconds. */
  readonly retryAfter: number | undefined;
  /** Of `moved`. */
  readonly movedTo: MessengerId | undefined;

  constructor(
    reason: MessengerRefusalReason,
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
 * A platform of messages, spoken to as a bot. Slow, so never called inside a unit of work.
 *
 * Contract (contract-tests/suites/messenger.ts):
 * - `identify` tells whose token it is; one that the platform does not know is refused as `unauthorized`.
 * - `updates` gives what has happened after the update named, oldest first, at most a hundred at a time, and everything up to it is forgotten by the platform; with null it begins with the oldest that was not yet forgotten.
 * - `updates` waits for the first as long as it was told to, and answers with none after that.
 * - Ids of 64 bits come exactly.
 * - News are told as they are meant: messages, joins, leaves, changes of standing, the bot's own, moves, private messages, blocks.
 * - An update of a kind that nobody knows is `other`, and keeps its id.
 * - `listen` has the updates brought to an address, with the secret; after it `updates` is refused as `conflict`, until `stopListening`.
 * - `read` understands what is brought like what is fetched, and answers with nothing for what is no update.
 * - `disclose` tells a group's title, description, count and administrators; of a group that has moved it is refused as `moved`, with the new id, of one the bot is not in as `forbidden`.
 * - `send` writes into a chat; where the bot may not it is refused as `forbidden`.
 * - `acknowledge` marks a message of somebody as seen without writing anything.
 * - Whoever asks too often is refused as `too_many`, with the seconds to wait.
 * - A platform that is away, hangs, fails or says what nobody understands rejects with PortFailure, within its deadline.
 * - No failure names the token.
 * - `stopWaiting` ends waiting for updates at once, with PortFailure, and so all that comes later; whatever else is asked is answered.
 * - `close` ends everything at once, with PortFailure.
 */
export interface Messenger {
  identify(token: string): Promise<BotAccount>;
  /** A platform may answer at once, with none, however often it is asked: whoever asks again sees to the pace. */
  updates(
    token: string,
    request: { readonly after: MessengerId | null; readonly waitSeconds: number },
  ): Promise<readonly MessengerUpdate[]>;
  listen(token: string, target: WebhookTarget): Promise<void>;
  stopListening(token: string): Promise<void>;
  /** The body of a request that came by webhook. */
  read(body: string): MessengerUpdate | undefined;
  disclose(token: string, chatId: MessengerId): Promise<GroupDisclosure>;
  send(token: string, chatId: MessengerId, text: string): Promise<void>;
  acknowledge(token: string, chatId: MessengerId, messageId: MessengerId): Promise<void>;
  /** Before what else is under way comes to its end. */
  stopWaiting(): void;
  close(): Promise<void>;
}
