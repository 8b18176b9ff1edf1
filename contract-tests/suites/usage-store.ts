import { expect } from 'chai';
import fc from 'fast-check';
import { MONTHLY_METRICS } from '../../ports/usage.ts';
import type { Backend } from '../backends.ts';
import { newScope } from '../samples.ts';

const JULY = Date.UTC(2026, 6);
const AUGUST = Date.UTC(2026, 7);

/** The contract of every UsageStore. */
export function usageStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  it('`used` is the sum of the additions to the metric in that month, and 0 if there are none', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            metric: fc.constantFrom(...MONTHLY_METRICS),
            month: fc.constantFrom(JULY, AUGUST),
            count: fc.integer({ min: -9, max: 2 ** 40 }),
          }),
          { maxLength: 8 },
        ),
        async (added) => {
          const [mine, theirs] = [newScope(), newScope()];
          await backend.uow.write(theirs, (s) => s.usage.add('questions', JULY, 7));
          await backend.uow.write(mine, async (s) => {
            for (const { metric, month, count } of added) await s.usage.add(metric, month, count);
          });
          for (const metric of MONTHLY_METRICS)
            for (const month of [JULY, AUGUST]) {
              const sum = added
                .filter((each) => each.metric === metric && each.month === month)
                .reduce((total, { count }) => total + count, 0);
              const used = await backend.uow.read(mine, (s) => s.usage.used(metric, month));
              expect(used).to.equal(sum);
            }
          const others = await backend.uow.read(theirs, (s) => s.usage.used('questions', JULY));
          expect(others).to.equal(7);
        },
      ),
      { numRuns: 20 },
    ));

  it('`add` returns the new total. Concurrent additions are all counted', async () => {
    const scope = newScope();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        backend.uow.write(scope, (s) => s.usage.add('questions', JULY, 1)),
      ),
    );
    expect(answers.toSorted((a, b) => a - b)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const refused = backend.uow.write(scope, async (s) => {
      await s.usage.add('questions', JULY, 5);
      throw new Error('not after all');
    });
    expect(await refused.catch((error: Error) => error.message)).to.equal('not after all');
    expect(await backend.uow.read(scope, (s) => s.usage.used('questions', JULY))).to.equal(10);
  });
}
