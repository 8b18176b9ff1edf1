import { expect } from 'chai';
import fc from 'fast-check';
import { PASSWORD_ATTEMPTS } from '../../core/sign-in/sign-in-attempts.ts';
import { admitAttempt, type Tries } from '../../core/shared/attempts.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { backends, type Backend } from '../backends.ts';
import {
  MINUTE_MS,
  PASSWORD,
  codeOf,
  network,
  openPasswordWorld,
  outcomeOf,
  type Outcome,
  type PasswordWorld,
} from './password-fixture.ts';

const WINDOW_MS = 15 * MINUTE_MS;
const SLOW_MS = 5_000;
const WRONG = 'not the right password';

describe('attempts in a process that knows nothing else', () => {
  /** Networks that try to guess, each at its own moments, and an owner who obeys Retry-After. */
  const flood = fc.record({
    networks: fc.integer({ min: 1, max: 59 }),
    everyMs: fc.integer({ min: 50, max: 2_000 }),
    seconds: fc.integer({ min: 1, max: 1_800 }),
  });

  it('leave a turn to an owner who obeys Retry-After, however fast guessers of fewer than sixty networks repeat', () =>
    fc.assert(
      fc.property(flood, ({ networks, everyMs, seconds }) => {
        const own = new Map<string, Tries>();
        let all: Tries = {
          // A hundred wrong passwords a moment ago, of networks that are not seen again.
          attemptTimes: Array.from({ length: 100 }, () => 0),
          reservedAt: null,
        };
        let now = 1;
        const attempt = (who: string, isRight: boolean) => {
          const verdict = admitAttempt(PASSWORD_ATTEMPTS, own.get(who), all, now);
          const stored = verdict.admitted ? verdict : verdict.reserved;
          if (stored && !(verdict.admitted && isRight)) {
            own.set(who, stored.own);
            all = stored.all;
          }
          return verdict;
        };
        const guessUntil = (end: number) => {
          for (let i = 0; now < end; now += everyMs, i++) attempt(`guesser ${i % networks}`, false);
          now = Math.max(now, end);
        };
        guessUntil(seconds * 1_000);
        const began = now;
        let verdict = attempt('owner', true);
        for (let i = 0; i < 20 && !verdict.admitted; i++) {
          guessUntil(now + Math.ceil(verdict.retryAfterMs / 1_000) * 1_000);
          verdict = attempt('owner', true);
        }
        expect(verdict.admitted).to.equal(true);
        expect(now - began).to.be.at.most(6 * MINUTE_MS);
      }),
      { numRuns: 30 },
    ));
});

