describe('dying', () => {
  it('passes', () => undefined);
  it('kills the process', () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  });
  it('is not reached', () => undefined);
});
