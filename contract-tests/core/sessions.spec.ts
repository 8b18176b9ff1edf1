import { expect } from 'chai';
import fc from 'fast-check';
import type { Caller } from '../../core/shared/caller.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { NO_CLIENT } from '../no-client.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';
import { SessionModel, sessionSteps, type ModelCookie, type SessionStep } from './session-model.ts';

const RUNS: Readonly<Record<string, number>> = { memory: 150, sqlite: 40, postgres: 25 };
const PROCESSES = 3;

/** The code of the error that a promise rejects with; undefined if it resolves. */
const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof DomainError) return error.code;
      throw error;
    },
  );

let worlds = 0;

for (const [name, open] of backends)
  describe(`${name}: sessions in several processes`, function () {
    this.timeout(120_000);
    let backend: Backend;
    let others: Backend[];
    before(async () => {
      backend = await open();
      others = [await backend.another(), await backend.another()];
    });
    after(async () => {
      for (const other of others) await other.close();
      await backend.close();
    });

    /** Cores over the same database, with clocks that agree. Each brings an owner. */
    const openProcesses = async (): Promise<readonly CoreFixture[]> => {
      const world = `sessions ${worlds++}`;
      const all = [backend, ...others].map((each, i) => openCoreFixture(each, `${world}/${i}`));
      return Promise.all(all);
    };

    it('a random sequence of sign-in, use, sign-out, revocation and expiry ends as in the model', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(sessionSteps, { minLength: 5, maxLength: 40 }), async (steps) => {
          const processes = await openProcesses();
          const model = new SessionModel(processes[0]!.now);
          for (const each of steps) await take(processes, model, each);
        }),
        { numRuns: RUNS[name] ?? 10 },
      );
    });

    const authenticate = async (process: CoreFixture, { secret }: ModelCookie): Promise<Caller> => {
      const caller = await process.core.identity.authenticate({ session: secret }, NO_CLIENT);
      await process.core.identity.flushLastUse();
      return caller;
    };

    /** Authenticates as the model expects; undefined if the cookie is rejected in both. */
    const callerOf = async (
      process: CoreFixture,
      model: SessionModel,
      cookie: ModelCookie,
    ): Promise<Caller | undefined> => {
      if (!model.accepts(cookie)) {
        expect(await codeOf(authenticate(process, cookie))).to.equal('unauthorized');
        return undefined;
      }
      const caller = await authenticate(process, cookie);
      model.use(cookie);
      return caller;
    };

    /** What was ended is rejected by every process as soon as that is known anywhere. */
    const expectModel = async (processes: readonly CoreFixture[], model: SessionModel) => {
      for (const cookie of model.cookies.filter((each) => !model.accepts(each)))
        for (const { core } of processes) {
          const answer = core.identity.authenticate({ session: cookie.secret }, NO_CLIENT);
          expect(await codeOf(answer)).to.equal('unauthorized');
        }
    };

    async function take(
      processes: readonly CoreFixture[],
      model: SessionModel,
      step: SessionStep,
    ): Promise<void> {
      if (step.kind === 'wait') {
        model.now += step.ms;
        for (const process of processes) process.now = model.now;
        return;
      }
      const process = processes[step.process % PROCESSES]!;
      const { core } = process;
      if (step.kind === 'sweep') return void (await core.background.sweepExpiredAccess());
      const cookie =
        step.cookie === null ? undefined : model.cookies[step.cookie % model.cookies.length];
      if (step.kind === 'signIn') {
        const { owner } = processes[step.owner]!.caller;
        const current = cookie && (await callerOf(process, model, cookie));
        const { code } = await core.signIn.createSignInLink(owner.id);
        const { session, secret } = await core.signIn.signInByLink({
          code,
          client: NO_CLIENT,
          current,
        });
        const isRenewed = current?.owner.id === owner.id;
        if (isRenewed) expect(session.id).to.equal(cookie?.session.id);
        model.signIn(step.owner, session.id, secret);
        return expectModel(processes, model);
      }
      if (!cookie) return;
      const caller = await callerOf(process, model, cookie);
      if (!caller) return;
      const { session } = cookie;
      switch (step.kind) {
        case 'use':
          return;
        case 'list': {
          const { items, total } = await core.signIn.listSessions(caller, {
            limit: 100,
            offset: 0,
          });
          const alive = model.alive(session.owner);
          expect(items.map(({ id }) => id)).to.have.members(alive.map(({ id }) => id));
          expect(total).to.equal(alive.length);
          for (const { id, lastUsedAt } of items)
            expect(lastUsedAt).to.equal(alive.find((each) => each.id === id)?.usedAt);
          return;
        }
        case 'signOut':
          await core.signIn.signOut(caller);
          session.isEnded = true;
          break;
        case 'endOtherSessions': {
          const ended = model.alive(session.owner).filter((each) => each !== session);
          expect(await core.signIn.endOtherSessions(caller)).to.equal(ended.length);
          for (const each of ended) each.isEnded = true;
          break;
        }
        case 'end': {
          const other = model.cookies[step.other % model.cookies.length]!.session;
          const code = await codeOf(core.signIn.endSession(caller, other.id));
          if (other !== session && !model.hasSignedInRecently(cookie))
            expect(code).to.equal('sign_in_again');
          else if (!model.alive(session.owner).includes(other)) expect(code).to.equal('not_found');
          else {
            expect(code).to.equal(undefined);
            other.isEnded = true;
          }
        }
      }
      return expectModel(processes, model);
    }

    it('no process accepts a session after another one has ended it, under concurrent use', async () => {
      const processes = await openProcesses();
      const [first, second, third] = processes as [CoreFixture, CoreFixture, CoreFixture];
      for (let round = 0; round < 10; round++) {
        const { code } = await first.core.signIn.createSignInLink(first.caller.owner.id);
        const { secret } = await second.core.signIn.signInByLink({
          code,
          client: NO_CLIENT,
          current: undefined,
        });
        const use = ({ core }: CoreFixture) =>
          core.identity.authenticate({ session: secret }, NO_CLIENT);
        const caller = await use(first);
        let isOver = false;
        const users = [second, third].map(async (process) => {
          for (let i = 0; ; i++) {
            const wasOver = isOver;
            const code = await codeOf(use(process));
            if (wasOver) expect(code).to.equal('unauthorized');
            if (code !== undefined || i > 500) return;
          }
        });
        await first.core.signIn.signOut(caller);
        isOver = true;
        for (const process of processes)
          expect(await codeOf(use(process))).to.equal('unauthorized');
        await Promise.all(users);
        expect(await codeOf(first.core.signIn.signOut(caller))).to.equal(undefined);
      }
    });

    it('a link signs in once, in any number of processes at once, and its failures say nothing', async () => {
      const processes = await openProcesses();
      const [first] = processes as [CoreFixture];
      const { code, expiresAt } = await first.core.signIn.createSignInLink(first.caller.owner.id);
      expect(code).to.match(/^[\w-]{43}$/);
      const open = (process: CoreFixture, sent: string) =>
        process.core.signIn.signInByLink({ code: sent, client: NO_CLIENT, current: undefined });
      const codes = await Promise.all(
        Array.from({ length: 9 }, (_, i) => codeOf(open(processes[i % PROCESSES]!, code))),
      );
      expect(codes.filter((each) => each === undefined)).to.have.length(1);
      expect(codes.filter((each) => each === 'sign_in_failed')).to.have.length(8);
      for (const wrong of ['', 'constructor', `${code}=`, 'x'.repeat(43), 'y'.repeat(1_000_000)])
        expect(await codeOf(open(first, wrong))).to.equal('sign_in_failed');
      const late = await first.core.signIn.createSignInLink(first.caller.owner.id);
      for (const process of processes) process.now = expiresAt;
      expect(await codeOf(open(first, late.code))).to.equal('sign_in_failed');
    });

    it('at most five links of an owner are valid, a new one replaces the one that expires first', async () => {
      const processes = await openProcesses();
      const [first, second] = processes as [CoreFixture, CoreFixture];
      const codes: string[] = [];
      const sibling = await second.core.signIn.createSignInLink(second.caller.owner.id);
      for (let i = 0; i < 7; i++) {
        first.now += 1_000;
        codes.push((await first.core.signIn.createSignInLink(first.caller.owner.id)).code);
      }
      const opened: (string | undefined)[] = [];
      for (const code of [...codes, sibling.code])
        opened.push(
          await codeOf(
            first.core.signIn.signInByLink({ code, client: NO_CLIENT, current: undefined }),
          ),
        );
      expect(opened).to.deep.equal([
        ...['sign_in_failed', 'sign_in_failed'],
        ...Array.from({ length: 6 }, () => undefined),
      ]);
    });

    it('a link names an owner by id or unique name', async () => {
      const [{ core, caller }] = (await openProcesses()) as [CoreFixture];
      const unique = `Ångström ${worlds++}`;
      const { owner } = await core.identity.createOwner({ name: unique, tenant: caller.tenant.id });
      for (const who of [owner.id, unique, unique.normalize('NFD')])
        expect((await core.signIn.createSignInLink(who)).owner.id).to.equal(owner.id);
      const refusal = (who: string) =>
        core.signIn.createSignInLink(who).then(
          () => 'done',
          (error: Error) => error.message,
        );
      expect(await refusal('owner')).to.match(/^There are \d+ owners named "owner"\./);
      for (const who of ['', 'constructor', 'not an account'])
        expect(await refusal(who)).to.match(/^There is no owner/);
    });

    it('a credential that ended or was renewed after it was identified adds no way in', async () => {
      const [{ core, caller }, beside] = (await openProcesses()) as [CoreFixture, CoreFixture];
      const signIn = async (current?: Caller) => {
        const { code } = await core.signIn.createSignInLink(caller.owner.id);
        const { secret } = await core.signIn.signInByLink({ code, client: NO_CLIENT, current });
        return core.identity.authenticate({ session: secret }, NO_CLIENT);
      };
      const { token, bearer } = await core.identity.createToken(caller, { name: 'revoked' });
      const [ended, renewed] = [await signIn(), await signIn()];
      const revoked = await core.identity.authenticate({ bearer }, NO_CLIENT);
      await beside.core.signIn.signOut(ended);
      await signIn(renewed);
      await beside.core.identity.revokeToken(caller, token.id);
      const page = { limit: 100, offset: 0 };
      const before = await core.identity.listTokens(caller, page);
      for (const each of [ended, renewed, revoked]) {
        const added = [
          core.identity.createToken(each, { name: 'late' }),
          core.signIn.setPassword(each, { password: 'seven crooked umbrellas' }),
          core.shares.createShare(each, {
            ...{ kind: 'folder', resourceId: 'none', role: 'viewer', name: 'late' },
          }),
          core.hiddenZone.setPin(each, { pin: '1234' }),
          core.integrations.connectModel(each, {
            config: { base_url: 'https://late.test/v1', model: 'late' },
          }),
        ];
        const codes = await Promise.all(added.map(codeOf));
        expect(codes).to.deep.equal(added.map(() => 'unauthorized'));
      }
      expect(await core.identity.listTokens(caller, page)).to.deep.equal(before);
      const stored = await backend.uow.read(caller.scope, (stores) =>
        stores.signInMethods.password(),
      );
      expect(stored).to.equal(undefined);
    });

    it('every sign-in and every end is in the log of security events', async () => {
      const [{ core, caller }] = (await openProcesses()) as [CoreFixture];
      const signIn = async (current?: Caller) => {
        const { code } = await core.signIn.createSignInLink(caller.owner.id);
        const { secret } = await core.signIn.signInByLink({ code, client: NO_CLIENT, current });
        return core.identity.authenticate({ session: secret }, NO_CLIENT);
      };
      const idOf = ({ credential }: Caller): string =>
        credential.kind === 'session' ? credential.session.id : '';
      const [one, two, three] = [await signIn(), await signIn(), await signIn()];
      await core.signIn.endSession(one, idOf(two));
      await core.signIn.endSession(caller, idOf(three));
      await core.signIn.signOut(one);
      const four = await signIn();
      await signIn(four);
      await signIn();
      await core.signIn.endOtherSessions(four);
      const events = await backend.uow.read(caller.scope, ({ securityEvents }) =>
        securityEvents.chain(0, 100),
      );
      const told = events
        .filter(({ kind }) => /^(signed_in|signed_out|session_ended)$/.test(kind))
        .map(({ kind, actor, subject }) => [kind, actor.kind, actor.id, subject]);
      const started = (each: Caller) => ['signed_in', 'session', idOf(each), idOf(each)];
      expect(told.slice(0, 8)).to.deep.equal([
        ...[one, two, three].map(started),
        ['session_ended', 'session', idOf(one), idOf(two)],
        [
          'session_ended',
          'token',
          caller.credential.kind === 'token' && caller.credential.token.id,
          idOf(three),
        ],
        ['signed_out', 'session', idOf(one), idOf(one)],
        started(four),
        started(four),
      ]);
      expect(told.slice(8).map(([kind]) => kind)).to.deep.equal(['signed_in', 'session_ended']);
    });
  });
