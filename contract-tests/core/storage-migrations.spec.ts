import { expect } from 'chai';
import fc from 'fast-check';
import type { BlobStore } from '../../ports/blobs.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { MigrationDirection } from '../../ports/storage-migrations.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { emptyBackends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const CONFIG = { endpoint: 'http://s3.test', region: 'r', bucket: 'papers', access_key_id: 'key' };
const MOVE = 'storage.migrate';
const LEASE_MS = 25_000;

/** An event at a step of the mover: any call of the database, the storage or the bucket. */
const HAPPENINGS = ['dies', 'dies after', 'upload', 'erase', 'edit', 'rival', 'cancel'] as const;
interface Happening {
  readonly at: number;
  readonly what: (typeof HAPPENINGS)[number];
}
const happenings = (): fc.Arbitrary<readonly Happening[]> =>
  fc.array(fc.record({ at: fc.nat({ max: 60 }), what: fc.constantFrom(...HAPPENINGS) }), {
    maxLength: 6,
  });

class Killed extends Error {}

/** A fixture whose mover can be interrupted at every step. */
interface Stage {
  readonly world: CoreFixture;
  /** The contents of every acknowledged object, by its id. */
  readonly files: Map<string, string>;
  add(text: string): Promise<string>;
  /** Called at each step of the mover; it may throw. */
  step: (when: 'before' | 'after') => Promise<void>;
  /** Runs all tasks; only the mover is interrupted. */
  drive(rounds?: number): Promise<void>;
  /** Runs the mover's task, as another worker. */
  rival(): Promise<void>;
}

let stages = 0;

async function openStage(backend: Backend): Promise<Stage> {
  let moving = false;
  const at = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!moving) return work();
    await stage.step('before');
    const result = await work();
    if (moving) await stage.step('after');
    return result;
  };
  const uow: UnitOfWork = {
    read: (scope, work) => at(() => backend.uow.read(scope, work)),
    write: (scope, work) => at(() => backend.uow.write(scope, work)),
  };
  const world = await openCoreFixture(
    { ...backend, uow },
    `moves-${process.pid}-${stages++}-${Math.random()}`,
  );
  const watched = (store: BlobStore): BlobStore => {
    const write = store.write.bind(store);
    const remove = store.remove.bind(store);
    const read = store.read.bind(store);
    return Object.assign(store, {
      write: (...args: Parameters<BlobStore['write']>) => at(() => write(...args)),
      remove: (...args: Parameters<BlobStore['remove']>) => at(() => remove(...args)),
      async *read(...args: Parameters<BlobStore['read']>) {
        if (moving) await stage.step('before');
        yield* read(...args);
      },
    });
  };
  watched(world.blobs);
  const open = world.buckets.open.bind(world.buckets);
  world.buckets.open = (address) => watched(open(address));
  const quietly = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = moving;
    moving = false;
    try {
      return await work();
    } finally {
      moving = before;
    }
  };
  const run = async (id: string): Promise<void> => {
    moving = true;
    try {
      await world.core.background.runTask(id);
    } catch (error) {
      if (!(error instanceof Killed) && !(error instanceof UnavailableError)) throw error;
    } finally {
      moving = false;
    }
  };
  const task = async () => {
    const found = await quietly(() => backend.directory.dueTasks(world.now, 10, { only: [MOVE] }));
    return found[0]?.id;
  };
  const stage: Stage = {
    world,
    files: new Map(),
    add: (text) =>
      quietly(async () => {
        const [view] = await world.core.objects.addFiles(
          world.caller,
          [await world.file('a.txt', text)],
          {},
        );
        const id = view?.object.id ?? '';
        stage.files.set(id, text);
        return id;
      }),
    step: () => Promise.resolve(),
    drive: async (rounds = 200) => {
      for (let round = 0; round < rounds; round++) {
        await world.core.background.offerDueTasks();
        for (const { kind, taskId } of world.takeQueuedNudges())
          if (kind === MOVE) await run(taskId);
          else await world.core.background.runTask(taskId);
        world.now += LEASE_MS;
        const due = await backend.directory.dueTasks(world.now + 3_600_000, 10);
        if (due.length === 0) return;
      }
    },
    rival: async () => {
      world.now += LEASE_MS;
      const id = await task();
      if (id !== undefined) await quietly(() => world.core.background.runTask(id));
    },
  };
  await world.core.integrations.connectBucket(world.caller, {
    config: CONFIG,
    secret: 's'.repeat(20),
  });
  return stage;
}

