import { expect } from 'chai';
import fc from 'fast-check';
import type { OfficeSession } from '../../ports/office.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anOfficeSession as aSession, newId, newScope } from '../samples.ts';

const sessions = (): fc.Arbitrary<OfficeSession> =>
  fc
    .record({
      openedVersion: fc.integer({ min: 1, max: 2 ** 40 }),
      version: fc.integer({ min: 1, max: 2 ** 40 }),
      state: fc.constantFrom('open', 'closed'),
      editable: fc.boolean(),
      processedSaves: fc.array(fc.stringMatching(/^[\da-f]{64}$/), { maxLength: 3 }),
      notifiedIssues: fc.subarray(['conflict', 'failed'] as const),
      createdAt: fc.nat(),
      usedAt: fc.nat(),
    })
    .map((session) => aSession(session));

/** The contract of every OfficeSessionStore. */
export function officeSessionStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const save = (scope: OwnerScope, ...all: readonly OfficeSession[]) =>
    backend.uow.write(scope, async (s) => {
      for (const each of all) await s.officeSessions.save(each);
    });
  const find = (scope: OwnerScope, { objectId, key }: OfficeSession) =>
    backend.uow.read(scope, (s) => s.officeSessions.find(objectId, key));
  const all = (scope: OwnerScope, requested: readonly OfficeSession[]) =>
    Promise.all(requested.map((each) => find(scope, each)));

  it('A saved session is found by its object and key, field for field, and replaced by a later save', () =>
    fc.assert(
      fc.asyncProperty(sessions(), sessions(), async (first, other) => {
        const scope = newScope();
        const beside = { ...other, objectId: first.objectId };
        await save(scope, first, beside);
        expect(await all(scope, [first, beside])).to.deep.equal([first, beside]);
        const later = { ...other, objectId: first.objectId, key: first.key };
        await save(scope, later);
        expect(await all(scope, [first, beside])).to.deep.equal([later, beside]);
        expect(await find(scope, { ...first, objectId: newId() })).to.equal(undefined);
        expect(await find(scope, { ...first, key: 'other' })).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`opened` returns the latest open session of an object that was opened at the version, and nothing once it is closed', async () => {
    const scope = newScope();
    const objectId = newId();
    const early = aSession({ objectId, createdAt: 1_000 });
    const late = aSession({ objectId, createdAt: 2_000, version: 9 });
    await save(
      scope,
      late,
      early,
      aSession({ objectId, createdAt: 3_000, state: 'closed' }),
      aSession({ objectId, createdAt: 3_000, openedVersion: 2 }),
      aSession({ createdAt: 3_000 }),
    );
    const opened = (version: number) =>
      backend.uow.read(scope, (s) => s.officeSessions.opened(objectId, version));
    expect(await opened(1)).to.deep.equal(late);
    expect(await opened(9)).to.equal(undefined);
    await save(scope, { ...late, state: 'closed' });
    expect(await opened(1)).to.deep.equal(early);
    await save(scope, { ...early, state: 'closed' });
    expect(await opened(1)).to.equal(undefined);
  });

  it('`carry` moves the open sessions of an object from one base version to another, and no others', async () => {
    const scope = newScope();
    const objectId = newId();
    const moved = [
      aSession({ objectId, version: 4, openedVersion: 1 }),
      aSession({ objectId, version: 4, openedVersion: 4 }),
    ];
    const left = [
      aSession({ objectId, version: 4, state: 'closed' }),
      aSession({ objectId, version: 3 }),
      aSession({ version: 4 }),
    ];
    await save(scope, ...moved, ...left);
    await backend.uow.write(scope, (s) => s.officeSessions.carry(objectId, 4, 6));
    expect(await all(scope, moved)).to.deep.equal(moved.map((each) => ({ ...each, version: 6 })));
    expect(await all(scope, left)).to.deep.equal(left);
  });

  it('`removeAll` removes the sessions of an object; `removeUnused` those last used before a moment, at most `limit`', async () => {
    const scope = newScope();
    const objectId = newId();
    const gone = [aSession({ objectId }), aSession({ objectId, state: 'closed' })];
    const old = [1, 2, 3].map((usedAt) => aSession({ usedAt }));
    const used = aSession({ usedAt: 10 });
    await save(scope, ...gone, ...old, used);
    await backend.uow.write(scope, (s) => s.officeSessions.removeAll(objectId));
    expect(await all(scope, gone)).to.deep.equal([undefined, undefined]);
    expect(await all(scope, old)).to.deep.equal(old);
    const removeUnused = (limit: number) =>
      backend.uow.write(scope, (s) => s.officeSessions.removeUnused(10, limit));
    const left = async () => (await all(scope, old)).filter((each) => each !== undefined).length;
    await removeUnused(2);
    expect(await left()).to.equal(1);
    await removeUnused(100);
    expect(await left()).to.equal(0);
    expect(await find(scope, used)).to.deep.equal(used);
  });

  it("Another owner's sessions are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const session = aSession({ usedAt: 1 });
    await save(mine, session);
    await backend.uow.write(theirs, async ({ officeSessions }) => {
      expect(await officeSessions.find(session.objectId, session.key)).to.equal(undefined);
      expect(await officeSessions.opened(session.objectId, 1)).to.equal(undefined);
      await officeSessions.carry(session.objectId, 1, 2);
      await officeSessions.removeAll(session.objectId);
      await officeSessions.removeUnused(1_000, 100);
    });
    expect(await find(mine, session)).to.deep.equal(session);
    const own = { ...session, version: 7 };
    await save(theirs, own);
    expect(await find(mine, session)).to.deep.equal(session);
    expect(await find(theirs, session)).to.deep.equal(own);
  });
}
