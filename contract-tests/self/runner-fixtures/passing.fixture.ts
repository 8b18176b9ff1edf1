describe('passing', () => {
  it('first', () => undefined);
  it('second', () => undefined);
  it.skip('third', () => undefined);
});
