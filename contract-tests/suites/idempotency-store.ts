import { expect } from 'chai';
import fc from 'fast-check';
import type { IdempotencyRecord } from '../../ports/idempotency.ts';
import type { Backend } from '../backends.ts';
import { aReceipt, names, newScope, orNull, texts, wholes } from '../samples.ts';

const receipts = (): fc.Arbitrary<IdempotencyRecord> =>
  fc.record({
    key: names(),
    fingerprint: texts(),
    response: orNull(texts()),
    expiresAt: wholes(),
  });

/** The contract of every IdempotencyStore. */
export function idempotencyStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('`find` returns what was saved, field for field; `save` inserts or replaces', () =>
    fc.assert(
      fc.asyncProperty(receipts(), receipts(), async (receipt, next) => {
        const [mine, theirs] = [newScope(), newScope()];
        const { key } = receipt;
        const found = await backend.uow.write(mine, async (s) => {
          const seen = [await s.idempotency.find(key)];
          await s.idempotency.save(receipt);
          seen.push(await s.idempotency.find(key));
          await s.idempotency.save({ ...next, key });
          seen.push(await s.idempotency.find(key));
          return seen;
        });
        expect(found).to.deep.equal([undefined, receipt, { ...next, key }]);
        expect(await backend.uow.read(theirs, (s) => s.idempotency.find(key))).to.equal(undefined);
        await backend.uow.write(theirs, (s) => s.idempotency.remove(key));
        expect(await backend.uow.read(mine, (s) => s.idempotency.find(key))).to.not.equal(
          undefined,
        );
        await backend.uow.write(mine, (s) => s.idempotency.remove(key));
        expect(await backend.uow.read(mine, (s) => s.idempotency.find(key))).to.equal(undefined);
      }),
      { numRuns: 20 },
    ));

  it('`removeExpired` removes the records that expired before a moment, at most `limit`, and returns their number', async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const saved = [10, 20, 30, 40, 50].map((expiresAt) => aReceipt({ expiresAt }));
    for (const scope of [mine, theirs])
      await backend.uow.write(scope, async (s) => {
        for (const receipt of saved) await s.idempotency.save(receipt);
      });
    const sweep = (limit: number) =>
      backend.uow.write(mine, (s) => s.idempotency.removeExpired(40, limit));
    const left = (scope: typeof mine) =>
      backend.uow.read(scope, async (s) => {
        const moments: number[] = [];
        for (const { key } of saved) {
          const receipt = await s.idempotency.find(key);
          if (receipt) moments.push(receipt.expiresAt);
        }
        return moments;
      });
    expect(await sweep(2)).to.equal(2);
    expect(await left(mine)).to.have.length(3);
    expect(await sweep(2)).to.equal(1);
    expect(await left(mine)).to.deep.equal([40, 50]);
    expect(await sweep(2)).to.equal(0);
    expect(await left(theirs)).to.have.length(5);
  });
}
