import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import { knexAgentConfirmations } from './stores/activity/agent-confirmations.ts';
import { knexAgentRoles } from './stores/activity/agent-roles.ts';
import { knexAgentUndos } from './stores/activity/agent-undos.ts';
import { knexBots } from './stores/activity/bots.ts';
import { knexBulkRuns } from './stores/activity/bulk-runs.ts';
import { knexImportRuns } from './stores/activity/import-runs.ts';
import { knexCalendar } from './stores/activity/calendar.ts';
import { knexChats } from './stores/activity/chats.ts';
import { knexCollections } from './stores/objects/collections.ts';
import { knexContents } from './stores/objects/contents.ts';
import { knexEnrichments } from './stores/objects/enrichments.ts';
import { knexImageOperations } from './stores/activity/image-operations.ts';
import { knexIntegrations } from './stores/account/integrations.ts';
import { knexLinks } from './stores/objects/links.ts';
import { knexNotifications } from './stores/activity/notifications.ts';
import { knexObjects } from './stores/objects/objects.ts';
import { knexOfficeSessions } from './stores/activity/office-sessions.ts';
import { knexPlacements } from './stores/storage/placements.ts';
import { knexReceipts } from './stores/account/receipts.ts';
import { knexReferrals } from './stores/account/referrals.ts';
import { knexReorganizations } from './stores/activity/reorganizations.ts';
import { knexSearch } from './search/search.ts';
import { knexSecurityEvents } from './stores/account/security-events.ts';
import { knexSessions } from './stores/account/sessions.ts';
import { knexSettings } from './stores/account/settings.ts';
import { knexShares } from './stores/account/shares.ts';
import { knexSignInMethods } from './stores/account/sign-in-methods.ts';
import type { Sql } from './sql.ts';
import { knexStorageMoves } from './stores/storage/storage-moves.ts';
import { knexTasks } from './stores/activity/tasks.ts';
import { knexTexts } from './stores/objects/texts.ts';
import { knexThemes } from './stores/objects/themes.ts';
import { knexThumbnails } from './stores/objects/thumbnails.ts';
import { knexTokens } from './stores/account/tokens.ts';
import { knexUploads } from './stores/objects/uploads.ts';
import { knexUsage } from './stores/account/usage.ts';
import { knexViews } from './stores/objects/views.ts';
import { knexVersions } from './stores/objects/versions.ts';
import { knexZoneLock } from './stores/account/zone-lock.ts';

const makers = {
  objects: knexObjects,
  versions: knexVersions,
  contents: knexContents,
  texts: knexTexts,
  enrichments: knexEnrichments,
  links: knexLinks,
  thumbnails: knexThumbnails,
  search: knexSearch,
  collections: knexCollections,
  themes: knexThemes,
  views: knexViews,
  pinLock: knexZoneLock,
  chats: knexChats,
  tokens: knexTokens,
  settings: knexSettings,
  tasks: knexTasks,
  idempotency: knexReceipts,
  usage: knexUsage,
  reorganizations: knexReorganizations,
  bulkRuns: knexBulkRuns,
  importRuns: knexImportRuns,
  calendar: knexCalendar,
  notifications: knexNotifications,
  integrations: knexIntegrations,
  agentRoles: knexAgentRoles,
  referrals: knexReferrals,
  shares: knexShares,
  bots: knexBots,
  imageOperations: knexImageOperations,
  officeSessions: knexOfficeSessions,
  blobLocations: knexPlacements,
  storageMigrations: knexStorageMoves,
  agentConfirmations: knexAgentConfirmations,
  agentUndos: knexAgentUndos,
  sessions: knexSessions,
  signInMethods: knexSignInMethods,
  securityEvents: knexSecurityEvents,
  uploads: knexUploads,
} satisfies { [K in keyof Stores]: (sql: Sql, scope: OwnerScope) => Stores[K] };

/** Stores are created on first use: a request needs two or three of them. */
class OwnerStores {
  readonly sql: Sql;
  readonly scope: OwnerScope;
  readonly made = new Map<string, unknown>();
  constructor(sql: Sql, scope: OwnerScope) {
    this.sql = sql;
    this.scope = scope;
  }
}

for (const [name, make] of Object.entries(makers))
  Object.defineProperty(OwnerStores.prototype, name, {
    get(this: OwnerStores) {
      const made = this.made.get(name) ?? make(this.sql, this.scope);
      this.made.set(name, made);
      return made;
    },
  });

export const storesOver = (sql: Sql, scope: OwnerScope): Stores =>
  new OwnerStores(sql, scope) as unknown as Stores;
