import { expect } from 'chai';
import fc from 'fast-check';
import { bucketFailure, type BucketAddress } from '../../ports/buckets.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { exported, imported } from './transfer-fixture.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const SECRET = 'wJalrXUtnFEMI-K7MDENG';
const config = {
  endpoint: 'http://buckets.test:9000',
  region: 'eu-west-9',
  bucket: 'papers',
  access_key_id: 'AKIDTEST',
};
const PLACE: BucketAddress = {
  endpoint: config.endpoint,
  region: config.region,
  bucket: config.bucket,
  prefix: '',
  forcePathStyle: true,
  accessKeyId: config.access_key_id,
  secretAccessKey: SECRET,
};
const HOUR_MS = 3_600_000;

/** A fixture with the operations of these specs. */
async function open(backend: Backend, name: string) {
  const world = await openCoreFixture(backend, name);
  const { core, caller } = world;
  const idsIn = async (blobs: CoreFixture['blobs']): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { blobId } of blobs.list()) ids.push(blobId);
    return ids.sort();
  };
  return {
    world,
    connect: (over: object = {}, secret: string | undefined = SECRET) =>
      core.integrations.connectBucket(caller, {
        config: { ...config, ...over },
        ...(secret !== undefined && { secret }),
      }),
    toggle: (enabled: boolean) => core.integrations.toggleIntegration(caller, 's3', enabled),
    card: () => core.integrations.getIntegration(caller, 's3'),
    add: async (text: string): Promise<string> => {
      const file = await world.file('a.txt', text);
      const [added] = await core.objects.addFiles(caller, [file], {});
      return added!.object.id;
    },
    read: async (id: string): Promise<string> => {
      let text = '';
      for await (const chunk of (await core.objects.readContent(caller, id)).open())
        text += Buffer.from(chunk).toString();
      return text;
    },
    readAs: async (by: CoreFixture['caller'], id: string): Promise<Buffer> => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of (await core.objects.readContent(by, id)).open()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    unlock: async (pin: string): Promise<string> =>
      (await core.hiddenZone.unlockZone(caller, pin)).token,
    retired: () => backend.uow.read(caller.scope, ({ integrations }) => integrations.retired()),
    erase: (id: string) => core.objects.deleteObject(caller, id, true),
    /** Runs all tasks, including retries. */
    work: async () => {
      for (let round = 0; round < 6; round++) {
        await core.background.offerDueTasks();
        await world.runPendingTasks();
        world.now += 60_000;
      }
    },
    sweep: () => core.background.sweepCopies(world.now + 1),
    inBucket: () => idsIn(world.buckets.at(PLACE)),
    withService: () => idsIn(world.blobs),
    copies: () =>
      backend.uow.read(caller.scope, ({ blobLocations }) => blobLocations.hasOwnerCopies()),
    told: async () => {
      const page = { unreadOnly: false, limit: 50, offset: 0 };
      const { items } = await core.notifications.listNotifications(caller, page);
      return items.flatMap(({ kind, title }) => (kind === 'integration.failed' ? [title] : []));
    },
  };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const codeOf = async (work: Promise<unknown>) =>
  ((await failureOf(work)) as { code?: string } | undefined)?.code;

