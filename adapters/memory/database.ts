import type { AgentConfirmation } from '../../ports/agent-confirmations.ts';
import type { CustomAgentRole } from '../../ports/agent-roles.ts';
import type { AgentUndo } from '../../ports/agent-undos.ts';
import type { Bot, BotChat, BotMember, ChatMigration } from '../../ports/bots.ts';
import type { BulkCount, BulkItem, BulkRun } from '../../ports/bulk-runs.ts';
import type { CalendarEvent, EventException } from '../../ports/calendar.ts';
import type { Content, ObjectVersion } from '../../ports/contents.ts';
import type { ChatMessage, ChatSession } from '../../ports/conversations.ts';
import type { Enrichment } from '../../ports/enrichments.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { UnlockToken, PinLock } from '../../ports/hidden-zone.ts';
import type { Owner, Tenant, Token } from '../../ports/identity.ts';
import type { PendingImageOperation } from '../../ports/image-operations.ts';
import type { ImportRun } from '../../ports/import-runs.ts';
import type { Integration, IntegrationKind, RetiredBucket } from '../../ports/integrations.ts';
import type { Collection, Theme } from '../../ports/library.ts';
import type { LinkPreview } from '../../ports/links.ts';
import type { Notification, NotificationVisibility } from '../../ports/notifications.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { OfficeSession } from '../../ports/office.ts';
import type { BlobCopy } from '../../ports/blob-locations.ts';
import type { IdempotencyRecord } from '../../ports/idempotency.ts';
import type { Application } from '../../ports/referrals.ts';
import type { PlannedMove, PlannedLocation, Reorganization } from '../../ports/reorganizations.ts';
import type { SecurityEvent } from '../../ports/security-events.ts';
import type { Settings } from '../../ports/settings.ts';
import type { Share, ShareAccess, PasswordAttempts } from '../../ports/shares.ts';
import type {
  OidcLink,
  OneTimeSecret,
  Passkey,
  Session,
  SignInAttemptRecord,
  StoredPassword,
} from '../../ports/sign-in.ts';
import type { MigrationFailure, StorageMigration } from '../../ports/storage-migrations.ts';
import type { Task } from '../../ports/tasks.ts';
import type { ObjectText, TextCorrection } from '../../ports/texts.ts';
import type { Thumbnail } from '../../ports/thumbnails.ts';
import type { SavedView } from '../../ports/views.ts';
import type { PartialUpload, UploadPart } from '../../ports/uploads.ts';
import { copySearchState, emptySearchState, type MemorySearchState } from './search.ts';
import { SnapshotMap } from './snapshot-map.ts';

export interface CountedContent extends Content {
  readonly refs: number;
}

export interface CalendarState {
  readonly lastNumber: number;
  readonly version: number;
  readonly feed: string | null;
}

/** Rows of a bot are stored under the bot's id and their own key. */
export interface BotRows<T> {
  readonly botId: string;
  readonly value: T;
}

const emptyTables = () => ({
  objects: new SnapshotMap<string, StoredObject>(),
  /** By object, oldest first. */
  versions: new SnapshotMap<string, readonly ObjectVersion[]>(),
  contents: new SnapshotMap<string, CountedContent>(),
  texts: new SnapshotMap<string, ObjectText>(),
  corrections: new SnapshotMap<string, TextCorrection>(),
  enrichments: new SnapshotMap<string, Enrichment>(),
  links: new SnapshotMap<string, LinkPreview>(),
  /** By object. */
  thumbnails: new SnapshotMap<string, readonly Thumbnail[]>(),
  collections: new SnapshotMap<string, Collection>(),
  themes: new SnapshotMap<string, Theme>(),
  zoneLock: new SnapshotMap<'lock', PinLock>(),
  unlockTokens: new SnapshotMap<string, UnlockToken>(),
  sessions: new SnapshotMap<string, ChatSession>(),
  /** By session, in insertion order. */
  messages: new SnapshotMap<string, readonly ChatMessage[]>(),
  /** By session, then by object: whether it is hidden. */
  chatObjects: new SnapshotMap<string, ReadonlyMap<string, boolean>>(),
  tokens: new SnapshotMap<string, Token>(),
  settings: new SnapshotMap<'settings', Settings>(),
  tasks: new SnapshotMap<string, Task>(),
  receipts: new SnapshotMap<string, IdempotencyRecord>(),
  /** By month and metric. */
  usage: new SnapshotMap<string, number>(),
  reorganizations: new SnapshotMap<string, Reorganization>(),
  bulkRuns: new SnapshotMap<string, BulkRun>(),
  importRuns: new SnapshotMap<string, ImportRun>(),
  /** By run and object. */
  bulkItems: new SnapshotMap<string, BulkItem & { readonly runId: string }>(),
  /** By run, zone and outcome. */
  bulkCounts: new SnapshotMap<string, BulkCount & { readonly runId: string }>(),
  /** By run. */
  plannedPlaces: new SnapshotMap<string, readonly PlannedLocation[]>(),
  calendarEvents: new SnapshotMap<string, CalendarEvent>(),
  /** By event and original start. */
  calendarExceptions: new SnapshotMap<string, EventException>(),
  calendar: new SnapshotMap<'calendar', CalendarState>(),
  /** By run and object. */
  plannedMoves: new SnapshotMap<string, PlannedMove & { readonly runId: string }>(),
  notifications: new SnapshotMap<string, Notification>(),
  /** Visible ones, and all. */
  notificationVersions: new SnapshotMap<NotificationVisibility, number>(),
  integrations: new SnapshotMap<IntegrationKind, Integration>(),
  retiredBuckets: new SnapshotMap<string, RetiredBucket>(),
  /** By slug. */
  views: new SnapshotMap<string, SavedView>(),
  agentRoles: new SnapshotMap<string, CustomAgentRole>(),
  /** A slug. */
  activeAgentRole: new SnapshotMap<'active', string>(),
  referralCode: new SnapshotMap<'code', string>(),
  referralApplication: new SnapshotMap<'applied', Application>(),
  /** When each invited owner was credited. */
  referralCredits: new SnapshotMap<string, number>(),
  shares: new SnapshotMap<string, Share>(),
  imageOperations: new SnapshotMap<string, PendingImageOperation & { readonly ord: number }>(),
  /** By share and digest. */
  shareAccesses: new SnapshotMap<string, ShareAccess>(),
  /** By share and visitor. */
  shareTries: new SnapshotMap<string, PasswordAttempts>(),
  bots: new SnapshotMap<string, Bot>(),
  /** By bot and group. */
  botChats: new SnapshotMap<string, BotRows<BotChat>>(),
  /** By bot, group and person. */
  botMembers: new SnapshotMap<string, BotRows<BotMember>>(),
  /** By bot and former id. */
  botMoves: new SnapshotMap<string, BotRows<ChatMigration>>(),
  /** When each was claimed, by bot and update. */
  botUpdates: new SnapshotMap<string, BotRows<number>>(),
  /** By object and key. */
  officeSessions: new SnapshotMap<string, OfficeSession>(),
  /** By copy id. */
  placements: new SnapshotMap<string, BlobCopy>(),
  storageMoves: new SnapshotMap<'latest', StorageMigration>(),
  agentConfirmations: new SnapshotMap<string, AgentConfirmation>(),
  agentUndos: new SnapshotMap<string, AgentUndo>(),
  /** By blob. */
  moveFailures: new SnapshotMap<string, MigrationFailure>(),
  signInSessions: new SnapshotMap<string, Session>(),
  /** When each last signed in, by network and client. */
  knownClients: new SnapshotMap<string, number>(),
  password: new SnapshotMap<'password', StoredPassword>(),
  oidcLink: new SnapshotMap<'link', OidcLink>(),
  passkeys: new SnapshotMap<string, Passkey>(),
  /** By `seq`. */
  securityEvents: new SnapshotMap<number, SecurityEvent>(),
  uploads: new SnapshotMap<string, PartialUpload>(),
  /** By upload. */
  uploadParts: new SnapshotMap<string, readonly UploadPart[]>(),
});

