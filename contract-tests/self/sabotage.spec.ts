import { expect } from 'chai';
import Mocha from 'mocha';
import { rejectNested } from '../../adapters/guards/unit-of-work.ts';
import { memoryAccounts } from '../../adapters/memory/accounts.ts';
import { memoryDeletionHolds } from '../../adapters/memory/deletion-holds.ts';
import { MemoryDatabase } from '../../adapters/memory/database.ts';
import { memoryDirectory } from '../../adapters/memory/directory.ts';
import { memoryInstallationCounts } from '../../adapters/memory/installation-counts.ts';
import { memoryIntegrity } from '../../adapters/memory/integrity.ts';
import { memoryOneTimeSecrets } from '../../adapters/memory/one-time-secrets.ts';
import { memorySignInAttempts } from '../../adapters/memory/sign-in-attempts.ts';
import { MemoryUnitOfWork } from '../../adapters/memory/unit-of-work.ts';
import type { Directory, SessionIdentity, TokenIdentity } from '../../ports/directory.ts';
import { positionIn, type StoredObject } from '../../ports/objects.ts';
import type { OfficeSession } from '../../ports/office.ts';
import type { ShareAccess } from '../../ports/shares.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { calendarStoreContract } from '../suites/calendar-store.ts';
import { chatStoreContract } from '../suites/chat-store.ts';
import { collectionStoreContract } from '../suites/collection-store.ts';
import { contentStoreContract } from '../suites/content-store.ts';
import { directoryContract } from '../suites/directory.ts';
import { notificationStoreContract } from '../suites/notification-store.ts';
import { objectStoreContract } from '../suites/object-store.ts';
import { officeSessionStoreContract } from '../suites/office-session-store.ts';
import { oneTimeSecretsContract } from '../suites/one-time-secrets.ts';
import { securityEventStoreContract } from '../suites/security-event-store.ts';
import { sessionStoreContract } from '../suites/session-store.ts';
import { signInAttemptsContract } from '../suites/sign-in-attempts.ts';
import { signInMethodStoreContract } from '../suites/sign-in-method-store.ts';
import { shareStoreContract } from '../suites/share-store.ts';
import { thumbnailStoreContract } from '../suites/thumbnail-store.ts';
import { tokenStoreContract } from '../suites/token-store.ts';
import { unitOfWorkContract } from '../suites/unit-of-work.ts';
import { pinLockStoreContract } from '../suites/pin-lock-store.ts';

type Contract = (open: () => Promise<Backend>) => void;

/** The parts that a defect may replace. */
interface Parts {
  uow: UnitOfWork;
  directory: Directory;
  outage: () => Promise<UnitOfWork>;
}

/** A correct in-memory backend, except for the changes of `break_`. */
async function broken(break_: (parts: Parts) => Partial<Parts>): Promise<Backend> {
  const database = new MemoryDatabase();
  const sound: Parts = {
    uow: new MemoryUnitOfWork(database),
    directory: memoryDirectory(database),
    outage: async () => {
      const gone = new MemoryDatabase();
      await gone.close();
      return new MemoryUnitOfWork(gone);
    },
  };
  const { uow, directory, outage } = { ...sound, ...break_(sound) };
  const backend: Backend = {
    uow: rejectNested(uow),
    accounts: memoryAccounts(database),
    directory,
    integrity: memoryIntegrity(database),
    installationCounts: memoryInstallationCounts(database),
    deletionHolds: memoryDeletionHolds(database),
    oneTimeSecrets: memoryOneTimeSecrets(database),
    signInAttempts: memorySignInAttempts(database),
    another: async () => ({ ...backend, close: async () => undefined }),
    outage,
    close: async () => undefined,
  };
  return backend;
}

