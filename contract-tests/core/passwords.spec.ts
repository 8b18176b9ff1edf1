import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidInput } from '../../core/shared/errors.ts';
import { containsName, repeatedUnit, toOpaqueString } from '../../core/sign-in/password-rules.ts';
import { backends, type Backend } from '../backends.ts';
import {
  PASSWORD,
  codeOf,
  openPasswordWorld,
  somePasskey,
  type PasswordWorld,
} from './password-fixture.ts';

const OTHER = 'nine patient hedgehogs';

describe('the rules of a password', () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });

  it('find the shortest text that it repeats', () =>
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 6 }), fc.nat(), (unit, times, cut) => {
        const points = [...unit];
        const text = unit.repeat(times) + points.slice(0, cut % points.length).join('');
        const found = [...repeatedUnit(text)];
        expect(found.length).to.be.at.most(points.length);
        expect([...text].every((point, i) => point === found[i % found.length])).to.equal(true);
      }),
    ));

  it('find the name of the owner in any case and width, with any separators', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 3, maxLength: 12, unit: fc.constantFrom(...'adåßЖ9語') }),
        fc.array(fc.constantFrom('', ' ', '-', '_', '.', '\u00a0', '\u200d'), { minLength: 12 }),
        word,
        word,
        (name, separators, before, after) => {
          const spaced = [...name].map((letter, i) => letter + (separators[i] ?? '')).join('');
          for (const written of [name, spaced, spaced.normalize('NFD'), name.toLowerCase()])
            expect(containsName(`${before}.${written}.${after}`, name)).to.equal(true);
        },
      ),
    ));

  it('do not search for names of fewer than three characters', () => {
    for (const name of ['', 'A', 'Al', ' - ', '!!!!'])
      expect(containsName('al! seven - crooked !!!! umbrellas', name), name).to.equal(false);
    expect(containsName('crooked umbrellas', 'rook')).to.equal(true);
    expect(containsName('ＡＤＡ is wide', 'ada')).to.equal(true);
  });

  it('treat spaces and compositions of letters as equal, and nothing else (RFC 8265)', () => {
    expect(toOpaqueString('cafe\u0301\u00a0au\u3000lait')).to.equal('caf\u00e9 au lait');
    for (const kept of ['Abc', 'ａｂｃ', 'ﬁ', 'straße', 'a\tb', 'a  b '])
      expect(toOpaqueString(kept)).to.equal(kept);
  });
});

