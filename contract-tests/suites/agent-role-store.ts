import { expect } from 'chai';
import fc from 'fast-check';
import type { CustomAgentRole } from '../../ports/agent-roles.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { agentRoles, newId, newScope } from '../samples.ts';

const aRole = (over: Partial<CustomAgentRole> = {}): CustomAgentRole => ({
  id: newId(),
  slug: 'skipper',
  name: 'Skipper',
  description: '',
  icon: '',
  persona: 'You know the tides.',
  toolsets: ['objects'],
  isImported: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...over,
});

const byTime = (a: CustomAgentRole, b: CustomAgentRole) =>
  a.createdAt - b.createdAt || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));

/** The contract of every AgentRoleStore. */
export function agentRoleStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const add = (scope: OwnerScope, ...roles: readonly CustomAgentRole[]) =>
    backend.uow.write(scope, async (s) => {
      const answers: boolean[] = [];
      for (const role of roles) answers.push(await s.agentRoles.add(role));
      return answers;
    });
  const listed = (scope: OwnerScope) =>
    backend.uow.read(scope, (s) => s.agentRoles.page({ limit: 99, offset: 0 }));
  const active = (scope: OwnerScope) => backend.uow.read(scope, (s) => s.agentRoles.active());
  const activate = (scope: OwnerScope, slug: string | null) =>
    backend.uow.write(scope, (s) => s.agentRoles.activate(slug));

  it('An added role is found by its slug and by its id, field for field', () =>
    fc.assert(
      fc.asyncProperty(agentRoles(), async (role) => {
        const scope = newScope();
        expect(await add(scope, role)).to.deep.equal([true]);
        const found = await backend.uow.read(scope, async (s) => [
          await s.agentRoles.find(role.slug),
          await s.agentRoles.withId(role.id),
          await s.agentRoles.find(role.id),
          await s.agentRoles.withId(role.slug),
        ]);
        expect(found).to.deep.equal([role, role, undefined, undefined]);
      }),
      { numRuns: 25 },
    ));

  it('`add` returns `false` and stores nothing if another role has the slug or the id', async () => {
    const scope = newScope();
    const first = aRole();
    const answers = await add(
      scope,
      first,
      aRole({ name: 'The same slug' }),
      aRole({ id: first.id, slug: 'same-id' }),
      first,
    );
    expect(answers).to.deep.equal([true, false, false, false]);
    expect(await listed(scope)).to.deep.equal({ items: [first], total: 1 });
  });

  it('Of two concurrent units of work that add the same slug, one gets `true` and the other `false`', async () => {
    const beside = await backend.another();
    try {
      for (let round = 0; round < 5; round++) {
        const scope = newScope();
        const answers = await Promise.all(
          [backend, beside].map(({ uow }, i) =>
            uow.write(scope, (s) => s.agentRoles.add(aRole({ name: `Number ${i}` }))),
          ),
        );
        expect(answers.toSorted()).to.deep.equal([false, true]);
        const { items, total } = await listed(scope);
        expect([items.map(({ name }) => name), total]).to.deep.equal([
          [`Number ${answers.indexOf(true)}`],
          1,
        ]);
      }
    } finally {
      await beside.close();
    }
  });

  it('`replace` changes the role with that slug, and returns `false` if there is none', () =>
    fc.assert(
      fc.asyncProperty(agentRoles(), agentRoles(), async (role, next) => {
        const scope = newScope();
        const other = aRole({ slug: 'other' });
        const changed = { ...next, slug: role.slug, id: role.id };
        await add(scope, role, other);
        const answers = await backend.uow.write(scope, async (s) => [
          await s.agentRoles.replace(changed),
          await s.agentRoles.replace(aRole({ slug: 'nobody' })),
        ]);
        expect(answers).to.deep.equal([true, false]);
        const { items, total } = await listed(scope);
        expect(items).to.have.deep.members([changed, other]);
        expect(total).to.equal(2);
      }),
      { numRuns: 15 },
    ));

  it('`remove` removes that role only, and returns whether it existed', async () => {
    const scope = newScope();
    const [gone, stored] = [aRole({ slug: 'gone' }), aRole({ slug: 'kept' })];
    await add(scope, gone, stored);
    const remove = () => backend.uow.write(scope, (s) => s.agentRoles.remove('gone'));
    expect([await remove(), await remove()]).to.deep.equal([true, false]);
    expect(await listed(scope)).to.deep.equal({ items: [stored], total: 1 });
    expect(await add(scope, aRole({ slug: 'gone', id: gone.id }))).to.deep.equal([true]);
  });

  it('`page` lists by creation time, then by id, oldest first, and returns the full total', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(agentRoles(), { maxLength: 8, selector: ({ slug }) => slug }),
        fc.integer({ min: 1, max: 4 }),
        async (roles, limit) => {
          const scope = newScope();
          // Only two different times, so that there are ties.
          const saved = roles.map((role, i) => ({ ...role, createdAt: i % 2 }));
          await add(scope, ...saved.toReversed());
          await backend.uow.read(scope, async (s) => {
            const seen: CustomAgentRole[] = [];
            for (let offset = 0; offset <= saved.length; offset += limit) {
              const page = await s.agentRoles.page({ limit, offset });
              expect(page.total).to.equal(saved.length);
              seen.push(...page.items);
            }
            expect(seen).to.deep.equal(saved.toSorted(byTime));
            const none = await s.agentRoles.page({ limit: 0, offset: 0 });
            expect(none).to.deep.equal({ items: [], total: saved.length });
          });
        },
      ),
      { numRuns: 20 },
    ));

  it('Initially no role is active. Activating a role replaces the active one, and null clears it', async () => {
    const scope = newScope();
    await activate(scope, null);
    expect(await active(scope)).to.equal(null);
    for (const slug of ['assistant', 'skipper', 'skipper', null, 'planner']) {
      await activate(scope, slug);
      expect(await active(scope)).to.equal(slug);
    }
  });

  it("Another owner's roles and active role are out of reach", async () => {
    const [scope, elsewhere] = [newScope(), newScope()];
    const mine = aRole();
    const theirs = aRole({ id: mine.id, name: 'Theirs' });
    await add(scope, mine);
    await activate(scope, mine.slug);
    await backend.uow.write(elsewhere, async ({ agentRoles: store }) => {
      expect(await store.find(mine.slug)).to.equal(undefined);
      expect(await store.withId(mine.id)).to.equal(undefined);
      expect(await store.replace(theirs)).to.equal(false);
      expect(await store.remove(mine.slug)).to.equal(false);
      expect(await store.page({ limit: 9, offset: 0 })).to.deep.equal({ items: [], total: 0 });
      expect(await store.active()).to.equal(null);
      expect(await store.add(theirs)).to.equal(true);
      await store.activate('planner');
      await store.activate(null);
    });
    expect(await listed(scope)).to.deep.equal({ items: [mine], total: 1 });
    expect(await active(scope)).to.equal(mine.slug);
    expect(await listed(elsewhere)).to.deep.equal({ items: [theirs], total: 1 });
  });
}
