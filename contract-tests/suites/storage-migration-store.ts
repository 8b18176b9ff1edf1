import { expect } from 'chai';
import fc from 'fast-check';
import type { StorageLocation } from '../../ports/blob-locations.ts';
import {
  MIGRATION_DIRECTIONS,
  MIGRATION_STATUSES,
  type MigrationFailure,
  type StorageMigration,
} from '../../ports/storage-migrations.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { aVersion, anObject, newId, newScope, orNull, texts, wholes } from '../samples.ts';

const moves = (): fc.Arbitrary<StorageMigration> =>
  fc
    .record({
      direction: fc.constantFrom(...MIGRATION_DIRECTIONS),
      status: fc.constantFrom(...MIGRATION_STATUSES),
      cancelRequested: fc.boolean(),
      error: texts(),
      startedAt: wholes(),
      finishedAt: orNull(wholes()),
    })
    .map((move) => ({ ...move, id: newId() }));

const PREVIEW = { finalUrl: '', title: '', siteName: '', description: '', fetchedAt: 1 };

const aFailure = (over: Partial<MigrationFailure> = {}): MigrationFailure => ({
  blobId: newId(),
  attempts: 1,
  isFinal: false,
  reason: 'It was not to be.',
  ...over,
});

/** The contract of every StorageMigrationStore. */
export function storageMigrationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Store = Stores['storageMigrations'];
  const write = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.write(scope, (s) => work(s.storageMigrations));
  const read = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.storageMigrations));
  const note = (scope: OwnerScope, ...all: readonly MigrationFailure[]) =>
    write(scope, async (store) => {
      for (const each of all) await store.noteFailure(each);
    });

  /** An object with a version for each of these hashes; returns their blobs. */
  const keep = (
    scope: OwnerScope,
    hashes: readonly string[],
    over: { readonly id?: string; readonly isHidden?: boolean; readonly picture?: string } = {},
  ): Promise<readonly string[]> =>
    backend.uow.write(scope, async ({ objects, versions, contents, links }) => {
      const { picture, ...rest } = over;
      const object = anObject(rest);
      await objects.save(object);
      const blobs: string[] = [];
      for (const [i, sha256] of hashes.entries()) {
        const { blobId } = await contents.retain({ sha256, size: 1, blobId: newId() });
        await versions.add(aVersion({ objectId: object.id, version: i + 1, sha256, blobId }));
        blobs.push(blobId);
      }
      if (picture !== undefined) {
        const { blobId } = await contents.retain({ sha256: picture, size: 1, blobId: newId() });
        const image = { sha256: picture, blobId, size: 1, mime: 'image/png' };
        await links.put({ ...PREVIEW, objectId: object.id, image });
        blobs.push(blobId);
      }
      return blobs;
    });
  const placed = (scope: OwnerScope, blobId: string) =>
    backend.uow.write(scope, ({ blobLocations }) =>
      blobLocations.save({
        copyId: newId(),
        blobId,
        location: 'own',
        state: 'current',
        createdAt: 1,
      }),
    );

  it('`save` replaces the previous run, and `find` returns it, field for field', () =>
    fc.assert(
      fc.asyncProperty(moves(), moves(), async (one, other) => {
        const scope = newScope();
        expect(await read(scope, (s) => s.find())).to.equal(undefined);
        await write(scope, (s) => s.save(one));
        expect(await read(scope, (s) => s.find())).to.deep.equal(one);
        await write(scope, (s) => s.save(other));
        expect(await read(scope, (s) => s.find())).to.deep.equal(other);
      }),
      { numRuns: 15 },
    ));

  it('`noteFailure` inserts or replaces the failure of a blob. `failures` returns those of the given blobs, field for field', async () => {
    const scope = newScope();
    const [one, other, third] = [aFailure(), aFailure(), aFailure()];
    await note(scope, one, other, third);
    const again = { ...one, attempts: 3, isFinal: true, reason: 'Nor now.' };
    await note(scope, again);
    const requested = [one.blobId, newId(), third.blobId, one.blobId];
    expect(await read(scope, (s) => s.failures(requested))).to.have.deep.members([again, third]);
    expect(await read(scope, (s) => s.failures([]))).to.deep.equal([]);
  });

  it('`forgetFailure` removes one failure, `clearFailures` all of them', async () => {
    const scope = newScope();
    const all = [aFailure(), aFailure(), aFailure()];
    await note(scope, ...all);
    const ids = all.map(({ blobId }) => blobId);
    await write(scope, (s) => s.forgetFailure(ids[1]!));
    const left = await read(scope, (s) => s.failures(ids));
    expect(left).to.have.deep.members([all[0], all[2]]);
    await write(scope, (s) => s.clearFailures());
    expect(await read(scope, (s) => s.failures(ids))).to.deep.equal([]);
  });

  it('`failureCounts` returns how many are final and how many are not', async () => {
    const scope = newScope();
    expect(await read(scope, (s) => s.failureCounts())).to.deep.equal({ open: 0, final: 0 });
    await note(scope, aFailure(), aFailure({ isFinal: true }), aFailure());
    expect(await read(scope, (s) => s.failureCounts())).to.deep.equal({ open: 2, final: 1 });
  });

  it('`lastFailure` returns a final failure with a reason, or nothing', async () => {
    const scope = newScope();
    await note(scope, aFailure());
    expect(await read(scope, (s) => s.lastFailure())).to.equal(undefined);
    await note(scope, aFailure({ isFinal: true, reason: '' }));
    expect(await read(scope, (s) => s.lastFailure())).to.equal(undefined);
    const final = aFailure({ isFinal: true });
    await note(scope, final, aFailure());
    expect(await read(scope, (s) => s.lastFailure())).to.deep.equal(final);
  });

  it('`count` counts objects that have bytes, each once; those of which any version or preview image is stored elsewhere; and of these, those that failed for good. Hidden objects are included on request', async () => {
    const scope = newScope();
    const [a, b] = await keep(scope, ['a1', 'b2']);
    await keep(scope, ['b2', 'b2']);
    await keep(scope, ['a1']);
    await keep(scope, ['b2'], { isHidden: true });
    await keep(scope, []);
    const [picture] = await keep(scope, [], { picture: 'c3' });
    await placed(scope, b!);
    const counts = async (place: StorageLocation, hidden: boolean) => {
      const { total, elsewhere, failed } = await read(scope, (s) =>
        s.count(place, { hidden }, null, 100),
      );
      return [total, elsewhere, failed];
    };
    expect(await counts('own', false)).to.deep.equal([4, 3, 0]);
    expect(await counts('own', true)).to.deep.equal([5, 3, 0]);
    expect(await counts('service', false)).to.deep.equal([4, 2, 0]);
    expect(await counts('service', true)).to.deep.equal([5, 3, 0]);
    await note(
      scope,
      aFailure({ blobId: a!, isFinal: true }),
      aFailure({ blobId: b!, isFinal: true }),
      aFailure({ blobId: picture! }),
    );
    expect(await counts('own', false)).to.deep.equal([4, 3, 2]);
    expect(await counts('service', true)).to.deep.equal([5, 3, 3]);
    await note(scope, aFailure({ blobId: picture!, isFinal: true }));
    expect(await counts('own', false)).to.deep.equal([4, 3, 3]);
  });

  it('`count` visits a limited number of objects, in id order, and returns where to continue', async () => {
    const scope = newScope();
    const ids = [newId(), newId(), newId()];
    for (const [i, id] of ids.entries()) await keep(scope, ['a1'], { id, isHidden: i === 1 });
    const look = (after: string | null, limit: number) =>
      read(scope, (s) => s.count('own', { hidden: false }, after, limit));
    const [first, second, third] = ids;
    const one = { total: 1, elsewhere: 1, failed: 0 };
    const none = { total: 0, elsewhere: 0, failed: 0 };
    expect(await look(null, 2)).to.deep.equal({ ...one, next: second });
    expect(await look(first!, 1)).to.deep.equal({ ...none, next: second });
    expect(await look(second!, 2)).to.deep.equal({ ...one, next: null });
    expect(await look(third!, 2)).to.deep.equal({ ...none, next: null });
  });

  it("Another owner's run is out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const move: StorageMigration = {
      id: newId(),
      direction: 'out',
      status: 'running',
      cancelRequested: false,
      error: '',
      startedAt: 1,
      finishedAt: null,
    };
    const failure = aFailure({ isFinal: true });
    await write(mine, (s) => s.save(move));
    await note(mine, failure);
    await keep(mine, ['a1']);
    await write(theirs, async (s) => {
      await s.forgetFailure(failure.blobId);
      await s.clearFailures();
    });
    const look = (scope: OwnerScope) =>
      read(scope, async (s) => [
        await s.find(),
        await s.failures([failure.blobId]),
        await s.failureCounts(),
        await s.lastFailure(),
        (await s.count('own', { hidden: true }, null, 9)).total,
      ]);
    const nothing = [undefined, [], { open: 0, final: 0 }, undefined, 0];
    expect(await look(theirs)).to.deep.equal(nothing);
    expect(await look(mine)).to.deep.equal([move, [failure], { open: 0, final: 1 }, failure, 1]);
  });
}
