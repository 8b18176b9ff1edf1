import { expect } from 'chai';
import fc from 'fast-check';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import {
  MINUTE_MS,
  codeOf,
  network,
  openPasswordWorld,
  type NamedAccount,
  type PasswordWorld,
} from './password-fixture.ts';

const WRONG = 'not the right password';

for (const [name, open] of backends)
  describe(`${name}: failed sign-ins`, () => {
    let backend: Backend;
    let world: PasswordWorld;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openPasswordWorld(backend);
    });

    const record = () => world.core.background.recordFailedSignIns();
    const failuresOf = async (account: NamedAccount) =>
      (await world.eventsOf(account)).filter(({ kind }) => kind === 'sign_in_failed');

    it('are recorded for every account of the name, with the network and without the password', async () => {
      const account = await world.account();
      const namesake = await world.account('nine patient hedgehogs', account.name.toUpperCase());
      const stranger = await world.account();
      await world.trySignIn(account.name, WRONG, '198.51.100.7');
      await world.trySignIn(`unknown ${account.name}`, WRONG, '198.51.100.7');
      expect(await failuresOf(account)).to.deep.equal([]);
      await record();
      for (const each of [account, namesake]) {
        const [event, ...more] = await failuresOf(each);
        expect(more).to.deep.equal([]);
        expect(event).to.include({ network: '198.51.100.0/24', subject: '' });
        expect(event?.actor).to.deep.equal({ kind: 'visitor', id: '', name: '' });
        expect(JSON.stringify(event)).not.to.include(WRONG).and.not.include('198.51.100.7');
      }
      expect(await failuresOf(stranger)).to.deep.equal([]);
      await record();
      expect(await failuresOf(account)).to.have.length(1);
    });

    it('get an event each up to ten in a day, and then one a minute that counts them', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              afterMs: fc.integer({ min: 0, max: 2 * MINUTE_MS }),
              times: fc.integer({ min: 0, max: 7 }),
            }),
            { minLength: 1, maxLength: 25 },
          ),
          async (steps) => {
            const account = await world.account();
            let [failed, next] = [0, 0];
            for (const { afterMs, times } of steps) {
              world.now += afterMs;
              for (let i = 0; i < times; i++) {
                const { code } = await world.trySignIn(account.name, WRONG, network(next++));
                if (code === 'sign_in_failed') failed++;
              }
              await record();
            }
            world.now += MINUTE_MS;
            await record();
            const events = await failuresOf(account);
            const counted = events.map(({ detail }) =>
              Number(/last of (\d+)/.exec(detail)?.[1] ?? 1),
            );
            expect(counted.reduce((sum, count) => sum + count, 0)).to.equal(failed);
            expect(counted.slice(0, 10).every((count) => count === 1)).to.equal(true);
            const later = events.slice(10).map(({ at }) => at);
            for (const [i, at] of later.entries())
              expect(at - (later[i - 1] ?? events[9]?.at ?? 0)).to.be.at.least(MINUTE_MS);
          },
        ),
        { numRuns: name === 'memory' ? 40 : 4 },
      ));

    it('notify the owner of the tenth in a day, and not of every further one', async () => {
      const account = await world.account();
      for (let i = 0; i < 25; i++) {
        await world.trySignIn(account.name, WRONG, network(i));
        await record();
        world.now += MINUTE_MS;
        const { items } = await backend.uow.read(account.caller.scope, ({ notifications }) =>
          notifications.page('any', false, { limit: 50, offset: 0 }),
        );
        expect(items.filter(({ kind }) => kind === 'security.alert')).to.have.length(i < 9 ? 0 : 1);
      }
    });

    it('of the current password are recorded with the session that sent it', async () => {
      const account = await world.account();
      const change = { current: WRONG, password: 'nine patient hedgehogs' };
      expect(await codeOf(world.core.signIn.setPassword(account.caller, change))).to.equal(
        'wrong_password',
      );
      await record();
      const [event] = await failuresOf(account);
      expect(event?.actor).to.deep.include({ kind: 'token', name: 'first' });
      expect(event?.detail).to.include('current password');
    });

    it('are recorded after an outage of the database', async () => {
      let isDown = false;
      const away = new UnavailableError('database', 'down');
      world = await openPasswordWorld({
        ...backend,
        uow: {
          read: backend.uow.read.bind(backend.uow),
          write: (scope, work, size) =>
            isDown ? Promise.reject(away) : backend.uow.write(scope, work, size),
        },
      });
      const account = await world.account();
      for (let i = 0; i < 3; i++) await world.trySignIn(account.name, WRONG, network(i));
      isDown = true;
      for (let i = 0; i < 3; i++)
        expect(await record().catch((error: unknown) => error)).to.equal(away);
      isDown = false;
      await record();
      expect((await failuresOf(account)).map(({ network: each }) => each)).to.deep.equal([
        '10.0.0.0/24',
        '10.0.1.0/24',
        '10.0.2.0/24',
      ]);
    });
  });
