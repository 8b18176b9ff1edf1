import { expect } from 'chai';
import fc from 'fast-check';
import {
  COPY_STATES,
  STORAGE_LOCATIONS,
  type BlobCopy,
  type CopyLocation,
  type StorageLocation,
} from '../../ports/blob-locations.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { aVersion, anObject, newId, newScope, wholes } from '../samples.ts';

const aCopy = (over: Partial<BlobCopy> = {}): BlobCopy => ({
  copyId: newId(),
  blobId: newId(),
  location: 'own',
  state: 'current',
  createdAt: 1_000,
  ...over,
});

const copies = (): fc.Arbitrary<BlobCopy> =>
  fc
    .record({
      location: fc.constantFrom(...STORAGE_LOCATIONS),
      state: fc.constantFrom(...COPY_STATES),
      createdAt: wholes(),
    })
    .map((over) => aCopy(over));

/** The contract of every BlobLocationStore. */
export function blobLocationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const write = <T>(scope: OwnerScope, work: (stores: Stores) => Promise<T>) =>
    backend.uow.write(scope, work);
  const read = <T>(scope: OwnerScope, work: (store: Stores['blobLocations']) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.blobLocations));
  const save = (scope: OwnerScope, ...all: readonly BlobCopy[]) =>
    write(scope, async ({ blobLocations }) => {
      for (const each of all) await blobLocations.save(each);
    });

  const blobOf = (scope: OwnerScope, sha256: string) =>
    write(scope, async ({ contents }) => {
      const { blobId } = await contents.retain({ sha256, size: 1, blobId: newId() });
      return blobId;
    });

  it('`save` inserts or replaces a copy by its copy id. `copiesOf` returns those of a blob, field for field, by that id', () =>
    fc.assert(
      fc.asyncProperty(copies(), copies(), async (one, other) => {
        const scope = newScope();
        const beside = { ...other, blobId: one.blobId, state: 'writing' as const };
        const all = [one, beside].sort((a, b) => (a.copyId < b.copyId ? -1 : 1));
        await save(scope, one, beside, aCopy());
        expect(await read(scope, (s) => s.copiesOf(one.blobId))).to.deep.equal(all);
        const leaving = { ...one, state: 'deleting' as const };
        await save(scope, leaving);
        expect(await read(scope, (s) => s.copiesOf(one.blobId))).to.deep.include(leaving);
        expect(await read(scope, (s) => s.copiesOf(newId()))).to.deep.equal([]);
      }),
      { numRuns: 20 },
    ));

  it('`forget` removes one copy only', async () => {
    const scope = newScope();
    const one = aCopy();
    const other = aCopy({ blobId: one.blobId, state: 'deleting' });
    await save(scope, one, other);
    await write(scope, (s) => s.blobLocations.forget(one.copyId));
    await write(scope, (s) => s.blobLocations.forget(newId()));
    expect(await read(scope, (s) => s.copiesOf(one.blobId))).to.deep.equal([other]);
  });

  it("`hasOwnerCopies` returns whether the owner's bucket contains any blob, or a copy is in progress to or from it", async () => {
    for (const state of COPY_STATES) {
      const scope = newScope();
      await save(scope, aCopy({ location: 'service' }));
      expect(await read(scope, (s) => s.hasOwnerCopies())).to.equal(false);
      const own = aCopy({ state });
      await save(scope, own);
      expect(await read(scope, (s) => s.hasOwnerCopies())).to.equal(true);
      await write(scope, (s) => s.blobLocations.forget(own.copyId));
      expect(await read(scope, (s) => s.hasOwnerCopies())).to.equal(false);
    }
  });

  it('`hasCopies` returns whether a location has any copy, in any state', async () => {
    for (const state of COPY_STATES) {
      const scope = newScope();
      await save(scope, aCopy({ location: 'retired:a', state }));
      const held = (place: CopyLocation) => read(scope, (s) => s.hasCopies(place));
      expect(await held('retired:a')).to.equal(true);
      for (const other of ['own', 'service', 'retired:b'] as const)
        expect(await held(other)).to.equal(false);
    }
  });

  it('`relocate` assigns another location to every copy in one location, and to no other copy', async () => {
    const scope = newScope();
    const all = COPY_STATES.map((state) => aCopy({ state }));
    const others = [aCopy({ location: 'service' }), aCopy({ location: 'retired:b' })];
    await save(scope, ...all, ...others);
    await write(scope, (s) => s.blobLocations.relocate('own', 'retired:a'));
    for (const copy of all)
      expect(await read(scope, (s) => s.copiesOf(copy.blobId))).to.deep.equal([
        { ...copy, location: 'retired:a' },
      ]);
    for (const copy of others)
      expect(await read(scope, (s) => s.copiesOf(copy.blobId))).to.deep.equal([copy]);
    expect(await read(scope, (s) => s.hasOwnerCopies())).to.equal(false);
  });

  it('`contentsIn` returns contents whose bytes are read from a location, at most `limit`', async () => {
    const scope = newScope();
    const [a, b, c, d] = ['a1', 'b2', 'c3', 'd4'] as const;
    const blobs: string[] = [];
    for (const sha256 of [a, b, c, d]) blobs.push(await blobOf(scope, sha256));
    const [one, two, three] = blobs as [string, string, string];
    await save(
      scope,
      aCopy({ blobId: one, location: 'retired:a' }),
      aCopy({ blobId: two, location: 'retired:a' }),
      aCopy({ blobId: three, location: 'retired:a', state: 'deleting' }),
      aCopy({ blobId: three }),
    );
    const inPlace = async (place: CopyLocation, limit: number) =>
      (await read(scope, (s) => s.contentsIn(place, limit))).map(({ sha256 }) => sha256);
    expect(await inPlace('retired:a', 9)).to.deep.equal([a, b]);
    expect(await inPlace('retired:a', 1)).to.deep.equal([a]);
    expect(await inPlace('own', 9)).to.deep.equal([c]);
    expect((await read(scope, (s) => s.contentsIn('own', 9)))[0]).to.deep.equal({
      sha256: c,
      size: 1,
      blobId: three,
    });
    const away = await read(scope, (s) => s.misplacedContents('service', null, 9));
    expect(away.contents.map(({ sha256 }) => sha256)).to.deep.equal([a, b, c]);
    const outside = await read(scope, (s) => s.misplacedContents('own', null, 9));
    expect(outside.contents.map(({ sha256 }) => sha256)).to.deep.equal([a, b, d]);
  });

  it('`misplacedContents` returns the contents outside the location, in hash order, within a limited range after one, and where to continue', async () => {
    const scope = newScope();
    const [a, b, c, d] = ['a1', 'b2', 'c3', 'd4'] as const;
    for (const sha256 of [d, b, c, a]) await blobOf(scope, sha256);
    const moved = await blobOf(scope, a);
    const back = await blobOf(scope, b);
    const coming = await blobOf(scope, c);
    await save(
      scope,
      aCopy({ blobId: moved }),
      aCopy({ blobId: moved, location: 'service', state: 'deleting' }),
      aCopy({ blobId: back, location: 'service' }),
      aCopy({ blobId: back, state: 'deleting' }),
      aCopy({ blobId: coming, state: 'writing' }),
    );
    const look = async (place: StorageLocation, after: string | null, limit: number) => {
      const { contents, next } = await read(scope, (s) => s.misplacedContents(place, after, limit));
      return [contents.map(({ sha256 }) => sha256), next];
    };
    expect(await look('own', null, 9)).to.deep.equal([[b, c, d], null]);
    expect(await look('own', null, 2)).to.deep.equal([[b], b]);
    expect(await look('own', b, 2)).to.deep.equal([[c, d], d]);
    expect(await look('own', d, 2)).to.deep.equal([[], null]);
    expect(await look('service', null, 9)).to.deep.equal([[a], null]);
    expect(
      (await read(scope, (s) => s.misplacedContents('service', null, 1))).contents,
    ).to.deep.equal([{ sha256: a, size: 1, blobId: moved }]);
  });

  it('`misplacedVisibleContents` returns those of them that visible objects use as a version or preview image, within a limited range of objects, and where to continue', async () => {
    const scope = newScope();
    const ids = [newId(), newId(), newId(), newId(), newId()].sort();
    const hold = (id: string, sha256: string, isHidden: boolean) =>
      write(scope, async (stores) => {
        const { blobId } = await stores.contents.retain({ sha256, size: 1, blobId: newId() });
        await stores.objects.save(anObject({ id, isHidden }));
        await stores.versions.add(aVersion({ objectId: id, version: 1, sha256, blobId }));
        return blobId;
      });
    await hold(ids[0]!, 'b2', false);
    await hold(ids[1]!, 'a1', true);
    await hold(ids[2]!, 'b2', true);
    const moved = await hold(ids[3]!, 'c3', false);
    await hold(ids[4]!, 'd4', false);
    await save(scope, aCopy({ blobId: moved }));
    const look = async (place: StorageLocation, after: string | null, limit: number) => {
      const { contents, next } = await read(scope, (s) =>
        s.misplacedVisibleContents(place, after, limit),
      );
      return [contents.map(({ sha256 }) => sha256), next];
    };
    expect(await look('own', null, 9)).to.deep.equal([['b2', 'd4'], null]);
    expect(await look('own', null, 2)).to.deep.equal([['b2'], ids[1]]);
    expect(await look('own', ids[1]!, 2)).to.deep.equal([[], ids[3]]);
    expect(await look('own', ids[3]!, 2)).to.deep.equal([['d4'], null]);
    expect(await look('service', null, 9)).to.deep.equal([['c3'], null]);
  });

  it('`incompleteCopies` returns copies in state `deleting`, and copies in state `writing` of a blob that is stored already, oldest first, limited in number', async () => {
    const scope = newScope();
    const leaving = aCopy({ state: 'deleting', location: 'service', createdAt: 3 });
    const coming = aCopy({ state: 'writing', createdAt: 2 });
    const id = newId();
    const first = aCopy({ state: 'writing', copyId: id, blobId: id, createdAt: 1 });
    await save(scope, leaving, coming, first, aCopy({ createdAt: 1 }));
    expect(await read(scope, (s) => s.incompleteCopies(9))).to.deep.equal([coming, leaving]);
    expect(await read(scope, (s) => s.incompleteCopies(1))).to.deep.equal([coming]);
  });

  it("Another owner's copies are out of reach", async () => {
    const [scope, elsewhere] = [newScope(), newScope()];
    const mine = aCopy();
    await save(scope, mine);
    expect(await read(elsewhere, (s) => s.copiesOf(mine.blobId))).to.deep.equal([]);
    expect(await read(elsewhere, (s) => s.hasOwnerCopies())).to.equal(false);
    expect(await read(elsewhere, (s) => s.incompleteCopies(9))).to.deep.equal([]);
    expect(await read(elsewhere, (s) => s.hasCopies('own'))).to.equal(false);
    await write(elsewhere, (s) => s.blobLocations.forget(mine.copyId));
    await write(elsewhere, (s) => s.blobLocations.relocate('own', 'service'));
    expect(await read(scope, (s) => s.copiesOf(mine.blobId))).to.deep.equal([mine]);
  });
}
