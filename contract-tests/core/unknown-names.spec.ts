import { expect } from 'chai';
import fc from 'fast-check';
import { backends, type Backend } from '../backends.ts';
import {
  MINUTE_MS,
  network,
  openPasswordWorld,
  type Outcome,
  type PasswordWorld,
} from './password-fixture.ts';

/** Writes down the name of every call, in order. */
function traced<T extends object>(port: T, label: string, trace: string[]): T {
  return new Proxy(port, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        trace.push(`${label}.${String(key)}`);
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

/** Wrong passwords in a row, after a pause. */
interface Step {
  readonly afterMs: number;
  readonly from: number;
  readonly times: number;
  readonly password: string;
}

const attempts = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 4 * MINUTE_MS }),
      from: fc.nat({ max: 3 }),
      times: fc.integer({ min: 1, max: 6 }),
      password: fc.constantFrom(
        '',
        'a wrong password',
        'constructor',
        '__proto__',
        'é'.repeat(512),
      ),
    }),
    { minLength: 1, maxLength },
  );

for (const [name, open] of backends)
  describe(`${name}: a name without an account`, () => {
    let backend: Backend;
    let world: PasswordWorld;
    const trace: string[] = [];
    // A database syncs every write.
    const isMemory = name === 'memory';
    before(async () => {
      backend = await open();
      world = await openPasswordWorld({
        ...backend,
        uow: traced(backend.uow, 'uow', trace),
        directory: traced(backend.directory, 'directory', trace),
        signInAttempts: traced(backend.signInAttempts, 'attempts', trace),
      });
      const { hasher } = world;
      Object.assign(hasher, traced({ matches: hasher.matches.bind(hasher) }, 'hasher', trace));
    });
    after(() => backend.close());

    /** The replies to a sequence, and all calls of ports that it caused. */
    async function replies(who: string, sequence: readonly Step[]) {
      const outcomes: Outcome[] = [];
      // The last use of the tokens that created the accounts is written in the background.
      await world.core.identity.flushLastUse();
      trace.length = 0;
      for (const { afterMs, from, times, password } of sequence) {
        world.now += afterMs;
        for (let i = 0; i < times; i++)
          outcomes.push(await world.trySignIn(who, password, network(from)));
      }
      return { outcomes, calls: [...trace] };
    }

    it('gets the same replies, after the same calls, as one with an account or with several', async () => {
      const one = await world.account();
      const several = await world.account();
      await world.account('nine patient hedgehogs', several.name.toUpperCase());
      await world.account('a third one of the name', several.name);
      const locked = await world.account(null);
      let nth = 0;
      await fc.assert(
        fc.asyncProperty(attempts(isMemory ? 25 : 6), async (sequence) => {
          // Beyond everything that was counted before.
          world.now += 60 * MINUTE_MS;
          const start = world.now;
          const expected = await replies(`unknown ${++nth} ${one.name}`, sequence);
          for (const { name: who } of [one, several, locked]) {
            world.now = start;
            expect(await replies(who, sequence)).to.deep.equal(expected);
          }
        }),
        { numRuns: isMemory ? 40 : 2 },
      );
    }).timeout(120_000);

    it('gets the same replies while a hundred networks guess it', async () => {
      const known = await world.account();
      world.now += 60 * MINUTE_MS;
      const start = world.now;
      const flood = async (who: string) => {
        world.now = start;
        await world.core.identity.flushLastUse();
        trace.length = 0;
        const outcomes: Outcome[] = [];
        for (let i = 0; i < (isMemory ? 180 : 120); i++) {
          world.now += 100;
          outcomes.push(await world.trySignIn(who, 'a wrong password', network(i % 110)));
        }
        return { outcomes, calls: [...trace] };
      };
      const expected = await flood(`unknown ${known.name}`);
      expect(new Set(expected.outcomes.map(({ code }) => code))).to.deep.equal(
        new Set(['sign_in_failed', 'rate_limited']),
      );
      expect(await flood(known.name)).to.deep.equal(expected);
    }).timeout(120_000);
  });
