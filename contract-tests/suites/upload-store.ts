import { expect } from 'chai';
import fc from 'fast-check';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import {
  ON_DUPLICATE,
  UPLOAD_STATES,
  type PartialUpload,
  type UploadPart,
} from '../../ports/uploads.ts';
import type { Backend } from '../backends.ts';
import { anUpload, newId, newScope, orNull, texts, wholes } from '../samples.ts';

const aPart = (start: number, over: Partial<UploadPart> = {}): UploadPart => ({
  start,
  size: 10,
  sha256: 'a'.repeat(64),
  ...over,
});

const uploads = (): fc.Arbitrary<PartialUpload> =>
  fc
    .record({
      filename: texts(),
      metadata: texts(),
      collectionId: orNull(fc.constantFrom('f1', 'f2')),
      onDuplicate: fc.constantFrom(...ON_DUPLICATE),
      folderPath: texts(),
      dropId: orNull(fc.constantFrom('d1', 'd2')),
      dropName: texts(),
      size: wholes(),
      received: wholes(),
      state: fc.constantFrom(...UPLOAD_STATES),
      objectId: orNull(fc.constantFrom('o1', 'o2')),
      createdAt: wholes(),
      progressAt: wholes(),
    })
    .map((over) => anUpload(over));

/** The contract of every UploadStore. */
export function uploadStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Store = Stores['uploads'];
  const write = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.write(scope, (s) => work(s.uploads));
  const read = <T>(scope: OwnerScope, work: (store: Store) => Promise<T>) =>
    backend.uow.read(scope, (s) => work(s.uploads));

  it('`save` inserts or replaces an upload, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(uploads(), uploads(), async (upload, other) => {
        const scope = newScope();
        const next = { ...other, id: upload.id };
        await write(scope, (s) => s.save(upload));
        expect(await read(scope, (s) => s.find(upload.id))).to.deep.equal(upload);
        await write(scope, (s) => s.save(next));
        expect(await read(scope, (s) => s.find(upload.id))).to.deep.equal(next);
      }),
      { numRuns: 15 },
    ));

  it('`addPart` stores a part, and `parts` returns those of an upload in the order of their start', async () => {
    const scope = newScope();
    const [one, two] = [newId(), newId()];
    const parts = [aPart(0), aPart(10, { size: 3, sha256: 'b'.repeat(64) }), aPart(2_000_000_000)];
    await write(scope, async (s) => {
      for (const part of parts.toReversed()) await s.addPart(one, part);
      await s.addPart(two, aPart(5));
    });
    expect(await read(scope, (s) => s.parts(one))).to.deep.equal(parts);
    expect(await read(scope, (s) => s.parts(two))).to.deep.equal([aPart(5)]);
    expect(await read(scope, (s) => s.parts(newId()))).to.deep.equal([]);
    expect(await rejects(write(scope, (s) => s.addPart(one, aPart(10))))).to.equal(true);
  });

  it('`removeParts` removes the parts of an upload that start at an offset or behind it, and no others', async () => {
    const scope = newScope();
    const [one, two] = [newId(), newId()];
    await write(scope, async (s) => {
      for (const id of [one, two])
        for (const start of [0, 10, 20]) await s.addPart(id, aPart(start));
      await s.removeParts(one, 10);
    });
    expect(await read(scope, (s) => s.parts(one))).to.deep.equal([aPart(0)]);
    expect(await read(scope, (s) => s.parts(two))).to.have.length(3);
    await write(scope, (s) => s.addPart(one, aPart(10, { size: 20 })));
    expect(await read(scope, (s) => s.parts(one))).to.deep.equal([
      aPart(0),
      aPart(10, { size: 20 }),
    ]);
  });

  it('`remove` removes one upload with its parts', async () => {
    const scope = newScope();
    const [one, two] = [anUpload(), anUpload()];
    await write(scope, async (s) => {
      for (const upload of [one, two]) {
        await s.save(upload);
        await s.addPart(upload.id, aPart(0));
      }
      await s.remove(one.id);
    });
    expect(await read(scope, (s) => s.find(one.id))).to.equal(undefined);
    expect(await read(scope, (s) => s.parts(one.id))).to.deep.equal([]);
    expect(await read(scope, (s) => s.find(two.id))).to.deep.equal(two);
    expect(await read(scope, (s) => s.parts(two.id))).to.have.length(1);
  });

  it('`countOpen` counts the open uploads', async () => {
    const scope = newScope();
    expect(await read(scope, (s) => s.countOpen())).to.equal(0);
    await write(scope, async (s) => {
      for (const state of ['open', 'finished', 'open', 'expired'] as const)
        await s.save(anUpload({ state }));
    });
    expect(await read(scope, (s) => s.countOpen())).to.equal(2);
  });

  it('`latestDrop` returns the drop of the upload with the latest progress among those of the name that have progressed since the moment, or nothing', async () => {
    const scope = newScope();
    const drop = (dropName: string, dropId: string | null, progressAt: number) =>
      anUpload({ dropName, dropId, progressAt });
    await write(scope, async (s) => {
      await s.save(drop('taxes', 'd1', 100));
      await s.save(drop('taxes', 'd2', 200));
      await s.save(drop('letters', 'd3', 300));
      await s.save(drop('', null, 400));
    });
    const latest = (name: string, since: number) => read(scope, (s) => s.latestDrop(name, since));
    expect(await latest('taxes', 0)).to.equal('d2');
    expect(await latest('taxes', 200)).to.equal('d2');
    expect(await latest('taxes', 201)).to.equal(undefined);
    expect(await latest('letters', 0)).to.equal('d3');
    expect(await latest('', 0)).to.equal(undefined);
  });

  it('`idle` returns the uploads without progress since before the moment, longest idle first, at most `limit`', async () => {
    const scope = newScope();
    const moments = [30, 10, 20, 40];
    const all = moments.map((progressAt) => anUpload({ progressAt }));
    await write(scope, async (s) => {
      for (const upload of all) await s.save(upload);
    });
    const idle = (before: number, limit: number) => read(scope, (s) => s.idle(before, limit));
    expect(await idle(40, 9)).to.deep.equal([all[1], all[2], all[0]]);
    expect(await idle(41, 2)).to.deep.equal([all[1], all[2]]);
    expect(await idle(10, 9)).to.deep.equal([]);
  });

  it("Another owner's uploads are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const upload = anUpload({ progressAt: 1, dropName: 'taxes', dropId: 'd1' });
    await write(mine, async (s) => {
      await s.save(upload);
      await s.addPart(upload.id, aPart(0));
    });
    await write(theirs, async (s) => {
      expect(await s.find(upload.id)).to.equal(undefined);
      expect(await s.parts(upload.id)).to.deep.equal([]);
      expect(await s.countOpen()).to.equal(0);
      expect(await s.latestDrop('taxes', 0)).to.equal(undefined);
      expect(await s.idle(99, 9)).to.deep.equal([]);
      await s.removeParts(upload.id, 0);
      await s.remove(upload.id);
    });
    expect(await read(mine, (s) => s.find(upload.id))).to.deep.equal(upload);
    expect(await read(mine, (s) => s.parts(upload.id))).to.have.length(1);
  });
}

const rejects = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );
