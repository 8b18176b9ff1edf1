import { expect } from 'chai';
import { aesSealer } from '../../adapters/node/sealer.ts';
import { sealStoredHashes } from '../../core/integrations/index.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { aShare } from '../samples.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const PLAIN = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';
const OLD = aesSealer('o'.repeat(40));

describe('the hashes of what people choose', () => {
  let backend: Backend;
  let world: CoreFixture;
  beforeEach(async () => {
    const [, open] = backends.find(([name]) => name === 'memory') ?? [];
    if (!open) throw new Error('It needs the memory backend.');
    backend = await open();
    world = await openCoreFixture(backend);
  });

  const put = (scope: OwnerScope, pin: string, shares: readonly (string | null)[]) =>
    backend.uow.write(scope, async (stores) => {
      await stores.pinLock.put({ pinHash: pin, failures: 3, lockedUntil: 9 });
      for (const passwordHash of shares) await stores.shares.save(aShare({ passwordHash }));
    });
  const stored = (scope: OwnerScope) =>
    backend.uow.read(scope, async ({ pinLock, shares, signInMethods }) => {
      const { items } = await shares.page({ sight: 'any' }, { limit: 9_999, offset: 0 });
      return {
        lock: await pinLock.get(),
        shares: items.map(({ passwordHash }) => passwordHash),
        password: await signInMethods.password(),
      };
    });

  it('are sealed again by a rotation, with those that were never sealed', async () => {
    const { scope } = world.caller;
    // More shares than one page.
    const hashes = Array.from({ length: 600 }, (_, i) => OLD.seal(`share ${i}`));
    await put(scope, PLAIN, [null, PLAIN, ...hashes]);
    await backend.uow.write(scope, ({ signInMethods }) =>
      signInMethods.setPassword({ sealedHash: OLD.seal('password'), setAt: 7 }),
    );
    const rotate = () => world.core.integrations.rotateSecrets(OLD);
    expect(await rotate()).to.deep.equal({ rotated: 603, current: 0, lost: 0 });
    const { lock, shares, password } = await stored(scope);
    const open = (sealed: string | null | undefined) => world.sealer.open(sealed ?? '');
    expect(open(lock?.pinHash)).to.equal(PLAIN);
    expect(lock).to.include({ failures: 3, lockedUntil: 9 });
    expect(open(password?.sealedHash)).to.equal('password');
    expect(password?.setAt).to.equal(7);
    expect(shares.filter((hash) => hash === null)).to.have.length(1);
    expect(shares.filter((hash) => hash !== null).map(open)).to.have.members([
      PLAIN,
      ...hashes.map((_, i) => `share ${i}`),
    ]);
    expect(await rotate()).to.deep.equal({ rotated: 0, current: 603, lost: 0 });
  });

  it('stay as they are if neither key opens them', async () => {
    const { scope } = world.caller;
    const foreign = aesSealer('f'.repeat(40)).seal('share');
    await put(scope, foreign, [foreign]);
    const counts = await world.core.integrations.rotateSecrets(OLD);
    expect(counts).to.deep.equal({ rotated: 0, current: 0, lost: 2 });
    const { lock, shares } = await stored(scope);
    expect([lock?.pinHash, ...shares]).to.deep.equal([foreign, foreign]);
  });

  it('of an earlier version are sealed for every owner, and no others', async () => {
    const other = await openCoreFixture(backend);
    const foreign = OLD.seal('share');
    await put(world.caller.scope, PLAIN, [null, PLAIN, foreign]);
    await put(other.caller.scope, foreign, [PLAIN]);
    const seal = (shouldContinue?: () => boolean) =>
      world.core.background.sealStoredHashes(shouldContinue);
    expect(await seal(() => false)).to.equal(0);
    expect(await seal()).to.equal(3);
    expect(await seal()).to.equal(0);
    const { lock, shares } = await stored(world.caller.scope);
    expect(world.sealer.open(lock?.pinHash ?? '')).to.equal(PLAIN);
    expect(shares).to.include.members([null, foreign]).and.not.to.include(PLAIN);
    expect((await stored(other.caller.scope)).lock?.pinHash).to.equal(foreign);
  });

  it('are sealed although one owner fails, and the failure is reported', async () => {
    const other = await openCoreFixture(backend);
    await put(world.caller.scope, PLAIN, []);
    await put(other.caller.scope, PLAIN, []);
    const deps = {
      uow: {
        read: backend.uow.read.bind(backend.uow),
        write: ((scope, work, size) =>
          scope.ownerId === world.caller.owner.id
            ? Promise.reject(new Error('broken'))
            : backend.uow.write(scope, work, size)) as typeof backend.uow.write,
      },
      directory: backend.directory,
      scheduler: { yield: () => Promise.resolve() },
      sealer: world.sealer,
    };
    const error = await sealStoredHashes(deps).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.equal('Error: broken');
    expect((await stored(world.caller.scope)).lock?.pinHash).to.equal(PLAIN);
    expect((await stored(other.caller.scope)).lock?.pinHash).not.to.equal(PLAIN);
  });
});
