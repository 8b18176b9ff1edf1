describe('failing', () => {
  it('passes', () => undefined);
  it('fails', () => {
    throw new Error('as always');
  });
});
