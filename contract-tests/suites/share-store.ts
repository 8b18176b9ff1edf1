import { expect } from 'chai';
import fc from 'fast-check';
import {
  ALL_VISITORS,
  MAX_SHARE_ACCESSES,
  SHARE_KINDS,
  type Share,
  type ShareFilter,
} from '../../ports/shares.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anObject, aShare, newId, newScope, shares } from '../samples.ts';

const newestFirst = (a: Share, b: Share) =>
  b.createdAt - a.createdAt || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id));
const WHOLE = { limit: 99, offset: 0 };

/** The contract of every ShareStore. */
export function shareStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const write = <T>(scope: OwnerScope, work: (shares: Stores['shares']) => Promise<T>) =>
    backend.uow.write(scope, ({ shares: store }) => work(store));
  const read = <T>(scope: OwnerScope, work: (shares: Stores['shares']) => Promise<T>) =>
    backend.uow.read(scope, ({ shares: store }) => work(store));
  const save = (scope: OwnerScope, ...all: readonly Share[]) =>
    write(scope, async (store) => {
      for (const share of all) await store.save(share);
    });
  const find = (scope: OwnerScope, id: string) => read(scope, (store) => store.find(id));
  const page = (scope: OwnerScope, filter: ShareFilter) =>
    read(scope, (store) => store.page(filter, WHOLE));

  it('A saved share is found by its id, field for field, and replaced by a later save', () =>
    fc.assert(
      fc.asyncProperty(shares(), shares(), async (share, next) => {
        const scope = newScope();
        const other = aShare();
        await save(scope, share, other);
        expect(await find(scope, share.id)).to.deep.equal(share);
        const changed = { ...next, id: share.id };
        await save(scope, changed);
        expect(await find(scope, share.id)).to.deep.equal(changed);
        expect(await find(scope, other.id)).to.deep.equal(other);
        expect(await find(scope, newId())).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`page` lists newest first, then by id, descending, filtered by kind and resource, and returns the full total', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(shares(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (some, limit) => {
          const scope = newScope();
          const resources = [newId(), newId()];
          // Only two different times and two resources, so that there are ties.
          const all = some.map((share, i) => ({
            ...share,
            createdAt: i % 2,
            resourceId: resources[i % 3] ?? newId(),
          }));
          await save(scope, ...all);
          for (const kind of [undefined, ...SHARE_KINDS])
            for (const resourceId of [undefined, ...resources]) {
              const filter: ShareFilter = {
                sight: 'any',
                ...(kind && { kind }),
                ...(resourceId !== undefined && { resourceId }),
              };
              const requested = all
                .filter((share) => kind === undefined || share.kind === kind)
                .filter((share) => resourceId === undefined || share.resourceId === resourceId)
                .toSorted(newestFirst);
              const seen: Share[] = [];
              for (let offset = 0; offset <= requested.length; offset += limit) {
                const { items, total } = await read(scope, (store) =>
                  store.page(filter, { limit, offset }),
                );
                expect(total).to.equal(requested.length);
                seen.push(...items);
              }
              expect(seen).to.deep.equal(requested);
            }
        },
      ),
      { numRuns: 12 },
    ));

  it('With visibility `visible`, shares of hidden objects are excluded, from the total as well', async () => {
    const scope = newScope();
    const [shown, hidden] = [anObject(), anObject({ isHidden: true })];
    const all = [
      aShare({ kind: 'file', resourceId: shown.id }),
      aShare({ kind: 'file', resourceId: hidden.id }),
      // A folder with the id of a hidden object is not a hidden object.
      aShare({ kind: 'folder', resourceId: hidden.id }),
      aShare({ kind: 'file', resourceId: newId() }),
    ];
    await backend.uow.write(scope, async ({ objects }) => {
      await objects.save(shown);
      await objects.save(hidden);
    });
    await save(scope, ...all);
    const ids = async (sight: 'visible' | 'any') => {
      const { items, total } = await page(scope, { sight });
      expect(total).to.equal(items.length);
      return items.map(({ id }) => id);
    };
    expect(await ids('any')).to.have.members(all.map(({ id }) => id));
    const seen = all.filter((_, i) => i !== 1).map(({ id }) => id);
    expect(await ids('visible')).to.have.members(seen);
    await backend.uow.write(scope, ({ objects }) => objects.save({ ...hidden, isHidden: false }));
    expect(await ids('visible')).to.have.members(all.map(({ id }) => id));
  });

  it('With folders, only shares of these and of objects in them are listed and counted', async () => {
    const scope = newScope();
    const [one, two] = [newId(), newId()];
    const [inOne, inTwo, loose] = [one, two, null].map((collectionId) =>
      anObject({ collectionId }),
    );
    const all = [
      aShare({ kind: 'folder', resourceId: one }),
      aShare({ kind: 'folder', resourceId: two }),
      aShare({ kind: 'file', resourceId: inOne!.id }),
      aShare({ kind: 'file', resourceId: inTwo!.id }),
      aShare({ kind: 'file', resourceId: loose!.id }),
      // A file with the id of a folder is in no folder.
      aShare({ kind: 'file', resourceId: one }),
    ];
    await backend.uow.write(scope, async ({ objects }) => {
      for (const object of [inOne, inTwo, loose]) await objects.save(object!);
    });
    await save(scope, ...all);
    const listed = async (filter: Partial<ShareFilter>) => {
      const { items, total } = await page(scope, { sight: 'any', ...filter });
      expect(total).to.equal(items.length);
      return items.map(({ id }) => all.findIndex((share) => share.id === id)).toSorted();
    };
    expect(await listed({ collectionIds: [one] })).to.deep.equal([0, 2]);
    expect(await listed({ collectionIds: [two, one] })).to.deep.equal([0, 1, 2, 3]);
    expect(await listed({ collectionIds: [one, two], kind: 'file' })).to.deep.equal([2, 3]);
    expect(await listed({ collectionIds: [one], resourceId: two })).to.deep.equal([]);
    expect(await listed({ collectionIds: [] })).to.deep.equal([]);
    await backend.uow.write(scope, ({ objects }) => objects.save({ ...inTwo!, collectionId: one }));
    expect(await listed({ collectionIds: [one] })).to.deep.equal([0, 2, 3]);
  });

  it('`count` adds to one counter of a share and returns its new value, also under concurrency; nothing for a missing share', async () => {
    const scope = newScope();
    const share = aShare({ accessCount: 3, uploadCount: 7 });
    const other = aShare();
    await save(scope, share, other);
    const beside = await backend.another();
    try {
      const counts = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          (i % 2 ? backend : beside).uow.write(scope, ({ shares: store }) =>
            store.count(share.id, 'access', 1),
          ),
        ),
      );
      expect(counts.toSorted((a = 0, b = 0) => a - b)).to.deep.equal(
        Array.from({ length: 12 }, (_, i) => 4 + i),
      );
    } finally {
      await beside.close();
    }
    expect(await write(scope, (store) => store.count(share.id, 'upload', 5))).to.equal(12);
    const bytes = 2 ** 41;
    expect(await write(scope, (store) => store.count(share.id, 'bytes', bytes))).to.equal(bytes);
    expect(await find(scope, share.id)).to.deep.equal({
      ...share,
      accessCount: 15,
      uploadCount: 12,
      uploadedBytes: bytes,
    });
    expect(await find(scope, other.id)).to.deep.equal(other);
    expect(await write(scope, (store) => store.count(newId(), 'access', 1))).to.equal(undefined);
  });

  it('`remove` returns whether the share existed, `removeOf` removes all of a resource. Accesses and attempts are removed with them', async () => {
    const scope = newScope();
    const resourceId = newId();
    const gone = aShare();
    const [first, second] = [
      aShare({ kind: 'file', resourceId }),
      aShare({ kind: 'file', resourceId }),
    ];
    const stored = [aShare({ kind: 'folder', resourceId }), aShare({ kind: 'file' })];
    const all = [gone, first, second, ...stored];
    await save(scope, ...all);
    await write(scope, async (store) => {
      for (const { id } of all) {
        await store.addAccess({ shareId: id, digest: 'a', expiresAt: 9 });
        await store.saveAttempts({
          shareId: id,
          visitor: 'v',
          attemptTimes: [1],
          reservedAt: null,
          expiresAt: 9,
        });
      }
    });
    const answers = await write(scope, async (store) => [
      await store.remove(gone.id),
      await store.remove(gone.id),
    ]);
    expect(answers).to.deep.equal([true, false]);
    await write(scope, (store) => store.removeOf('file', resourceId));
    for (const share of all) {
      const stays = stored.includes(share);
      const { id } = share;
      const found = await read(scope, async (store) => [
        (await store.find(id)) !== undefined,
        (await store.findAccess(id, 'a')) !== undefined,
        (await store.attempts(id, 'v'))?.attemptTimes.length === 1,
      ]);
      expect(found).to.deep.equal([stays, stays, stays]);
    }
    expect((await page(scope, { sight: 'any' })).total).to.equal(2);
  });

  it('An access is found by its share and its digest until the accesses of the share are removed', async () => {
    const scope = newScope();
    const [share, other] = [aShare(), aShare()];
    const access = { shareId: share.id, digest: 'd', expiresAt: 5 };
    await write(scope, async (store) => {
      await store.addAccess(access);
      await store.addAccess({ ...access, digest: 'e' });
      await store.addAccess({ ...access, shareId: other.id });
    });
    const found = () =>
      read(scope, async (store) => [
        await store.findAccess(share.id, 'd'),
        (await store.findAccess(share.id, 'e'))?.digest,
        (await store.findAccess(other.id, 'd'))?.shareId,
        await store.findAccess(other.id, 'e'),
      ]);
    expect(await found()).to.deep.equal([access, 'e', other.id, undefined]);
    await write(scope, (store) => store.closeAccesses(share.id));
    expect(await found()).to.deep.equal([undefined, undefined, other.id, undefined]);
  });

  it('At most `MAX_SHARE_ACCESSES` of a share are stored: adding one more drops the one that expires first', async () => {
    const scope = newScope();
    const [share, other] = [aShare(), aShare()];
    const digest = (i: number) => `d${String(i).padStart(5, '0')}`;
    const there = (shareId: string, i: number) =>
      read(scope, async (store) => (await store.findAccess(shareId, digest(i))) !== undefined);
    await write(scope, async (store) => {
      await store.addAccess({ shareId: other.id, digest: digest(0), expiresAt: 0 });
      for (let i = 0; i < MAX_SHARE_ACCESSES; i++)
        await store.addAccess({ shareId: share.id, digest: digest(i), expiresAt: 1_000 + i });
    });
    expect(await there(share.id, 0)).to.equal(true);
    const one = { shareId: share.id, digest: digest(MAX_SHARE_ACCESSES), expiresAt: 9_999 };
    await write(scope, (store) => store.addAccess(one));
    expect(await there(share.id, 0)).to.equal(false);
    expect(await there(share.id, 1)).to.equal(true);
    expect(await there(share.id, MAX_SHARE_ACCESSES)).to.equal(true);
    expect(await there(other.id, 0)).to.equal(true);
  });

  it('`attempts` returns what was last stored for a visitor of a share. Without attempts and a reservation nothing is stored', async () => {
    const scope = newScope();
    const [share, other] = [newId(), newId()];
    const put = (
      shareId: string,
      visitor: string,
      moments: readonly number[],
      reservedAt: number | null = null,
    ) =>
      write(scope, (store) =>
        store.saveAttempts({ shareId, visitor, attemptTimes: moments, reservedAt, expiresAt: 99 }),
      );
    const all = () =>
      read(scope, async (store) => {
        const found = [];
        for (const [shareId, visitor] of [
          [share, 'v'],
          [share, ALL_VISITORS],
          [other, 'v'],
        ] as const) {
          const tries = await store.attempts(shareId, visitor);
          if (tries) expect([tries.shareId, tries.visitor]).to.deep.equal([shareId, visitor]);
          found.push(tries && [tries.attemptTimes, tries.reservedAt]);
        }
        return found;
      });
    expect(await all()).to.deep.equal([undefined, undefined, undefined]);
    await put(share, 'v', [1, 2, 2]);
    await put(share, ALL_VISITORS, [3], 7);
    expect(await all()).to.deep.equal([[[1, 2, 2], null], [[3], 7], undefined]);
    await put(other, 'v', [4]);
    await put(share, 'v', [2 ** 41], 2 ** 42);
    await put(share, ALL_VISITORS, [], 8);
    expect(await all()).to.deep.equal([
      [[2 ** 41], 2 ** 42],
      [[], 8],
      [[4], null],
    ]);
    await put(share, ALL_VISITORS, []);
    await put(share, ALL_VISITORS, []);
    expect(await all()).to.deep.equal([[[2 ** 41], 2 ** 42], undefined, [[4], null]]);
  });

  it("Attempts expire by time alone: those of one visitor are never evicted for another's", async () => {
    const scope = newScope();
    const share = newId();
    const visitors = 1_200;
    await write(scope, async (store) => {
      for (let i = 0; i < visitors; i++)
        await store.saveAttempts({
          shareId: share,
          visitor: `v${i}`,
          attemptTimes: [i],
          reservedAt: null,
          expiresAt: 1_000 + i,
        });
    });
    const left = await read(scope, async (store) => {
      const found = [];
      for (let i = 0; i < visitors; i++) found.push(await store.attempts(share, `v${i}`));
      return found;
    });
    expect(left.map((tries) => tries?.attemptTimes)).to.deep.equal(
      Array.from({ length: visitors }, (_, i) => [i]),
    );
  });

  it('`removeExpired` removes accesses and attempts that expired before a moment, at most `limit` of each', async () => {
    const scope = newScope();
    const [share, other] = [newId(), newId()];
    const left = () =>
      read(scope, async (store) => {
        let [accesses, tries] = [0, 0];
        for (const shareId of [share, other])
          for (let i = 0; i < 4; i++) {
            if (await store.findAccess(shareId, `${i}`)) accesses += 1;
            if (await store.attempts(shareId, `${i}`)) tries += 1;
          }
        return [accesses, tries];
      });
    await write(scope, async (store) => {
      for (const shareId of [share, other])
        for (let i = 0; i < 4; i++) {
          await store.addAccess({ shareId, digest: `${i}`, expiresAt: i });
          await store.saveAttempts({
            shareId,
            visitor: `${i}`,
            attemptTimes: [i],
            reservedAt: null,
            expiresAt: i,
          });
        }
    });
    expect(await left()).to.deep.equal([8, 8]);
    await write(scope, (store) => store.removeExpired(0, 99));
    expect(await left()).to.deep.equal([8, 8]);
    await write(scope, (store) => store.removeExpired(3, 4));
    expect(await left()).to.deep.equal([4, 4]);
    await write(scope, (store) => store.removeExpired(3, 4));
    expect(await left()).to.deep.equal([2, 2]);
    for (const shareId of [share, other])
      expect(
        (await read(scope, (store) => store.attempts(shareId, '3')))?.attemptTimes,
      ).to.deep.equal([3]);
  });

  it("Another owner's shares are out of reach", async () => {
    const [scope, elsewhere] = [newScope(), newScope()];
    const mine = aShare();
    const { id, resourceId } = mine;
    await save(scope, mine);
    await write(scope, async (store) => {
      await store.addAccess({ shareId: id, digest: 'd', expiresAt: 1 });
      await store.saveAttempts({
        shareId: id,
        visitor: 'v',
        attemptTimes: [1],
        reservedAt: null,
        expiresAt: 1,
      });
    });
    const theirs = aShare({ id, name: 'Theirs' });
    await write(elsewhere, async (store) => {
      expect(await store.find(id)).to.equal(undefined);
      expect(await store.page({ sight: 'any' }, WHOLE)).to.deep.equal({ items: [], total: 0 });
      expect(await store.count(id, 'access', 1)).to.equal(undefined);
      expect(await store.findAccess(id, 'd')).to.equal(undefined);
      expect(await store.attempts(id, 'v')).to.equal(undefined);
      await store.removeExpired(99, 99);
      await store.closeAccesses(id);
      await store.saveAttempts({
        shareId: id,
        visitor: 'v',
        attemptTimes: [],
        reservedAt: null,
        expiresAt: 0,
      });
      await store.removeOf(mine.kind, resourceId);
      expect(await store.remove(id)).to.equal(false);
      await store.save(theirs);
    });
    expect(await find(scope, id)).to.deep.equal(mine);
    expect(await find(elsewhere, id)).to.deep.equal(theirs);
    await read(scope, async (store) => {
      expect(await store.findAccess(id, 'd')).to.not.equal(undefined);
      expect((await store.attempts(id, 'v'))?.attemptTimes).to.deep.equal([1]);
    });
  });
}
