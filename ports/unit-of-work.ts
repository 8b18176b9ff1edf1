import type { AgentConfirmationStore } from './agent-confirmations.ts';
import type { AgentRoleStore } from './agent-roles.ts';
import type { AgentUndoStore } from './agent-undos.ts';
import type { BotStore } from './bots.ts';
import type { BulkRunStore } from './bulk-runs.ts';
import type { CalendarStore } from './calendar.ts';
import type { ContentStore, VersionStore } from './contents.ts';
import type { ChatStore } from './conversations.ts';
import type { EnrichmentStore } from './enrichments.ts';
import type { PinLockStore } from './hidden-zone.ts';
import type { TokenStore } from './identity.ts';
import type { ImageOperationStore } from './image-operations.ts';
import type { IntegrationStore } from './integrations.ts';
import type { CollectionStore, ThemeStore } from './library.ts';
import type { LinkStore } from './links.ts';
import type { NotificationStore } from './notifications.ts';
import type { ObjectStore } from './objects.ts';
import type { OfficeSessionStore } from './office.ts';
import type { BlobLocationStore } from './blob-locations.ts';
import type { ImportRunStore } from './import-runs.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { ReferralStore } from './referrals.ts';
import type { ReorganizationStore } from './reorganizations.ts';
import type { SearchIndex } from './search.ts';
import type { SecurityEventStore } from './security-events.ts';
import type { SessionStore, SignInMethodStore } from './sign-in.ts';
import type { SettingsStore } from './settings.ts';
import type { ShareStore } from './shares.ts';
import type { StorageMigrationStore } from './storage-migrations.ts';
import type { TaskStore } from './tasks.ts';
import type { TextStore } from './texts.ts';
import type { ThumbnailStore } from './thumbnails.ts';
import type { UploadStore } from './uploads.ts';
import type { UsageStore } from './usage.ts';
import type { ViewStore } from './views.ts';

/** The owner whose data a unit of work may access. */
export interface OwnerScope {
  readonly tenantId: string;
  readonly ownerId: string;
  /** If set, only these folders and what is in them exist for the unit of work. */
  readonly folderIds?: readonly string[];
}

/** Every store, by name. After a store is added here, no adapter compiles until it implements it. */
export interface Stores {
  readonly objects: ObjectStore;
  readonly versions: VersionStore;
  readonly contents: ContentStore;
  readonly texts: TextStore;
  readonly enrichments: EnrichmentStore;
  readonly links: LinkStore;
  readonly thumbnails: ThumbnailStore;
  readonly search: SearchIndex;
  readonly collections: CollectionStore;
  readonly themes: ThemeStore;
  readonly views: ViewStore;
  readonly pinLock: PinLockStore;
  readonly chats: ChatStore;
  readonly tokens: TokenStore;
  readonly settings: SettingsStore;
  readonly tasks: TaskStore;
  readonly idempotency: IdempotencyStore;
  readonly usage: UsageStore;
  readonly reorganizations: ReorganizationStore;
  readonly bulkRuns: BulkRunStore;
  readonly importRuns: ImportRunStore;
  readonly calendar: CalendarStore;
  readonly notifications: NotificationStore;
  readonly integrations: IntegrationStore;
  readonly agentRoles: AgentRoleStore;
  readonly referrals: ReferralStore;
  readonly shares: ShareStore;
  readonly bots: BotStore;
  readonly imageOperations: ImageOperationStore;
  readonly officeSessions: OfficeSessionStore;
  readonly blobLocations: BlobLocationStore;
  readonly storageMigrations: StorageMigrationStore;
  readonly agentConfirmations: AgentConfirmationStore;
  readonly agentUndos: AgentUndoStore;
  readonly sessions: SessionStore;
  readonly signInMethods: SignInMethodStore;
  readonly securityEvents: SecurityEventStore;
  readonly uploads: UploadStore;
}

/** Small writes may share a commit. A write of many rows gets its own, since the others would have to wait for it. */
export type WriteSize = 'small' | 'large';

/**
 * One atomic unit of work on one owner's data. `K` names the stores a use case needs. No caller gets a result before
 * its writes, and the writes of others it has seen, are durable.
 *
 * Contract (contract-tests/suites/unit-of-work.ts):
 * - `write` commits when `work` resolves and leaves no trace when it rejects.
 * - Two overlapping writes of one owner end as if one had run after the other.
 * - Under any overlap, the acknowledged writes are present in their order, and no others.
 * - A read sees one state from start to end, and never an uncommitted write.
 * - Stores are valid only until `work` settles. Later use rejects.
 * - A nested unit of work is rejected immediately.
 * - An outage of the database rejects with UnavailableError.
 */
export interface UnitOfWork<K extends keyof Stores = keyof Stores> {
  read<T>(scope: OwnerScope, work: (stores: Pick<Stores, K>) => Promise<T>): Promise<T>;
  write<T>(
    scope: OwnerScope,
    work: (stores: Pick<Stores, K>) => Promise<T>,
    size?: WriteSize,
  ): Promise<T>;
}
