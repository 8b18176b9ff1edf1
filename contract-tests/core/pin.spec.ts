import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainError } from '../../core/shared/errors.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

for (const [name, open] of backends)
  describe(`${name}: the PIN of the hidden zone`, () => {
    let backend: Backend;
    let world: CoreFixture;
    const unlock = (pin: string) => codeOf(world.core.hiddenZone.unlockZone(world.caller, pin));
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openCoreFixture(backend, `pin-${name}-${process.pid}-${Math.random()}`);
      await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
    });

    it('locks entry after five wrong ones in a row, for fifteen minutes, and then allows five more', async () => {
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 5; i++) expect(await unlock('0000')).to.equal('wrong_pin');
        expect(await unlock('0000')).to.equal('rate_limited');
        expect(await unlock('1234')).to.equal('rate_limited');
        world.now += 15 * 60_000;
      }
      expect(await unlock('1234')).to.equal('ok');
    });

    it('refunds an attempt that could not be compared', async () => {
      let broken = false;
      world = await openCoreFixture(backend, `busy-${name}-${process.pid}-${Math.random()}`, {
        passwords: {
          hash: (pin) => Promise.resolve(pin),
          matches: (pin, hash) =>
            broken
              ? Promise.reject(new UnavailableError('passwords', 'busy'))
              : Promise.resolve(pin === hash),
        },
      });
      await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      for (let i = 0; i < 4; i++) expect(await unlock('0000')).to.equal('wrong_pin');
      broken = true;
      for (let i = 0; i < 7; i++) {
        const trial = world.core.hiddenZone.unlockZone(world.caller, '1234');
        expect(await trial.catch((error: unknown) => error)).to.be.instanceOf(UnavailableError);
      }
      broken = false;
      expect(await unlock('0000')).to.equal('wrong_pin');
      expect(await unlock('1234')).to.equal('rate_limited');
    });

    it('resets the count after a correct one', async () => {
      for (let i = 0; i < 4; i++) await unlock('0000');
      expect(await unlock('1234')).to.equal('ok');
      for (let i = 0; i < 4; i++) expect(await unlock('0000')).to.equal('wrong_pin');
      expect(await unlock('1234')).to.equal('ok');
    });

    it('compares at most five concurrent guesses', async () => {
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => unlock('0000')));
      expect(outcomes.filter((code) => code === 'wrong_pin')).to.have.length(5);
      expect(outcomes.filter((code) => code === 'rate_limited')).to.have.length(7);
    });

    it('accepts all concurrent correct ones', async () => {
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => unlock('1234')));
      expect(new Set(outcomes)).to.deep.equal(new Set(['ok']));
    });

    it('counts wrong ones by unlock, change and removal together; an absent one is no guess', async () => {
      const { hiddenZone } = world.core;
      for (let i = 0; i < 3; i++)
        expect(await codeOf(hiddenZone.setPin(world.caller, { pin: '9999' }))).to.equal(
          'wrong_pin',
        );
      await unlock('0000');
      await codeOf(hiddenZone.setPin(world.caller, { pin: '9999', oldPin: '0000' }));
      await codeOf(hiddenZone.removePin(world.caller, '0000'));
      await unlock('0000');
      expect(await unlock('0000')).to.equal('wrong_pin');
      expect(await unlock('1234')).to.equal('rate_limited');
    });

    it('ends earlier unlock tokens when it is changed, and all of them on lock', async () => {
      const { hiddenZone } = world.core;
      const unlockedBy = async (hiddenToken: string) =>
        (await hiddenZone.pinState({ ...world.caller, hiddenToken })).unlocked;
      const first = await hiddenZone.unlockZone(world.caller, '1234');
      expect(await unlockedBy(first.token)).to.equal(true);
      const second = await hiddenZone.setPin(world.caller, { pin: '5678', oldPin: '1234' });
      expect([await unlockedBy(first.token), await unlockedBy(second.token)]).to.deep.equal([
        false,
        true,
      ]);
      await hiddenZone.lockZone(world.caller);
      expect(await unlockedBy(second.token)).to.equal(false);
      const third = await hiddenZone.unlockZone(world.caller, '5678');
      world.now += 900_000;
      expect(await unlockedBy(third.token)).to.equal(false);
    });

    it('follows a reference model of five attempts under any sequence of guesses', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 10 })), { maxLength: 20 }),
          async (guesses) => {
            await world.core.hiddenZone.setPin(world.caller, { pin: '1234', oldPin: '1234' });
            let wrong = 0;
            let lockedUntil = 0;
            for (const [right, minutes] of guesses) {
              world.now += minutes * 60_000;
              const expected =
                lockedUntil > world.now ? 'rate_limited' : right ? 'ok' : 'wrong_pin';
              if (expected !== 'rate_limited') {
                if (lockedUntil) [wrong, lockedUntil] = [0, 0];
                wrong = right ? 0 : wrong + 1;
                if (wrong === 5) lockedUntil = world.now + 15 * 60_000;
              }
              expect(await unlock(right ? '1234' : '0000')).to.equal(expected);
            }
            world.now += 15 * 60_000;
            expect(await unlock('1234')).to.equal('ok');
          },
        ),
        { numRuns: name === 'memory' ? 60 : 10 },
      ));
  });
