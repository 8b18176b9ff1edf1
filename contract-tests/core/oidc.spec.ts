import { expect } from 'chai';
import fc from 'fast-check';
import { toOwnerName } from '../../core/sign-in/oidc-account.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { OneTimeSecret } from '../../ports/sign-in.ts';
import { backends, type Backend } from '../backends.ts';
import { NO_CLIENT } from '../no-client.ts';
import { ISSUER, codeOf, openOidcFixture, subjectOf, type OidcFixture } from './oidc-fixture.ts';

const MINUTE_MS = 60_000;
const NO_SESSION = '01900000-0000-7000-8000-000000000000';

let names = 0;
const unique = (of: string) => `${of}-${process.pid}-${Math.random()}-${++names}`;
const ada = () => subjectOf(unique('ada'));

for (const [name, open] of backends)
  describe(`${name}: signing in at an identity provider`, () => {
    let backend: Backend;
    let world: OidcFixture;
    before(async () => (backend = await open()));
    after(() => backend.close());
    beforeEach(async () => (world = await openOidcFixture(backend, unique('oidc'))));

    const sessionId = ({ credential }: Caller) =>
      credential.kind === 'session' ? credential.session.id : '';
    const stateOf = async (fixture: OidcFixture, { scope }: Caller) => ({
      owners: (await backend.accounts.listOwners(1, 0)).total,
      ...(await backend.uow.read(scope, async ({ sessions, securityEvents, signInMethods }) => ({
        sessions: await sessions.page(100, 0),
        events: await securityEvents.chain(0, 100),
        link: await signInMethods.oidc(),
      }))),
    });

    it('signs in the owner that is linked to the subject', async () => {
      const subject = ada();
      await world.link(subject);
      const caller = await world.signIn(subject);
      expect(caller.owner).to.deep.equal(world.caller.owner);
      expect(caller.credential).to.have.nested.include({ 'session.method': 'oidc' });
      expect((await world.kinds(caller)).slice(-2)).to.deep.equal(['oidc_linked', 'signed_in']);
      expect(await world.core.signIn.oidcLink(caller)).to.deep.equal({
        issuer: ISSUER,
        subject: subject.subject,
        linkedAt: world.now,
      });
    });

    it('knows an account by issuer and subject, never by its name', async () => {
      const subject = ada();
      await world.link(subject);
      for (const other of [
        { ...subject, issuer: 'https://other.example' },
        subjectOf(unique('bob'), { name: world.caller.owner.name }),
      ])
        expect(await codeOf(world.signIn(other))).to.equal('oidc_unknown');
    });

    it('accepts an answer once, in the browser that began, and within ten minutes', async () => {
      const subject = ada();
      await world.link(subject);
      const [one, two] = [await world.begin(), await world.begin()];
      const attempts = [
        { ...one, browserSecret: two.browserSecret },
        { ...one, state: two.state },
        { ...one, browserSecret: '' },
        { ...one, state: '' },
        { ...one, state: 'x'.repeat(1_000_000) },
        { ...one, browserSecret: 'constructor' },
      ];
      for (const attempt of attempts)
        expect(await codeOf(world.finish(attempt, subject))).to.equal('oidc_expired');
      expect(world.provider.finished).to.have.lengthOf(1);
      expect(await codeOf(world.finish(one, subject))).to.equal('ok');
      expect(await codeOf(world.finish(one, subject))).to.equal('oidc_expired');
      world.now += 10 * MINUTE_MS - 1;
      expect(await codeOf(world.finish(two, subject))).to.equal('ok');
      const late = await world.begin();
      world.now += 10 * MINUTE_MS;
      expect(await codeOf(world.finish(late, subject))).to.equal('oidc_expired');
    });

    it('lets one of concurrent repeats sign in', async () => {
      const subject = ada();
      await world.link(subject);
      const begun = await world.begin();
      const codes = await Promise.all(
        Array.from({ length: 8 }, () => codeOf(world.finish(begun, subject))),
      );
      expect(codes.filter((code) => code === 'ok')).to.have.lengthOf(1);
      expect(codes.filter((code) => code === 'oidc_expired')).to.have.lengthOf(7);
    });

    it('accepts exactly the pairs of state and browser that began, each once', async () => {
      const subject = ada();
      await world.link(subject);
      const attempt = fc.tuple(fc.nat(3), fc.nat(3));
      await fc.assert(
        fc.asyncProperty(fc.array(attempt, { maxLength: 10 }), async (attempts) => {
          const begun = [];
          for (let i = 0; i < 4; i++) begun.push(await world.begin());
          const open = new Set([0, 1, 2, 3]);
          for (const [s, b] of attempts) {
            const [{ state }, { browserSecret }] = [begun[s], begun[b]] as typeof begun &
              [{ state: string }, { browserSecret: string }];
            const expected = s === b && open.delete(s) ? 'ok' : 'oidc_expired';
            const code = await codeOf(world.finish({ state, browserSecret }, subject));
            expect(code).to.equal(expected);
          }
        }),
        { numRuns: 10 },
      );
    });

    it('stores what a flow needs sealed', async () => {
      const stored: OneTimeSecret[] = [];
      const { oneTimeSecrets } = backend;
      const spied: Backend = {
        ...backend,
        oneTimeSecrets: {
          add: (secret, ...limits) => {
            stored.push(secret);
            return oneTimeSecrets.add(secret, ...limits);
          },
          consume: (...sought) => oneTimeSecrets.consume(...sought),
          removeOf: (...sought) => oneTimeSecrets.removeOf(...sought),
          removeExpired: (before) => oneTimeSecrets.removeExpired(before),
        },
      };
      const own = await openOidcFixture(spied, unique('spied'));
      const { state, browserSecret } = await own.begin();
      const text = JSON.stringify(stored);
      expect(stored).to.have.lengthOf(1);
      for (const secret of [state, browserSecret, 'nonce', 'verifier'])
        expect(text).not.to.include(secret);
    });

    it('changes nothing when the provider refuses, fails or is not there', async () => {
      const subject = ada();
      await world.link(subject);
      const before = await stateOf(world, world.caller);
      const rows = [
        ['denied', 'oidc_denied'],
        ['rejected', 'sign_in_failed'],
        ['unavailable', 'oidc_unavailable'],
      ] as const;
      for (const [kind, code] of rows) {
        expect(await codeOf(world.finish(await world.begin(), kind))).to.equal(code);
        expect(await codeOf(world.finish(await world.beginLink(world.caller), kind))).to.equal(
          code,
        );
      }
      for (const kind of ['unavailable', 'rejected', 'denied'] as const) {
        world.provider.failure = kind;
        expect(await codeOf(world.begin())).to.equal('oidc_unavailable');
        expect(await codeOf(world.beginLink(world.caller))).to.equal('oidc_unavailable');
      }
      world.provider.failure = null;
      expect(await codeOf(world.signIn(ada()))).to.equal('oidc_unknown');
      expect(await stateOf(world, world.caller)).to.deep.equal(before);
    });

    it('renews the session of the browser, if it is valid and of the same owner', async () => {
      const subject = ada();
      await world.link(subject);
      const first = await world.signIn(subject);
      world.now += MINUTE_MS;
      const renewed = await world.signIn(subject, first);
      expect(sessionId(renewed)).to.equal(sessionId(first));
      const stale = await world.begin(renewed);
      await world.core.signIn.signOut(renewed);
      const outcome = await world.finish(stale, subject);
      expect(outcome).to.have.nested.property('signedIn.session.id').not.equal(sessionId(first));
      const other = await openOidcFixture(backend, unique('other'));
      const foreign = await other.signIn(subject, await world.signIn(subject));
      expect(foreign.owner.id).to.equal(world.caller.owner.id);
      const stranger = ada();
      await other.link(stranger);
      const theirs = await world.signIn(stranger, foreign);
      expect(theirs.owner.id).to.equal(other.caller.owner.id);
      expect(sessionId(theirs)).not.to.equal(sessionId(foreign));
    });

    it('counts as recent from the time that the provider says, and asks it again to renew a session', async () => {
      const who = ada();
      await world.link(who);
      const signInAt = (authenticatedAt: number | null, current?: Caller) =>
        world.signIn({ ...who, authenticatedAt }, current);
      const isRecent = async (caller: Caller) =>
        (await codeOf(world.core.signIn.endSession(caller, NO_SESSION))) !== 'sign_in_again';
      const known = await signInAt(world.now - 16 * MINUTE_MS);
      expect(await isRecent(known)).to.equal(false);
      const renewed = await signInAt(world.now, known);
      expect(await isRecent(renewed)).to.equal(true);
      // An earlier time takes nothing back, and one in the future counts as now.
      expect(await isRecent(await signInAt(world.now - 16 * MINUTE_MS, renewed))).to.equal(true);
      const ahead = await signInAt(world.now + 60 * MINUTE_MS);
      world.now += 15 * MINUTE_MS;
      expect(await isRecent(ahead)).to.equal(false);
      expect(await isRecent(await signInAt(null))).to.equal(true);
      const logins = world.provider.begun.slice(1).map(({ needsLogin }) => needsLogin);
      expect(logins).to.deep.equal([false, true, true, false, false]);
    });

    describe('linking', () => {
      it('does not take a subject from another owner', async () => {
        const subject = ada();
        await world.link(subject);
        const other = await openOidcFixture(backend, unique('other'));
        const before = await stateOf(other, other.caller);
        expect(await codeOf(other.link(subject))).to.equal('oidc_taken');
        expect(await stateOf(other, other.caller)).to.deep.equal(before);
        expect((await world.signIn(subject)).owner.id).to.equal(world.caller.owner.id);
      });

      it('replaces a link, and ends the other sessions of the owner', async () => {
        const [before, next] = [ada(), ada()];
        await world.link(before);
        const kept = await world.signIn(before);
        await world.signIn(before);
        await world.link(next, kept);
        const { sessions } = await stateOf(world, kept);
        expect(sessions.items.map(({ id }) => id)).to.deep.equal([sessionId(kept)]);
        expect(await codeOf(world.signIn(before))).to.equal('oidc_unknown');
        expect(await codeOf(world.signIn(next))).to.equal('ok');
        // The same account again ends nothing.
        await world.link(next, kept);
        expect((await stateOf(world, kept)).sessions.total).to.equal(2);
      });

      it('ends with the session or token that began it', async () => {
        const [subject, next] = [ada(), ada()];
        await world.link(subject);
        const caller = await world.signIn(subject);
        const bySession = await world.beginLink(caller);
        await world.core.signIn.signOut(caller);
        const { token, bearer } = await world.core.identity.createToken(world.caller, {
          name: 'short',
        });
        const byToken = await world.beginLink(
          await world.core.identity.authenticate({ bearer }, NO_CLIENT),
        );
        await world.core.identity.revokeToken(world.caller, token.id);
        const before = await stateOf(world, world.caller);
        for (const begun of [bySession, byToken])
          expect(await codeOf(world.finish(begun, next))).to.equal('oidc_expired');
        expect(await stateOf(world, world.caller)).to.deep.equal(before);
      });

      it('is removed by its owner, but not by a session whose last way to sign in it is', async () => {
        const subject = ada();
        const { signIn } = world.core;
        expect(await codeOf(signIn.unlinkOidc(world.caller))).to.equal('not_configured');
        await world.link(subject);
        const caller = await world.signIn(subject);
        expect(await codeOf(signIn.unlinkOidc(caller))).to.equal('last_sign_in');
        await signIn.setPassword(caller, { password: 'a long pass phrase of ada' });
        await world.signIn(subject);
        await signIn.unlinkOidc(caller);
        const { sessions, link } = await stateOf(world, caller);
        expect(link).to.equal(undefined);
        expect(sessions.items.map(({ id }) => id)).to.deep.equal([sessionId(caller)]);
        expect(await world.kinds(caller)).to.include('oidc_unlinked');
        expect(await codeOf(world.signIn(subject))).to.equal('oidc_unknown');
        await world.link(subject);
        expect(await codeOf(signIn.unlinkOidc(world.caller))).to.equal('ok');
      });
    });

    describe('with a tenant for unknown subjects', () => {
      beforeEach(async () => {
        world = await openOidcFixture(backend, unique('provisions'), { provisions: true });
      });

      it('creates one owner for a subject, in any number of processes', async () => {
        const { tenantId } = world;
        const elsewhere = await backend.another();
        try {
          const second = await openOidcFixture(elsewhere, unique('second'), {
            provisions: true,
            tenantId,
          });
          const subject = { ...ada(), name: 'Ada Lovelace' };
          const { total } = await backend.accounts.listOwners(1, 0);
          const callers = await Promise.all(
            Array.from({ length: 8 }, (_, i) => (i % 2 ? second : world).signIn(subject)),
          );
          const [first] = callers;
          expect(new Set(callers.map(({ owner }) => owner.id)).size).to.equal(1);
          expect(first?.owner).to.include({ name: 'Ada Lovelace', tenantId, role: 'unlimited' });
          expect((await backend.accounts.listOwners(1, 0)).total).to.equal(total + 1);
          const kinds = await world.kinds(first as Caller);
          expect(kinds).to.deep.equal(['oidc_linked', ...Array<string>(8).fill('signed_in')]);
        } finally {
          await elsewhere.close();
        }
      });

      it('completes a sign-in whose process died after the owner was created', async () => {
        const subject = ada();
        const owner = { ...world.caller.owner, id: crypto.randomUUID(), tenantId: world.tenantId };
        const link = { issuer: ISSUER, subject: subject.subject, linkedAt: world.now };
        expect(await backend.accounts.addLinkedOwner(owner, link)).to.equal(true);
        const caller = await world.signIn(subject);
        expect(caller.owner.id).to.equal(owner.id);
        expect(await world.kinds(caller)).to.deep.equal(['oidc_linked', 'signed_in']);
      });

      it('gives an unlinked subject a new owner', async () => {
        const subject = ada();
        const first = await world.signIn(subject);
        await world.core.signIn.setPassword(first, { password: 'a long pass phrase of ada' });
        await world.core.signIn.unlinkOidc(first);
        const second = await world.signIn(subject);
        expect(second.owner.id).not.to.equal(first.owner.id);
      });

      it('applies the first role of the table that the provider names, at every sign-in', async () => {
        const subject = ada();
        const roleAfter = async (...roles: string[]) => {
          const { owner } = await world.signIn({ ...subject, roles });
          expect((await backend.accounts.findOwner(owner.id))?.role).to.equal(owner.role);
          return owner.role;
        };
        expect(await roleAfter('free')).to.equal('free');
        expect(await roleAfter('constructor', 'free', 'pro')).to.equal('pro');
        expect(await roleAfter()).to.equal('pro');
        expect(await roleAfter('__proto__', 'PRO', '')).to.equal('pro');
        expect(await roleAfter('free')).to.equal('free');
      });

      it('creates no owner in a tenant that has the id as its name', async () => {
        const id = crypto.randomUUID();
        await backend.accounts.addTenant({ id: crypto.randomUUID(), name: id, createdAt: 1 });
        const own = await openOidcFixture(backend, unique('named'), {
          provisions: true,
          tenantId: id,
        });
        expect(await codeOf(own.signIn(ada()))).to.equal('oidc_unknown');
      });
    });
  });

describe('the name of an owner that a provider sends', () => {
  it('of any form becomes acceptable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (sent) => {
        const made = toOwnerName(sent);
        expect(made.isWellFormed()).to.equal(true);
        expect(made).to.equal(made.trim());
        expect([...made].length).to.be.within(1, 100);
        // eslint-disable-next-line no-control-regex -- control characters are what must not be in it
        expect(made).not.to.match(/[\u0000-\u001f\u007f]/);
      }),
    );
  });

  it('is kept if it is acceptable', () => {
    const rows = [
      ['Ada Lovelace', 'Ada Lovelace'],
      ['  Ada\n\tLovelace\u0000 ', 'Ada Lovelace'],
      ['Zoe\u0308', 'Zo\u00eb'],
      ['\ud800', '\ufffd'],
      ['𝕏'.repeat(101), '𝕏'.repeat(100)],
      ['', 'Unnamed'],
      [' \u0000 ', 'Unnamed'],
      [null, 'Unnamed'],
    ] as const;
    for (const [sent, made] of rows) expect(toOwnerName(sent)).to.equal(made);
  });
});
