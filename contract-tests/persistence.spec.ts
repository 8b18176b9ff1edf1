import { backends, emptyBackends } from './backends.ts';
import { accountsContract } from './suites/accounts.ts';
import { agentRoleStoreContract } from './suites/agent-role-store.ts';
import { calendarStoreContract } from './suites/calendar-store.ts';
import { chatStoreContract } from './suites/chat-store.ts';
import { collectionStoreContract } from './suites/collection-store.ts';
import { contentStoreContract } from './suites/content-store.ts';
import { directoryContract } from './suites/directory.ts';
import { enrichmentStoreContract } from './suites/enrichment-store.ts';
import { inspectionContract } from './suites/inspection.ts';
import { integrationStoreContract } from './suites/integration-store.ts';
import { linkStoreContract } from './suites/link-store.ts';
import { notificationStoreContract } from './suites/notification-store.ts';
import { objectStoreContract } from './suites/object-store.ts';
import { receiptStoreContract } from './suites/receipt-store.ts';
import { reorganizationStoreContract } from './suites/reorganization-store.ts';
import { settingsStoreContract } from './suites/settings-store.ts';
import { shareStoreContract } from './suites/share-store.ts';
import { taskStoreContract } from './suites/task-store.ts';
import { textStoreContract } from './suites/text-store.ts';
import { themeStoreContract } from './suites/theme-store.ts';
import { thumbnailStoreContract } from './suites/thumbnail-store.ts';
import { tokenStoreContract } from './suites/token-store.ts';
import { usageStoreContract } from './suites/usage-store.ts';
import { unitOfWorkContract } from './suites/unit-of-work.ts';
import { versionStoreContract } from './suites/version-store.ts';
import { zoneLockStoreContract } from './suites/zone-lock-store.ts';

for (const [name, open] of backends) {
  describe(`${name}: UnitOfWork`, () => unitOfWorkContract(open));
  describe(`${name}: ObjectStore`, () => objectStoreContract(open));
  describe(`${name}: VersionStore`, () => versionStoreContract(open));
  describe(`${name}: ContentStore`, () => contentStoreContract(open));
  describe(`${name}: TextStore`, () => textStoreContract(open));
  describe(`${name}: EnrichmentStore`, () => enrichmentStoreContract(open));
  describe(`${name}: LinkStore`, () => linkStoreContract(open));
  describe(`${name}: ThumbnailStore`, () => thumbnailStoreContract(open));
  describe(`${name}: CollectionStore`, () => collectionStoreContract(open));
  describe(`${name}: ThemeStore`, () => themeStoreContract(open));
  describe(`${name}: ZoneLockStore`, () => zoneLockStoreContract(open));
  describe(`${name}: ChatStore`, () => chatStoreContract(open));
  describe(`${name}: TokenStore`, () => tokenStoreContract(open));
  describe(`${name}: SettingsStore`, () => settingsStoreContract(open));
  describe(`${name}: TaskStore`, () => taskStoreContract(open));
  describe(`${name}: ReceiptStore`, () => receiptStoreContract(open));
  describe(`${name}: NotificationStore`, () => notificationStoreContract(open));
  describe(`${name}: IntegrationStore`, () => integrationStoreContract(open));
  describe(`${name}: AgentRoleStore`, () => agentRoleStoreContract(open));
  describe(`${name}: ShareStore`, () => shareStoreContract(open));
  describe(`${name}: UsageStore`, () => usageStoreContract(open));
  describe(`${name}: ReorganizationStore`, () => reorganizationStoreContract(open));
  describe(`${name}: CalendarStore`, () => calendarStoreContract(open));
  describe(`${name}: Accounts`, () => accountsContract(open));
  describe(`${name}: Directory`, () => directoryContract(open));
}

for (const [name, open] of emptyBackends)
  describe(`${name}: Inspection`, () => inspectionContract(open));
