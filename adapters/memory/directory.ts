import { MAX_ACCOUNTS_OF_NAME, type Directory, type TaskKinds } from '../../ports/directory.ts';
import { foldName } from '../../ports/library.ts';
import { isUnsealedHash } from '../../ports/secrets.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { MemoryDatabase, Tables } from './database.ts';
import { byCodePoint, cut, newestFirst } from './order.ts';
import { copiesOf } from './blob-locations.ts';

export const memoryDirectory = (database: MemoryDatabase): Directory => {
  const lookup = createLookup(database);
  return {
    ...createIdentities(database, lookup),
    ...createOwners(database, lookup),
    ...createDueWork(lookup),
    ...createBlobs(lookup),
    ...createBots(lookup),
  };
};

/** Looks into the data of all owners. */
interface Lookup {
  readonly scopeOf: (ownerId: string) => OwnerScope | undefined;
  readonly everywhere: <T>(pick: (tables: Tables, ownerId: string) => readonly T[]) => T[];
}

const createLookup = (database: MemoryDatabase): Lookup => ({
  scopeOf: (ownerId) => {
    const owner = database.owners.get(ownerId);
    return owner && { tenantId: owner.tenantId, ownerId };
  },
  everywhere: (pick) =>
    [...database.states()].flatMap(([ownerId, { tables }]) => pick(tables, ownerId)),
});

type Identities = Pick<
  Directory,
  | 'identify'
  | 'identifySession'
  | 'accountsWithPassword'
  | 'maxAccountsOfName'
  | 'passkeyOwner'
  | 'accountOfSubject'
  | 'account'
>;

function createIdentities(database: MemoryDatabase, { everywhere }: Lookup): Identities {
  const accountOf = (ownerId: string) => {
    const owner = database.owners.get(ownerId);
    const tenant = owner && database.tenants.get(owner.tenantId);
    return owner && tenant && { owner, tenant };
  };
  return {
    identify: async (prefix) => {
      const found = database.tokenBy(prefix);
      const account = found && accountOf(found.ownerId);
      return account && { token: found.token, ...account };
    },
    identifySession: async (digest) => {
      const found = database.sessionBy(digest);
      const account = found && accountOf(found.ownerId);
      return account && { session: found.session, ...account };
    },
    accountsWithPassword: async (name) => {
      const folded = foldName(name);
      return everywhere(({ password }, ownerId) => {
        const stored = password.get('password');
        const account = stored && accountOf(ownerId);
        return account && foldName(account.owner.name) === folded ? [{ account, stored }] : [];
      })
        .sort(
          (a, b) =>
            a.stored.setAt - b.stored.setAt || byCodePoint(a.account.owner.id, b.account.owner.id),
        )
        .slice(0, MAX_ACCOUNTS_OF_NAME)
        .map(({ account, stored: { sealedHash } }) => ({ ...account, sealedHash }));
    },
    maxAccountsOfName: async () => {
      const names = everywhere(({ password }, ownerId) => {
        const account = password.get('password') && accountOf(ownerId);
        return account ? [foldName(account.owner.name)] : [];
      });
      const groups = [...Map.groupBy(names, (name) => name).values()];
      const counts = groups.map(({ length }) => length);
      return Math.min(Math.max(0, ...counts), MAX_ACCOUNTS_OF_NAME);
    },
    passkeyOwner: async (credentialId) => {
      const [found] = everywhere(({ passkeys }, ownerId) =>
        passkeys
          .values()
          .flatMap((passkey) =>
            passkey.credentialId === credentialId ? [{ passkey, ownerId }] : [],
          ),
      );
      const account = found && accountOf(found.ownerId);
      return account && { ...account, passkey: found.passkey };
    },
    accountOfSubject: async (issuer, subject) => {
      const [ownerId] = everywhere(({ oidcLink }, id) =>
        oidcLink.values().some((link) => link.issuer === issuer && link.subject === subject)
          ? [id]
          : [],
      );
      return ownerId === undefined ? undefined : accountOf(ownerId);
    },
    account: async (ownerId) => accountOf(ownerId),
  };
}

type Owners = Pick<
  Directory,
  'ownerScope' | 'ownerOfTask' | 'ownerOfReferralCode' | 'calendarOfFeed' | 'ownerOfShare'
>;

