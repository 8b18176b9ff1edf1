import { expect } from 'chai';
import { SECURITY_EVENT_MS } from '../../core/security-events/index.ts';
import { SESSION_IDLE_MS } from '../../core/identity/index.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { aOneTimeSecret, aSecurityEvent, aSignInSession } from '../sign-in-samples.ts';
import { openCoreFixture } from './core-fixture.ts';

const openMemory = (): Promise<Backend> => {
  const [, open] = backends.find(([name]) => name === 'memory') ?? [];
  if (!open) throw new Error('It needs the memory backend.');
  return open();
};

describe('the sweep of expired access', () => {
  it('removes sessions that expired or were not used for long, and no others', async () => {
    const backend = await openMemory();
    const { core, caller, now } = await openCoreFixture(backend);
    const all = {
      valid: aSignInSession({ expiresAt: now, lastUsedAt: now - SESSION_IDLE_MS }),
      expired: aSignInSession({ expiresAt: now - 1, lastUsedAt: now }),
      unused: aSignInSession({ expiresAt: now, lastUsedAt: now - SESSION_IDLE_MS - 1 }),
    };
    await backend.uow.write(caller.scope, async ({ sessions }) => {
      for (const session of Object.values(all)) await sessions.save(session);
    });
    await core.background.sweepExpiredAccess();
    const left = await backend.uow.read(caller.scope, ({ sessions }) => sessions.page(9, 0));
    expect(left.items).to.deep.equal([all.valid]);
    expect(await core.background.sweepExpiredAccess()).to.equal(0);
  });

  it('removes security events after 400 days, except the last one, however many there are', async () => {
    const backend = await openMemory();
    const world = await openCoreFixture(backend);
    const { core, caller } = world;
    expect(SECURITY_EVENT_MS).to.equal(400 * 86_400_000);
    const last = await backend.uow.write(caller.scope, async ({ securityEvents }) => {
      // The owner's chain has begun already.
      const seq = (await securityEvents.last())?.seq ?? 0;
      for (let i = 1; i <= 1_203; i++)
        await securityEvents.append(aSecurityEvent({ seq: seq + i, at: world.now }));
      return seq + 1_203;
    });
    const left = () =>
      backend.uow.read(caller.scope, ({ securityEvents }) => securityEvents.chain(0, 2_000));
    world.now += SECURITY_EVENT_MS;
    await core.background.sweepExpiredAccess();
    expect(await left()).to.have.length(last);
    world.now += 1;
    expect(await core.background.sweepExpiredAccess()).to.equal(3);
    expect((await left()).map(({ seq }) => seq)).to.deep.equal([last]);
    expect(await core.background.sweepExpiredAccess()).to.equal(0);
  });

  it('removes one-time secrets and records of failed sign-ins', async () => {
    const backend = await openMemory();
    const { core, now } = await openCoreFixture(backend);
    const secrets = [now - 1, now].map((expiresAt) => aOneTimeSecret({ expiresAt }));
    for (const secret of secrets) await backend.oneTimeSecrets.add(secret);
    const record = (expiresAt: number) => ({ attemptTimes: [1], reservedAt: null, expiresAt });
    await backend.signInAttempts.update('account', 'network', () => ({
      next: { own: record(now - 1), all: record(now) },
      result: undefined,
    }));
    await core.background.sweepExpiredAccess();
    const taken = [];
    for (const { digest } of secrets)
      taken.push(await backend.oneTimeSecrets.consume(digest, 'link', 0));
    expect(taken).to.deep.equal([undefined, secrets[1]]);
    expect(await backend.signInAttempts.read('account', 'network')).to.deep.equal({
      own: undefined,
      all: record(now),
    });
  });

  it('stops on request, and does the rest next time', async () => {
    const backend = await openMemory();
    const worlds = [await openCoreFixture(backend), await openCoreFixture(backend)];
    for (const { caller } of worlds)
      await backend.uow.write(caller.scope, ({ sessions }) =>
        sessions.save(aSignInSession({ expiresAt: 1 })),
      );
    const [world] = worlds;
    let asked = 0;
    expect(await world?.core.background.sweepExpiredAccess(() => asked++ === 0)).to.equal(1);
    expect(await world?.core.background.sweepExpiredAccess()).to.equal(1);
    expect(await world?.core.background.sweepExpiredAccess()).to.equal(0);
  });

  it('continues after an owner whose rows cannot be removed, and reports it', async () => {
    const backend = await openMemory();
    let poisoned = '';
    const damaged = (stores: Stores): Stores => ({
      ...stores,
      sessions: {
        ...stores.sessions,
        removeExpired: async (before, unusedSince) => {
          if ((await stores.sessions.find(poisoned)) !== undefined) throw new Error('broken');
          return stores.sessions.removeExpired(before, unusedSince);
        },
      },
    });
    const uow: UnitOfWork = {
      read: (scope, work) => backend.uow.read(scope, work),
      write: (scope, work) => backend.uow.write(scope, (stores) => work(damaged(stores))),
    };
    const worlds = [];
    for (let i = 0; i < 3; i++) worlds.push(await openCoreFixture({ ...backend, uow }));
    const expired = aSignInSession({ expiresAt: 1 });
    for (const [i, { caller }] of worlds.entries())
      await uow.write(caller.scope, ({ sessions }) =>
        sessions.save(i === 0 ? expired : aSignInSession({ expiresAt: 1 })),
      );
    poisoned = expired.id;
    const [world] = worlds;
    if (!world) throw new Error('no world');
    const error = await world.core.background.sweepExpiredAccess().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.equal('Error: broken');
    const totals = [];
    for (const { caller } of worlds)
      totals.push((await uow.read(caller.scope, ({ sessions }) => sessions.page(9, 0))).total);
    expect(totals).to.deep.equal([1, 0, 0]);
    poisoned = '';
    expect(await world.core.background.sweepExpiredAccess()).to.equal(1);
  });
});
