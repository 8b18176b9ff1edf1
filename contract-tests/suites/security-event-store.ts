import { expect } from 'chai';
import fc from 'fast-check';
import type { SecurityEvent, SecurityEventFilter } from '../../ports/security-events.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anObject, newId, newScope } from '../samples.ts';
import { aChain, aSecurityEvent, securityEvents } from '../sign-in-samples.ts';

/** The contract of every SecurityEventStore. */
export function securityEventStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  type Events = Stores['securityEvents'];
  const write = <T>(scope: OwnerScope, work: (events: Events) => Promise<T>) =>
    backend.uow.write(scope, ({ securityEvents: events }) => work(events));
  const read = <T>(scope: OwnerScope, work: (events: Events) => Promise<T>) =>
    backend.uow.read(scope, ({ securityEvents: events }) => work(events));
  const append = (scope: OwnerScope, ...all: readonly SecurityEvent[]) =>
    write(scope, async (events) => {
      for (const event of all) await events.append(event);
    });
  const page = (scope: OwnerScope, filter: SecurityEventFilter, limit = 99) =>
    read(scope, (events) => events.page(filter, { limit }));

  it('`append` adds an event; `last` returns the one with the highest `seq`, also after earlier ones were removed', async () => {
    const [scope, other] = [newScope(), newScope()];
    const last = () => read(scope, (events) => events.last());
    expect(await last()).to.equal(undefined);
    const chain = aChain(3);
    await append(other, aSecurityEvent({ seq: 9 }));
    for (const event of chain) {
      await append(scope, event);
      expect(await last()).to.deep.equal(event);
    }
    await write(scope, (events) => events.removeBefore(2, 99));
    expect(await last()).to.deep.equal(chain[2]);
    const next = aSecurityEvent({ seq: 4 });
    await write(scope, async (events) => {
      await events.append(next);
      expect(await events.last()).to.deep.equal(next);
    });
  });

  it('`page` lists newest first, field for field, after a position, filtered by kind, at most `limit`', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(securityEvents(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (some, limit) => {
          const scope = newScope();
          const chain = some.map((event, i) => ({ ...event, seq: i + 1 }));
          await append(scope, ...chain);
          await append(newScope(), aSecurityEvent());
          const kinds = [undefined, chain[0]?.kind, 'trash_emptied'] as const;
          for (const kind of kinds) {
            const filter: SecurityEventFilter = { visibility: 'any', ...(kind && { kind }) };
            const requested = chain.filter((event) => kind === undefined || event.kind === kind);
            const seen: SecurityEvent[] = [];
            for (let i = 0; i <= requested.length; i++) {
              const after = seen.at(-1);
              const events = await read(scope, (store) =>
                store.page(filter, { limit, ...(after && { after: { seq: after.seq } }) }),
              );
              expect(events.length).to.be.at.most(limit);
              seen.push(...events);
            }
            expect(seen).to.deep.equal(requested.toReversed());
          }
        },
      ),
      { numRuns: 12 },
    ));

  it('`positionOf` returns the position of an event by its time and id, and nothing for one that does not exist', async () => {
    const [scope, other] = [newScope(), newScope()];
    const events = [5, 3, 5].map((at, i) => aSecurityEvent({ seq: i + 1, at }));
    await append(scope, ...events);
    await append(other, aSecurityEvent({ seq: 7, at: 5 }));
    const position = (at: number, id: string, of = scope) =>
      read(of, (store) => store.positionOf({ at, id }));
    for (const { at, id, seq } of events) {
      expect(await position(at, id)).to.deep.equal({ seq });
      expect(await position(at + 1, id)).to.equal(undefined);
      expect(await position(at, id, other)).to.equal(undefined);
    }
    expect(await position(5, newId())).to.equal(undefined);
  });

  it('With visibility `visible`, events of an object that is hidden at that moment, or was erased, are excluded', async () => {
    const scope = newScope();
    const [shown, hidden] = [anObject(), anObject({ isHidden: true })];
    const objectIds = [null, shown.id, hidden.id, newId()];
    const chain = objectIds.map((objectId, i) => aSecurityEvent({ seq: i + 1, objectId }));
    await backend.uow.write(scope, async ({ objects }) => {
      await objects.save(shown);
      await objects.save(hidden);
    });
    await append(scope, ...chain);
    const seen = async (visibility: 'visible' | 'any') =>
      (await page(scope, { visibility })).map(({ seq }) => seq);
    expect(await seen('any')).to.deep.equal([4, 3, 2, 1]);
    expect(await seen('visible')).to.deep.equal([2, 1]);
    const limited = await page(scope, { visibility: 'visible', kind: 'signed_in' }, 1);
    expect(limited.map(({ seq }) => seq)).to.deep.equal([2]);
    await backend.uow.write(scope, ({ objects }) => objects.save({ ...hidden, isHidden: false }));
    expect(await seen('visible')).to.deep.equal([3, 2, 1]);
    await backend.uow.write(scope, ({ objects }) => objects.save({ ...shown, isHidden: true }));
    expect(await seen('visible')).to.deep.equal([3, 1]);
    await backend.uow.write(scope, ({ objects }) => objects.remove(shown.id));
    expect(await seen('visible')).to.deep.equal([3, 1]);
    expect(await seen('any')).to.deep.equal([4, 3, 2, 1]);
  });

  it('`chain` returns events in ascending order of `seq` after one, at most `limit`', async () => {
    const scope = newScope();
    const events = aChain(7);
    await append(newScope(), ...aChain(2));
    await append(scope, ...events);
    const chain = (afterSeq: number, limit: number) =>
      read(scope, (store) => store.chain(afterSeq, limit));
    expect(await chain(0, 99)).to.deep.equal(events);
    expect(await chain(0, 3)).to.deep.equal(events.slice(0, 3));
    expect(await chain(3, 3)).to.deep.equal(events.slice(3, 6));
    expect(await chain(7, 3)).to.deep.equal([]);
  });

  it('`countSince` counts events of a kind since a moment, up to `limit`', async () => {
    const scope = newScope();
    const events = aChain(8).map((event, i) =>
      i % 2 ? { ...event, kind: 'sign_in_failed' as const } : event,
    );
    await append(newScope(), ...aChain(3, { kind: 'sign_in_failed' }));
    await append(scope, ...events);
    const count = (since: number, limit: number) =>
      read(scope, (store) => store.countSince('sign_in_failed', since, limit));
    expect(await count(0, 99)).to.equal(4);
    expect(await count(3, 99)).to.equal(3);
    expect(await count(4, 99)).to.equal(2);
    expect(await count(0, 2)).to.equal(2);
    expect(await count(8, 2)).to.equal(0);
  });

  it('`removeBefore` removes the first events of the chain that are from before the moment, at most `limit`, but never the last one: what remains has no gaps', async () => {
    const [scope, other] = [newScope(), newScope()];
    // The clock went back after the third event.
    const events = [0, 1, 6, 2, 3, 7].map((at, i) => aSecurityEvent({ seq: i + 1, at }));
    await append(other, ...aChain(2));
    await append(scope, ...events);
    const left = async () =>
      (await read(scope, (store) => store.chain(0, 99))).map(({ seq }) => seq);
    const remove = (before: number, limit: number) =>
      write(scope, (store) => store.removeBefore(before, limit));
    await remove(0, 99);
    expect(await left()).to.deep.equal([1, 2, 3, 4, 5, 6]);
    await remove(5, 1);
    expect(await left()).to.deep.equal([2, 3, 4, 5, 6]);
    await remove(5, 99);
    expect(await left()).to.deep.equal([3, 4, 5, 6]);
    await remove(7, 99);
    expect(await left()).to.deep.equal([6]);
    await remove(99, 99);
    expect(await left()).to.deep.equal([6]);
    expect(await read(other, (store) => store.chain(0, 99))).to.have.length(2);
    await write(other, (store) => store.removeBefore(99, 99));
    expect((await read(other, (store) => store.chain(0, 99))).map(({ seq }) => seq)).to.deep.equal([
      2,
    ]);
  });
}
