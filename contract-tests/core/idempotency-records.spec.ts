import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error as DomainError).code ?? Promise.reject(error as Error));

for (const [name, open] of backends)
  describe(`${name}: a request with an idempotency key`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `receipts-${name}-${process.pid}-${Math.random()}`);
    });

    const opened = (key: string, print = 'print') =>
      codeOf(world.core.idempotency.openKey(world.caller.scope, key, print));
    const withReceipt = (key: string, answerTo: (result: unknown) => string): Caller => ({
      ...world.caller,
      receipt: { key, fingerprint: 'print', answerTo },
    });
    const seal = (answer: string) => world.core.idempotency.sealResponse(answer);
    const themes = async () =>
      (
        await world.core.library.listThemes(world.caller, {
          limit: 9,
          offset: 0,
          includeHidden: true,
        })
      ).total;

    it('gets the first response again for a day', async () => {
      expect(await opened('k')).to.equal(undefined);
      await world.core.library.createTheme(
        withReceipt('k', () => seal('made')),
        { name: 'T' },
      );
      expect(await opened('k')).to.equal('made');
      world.now += 24 * 3600_000 - 1;
      expect(await opened('k')).to.equal('made');
      world.now += 1;
      expect(await opened('k')).to.equal(undefined);
    });

    it('is distinguished from another request and from one that still runs', async () => {
      await opened('k');
      expect(await opened('k')).to.equal('idempotency_in_progress');
      expect(await opened('k', 'other')).to.equal('idempotency_key_reused');
      expect(await opened('l')).to.equal(undefined);
    });

    it('is run again after it failed, or after its process died', async () => {
      await opened('k');
      await world.core.idempotency.releaseKey(world.caller.scope, 'k', 'print');
      expect(await opened('k')).to.equal(undefined);
      world.now += 90_001;
      expect(await opened('k')).to.equal(undefined);
    });

    it('has no effect if its response cannot be stored', async () => {
      const broken = withReceipt('k', () => {
        throw new Error('no answer');
      });
      await opened('k');
      const work = world.core.library.createTheme(broken, { name: 'T' });
      expect(await work.catch((error: Error) => error.message)).to.equal('no answer');
      expect(await themes()).to.equal(0);
      expect(await opened('k')).to.equal('idempotency_in_progress');
    });

    it('stores a fingerprint that depends on the key of the installation (HMAC)', () => {
      const stored = world.core.idempotency.keyedFingerprint('print');
      expect(stored).to.match(/^[0-9a-f]{64}$/);
      expect(stored).to.equal(world.core.idempotency.keyedFingerprint('print'));
      expect(stored).not.to.equal(createHash('sha256').update('print').digest('hex'));
    });

    it('is removed by the sweep once it has expired, also for inactive owners', async () => {
      const other = await openCoreFixture(backend, `quiet-${name}-${process.pid}-${Math.random()}`);
      const quiet = { scope: other.caller.scope, key: 'left behind' };
      other.now = world.now;
      await other.core.idempotency.openKey(quiet.scope, quiet.key, 'print');
      await opened('k');
      const deletionHolds = (scope: OwnerScope, key: string) =>
        backend.uow.read(
          scope,
          async ({ idempotency }) => (await idempotency.find(key)) !== undefined,
        );
      await world.core.background.sweepExpiredKeys();
      expect(await deletionHolds(quiet.scope, quiet.key)).to.equal(true);
      world.now += 90_001;
      expect(await world.core.background.sweepExpiredKeys(() => false)).to.equal(0);
      expect(await world.core.background.sweepExpiredKeys()).to.be.at.least(2);
      expect(await deletionHolds(quiet.scope, quiet.key)).to.equal(false);
      expect(await deletionHolds(world.caller.scope, 'k')).to.equal(false);
      expect(await world.core.background.sweepExpiredKeys()).to.equal(0);
    });

    it('stores nothing that can be read without the key', async () => {
      await opened('k');
      await world.core.library.createTheme(
        withReceipt('k', () => seal('owt_secret')),
        { name: 'T' },
      );
      const stored = await backend.uow.read(world.caller.scope, ({ idempotency }) =>
        idempotency.find('k'),
      );
      expect(stored?.response).to.be.a('string').and.not.include('owt_secret');
    });
  });
