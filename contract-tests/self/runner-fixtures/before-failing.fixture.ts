describe('behind a failed hook', () => {
  before(() => {
    throw new Error('no ground');
  });
  it('first', () => undefined);
  describe('deeper', () => {
    it('second', () => undefined);
    it('third', () => undefined);
  });
});

describe('beside the failed hook', () => {
  it('passes', () => undefined);
});
