import { expect } from 'chai';
import fc from 'fast-check';
import { newCode, plainCode } from '../../core/referral/code.ts';
import { newTask } from '../../core/tasks/index.ts';
import { CREDIT_TASK } from '../../core/referral/index.ts';
import { backends } from '../backends.ts';
import { openCoreFixture } from './core-fixture.ts';

for (const [name, open] of backends)
  describe(`a referral on ${name}`, () => {
    it('is credited eventually, and once, by any worker and after any crash', async () => {
      const backend = await open();
      try {
        const [referrer, invited] = [
          await openCoreFixture(backend),
          await openCoreFixture(backend),
        ];
        await referrer.core.referral.getReferral(referrer.caller);
        const ids = { now: () => invited.now };
        const random = { uuid: () => crypto.randomUUID(), secret: () => '' };
        const { ownerId: referrerId } = referrer.caller.scope;
        // The state after a process crashed following the application, applied twice.
        await backend.uow.write(invited.caller.scope, async ({ referrals, tasks }) => {
          await referrals.apply({ referrerId, appliedAt: invited.now });
          for (let i = 0; i < 2; i++)
            await tasks.save(
              newTask({ clock: ids, random }, CREDIT_TASK, referrerId, { name: 'I' }),
            );
        });
        await invited.core.background.offerDueTasks();
        await invited.runPendingTasks();
        expect(await referrer.core.referral.getReferral(referrer.caller)).to.include({
          invited: 1,
        });
        const { items } = await referrer.core.notifications.listNotifications(referrer.caller, {
          unreadOnly: false,
          limit: 10,
          offset: 0,
        });
        expect(items.map(({ kind }) => kind)).to.deep.equal(['referral.credited']);
        const left = await backend.uow.read(invited.caller.scope, ({ tasks }) =>
          tasks.findFor(referrerId, CREDIT_TASK),
        );
        expect(left).to.deep.equal([]);
      } finally {
        await backend.close();
      }
    });
  });

describe('a referral code', () => {
  it('has ten unambiguous characters, and is recognised in any spelling', () =>
    fc.assert(
      fc.property(fc.base64String({ minLength: 44, maxLength: 44 }), fc.nat(9), (base64, at) => {
        const code = newCode(base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
        expect(code).to.match(/^[2-9A-HJKMNP-Z]{10}$/);
        expect(plainCode(` ${code.slice(0, at)}- ${code.slice(at).toLowerCase()}\n`)).to.equal(
          code,
        );
        expect(plainCode(`${code}A`)).to.equal('');
      }),
    ));
});