function createOwners(database: MemoryDatabase, { scopeOf, everywhere }: Lookup): Owners {
  return {
    ownerScope: async (ownerId) => scopeOf(ownerId),
    ownerOfTask: async (taskId) => {
      const [ownerId] = everywhere(({ tasks }, id) => (tasks.get(taskId) ? [id] : []));
      return ownerId === undefined ? undefined : scopeOf(ownerId);
    },
    ownerOfReferralCode: async (code) => {
      const [ownerId] = everywhere(({ referralCode }, id) =>
        referralCode.get('code') === code ? [id] : [],
      );
      return ownerId === undefined ? undefined : scopeOf(ownerId);
    },
    calendarOfFeed: async (digest) => {
      const [ownerId] = everywhere(({ calendar }, id) =>
        calendar.get('calendar')?.feed === digest ? [id] : [],
      );
      return ownerId === undefined ? undefined : scopeOf(ownerId);
    },
    ownerOfShare: async (digest) => {
      const [found] = everywhere(({ shares }, ownerId) =>
        shares.values().flatMap((share) => (share.digest === digest ? [{ share, ownerId }] : [])),
      );
      const owner = found && database.owners.get(found.ownerId);
      return owner && { shareId: found.share.id, owner };
    },
  };
}

type DueWork = Pick<
  Directory,
  | 'dueTasks'
  | 'expiredTrash'
  | 'ownersWithExpiredAccess'
  | 'ownersWithExpiredReceipts'
  | 'ownersWithExpiredUndos'
  | 'ownersWithIdleUploads'
  | 'ownersWithUnsealedHashes'
  | 'dueReminders'
>;

function createDueWork({ scopeOf, everywhere }: Lookup): DueWork {
  return {
    dueTasks: async (now, limit, kinds) =>
      everywhere(({ tasks }) => tasks.values())
        .flatMap((task) => {
          const openAt = openAtOf(task);
          return openAt !== null && openAt <= now && isOf(kinds, task.kind)
            ? [{ task, openAt }]
            : [];
        })
        .sort((a, b) => a.openAt - b.openAt || byCodePoint(a.task.id, b.task.id))
        .slice(0, limit)
        .map(({ task: { id, kind } }) => ({ id, kind })),
    expiredTrash: async (before, limit) =>
      everywhere(({ objects }, ownerId) => {
        const scope = scopeOf(ownerId);
        if (!scope) return [];
        return objects
          .values()
          .flatMap(({ id: objectId, deletedAt }) =>
            deletedAt !== null && deletedAt < before ? [{ scope, objectId, deletedAt }] : [],
          );
      })
        .sort((a, b) => a.deletedAt - b.deletedAt || byCodePoint(a.objectId, b.objectId))
        .slice(0, limit)
        .map(({ scope, objectId }) => ({ scope, objectId })),
    ownersWithExpiredAccess: async ({ sessionsBefore, unusedSince, eventsBefore }, limit) =>
      everywhere(({ signInSessions, securityEvents }, ownerId) => {
        const scope = scopeOf(ownerId);
        const [first, ...later] = securityEvents.values().sort((a, b) => a.seq - b.seq);
        const isExpired =
          signInSessions
            .values()
            .some(
              ({ expiresAt, lastUsedAt }) => expiresAt < sessionsBefore || lastUsedAt < unusedSince,
            ) ||
          (first && first.at < eventsBefore && later.length > 0);
        return scope && isExpired ? [scope] : [];
      }).slice(0, limit),
    ownersWithUnsealedHashes: async (limit) =>
      everywhere(({ zoneLock, shares }, ownerId) => {
        const scope = scopeOf(ownerId);
        const hashes = [
          zoneLock.get('lock')?.pinHash,
          ...shares.values().map(({ passwordHash }) => passwordHash),
        ];
        const isUnsealed = hashes.some((hash) => typeof hash === 'string' && isUnsealedHash(hash));
        return scope && isUnsealed ? [scope] : [];
      }).slice(0, limit),
    ownersWithExpiredReceipts: async (before, limit) =>
      everywhere(({ receipts }, ownerId) => {
        const scope = scopeOf(ownerId);
        const isExpired = receipts.values().some(({ expiresAt }) => expiresAt < before);
        return scope && isExpired ? [scope] : [];
      }).slice(0, limit),
    ownersWithExpiredUndos: async (before, limit) =>
      everywhere(({ agentUndos }, ownerId) => {
        const scope = scopeOf(ownerId);
        const isExpired = agentUndos
          .values()
          .some(({ expiresAt }) => expiresAt !== null && expiresAt < before);
        return scope && isExpired ? [scope] : [];
      }).slice(0, limit),
    ownersWithIdleUploads: async (before, limit) =>
      everywhere(({ uploads }, ownerId) => {
        const scope = scopeOf(ownerId);
        const isIdle = uploads.values().some(({ progressAt }) => progressAt < before);
        return scope && isIdle ? [scope] : [];
      }).slice(0, limit),
    dueReminders: async (now, limit) =>
      everywhere(({ calendarEvents }, ownerId) => {
        const scope = scopeOf(ownerId);
        if (!scope) return [];
        return calendarEvents
          .values()
          .flatMap(({ id: eventId, nextReminderAt: at }) =>
            at !== null && at <= now ? [{ scope, eventId, at }] : [],
          );
      })
        .sort((a, b) => a.at - b.at || byCodePoint(a.eventId, b.eventId))
        .slice(0, limit)
        .map(({ scope, eventId }) => ({ scope, eventId })),
  };
}

