import { startLocalServer } from '../../local-server.ts';

describe('leaking', () => {
  before(async () => {
    await startLocalServer((_request, response) => void response.end());
    throw new Error('the hook failed after the start');
  });
  it('is not reached', () => undefined);
});

describe('leaking a handle', () => {
  it('does not keep the process alive', () => void setInterval(() => undefined, 1_000));
});
