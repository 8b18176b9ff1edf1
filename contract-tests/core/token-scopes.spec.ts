import { expect } from 'chai';
import fc from 'fast-check';
import { routes } from '../../adapters/http/routes/index.ts';
import { TOOLS } from '../../core/agent/tools/index.ts';
import {
  isAllowed,
  mayStoreHistory,
  scopesOf,
  type NewToken,
  type RequiredScope,
} from '../../core/identity/index.ts';
import { missingScopes } from '../../core/identity/authorize.ts';
import type { OperatorModel } from '../../core/models/index.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { DomainError } from '../../core/shared/errors.ts';
import { TOOL_NAMES, type ToolName } from '../../ports/agent-tools.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../ports/identity.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { results, openAgentWorld, stepsIn, type AgentWorld } from './agent-fixture.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const DAY_MS = 86_400_000;

const someScopes = (minLength = 0): fc.Arbitrary<TokenScope[]> =>
  fc.subarray([...TOKEN_SCOPES], { minLength });
const nonEmpty = someScopes(1).map((list) => list as [TokenScope, ...TokenScope[]]);
const required: fc.Arbitrary<RequiredScope> = fc.oneof(
  fc.constantFrom('any' as const, 'unrestricted' as const),
  fc.constantFrom(...TOKEN_SCOPES),
  nonEmpty,
  nonEmpty.map((all) => ({ all })),
);

describe('the scopes of a caller', () => {
  it('allow no less if there are more of them', () => {
    fc.assert(
      fc.property(
        someScopes(),
        someScopes(),
        required,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (few, more, scope, isStored, keeps, isBound) => {
          const needs = { scope, ...(isStored && { storesHistory: true as const }) };
          const bound = isBound ? { folderIds: [MISSING] } : {};
          const less = { scopes: new Set(few), mayStoreHistory: keeps, scope: bound };
          const all = { scopes: new Set([...few, ...more]), mayStoreHistory: true, scope: {} };
          if (isAllowed(less, needs)) expect(isAllowed(all, needs)).to.equal(true);
          const everything = { scopes: new Set(TOKEN_SCOPES), mayStoreHistory: true };
          expect(isAllowed({ ...everything, scope: bound }, needs)).to.equal(
            !isBound || scope !== 'unrestricted',
          );
        },
      ),
    );
  });

  it('lack exactly what would make the operation allowed', () => {
    fc.assert(
      fc.property(someScopes(), required, (few, scope) => {
        const missing = missingScopes(new Set(few), scope);
        expect(few.filter((each) => missing.includes(each))).to.deep.equal([]);
        expect(missingScopes(new Set([...few, ...missing]), scope)).to.deep.equal([]);
        if (scope === 'unrestricted' || (typeof scope !== 'string' && 'all' in scope))
          for (const each of missing)
            expect(
              missingScopes(new Set([...TOKEN_SCOPES].filter((it) => it !== each)), scope),
            ).to.deep.equal([each]);
      }),
    );
  });

  it('of a token with `access` only are those of its access', () => {
    expect([...scopesOf({ scopes: null, access: 'full' })]).to.deep.equal([...TOKEN_SCOPES]);
    expect([...scopesOf({ scopes: null, access: 'read' })]).to.deep.equal(['read', 'ask']);
    expect(mayStoreHistory({ scopes: null, access: 'read' })).to.equal(false);
    expect(mayStoreHistory({ scopes: ['read', 'ask'], access: 'read' })).to.equal(true);
  });
});

describe('the tools of the agent', () => {
  const OPERATIONS: Readonly<Record<ToolName, string>> = {
    search_objects: 'search',
    read_object: 'getObject',
    create_note: 'createNote',
    get_agenda: 'getAgenda',
    create_event: 'createEvent',
    move_object: 'moveObject',
    rename_object: 'editObject',
  };

  for (const name of TOOL_NAMES)
    it(`${name} needs the scope of ${OPERATIONS[name]}`, () => {
      const operation = routes.find((route) => route.name === OPERATIONS[name]);
      expect(operation?.scope).to.not.equal(undefined);
      expect(TOOLS[name].scope).to.deep.equal(operation?.scope);
    });
});

