import { isFirstTime } from './folder.ts';

describe('unstable', () => {
  it('passes', () => undefined);
  it('fails once', () => {
    if (isFirstTime('unstable')) throw new Error('only once\nand never again');
  });
});
