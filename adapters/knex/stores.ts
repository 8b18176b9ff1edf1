import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import { knexAgentConfirmations } from './agent-confirmations.ts';
import { knexAgentRoles } from './agent-roles.ts';
import { knexBots } from './bots.ts';
import { knexCalendar } from './calendar.ts';
import { knexChats } from './chats.ts';
import { knexCollections } from './collections.ts';
import { knexContents } from './contents.ts';
import { knexEnrichments } from './enrichments.ts';
import { knexImageOperations } from './image-operations.ts';
import { knexIntegrations } from './integrations.ts';
import { knexLinks } from './links.ts';
import { knexNotifications } from './notifications.ts';
import { knexObjects } from './objects.ts';
import { knexOfficeSessions } from './office-sessions.ts';
import { knexPlacements } from './placements.ts';
import { knexReceipts } from './receipts.ts';
import { knexReferrals } from './referrals.ts';
import { knexReorganizations } from './reorganizations.ts';
import { knexSearch } from './search.ts';
import { knexSettings } from './settings.ts';
import { knexShares } from './shares.ts';
import type { Sql } from './sql.ts';
import { knexStorageMoves } from './storage-moves.ts';
import { knexTasks } from './tasks.ts';
import { knexTexts } from './texts.ts';
import { knexThemes } from './themes.ts';
import { knexThumbnails } from './thumbnails.ts';
import { knexTokens } from './tokens.ts';
import { knexUsage } from './usage.ts';
import { knexVersions } from './versions.ts';
import { knexZoneLock } from './zone-lock.ts';

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
  zoneLock: knexZoneLock,
  chats: knexChats,
  tokens: knexTokens,
  settings: knexSettings,
  tasks: knexTasks,
  receipts: knexReceipts,
  usage: knexUsage,
  reorganizations: knexReorganizations,
  calendar: knexCalendar,
  notifications: knexNotifications,
  integrations: knexIntegrations,
  agentRoles: knexAgentRoles,
  referrals: knexReferrals,
  shares: knexShares,
  bots: knexBots,
  imageOperations: knexImageOperations,
  officeSessions: knexOfficeSessions,
  placements: knexPlacements,
  storageMoves: knexStorageMoves,
  agentConfirmations: knexAgentConfirmations,
} satisfies { [K in keyof Stores]: (sql: Sql, scope: OwnerScope) => Stores[K] };

/** A store is made when it is first asked for: a request touches two or three of them. */
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