for (const [name, open] of backends)
  describe(`${name}: wrong passwords`, () => {
    let backend: Backend;
    let world: PasswordWorld;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openPasswordWorld(backend);
    });

    it('are compared at most ten times for a name and network in any 15 minutes, and lock out no longer than that', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              afterMs: fc.integer({ min: 0, max: 3 * MINUTE_MS }),
              isRight: fc.boolean(),
              from: fc.constantFrom('192.0.2.1', '192.0.2.77', '198.51.100.1'),
            }),
            { minLength: 1, maxLength: 50 },
          ),
          async (tries) => {
            const account = await world.account();
            const wrong: { readonly at: number; readonly net: string }[] = [];
            for (const { afterMs, isRight, from } of tries) {
              world.now += afterMs;
              const net = from.slice(0, 8);
              const recent = wrong.filter(
                (each) => each.net === net && each.at > world.now - WINDOW_MS,
              );
              const compared = world.hasher.compared;
              const outcome = await world.trySignIn(account.name, isRight ? PASSWORD : WRONG, from);
              const [first] = recent;
              if (first && recent.length >= 10) {
                const wait = Math.ceil((first.at + WINDOW_MS - world.now) / 1_000);
                expect(outcome).to.deep.equal({ code: 'rate_limited', wait });
                expect(world.hasher.compared).to.equal(compared);
              } else if (isRight) expect(outcome.code).to.equal('ok');
              else {
                expect(outcome.code).to.equal('sign_in_failed');
                wrong.push({ at: world.now, net });
              }
            }
          },
        ),
        { numRuns: name === 'memory' ? 60 : 5 },
      ));

    it('at the same time are counted before they are compared', async () => {
      const account = await world.account();
      // Of the accounts of other specs in the same database, some have the same name.
      const hashes = Math.max(1, await backend.directory.maxAccountsOfName());
      const [one, many] = await Promise.all([
        Promise.all(
          Array.from({ length: 8 }, () => world.trySignIn(account.name, WRONG, '192.0.2.1')),
        ),
        Promise.all(
          Array.from({ length: 20 }, (_, i) => world.trySignIn(account.name, WRONG, network(i))),
        ),
      ]);
      const failed = [...one, ...many].filter(({ code }) => code === 'sign_in_failed');
      expect(failed).to.have.length(28);
      expect(world.hasher.compared).to.equal(28 * hashes);
      const more: Outcome[] = [];
      for (let i = 0; i < 4; i++)
        more.push(await world.trySignIn(account.name, WRONG, '192.0.2.1'));
      expect(more.map(({ code }) => code)).to.deep.equal([
        'sign_in_failed',
        'sign_in_failed',
        'rate_limited',
        'rate_limited',
      ]);
    });

    it('are not counted if they were right, or could not be compared', async () => {
      const account = await world.account();
      const matches = world.hasher.matches.bind(world.hasher);
      world.hasher.matches = () => Promise.reject(new UnavailableError('passwords', 'busy'));
      for (let i = 0; i < 12; i++)
        expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('UnavailableError');
      world.hasher.matches = matches;
      for (let i = 0; i < 12; i++)
        expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('ok');
      for (let i = 0; i < 10; i++)
        expect(await codeOf(world.enter(account.name, WRONG))).to.equal('sign_in_failed');
      expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('rate_limited');
    });

    it('never wait without limit: eight checks of a network and 32 of a process', async () => {
      const account = await world.account();
      const release: (() => void)[] = [];
      world.hasher.matches = () =>
        new Promise((resolve) => {
          release.push(() => resolve(false));
        });
      const attempts = Array.from({ length: 10 }, (_, net) =>
        Array.from({ length: 10 }, () =>
          world.trySignIn(`${account.name} ${net}`, WRONG, network(net)),
        ),
      ).flat();
      const early: Outcome[] = [];
      for (const attempt of attempts) void attempt.then((outcome) => early.push(outcome));
      // Nothing is compared until all the others are rejected.
      while (early.length < 68) await new Promise((resolve) => setImmediate(resolve));
      expect(new Set(early.map(({ code }) => code))).to.deep.equal(
        new Set(['rate_limited', 'unavailable']),
      );
      let isDone = false;
      const all = Promise.all(attempts).finally(() => (isDone = true));
      // Only one comparison of a network runs at a time; the others of it follow when it ends.
      while (!isDone) {
        for (const each of release.splice(0)) each();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const codes = (await all).map(({ code }) => code);
      expect(codes.filter((code) => code === 'sign_in_failed')).to.have.length(32);
      expect(
        (await Promise.all(attempts)).every(
          ({ code, wait }) => wait > 0 !== (code === 'sign_in_failed'),
        ),
      ).to.equal(true);
    });

    describe('of many networks', () => {
      /** A hundred wrong passwords, each of its own network. */
      const exhaust = async (account: string): Promise<void> => {
        for (let i = 0; i < 100; i++)
          expect((await world.trySignIn(account, WRONG, network(i))).code).to.equal(
            'sign_in_failed',
          );
      };

      it('are compared one every five seconds after a hundred, and the owner gets a turn', async () => {
        const account = await world.account();
        await exhaust(account.name);
        let checked = 0;
        let next = 100;
        let mine: Outcome | undefined;
        for (let second = 0; second < 60; second++) {
          for (let i = 0; i < 5; i++) {
            const { code } = await world.trySignIn(account.name, WRONG, network(next++));
            if (code === 'sign_in_failed') checked++;
          }
          mine ??= await world.trySignIn(account.name, PASSWORD, '203.0.113.9');
          world.now += 1_000;
        }
        expect(checked).to.be.within(1, 60_000 / SLOW_MS + 1);
        const { code, wait = 0 } = mine ?? {};
        expect(code).to.equal('rate_limited');
        expect(wait).to.be.within(1, 300);
        world.now += Math.max(0, wait - 60) * 1_000;
        expect(await world.trySignIn(account.name, PASSWORD, '203.0.113.9')).to.deep.equal({
          code: 'ok',
          wait: 0,
        });
      }).timeout(120_000);

      it('affect neither sessions, nor other names, nor the change of the password', async () => {
        const account = await world.account();
        const other = await world.account();
        const signedIn = await world.enter(account.name, PASSWORD);
        await exhaust(account.name);
        expect((await world.trySignIn(account.name, WRONG, network(500))).code).to.equal(
          'sign_in_failed',
        );
        expect((await world.trySignIn(account.name, PASSWORD, network(501))).code).to.equal(
          'rate_limited',
        );
        expect((await world.trySignIn(other.name, PASSWORD, network(501))).code).to.equal('ok');
        const caller = await world.callerOf(signedIn);
        const change = { current: PASSWORD, password: 'nine patient hedgehogs' };
        expect(await codeOf(world.core.signIn.setPassword(caller, change))).to.equal('ok');
      });
    });

    it('to change the password are limited as well, and do not limit the sign-in', async () => {
      const account = await world.account();
      const change = (current: string) =>
        outcomeOf(
          world.core.signIn.setPassword(account.caller, {
            current,
            password: 'nine patient hedgehogs',
          }),
        );
      for (let i = 0; i < 10; i++) expect((await change(WRONG)).code).to.equal('wrong_password');
      expect(await change(PASSWORD)).to.deep.equal({ code: 'rate_limited', wait: 15 * 60 });
      expect(await codeOf(world.enter(account.name, PASSWORD, '127.0.0.1'))).to.equal('ok');
      world.now += WINDOW_MS;
      expect((await change(PASSWORD)).code).to.equal('ok');
    });
  });
