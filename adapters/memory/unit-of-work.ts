import type { Bot } from '../../ports/bots.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { memoryAgentConfirmations } from './agent-confirmations.ts';
import { memoryAgentRoles } from './agent-roles.ts';
import { memoryAgentUndos } from './agent-undos.ts';
import { memoryBulkRuns } from './bulk-runs.ts';
import { memoryCalendar } from './calendar.ts';
import { memoryBots } from './bots.ts';
import { memoryChats } from './chats.ts';
import { memoryContents, memoryVersions } from './contents.ts';
import { MemoryDatabase, type OwnerState, type Tables } from './database.ts';
import { memoryEnrichments, memorySettings } from './enrichments.ts';
import { memoryImageOperations } from './image-operations.ts';
import { memoryImportRuns } from './import-runs.ts';
import { memoryIntegrations } from './integrations.ts';
import { memoryCollections, memoryThemes } from './library.ts';
import { memoryLinks } from './links.ts';
import { memoryNotifications } from './notifications.ts';
import { memoryObjects } from './objects.ts';
import { memoryOfficeSessions } from './office-sessions.ts';
import { memoryReferrals } from './referrals.ts';
import { memoryReorganizations } from './reorganizations.ts';
import { memorySearch } from './search.ts';
import { memoryViews } from './views.ts';
import { memorySecurityEvents } from './security-events.ts';
import { memorySessions } from './sessions.ts';
import { memoryShares } from './shares.ts';
import { memorySignInMethods, type ForeignSignInMethods } from './sign-in-methods.ts';
import { memoryBlobLocations } from './blob-locations.ts';
import { memoryIdempotency, memoryTasks } from './tasks.ts';
import { memoryStorageMigrations } from './storage-migrations.ts';
import { memoryTexts } from './texts.ts';
import { memoryThumbnails } from './thumbnails.ts';
import { memoryTokens } from './tokens.ts';
import { memoryUploads } from './uploads.ts';
import { memoryUsage } from './usage.ts';
import { memoryPinLock } from './pin-lock.ts';

/** All data in this process. Writes run one at a time on a draft, which replaces the original on success. */
export class MemoryUnitOfWork implements UnitOfWork {
  readonly #database: MemoryDatabase;

  constructor(database = new MemoryDatabase()) {
    this.#database = database;
  }

  async read<T>(scope: OwnerScope, work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.#run(scope, this.#database.state(scope.ownerId), work);
  }

  async write<T>(scope: OwnerScope, work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.#database.change(scope.ownerId, (draft) => this.#run(scope, draft, work));
  }

  #othersThan(ownerId: string): ForeignSignInMethods {
    const anyOther = (matches: (tables: Tables) => boolean) =>
      [...this.#database.states()].some(([id, { tables }]) => id !== ownerId && matches(tables));
    return {
      hasCredential: (credentialId) =>
        anyOther(({ passkeys }) =>
          passkeys.values().some((passkey) => passkey.credentialId === credentialId),
        ),
      hasSubject: ({ issuer, subject }) =>
        anyOther(({ oidcLink }) =>
          oidcLink.values().some((link) => link.issuer === issuer && link.subject === subject),
        ),
    };
  }

  async #run<T>(
    { ownerId }: OwnerScope,
    { tables, search }: OwnerState,
    work: (stores: Stores) => Promise<T>,
  ): Promise<T> {
    const unit = { open: true };
    const lent = <Store extends object>(store: Store) => whileOpen(unit, store);
    const botElsewhere = (bot: Bot) =>
      [...this.#database.states()].some(
        ([id, { tables: others }]) =>
          id !== ownerId &&
          others.bots
            .values()
            .some((each) => each.platform === bot.platform && each.accountId === bot.accountId),
      );
    const heldElsewhere = (prefix: string) => {
      const found = this.#database.tokenBy(prefix);
      return found !== undefined && found.ownerId !== ownerId;
    };
    try {
      return await work({
        objects: lent(memoryObjects(tables)),
        versions: lent(memoryVersions(tables)),
        contents: lent(memoryContents(tables)),
        texts: lent(memoryTexts(tables)),
        enrichments: lent(memoryEnrichments(tables)),
        links: lent(memoryLinks(tables)),
        thumbnails: lent(memoryThumbnails(tables)),
        search: lent(memorySearch(search, tables)),
        collections: lent(memoryCollections(tables)),
        themes: lent(memoryThemes(tables)),
        views: lent(memoryViews(tables)),
        pinLock: lent(memoryPinLock(tables)),
        chats: lent(memoryChats(tables)),
        tokens: lent(memoryTokens(tables, heldElsewhere)),
        settings: lent(memorySettings(tables)),
        tasks: lent(memoryTasks(tables)),
        idempotency: lent(memoryIdempotency(tables)),
        usage: lent(memoryUsage(tables)),
        reorganizations: lent(memoryReorganizations(tables)),
        bulkRuns: lent(memoryBulkRuns(tables)),
        importRuns: lent(memoryImportRuns(tables)),
        calendar: lent(memoryCalendar(tables)),
        notifications: lent(memoryNotifications(tables)),
        integrations: lent(memoryIntegrations(tables)),
        agentRoles: lent(memoryAgentRoles(tables)),
        referrals: lent(memoryReferrals(tables)),
        shares: lent(memoryShares(tables)),
        bots: lent(memoryBots(tables, botElsewhere)),
        imageOperations: lent(memoryImageOperations(tables)),
        blobLocations: lent(memoryBlobLocations(tables)),
        storageMigrations: lent(memoryStorageMigrations(tables)),
        agentConfirmations: lent(memoryAgentConfirmations(tables)),
        agentUndos: lent(memoryAgentUndos(tables)),
        officeSessions: lent(memoryOfficeSessions(tables)),
        sessions: lent(memorySessions(tables)),
        signInMethods: lent(memorySignInMethods(tables, this.#othersThan(ownerId))),
        securityEvents: lent(memorySecurityEvents(tables)),
        uploads: lent(memoryUploads(tables)),
      });
    } finally {
      unit.open = false;
    }
  }
}

/** The store during its unit of work; every method rejects afterwards. */
function whileOpen<Store extends object>(unit: { readonly open: boolean }, store: Store): Store {
  return new Proxy(store, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        if (!unit.open) throw new Error('A store was used after its unit of work.');
        return (member as (...a: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
