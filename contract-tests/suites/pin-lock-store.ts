import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_UNLOCK_TOKENS, type PinLock } from '../../ports/hidden-zone.ts';
import type { Backend } from '../backends.ts';
import { names, newScope, orNull, texts, wholes } from '../samples.ts';

const locks = (): fc.Arbitrary<PinLock> =>
  fc.record({ pinHash: texts(), failures: wholes(), lockedUntil: orNull(wholes()) });

/** The contract of every PinLockStore. */
export function pinLockStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('`get` returns the lock last stored, and nothing after `remove`', () =>
    fc.assert(
      fc.asyncProperty(locks(), locks(), async (first, second) => {
        const [mine, theirs] = [newScope(), newScope()];
        const seen = await backend.uow.write(mine, async ({ pinLock }) => {
          const states = [await pinLock.get()];
          await pinLock.put(first);
          states.push(await pinLock.get());
          await pinLock.put(second);
          states.push(await pinLock.get());
          return states;
        });
        expect(seen).to.deep.equal([undefined, first, second]);
        expect(await backend.uow.read(theirs, (s) => s.pinLock.get())).to.equal(undefined);
        await backend.uow.write(theirs, (s) => s.pinLock.remove());
        expect(await backend.uow.read(mine, (s) => s.pinLock.get())).to.deep.equal(second);
        await backend.uow.write(mine, (s) => s.pinLock.remove());
        expect(await backend.uow.read(mine, (s) => s.pinLock.get())).to.equal(undefined);
      }),
      { numRuns: 15 },
    ));

  it('An unlock token is found by its digest until the tokens are cleared; `remove` clears them too', () =>
    fc.assert(
      fc.asyncProperty(names(), wholes(), async (digest, expiresAt) => {
        const [mine, theirs] = [newScope(), newScope()];
        const token = { digest, expiresAt };
        for (const end of ['clearTokens', 'remove'] as const) {
          await backend.uow.write(mine, (s) => s.pinLock.addToken(token));
          const [found, other] = [
            await backend.uow.read(mine, (s) => s.pinLock.findToken(digest)),
            await backend.uow.read(theirs, (s) => s.pinLock.findToken(digest)),
          ];
          expect(found).to.deep.equal(token);
          expect(other).to.equal(undefined);
          await backend.uow.write(mine, (s) => s.pinLock[end]());
          expect(await backend.uow.read(mine, (s) => s.pinLock.findToken(digest))).to.equal(
            undefined,
          );
        }
      }),
      { numRuns: 10 },
    ));

  it('At most `MAX_UNLOCK_TOKENS` are stored: adding one more drops the one that expires first', async () => {
    const scope = newScope();
    const token = (n: number) => ({ digest: `digest-${n}`, expiresAt: 1_000 + ((n * 7) % 100) });
    const added = Array.from({ length: MAX_UNLOCK_TOKENS + 3 }, (_, n) => token(n));
    await backend.uow.write(scope, async (s) => {
      for (const each of added.slice(0, MAX_UNLOCK_TOKENS)) await s.pinLock.addToken(each);
    });
    const stored = new Map(added.slice(0, MAX_UNLOCK_TOKENS).map((each) => [each.digest, each]));
    const late = added.slice(MAX_UNLOCK_TOKENS).map((each) => ({ ...each, expiresAt: 9_000 }));
    for (const each of late) {
      await backend.uow.write(scope, (s) => s.pinLock.addToken(each));
      const [first] = [...stored.values()].sort((a, b) => a.expiresAt - b.expiresAt);
      stored.delete(first?.digest ?? '');
      stored.set(each.digest, each);
      const found = await backend.uow.read(scope, async (s) => {
        const digests: string[] = [];
        for (const { digest } of added) if (await s.pinLock.findToken(digest)) digests.push(digest);
        return digests;
      });
      expect(found).to.have.members([...stored.keys()]);
    }
  });
}
