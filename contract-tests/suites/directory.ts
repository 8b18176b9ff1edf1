import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_ACCOUNTS_OF_NAME } from '../../ports/directory.ts';
import type { BotState } from '../../ports/bots.ts';
import type { Owner } from '../../ports/identity.ts';
import type { Session } from '../../ports/sign-in.ts';
import type { Task } from '../../ports/tasks.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anEvent } from '../calendar-samples.ts';
import {
  aBot,
  anObject,
  anOwner,
  aReceipt,
  anAgentUndo,
  anUpload,
  aShare,
  aTask,
  aTenant,
  aThumbnail,
  aToken,
  newId,
} from '../samples.ts';
import { anOidcLink, aPasskey, aSecurityEvent, aSignInSession } from '../sign-in-samples.ts';

let century = 0;
/** Each test uses an earlier century than the one before, so that rows of other tests are not due. */
const newCentury = (): number => --century * 1_000_000;

/** The contract of every Directory. */
export function directoryContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const settle = async (): Promise<OwnerScope> => {
    const tenant = aTenant();
    const owner = anOwner(tenant.id);
    await backend.accounts.addTenant(tenant);
    await backend.accounts.addOwner(owner);
    return { tenantId: tenant.id, ownerId: owner.id };
  };

  it('A token is found by its prefix together with its owner and tenant, immediately after it was added and never after it was removed', async () => {
    const { accounts, directory, uow } = backend;
    const tenant = aTenant({ name: 'Ärzte "𝕏" ?' });
    const owner = anOwner(tenant.id, { name: "O'Hara", createdAt: 2 ** 40 });
    const scope = { tenantId: tenant.id, ownerId: owner.id };
    const tokens = [aToken({ expiresAt: 5, access: 'read' }), aToken()];
    await accounts.addTenant(tenant);
    await accounts.addOwner(owner);
    for (const token of tokens) {
      expect(await directory.identify(token.prefix)).to.equal(undefined);
      await uow.write(scope, (s) => s.tokens.add(token));
      expect(await directory.identify(token.prefix)).to.deep.equal({ token, owner, tenant });
    }
    for (const token of tokens) {
      await uow.write(scope, (s) => s.tokens.remove(token.id));
      expect(await directory.identify(token.prefix)).to.equal(undefined);
    }
    expect(await directory.ownerScope(owner.id)).to.deep.equal(scope);
    expect(await directory.ownerScope(newId())).to.equal(undefined);
  });

  it('does not find a token of a write that was rolled back', async () => {
    const scope = await settle();
    const token = aToken();
    const failed = backend.uow.write(scope, async (s) => {
      await s.tokens.add(token);
      throw new Error('no');
    });
    await failed.catch(() => undefined);
    expect(await backend.directory.identify(token.prefix)).to.equal(undefined);
    expect(await backend.uow.write(scope, (s) => s.tokens.add(token))).to.equal(true);
  });

  it('`maxAccountsOfName` returns the largest number of accounts with a password that have the same name, at most `MAX_ACCOUNTS_OF_NAME`', async () => {
    const { accounts, directory, uow } = backend;
    const tenant = aTenant();
    await accounts.addTenant(tenant);
    const name = `Ada ${newId()}`;
    const password = { sealedHash: 'sealed', setAt: 1 };
    const scopes: OwnerScope[] = [];
    for (let i = 1; i <= MAX_ACCOUNTS_OF_NAME + 1; i++) {
      const owner = anOwner(tenant.id, { name: i % 2 ? name : name.toUpperCase() });
      await accounts.addOwner(owner);
      const scope = { tenantId: tenant.id, ownerId: owner.id };
      // An account without a password is not counted.
      const before = await directory.maxAccountsOfName();
      expect(before).to.be.within(Math.min(i - 1, MAX_ACCOUNTS_OF_NAME), MAX_ACCOUNTS_OF_NAME);
      await uow.write(scope, (s) => s.signInMethods.setPassword(password));
      scopes.push(scope);
      const after = await directory.maxAccountsOfName();
      expect(after).to.be.within(Math.min(i, MAX_ACCOUNTS_OF_NAME), MAX_ACCOUNTS_OF_NAME);
    }
    expect(await directory.maxAccountsOfName()).to.equal(MAX_ACCOUNTS_OF_NAME);
    for (const scope of scopes) await uow.write(scope, (s) => s.signInMethods.setPassword(null));
  });

  it('A session is found by the digest of its secret together with its owner and tenant, immediately after it was saved and never after it was removed', async () => {
    const { accounts, directory, uow } = backend;
    const tenant = aTenant();
    const owner = anOwner(tenant.id, { name: "O'Hara", createdAt: 2 ** 40 });
    const scope = { tenantId: tenant.id, ownerId: owner.id };
    await accounts.addTenant(tenant);
    await accounts.addOwner(owner);
    const sessions = [aSignInSession({ method: 'oidc', lastUsedAt: 2 ** 41 }), aSignInSession()];
    const identify = (digest: string) => directory.identifySession(digest);
    for (const session of sessions) {
      expect(await identify(session.digest)).to.equal(undefined);
      await uow.write(scope, (s) => s.sessions.save(session));
      expect(await identify(session.digest)).to.deep.equal({ session, owner, tenant });
    }
    const failed = uow.write(scope, async (s) => {
      await s.sessions.remove(sessions[0]?.id ?? '');
      throw new Error('no');
    });
    await failed.catch(() => undefined);
    // A renewed session has another secret.
    const [first, second] = sessions;
    if (!first || !second) throw new Error('no sample');
    const renewed = { ...first, digest: `digest of ${newId()}` };
    expect(await identify(first.digest)).to.deep.equal({ session: first, owner, tenant });
    await uow.write(scope, (s) => s.sessions.save(renewed));
    expect(await identify(first.digest)).to.equal(undefined);
    expect(await identify(renewed.digest)).to.deep.equal({ session: renewed, owner, tenant });
    await uow.write(scope, (s) => s.sessions.recordUse(renewed.id, 7, 'n'));
    expect((await identify(renewed.digest))?.session).to.deep.equal({
      ...renewed,
      lastUsedAt: 7,
      network: 'n',
    });
    await uow.write(scope, (s) => s.sessions.remove(renewed.id));
    expect(await identify(renewed.digest)).to.equal(undefined);
    await uow.write(scope, (s) => s.sessions.removeOthers(null));
    expect(await identify(second.digest)).to.equal(undefined);
  });

  it('`accountsWithPassword` returns the accounts of any tenant that have a password and this name, compared by `foldName`, earliest password first, then by owner, at most `MAX_ACCOUNTS_OF_NAME`', async () => {
    const { accounts, directory, uow } = backend;
    const name = `Zoë ${newId()}`;
    const add = async (owner: Partial<Owner>, setAt: number | null) => {
      const tenant = aTenant();
      const added = anOwner(tenant.id, owner);
      await accounts.addTenant(tenant);
      await accounts.addOwner(added);
      const scope = { tenantId: tenant.id, ownerId: added.id };
      const sealedHash = `hash of ${added.id}`;
      if (setAt !== null)
        await uow.write(scope, (s) => s.signInMethods.setPassword({ sealedHash, setAt }));
      return { account: { owner: added, tenant, sealedHash }, scope };
    };
    const find = () => directory.accountsWithPassword(name);
    expect(await find()).to.deep.equal([]);
    await add({ name }, null);
    await add({ name: `${name} the second` }, 1);
    const late = await add({ name }, 2 ** 41);
    const early = await add({ name: name.toUpperCase().normalize('NFD') }, 1);
    const same = await add({ name }, 1);
    expect(await find()).to.deep.equal([early.account, same.account, late.account]);
    for (const spelling of [name.toLowerCase(), name.normalize('NFD'), name.toUpperCase()])
      expect(await directory.accountsWithPassword(spelling)).to.have.length(3);
    await uow.write(early.scope, (s) => s.signInMethods.setPassword(null));
    expect(await find()).to.deep.equal([same.account, late.account]);
    const more = [];
    for (let i = 0; i < MAX_ACCOUNTS_OF_NAME; i++) more.push(await add({ name }, 2 + i));
    const all = [same, ...more].map(({ account }) => account);
    expect(await find()).to.deep.equal(all.slice(0, MAX_ACCOUNTS_OF_NAME));
    expect(await directory.accountsWithPassword('')).to.deep.equal([]);
    expect(await directory.accountsWithPassword('constructor')).to.deep.equal([]);
  });

  it('`maxAccountsOfName` returns the largest number of accounts with a password that have the same name, at most `MAX_ACCOUNTS_OF_NAME`', async () => {
    const { accounts, directory, uow } = backend;
    const before = await directory.maxAccountsOfName();
    const name = `Noor ${newId()}`;
    for (let i = 0; i <= before; i++) {
      const tenant = aTenant();
      const owner = anOwner(tenant.id, { name: i % 2 ? name : name.toUpperCase() });
      await accounts.addTenant(tenant);
      await accounts.addOwner(owner);
      expect(await directory.maxAccountsOfName()).to.equal(before);
      const scope = { tenantId: tenant.id, ownerId: owner.id };
      await uow.write(scope, (s) => s.signInMethods.setPassword({ sealedHash: 'x', setAt: i }));
    }
    const expected = Math.min(before + 1, MAX_ACCOUNTS_OF_NAME);
    expect(await directory.maxAccountsOfName()).to.equal(expected);
  });

  it('`passkeyOwner` returns a passkey of any owner by its credential id, with its account', async () => {
    const { directory, uow } = backend;
    const [scope, other] = [await settle(), await settle()];
    const passkey = aPasskey({ transports: ['usb', 'nfc'], isBackedUp: true, lastUsedAt: 5 });
    await uow.write(other, (s) => s.signInMethods.addPasskey(aPasskey()));
    expect(await directory.passkeyOwner(passkey.credentialId)).to.equal(undefined);
    await uow.write(scope, (s) => s.signInMethods.addPasskey(passkey));
    const account = await directory.account(scope.ownerId);
    expect(await directory.passkeyOwner(passkey.credentialId)).to.deep.equal({
      ...account,
      passkey,
    });
    expect(await directory.passkeyOwner(passkey.id)).to.equal(undefined);
    await uow.write(scope, (s) => s.signInMethods.removePasskey(passkey.id));
    expect(await directory.passkeyOwner(passkey.credentialId)).to.equal(undefined);
  });

  it('`accountOfSubject` returns the account that is linked to a subject of an OpenID Connect issuer', async () => {
    const { directory, uow } = backend;
    const [scope, other] = [await settle(), await settle()];
    const link = anOidcLink();
    const find = (issuer = link.issuer) => directory.accountOfSubject(issuer, link.subject);
    await uow.write(other, (s) => s.signInMethods.linkOidc(anOidcLink()));
    expect(await find()).to.equal(undefined);
    await uow.write(scope, (s) => s.signInMethods.linkOidc(link));
    expect(await find()).to.deep.equal(await directory.account(scope.ownerId));
    expect(await find('https://other.example')).to.equal(undefined);
    await uow.write(scope, (s) => s.signInMethods.unlinkOidc());
    expect(await find()).to.equal(undefined);
  });

  it('`account` returns an owner with its tenant', async () => {
    const tenant = aTenant();
    const owner = anOwner(tenant.id, { role: 'pro', createdAt: 2 ** 41 });
    await backend.accounts.addTenant(tenant);
    await backend.accounts.addOwner(owner);
    expect(await backend.directory.account(owner.id)).to.deep.equal({ owner, tenant });
    expect(await backend.directory.account(newId())).to.equal(undefined);
    expect(await backend.directory.account(tenant.id)).to.equal(undefined);
  });

  it('`ownersWithExpiredAccess` returns the scopes of owners with sessions that expired before a moment or were last used before another, or with a first security event, of several, from before a third, each once, at most `limit`', async () => {
    const { directory, uow } = backend;
    const epoch = newCentury();
    const [expired, unused, logged, both] = [
      await settle(),
      await settle(),
      await settle(),
      await settle(),
    ];
    const [valid, lastOnly, outOfOrder] = [await settle(), await settle(), await settle()];
    const session = (expiresAt: number, lastUsedAt: number) =>
      aSignInSession({ expiresAt: epoch + expiresAt, lastUsedAt: epoch + lastUsedAt });
    const save = (scope: OwnerScope, sessions: readonly Session[], times: readonly number[]) =>
      uow.write(scope, async (s) => {
        for (const each of sessions) await s.sessions.save(each);
        for (const [i, at] of times.entries())
          await s.securityEvents.append(aSecurityEvent({ seq: i + 1, at: epoch + at }));
      });
    await save(expired, [session(9, 20), session(8, 20), session(20, 20)], []);
    await save(unused, [session(20, 4)], [30]);
    await save(logged, [session(20, 20)], [2, 30]);
    await save(both, [session(9, 4)], [1, 2, 3]);
    await save(valid, [session(10, 5)], [3, 30]);
    await save(lastOnly, [], [2]);
    await save(outOfOrder, [], [30, 2, 30]);
    const expiry = { sessionsBefore: epoch + 10, unusedSince: epoch + 5, eventsBefore: epoch + 3 };
    const found = await directory.ownersWithExpiredAccess(expiry, 99);
    expect(found).to.have.deep.members([expired, unused, logged, both]);
    const some = await directory.ownersWithExpiredAccess(expiry, 2);
    expect(some).to.have.length(2);
    expect(found).to.deep.include.members([...some]);
    for (const scope of found)
      await uow.write(scope, async (s) => {
        await s.sessions.removeExpired(expiry.sessionsBefore, expiry.unusedSince);
        await s.securityEvents.removeBefore(expiry.eventsBefore, 99);
      });
    expect(await directory.ownersWithExpiredAccess(expiry, 99)).to.deep.equal([]);
  });

  it('`ownersWithUnsealedHashes` returns the scopes of owners with a PIN or the password of a share whose hash is not sealed, each once, at most `limit`', async () => {
    const { directory, uow } = backend;
    const [pin, share, both, sealed] = [
      await settle(),
      await settle(),
      await settle(),
      await settle(),
    ];
    const save = (scope: OwnerScope, pinHash: string | null, hashes: readonly (string | null)[]) =>
      uow.write(scope, async (s) => {
        if (pinHash !== null) await s.pinLock.put({ pinHash, failures: 0, lockedUntil: null });
        for (const passwordHash of hashes) await s.shares.save(aShare({ passwordHash }));
      });
    const plain = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';
    await save(pin, plain, []);
    await save(share, 'abc.def', [null, plain]);
    await save(both, plain, [plain, plain]);
    await save(sealed, 'abc.$', ['abc.def', null]);
    const found = await directory.ownersWithUnsealedHashes(999);
    expect(found.filter(({ ownerId }) => ownerId === both.ownerId)).to.have.length(1);
    expect(found).to.deep.include.members([pin, share, both]);
    expect(found).not.to.deep.include(sealed);
    expect(await directory.ownersWithUnsealedHashes(2)).to.have.length(2);
    for (const scope of [pin, share, both])
      await uow.write(scope, async (s) => {
        await s.pinLock.remove();
        for (const { id } of (await s.shares.page({ sight: 'any' }, { limit: 9, offset: 0 })).items)
          await s.shares.remove(id);
      });
    expect(await directory.ownersWithUnsealedHashes(999)).not.to.deep.include.members([pin]);
  });

  it('`dueTasks` returns waiting tasks that are due, and running ones with an expired lease, longest due first, at most `limit`, of the requested kinds', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            state: fc.constantFrom<Task['state'][]>('waiting', 'running', 'failed'),
            dueAt: fc.integer({ min: 0, max: 20 }),
            leaseUntil: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null, freq: 5 }),
            whose: fc.nat(1),
          }),
          { maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 6 }),
        async (created, limit) => {
          const epoch = newCentury();
          const now = epoch + 10;
          const scopes = [await settle(), await settle()];
          const tasks = created.map(({ state, dueAt, leaseUntil, whose }) => ({
            whose,
            task: aTask({
              state,
              kind: `kind-${whose}`,
              dueAt: epoch + dueAt,
              leaseUntil: leaseUntil === null ? null : epoch + leaseUntil,
            }),
          }));
          for (const [index, scope] of scopes.entries())
            await backend.uow.write(scope, async (s) => {
              for (const { whose, task } of tasks) if (whose === index) await s.tasks.save(task);
            });
          const expected = tasks
            .map(({ task }) => ({ task, since: takeableSince(task) }))
            .filter(({ since }) => since !== null && since <= now)
            .sort((a, b) => (a.since ?? 0) - (b.since ?? 0) || (a.task.id < b.task.id ? -1 : 1))
            .map(({ task: { id, kind } }) => ({ id, kind }));
          expect(await backend.directory.dueTasks(now, limit)).to.deep.equal(
            expected.slice(0, limit),
          );
          for (const [kinds, requested] of [
            [{ only: ['kind-1'] }, (kind: string) => kind === 'kind-1'],
            [{ only: ['kind-1', 'kind-0'] }, () => true],
            [{ but: ['kind-1'] }, (kind: string) => kind !== 'kind-1'],
            [{ but: [] }, () => true],
          ] as const)
            expect(await backend.directory.dueTasks(now, limit, kinds)).to.deep.equal(
              expected.filter(({ kind }) => requested(kind)).slice(0, limit),
            );
          expect(await backend.directory.dueTasks(epoch - 1, limit)).to.deep.equal([]);
        },
      ),
      {
        numRuns: 20,
        examples: [
          [
            [
              { state: 'running', dueAt: 0, leaseUntil: 5, whose: 0 },
              { state: 'running', dueAt: 0, leaseUntil: 11, whose: 0 },
              { state: 'waiting', dueAt: 3, leaseUntil: null, whose: 1 },
              { state: 'failed', dueAt: 3, leaseUntil: null, whose: 1 },
            ],
            6,
          ],
        ],
      },
    ));

  it('`ownerOfTask` returns the scope of a task of any owner', async () => {
    const [mine, theirs] = [await settle(), await settle()];
    const task = aTask();
    await backend.uow.write(theirs, (s) => s.tasks.save(task));
    await backend.uow.write(mine, (s) => s.tasks.save(aTask()));
    expect(await backend.directory.ownerOfTask(task.id)).to.deep.equal(theirs);
    await backend.uow.write(theirs, (s) => s.tasks.remove(task.id));
    expect(await backend.directory.ownerOfTask(task.id)).to.equal(undefined);
  });

  it('`strayBlobs` returns those of the ids that no content, no thumbnail and no copy with the service of any owner uses', async () => {
    const scopes = [await settle(), await settle()];
    const used = scopes.map(() => newId());
    const stray = Array.from({ length: 300 }, newId);
    for (const [index, scope] of scopes.entries())
      await backend.uow.write(scope, (s) =>
        s.contents.retain({ sha256: 'a'.repeat(64), size: 1, blobId: used[index] ?? '' }),
      );
    const { directory, uow } = backend;
    expect(await directory.strayBlobs([...used, ...stray])).to.have.members(stray);
    expect(await directory.strayBlobs([])).to.deep.equal([]);
    await uow.write(scopes[0] ?? (await settle()), (s) => s.contents.release('a'.repeat(64)));
    expect(await directory.strayBlobs(used)).to.deep.equal([used[0]]);
    const thumbnail = aThumbnail({ blobId: stray[7] ?? '' });
    await uow.write(scopes[1] ?? (await settle()), (s) => s.thumbnails.put(thumbnail));
    expect(await directory.strayBlobs(stray)).to.have.members(stray.toSpliced(7, 1));
    await uow.write(scopes[1] ?? (await settle()), (s) =>
      s.thumbnails.removeAll(thumbnail.objectId),
    );
    expect(await directory.strayBlobs(stray)).to.have.members(stray);
    const copies = (['service', 'own'] as const).map((place, i) => ({
      copyId: stray[i] ?? '',
      blobId: newId(),
      location: place,
      state: 'writing' as const,
      createdAt: 1,
    }));
    await uow.write(scopes[0] ?? (await settle()), async ({ blobLocations }) => {
      for (const copy of copies) await blobLocations.save(copy);
    });
    expect(await directory.strayBlobs(stray)).to.have.members(stray.slice(1));
  });

  it('`copiesOf` returns all copies of a blob of any owner, and nothing if it has none', async () => {
    const scope = await settle();
    const blobId = newId();
    expect(await backend.directory.copiesOf(blobId)).to.equal(undefined);
    const copies = (['current', 'deleting'] as const).map((state) => ({
      copyId: newId(),
      blobId,
      location: 'own' as const,
      state,
      createdAt: 1,
    }));
    await backend.uow.write(scope, async ({ blobLocations }) => {
      for (const copy of copies) await blobLocations.save(copy);
    });
    const owned = await backend.directory.copiesOf(blobId);
    expect(owned?.scope).to.deep.equal(scope);
    expect(owned?.copies).to.have.deep.members(copies);
  });

  it('`strayCopies` returns blobs of any owner with a copy older than the moment that is not `current`, or that no content uses, at most `limit`, by id, after one', async () => {
    const scopes = [await settle(), await settle()];
    const [used, unused, coming, leaving, young] = Array.from({ length: 5 }, newId) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const copy = (blobId: string, state: 'writing' | 'current' | 'deleting', createdAt = 9) => ({
      copyId: newId(),
      blobId,
      location: 'own' as const,
      state,
      createdAt,
    });
    await backend.uow.write(scopes[0]!, async ({ contents, blobLocations }) => {
      for (const blobId of [used, leaving])
        await contents.retain({ sha256: blobId, size: 1, blobId });
      await blobLocations.save(copy(used, 'current'));
      await blobLocations.save(copy(leaving, 'current'));
      await blobLocations.save(copy(leaving, 'deleting'));
      await blobLocations.save(copy(young, 'writing', 10));
    });
    await backend.uow.write(scopes[1]!, async ({ blobLocations }) => {
      await blobLocations.save(copy(unused, 'current'));
      await blobLocations.save(copy(coming, 'writing'));
    });
    const strays = (from: string | null, limit: number) =>
      backend.directory.strayCopies(10, from, limit);
    const mine = (all: Awaited<ReturnType<typeof strays>>) =>
      all.filter(({ scope }) => scopes.some(({ ownerId }) => ownerId === scope.ownerId));
    const expected = [
      { scope: scopes[1], blobId: unused },
      { scope: scopes[1], blobId: coming },
      { scope: scopes[0], blobId: leaving },
    ].sort((a, b) => (a.blobId < b.blobId ? -1 : 1));
    expect(mine(await strays(null, 100_000))).to.deep.equal(expected);
    const first = expected[0]?.blobId ?? '';
    expect(mine(await strays(first, 100_000))).to.deep.equal(expected.slice(1));
    expect(await strays(null, 1)).to.have.length(1);
  });

  it('`expiredTrash` returns objects of any owner that were trashed before the moment, oldest first, at most `limit`', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            deletedAt: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null, freq: 5 }),
            isHidden: fc.boolean(),
            whose: fc.nat(1),
          }),
          { maxLength: 10 },
        ),
        fc.integer({ min: 1, max: 6 }),
        async (created, limit) => {
          const epoch = newCentury();
          const scopes = [await settle(), await settle()];
          const objects = created.map(({ deletedAt, isHidden, whose }) => ({
            whose,
            object: anObject({
              isHidden,
              deletedAt: deletedAt === null ? null : epoch + deletedAt,
            }),
          }));
          for (const [index, scope] of scopes.entries())
            await backend.uow.write(scope, async (s) => {
              for (const { whose, object } of objects)
                if (whose === index) await s.objects.save(object);
            });
          const expected = objects
            .filter(({ object }) => object.deletedAt !== null && object.deletedAt < epoch + 10)
            .sort(
              (a, b) =>
                (a.object.deletedAt ?? 0) - (b.object.deletedAt ?? 0) ||
                (a.object.id < b.object.id ? -1 : 1),
            )
            .map(({ whose, object }) => ({ scope: scopes[whose], objectId: object.id }));
          expect(await backend.directory.expiredTrash(epoch + 10, limit)).to.deep.equal(
            expected.slice(0, limit),
          );
        },
      ),
      { numRuns: 20 },
    ));

  it('`ownersWithExpiredReceipts` returns the scopes of owners with idempotency records that expire before the moment, each once, at most `limit`', async () => {
    const now = newCentury();
    const scopes = [await settle(), await settle(), await settle()] as const;
    const keep = (scope: OwnerScope, ...moments: readonly number[]) =>
      backend.uow.write(scope, async ({ idempotency }) => {
        for (const expiresAt of moments) await idempotency.save(aReceipt({ expiresAt }));
      });
    const expired = async (limit: number) =>
      (await backend.directory.ownersWithExpiredReceipts(now, limit)).map((it) => it.ownerId);
    // Those of other tests count as well.
    const before = await expired(1_000);
    await keep(scopes[0], now - 2, now - 1, now);
    await keep(scopes[1], now, now + 1);
    await keep(scopes[2], now - 1);
    const found = (await expired(1_000)).filter((id) => !before.includes(id));
    expect(found.sort()).to.deep.equal([scopes[0].ownerId, scopes[2].ownerId].sort());
    expect(await expired(1)).to.have.length(1);
    await backend.uow.write(scopes[0], ({ idempotency }) => idempotency.removeExpired(now, 10));
    expect(await expired(1_000))
      .to.include(scopes[2].ownerId)
      .and.not.include(scopes[0].ownerId);
  });

  it('`ownersWithExpiredUndos` returns the scopes of owners with undos of the agent that expire before the moment, each once, at most `limit`', async () => {
    const now = newCentury();
    const scopes = [await settle(), await settle(), await settle()] as const;
    const save = (scope: OwnerScope, ...moments: readonly (number | null)[]) =>
      backend.uow.write(scope, async ({ agentUndos }) => {
        for (const expiresAt of moments) await agentUndos.save(anAgentUndo({ expiresAt }));
      });
    const expired = async (limit: number) =>
      (await backend.directory.ownersWithExpiredUndos(now, limit)).map((it) => it.ownerId);
    // Those of other tests count as well.
    const before = await expired(1_000);
    await save(scopes[0], now - 2, now - 1, now);
    await save(scopes[1], now, now + 1, null);
    await save(scopes[2], now - 1);
    const found = (await expired(1_000)).filter((id) => !before.includes(id));
    expect(found.sort()).to.deep.equal([scopes[0].ownerId, scopes[2].ownerId].sort());
    expect(await expired(1)).to.have.length(1);
    await backend.uow.write(scopes[0], ({ agentUndos }) => agentUndos.removeExpired(now, 10));
    expect(await expired(1_000))
      .to.include(scopes[2].ownerId)
      .and.not.include(scopes[0].ownerId);
  });

  it('`ownersWithIdleUploads` returns the scopes of owners with uploads without progress since before the moment, each once, at most `limit`', async () => {
    const now = newCentury();
    const scopes = [await settle(), await settle(), await settle()] as const;
    const keep = (scope: OwnerScope, ...moments: readonly number[]) =>
      backend.uow.write(scope, async ({ uploads }) => {
        for (const progressAt of moments) await uploads.save(anUpload({ progressAt }));
      });
    const idle = async (limit: number) =>
      (await backend.directory.ownersWithIdleUploads(now, limit)).map((it) => it.ownerId);
    // Those of other tests count as well.
    const before = await idle(1_000);
    await keep(scopes[0], now - 2, now - 1, now);
    await keep(scopes[1], now, now + 1);
    await keep(scopes[2], now - 1);
    const found = (await idle(1_000)).filter((id) => !before.includes(id));
    expect(found.sort()).to.deep.equal([scopes[0].ownerId, scopes[2].ownerId].sort());
    expect(await idle(1)).to.have.length(1);
  });

  it('`dueReminders` returns events of any owner whose next reminder is due, longest due first, at most `limit`', async () => {
    const epoch = newCentury();
    const scopes = [await settle(), await settle()] as const;
    const remind = async (scope: OwnerScope, nextReminderAt: number | null) => {
      const event = anEvent({ nextReminderAt });
      await backend.uow.write(scope, ({ calendar }) => calendar.save(event));
      return { scope, eventId: event.id };
    };
    const late = await remind(scopes[0], epoch + 1);
    await remind(scopes[0], null);
    await remind(scopes[1], epoch + 11);
    const later = await remind(scopes[1], epoch);
    const now = await remind(scopes[1], epoch + 10);
    const due = (limit: number) => backend.directory.dueReminders(epoch + 10, limit);
    expect(await due(9)).to.deep.equal([later, late, now]);
    expect(await due(2)).to.deep.equal([later, late]);
    await backend.uow.write(scopes[0], ({ calendar }) => calendar.remindAt(late.eventId, null));
    await backend.uow.write(scopes[1], ({ calendar }) => calendar.remove(later.eventId));
    expect(await due(9)).to.deep.equal([now]);
  });

  it('`calendarOfFeed` returns the scope of the owner whose calendar feed has a secret with this digest', async () => {
    const [mine, theirs] = [await settle(), await settle()];
    const [first, next, other] = [newId(), newId(), newId()];
    const put = (scope: OwnerScope, digest: string | null) =>
      backend.uow.write(scope, ({ calendar }) => calendar.putFeed(digest));
    const { directory } = backend;
    await put(mine, first);
    await put(theirs, other);
    expect(await directory.calendarOfFeed(first)).to.deep.equal(mine);
    expect(await directory.calendarOfFeed(other)).to.deep.equal(theirs);
    await put(mine, next);
    expect(await directory.calendarOfFeed(first)).to.equal(undefined);
    expect(await directory.calendarOfFeed(next)).to.deep.equal(mine);
    await put(mine, null);
    expect(await directory.calendarOfFeed(next)).to.equal(undefined);
  });

  it('`ownerOfReferralCode` returns the scope of the owner who has the code', async () => {
    const [mine, theirs] = [await settle(), await settle()];
    const [first, second] = [newId(), newId()];
    const { directory, uow } = backend;
    expect(await directory.ownerOfReferralCode(first)).to.equal(undefined);
    await uow.write(mine, ({ referrals }) => referrals.saveCode(first));
    await uow.write(theirs, ({ referrals }) => referrals.saveCode(second));
    expect(await directory.ownerOfReferralCode(first)).to.deep.equal(mine);
    expect(await directory.ownerOfReferralCode(second)).to.deep.equal(theirs);
  });

  it('`ownerOfShare` returns the share whose token has this digest, and its owner, immediately after it was saved and never after it was removed', async () => {
    const { directory, accounts, uow } = backend;
    const [mine, theirs] = [await settle(), await settle()];
    const [share, beside, other] = [aShare(), aShare(), aShare()];
    const found = async ({ digest }: { readonly digest: string }) => {
      const known = await directory.ownerOfShare(digest);
      return known && { ...known, owner: known.owner.id };
    };
    expect(await found(share)).to.equal(undefined);
    await uow.write(mine, async ({ shares }) => {
      await shares.save(share);
      await shares.save(beside);
    });
    await uow.write(theirs, ({ shares }) => shares.save(other));
    expect(await found(share)).to.deep.equal({ shareId: share.id, owner: mine.ownerId });
    expect(await found(other)).to.deep.equal({ shareId: other.id, owner: theirs.ownerId });
    expect((await directory.ownerOfShare(share.digest))?.owner).to.deep.equal(
      await accounts.findOwner(mine.ownerId),
    );
    const failed = uow.write(mine, async ({ shares }) => {
      await shares.remove(share.id);
      throw new Error('no');
    });
    await failed.catch(() => undefined);
    expect(await found(share)).to.deep.equal({ shareId: share.id, owner: mine.ownerId });
    await uow.write(mine, ({ shares }) => shares.remove(share.id));
    expect(await found(share)).to.equal(undefined);
    expect(await found(beside)).to.deep.equal({ shareId: beside.id, owner: mine.ownerId });
  });

  it('`botById` returns a bot of any owner with its scope, and nothing after it was removed', async () => {
    const { directory, uow } = backend;
    const [mine, theirs] = [await settle(), await settle()];
    const [bot, other] = [aBot({ ownerChatId: -(2n ** 63n) }), aBot()];
    expect(await directory.botById(bot.id)).to.equal(undefined);
    await uow.write(mine, ({ bots }) => bots.add(bot));
    await uow.write(theirs, ({ bots }) => bots.add(other));
    expect(await directory.botById(bot.id)).to.deep.equal({ bot, scope: mine });
    expect(await directory.botById(other.id)).to.deep.equal({ bot: other, scope: theirs });
    await uow.write(mine, ({ bots }) => bots.remove(bot.id));
    expect(await directory.botById(bot.id)).to.equal(undefined);
  });

  it('`botsOfTenant` returns the bots of all owners of a tenant, newest first, then by id, descending, with their total', async () => {
    const { directory, uow, accounts } = backend;
    const mine = await settle();
    const mate = anOwner(mine.tenantId);
    await accounts.addOwner(mate);
    const beside = { tenantId: mine.tenantId, ownerId: mate.id };
    const stranger = await settle();
    const all = [1, 2, 2, 3, 2].map((createdAt) => aBot({ createdAt }));
    for (const [i, bot] of all.entries())
      await uow.write(i % 2 ? mine : beside, ({ bots }) => bots.add(bot));
    await uow.write(stranger, ({ bots }) => bots.add(aBot({ createdAt: 9 })));
    const requested = all
      .map((bot, i) => ({ bot, ownerId: (i % 2 ? mine : beside).ownerId }))
      .sort((a, b) => b.bot.createdAt - a.bot.createdAt || (a.bot.id < b.bot.id ? 1 : -1));
    for (const offset of [0, 2, 4, 6])
      expect(await directory.botsOfTenant(mine.tenantId, { limit: 2, offset })).to.deep.equal({
        items: requested.slice(offset, offset + 2),
        total: 5,
      });
  });

  it('`botTroubles` returns the states of all bots that have a reason for their state, of any owner, each once', async () => {
    const { directory, uow } = backend;
    const before = new Set(await directory.botTroubles());
    const [mine, theirs] = [await settle(), await settle()];
    const inState = (state: BotState, reason: string) =>
      aBot({ reception: { state, reason, failedWebhook: null } });
    const troubled = [
      inState('conflict', 'A.'),
      inState('conflict', 'B.'),
      inState('polling', 'C.'),
    ];
    const all = [...troubled, inState('webhook', ''), inState('polling', '')];
    for (const [i, bot] of all.entries())
      await uow.write(i % 2 ? mine : theirs, ({ bots }) => bots.add(bot));
    const found = await directory.botTroubles();
    expect(found).to.have.length(new Set(found).size);
    expect(new Set(found)).to.deep.equal(new Set([...before, 'conflict', 'polling']));
    for (const [i, bot] of all.entries())
      await uow.write(i % 2 ? mine : theirs, ({ bots }) => bots.remove(bot.id));
    expect(new Set(await directory.botTroubles())).to.deep.equal(before);
  });

  it('`anyBot` returns whether any bot exists', async () => {
    const { directory, uow } = backend;
    const scope = await settle();
    const bot = aBot();
    await uow.write(scope, ({ bots }) => bots.add(bot));
    expect(await directory.anyBot()).to.equal(true);
    await uow.write(scope, ({ bots }) => bots.remove(bot.id));
    // Other tests may have left some; without any the result must be false.
    const left = await directory.botsOfTenant(scope.tenantId, { limit: 1, offset: 0 });
    expect(left).to.deep.equal({ items: [], total: 0 });
  });
}

/** Since when the task may be claimed; null if it may not. */
function takeableSince(task: Task): number | null {
  if (task.state === 'failed') return null;
  return task.state === 'waiting' ? task.dueAt : task.leaseUntil;
}