/** Runs a contract against a backend with one defect and returns the titles of the tests that noticed. */
async function noticedBy(
  contract: Contract,
  break_: (parts: Parts) => Partial<Parts>,
): Promise<string[]> {
  const mocha = new Mocha({ reporter: class {} as never, timeout: 20_000 });
  const suite = Mocha.Suite.create(mocha.suite, 'sabotaged');
  const outer = { it: globalThis.it, before: globalThis.before, after: globalThis.after };
  const quiet = {
    it: (title: string, run: Mocha.AsyncFunc) => suite.addTest(new Mocha.Test(title, run)),
    before: (run: Mocha.AsyncFunc) => suite.beforeAll(run),
    after: (run: Mocha.AsyncFunc) => suite.afterAll(run),
  };
  Object.assign(globalThis, quiet);
  try {
    contract(() => broken(break_));
  } finally {
    Object.assign(globalThis, outer);
  }
  const failed: string[] = [];
  await new Promise<void>((done) =>
    mocha.run(() => done()).on('fail', (test) => failed.push(test.title)),
  );
  mocha.dispose();
  return failed;
}

/** Breaks one store, or several, in every unit of work. */
const inStores =
  (change: (stores: Stores) => Partial<Stores>) =>
  ({ uow }: Parts): Partial<Parts> => ({
    uow: {
      read: (scope, work) => uow.read(scope, (s) => work({ ...s, ...change(s) })),
      write: (scope, work) => uow.write(scope, (s) => work({ ...s, ...change(s) })),
    },
  });

