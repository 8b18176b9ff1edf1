describe('passing', () => {
  it('first', () => undefined);
  it('second, of two\u2028lines', () => undefined);
  it.skip('third', () => undefined);
});
