import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { webAuthnVerifier } from '../../adapters/webauthn/passkey-verifier.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { PasskeyVerifier, WebAuthnJson } from '../../ports/passkeys.ts';
import type { SecurityEventKind } from '../../ports/security-events.ts';
import { MAX_PASSKEYS } from '../../ports/sign-in.ts';
import { backends, type Backend } from '../backends.ts';
import { NO_CLIENT } from '../no-client.ts';
import {
  SoftwareAuthenticator,
  newKey,
  type Changes,
  type CreationOptions,
  type RequestOptions,
} from '../software-authenticator.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const ORIGIN = 'https://workspace.test';
const CHALLENGE_MS = 5 * 60_000;
const SOURCE = { client: NO_CLIENT, current: undefined };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

/** An owner's device with one passkey. */
interface Device {
  readonly caller: Caller;
  readonly authenticator: SoftwareAuthenticator;
  readonly id: string;
}

function openBench(world: CoreFixture, backend: Backend) {
  const { core, caller } = world;
  const register = async (
    owner: Caller = caller,
    authenticator = new SoftwareAuthenticator(ORIGIN),
    changes: Changes = {},
  ): Promise<Device> => {
    const options = await core.signIn.beginPasskey(owner);
    const response = authenticator.create(options as unknown as CreationOptions, changes);
    const { id } = await core.signIn.addPasskey(owner, { name: 'Laptop', response });
    return { caller: owner, authenticator, id };
  };
  const answer = async ({ authenticator }: Device, changes: Changes = {}) => {
    const options = await core.signIn.beginPasskeySignIn();
    return authenticator.get(options as unknown as RequestOptions, changes);
  };
  const signIn = (response: WebAuthnJson) => core.signIn.signInWithPasskey(response, SOURCE);
  const eventsOf = async (owner: Caller, kind: SecurityEventKind) =>
    backend.uow.read(owner.scope, ({ securityEvents }) =>
      securityEvents.page({ visibility: 'any', kind }, { limit: 100 }),
    );
  const alertsOf = async (owner: Caller) => {
    const { items } = await core.notifications.listNotifications(owner, {
      limit: 100,
      offset: 0,
      unreadOnly: false,
    });
    return items.filter(({ title }) => title === 'A passkey may have been copied');
  };
  const newOwner = async (): Promise<Caller> => {
    const { first } = await core.identity.createOwner({ name: 'other', tenant: caller.tenant.id });
    return core.identity.authenticate({ bearer: first.bearer }, NO_CLIENT);
  };
  return { register, answer, signIn, eventsOf, alertsOf, newOwner };
}

