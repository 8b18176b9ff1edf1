import { expect } from 'chai';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { zipArchives } from '../../adapters/archive-zip/archive-format.ts';
import { knexBackupSource } from '../../adapters/knex/operations/backup-source.ts';
import { knexRestoreTarget, tablesOf } from '../../adapters/knex/operations/restore-target.ts';
import { migrate } from '../../adapters/knex/schema/migrate.ts';
import { MemoryBlobStore } from '../../adapters/memory/blob-store.ts';
import { hmacKeyFingerprint } from '../../adapters/node/key-fingerprint.ts';
import { aesSealer } from '../../adapters/node/sealer.ts';
import { cryptoRandom, sha256Digest, systemClock } from '../../adapters/node/system.ts';
import {
  BackupError,
  beginBackup,
  openBackup,
  restoreBackup,
  verifyBackup,
  type BackupDeps,
  type RestoreDeps,
} from '../../core/backup/index.ts';
import {
  OPERATOR,
  createChainVerifier,
  recordSecurityEvent,
} from '../../core/security-events/index.ts';
import { CorruptArchiveError, type ArchiveBytes, type NewEntry } from '../../ports/archives.ts';
import { ROW_CHECKS } from '../../ports/integrity.ts';
import { bareDatabases, type Bare } from '../backends.ts';
import { aOneTimeSecret, aPasskey, aSignInSession, anOidcLink } from '../sign-in-samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const KEY = 'k'.repeat(40);
const OTHER = 'o'.repeat(40);
const LIMITS = { maxEntries: 10_000, maxBytes: 2 ** 30 };
const quiet = () => undefined;
const QUIETLY = { keepAccess: true, onProgress: quiet };
const into = (place: Pick<RestoreDeps, 'target' | 'blobs'>): RestoreDeps => ({
  ...place,
  random: cryptoRandom,
  digests: sha256Digest,
  clock: systemClock,
});

const bytesOf = (file: Uint8Array): ArchiveBytes => ({
  size: file.length,
  async *read({ first, last }) {
    yield file.subarray(first, last + 1);
  },
});

