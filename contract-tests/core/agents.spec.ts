import { expect } from 'chai';
import fc from 'fast-check';
import { BUILT_IN_SLUGS, TOOLSETS } from '../../ports/agent-roles.ts';
import { MAX_ROLES, SLUG_PATTERN, builtInRole, roleFor } from '../../core/agents/index.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { backends, type Backend } from '../backends.ts';
import { openCoreFixture, type CoreFixture } from './core-fixture.ts';

const ALL = { limit: 100, offset: 0 };

const refusal = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      const { code } = error as Partial<DomainError>;
      if (code === undefined) throw error;
      return code;
    },
  );

type Step =
  | { readonly do: 'create' | 'edit'; readonly slug: string; readonly name: string }
  | { readonly do: 'delete' | 'activate'; readonly slug: string }
  | { readonly do: 'deactivate' };

const SLUGS = [...BUILT_IN_SLUGS, 'custom', 'deactivate', 'activate', 'a', 'b', 'c'];
const slug = fc.constantFrom(...SLUGS);
const name = fc.constantFrom('Ada', 'Grace');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('create', 'edit'), slug, name }),
  fc.record({ do: fc.constantFrom('delete', 'activate'), slug }),
  fc.record({ do: fc.constant('deactivate') }),
);

/** A simple reference model. Returns the error code of a rejected step. */
class NaiveRoles {
  readonly own = new Map<string, string>();
  active: string | undefined;

  take(each: Step): string | undefined {
    if (each.do === 'deactivate') return void (this.active = undefined);
    const builtIn = SLUGS.indexOf(each.slug) < 3;
    const reserved = ['custom', 'deactivate'].includes(each.slug);
    const there = this.own.has(each.slug);
    if (each.do === 'activate') {
      if (!builtIn && !there) return 'not_found';
      return void (this.active = each.slug);
    }
    if (each.do === 'create') {
      if (builtIn || reserved || there) return 'already_exists';
      return void this.own.set(each.slug, each.name);
    }
    if (builtIn) return 'forbidden';
    if (!there) return 'not_found';
    if (each.do === 'edit') return void this.own.set(each.slug, each.name);
    this.own.delete(each.slug);
    if (this.active === each.slug) this.active = undefined;
    return undefined;
  }
}

const RUNS: Readonly<Record<string, number>> = { memory: 100, sqlite: 15, postgres: 8 };