for (const [name, open] of backends)
  describe(`passkeys on ${name}`, () => {
    let backend: Backend;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());

    const openWorld = async (over: Parameters<typeof openCoreFixture>[2] = {}) => {
      const world = await openCoreFixture(backend, undefined, over);
      return { world, ...openBench(world, backend) };
    };

    it('sign their owner in, with a session that is accepted', async () => {
      const { world, register, answer, signIn, eventsOf } = await openWorld();
      for (const algorithm of ['ES256', 'EdDSA'] as const) {
        const device = await register(undefined, new SoftwareAuthenticator(ORIGIN, algorithm));
        world.now += 60_000;
        const { secret, owner, session } = await signIn(await answer(device));
        expect(owner.id).to.equal(world.caller.owner.id);
        const signedIn = await world.core.identity.authenticate({ session: secret }, NO_CLIENT);
        expect(signedIn.credential).to.have.nested.property('session.method', 'passkey');
        expect((await eventsOf(world.caller, 'signed_in'))[0]?.subject).to.equal(session.id);
        const { items } = await world.core.signIn.listPasskeys(signedIn);
        const used = items.find(({ id }) => id === device.id);
        expect(used).to.deep.include({ counter: 2, lastUsedAt: world.now });
      }
    });

    it('accept a challenge from one of many concurrent callers, and never again', async () => {
      const { register, answer, signIn } = await openWorld();
      const device = await register(undefined, new SoftwareAuthenticator(ORIGIN, 'ES256', null));
      const response = await answer(device);
      const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(signIn(response))));
      expect(codes.sort()).to.deep.equal(['ok', ...Array<string>(7).fill('sign_in_failed')]);
      expect(await codeOf(signIn(response))).to.equal('sign_in_failed');
    });

    it('reject an answer after five minutes, and one to a challenge of another ceremony', async () => {
      const { world, register, answer, signIn } = await openWorld();
      const device = await register();
      const response = await answer(device);
      world.now += CHALLENGE_MS;
      expect(await codeOf(signIn(response))).to.equal('sign_in_failed');
      const { challenge } = (await world.core.signIn.beginPasskey(world.caller)) as {
        challenge: string;
      };
      expect(await codeOf(signIn(await answer(device, { challenge })))).to.equal('sign_in_failed');
      const begun = (await world.core.signIn.beginPasskeySignIn()) as { challenge: string };
      const made = new SoftwareAuthenticator(ORIGIN).create({
        challenge: begun.challenge,
        rp: { id: 'workspace.test' },
        user: { id: 'AA' },
      });
      const added = world.core.signIn.addPasskey(world.caller, { name: 'x', response: made });
      expect(await codeOf(added)).to.equal('passkey_rejected');
    });

    it('refuse a counter that went back, and notify the owner', async () => {
      const { register, answer, signIn, eventsOf, alertsOf, world } = await openWorld();
      const device = await register();
      const copy = await answer(device, { counter: 5 });
      const original = await answer(device, { counter: 6 });
      await signIn(original);
      for (const response of [copy, await answer(device, { counter: 6 })])
        expect(await codeOf(signIn(response))).to.equal('sign_in_failed');
      const failed = await eventsOf(world.caller, 'sign_in_failed');
      expect(failed.map(({ subject }) => subject)).to.deep.equal([device.id, device.id]);
      expect(failed[0]?.detail).to.include('counter went back');
      expect((await alertsOf(world.caller)).map(({ payload }) => payload)).to.deep.equal(
        failed.map(({ id, kind, at }) => ({
          event_id: id,
          kind,
          alert: 'copied_passkey',
          client: '',
          network: failed[0]?.network,
          at: new Date(at).toISOString(),
          attempts: 0,
          passkey: 'Laptop',
        })),
      );
      expect(await eventsOf(world.caller, 'signed_in')).to.have.length(1);
      await signIn(await answer(device, { counter: 7 }));
    });

    it('reject every invalid answer with the same error', async () => {
      const { register, answer, signIn, eventsOf, newOwner, world } = await openWorld();
      const device = await register();
      const other = await register(await newOwner());
      const handle = (await answer(other)).response.userHandle;
      const wrong: readonly Changes[] = [
        { key: newKey('ES256').privateKey },
        { userHandle: handle },
        { userHandle: '' },
        { isUserVerified: false },
        { origin: 'https://evil.example' },
      ];
      for (const changes of wrong)
        expect(await codeOf(signIn(await answer(device, changes)))).to.equal('sign_in_failed');
      const unknown = { credentialId: randomBytes(32) };
      expect(await codeOf(signIn(await answer(device, unknown)))).to.equal('sign_in_failed');
      // An empty user handle is malformed: its challenge stays, and nothing is recorded.
      expect(await eventsOf(world.caller, 'sign_in_failed')).to.have.length(wrong.length - 1);
      expect(await eventsOf(other.caller, 'sign_in_failed')).to.deep.equal([]);
      await signIn(await answer(device));
    });

    it('record at most ten invalid answers a minute, so that a known credential id cannot fill the log', async () => {
      const { register, answer, signIn, eventsOf, world } = await openWorld();
      const device = await register();
      const key = newKey('ES256').privateKey;
      const rejected = async (times: number) => {
        for (let i = 0; i < times; i++)
          expect(await codeOf(signIn(await answer(device, { key })))).to.equal('sign_in_failed');
        return (await eventsOf(world.caller, 'sign_in_failed')).length;
      };
      expect(await rejected(15)).to.equal(10);
      world.now += 61_000;
      expect(await rejected(1)).to.equal(11);
    });

    it('belong to one owner: no other owner sees, changes or registers them', async () => {
      const { world, register, newOwner } = await openWorld();
      const device = await register();
      const other = await newOwner();
      const { core } = world;
      const [passkey] = (await core.signIn.listPasskeys(world.caller)).items;
      const credentialId = Buffer.from(passkey?.credentialId ?? '', 'base64url');
      expect((await core.signIn.listPasskeys(other)).total).to.equal(0);
      expect(await codeOf(core.signIn.renamePasskey(other, device.id, 'x'))).to.equal('not_found');
      expect(await codeOf(core.signIn.removePasskey(other, device.id))).to.equal('not_found');
      for (const owner of [world.caller, other]) {
        const again = register(owner, new SoftwareAuthenticator(ORIGIN), { credentialId });
        expect(await codeOf(again)).to.equal('passkey_rejected');
      }
      const begun = await core.signIn.beginPasskey(world.caller);
      const response = new SoftwareAuthenticator(ORIGIN).create(
        begun as unknown as CreationOptions,
      );
      const stolen = core.signIn.addPasskey(other, { name: 'x', response });
      expect(await codeOf(stolen)).to.equal('passkey_rejected');
      expect((await core.signIn.listPasskeys(world.caller)).items).to.deep.equal([passkey]);
    });

    it(`are at most ${MAX_PASSKEYS}, however many registrations were begun before`, async () => {
      const { world, register } = await openWorld();
      const { core, caller } = world;
      for (let i = 1; i < MAX_PASSKEYS; i++) await register();
      const options = await core.signIn.beginPasskey(caller);
      const response = new SoftwareAuthenticator(ORIGIN).create(
        options as unknown as CreationOptions,
      );
      await backend.uow.write(caller.scope, ({ signInMethods }) =>
        signInMethods.addPasskey({
          id: world.caller.owner.id,
          credentialId: randomBytes(16).toString('base64url'),
          publicKey: '',
          counter: 0,
          transports: [],
          isBackupEligible: false,
          isBackedUp: false,
          name: 'one more',
          createdAt: 0,
          lastUsedAt: null,
        }),
      );
      const last = core.signIn.addPasskey(caller, { name: 'x', response });
      expect(await codeOf(last)).to.equal('too_many_passkeys');
      expect(await codeOf(core.signIn.beginPasskey(caller))).to.equal('too_many_passkeys');
      const { items } = await core.signIn.listPasskeys(caller);
      expect(items).to.have.length(MAX_PASSKEYS);
      await core.signIn.removePasskey(caller, items[0]?.id ?? '');
      await register();
    });

    it('can be removed down to the last one by a session, and all of them by a token', async () => {
      const { world, register, answer, signIn, eventsOf } = await openWorld();
      const { core, caller } = world;
      const [first, second] = [await register(), await register()];
      const { secret } = await signIn(await answer(second));
      const session = await core.identity.authenticate({ session: secret }, NO_CLIENT);
      const both = await Promise.all(
        [first, second].map(({ id }) => codeOf(core.signIn.removePasskey(session, id))),
      );
      expect(both.sort()).to.deep.equal(['last_sign_in', 'ok']);
      const [left] = (await core.signIn.listPasskeys(caller)).items;
      await core.signIn.removePasskey(caller, left?.id ?? '');
      expect((await core.signIn.listPasskeys(caller)).total).to.equal(0);
      expect(await eventsOf(caller, 'passkey_removed')).to.have.length(2);
      expect(await eventsOf(caller, 'passkey_added')).to.have.length(2);
      for (const device of [first, second])
        expect(await codeOf(signIn(await answer(device)))).to.equal('sign_in_failed');
    });

    it('are not added for a session that ends while the answer is verified', async () => {
      const real = webAuthnVerifier(() => ORIGIN);
      let meanwhile = async () => undefined as unknown;
      const passkeys: PasskeyVerifier = {
        ...real,
        verifyRegistration: async (...input) => {
          const verified = await real.verifyRegistration(...input);
          await meanwhile();
          return verified;
        },
      };
      const { world, register, answer, signIn } = await openWorld({ passkeys });
      const { core, caller } = world;
      const { secret } = await signIn(await answer(await register()));
      const session = await core.identity.authenticate({ session: secret }, NO_CLIENT);
      meanwhile = () => core.signIn.signOut(session);
      expect(await codeOf(register(session))).to.equal('unauthorized');
      expect((await core.signIn.listPasskeys(caller)).total).to.equal(1);
    });

    it('do not sign in if they are removed while their answer is verified', async () => {
      const real = webAuthnVerifier(() => ORIGIN);
      let meanwhile = async () => undefined as unknown;
      const passkeys: PasskeyVerifier = {
        ...real,
        verifyAssertion: async (...input) => {
          const verified = await real.verifyAssertion(...input);
          await meanwhile();
          return verified;
        },
      };
      const { world, register, answer, signIn, eventsOf } = await openWorld({ passkeys });
      const device = await register();
      meanwhile = () => world.core.signIn.removePasskey(world.caller, device.id);
      expect(await codeOf(signIn(await answer(device)))).to.equal('sign_in_failed');
      expect(await eventsOf(world.caller, 'signed_in')).to.deep.equal([]);
    });

    it('are registered with the latest options only', async () => {
      const { world } = await openWorld();
      const { core, caller } = world;
      const begin = () => core.signIn.beginPasskey(caller) as Promise<unknown>;
      const [first, second] = [await begin(), await begin()];
      const codes: string[] = [];
      for (const options of [first, second]) {
        const response = new SoftwareAuthenticator(ORIGIN).create(options as CreationOptions);
        codes.push(await codeOf(core.signIn.addPasskey(caller, { name: 'x', response })));
      }
      expect(codes).to.deep.equal(['passkey_rejected', 'ok']);
    });

    it('behave as a model of them does, in any order of use', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
          const { world, ...bench } = await openWorld();
          const owners = [world.caller, await bench.newOwner()];
          const model = createModel(world, bench, owners);
          for (const each of steps) await model.run(each);
          await model.check();
        }),
        { numRuns: name === 'memory' ? 60 : 10 },
      );
    });
  });

