import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_KNOWN_CLIENTS, MAX_SESSIONS, type Session } from '../../ports/sign-in.ts';
import type { OwnerScope, Stores } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { newId, newScope } from '../samples.ts';
import { aSignInSession, signInSessions } from '../sign-in-samples.ts';

const lastUsedFirst = (a: Session, b: Session) =>
  b.lastUsedAt - a.lastUsedAt || (a.id < b.id ? 1 : -1);

/** The contract of every SessionStore. */
export function sessionStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const write = <T>(scope: OwnerScope, work: (sessions: Stores['sessions']) => Promise<T>) =>
    backend.uow.write(scope, ({ sessions }) => work(sessions));
  const read = <T>(scope: OwnerScope, work: (sessions: Stores['sessions']) => Promise<T>) =>
    backend.uow.read(scope, ({ sessions }) => work(sessions));
  const save = (scope: OwnerScope, ...all: readonly Session[]) =>
    write(scope, async (store) => {
      for (const session of all) await store.save(session);
    });
  const idsOf = async (scope: OwnerScope) => {
    const { items } = await read(scope, (store) => store.page(MAX_SESSIONS + 9, 0));
    return items.map(({ id }) => id);
  };

  it('A saved session is found by its id, field for field, and replaced by a later save', () =>
    fc.assert(
      fc.asyncProperty(signInSessions(), signInSessions(), async (session, next) => {
        const [scope, other] = [newScope(), aSignInSession()];
        const find = (id: string) => read(scope, (store) => store.find(id));
        await save(scope, session, other);
        expect(await find(session.id)).to.deep.equal(session);
        const changed = { ...next, id: session.id };
        await save(scope, changed);
        expect(await find(session.id)).to.deep.equal(changed);
        expect(await find(other.id)).to.deep.equal(other);
        expect(await find(newId())).to.equal(undefined);
        expect(await read(newScope(), (store) => store.find(session.id))).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`page` lists sessions by their last use, latest first, then by id, descending, with the full total', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(signInSessions(), { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, limit) => {
          const scope = newScope();
          await save(scope, ...all);
          const seen: Session[] = [];
          for (let offset = 0; offset <= all.length; offset += limit) {
            const page = await read(scope, (store) => store.page(limit, offset));
            expect(page.total).to.equal(all.length);
            seen.push(...page.items);
          }
          expect(seen).to.deep.equal(all.toSorted(lastUsedFirst));
        },
      ),
      { numRuns: 15 },
    ));

  it('At most `MAX_SESSIONS` are stored: saving one more drops the one of the others that was used least recently', async () => {
    const scope = newScope();
    const foreign = { scope: newScope(), session: aSignInSession({ lastUsedAt: 0 }) };
    const all = Array.from({ length: MAX_SESSIONS }, (_, i) =>
      aSignInSession({ lastUsedAt: 5_000 - i, createdAt: i }),
    );
    await save(foreign.scope, foreign.session);
    await save(scope, ...all);
    // Replacing one is not one more.
    await save(scope, all[3] ?? aSignInSession());
    expect(await idsOf(scope)).to.have.members(all.map(({ id }) => id));
    const unused = all.pop();
    const one = aSignInSession({ lastUsedAt: 1 });
    await save(scope, one);
    const stored = await idsOf(scope);
    expect(stored).to.have.members([...all, one].map(({ id }) => id));
    expect(stored).not.to.include(unused?.id);
    expect(await idsOf(foreign.scope)).to.deep.equal([foreign.session.id]);
  });

  it('`recordUse` stores the last use of a session and its network, and changes nothing for a missing one', async () => {
    const [scope, other] = [newScope(), newScope()];
    const session = aSignInSession();
    const foreign = aSignInSession();
    await save(scope, session);
    await save(other, foreign);
    await write(scope, async (store) => {
      await store.recordUse(session.id, 2 ** 41, '2001:db8::/48');
      await store.recordUse(foreign.id, 7, 'n');
      await store.recordUse(newId(), 7, 'n');
    });
    const used = { ...session, lastUsedAt: 2 ** 41, network: '2001:db8::/48' };
    expect(await read(scope, (store) => store.page(9, 0))).to.deep.equal({
      items: [used],
      total: 1,
    });
    expect(await read(other, (store) => store.find(foreign.id))).to.deep.equal(foreign);
  });

  it('`remove` returns whether the session existed', async () => {
    const [scope, session, stored] = [newScope(), aSignInSession(), aSignInSession()];
    await save(scope, session, stored);
    expect(await write(newScope(), (store) => store.remove(session.id))).to.equal(false);
    const answers = await write(scope, async (store) => [
      await store.remove(session.id),
      await store.remove(session.id),
    ]);
    expect(answers).to.deep.equal([true, false]);
    expect(await idsOf(scope)).to.deep.equal([stored.id]);
  });

  it('`removeOthers` removes all sessions but one, or all, and returns the ids of the removed', async () => {
    const [scope, other] = [newScope(), newScope()];
    const [kept, second, third] = [aSignInSession(), aSignInSession(), aSignInSession()];
    const foreign = aSignInSession();
    await save(scope, kept, second, third);
    await save(other, foreign);
    const removed = await write(scope, (store) => store.removeOthers(kept.id));
    expect(removed).to.have.members([second.id, third.id]);
    expect(await write(scope, (store) => store.removeOthers(kept.id))).to.deep.equal([]);
    expect(await idsOf(scope)).to.deep.equal([kept.id]);
    expect(await write(scope, (store) => store.removeOthers(null))).to.deep.equal([kept.id]);
    expect(await idsOf(scope)).to.deep.equal([]);
    expect(await idsOf(other)).to.deep.equal([foreign.id]);
  });

  it('`removeExpired` removes sessions that expired before the moment, or were last used before the second', async () => {
    const [scope, other] = [newScope(), newScope()];
    const valid = aSignInSession({ expiresAt: 10, lastUsedAt: 5 });
    const expired = aSignInSession({ expiresAt: 9, lastUsedAt: 5 });
    const unused = aSignInSession({ expiresAt: 10, lastUsedAt: 4 });
    const foreign = aSignInSession({ expiresAt: 1 });
    await save(scope, valid, expired, unused);
    await save(other, foreign);
    expect(await write(scope, (store) => store.removeExpired(10, 5))).to.equal(2);
    expect(await idsOf(scope)).to.deep.equal([valid.id]);
    expect(await write(scope, (store) => store.removeExpired(10, 5))).to.equal(0);
    expect(await idsOf(other)).to.deep.equal([foreign.id]);
  });

  it('`isKnownClient` returns whether a session was ever saved with this network and client, also after it was removed. The latest `MAX_KNOWN_CLIENTS` are known', async () => {
    const scope = newScope();
    const session = aSignInSession({ network: 'n', client: "c'", signedInAt: 10 });
    const isKnown = (network: string, client: string) =>
      read(scope, (store) => store.isKnownClient(network, client));
    expect(await isKnown('n', "c'")).to.equal(false);
    await save(scope, session);
    expect(await isKnown('n', "c'")).to.equal(true);
    await write(scope, (store) => store.remove(session.id));
    expect(await isKnown('n', "c'")).to.equal(true);
    expect(await isKnown('n', 'd')).to.equal(false);
    expect(await isKnown("nc'", '')).to.equal(false);
    expect(await read(newScope(), (store) => store.isKnownClient('n', "c'"))).to.equal(false);
    await save(
      scope,
      ...Array.from({ length: MAX_KNOWN_CLIENTS - 1 }, (_, i) =>
        aSignInSession({ network: 'many', client: `${i}`, signedInAt: 11 }),
      ),
    );
    expect(await isKnown('n', "c'")).to.equal(true);
    await save(scope, aSignInSession({ network: 'one', client: 'more', signedInAt: 12 }));
    expect(await isKnown('n', "c'")).to.equal(false);
    expect(await isKnown('many', '0')).to.equal(true);
    expect(await isKnown('one', 'more')).to.equal(true);
  });
}