for (const [name, open] of backends)
  describe(`tokens with scopes on ${name}`, () => {
    let backend: Backend;
    let world: CoreFixture;
    before(async () => {
      backend = await open();
      world = await openCoreFixture(backend, `token-scopes-${name}`);
    });
    after(() => backend.close());

    /** The caller with a new token. */
    const withToken = async (input: Omit<NewToken, 'name'>): Promise<Caller> => {
      const { bearer } = await world.core.identity.createToken(world.caller, {
        name: 'scoped',
        ...input,
      });
      return world.core.identity.authenticate({ bearer }, world.caller.client);
    };
    const tokens = async () =>
      (await world.core.identity.listTokens(world.caller, { limit: 100, offset: 0 })).items;
    const folder = async (title: string) =>
      (await world.core.library.createCollection(world.caller, { name: title })).collection.id;
    const rejection = async (work: Promise<unknown>): Promise<DomainError> =>
      work.then(
        () => {
          throw new Error('It was not rejected.');
        },
        (error: unknown) => error as DomainError,
      );

    it('expire after a year, after the requested days, or never', async () => {
      for (const [expiresInDays, expected] of [
        [undefined, 365],
        [1, 1],
        [null, null],
      ] as const) {
        const { token } = await world.core.identity.createToken(world.caller, {
          name: 'lasting',
          ...(expiresInDays !== undefined && { expiresInDays }),
        });
        const lasts = token.expiresAt === null ? null : token.expiresAt - token.createdAt;
        expect(lasts).to.equal(expected === null ? null : expected * DAY_MS);
      }
    });

    it('identify a caller with these scopes, bound to these folders', async () => {
      const id = await folder('Harbour');
      const caller = await withToken({ scopes: ['ask', 'read'], folderIds: [id] });
      expect([...caller.scopes].sort()).to.deep.equal(['ask', 'read']);
      expect(caller.mayStoreHistory).to.equal(true);
      expect(caller.scope.folderIds).to.deep.equal([id]);
      const known = (await tokens()).find(({ folderIds }) => folderIds !== null);
      expect(known?.scopes).to.deep.equal(['read', 'ask']);
      expect(known?.access).to.equal('read');
    });

    it('can not be bound to a folder that does not exist', async () => {
      const before = await tokens();
      const input = { name: 'x', folderIds: [await folder('Quay'), MISSING] };
      const error = await rejection(world.core.identity.createToken(world.caller, input));
      expect(error.code).to.equal('not_found');
      expect(await tokens()).to.deep.equal(before);
    });

    it('pass on their own scopes only', async () => {
      const access = fc.constantFrom(undefined, 'full' as const, 'read' as const);
      const requested = fc.oneof(
        access.map((each) => (each ? { access: each } : {})),
        someScopes(1).map((scopes) => ({ scopes })),
      );
      await fc.assert(
        fc.asyncProperty(someScopes(1), requested, async (own, input) => {
          const caller: Caller = { ...world.caller, scopes: new Set(own) };
          const wanted = scopesOf({ scopes: null, access: 'full', ...input });
          const isWithin = [...wanted].every((scope) => caller.scopes.has(scope));
          const before = (await tokens()).length;
          const work = world.core.identity.createToken(caller, { name: 'child', ...input });
          if (isWithin) {
            const { token } = await work;
            expect([...scopesOf(token)].sort()).to.deep.equal([...wanted].sort());
            await world.core.identity.revokeToken(world.caller, token.id);
          } else {
            const error = await rejection(work);
            expect(error.code).to.equal('forbidden');
            const named = /`(\w+)`/.exec(error.message)?.[1];
            expect([...wanted]).to.include(named);
            expect(own).not.to.include(named);
          }
          expect((await tokens()).length).to.equal(before);
        }),
        { numRuns: 20 },
      );
    });

    it('can not create others if they are bound to folders', async () => {
      const id = await folder('Mine');
      const caller: Caller = { ...world.caller, scope: { ...world.caller.scope, folderIds: [id] } };
      const before = await tokens();
      for (const folderIds of [undefined, [id], [MISSING]]) {
        const input = { name: 'child', ...(folderIds && { folderIds }) };
        const error = await rejection(world.core.identity.createToken(caller, input));
        expect(error.code).to.equal('forbidden');
      }
      expect(await tokens()).to.deep.equal(before);
    });

    it('give a caller without history no token with one', async () => {
      const caller = { ...world.caller, mayStoreHistory: false };
      const create = (input: Omit<NewToken, 'name'>) =>
        world.core.identity.createToken(caller, { name: 'child', ...input });
      expect((await rejection(create({ scopes: ['ask'] }))).code).to.equal('forbidden');
      expect((await create({ access: 'read' })).token.access).to.equal('read');
    });
  });