const STEPS = [
  'register',
  'sign-in',
  'replay',
  'copy',
  'forge',
  'remove',
  'late',
  'interrupted',
] as const;

const step = fc.record({
  kind: fc.constantFrom(...STEPS),
  owner: fc.nat(1),
  device: fc.nat(3),
  counts: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a correct service does with each step, and how many events it must have recorded. */
function createModel(
  world: CoreFixture,
  { register, answer, signIn, eventsOf, alertsOf }: ReturnType<typeof openBench>,
  owners: readonly Caller[],
) {
  const devices: { device: Device; isRemoved: boolean; counts: boolean }[] = [];
  const counted = owners.map(() => ({ added: 0, removed: 0, signedIn: 0, failed: 0, alerts: 0 }));
  const answered: WebAuthnJson[] = [];
  const run = async ({ kind, owner, device: index, counts }: Step): Promise<void> => {
    const caller = owners[owner] as Caller;
    if (kind === 'register') {
      const authenticator = new SoftwareAuthenticator(ORIGIN, 'ES256', counts ? 0 : null);
      devices.push({ device: await register(caller, authenticator), isRemoved: false, counts });
      counted[owner]!.added++;
      return;
    }
    const known = devices.at(index % Math.max(devices.length, 1));
    if (!known) return;
    const { device } = known;
    const of = counted[owners.indexOf(device.caller)]!;
    const expectFailure = async (response: WebAuthnJson, isCopy = false): Promise<void> => {
      expect(await codeOf(signIn(response)), kind).to.equal('sign_in_failed');
      if (known.isRemoved) return;
      of.failed++;
      if (isCopy) of.alerts++;
    };
    switch (kind) {
      case 'sign-in': {
        const response = await answer(device);
        answered.push(response);
        if (known.isRemoved) return expectFailure(response);
        expect((await signIn(response)).owner.id).to.equal(device.caller.owner.id);
        of.signedIn++;
        return;
      }
      case 'copy':
        // The device signs, but its answer is delayed until it has signed once more.
        if (!known.counts || known.isRemoved) return;
        await run({ kind: 'sign-in', owner, device: index, counts });
        return expectFailure(
          await answer(device, { counter: (device.authenticator.counter ?? 0) - 1 }),
          true,
        );
      case 'forge':
        return expectFailure(await answer(device, { key: newKey('ES256').privateKey }));
      case 'replay':
        for (const response of answered)
          expect(await codeOf(signIn(response)), kind).to.equal('sign_in_failed');
        return;
      case 'late': {
        const response = await answer(device);
        world.now += CHALLENGE_MS;
        expect(await codeOf(signIn(response)), kind).to.equal('sign_in_failed');
        return;
      }
      case 'remove':
        expect(await codeOf(world.core.signIn.removePasskey(device.caller, device.id))).to.equal(
          known.isRemoved ? 'not_found' : 'ok',
        );
        if (!known.isRemoved) of.removed++;
        known.isRemoved = true;
        return;
      case 'interrupted':
        // Options whose answer never arrives have no effect.
        await answer(device);
        await world.core.signIn.beginPasskey(caller);
        return;
    }
  };
  const check = async (): Promise<void> => {
    for (const [i, caller] of owners.entries()) {
      const count = async (kind: SecurityEventKind) => (await eventsOf(caller, kind)).length;
      expect({
        added: await count('passkey_added'),
        removed: await count('passkey_removed'),
        signedIn: await count('signed_in'),
        failed: await count('sign_in_failed'),
        alerts: (await alertsOf(caller)).length,
      }).to.deep.equal(counted[i]);
      const left = devices.filter(
        ({ device, isRemoved }) => device.caller === caller && !isRemoved,
      );
      const { items } = await world.core.signIn.listPasskeys(caller);
      expect(items.map(({ id }) => id).sort()).to.deep.equal(
        left.map(({ device }) => device.id).sort(),
      );
    }
  };
  return { run, check };
}