describe('the contracts detect an adapter that', () => {
  it('is correct: no failure', async () => {
    for (const contract of [
      calendarStoreContract,
      unitOfWorkContract,
      objectStoreContract,
      contentStoreContract,
      thumbnailStoreContract,
      collectionStoreContract,
      pinLockStoreContract,
      chatStoreContract,
      tokenStoreContract,
      notificationStoreContract,
      shareStoreContract,
      officeSessionStoreContract,
      sessionStoreContract,
      signInMethodStoreContract,
      securityEventStoreContract,
      oneTimeSecretsContract,
      signInAttemptsContract,
      directoryContract,
    ])
      expect(await noticedBy(contract, () => ({}))).to.deep.equal([]);
  });

  it('breaks ties in the wrong order', async () => {
    const defect = inStores(({ objects }) => ({
      objects: {
        ...objects,
        page: async (filter, request) => {
          const { items, total } = await objects.page(filter, { limit: 1e6, offset: 0 });
          const wrong = items.toSorted(
            (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
          );
          const start =
            'after' in request
              ? wrong.findIndex(({ id }) => id === request.after.id) + 1
              : request.offset;
          const page = wrong.slice(start, start + request.limit);
          const last = start + request.limit < total ? page.at(-1) : undefined;
          return { items: page, total, next: last ? positionIn('newest', last) : null };
        },
      },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.include(
      '`page` divides the list in each order into pages without gaps or duplicates, by offset and by position. Equal keys are ordered by `id`: ascending in `oldest` and `name`, descending in the others',
    );
  });

  it('returns the first page for every offset', async () => {
    const defect = inStores(({ objects, chats }) => ({
      objects: {
        ...objects,
        page: (filter, { limit }) => objects.page(filter, { limit, offset: 0 }),
      },
      chats: { ...chats, page: (filter, { limit }) => chats.page(filter, { limit, offset: 0 }) },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.include(
      'gives an empty page past the end and after the last position',
    );
    expect(await noticedBy(chatStoreContract, defect)).to.include(
      '`page` lists pinned sessions first, then by last change, newest first, then by id, descending. Every filter narrows it, and the total is the full one',
    );
  });

  it('shows security events of hidden objects', async () => {
    const defect = inStores(({ securityEvents }) => ({
      securityEvents: {
        ...securityEvents,
        page: (filter, request) => securityEvents.page({ ...filter, visibility: 'any' }, request),
      },
    }));
    expect(await noticedBy(securityEventStoreContract, defect)).to.deep.equal([
      'With visibility `visible`, events of an object that is hidden at that moment, or was erased, are excluded',
    ]);
  });

  it('accepts a session after it was removed', async () => {
    const known = new Map<string, SessionIdentity>();
    const defect = ({ directory }: Parts): Partial<Parts> => ({
      directory: {
        ...directory,
        identifySession: async (digest) => {
          const found = await directory.identifySession(digest);
          if (found) known.set(digest, found);
          return found ?? known.get(digest);
        },
      },
    });
    expect(await noticedBy(directoryContract, defect)).to.deep.equal([
      'A session is found by the digest of its secret together with its owner and tenant, immediately after it was saved and never after it was removed',
    ]);
  });

  it('confuses owners', async () => {
    const everyone = { tenantId: 't', ownerId: 'o' };
    const defect = ({ uow }: Parts): Partial<Parts> => ({
      uow: {
        read: (_, work) => uow.read(everyone, work),
        write: (_, work) => uow.write(everyone, work),
      },
    });
    expect(await noticedBy(objectStoreContract, defect)).to.include(
      'An object is out of reach of every other owner',
    );
    expect(await noticedBy(contentStoreContract, defect)).to.include(
      'stores the same hash separately for each owner',
    );
  });

  it('forgets a field', async () => {
    const defect = inStores(({ objects }) => ({
      objects: {
        ...objects,
        save: (object: StoredObject) => objects.save({ ...object, suggestedReason: null }),
      },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.include(
      '`find` returns what was saved, field for field. Saving is idempotent',
    );
  });

  it('returns the length of the page as the total', async () => {
    const defect = inStores(({ objects }) => ({
      objects: {
        ...objects,
        page: async (filter, request) => {
          const page = await objects.page(filter, request);
          return { ...page, total: page.items.length };
        },
      },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.include.members([
      '`page` divides the list in each order into pages without gaps or duplicates, by offset and by position. Equal keys are ordered by `id`: ascending in `oldest` and `name`, descending in the others',
      '`total` and `count` are exact for every filter after any sequence of saves and removals. Only filters by category, content, time of creation or folders of suggestions count rows',
    ]);
  });

  it('finds a duplicate in another folder', async () => {
    const defect = inStores(({ objects }) => ({
      objects: { ...objects, withHash: (hash, hiddenToo) => objects.withHash(hash, hiddenToo) },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.deep.equal([
      '`withHash` with folders returns the newest such object in any of them',
    ]);
  });

  it('counts the objects of all folders where some are requested', async () => {
    const defect = inStores(({ objects }) => ({
      objects: {
        ...objects,
        count: ({ collectionIds: _, ...filter }) => objects.count(filter),
      },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.include(
      '`total` and `count` are exact for every filter after any sequence of saves and removals. Only filters by category, content, time of creation or folders of suggestions count rows',
    );
  });

  it('lists chats and shares of all folders where some are requested', async () => {
    const defect = inStores(({ chats, shares }) => ({
      chats: {
        ...chats,
        page: ({ boundWithin: _, ...filter }, request) => chats.page(filter, request),
      },
      shares: {
        ...shares,
        page: ({ collectionIds: _, ...filter }, request) => shares.page(filter, request),
      },
    }));
    expect(await noticedBy(chatStoreContract, defect)).to.deep.equal([
      '`boundWithin` narrows a page and `recentQueries` to sessions bound to these folders or some of them',
    ]);
    expect(await noticedBy(shareStoreContract, defect)).to.deep.equal([
      'With folders, only shares of these and of objects in them are listed and counted',
    ]);
  });

  it('counts hidden objects in their folder', async () => {
    const defect = inStores(({ objects }) => ({
      objects: {
        ...objects,
        countVisible: async (folders) => {
          const counts = new Map<string, number>();
          for (const collectionId of folders)
            counts.set(
              collectionId,
              await objects.count({ visibility: 'any', trashed: false, collectionId }),
            );
          return counts;
        },
      },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.deep.equal([
      '`countVisible` counts, for each requested folder, its objects that are neither hidden nor in the trash',
    ]);
  });

  it('reveals a hidden duplicate', async () => {
    const defect = inStores(({ objects }) => ({
      objects: {
        ...objects,
        withHash: (hash, _hiddenToo, ids) => objects.withHash(hash, true, ids),
      },
    }));
    expect(await noticedBy(objectStoreContract, defect)).to.deep.equal([
      '`withHash` returns the newest object outside the trash whose current content has the hash, hidden ones only on request',
    ]);
  });

  it('commits a part of a failed write', async () => {
    const defect = ({ uow }: Parts): Partial<Parts> => ({
      uow: {
        read: uow.read.bind(uow),
        write: async (scope, work) => {
          const outcome = await uow.write(scope, (s) =>
            work(s).then(
              (value) => ({ value }),
              (error: unknown) => ({ error }),
            ),
          );
          if ('error' in outcome) throw outcome.error;
          return outcome.value;
        },
      },
    });
    expect(await noticedBy(unitOfWorkContract, defect)).to.include(
      '`write` commits when `work` resolves and leaves no trace when it rejects',
    );
    expect(await noticedBy(objectStoreContract, defect)).to.deep.equal([
      'a write that rejects changes no total',
    ]);
    expect(await noticedBy(directoryContract, defect)).to.deep.equal([
      'does not find a token of a write that was rolled back',
      'A session is found by the digest of its secret together with its owner and tenant, immediately after it was saved and never after it was removed',
      '`ownerOfShare` returns the share whose token has this digest, and its owner, immediately after it was saved and never after it was removed',
    ]);
  });

  it('lets overlapping writes lose updates', async () => {
    // Reads the state at the start of the unit, and writes in a separate unit at its end.
    const defect = ({ uow }: Parts): Partial<Parts> => ({
      uow: {
        read: uow.read.bind(uow),
        write: async (scope, work) => {
          const late: ((stores: Stores) => Promise<void>)[] = [];
          const result = await uow.read(scope, (s) =>
            work({
              ...s,
              objects: {
                ...s.objects,
                save: async (object) => void late.push((now) => now.objects.save(object)),
              },
            }),
          );
          await uow.write(scope, async (now) => {
            for (const write of late) await write(now);
          });
          return result;
        },
      },
    });
    expect(await noticedBy(unitOfWorkContract, defect)).to.include.members([
      'Two overlapping writes of one owner end as if one had run after the other',
    ]);
  });

  it('lets a read see concurrent writes', async () => {
    const defect = ({ uow }: Parts): Partial<Parts> => ({
      uow: {
        read: (scope, work) =>
          uow.read(scope, (s) =>
            work({
              ...s,
              objects: {
                ...s.objects,
                find: (id) => uow.read(scope, (now) => now.objects.find(id)),
              },
            }),
          ),
        write: uow.write.bind(uow),
      },
    });
    expect(await noticedBy(unitOfWorkContract, defect)).to.include(
      'A read sees one state from start to end, and never an uncommitted write',
    );
  });

  it('lets a store outlive its unit', async () => {
    const defect = ({ uow }: Parts): Partial<Parts> => ({
      uow: {
        read: (scope: OwnerScope, work) =>
          uow.read(scope, (s) =>
            work({
              ...s,
              objects: {
                ...s.objects,
                find: (id) =>
                  s.objects.find(id).catch(() => uow.read(scope, (now) => now.objects.find(id))),
              },
            }),
          ),
        write: uow.write.bind(uow),
      },
    });
    expect(await noticedBy(unitOfWorkContract, defect)).to.deep.equal([
      'Stores are valid only until `work` settles. Later use rejects',
    ]);
  });

  it('throws its own error in an outage', async () => {
    const defect = ({ outage }: Parts): Partial<Parts> => ({
      outage: async () => {
        const gone = await outage();
        const raw = (): never => {
          throw new Error('SQLITE_CANTOPEN');
        };
        return {
          read: (scope, work) => gone.read(scope, work).catch(raw),
          write: (scope, work) => gone.write(scope, work).catch(raw),
        };
      },
    });
    expect(await noticedBy(unitOfWorkContract, defect)).to.deep.equal([
      'An outage of the database rejects with UnavailableError',
    ]);
  });

  it('releases bytes that are still referenced', async () => {
    const defect = inStores(({ contents }) => ({
      contents: {
        ...contents,
        release: async (sha256) => {
          const blobId = await contents.release(sha256);
          if (blobId !== undefined) return blobId;
          const used = await contents.usedBytes();
          return used > 0 ? 'blob' : undefined;
        },
      },
    }));
    expect(await noticedBy(contentStoreContract, defect)).to.include(
      '`release` returns the blob when the last reference is removed, and nothing before. If the hash is retained again, the new blob is stored',
    );
  });

  it('stores a thumbnail too many, or does not return the removed blobs', async () => {
    const title =
      '`put` returns the blobs that are no longer needed: of a thumbnail of the same side, and of the oldest past `MAX_THUMBNAILS`';
    for (const blind of [
      inStores(({ thumbnails }) => ({
        thumbnails: { ...thumbnails, put: async (it) => (await thumbnails.put(it)).slice(1) },
      })),
      inStores(({ thumbnails }) => ({
        thumbnails: {
          ...thumbnails,
          find: (id, hash, side) => thumbnails.find(id, hash === '' ? hash : 'a'.repeat(64), side),
        },
      })),
    ])
      expect(await noticedBy(thumbnailStoreContract, blind)).to.include(title);
  });

  it('compares folder names by case', async () => {
    const defect = inStores(({ collections }) => ({
      collections: {
        ...collections,
        save: async (collection) => {
          if (await collections.save(collection)) return true;
          return collections.save({ ...collection, name: `${collection.name}\u200b` });
        },
      },
    }));
    expect(await noticedBy(collectionStoreContract, defect)).to.include(
      '`save` returns `false` and stores nothing if another folder of the same theme (or of none) has the name, ignoring case',
    );
  });

  it('orders messages by their time alone', async () => {
    const defect = inStores(({ chats }) => ({
      chats: {
        ...chats,
        messages: async (sessionId, limit) =>
          (await chats.messages(sessionId, 1e6))
            .toSorted((a, b) => a.createdAt - b.createdAt)
            .slice(-limit),
      },
    }));
    expect(await noticedBy(chatStoreContract, defect)).to.deep.equal([
      'Messages are returned in insertion order, field for field: `messages` returns the latest `limit`, `messagesFrom` those from an offset on',
    ]);
  });

  it('reveals chats about hidden objects', async () => {
    const concealment =
      'A session that has a hidden object holds one. `visibleOnly` excludes it from a page, its total and `recentQueries`';
    const revealing = inStores(({ chats }) => ({
      chats: {
        ...chats,
        page: async ({ visibleOnly: _, ...filter }, request) => chats.page(filter, request),
      },
    }));
    expect(await noticedBy(chatStoreContract, revealing)).to.include(concealment);
    const asking = inStores(({ chats }) => ({
      chats: {
        ...chats,
        recentQueries: async (since, request, { visibleOnly: _, ...filter } = {}) =>
          chats.recentQueries(since, request, filter),
      },
    }));
    expect(await noticedBy(chatStoreContract, asking)).to.deep.equal([concealment]);
    const forgetful = inStores(({ chats }) => ({
      chats: { ...chats, setObjectVisibility: async () => undefined },
    }));
    expect(await noticedBy(chatStoreContract, forgetful)).to.include.members([
      concealment,
      '`setObjectVisibility` changes the visibility of an object in every session that has it',
    ]);
  });

  it('orders versions of notifications by the hidden ones too', async () => {
    const sightless = inStores(({ notifications }) => ({
      notifications: { ...notifications, version: () => notifications.version('any') },
    }));
    expect(await noticedBy(notificationStoreContract, sightless)).to.include(
      'Changes of hidden notifications do not affect results about the visible ones',
    );
  });

  it('reveals notifications of an object hidden since', async () => {
    const forgetful = inStores(({ notifications }) => ({
      notifications: { ...notifications, setObjectVisibility: async () => undefined },
    }));
    expect(await noticedBy(notificationStoreContract, forgetful)).to.include(
      "`setObjectVisibility` changes the visibility of an object's notifications, and `forgetObject` removes them",
    );
  });

  it('does not order versions of notifications', async () => {
    const still = inStores(({ notifications }) => ({
      notifications: {
        ...notifications,
        version: async (sight) => Math.min(1_000, await notifications.version(sight)),
      },
    }));
    expect(await noticedBy(notificationStoreContract, still)).to.include(
      '`version` increases with every change within the visibility, to at least the time of the change, and is otherwise constant',
    );
  });

  it('accepts a prefix twice', async () => {
    const defect = inStores(({ tokens }) => ({
      tokens: {
        ...tokens,
        add: async (token) =>
          (await tokens.add(token)) || tokens.add({ ...token, prefix: `${token.prefix}x` }),
      },
    }));
    expect(await noticedBy(tokenStoreContract, defect)).to.deep.equal([
      '`add` returns `false` and stores nothing if a token of any owner has the prefix',
    ]);
  });

  it('does not remove unlock tokens with the PIN', async () => {
    const defect = inStores(({ pinLock }) => ({
      pinLock: { ...pinLock, remove: async () => undefined },
    }));
    expect(await noticedBy(pinLockStoreContract, defect)).to.have.members([
      '`get` returns the lock last stored, and nothing after `remove`',
      'An unlock token is found by its digest until the tokens are cleared; `remove` clears them too',
    ]);
  });

  it('shows shares of hidden objects, or counts them', async () => {
    const title =
      'With visibility `visible`, shares of hidden objects are excluded, from the total as well';
    for (const wrong of ['items', 'total'] as const) {
      const defect = inStores(({ shares }) => ({
        shares: {
          ...shares,
          page: async (filter, request) => ({
            ...(await shares.page(filter, request)),
            [wrong]: (await shares.page({ ...filter, sight: 'any' }, request))[wrong],
          }),
        },
      }));
      expect(await noticedBy(shareStoreContract, defect)).to.deep.equal([title]);
    }
  });

  it('does not remove accesses and attempts with a share', async () => {
    const held = new Map<string, ShareAccess>();
    const defect = inStores(({ shares }) => ({
      shares: {
        ...shares,
        addAccess: async (access) => {
          held.set(access.shareId + access.digest, access);
          await shares.addAccess(access);
        },
        findAccess: async (shareId, digest) => held.get(shareId + digest),
        closeAccesses: async (shareId) => {
          for (const [key, access] of held) if (access.shareId === shareId) held.delete(key);
        },
      },
    }));
    expect(await noticedBy(shareStoreContract, defect)).to.include.members([
      '`remove` returns whether the share existed, `removeOf` removes all of a resource. Accesses and attempts are removed with them',
    ]);
  });

  it('carries office sessions that are closed, or that have another base version', async () => {
    const title =
      '`carry` moves the open sessions of an object from one base version to another, and no others';
    const seen: OfficeSession[] = [];
    for (const wrong of [
      ({ state }: OfficeSession) => state === 'closed',
      ({ version }: OfficeSession) => version === 3,
    ]) {
      const defect = inStores(({ officeSessions }) => ({
        officeSessions: {
          ...officeSessions,
          save: async (session) => {
            seen.push(session);
            await officeSessions.save(session);
          },
          carry: async (objectId, from, to) => {
            await officeSessions.carry(objectId, from, to);
            for (const each of seen.filter((session) => session.objectId === objectId))
              if (wrong(each)) await officeSessions.save({ ...each, version: to });
          },
        },
      }));
      expect(await noticedBy(officeSessionStoreContract, defect)).to.deep.equal([title]);
    }
  });

  it('reopens a closed office session', async () => {
    const opened = new Map<string, OfficeSession>();
    const defect = inStores(({ officeSessions }) => ({
      officeSessions: {
        ...officeSessions,
        opened: async (objectId, version) => {
          const place = `${objectId} ${version}`;
          const found = opened.get(place) ?? (await officeSessions.opened(objectId, version));
          if (found) opened.set(place, found);
          return found;
        },
      },
    }));
    expect(await noticedBy(officeSessionStoreContract, defect)).to.include(
      '`opened` returns the latest open session of an object that was opened at the version, and nothing once it is closed',
    );
  });

  it('finds a revoked share', async () => {
    const known = new Map<string, Awaited<ReturnType<Directory['ownerOfShare']>>>();
    const defect = ({ directory }: Parts): Partial<Parts> => ({
      directory: {
        ...directory,
        ownerOfShare: async (digest) => {
          const found = known.get(digest) ?? (await directory.ownerOfShare(digest));
          if (found) known.set(digest, found);
          return found;
        },
      },
    });
    expect(await noticedBy(directoryContract, defect)).to.deep.equal([
      '`ownerOfShare` returns the share whose token has this digest, and its owner, immediately after it was saved and never after it was removed',
    ]);
  });

  it('finds a revoked token', async () => {
    const defect = ({ directory }: Parts): Partial<Parts> => {
      const seen = new Map<string, TokenIdentity>();
      return {
        directory: {
          ...directory,
          identify: async (prefix) => {
            const found = seen.get(prefix) ?? (await directory.identify(prefix));
            if (found) seen.set(prefix, found);
            return found;
          },
        },
      };
    };
    expect(await noticedBy(directoryContract, defect)).to.deep.equal([
      'A token is found by its prefix together with its owner and tenant, immediately after it was added and never after it was removed',
    ]);
  });

  it('never returns a task with an expired lease', async () => {
    const defect = ({ directory, uow }: Parts): Partial<Parts> => ({
      directory: {
        ...directory,
        dueTasks: async (now, limit) => {
          const waiting = [];
          for (const due of await directory.dueTasks(now, 1e6)) {
            const scope = await directory.ownerOfTask(due.id);
            const task = scope && (await uow.read(scope, (s) => s.tasks.find(due.id)));
            if (task?.state === 'waiting') waiting.push(due);
          }
          return waiting.slice(0, limit);
        },
      },
    });
    expect(await noticedBy(directoryContract, defect)).to.deep.equal([
      '`dueTasks` returns waiting tasks that are due, and running ones with an expired lease, longest due first, at most `limit`, of the requested kinds',
    ]);
  });

  it('includes the end of a window, or omits events moved into it', async () => {
    const closed = inStores(({ calendar }) => ({
      calendar: {
        ...calendar,
        reaching: ({ from, to }, after, limit) =>
          calendar.reaching({ from, to: to + 1 }, after, limit),
      },
    }));
    expect(await noticedBy(calendarStoreContract, closed)).to.deep.equal([
      '`reaching` returns the events whose range overlaps the half-open window, by the end of their range and their id, after the cursor and at most `limit`',
    ]);
    const blind = inStores(({ calendar }) => ({
      calendar: {
        ...calendar,
        exceptionsAround: (originals) => calendar.exceptionsAround(originals, { from: 0, to: 0 }),
      },
    }));
    expect(await noticedBy(calendarStoreContract, blind)).to.deep.equal([
      '`exceptionsAround` returns exceptions of any event whose original start is in the half-open range of local times, or whose span overlaps the half-open window',
    ]);
  });

  it('numbers events by their count, or does not change its version', async () => {
    const counting = inStores(({ calendar }) => ({
      calendar: {
        ...calendar,
        nextNumber: async () =>
          (await calendar.page({ search: '', limit: 1, offset: 0 })).total + 1,
      },
    }));
    expect(await noticedBy(calendarStoreContract, counting)).to.include(
      '`nextNumber` returns 1, 2, 3 … and never a number twice, even after removals. `skipTo` continues after a number',
    );
    const silent = inStores(({ calendar }) => ({
      calendar: { ...calendar, version: async () => Math.min(1, await calendar.version()) },
    }));
    expect(await noticedBy(calendarStoreContract, silent)).to.deep.equal([
      'Every unit of work that changes the calendar increases `version`, which is 0 at first',
    ]);
  });
});