const HOUSE: OperatorModel = {
  endpoint: {
    baseUrl: 'http://house.test/v1',
    model: 'house-7b',
    key: null,
    temperature: null,
    chosenBy: 'operator',
  },
  contextTokens: 8_192,
};

/** Names the stores that units of work use which write. */
function recordingWrites(uow: UnitOfWork, used: string[]): UnitOfWork {
  const write: UnitOfWork['write'] = (scope, work, size) =>
    uow.write(
      scope,
      (stores: Stores) =>
        work(
          new Proxy(stores, {
            get: (it, key) => (used.push(String(key)), Reflect.get(it, key, it) as unknown),
          }),
        ),
      size,
    );
  return { read: uow.read.bind(uow), write };
}

for (const [name, open] of backends)
  describe(`a question without history on ${name}`, () => {
    let backend: Backend;
    let used: string[] = [];
    before(async () => {
      backend = await open();
      backend = { ...backend, uow: recordingWrites(backend.uow, (used = [])) };
    });
    after(() => backend.close());

    const furnished = async (title: string, metered: boolean) => {
      const world = await openCoreFixture(backend, title, metered ? { operatorModel: HOUSE } : {});
      await world.core.objects.addNote(world.caller, {
        content: 'The keeper of the lighthouse is Ada.',
      });
      await world.runPendingTasks();
      used.length = 0;
      const caller: Caller = {
        ...world.caller,
        scopes: new Set(['read', 'ask']),
        mayStoreHistory: false,
      };
      return { world, caller };
    };
    const question = { question: 'Who is the keeper of the lighthouse?' };
    const listening = () => {
      const told: unknown[] = [];
      return {
        told,
        audience: {
          send: (each: unknown) => Promise.resolve(void told.push(each)),
          disconnected: new Promise<void>(() => undefined),
        },
      };
    };
    const stored = async ({ core, caller }: CoreFixture) => [
      (await core.conversations.listChats(caller, { limit: 10, offset: 0 })).total,
      (await core.conversations.recentQueries(caller, { days: 90, limit: 10 })).total,
    ];

    it('is answered from the documents without a write', async () => {
      const { world, caller } = await furnished(`unrecorded-${name}`, false);
      const { told, audience } = listening();
      const answer = await world.core.conversations.ask(caller, question, audience);
      expect(answer.session).to.equal(null);
      expect(answer.reply.content).to.include('Ada');
      expect(answer.reply.citations).to.have.length(1);
      expect(told[0]).to.deep.equal({ type: 'session', sessionId: null });
      expect(used).to.deep.equal([]);
      expect(await stored(world)).to.deep.equal([0, 0]);
    });

    it('is counted if the model of the operator answers, and nothing else is written', async () => {
      const { world, caller } = await furnished(`unrecorded-model-${name}`, true);
      world.model.says = () => ({ pieces: ['The keeper is Ada "The keeper is Ada" [1].'] });
      const { told, audience } = listening();
      const answer = await world.core.conversations.ask(caller, question, audience);
      expect(answer).to.deep.include({ session: null, engine: 'house-7b' });
      expect(told[0]).to.deep.equal({ type: 'session', sessionId: null });
      expect(used).to.deep.equal(['usage']);
      const questions = async () =>
        (await world.core.usage.usageOf(world.caller)).items.find(
          ({ metric }) => metric === 'questions',
        )?.used;
      expect(await questions()).to.equal(1);
      world.model.says = () => ({ refused: 500 });
      const error = await world.core.conversations
        .ask(caller, question)
        .catch((each: unknown) => each);
      expect(error).to.be.instanceOf(DomainError).and.include({ code: 'upstream_failed' });
      expect(await questions()).to.equal(1);
      expect(new Set(used)).to.deep.equal(new Set(['usage']));
      expect(await stored(world)).to.deep.equal([0, 0]);
    });

    it('is 403 in a session, whether there is one or not', async () => {
      const { world, caller } = await furnished(`unrecorded-session-${name}`, false);
      const { session } = await world.core.conversations.createChat(world.caller, {});
      used.length = 0;
      for (const sessionId of [session.id, MISSING]) {
        const input = { ...question, sessionId };
        const error = await world.core.conversations
          .ask(caller, input)
          .catch((each: unknown) => each);
        expect(error).to.be.instanceOf(DomainError).and.include({ code: 'forbidden' });
      }
      expect(used).to.deep.equal([]);
    });
  });