for (const [name, open] of emptyBackends)
  describe(`${name}: moving files`, function () {
    this.timeout(120_000);
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());

    const text = async ({ world }: Stage, id: string): Promise<string> => {
      const content = await world.core.objects.readContent(world.caller, id);
      let all = '';
      for await (const chunk of content.open()) all += Buffer.from(chunk).toString();
      return all;
    };
    const readAll = async (stage: Stage) => {
      for (const [id, expected] of stage.files) expect(await text(stage, id)).to.equal(expected);
    };
    const start = ({ world }: Stage, direction: MigrationDirection) =>
      world.core.storage.startMigration(world.caller, direction);
    const progress = ({ world }: Stage) => world.core.storage.migrationProgress(world.caller);
    const toggle = ({ world }: Stage, enabled: boolean) =>
      world.core.integrations.toggleIntegration(world.caller, 's3', enabled);
    const ids = async (store: Pick<BlobStore, 'list'>): Promise<readonly string[]> => {
      const all: string[] = [];
      for await (const { blobId } of store.list()) all.push(blobId);
      return all.sort();
    };
    const bucketOf = ({ world }: Stage) =>
      world.buckets.at({
        ...CONFIG,
        prefix: '',
        forcePathStyle: true,
        accessKeyId: '',
        secretAccessKey: '',
      });
    const refusal = async (work: Promise<unknown>): Promise<string> => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return error instanceof DomainError ? error.code : String(error);
    };
    const scope = ({ world }: Stage) => world.caller.scope;

    /** Every location contains exactly the bytes of its rows, and no row is in progress. */
    const isTidy = async (stage: Stage) => {
      const { unsettled, own, service } = await backend.uow.read(
        scope(stage),
        async ({ blobLocations }) => {
          const there: Record<'own' | 'service', string[]> = { own: [], service: [] };
          for (const [place, other] of [
            ['own', 'service'],
            ['service', 'own'],
          ] as const)
            for (const { blobId } of (await blobLocations.misplacedContents(other, null, 1_000))
              .contents) {
              const copies = await blobLocations.copiesOf(blobId);
              there[place].push(copies.find(({ state }) => state === 'current')?.copyId ?? blobId);
            }
          return { ...there, unsettled: await blobLocations.incompleteCopies(100) };
        },
      );
      expect(unsettled).to.deep.equal([]);
      expect(await ids(stage.world.blobs)).to.deep.equal(service.sort());
      expect(await ids(bucketOf(stage))).to.deep.equal(own.sort());
    };

    it('leaves every file readable at every step, under any failures, and leaves nothing behind', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('one', 'two', 'three', 'four', 'five'), {
            minLength: 1,
            maxLength: 6,
          }),
          fc.nat({ max: 5 }),
          fc.constantFrom<MigrationDirection>('out', 'back'),
          happenings(),
          async (texts, direct, direction, script) => {
            // Leftovers of a failed run do not affect the next one.
            if (name === 'memory') backend = await open();
            const stage = await openStage(backend);
            const { world, files } = stage;
            for (const [i, each] of texts.entries()) {
              await toggle(stage, i < direct);
              await stage.add(each);
            }
            await stage.drive();
            await toggle(stage, direction === 'out');
            let steps = 0;
            let dead = false;
            let busy = false;
            let cancelled = false;
            const happen = async (what: Happening['what'], when: 'before' | 'after') => {
              const [first] = files.keys();
              if (what === 'upload') await stage.add(`new ${steps}`);
              if (what === 'erase' && first !== undefined) {
                files.delete(first);
                await world.core.objects.deleteObject(world.caller, first, true);
              }
              if (what === 'edit' && first !== undefined) {
                const file = await world.file('a.txt', `other ${steps}`);
                const { object } = await world.core.objects.getObject(world.caller, first);
                const save = { file, baseVersion: object.version };
                await world.core.objects.saveFile(world.caller, first, save);
                files.set(first, `other ${steps}`);
              }
              if (what === 'rival') await stage.rival();
              if (what === 'cancel')
                cancelled ||=
                  (await refusal(world.core.storage.cancelMigration(world.caller))) === 'undefined';
              if (what === (when === 'before' ? 'dies' : 'dies after')) dead = true;
            };
            stage.step = async (when) => {
              if (busy) return;
              if (dead) throw new Killed();
              busy = true;
              try {
                await readAll(stage);
                const { total, moved, remaining, failed } = await progress(stage);
                expect([total, failed]).to.deep.equal([moved + remaining, 0]);
                expect(total).to.equal(files.size);
                if (when === 'before') steps++;
                for (const { at, what } of script) if (at === steps) await happen(what, when);
              } finally {
                busy = false;
              }
              if (dead) throw new Killed();
            };
            const driven = async () => {
              for (let lives = 0; lives < 300; lives++) {
                dead = false;
                await stage.drive(1);
                const due = await backend.directory.dueTasks(world.now + 3_600_000, 1);
                if (due.length === 0 && (await progress(stage)).status !== 'running') return;
              }
            };
            await start(stage, direction);
            await driven();
            await readAll(stage);
            const ended = await progress(stage);
            // Stopping a run without remaining work reports it as done.
            expect(cancelled ? ['cancelled', 'done'] : ['done']).to.include(ended.status);
            if (ended.status === 'done') expect(ended.remaining).to.equal(0);
            expect(ended.total).to.equal(files.size);
            await isTidy(stage);
            // And no caller is locked in.
            stage.step = () => Promise.resolve();
            await start(stage, 'back');
            await driven();
            await readAll(stage);
            await isTidy(stage);
            expect(await progress(stage)).to.deep.include({ status: 'done', remaining: 0 });
            expect(await ids(bucketOf(stage))).to.deep.equal([]);
            await world.core.integrations.disconnect(world.caller, 's3');
          },
        ),
        { numRuns: name === 'memory' ? 60 : name === 'sqlite' ? 4 : 2 },
      ));
  });
