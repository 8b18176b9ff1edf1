import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_THUMBNAILS, type Thumbnail } from '../../ports/thumbnails.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { aThumbnail, names, newId, newScope, wholes } from '../samples.ts';

const thumbnails = (): fc.Arbitrary<Thumbnail> =>
  fc.record({
    objectId: fc.constant(newId()),
    contentHash: names(),
    maxSidePixels: wholes(),
    blobId: fc.noShrink(fc.constant(null).map(newId)),
    sha256: names(),
    size: wholes(),
    createdAt: wholes(),
  });

/** The contract of every ThumbnailStore. */
export function thumbnailStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const put = (scope: OwnerScope, thumbnail: Thumbnail) =>
    backend.uow.write(scope, (s) => s.thumbnails.put(thumbnail));
  const find = (scope: OwnerScope, { objectId, contentHash, maxSidePixels }: Thumbnail) =>
    backend.uow.read(scope, (s) => s.thumbnails.find(objectId, contentHash, maxSidePixels));

  it('A thumbnail is found only by its object, content and side, field for field', () =>
    fc.assert(
      fc.asyncProperty(thumbnails(), async (thumbnail) => {
        const scope = newScope();
        expect(await find(scope, thumbnail)).to.equal(undefined);
        expect(await put(scope, thumbnail)).to.deep.equal([]);
        expect(await find(scope, thumbnail)).to.deep.equal(thumbnail);
        for (const other of [
          { ...thumbnail, objectId: newId() },
          { ...thumbnail, contentHash: `${thumbnail.contentHash}x` },
          { ...thumbnail, maxSidePixels: thumbnail.maxSidePixels === 64 ? 65 : 64 },
        ])
          expect(await find(scope, other)).to.equal(undefined);
      }),
      { numRuns: 15 },
    ));

  it('`put` returns the blobs that are no longer needed: of a thumbnail of the same side, and of the oldest past `MAX_THUMBNAILS`', async () => {
    const scope = newScope();
    const objectId = newId();
    const bystander = aThumbnail();
    await put(scope, bystander);
    const old = aThumbnail({ objectId, createdAt: 9 });
    const anew = aThumbnail({ objectId, contentHash: 'b'.repeat(64), createdAt: 10 });
    expect(await put(scope, old)).to.deep.equal([]);
    expect(await put(scope, anew)).to.deep.equal([old.blobId]);
    expect(await find(scope, old)).to.equal(undefined);
    expect(await find(scope, anew)).to.deep.equal(anew);
    expect(await put(scope, anew)).to.deep.equal([]);

    const many = Array.from({ length: MAX_THUMBNAILS + 2 }, (_, i) =>
      aThumbnail({ objectId, maxSidePixels: 600 - i, createdAt: 20 + Math.floor(i / 2) }),
    );
    const gone: string[] = [];
    for (const each of many) gone.push(...(await put(scope, each)));
    // Of two that are equally old the smaller goes first.
    expect(gone).to.deep.equal([anew.blobId, many[1]?.blobId, many[0]?.blobId]);
    for (const each of many.slice(2)) expect(await find(scope, each)).to.deep.equal(each);
    for (const each of many.slice(0, 2)) expect(await find(scope, each)).to.equal(undefined);
    expect(await find(scope, bystander)).to.deep.equal(bystander);
  });

  it('`removeAll` removes the thumbnails of one object and returns their blobs', async () => {
    const scope = newScope();
    const objectId = newId();
    const [first, second, other] = [
      aThumbnail({ objectId }),
      aThumbnail({ objectId, maxSidePixels: 64 }),
      aThumbnail(),
    ];
    for (const each of [first, second, other]) await put(scope, each);
    const [gone, again] = await backend.uow.write(scope, async (s) => [
      await s.thumbnails.removeAll(objectId),
      await s.thumbnails.removeAll(objectId),
    ]);
    expect(gone).to.have.members([first.blobId, second.blobId]);
    expect(again).to.deep.equal([]);
    expect(await find(scope, first)).to.equal(undefined);
    expect(await find(scope, other)).to.deep.equal(other);
  });

  it('Thumbnails of the same object id are stored separately for each owner', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const thumbnail = aThumbnail();
    await put(mine, thumbnail);
    expect(await find(theirs, thumbnail)).to.equal(undefined);
    expect(await put(theirs, { ...thumbnail, blobId: newId() })).to.deep.equal([]);
    const gone = await backend.uow.write(theirs, (s) => s.thumbnails.removeAll(thumbnail.objectId));
    expect(gone).to.have.length(1);
    expect(await find(mine, thumbnail)).to.deep.equal(thumbnail);
  });
}