export type Tables = ReturnType<typeof emptyTables>;

/** An immutable state of one owner's data. */
export interface OwnerState {
  readonly tables: Tables;
  readonly search: MemorySearchState;
}

const EMPTY: OwnerState = { tables: sealed(emptyTables()), search: emptySearchState() };

/** The data of all owners. Units of work, accounts and directory are views of it. */
export class MemoryDatabase {
  readonly tenants = new Map<string, Tenant>();
  readonly owners = new Map<string, Owner>();
  /** Expiry by hold. */
  readonly blobHolds = new Map<string, number>();
  /** By digest. */
  readonly oneTimeSecrets = new Map<string, OneTimeSecret>();
  /** By account and network. */
  readonly signInAttempts = new Map<string, SignInAttemptRecord>();
  readonly #states = new Map<string, OwnerState>();
  readonly #prefixes = new Map<string, { readonly ownerId: string; readonly token: Token }>();
  readonly #digests = new Map<string, { readonly ownerId: string; readonly session: Session }>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** The owner's current state, which later writes do not change. */
  state(ownerId: string): OwnerState {
    this.#requireOpen();
    return this.#states.get(ownerId) ?? EMPTY;
  }

  states(): Iterable<readonly [string, OwnerState]> {
    this.#requireOpen();
    return this.#states;
  }

  tokenBy(prefix: string): { readonly ownerId: string; readonly token: Token } | undefined {
    this.#requireOpen();
    return this.#prefixes.get(prefix);
  }

  sessionBy(digest: string): { readonly ownerId: string; readonly session: Session } | undefined {
    this.#requireOpen();
    return this.#digests.get(digest);
  }

  /** Runs `work` on a draft, one at a time, and commits the draft when it resolves. */
  async change<T>(ownerId: string, work: (draft: OwnerState) => Promise<T>): Promise<T> {
    const mine = this.#last.then(async () => {
      const draft = fork(this.state(ownerId));
      const result = await work(draft);
      this.#requireOpen();
      this.#settle(ownerId, draft);
      return result;
    });
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#closed = true;
  }

  #settle(ownerId: string, draft: OwnerState): void {
    sealed(draft.tables);
    const { tokens, signInSessions } = this.state(ownerId).tables;
    for (const { prefix } of tokens.values()) this.#prefixes.delete(prefix);
    for (const token of draft.tables.tokens.values())
      this.#prefixes.set(token.prefix, { ownerId, token });
    for (const { digest } of signInSessions.values()) this.#digests.delete(digest);
    for (const session of draft.tables.signInSessions.values())
      this.#digests.set(session.digest, { ownerId, session });
    this.#states.set(ownerId, draft);
  }

  #requireOpen(): void {
    if (this.#closed) throw new UnavailableError('database', 'The database is closed.');
  }
}

function sealed(tables: Tables): Tables {
  for (const table of Object.values(tables)) table.seal();
  return tables;
}

function fork({ tables, search }: OwnerState): OwnerState {
  const forked = Object.entries(tables).map(([name, table]) => [name, table.fork()]);
  return { tables: Object.fromEntries(forked) as Tables, search: copySearchState(search) };
}