for (const [name, open] of backends)
  describe(`${name}: passwords`, () => {
    let backend: Backend;
    let world: PasswordWorld;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openPasswordWorld(backend);
    });

    const kindsOf = async (account: Parameters<PasswordWorld['eventsOf']>[0]) =>
      (await world.eventsOf(account)).map(({ kind }) => kind).filter((k) => k !== 'token_created');

    it('are rejected if they are short, long, common, repetitive or contain the name, and are not repeated', async () => {
      const { caller } = await world.account(null, 'Grace Hopper');
      const rejected = [
        'fourteen chars',
        '😀'.repeat(14),
        `${'e\u0301'.repeat(14)}`,
        'x'.repeat(129),
        'correct horse battery',
        'CORRECT horse batteryCORRECT horse battery',
        'correct horse batterycorrect',
        'aaaaaaaaaaaaaaaaaaa',
        '😀'.repeat(20),
        'I am grace_HOPPER of the navy',
        'I am ＧｒａｃｅＨｏｐｐｅｒ',
      ];
      for (const password of rejected) {
        const error: unknown = await world.core.signIn
          .setPassword(caller, { password })
          .catch((each: unknown) => each);
        expect(error, password).to.be.instanceOf(InvalidInput);
        const { part, field, message } = error as InvalidInput;
        expect([part, field]).to.deep.equal(['body', 'password']);
        expect(message).not.to.include(password);
      }
      expect(await kindsOf({ caller })).to.deep.equal([]);
      for (const password of ['fifteen letters', '😀x😀'.repeat(5), `${'ab c'.repeat(32)}`])
        expect(
          await codeOf(world.core.signIn.setPassword(caller, { password })),
          password,
        ).to.equal(password === 'fifteen letters' ? 'ok' : 'wrong_password');
    });

    it('are stored as a sealed hash', async () => {
      const { caller } = await world.account();
      const stored = await backend.uow.read(caller.scope, (s) => s.signInMethods.password());
      expect(stored?.sealedHash).not.to.include('hash of');
      expect(world.sealer.open(stored?.sealedHash ?? '')).to.equal(`hash of ${PASSWORD}`);
    });

    it('sign in with any case of the name and any composition of the letters', async () => {
      const { name: account, caller } = await world.account('caf\u00e9 au lait, no sugar');
      for (const written of [account, account.toUpperCase(), account.normalize('NFD')]) {
        const signedIn = await world.enter(written, 'cafe\u0301\u00a0au lait, no sugar');
        expect((await world.callerOf(signedIn)).owner).to.deep.equal(caller.owner);
        expect(signedIn.session.method).to.equal('password');
      }
      expect(await codeOf(world.enter(account, 'cafe au lait, no sugar'))).to.equal(
        'sign_in_failed',
      );
    });

    it('are changed with the current one only, by sessions and tokens', async () => {
      const account = await world.account();
      const session = await world.callerOf(await world.enter(account.name, PASSWORD));
      for (const caller of [account.caller, session])
        for (const current of [undefined, '', OTHER])
          expect(
            await codeOf(
              world.core.signIn.setPassword(caller, {
                password: OTHER,
                ...(current !== undefined && { current }),
              }),
            ),
          ).to.equal('wrong_password');
      expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('ok');
      const change = { password: OTHER, current: PASSWORD };
      await world.core.signIn.setPassword(session, change);
      expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('sign_in_failed');
      expect(await codeOf(world.enter(account.name, OTHER))).to.equal('ok');
    });

    it('end the other sessions when they are changed or removed, and say so in the log', async () => {
      const account = await world.account();
      const enter = () => world.enter(account.name, PASSWORD);
      const [mine, other, third] = [await enter(), await enter(), await enter()];
      const change = { password: OTHER, current: PASSWORD };
      await world.core.signIn.setPassword(await world.callerOf(mine), change);
      expect(await codeOf(world.callerOf(mine))).to.equal('ok');
      for (const ended of [other, third])
        expect(await codeOf(world.callerOf(ended))).to.equal('unauthorized');
      await world.core.signIn.removePassword(account.caller);
      expect(await codeOf(world.callerOf(mine))).to.equal('unauthorized');
      const events = await world.eventsOf(account);
      const seen = events.slice(-4).map(({ kind, actor }) => `${actor.kind} ${kind}`);
      expect(seen).to.deep.equal([
        'session password_set',
        'session session_ended',
        'token password_removed',
        'token session_ended',
      ]);
      expect(events.at(-3)?.detail).to.equal('The password was changed. 2 sessions were ended.');
      expect(JSON.stringify(events)).not.to.include(PASSWORD).and.not.include(OTHER);
    });

    it('do not end sessions when the first one is set', async () => {
      const account = await world.account();
      const signedIn = await world.enter(account.name, PASSWORD);
      const session = await world.callerOf(signedIn);
      await backend.uow.write(account.caller.scope, (s) => s.signInMethods.setPassword(null));
      await world.core.signIn.setPassword(account.caller, { password: OTHER });
      expect((await world.callerOf(signedIn)).credential).to.deep.equal(session.credential);
    });

    it('are not removed by a session if there is no other way to sign in', async () => {
      const { core } = world;
      const account = await world.account();
      const session = await world.callerOf(await world.enter(account.name, PASSWORD));
      expect(await codeOf(core.signIn.removePassword(session))).to.equal('last_sign_in');
      expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('ok');
      const passkey = somePasskey();
      await backend.uow.write(session.scope, (s) => s.signInMethods.addPasskey(passkey));
      expect(await codeOf(core.signIn.removePassword(session))).to.equal('ok');
      expect(await codeOf(core.signIn.removePassword(session))).to.equal('not_configured');
      await core.signIn.setPassword(session, { password: OTHER });
      await backend.uow.write(session.scope, (s) => s.signInMethods.removePasskey(passkey.id));
      expect(await codeOf(core.signIn.removePassword(session))).to.equal('last_sign_in');
    });

    it('are removed by a token in any case', async () => {
      const account = await world.account();
      expect(await codeOf(world.core.signIn.removePassword(account.caller))).to.equal('ok');
      expect(await codeOf(world.core.signIn.removePassword(account.caller))).to.equal(
        'not_configured',
      );
      expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('sign_in_failed');
    });

    it('belong to one of the accounts with the same name', async () => {
      const first = await world.account();
      const second = await world.account(OTHER, first.name.toUpperCase());
      const third = await world.account(PASSWORD, first.name);
      const idOf = async (password: string) => (await world.enter(first.name, password)).owner.id;
      expect(await idOf(OTHER)).to.equal(second.caller.owner.id);
      // Of equal passwords the one that was set first.
      expect(await idOf(PASSWORD)).to.equal(first.caller.owner.id);
      await world.core.signIn.removePassword(first.caller);
      expect(await idOf(PASSWORD)).to.equal(third.caller.owner.id);
    });

    it('do not sign in if they were changed while they were compared', async () => {
      const account = await world.account();
      const pending = world.enter(account.name, PASSWORD);
      const matches = world.hasher.matches.bind(world.hasher);
      let isChanged = false;
      world.hasher.matches = async (password, hash) => {
        if (!isChanged) {
          isChanged = true;
          await backend.uow.write(account.caller.scope, (s) =>
            s.signInMethods.setPassword({ sealedHash: world.sealer.seal('another'), setAt: 5 }),
          );
        }
        return matches(password, hash);
      };
      expect(await codeOf(pending)).to.equal('sign_in_failed');
      expect(isChanged).to.equal(true);
    });

    it('whose seal no longer opens are wrong, and can be removed', async () => {
      const account = await world.account();
      const [sealedHash, setAt] = ['00000000.AAAA', 5];
      await backend.uow.write(account.caller.scope, (s) =>
        s.signInMethods.setPassword({ sealedHash, setAt }),
      );
      expect(await codeOf(world.enter(account.name, PASSWORD))).to.equal('sign_in_failed');
      const change = { current: PASSWORD, password: OTHER };
      expect(await codeOf(world.core.signIn.setPassword(account.caller, change))).to.equal(
        'wrong_password',
      );
      expect(await codeOf(world.core.signIn.removePassword(account.caller))).to.equal('ok');
    });
  });
