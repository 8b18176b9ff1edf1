import { expect } from 'chai';
import fc from 'fast-check';
import type { ObjectVersion } from '../../ports/contents.ts';
import { OBJECT_KINDS } from '../../ports/text-extraction.ts';
import type { Backend } from '../backends.ts';
import { aVersion, names, newId, newScope, wholes } from '../samples.ts';

const versions = (): fc.Arbitrary<ObjectVersion> =>
  fc.record({
    objectId: fc.uuid(),
    version: wholes(),
    kind: fc.constantFrom(...OBJECT_KINDS),
    mime: names(),
    format: names(),
    size: wholes(),
    sha256: names(),
    blobId: names(),
    origin: fc.constantFrom('upload', 'save', 'image', 'office', 'restore'),
    createdAt: wholes(),
  });

/** The contract of every VersionStore. */
export function versionStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it("`page` lists an object's versions newest first with the full total. `find` returns one of them, field for field", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(versions(), { selector: ({ version }) => version, maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        async (added, limit) => {
          const scope = newScope();
          const objectId = newId();
          const mine = added.map((version) => ({ ...version, objectId }));
          await backend.uow.write(scope, async (s) => {
            for (const version of mine) await s.versions.add(version);
            await s.versions.add(aVersion());
          });
          await backend.uow.read(scope, async (s) => {
            const listed: ObjectVersion[] = [];
            for (let offset = 0; offset <= mine.length; offset += limit) {
              const page = await s.versions.page(objectId, limit, offset);
              expect(page.total).to.equal(mine.length);
              listed.push(...page.items);
            }
            expect(listed).to.deep.equal(mine.toSorted((a, b) => b.version - a.version));
            for (const version of mine)
              expect(await s.versions.find(objectId, version.version)).to.deep.equal(version);
            expect(await s.versions.find(newId(), 1)).to.equal(undefined);
          });
        },
      ),
      { numRuns: 25 },
    ));

  it('`removeAll` removes every version of the object and returns them, so that their bytes can be released', async () => {
    const scope = newScope();
    const objectId = newId();
    const [first, second, other] = [
      aVersion({ objectId }),
      aVersion({ objectId, version: 2, sha256: 'b'.repeat(64) }),
      aVersion(),
    ];
    const [gone, again] = await backend.uow.write(scope, async (s) => {
      for (const version of [first, second, other]) await s.versions.add(version);
      return [await s.versions.removeAll(objectId), await s.versions.removeAll(objectId)];
    });
    expect(gone).to.have.deep.members([first, second]);
    expect(again).to.deep.equal([]);
    const [left, others] = await backend.uow.read(scope, async (s) => [
      await s.versions.page(objectId, 9, 0),
      await s.versions.page(other.objectId, 9, 0),
    ]);
    expect(left).to.deep.equal({ items: [], total: 0 });
    expect(others).to.deep.equal({ items: [other], total: 1 });
  });

  it('stores the versions of an object id separately for each owner', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const version = aVersion();
    await backend.uow.write(mine, (s) => s.versions.add(version));
    await backend.uow.write(theirs, (s) => s.versions.removeAll(version.objectId));
    expect(await backend.uow.read(theirs, (s) => s.versions.find(version.objectId, 1))).to.equal(
      undefined,
    );
    expect(
      (await backend.uow.read(mine, (s) => s.versions.page(version.objectId, 9, 0))).total,
    ).to.equal(1);
  });
}
