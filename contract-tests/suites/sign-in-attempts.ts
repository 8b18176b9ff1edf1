import { expect } from 'chai';
import fc from 'fast-check';
import type {
  SignInAttemptPair,
  SignInAttemptRecord,
  SignInAttempts,
} from '../../ports/sign-in.ts';
import type { Backend } from '../backends.ts';
import { newId, orNull, wholes } from '../samples.ts';

const aRecord = (over: Partial<SignInAttemptRecord> = {}): SignInAttemptRecord => ({
  attemptTimes: [1],
  reservedAt: null,
  expiresAt: 1_000,
  ...over,
});
const NONE: SignInAttemptPair = { own: undefined, all: undefined };
const records = () =>
  fc.record({
    attemptTimes: fc.array(wholes(), { minLength: 1, maxLength: 10 }),
    reservedAt: orNull(wholes()),
    expiresAt: wholes(),
  });

/** The contract of every SignInAttempts. */
export function signInAttemptsContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  let attempts: SignInAttempts;
  before(async () => {
    backend = await open();
    attempts = backend.signInAttempts;
  });
  after(() => backend.close());

  const put = (account: string, network: string, next: SignInAttemptPair) =>
    attempts.update(account, network, () => ({ next, result: undefined }));

  it('`update` replaces both records by those that `change` returns: an absent one is removed. Without `next` nothing is changed. `read` returns both', () =>
    fc.assert(
      fc.asyncProperty(records(), records(), records(), async (own, all, other) => {
        const [account, foreign] = [newId(), newId()];
        expect(await attempts.read(account, 'n')).to.deep.equal(NONE);
        await put(foreign, 'n', { own: other, all: other });
        const result = await attempts.update(account, 'n', (pair) => {
          expect(pair).to.deep.equal(NONE);
          return { next: { own, all }, result: 'done' };
        });
        expect(result).to.equal('done');
        expect(await attempts.read(account, 'n')).to.deep.equal({ own, all });
        expect(await attempts.read(account, 'm')).to.deep.equal({ own: undefined, all });
        await put(account, 'm', { own: other, all: other });
        expect(await attempts.read(account, 'n')).to.deep.equal({ own, all: other });
        const seen = await attempts.update(account, 'n', (pair) => ({ result: pair }));
        expect(seen).to.deep.equal({ own, all: other });
        await put(account, 'n', { own: undefined, all });
        expect(await attempts.read(account, 'n')).to.deep.equal({ own: undefined, all });
        await put(account, 'm', { own: other, all: undefined });
        expect(await attempts.read(account, 'm')).to.deep.equal({ own: other, all: undefined });
        expect(await attempts.read(foreign, 'n')).to.deep.equal({ own: other, all: other });
      }),
      { numRuns: 15 },
    ));

  it('Overlapping updates of one account end as if one had run after the other, in any number of processes', async () => {
    const account = newId();
    const another = await backend.another();
    try {
      const longer = (record: SignInAttemptRecord | undefined, at: number) =>
        aRecord({ attemptTimes: [...(record?.attemptTimes ?? []), at] });
      const counts = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          (i % 2 ? attempts : another.signInAttempts).update(account, `n${i % 3}`, (pair) => {
            const all = longer(pair.all, i);
            return { next: { own: longer(pair.own, i), all }, result: all.attemptTimes.length };
          }),
        ),
      );
      expect(counts.toSorted((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 24 }, (_, i) => i + 1),
      );
      for (const network of ['n0', 'n1', 'n2']) {
        const { own, all } = await attempts.read(account, network);
        expect([own?.attemptTimes.length, all?.attemptTimes.length]).to.deep.equal([8, 24]);
      }
    } finally {
      await another.close();
    }
  });

  it('A record without attempts and without a reservation is not stored', async () => {
    const account = newId();
    const empty = aRecord({ attemptTimes: [] });
    const reserved = aRecord({ attemptTimes: [], reservedAt: 2 ** 41 });
    await put(account, 'n', { own: empty, all: reserved });
    expect(await attempts.read(account, 'n')).to.deep.equal({ own: undefined, all: reserved });
    await put(account, 'n', { own: aRecord(), all: empty });
    expect(await attempts.read(account, 'n')).to.deep.equal({ own: aRecord(), all: undefined });
    await put(account, 'n', { own: empty, all: empty });
    expect(await attempts.read(account, 'n')).to.deep.equal(NONE);
  });

  it('changes nothing if `change` throws', async () => {
    const account = newId();
    await put(account, 'n', { own: aRecord(), all: aRecord() });
    const failed = attempts.update(account, 'n', () => {
      throw new Error('no');
    });
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await attempts.read(account, 'n')).to.deep.equal({ own: aRecord(), all: aRecord() });
  });

  it('`removeExpired` removes records that expired before the moment, at most `limit`', async () => {
    // Earlier than the records of other tests in the same database.
    const accounts = Array.from({ length: 4 }, newId);
    for (const [i, account] of accounts.entries())
      await put(account, 'n', { own: aRecord({ expiresAt: -10 + i }), all: undefined });
    const left = async () => {
      const found = [];
      for (const account of accounts)
        found.push((await attempts.read(account, 'n')).own !== undefined);
      return found;
    };
    await attempts.removeExpired(-10, 99);
    expect(await left()).to.deep.equal([true, true, true, true]);
    await attempts.removeExpired(-8, 1);
    expect(await left()).to.deep.equal([false, true, true, true]);
    await attempts.removeExpired(-8, 99);
    expect(await left()).to.deep.equal([false, false, true, true]);
    await attempts.removeExpired(0, 99);
    expect(await left()).to.deep.equal([false, false, false, false]);
  });
}