for (const [backendName, open] of backends)
  describe(`${backendName}: roles of the agent`, () => {
    let backend: Backend;
    before(async () => (backend = await open()));
    after(() => backend.close());
    let worlds = 0;
    const begin = (): Promise<CoreFixture> =>
      openCoreFixture(backend, `agents-${backendName}-${process.pid}-${Date.now()}-${++worlds}`);

    const take = ({ core: { agents }, caller }: CoreFixture, each: Step): Promise<unknown> => {
      switch (each.do) {
        case 'create':
          return agents.createAgent(caller, { slug: each.slug, name: each.name, persona: 'P' });
        case 'edit':
          return agents.editAgent(caller, each.slug, { name: each.name });
        case 'delete':
          return agents.deleteAgent(caller, each.slug);
        case 'activate':
          return agents.activateAgent(caller, each.slug);
        case 'deactivate':
          return agents.deactivateAgent(caller);
      }
    };

    it('behave like a reference model (a map and a variable) under any operations', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const world = await begin();
          const naive = new NaiveRoles();
          for (const [i, each] of steps.entries()) {
            world.now += i;
            expect(await refusal(take(world, each)), JSON.stringify(each)).to.equal(
              naive.take(each),
            );
            const { items, total } = await world.core.agents.listAgents(world.caller, ALL);
            expect(items.map(({ role, active }) => [role.slug, role.name, active])).to.deep.equal(
              [
                ...BUILT_IN_SLUGS.map((it) => [it, builtInRole(it)?.name] as const),
                ...naive.own,
              ].map(([it, called]) => [it, called, it === naive.active]),
            );
            expect(total).to.equal(items.length);
            const answering = await backend.uow.read(world.caller.scope, (s) => roleFor(s));
            expect(answering.slug).to.equal(naive.active ?? 'assistant');
          }
        }),
        { numRuns: RUNS[backendName] ?? 5 },
      ));

    it('are paged as one list of built-in and custom roles', async () => {
      const world = await begin();
      const { agents } = world.core;
      for (const each of ['a', 'b', 'c', 'd'])
        await agents.createAgent(world.caller, { slug: each, name: each, persona: 'P' });
      const whole = await agents.listAgents(world.caller, ALL);
      for (let offset = 0; offset <= 8; offset++)
        for (let limit = 1; limit <= 8; limit++)
          expect(await agents.listAgents(world.caller, { limit, offset })).to.deep.equal({
            items: whole.items.slice(offset, offset + limit),
            total: 7,
          });
    });

    it('resolve by name, else to the active one, else to the assistant; also within a unit of work', async () => {
      const world = await begin();
      const { caller, core } = world;
      const { role } = await core.agents.createAgent(caller, {
        slug: 'skipper',
        name: 'Skipper',
        persona: 'You know the tides.',
        toolsets: [],
      });
      const requested = (slug?: string) => backend.uow.read(caller.scope, (s) => roleFor(s, slug));
      expect(await requested()).to.deep.equal(builtInRole('assistant'));
      expect(await requested('skipper')).to.deep.equal(role);
      await core.agents.activateAgent(caller, 'skipper');
      expect(await requested()).to.deep.equal(role);
      expect(await requested('planner')).to.deep.equal(builtInRole('planner'));
      for (const unknown of ['nobody', '', 'Assistant', 'constructor'])
        expect(await refusal(requested(unknown)), unknown).to.equal('not_found');
      await backend.uow.write(caller.scope, (s) => s.agentRoles.activate('long gone'));
      expect(await requested(), 'of a role that is no more').to.deep.equal(
        builtInRole('assistant'),
      );
    });

    it(`are limited to ${MAX_ROLES} per owner, and deleting one makes space`, async () => {
      const world = await begin();
      const { caller, core } = world;
      const create = (each: string) =>
        core.agents.createAgent(caller, { slug: each, name: 'N', persona: 'P' });
      const { role } = await create('first');
      await backend.uow.write(caller.scope, async ({ agentRoles }) => {
        const { kind: _, ...stored } = role;
        for (let i = 2; i <= MAX_ROLES; i++)
          await agentRoles.add({ ...stored, slug: `r${i}`, id: uuidOf(i) });
      });
      const total = async () => (await core.agents.listAgents(caller, ALL)).total;
      expect(await total()).to.equal(MAX_ROLES + 3);
      expect(await refusal(create('more'))).to.equal('too_many_roles');
      expect(await refusal(create('first'))).to.equal('already_exists');
      expect(await total()).to.equal(MAX_ROLES + 3);
      await core.agents.deleteAgent(caller, 'r7');
      expect((await create('more')).role.slug).to.equal('more');
      expect(await refusal(create('yet-more'))).to.equal('too_many_roles');
    });
  });

const uuidOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

describe('the built-in roles', () => {
  const all = BUILT_IN_SLUGS.map((each) => builtInRole(each)!);

  it('fulfil the limits of custom roles, and specify the language of answers', () => {
    for (const role of all) {
      expect(role.slug).to.match(new RegExp(SLUG_PATTERN));
      expect(role.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(parseInt(role.id.replaceAll('-', '').slice(0, 12), 16)).to.equal(role.createdAt);
      expect([...role.name].length).to.be.within(1, 80);
      expect([...role.description].length).to.be.within(1, 500);
      expect([...role.icon].length).to.be.within(1, 64);
      expect([...role.persona].length).to.be.within(200, 8_000);
      expect(role.persona).to.include('language');
      expect(TOOLSETS).to.include.members([...role.toolsets]);
      expect(new Set(role.toolsets).size).to.equal(role.toolsets.length);
      expect(role.kind).to.equal('builtin');
    }
    expect(new Set(all.map(({ id }) => id)).size).to.equal(all.length);
  });

  it('have the tools for their purpose', () => {
    expect(all.map(({ slug: each, toolsets }) => [each, toolsets.toSorted()])).to.deep.equal([
      ['assistant', ['calendar', 'notes', 'objects']],
      ['librarian', ['objects', 'organize']],
      ['planner', ['calendar', 'notes', 'objects']],
    ]);
  });
});