type Blobs = Pick<Directory, 'strayBlobs' | 'copiesOf' | 'strayCopies'>;

function createBlobs({ scopeOf, everywhere }: Lookup): Blobs {
  return {
    strayBlobs: async (blobIds) => {
      const used = new Set(
        everywhere(({ contents, thumbnails, placements }) => [
          ...[...contents.values(), ...thumbnails.values().flat()].map(({ blobId }) => blobId),
          ...placements
            .values()
            .filter(({ location }) => location === 'service')
            .map(({ copyId }) => copyId),
        ]),
      );
      return blobIds.filter((id) => !used.has(id));
    },
    copiesOf: async (blobId) => {
      const [found] = everywhere((tables, ownerId) => {
        const copies = copiesOf(tables, blobId);
        return copies.length > 0 ? [{ ownerId, copies }] : [];
      });
      const scope = found && scopeOf(found.ownerId);
      return scope && { scope, copies: found.copies };
    },
    strayCopies: async (before, after, limit) => {
      const found = everywhere(({ placements, contents }, ownerId) => {
        const scope = scopeOf(ownerId);
        if (!scope) return [];
        const used = new Set(contents.values().map(({ blobId }) => blobId));
        const stray = placements
          .values()
          .filter(
            ({ blobId, state, createdAt }) =>
              createdAt < before &&
              blobId > (after ?? '') &&
              (state !== 'current' || !used.has(blobId)),
          );
        return [...new Set(stray.map(({ blobId }) => blobId))].map((blobId) => ({ scope, blobId }));
      });
      return found.sort((a, b) => byCodePoint(a.blobId, b.blobId)).slice(0, limit);
    },
  };
}

type Bots = Pick<Directory, 'botById' | 'botsOfTenant' | 'anyBot' | 'botTroubles'>;

function createBots({ scopeOf, everywhere }: Lookup): Bots {
  return {
    botById: async (botId) => {
      const [found] = everywhere(({ bots }, ownerId) => {
        const bot = bots.get(botId);
        return bot ? [{ bot, ownerId }] : [];
      });
      const scope = found && scopeOf(found.ownerId);
      return scope && { bot: found.bot, scope };
    },
    botsOfTenant: async (tenantId, request) =>
      cut(
        everywhere(({ bots }, ownerId) =>
          scopeOf(ownerId)?.tenantId === tenantId
            ? bots.values().map((bot) => ({ bot, ownerId }))
            : [],
        ).sort((a, b) => newestFirst(a.bot, b.bot)),
        request,
      ),
    anyBot: async () => everywhere(({ bots }) => bots.values()).length > 0,
    botTroubles: async () => {
      const troubled = everywhere(({ bots }) =>
        bots.values().filter(({ reception }) => reception.reason !== ''),
      );
      return [...new Set(troubled.map(({ reception }) => reception.state))];
    },
  };
}

const isOf = (kinds: TaskKinds | undefined, kind: string): boolean =>
  kinds === undefined || ('only' in kinds ? kinds.only.includes(kind) : !kinds.but.includes(kind));

/** When the task may be claimed; null for never. */
const openAtOf = (task: Task): Instant | null =>
  task.state === 'waiting' ? task.dueAt : task.state === 'running' ? task.leaseUntil : null;