async function collected(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

// One database is sufficient here; the suite of BackupSource and RestoreTarget covers the differences.
for (const [name, openBare] of bareDatabases.slice(0, 1))
  describe(`${name}: backups`, function () {
    this.timeout(30_000);
    const opened: Bare[] = [];
    const bare = async (): Promise<Bare> => {
      const place = await openBare();
      opened.push(place);
      return place;
    };
    let place: Bare;
    let world: CoreFixture;
    before(async () => {
      place = await bare();
      await migrate(place.database);
      world = await openCoreFixture(place.backend);
      const names = ['a', 'b', 'c', 'd'];
      const files = names.map((name) => world.file(`${name}.txt`, `Lantern ${name}. `.repeat(50)));
      await world.core.objects.addFiles(world.caller, await Promise.all(files), {});
      await world.runPendingTasks();
    });
    after(async () => {
      for (const each of opened) await each.close();
    });

    const shapes = new Map<number, ReturnType<typeof tablesOf>>();
    /** Computed once, since it creates a schema each time. */
    const target = {
      tablesOf: (schema: number) => {
        const found = shapes.get(schema) ?? tablesOf(schema);
        shapes.set(schema, found);
        return found;
      },
    };

    const depsOf = (key = KEY) => ({
      rows: knexBackupSource(place.database),
      blobs: world.blobs,
      deletionHolds: place.backend.deletionHolds,
      clock: { now: () => world.now },
      random: cryptoRandom,
      key: hmacKeyFingerprint(key),
      sealer: aesSealer(key),
    });
    const options = {
      madeBy: 'a test',
      profile: 'standalone',
      keepDamaged: false,
      partLength: 200,
      onProgress: quiet,
    };
    const written = async (
      over: Partial<typeof options> = {},
      deps: BackupDeps = depsOf(),
      through = (entries: AsyncIterable<NewEntry>) => entries,
    ): Promise<Buffer> => {
      const backup = await beginBackup(deps, { ...options, ...over });
      try {
        return await collected(zipArchives().write(through(backup.entries)));
      } finally {
        await backup.hold.release();
      }
    };
    const verified = async (file: Uint8Array, key: string | null = KEY, withoutKey = false) => {
      const archive = await zipArchives().open(bytesOf(file), LIMITS);
      const mark = key === null ? null : hmacKeyFingerprint(key);
      const backup = await openBackup({ target, key: mark }, archive, withoutKey);
      await verifyBackup(backup, quiet);
      return backup;
    };
    const seal = (key = KEY) =>
      place.backend.uow.write(world.caller.scope, ({ integrations }) =>
        integrations.put({
          kind: 'llm',
          config: {},
          sealedSecret: aesSealer(key).seal('secret'),
          secretHint: '',
          enabled: true,
          health: 'ok',
          checkedAt: 0,
          lastError: '',
          habits: [],
          updatedAt: 0,
        }),
      );
    const unseal = () =>
      place.backend.uow.write(world.caller.scope, ({ integrations }) => integrations.remove('llm'));

    it('restore every row and every byte, with any number of parts', async () => {
      const backup = await verified(await written());
      const tables = new Map(backup.manifest.tables.map((table) => [table.name, table]));
      expect(tables.get('objects')).to.include({ rows: 4 });
      expect(tables.has('agent_confirmations')).to.equal(false);
      expect(tables.get('search_passages')!.parts.length).to.be.greaterThan(0);
      expect(backup.manifest.files).to.include({ count: 4, damaged: 0 });
      const empty = await bare();
      const blobs = new MemoryBlobStore();
      const target = knexRestoreTarget(empty.database);
      await restoreBackup(into({ target, blobs }), backup, QUIETLY);
      for (const check of ROW_CHECKS)
        expect((await empty.backend.integrity.examine(check)).count, check).to.equal(0);
      const holdings = await empty.backend.integrity.blobReferences(null, 10);
      expect(holdings).to.have.length(4);
      for (const { blobId } of holdings)
        expect(await collected(blobs.read(blobId))).to.deep.equal(
          await collected(world.blobs.read(blobId)),
        );
      const error = await caught(restoreBackup(into({ target, blobs }), backup, QUIETLY));
      expect(String(error)).to.match(/^BackupError: .*into an empty database/);
    });

    it('revoke the access in the backup unless --keep-access is given, and issue new tokens', async () => {
      const { caller, core } = world;
      const folder = await core.library.createCollection(caller, { name: 'Shared' });
      const requested = {
        kind: 'folder',
        resourceId: folder.collection.id,
        role: 'viewer',
      } as const;
      const share = await core.shares.createShare(caller, { ...requested, name: '' });
      await core.calendar.openFeed(caller);
      const pin = await core.hiddenZone.setPin(caller, { pin: '1234' });
      const { bearer } = await core.identity.issueTokenFor(caller.scope.ownerId, { name: 'old' });
      await core.idempotency.openKey(caller.scope, 'k', 'print');
      const backup = await verified(await written());
      const names = backup.manifest.tables.map(({ name }) => name);
      expect(names).to.include('tokens');
      for (const each of ['idempotency_records', 'unlock_tokens', 'share_accesses'])
        expect(names).to.not.include(each);
      for (const keepAccess of [false, true]) {
        const empty = await bare();
        const restored = await restoreBackup(
          into({ target: knexRestoreTarget(empty.database), blobs: new MemoryBlobStore() }),
          backup,
          { keepAccess, onProgress: quiet },
        );
        const { directory, uow } = empty.backend;
        const digest = (secret: string) => sha256Digest.digest(secret);
        const found = {
          token: (await directory.identify(bearer.slice(4, 12))) !== undefined,
          share: (await directory.ownerOfShare(digest(share.token ?? ''))) !== undefined,
          unlocked: await uow.read(caller.scope, ({ pinLock }) =>
            pinLock.findToken(digest(pin.token)),
          ),
          receipt: await uow.read(caller.scope, ({ idempotency }) => idempotency.find('k')),
          feed: await uow.read(caller.scope, ({ calendar }) => calendar.feed()),
        };
        expect(found).to.deep.equal({
          token: keepAccess,
          share: keepAccess,
          unlocked: undefined,
          receipt: undefined,
          feed: keepAccess ? found.feed : undefined,
        });
        expect(found.feed === undefined).to.equal(!keepAccess);
        // The owner still sees the share, and that it has ended.
        const { items } = await uow.read(caller.scope, ({ shares }) =>
          shares.page({ sight: 'any' }, { limit: 9, offset: 0 }),
        );
        expect(items).to.have.length(1);
        expect(items[0]?.expiresAt === null).to.equal(keepAccess);
        if (keepAccess) {
          expect(restored).to.equal(undefined);
          continue;
        }
        expect(restored).to.include({ shares: 1, feeds: 1, owners: 1 });
        const [issued] = restored?.bearers ?? [];
        expect(issued?.ownerId).to.equal(caller.scope.ownerId);
        const known = await directory.identify(issued?.bearer.slice(4, 12) ?? '');
        expect(known?.token).to.deep.include({
          digest: digest(issued?.bearer ?? ''),
          access: 'full',
        });
        const listed = await uow.read(caller.scope, ({ tokens }) => tokens.page(9, 0));
        expect(listed.total).to.equal(1);
        for (const check of ROW_CHECKS)
          expect((await empty.backend.integrity.examine(check)).count, check).to.equal(0);
      }
    });

    it('contain the ways to sign in and the security events, but no session, no one-time secret and no failed sign-in', async () => {
      const { scope, owner } = world.caller;
      const { uow, oneTimeSecrets, signInAttempts } = place.backend;
      const session = aSignInSession({ digest: 'digest of a session' });
      const password = { sealedHash: aesSealer(KEY).seal('a hash'), setAt: 7 };
      const [passkey, link] = [aPasskey(), anOidcLink()];
      const secret = aOneTimeSecret({ ownerId: owner.id, payload: 'a state', expiresAt: 9e12 });
      const record = { attemptTimes: [1], reservedAt: null, expiresAt: 9e12 };
      const before = await uow.write(scope, async ({ sessions, signInMethods, securityEvents }) => {
        await sessions.save(session);
        await signInMethods.setPassword(password);
        await signInMethods.addPasskey(passkey);
        await signInMethods.linkOidc(link);
        const clock = { now: () => world.now };
        await recordSecurityEvent(
          { clock, random: cryptoRandom, digests: sha256Digest },
          { securityEvents },
          OPERATOR,
          { kind: 'password_set', detail: 'A password was set.' },
        );
        return securityEvents.chain(0, 99);
      });
      await oneTimeSecrets.add(secret);
      await signInAttempts.update('account', 'network', () => ({
        next: { own: record, all: record },
        result: undefined,
      }));
      const backup = await verified(await written());
      const names = backup.manifest.tables.map(({ name }) => name);
      expect(names).to.include.members(['passwords', 'passkeys', 'oidc_links', 'security_events']);
      for (const name of ['sessions', 'one_time_secrets', 'sign_in_attempts'])
        expect(names).not.to.include(name);
      for (const keepAccess of [false, true]) {
        const empty = await bare();
        const target = knexRestoreTarget(empty.database);
        await restoreBackup(into({ target, blobs: new MemoryBlobStore() }), backup, {
          keepAccess,
          onProgress: quiet,
        });
        const there = empty.backend;
        expect(await there.directory.identifySession(session.digest)).to.equal(undefined);
        expect(await there.oneTimeSecrets.consume(secret.digest, 'link', 0)).to.equal(undefined);
        expect(await there.signInAttempts.read('account', 'network')).to.deep.equal({
          own: undefined,
          all: undefined,
        });
        const [account] = await there.directory.accountsWithPassword(owner.name);
        expect(account).to.deep.include({ owner, sealedHash: password.sealedHash });
        const found = await there.directory.passkeyOwner(passkey.credentialId);
        expect(found).to.deep.include({ owner, passkey });
        const linked = await there.directory.accountOfSubject(link.issuer, link.subject);
        expect(linked?.owner).to.deep.equal(owner);
        const chain = await there.uow.read(scope, (s) => s.securityEvents.chain(0, 99));
        expect(chain.slice(0, before.length)).to.deep.equal(before);
        const [restored, issued, ...more] = chain.slice(before.length);
        expect(more).to.deep.equal([]);
        // The new token is in the log as well.
        const page = await there.uow.read(scope, ({ tokens }) => tokens.page(9, 0));
        const unrecorded = page.items.filter(({ id }) => id !== issued?.subject);
        expect([issued?.kind, unrecorded.length]).to.deep.equal(
          keepAccess ? [undefined, page.total] : ['token_created', 0],
        );
        expect(restored).to.deep.include({ kind: 'restored', actor: OPERATOR.actor });
        expect(restored?.detail).to.match(keepAccess ? /are valid as in/ : /were revoked/);
        const verify = createChainVerifier(sha256Digest);
        expect(chain.map(verify).filter((fault) => fault !== undefined)).to.deep.equal([]);
      }
      await uow.write(scope, async ({ signInMethods }) => {
        await signInMethods.setPassword(null);
      });
    });

    it('of an older program are restored without the sessions in them', async () => {
      const { scope } = world.caller;
      const row = [scope.ownerId, 'd'.repeat(64), 9e12];
      const older: BackupDeps = {
        ...depsOf(),
        rows: {
          open: async () => {
            const snapshot = await knexBackupSource(place.database).open();
            const columns = ['owner_id', 'digest', 'expires_at'];
            return {
              ...snapshot,
              tables: [...snapshot.tables, { name: 'unlock_tokens', columns }],
              rows: (name) =>
                name === 'unlock_tokens'
                  ? (async function* () {
                      yield [row];
                    })()
                  : snapshot.rows(name),
            };
          },
        },
      };
      const backup = await verified(await written({}, older));
      expect(backup.manifest.tables.at(-1)).to.include({ name: 'unlock_tokens', rows: 1 });
      const empty = await bare();
      const target = knexRestoreTarget(empty.database);
      await restoreBackup(into({ target, blobs: new MemoryBlobStore() }), backup, QUIETLY);
      const found = await empty.backend.uow.read(scope, ({ pinLock }) =>
        pinLock.findToken('d'.repeat(64)),
      );
      expect(found).to.equal(undefined);
    });

    it('restore moved blobs, whose copy id differs from their blob id', async () => {
      const holdings = await place.backend.integrity.blobReferences(null, 10);
      const ids = holdings.map(({ blobId }) => blobId);
      const moved = new Map<string, string>();
      const { scope } = world.caller;
      // The first one is moved to the end.
      const [blobId, copyId] = [ids[0]!, 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
      const copy = {
        copyId,
        blobId,
        location: 'service',
        state: 'current',
        createdAt: 0,
      } as const;
      moved.set(copyId, blobId);
      const blobs = { read: (id: string) => world.blobs.read(moved.get(id) ?? id) };
      await place.backend.uow.write(scope, ({ blobLocations }) => blobLocations.save(copy));
      try {
        const backup = await verified(await written({}, { ...depsOf(), blobs }));
        const store = new MemoryBlobStore();
        const target = knexRestoreTarget((await bare()).database);
        await restoreBackup(into({ target, blobs: store }), backup, QUIETLY);
        for (const id of [copyId, ...ids.slice(1)])
          expect(await collected(store.read(id))).to.deep.equal(await collected(blobs.read(id)));
      } finally {
        await place.backend.uow.write(scope, ({ blobLocations }) => blobLocations.forget(copyId));
      }
    });

    it('are rejected wherever a byte was changed or the end is missing', async () => {
      const file = await written();
      const kinds = async (changed: Uint8Array) => {
        const error = await caught(verified(changed));
        return error instanceof BackupError || error instanceof CorruptArchiveError;
      };
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.nat(file.length - 1),
          fc.integer({ min: 1, max: 255 }),
          async (at, by) => {
            const changed = Uint8Array.from(file);
            changed[at] = changed[at]! ^ by;
            const error = await caught(verified(changed));
            if (error !== undefined) refused++;
            // Differences in the date of an entry and the like are ignored: they change no content.
            if (error !== undefined)
              expect(error, `${at}`).to.satisfy(
                (it: unknown) => it instanceof BackupError || it instanceof CorruptArchiveError,
              );
          },
        ),
        { numRuns: 150 },
      );
      expect(refused).to.be.greaterThan(75);
      for (const part of [0, 0.3, 0.9, 0.999])
        expect(await kinds(file.subarray(0, Math.floor(file.length * part))), `${part}`).to.equal(
          true,
        );
    });

    it('are rejected if they were written again without the key', async () => {
      const replaced = (path: string, change: (text: string) => string) =>
        written({}, depsOf(), async function* (entries) {
          for await (const entry of entries)
            if (entry.path !== path) yield entry;
            else {
              const parts: string[] = [];
              const content = entry.content as string | AsyncIterable<string>;
              for await (const chunk of typeof content === 'string' ? [content] : content)
                parts.push(chunk);
              const text = parts.join('');
              const sha256 = createHash('sha256').update(text).digest('hex');
              const digest = { size: Buffer.byteLength(text), sha256 };
              yield { ...entry, content: change(text), written: () => entry.written?.(digest) };
            }
        });
      for (const [path, change, words] of [
        ['manifest.json', (it: string) => it.replace('a test', 'b test'), /was changed/],
        ['manifest.json', (it: string) => it.replace(/"version": 2/, '"version": 3'), /version 3/],
        [
          'manifest.json',
          (it: string) => it.replace(/"version": 2/, '"version": 1'),
          /before the first release .*Restore it with that build.*import/,
        ],
        [
          'manifest.json',
          (it: string) => it.replace(/"schema": \d+/, '"schema": 999'),
          /schema 999/,
        ],
        ['manifest.json', (it: string) => it.replace('"tenants"', '"tenantz"'), /tables/],
        ['manifest.json', (it: string) => it.replace('-backup"', '-export"'), /can import it/],
        ['manifest.json', () => '{}', /not a manifest of a backup/],
        ['manifest.json', () => 'lantern', /not a manifest of a backup/],
        ['blobs.ndjson', (it: string) => `${it}${it}`, /changed after the backup/],
        ['rows/objects-0001.ndjson', (it: string) => it.toUpperCase(), /changed after the backup/],
      ] as const) {
        const error = await caught(replaced(path, change).then((file) => verified(file)));
        expect(error, path).to.be.instanceOf(BackupError);
        expect((error as Error).message).to.match(words);
      }
      const foreign = await collected(
        zipArchives().write(
          (async function* () {
            yield { path: 'a.txt', modifiedAt: 0, compress: true, content: 'A lantern.' };
          })(),
        ),
      );
      expect(String(await caught(verified(foreign)))).to.match(/BackupError: .*is not a backup/);
    });

    it('require the key with which secrets were sealed, or an option to leave them sealed', async () => {
      const without = await written();
      expect((await verified(without, null)).withKey).to.equal(false);
      expect(String(await caught(verified(without, OTHER)))).to.match(/another key than the one/);
      await seal();
      try {
        const file = await written();
        expect((await verified(file)).manifest.sealed).to.equal(1);
        expect(String(await caught(verified(file, null)))).to.match(/no key is set here/);
        expect(String(await caught(verified(file, OTHER)))).to.match(
          /--without-key.*except the sealed secrets \(1\)/,
        );
        expect((await verified(file, OTHER, true)).withKey).to.equal(false);
        expect(file.includes(KEY), 'the key in clear').to.equal(false);
        expect(String(await caught(written({}, depsOf(OTHER))))).to.match(
          /is not the key with which/,
        );
      } finally {
        await unseal();
      }
    });

    it('fail if bytes are missing or corrupt, unless damaged files are accepted', async () => {
      const [lost, changed] = await place.backend.integrity.blobReferences(null, 2);
      const blobs = {
        read: (id: string) =>
          id === lost!.blobId
            ? world.blobs.read(crypto.randomUUID())
            : id === changed!.blobId
              ? (async function* () {
                  yield Buffer.from('glass');
                })()
              : world.blobs.read(id),
      };
      const deps = { ...depsOf(), blobs };
      expect(String(await caught(written({}, deps)))).to.match(/BackupError: .*missing.*doctor/);
      const stored = await verified(await written({ keepDamaged: true }, deps));
      expect(stored.manifest.files).to.include({ count: 3, damaged: 2 });
      const store = new MemoryBlobStore();
      const target = knexRestoreTarget((await bare()).database);
      await restoreBackup(into({ target, blobs: store }), stored, QUIETLY);
      expect((await collected(store.read(changed!.blobId))).toString()).to.equal('glass');
    });

    it('fail if the deletion hold expired, and release the hold at their end', async () => {
      const late = written({}, depsOf(), async function* (entries) {
        for await (const entry of entries) {
          if (entry.path.startsWith('blobs/')) world.now += 3_600_000;
          yield entry;
        }
      });
      expect(String(await caught(late))).to.match(/BackupError: .*hold expired/);
      expect(await place.backend.deletionHolds.anyActive(world.now)).to.equal(false);
      const backup = await beginBackup(depsOf(), options);
      world.now += 200_000;
      await backup.hold.keep();
      world.now += 200_000;
      expect(await place.backend.deletionHolds.anyActive(world.now)).to.equal(true);
      await backup.hold.release();
      expect(await place.backend.deletionHolds.anyActive(world.now)).to.equal(false);
    });
  });
