import { expect } from 'chai';
import fc from 'fast-check';
import type { AgentUndo, UndoEffect, UndoFields } from '../../ports/agent-undos.ts';
import type { CalendarEvent } from '../../ports/calendar.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Backend } from '../backends.ts';
import { anAgentUndo, newId, newScope, orNull, texts } from '../samples.ts';

const EVENT: CalendarEvent = {
  id: newId(),
  number: 1,
  uid: 'a',
  rrule: '',
  last: null,
  reach: { from: 0, until: 1 },
  nextReminderAt: null,
  createdAt: 1,
  updatedAt: 1,
  title: '',
  description: '',
  location: '',
  start: 0,
  later: false,
  duration: { days: 0, ms: 1_000 },
  tz: 'UTC',
  allDay: false,
  reminders: [5],
  status: 'confirmed',
};

const fields = (): fc.Arbitrary<UndoFields> =>
  fc.record(
    {
      filename: texts(),
      nameSource: fc.constantFrom('original', 'user', 'ai'),
      nameLocked: fc.boolean(),
      suggestedName: orNull(texts()),
      collectionId: orNull(fc.constant(newId())),
      categories: fc.array(texts(), { maxLength: 3 }),
      version: fc.nat(9),
    },
    { requiredKeys: [] },
  );
const effects = (): fc.Arbitrary<UndoEffect> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('changed'),
      objectId: fc.constant(newId()),
      from: fields(),
      to: fields(),
    }),
    fc.record({
      kind: fc.constant('created'),
      objectId: fc.constant(newId()),
      as: fields(),
    }),
    texts().map((title): UndoEffect => ({ kind: 'event', as: { ...EVENT, title } })),
  );
const undos = (): fc.Arbitrary<AgentUndo> =>
  fc
    .record({
      tool: texts(),
      effects: fc.array(effects(), { maxLength: 3 }),
      createdAt: fc.nat(2 ** 40),
      expiresAt: orNull(fc.nat(2 ** 40)),
      undoneAt: orNull(fc.nat(2 ** 40)),
    })
    .map((undo) => anAgentUndo(undo));

/** The contract of every AgentUndoStore. */
export function agentUndoStoreContract(open: () => Promise<Backend>): void {
  let backend: Backend;
  before(async () => (backend = await open()));
  after(() => backend.close());

  const save = (scope: OwnerScope, ...all: readonly AgentUndo[]) =>
    backend.uow.write(scope, async ({ agentUndos }) => {
      for (const each of all) await agentUndos.save(each);
    });
  const find = (scope: OwnerScope, { id }: AgentUndo) =>
    backend.uow.read(scope, ({ agentUndos }) => agentUndos.find(id));
  const left = async (scope: OwnerScope, all: readonly AgentUndo[]) => {
    const found = await Promise.all(all.map((each) => find(scope, each)));
    return all.filter((_each, i) => found[i] !== undefined);
  };

  it('`save` inserts or replaces an undo, and `find` returns what was saved, field for field', () =>
    fc.assert(
      fc.asyncProperty(undos(), undos(), async (undo, other) => {
        const scope = newScope();
        await save(scope, undo, anAgentUndo());
        expect(await find(scope, undo)).to.deep.equal(undo);
        const changed = { ...other, id: undo.id };
        await save(scope, changed);
        expect(await find(scope, undo)).to.deep.equal(changed);
        expect(await find(scope, other)).to.equal(undefined);
      }),
      { numRuns: 25 },
    ));

  it('`statesOf` returns the states of all undos of a session, in no promised order', async () => {
    const scope = newScope();
    const sessionId = newId();
    const all = [
      anAgentUndo({ sessionId, expiresAt: 5 }),
      anAgentUndo({ sessionId, expiresAt: null, undoneAt: 7, effects: [] }),
    ];
    await save(scope, ...all, anAgentUndo());
    const states = await backend.uow.read(scope, ({ agentUndos }) =>
      agentUndos.statesOf(sessionId),
    );
    expect(states).to.have.deep.members(
      all.map(({ id, expiresAt, undoneAt }) => ({ id, expiresAt, undoneAt })),
    );
    const none = await backend.uow.read(scope, ({ agentUndos }) => agentUndos.statesOf(newId()));
    expect(none).to.deep.equal([]);
  });

  it('`removeOf` removes all undos of a session, and no others', async () => {
    const scope = newScope();
    const sessionId = newId();
    const [one, two, stays] = [
      anAgentUndo({ sessionId }),
      anAgentUndo({ sessionId, expiresAt: null, undoneAt: 1 }),
      anAgentUndo(),
    ];
    await save(scope, one, two, stays);
    await backend.uow.write(scope, ({ agentUndos }) => agentUndos.removeOf(sessionId));
    expect(await left(scope, [one, two, stays])).to.deep.equal([stays]);
  });

  it('`removeExpired` removes undos that expire before the moment, at most `limit`, and returns how many', async () => {
    const scope = newScope();
    const expired = [1, 2, 3].map((expiresAt) => anAgentUndo({ expiresAt }));
    const others = [
      anAgentUndo({ expiresAt: 4 }),
      anAgentUndo({ expiresAt: 5 }),
      anAgentUndo({ expiresAt: null, undoneAt: 1 }),
    ];
    await save(scope, ...expired, ...others);
    const removed = (limit: number) =>
      backend.uow.write(scope, ({ agentUndos }) => agentUndos.removeExpired(4, limit));
    expect(await removed(2)).to.equal(2);
    expect(await left(scope, expired)).to.have.length(1);
    expect(await removed(2)).to.equal(1);
    expect(await removed(2)).to.equal(0);
    expect(await left(scope, [...expired, ...others])).to.deep.equal(others);
  });

  it('Those that were undone count as well, but lose only their effects and their expiry', async () => {
    const scope = newScope();
    const event: UndoEffect = { kind: 'event', as: EVENT };
    const [undone, later, applied] = [
      anAgentUndo({ expiresAt: 1, undoneAt: 1, effects: [event] }),
      anAgentUndo({ expiresAt: 4, undoneAt: 1, effects: [event] }),
      anAgentUndo({ expiresAt: 1 }),
    ];
    await save(scope, undone, later, applied);
    const removed = (limit: number) =>
      backend.uow.write(scope, ({ agentUndos }) => agentUndos.removeExpired(4, limit));
    expect([await removed(1), await removed(1), await removed(9)]).to.deep.equal([1, 1, 0]);
    expect(await find(scope, applied)).to.equal(undefined);
    expect(await find(scope, later)).to.deep.equal(later);
    expect(await find(scope, undone)).to.deep.equal({ ...undone, effects: [], expiresAt: null });
  });

  it("Another owner's undos are out of reach", async () => {
    const [scope, other] = [newScope(), newScope()];
    const undo = anAgentUndo({ expiresAt: 1 });
    await save(scope, undo);
    expect(await find(other, undo)).to.equal(undefined);
    await backend.uow.write(other, async ({ agentUndos }) => {
      expect(await agentUndos.statesOf(undo.sessionId)).to.deep.equal([]);
      await agentUndos.removeOf(undo.sessionId);
      expect(await agentUndos.removeExpired(9, 9)).to.equal(0);
      await agentUndos.save({ ...undo, tool: 'other' });
    });
    expect(await find(scope, undo)).to.deep.equal(undo);
  });
}
