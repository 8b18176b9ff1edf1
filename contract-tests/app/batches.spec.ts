import { expect } from 'chai';
import fc from 'fast-check';
import { inBatches } from '../../web/data/batches.ts';

const idsOf = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}`);

describe('a change in batches', () => {
  it('sends every document once and in order, at most so many at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (count, size) => {
          const { results, stopped } = await inBatches(idsOf(count), size, async (batch) => batch);
          expect(results.flat()).to.deep.equal(idsOf(count));
          expect(results.every(({ length }) => length >= 1 && length <= size)).to.equal(true);
          expect(stopped).to.equal(undefined);
        },
      ),
    ));

  it('keeps what was changed before a request failed, and names the rest', async () => {
    const error = new Error('away');
    let requests = 0;
    const outcome = await inBatches(idsOf(1_200), 500, async (batch) => {
      if (++requests === 2) throw error;
      return batch.length;
    });
    expect(outcome.results).to.deep.equal([500]);
    expect(outcome.stopped?.error).to.equal(error);
    expect(outcome.stopped?.ids).to.deep.equal(idsOf(1_200).slice(500));
    expect(requests).to.equal(2);
  });
});
