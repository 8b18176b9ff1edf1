import { expect } from 'chai';
import fc from 'fast-check';
import type { AgentConfirmation } from '../../ports/agent-confirmations.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anAgentConfirmation as aConfirmation, newId, newScope, texts } from '../samples.ts';

const confirmations = (): fc.Arbitrary<AgentConfirmation> =>
  fc
    .record({ run: texts(), createdAt: fc.nat(3), expiresAt: fc.nat(2 ** 40) })
    .map((confirmation) => aConfirmation(confirmation));

/** The contract of every AgentConfirmationStore. */
export function agentConfirmationStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const add = (scope: OwnerScope, ...all: readonly AgentConfirmation[]) =>
    backend.uow.write(scope, async ({ agentConfirmations }) => {
      for (const each of all) await agentConfirmations.add(each);
    });
  const find = (scope: OwnerScope, { id }: AgentConfirmation) =>
    backend.uow.read(scope, (stores) => stores.agentConfirmations.find(id));
  const remove = (scope: OwnerScope, { id }: AgentConfirmation) =>
    backend.uow.write(scope, (stores) => stores.agentConfirmations.remove(id));
  const left = async (scope: OwnerScope, all: readonly AgentConfirmation[]) => {
    const found = await Promise.all(all.map((each) => find(scope, each)));
    return found.filter((each) => each !== undefined);
  };

  it('`find` returns what was added, field for field', () =>
    fc.assert(
      fc.asyncProperty(confirmations(), async (confirmation) => {
        const scope = newScope();
        await add(scope, confirmation, aConfirmation());
        expect(await find(scope, confirmation)).to.deep.equal(confirmation);
        expect(await find(scope, aConfirmation())).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`ofSession` returns the confirmations of a session, in no promised order', async () => {
    const scope = newScope();
    const sessionId = newId();
    const all = [aConfirmation({ sessionId }), aConfirmation({ sessionId, expiresAt: 1 })];
    await add(scope, ...all, aConfirmation());
    const ofSession = (of: OwnerScope, id: string) =>
      backend.uow.read(of, ({ agentConfirmations }) => agentConfirmations.ofSession(id));
    expect(await ofSession(scope, sessionId)).to.have.deep.members(all);
    expect(await ofSession(scope, newId())).to.deep.equal([]);
    expect(await ofSession(newScope(), sessionId)).to.deep.equal([]);
  });

  it('`remove` returns `true` for a stored confirmation and `false` afterwards', async () => {
    const scope = newScope();
    const [gone, stored] = [aConfirmation(), aConfirmation()];
    await add(scope, gone, stored);
    expect(await remove(scope, gone)).to.equal(true);
    expect(await remove(scope, gone)).to.equal(false);
    expect(await left(scope, [gone, stored])).to.deep.equal([stored]);
  });

  it('Of two concurrent units of work that remove the same confirmation, one gets `true` and the other `false`', async () => {
    const scope = newScope();
    const confirmation = aConfirmation();
    await add(scope, confirmation);
    const both = await Promise.all([remove(scope, confirmation), remove(scope, confirmation)]);
    expect(both.sort()).to.deep.equal([false, true]);
  });

  it('`removeExpired` removes the confirmations that expire at the moment or before, and no others', async () => {
    const scope = newScope();
    const all = [9, 10, 11].map((expiresAt) => aConfirmation({ expiresAt }));
    await add(scope, ...all);
    await backend.uow.write(scope, (stores) => stores.agentConfirmations.removeExpired(10));
    expect(await left(scope, all)).to.deep.equal(all.slice(2));
  });

  it('`retain` removes all but the newest, by creation time and then by id', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(confirmations(), { maxLength: 6 }),
        fc.nat(6),
        async (all, newest) => {
          const scope = newScope();
          await add(scope, ...all);
          await backend.uow.write(scope, (stores) => stores.agentConfirmations.retain(newest));
          const sorted = [...all].sort(
            (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
          );
          expect(await left(scope, sorted)).to.deep.equal(sorted.slice(0, newest));
        },
      ),
      { numRuns: 25 },
    ));

  it("Another owner's confirmations are out of reach", async () => {
    const [mine, theirs] = [newScope(), newScope()];
    const confirmation = aConfirmation();
    await add(mine, confirmation);
    await backend.uow.write(theirs, async ({ agentConfirmations }) => {
      expect(await agentConfirmations.find(confirmation.id)).to.equal(undefined);
      expect(await agentConfirmations.remove(confirmation.id)).to.equal(false);
      await agentConfirmations.removeExpired(2 ** 50);
      await agentConfirmations.retain(0);
    });
    expect(await find(mine, confirmation)).to.deep.equal(confirmation);
    const own = { ...confirmation, run: 'own' };
    await add(theirs, own);
    expect(await find(theirs, confirmation)).to.deep.equal(own);
    expect(await find(mine, confirmation)).to.deep.equal(confirmation);
  });
}
