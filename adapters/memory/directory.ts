import type { Directory, TaskKinds } from '../../ports/directory.ts';
import type { Task } from '../../ports/tasks.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { MemoryDatabase, Tables } from './database.ts';
import { byCodePoint, cut, newestFirst } from './order.ts';
import { copiesOf } from './blob-locations.ts';

export const memoryDirectory = (database: MemoryDatabase): Directory => {
  const lookup = createLookup(database);
  return {
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

type Owners = Pick<
  Directory,
  | 'identify'
  | 'ownerScope'
  | 'ownerOfTask'
  | 'ownerOfReferralCode'
  | 'calendarOfFeed'
  | 'ownerOfShare'
>;

function createOwners(database: MemoryDatabase, { scopeOf, everywhere }: Lookup): Owners {
  return {
    identify: async (prefix) => {
      const held = database.tokenBy(prefix);
      const owner = held && database.owners.get(held.ownerId);
      const tenant = owner && database.tenants.get(owner.tenantId);
      return held && owner && tenant && { token: held.token, owner, tenant };
    },
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
  'dueTasks' | 'expiredTrash' | 'ownersWithExpiredReceipts' | 'dueReminders'
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
    ownersWithExpiredReceipts: async (before, limit) =>
      everywhere(({ receipts }, ownerId) => {
        const scope = scopeOf(ownerId);
        const isExpired = receipts.values().some(({ expiresAt }) => expiresAt < before);
        return scope && isExpired ? [scope] : [];
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

type Bots = Pick<Directory, 'botById' | 'botsOfTenant' | 'anyBot'>;

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
  };
}

const isOf = (kinds: TaskKinds | undefined, kind: string): boolean =>
  kinds === undefined || ('only' in kinds ? kinds.only.includes(kind) : !kinds.but.includes(kind));

/** When the task may be claimed; null for never. */
const openAtOf = (task: Task): Instant | null =>
  task.state === 'waiting' ? task.dueAt : task.state === 'running' ? task.leaseUntil : null;
