import { expect } from 'chai';
import fc from 'fast-check';
import { ONE_TIME_PURPOSES, type OneTimeSecrets } from '../../ports/sign-in.ts';
import type { Backend } from '../backends.ts';
import { newId, orNull, texts } from '../samples.ts';
import { aOneTimeSecret } from '../sign-in-samples.ts';

/** The contract of every OneTimeSecrets. */
export function oneTimeSecretsContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  let secrets: OneTimeSecrets;
  before(async () => {
    backend = await open();
    secrets = backend.oneTimeSecrets;
  });
  after(() => backend.close());

  it('`consume` returns a secret once, to one of any number of concurrent callers, and never after it has expired', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ONE_TIME_PURPOSES),
        texts(),
        orNull(fc.uuid()),
        async (purpose, payload, ownerId) => {
          const secret = aOneTimeSecret({ purpose, payload, ownerId, expiresAt: 2 ** 41 });
          await secrets.add(secret);
          expect(await secrets.consume(newId(), purpose, 5)).to.equal(undefined);
          expect(await secrets.consume(secret.digest, purpose, 2 ** 41 - 1)).to.deep.equal(secret);
          expect(await secrets.consume(secret.digest, purpose, 5)).to.equal(undefined);
        },
      ),
      { numRuns: 15 },
    );
    const another = await backend.another();
    try {
      for (let round = 0; round < 5; round++) {
        const secret = aOneTimeSecret();
        await secrets.add(secret);
        const taken = await Promise.all(
          Array.from({ length: 8 }, (_, i) =>
            (i % 2 ? secrets : another.oneTimeSecrets).consume(secret.digest, 'link', 5),
          ),
        );
        expect(taken.filter(Boolean)).to.deep.equal([secret]);
      }
    } finally {
      await another.close();
    }
    const expired = aOneTimeSecret({ expiresAt: 10 });
    await secrets.add(expired);
    expect(await secrets.consume(expired.digest, 'link', 10)).to.equal(undefined);
    expect(await secrets.consume(expired.digest, 'link', 9)).to.equal(undefined);
  });

  it('A secret of another purpose is not returned, and is still there afterwards', async () => {
    const secret = aOneTimeSecret({ purpose: 'oidc' });
    await secrets.add(secret);
    for (const purpose of ONE_TIME_PURPOSES)
      if (purpose !== 'oidc')
        expect(await secrets.consume(secret.digest, purpose, 5)).to.equal(undefined);
    expect(await secrets.consume(secret.digest, 'oidc', 5)).to.deep.equal(secret);
  });

  it('At most `limit` of a purpose are stored: adding one more drops the one of the others that expires first', async () => {
    const other = aOneTimeSecret({ purpose: 'passkey-sign-in', expiresAt: 6 });
    // Later than the secrets of other tests in the same database.
    const late = Number.MAX_SAFE_INTEGER - 100;
    const all = [3, 1, 2].map((n) => aOneTimeSecret({ expiresAt: late + n }));
    const one = aOneTimeSecret({ expiresAt: late });
    await secrets.add(other);
    for (const secret of [...all, one]) await secrets.add(secret, 3);
    const taken = [];
    for (const secret of [...all, one]) taken.push(await secrets.consume(secret.digest, 'link', 5));
    expect(taken).to.deep.equal([all[0], undefined, all[2], one]);
    expect(await secrets.consume(other.digest, 'passkey-sign-in', 5)).to.deep.equal(other);
  });

  it('At most `limitOfOwner` of a purpose and an owner are stored, in the same way', async () => {
    const [ownerId, otherId] = [newId(), newId()];
    const stored = [
      aOneTimeSecret({ ownerId: otherId, expiresAt: 6 }),
      aOneTimeSecret({ ownerId, expiresAt: 6, purpose: 'oidc' }),
      aOneTimeSecret({ ownerId: null, expiresAt: 6 }),
    ];
    for (const secret of stored) await secrets.add(secret);
    const all = [13, 11, 12].map((expiresAt) => aOneTimeSecret({ ownerId, expiresAt }));
    const one = aOneTimeSecret({ ownerId, expiresAt: 10 });
    for (const secret of [...all, one]) await secrets.add(secret, 10_000, 3);
    const taken = [];
    for (const secret of [...all, one]) taken.push(await secrets.consume(secret.digest, 'link', 5));
    expect(taken).to.deep.equal([all[0], undefined, all[2], one]);
    for (const secret of stored)
      expect(await secrets.consume(secret.digest, secret.purpose, 5)).to.deep.equal(secret);
  });

  it('`removeOf` removes those of an owner and a purpose, `removeExpired` those that expired before the moment', async () => {
    const [ownerId, otherId] = [newId(), newId()];
    const mine = aOneTimeSecret({ ownerId });
    const [stored, removed] = [
      [
        aOneTimeSecret({ ownerId, purpose: 'passkey-registration' }),
        aOneTimeSecret({ ownerId: otherId }),
        aOneTimeSecret(),
      ],
      [mine, aOneTimeSecret({ ownerId })],
    ];
    for (const secret of [...stored, ...removed]) await secrets.add(secret);
    await secrets.removeOf(ownerId, 'link');
    for (const { digest, purpose } of removed)
      expect(await secrets.consume(digest, purpose, 5)).to.equal(undefined);
    for (const secret of stored)
      expect(await secrets.consume(secret.digest, secret.purpose, 5)).to.deep.equal(secret);

    for (const purpose of ONE_TIME_PURPOSES) {
      const [expired, valid] = [9, 10].map((expiresAt) => aOneTimeSecret({ purpose, expiresAt }));
      if (!expired || !valid) throw new Error('no sample');
      await secrets.add(expired);
      await secrets.add(valid);
      await secrets.removeExpired(10);
      expect(await secrets.consume(expired.digest, purpose, 5)).to.equal(undefined);
      expect(await secrets.consume(valid.digest, purpose, 5)).to.deep.equal(valid);
    }
  });
}