for (const [name, openBackend] of backends)
  describe(`${name}: an owner's bucket`, () => {
    let backend: Backend;
    let own: Awaited<ReturnType<typeof open>>;
    before(async () => (backend = await openBackend()));
    after(() => backend.close());
    beforeEach(async () => {
      own = await open(backend, `own-${name}-${process.pid}-${Math.random()}`);
    });

    it('stores new files while it is enabled, and serves them afterwards as well', async () => {
      const before = await own.add('with the service');
      expect(await own.connect()).to.deep.include({ status: 'ok', secretHint: 'DENG' });
      const within = await own.add('in the bucket');
      await own.toggle(false);
      const after = await own.add('with the service again');
      expect(await own.inBucket()).to.have.length(1);
      expect(await own.withService()).to.have.length(2);
      expect(await own.read(within)).to.equal('in the bucket');
      for (const id of [before, within, after]) await own.erase(id);
      await own.work();
      expect([await own.inBucket(), await own.withService()]).to.deep.equal([[], []]);
      expect(await own.copies()).to.equal(false);
    });

    it('may return other bytes for a part, which is known of every file in it and of no other', async () => {
      const mayDiffer = async (id: string) => {
        const { world } = own;
        return (await world.core.objects.readContent(world.caller, id)).mayDifferInParts?.();
      };
      const before = await own.add('with the service');
      await own.connect();
      const within = await own.add('in the bucket');
      await own.toggle(false);
      const after = await own.add('with the service again');
      expect([
        await mayDiffer(before),
        await mayDiffer(within),
        await mayDiffer(after),
      ]).to.deep.equal([false, true, false]);
    });

    it('that fails stores nothing and counts nothing, and its owner is notified once', async () => {
      const { world } = own;
      await own.connect();
      const there = await own.add('before');
      world.buckets.setUnavailable();
      for (const text of ['one', 'two'])
        expect(await failureOf(own.add(text))).to.be.instanceOf(UnavailableError);
      expect(await failureOf(own.read(there))).to.be.instanceOf(UnavailableError);
      expect(await own.card()).to.deep.include({ status: 'error', enabled: true });
      expect(await own.told()).to.deep.equal(['Your bucket is not responding']);
      const page = { limit: 1, offset: 0 };
      expect((await world.core.objects.listObjects(world.caller, {}, page)).total).to.equal(1);
      expect(await own.withService()).to.deep.equal([]);
      world.buckets.setUnavailable(false);
      await own.work();
      expect(await own.inBucket()).to.have.length(1);
      await own.add('after');
      expect(await own.card()).to.deep.include({ status: 'ok', lastError: '' });
      expect(await own.told()).to.have.length(1);
    });

    it('cannot be disconnected or replaced while it contains files', async () => {
      await own.connect();
      const id = await own.add('kept');
      const { world } = own;
      const forget = () => world.core.integrations.disconnect(world.caller, 's3');
      expect(await codeOf(forget())).to.equal('in_use');
      for (const other of [
        { bucket: 'other' },
        { prefix: 'deep' },
        { region: 'us-east-1' },
        { endpoint: 'http://other.test' },
      ])
        expect(await codeOf(own.connect(other)), JSON.stringify(other)).to.equal('in_use');
      expect(await own.connect({ prefix: '', force_path_style: true })).to.include({
        status: 'ok',
      });
      await own.connect({ access_key_id: 'AKIDNEW' }, 'another secret');
      expect(await own.read(id)).to.equal('kept');
      await own.erase(id);
      await own.work();
      expect(await own.connect({ bucket: 'other' })).to.include({ status: 'ok' });
      await forget();
      expect(await own.card()).to.include({ configured: false });
    });

    it('may be disconnected during an upload, whose bytes are then moved back', async () => {
      const { world } = own;
      await own.connect();
      const codes: unknown[] = [];
      async function* slowly() {
        yield Buffer.from('half');
        codes.push(await codeOf(own.connect({ bucket: 'other' })));
        codes.push(await codeOf(world.core.integrations.disconnect(world.caller, 's3')));
        yield Buffer.from(' and half');
      }
      const sent = { filename: 'a.txt', bytes: slowly() };
      const file = await world.core.objects.receiveFile(world.caller, sent);
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      expect(codes).to.deep.equal([undefined, undefined]);
      expect(await own.inBucket()).to.have.length(1);
      expect(await own.read(added!.object.id)).to.equal('half and half');
      await own.work();
      expect([await own.inBucket(), (await own.withService()).length]).to.deep.equal([[], 1]);
      expect(await own.read(added!.object.id)).to.equal('half and half');
      expect(await own.retired()).to.deep.equal([]);
    });

    it('is disconnected while the zone is locked as if no hidden file were in it, and no file is lost', async () => {
      const { world } = own;
      const { core, caller } = world;
      const disconnect = (by = caller) => codeOf(core.integrations.disconnect(by, 's3'));
      await own.connect();
      const id = await own.add('a hidden file');
      await core.objects.editObject(caller, id, { isHidden: true });
      expect(await disconnect()).to.equal('in_use');
      await core.hiddenZone.setPin(caller, { pin: '1234' });
      const unlocked = async () => ({ ...caller, hiddenToken: await own.unlock('1234') });
      const read = async () => (await own.readAs(await unlocked(), id)).toString();
      expect(await disconnect(await unlocked())).to.equal('in_use');
      const seen = await own.add('a file in sight');
      expect(await disconnect()).to.equal('in_use');
      expect(await codeOf(own.connect({ bucket: 'other' }))).to.equal('in_use');
      await own.erase(seen);
      await own.work();
      // Replaced, deleted, and connected again.
      expect(await own.connect({ bucket: 'other' })).to.include({ status: 'ok' });
      expect(await read()).to.equal('a hidden file');
      expect(await disconnect()).to.equal(undefined);
      expect(await disconnect()).to.equal('not_found');
      expect(await own.card()).to.include({ configured: false, secretHint: '' });
      world.buckets.setUnavailable();
      await own.work();
      expect(await own.retired()).to.have.length(1);
      world.buckets.setUnavailable(false);
      await own.connect();
      expect(await own.retired()).to.deep.equal([]);
      expect(await read()).to.equal('a hidden file');
      expect(await disconnect(await unlocked())).to.equal('in_use');
      expect(await disconnect()).to.equal(undefined);
      expect(await read()).to.equal('a hidden file');
      await own.work();
      expect(await own.retired()).to.deep.equal([]);
      expect([await own.inBucket(), (await own.withService()).length]).to.deep.equal([[], 1]);
      expect(await read()).to.equal('a hidden file');
      expect(await own.told()).to.deep.equal([]);
    });

    it('ends a migration independently of hidden files, and moves these afterwards', async () => {
      const { world } = own;
      const { core, caller } = world;
      const hidden: string[] = [];
      for (let n = 0; n < 3; n++) {
        const id = await own.add(`hidden ${n}`);
        await core.objects.editObject(caller, id, { isHidden: true });
        hidden.push(id);
      }
      const seen = await own.add('in sight');
      await core.hiddenZone.setPin(caller, { pin: '1234' });
      await own.connect();
      const progress = async (by = caller) => {
        const { status, total, moved, failed, remaining, error } =
          await core.storage.migrationProgress(by);
        return [status, total, moved, failed, remaining, error];
      };
      const unlocked = async () => ({ ...caller, hiddenToken: await own.unlock('1234') });
      await core.storage.startMigration(caller, 'out');
      // The bucket fails with the second file, which is the first hidden one.
      const open = world.buckets.open.bind(world.buckets);
      let broken = true;
      let writes = 0;
      world.buckets.open = (address) => {
        const store = open(address);
        return {
          ...store,
          write: (...how: Parameters<typeof store.write>) =>
            broken && how[1].blobId !== undefined && ++writes > 1
              ? Promise.reject(bucketFailure('It does not take it.'))
              : store.write(...how),
        };
      };
      for (let round = 0; round < 4; round++) await own.work();
      expect(await progress()).to.deep.equal(['done', 1, 1, 0, 0, '']);
      expect(await own.inBucket()).to.have.length(1);
      expect(await own.card()).to.include({ status: 'ok', lastError: '' });
      expect(await progress(await unlocked())).to.deep.equal(['done', 4, 1, 3, 3, '']);
      broken = false;
      await core.storage.startMigration(caller, 'out');
      for (let round = 0; round < 2; round++) await own.work();
      expect(await progress()).to.deep.equal(['done', 1, 1, 0, 0, '']);
      expect(await progress(await unlocked())).to.deep.equal(['done', 4, 4, 0, 0, '']);
      const page = { unreadOnly: false, limit: 50, offset: 0 };
      const { items } = await core.notifications.listNotifications(caller, page);
      const ends = items.filter(({ kind }) => kind === 'migration.done');
      const counts = { moved: 1, failed: 0, total: 1, error_code: null, error_fact: '' };
      expect(ends.map(({ kind, payload }) => [kind, payload])).to.deep.equal([
        ['migration.done', { direction: 'out', ...counts }],
        ['migration.done', { direction: 'out', ...counts }],
      ]);
      await core.storage.startMigration(caller, 'back');
      for (let round = 0; round < 2; round++) await own.work();
      expect([await own.inBucket(), (await own.withService()).length]).to.deep.equal([[], 4]);
      expect(await own.read(seen)).to.equal('in sight');
      for (const [n, id] of hidden.entries())
        expect((await own.readAs(await unlocked(), id)).toString()).to.equal(`hidden ${n}`);
    });

    it('stores a new file also if equal bytes are elsewhere, which may be those of a hidden object', async () => {
      const { world, connect, toggle, add, read, erase, sweep, inBucket, withService, work } =
        await open(backend, name);
      const before = await withService();
      const first = await add('the same bytes');
      await connect();
      const second = await add('the same bytes');
      // Both use one copy, which is in the location for new files.
      expect(await world.core.storage.migrationProgress(world.caller)).to.include({
        total: 2,
        moved: 2,
        remaining: 0,
      });
      expect(await inBucket()).to.have.length(1);
      for (const id of [first, second]) expect(await read(id)).to.equal('the same bytes');
      world.now += HOUR_MS;
      await sweep();
      expect(await withService(), 'the earlier copy').to.deep.equal(before);
      for (const id of [first, second]) expect(await read(id)).to.equal('the same bytes');
      await toggle(false);
      const third = await add('the same bytes');
      expect(await world.core.storage.migrationProgress(world.caller)).to.include({
        total: 3,
        moved: 0,
        remaining: 3,
      });
      world.now += HOUR_MS;
      await sweep();
      expect(await inBucket()).to.deep.equal([]);
      for (const id of [first, second, third]) expect(await read(id)).to.equal('the same bytes');
      for (const id of [first, second, third]) await erase(id);
      await work();
      world.now += HOUR_MS;
      await sweep();
      expect(await withService()).to.deep.equal(before);
      expect(await inBucket()).to.deep.equal([]);
    });

    for (const brought of ['hidden files', 'hidden and visible files of the same bytes'])
      it(`locates visible files independently of hidden ones, after an import of ${brought}`, async () => {
        const located: unknown[] = [];
        for (const isErased of [false, true]) {
          const own = await open(backend, `${name} ${brought} ${isErased}`);
          const { core, caller } = own.world;
          const hidden = await own.add('the same bytes');
          await core.objects.editObject(caller, hidden, { isHidden: true });
          const also = brought.includes('visible') ? [await own.add('the same bytes')] : [];
          const archive = await exported(own.world, caller);
          for (const id of [...also, ...(isErased ? [hidden] : [])]) await own.erase(id);
          await core.hiddenZone.setPin(caller, { pin: '1234' });
          await own.add('the same bytes');
          await own.connect();
          await imported(own.world, caller, archive);
          await own.work();
          const { total, moved, remaining } = await core.storage.migrationProgress(caller);
          located.push({ total, moved, remaining });
        }
        expect(located[0]).to.deep.equal(located[1]);
      });

    it('is neither source nor target of a file whose copy differs from the original', async () => {
      const { world } = own;
      const { core, caller } = world;
      const id = await own.add('the original');
      await own.connect();
      const open = world.buckets.open.bind(world.buckets);
      let lies = true;
      world.buckets.open = (address) => {
        const store = open(address);
        return {
          ...store,
          async *read(...how: Parameters<typeof store.read>) {
            for await (const chunk of store.read(...how))
              yield lies ? chunk.map((byte) => byte ^ 1) : chunk;
          },
        };
      };
      const move = async (direction: 'out' | 'back') => {
        await core.storage.startMigration(caller, direction);
        for (let round = 0; round < 3; round++) await own.work();
        const { status, moved, failed, remaining } = await core.storage.migrationProgress(caller);
        return [status, moved, failed, remaining];
      };
      expect(await move('out')).to.deep.equal(['done', 0, 1, 1]);
      expect((await core.storage.migrationProgress(caller)).error).to.match(
        /differs from the original/,
      );
      expect(await own.card()).to.include({ status: 'error' });
      expect(await own.read(id)).to.equal('the original');
      lies = false;
      expect(await move('out')).to.deep.equal(['done', 1, 0, 0]);
      lies = true;
      expect(await move('back')).to.deep.equal(['done', 0, 1, 1]);
      expect(await own.inBucket()).to.have.length(1);
      lies = false;
      expect(await own.read(id)).to.equal('the original');
      expect(await move('back')).to.deep.equal(['done', 1, 0, 0]);
      expect(await own.read(id)).to.equal('the original');
    });

    it('uses a secret only for its server and access key', async () => {
      await own.connect();
      expect((await own.connect({ bucket: 'other' }, undefined)).secretHint).to.equal('DENG');
      for (const over of [{ endpoint: 'http://other.test' }, { access_key_id: 'AKIDOTHER' }]) {
        await own.connect();
        const { status, lastError, secretHint } = await own.world.core.integrations.connectBucket(
          own.world.caller,
          { config: { ...config, ...over } },
        );
        expect([status, secretHint]).to.deep.equal(['error', '']);
        expect(lastError).to.match(/no secret/);
      }
    });

    it('does not delay a rejection while unavailable, and the rejected bytes are swept later', async () => {
      const { world } = own;
      const { core, caller } = world;
      await own.connect();
      await own.add('there already');
      const file = await world.file('b.txt', 'there already');
      world.buckets.setUnavailable();
      const refused = core.objects.addFiles(caller, [file], { onDuplicate: 'reject' });
      expect(await codeOf(refused)).to.equal('already_exists');
      await own.work();
      world.buckets.setUnavailable(false);
      expect(await own.inBucket()).to.have.length(2);
      world.now += HOUR_MS;
      expect(await own.sweep()).to.equal(1);
      expect(await own.inBucket()).to.have.length(1);
      expect(await own.sweep()).to.equal(0);
    });

    it('does not delay the sweep of others, and is skipped while its copies are recent', async () => {
      const { world } = own;
      await own.connect();
      const save = (of: CoreFixture, state: 'writing' | 'deleting', stored: string) =>
        backend.uow.write(of.caller.scope, ({ blobLocations }) =>
          blobLocations.save({
            copyId: stored,
            blobId: stored,
            location: 'own',
            state,
            createdAt: world.now,
          }),
        );
      const other = await open(backend, `beside-${name}-${process.pid}-${Math.random()}`);
      await other.connect();
      const ids = [own, other].map((_, n) => `${n}0000000-${process.pid}-${Math.random()}`);
      await save(world, 'writing', ids[0]!);
      await save(other.world, 'deleting', ids[1]!);
      world.buckets.setUnavailable();
      const sweep = (before: number) => world.core.background.sweepCopies(before);
      await sweep(world.now);
      expect([await own.copies(), await other.copies()]).to.deep.equal([true, true]);
      // The fixtures of a backend have separate buckets: that of the other one is reachable, but not here.
      await other.world.core.background.sweepCopies(world.now + 1);
      expect(await other.copies()).to.equal(false);
      world.buckets.setUnavailable(false);
      await sweep(world.now + 1);
      expect(await own.copies()).to.equal(false);
    });
  });