for (const [name, open] of backends)
  describe(`the agent of a caller with few scopes on ${name}`, () => {
    let backend: Backend;
    let world: AgentWorld;
    before(async () => {
      backend = await open();
      world = await openAgentWorld(backend, `agent-scopes-${name}`);
    });
    after(() => backend.close());

    const chatAs = async (scopes: readonly TokenScope[], message: string, role: string) => {
      const events: unknown[] = [];
      const audience = {
        send: (each: unknown) => Promise.resolve(void events.push(each)),
        disconnected: new Promise<void>(() => undefined),
      };
      const caller = { ...world.caller, scopes: new Set(scopes) };
      const turn = await world.core.agent.agentChat(caller, { message, role }, audience);
      return { turn, news: events as never };
    };
    const objectCount = async () =>
      (
        await world.core.search.searchObjects(world.caller, {
          q: 'milk',
          limit: 10,
          offset: 0,
          includeHidden: false,
        })
      ).total;
    const offered = () => (world.asked[0]?.tools ?? []).map((tool) => tool.name);

    it('is offered the tools of its scopes', async () => {
      for (const [scopes, role, expected] of [
        [['ask'], 'assistant', []],
        [['ask', 'read'], 'assistant', ['search_objects', 'read_object', 'get_agenda']],
        [['ask', 'write'], 'assistant', ['create_note']],
        [['ask', 'calendar'], 'assistant', ['get_agenda', 'create_event']],
        [['ask', 'read', 'write'], 'librarian', 4],
        [['ask', 'read'], 'librarian', ['search_objects', 'read_object']],
      ] as const) {
        world.replies('Good morning.');
        await chatAs(scopes, 'Hello there', role);
        if (typeof expected === 'number') expect(offered()).to.have.length(expected);
        else expect(offered()).to.deep.equal(expected);
      }
    });

    it('is refused other tools as a result, and nothing changes', async () => {
      const before = await objectCount();
      world.replies([['create_note', { content: 'Milk and bread' }]], 'Done.');
      const { news } = await chatAs(['ask', 'read'], 'Note: milk and bread', 'assistant');
      expect(results(world.asked[1])[0]).to.include('There is no tool of this name');
      expect(stepsIn({ news })).to.have.length(1);
      expect(await objectCount()).to.equal(before);
    });

    it('may not confirm a change that it could not make', async () => {
      const id = await world.note('The rent is 900 euros.', { title: 'Rent' });
      world.replies(
        [['read_object', { object_id: id }]],
        [['rename_object', { object_id: id, filename: 'Paid.md' }]],
        'Done.',
      );
      const { turn } = await world.chat('Look at it', { role: 'librarian' });
      const confirmId = turn?.confirm?.id ?? '';
      const caller = { ...world.caller, scopes: new Set<TokenScope>(['ask', 'read']) };
      world.replies('I can not.');
      const decided = await world.core.agent.confirmAgent(caller, { confirmId, decision: 'allow' });
      expect(decided.reply.steps?.[0]?.['summary']).to.match(/^Refused/);
      const { object } = await world.core.objects.getObject(world.caller, id);
      expect(object.filename).to.equal('Rent.md');
    });
  });