describe("an owner's bucket under any sequence of events", () => {
  const action = fc.oneof(
    fc.record({ do: fc.constant('add' as const), n: fc.nat(5) }),
    fc.record({ do: fc.constant('erase' as const), n: fc.nat(9) }),
    fc.record({ do: fc.constant('toggle' as const), n: fc.nat(1) }),
    fc.record({ do: fc.constant('away' as const), n: fc.nat(1) }),
    fc.record({ do: fc.constant('breakOff' as const), n: fc.nat(5) }),
    fc.record({ do: fc.constant('work' as const), n: fc.nat(0) }),
  );

  it('every stored file is readable whenever its bucket is available, and nothing is left over', async () => {
    const [, openBackend] = backends.find(([name]) => name === 'memory') ?? [];
    if (!openBackend) throw new Error('It needs the memory backend.');
    const backend = await openBackend();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const own = await open(backend, `law-${process.pid}-${runs++}`);
        const { world } = own;
        await own.connect();
        const taken = new Map<string, string>();
        let [enabled, away] = [true, false];
        const readable = async () => {
          for (const [id, text] of taken) {
            const found = await own.read(id).catch((error: unknown) => error);
            if (away && found instanceof UnavailableError) continue;
            expect(found).to.equal(text);
          }
        };
        for (const [step, { do: what, n }] of actions.entries()) {
          world.step(step + 1);
          if (what === 'add') {
            const added = await own.add(`text ${n}`).catch((error: unknown) => error);
            if (typeof added === 'string') taken.set(added, `text ${n}`);
            else
              expect([added instanceof UnavailableError, enabled, away]).to.deep.equal([
                true,
                true,
                true,
              ]);
          } else if (what === 'erase') {
            const id = [...taken.keys()][n];
            if (id !== undefined) await own.erase(id);
            taken.delete(id ?? '');
          } else if (what === 'toggle') await own.toggle((enabled = n === 1));
          else if (what === 'away') world.buckets.setUnavailable((away = n === 1));
          else if (what === 'work') await own.work();
          else {
            async function* breaking() {
              yield Buffer.from(`text ${n}`);
              world.buckets.setUnavailable((away = !away));
              throw new RangeError('the client went away');
            }
            const sent = { filename: 'a.txt', bytes: breaking() };
            const broke = await failureOf(world.core.objects.receiveFile(world.caller, sent));
            expect(broke).to.satisfy(
              (error: unknown) => error instanceof RangeError || error instanceof UnavailableError,
            );
          }
          await readable();
        }
        world.step(actions.length + 1);
        world.buckets.setUnavailable((away = false));
        await own.work();
        await own.sweep();
        await readable();
        const distinct = new Set(taken.values()).size;
        expect((await own.inBucket()).length + (await own.withService()).length).to.equal(distinct);
        for (const id of taken.keys()) await own.erase(id);
        await own.work();
        expect([await own.inBucket(), await own.withService()]).to.deep.equal([[], []]);
        expect(await own.copies()).to.equal(false);
      }),
      { numRuns: 60 },
    );
    await backend.close();
  }).timeout(60_000);
});
