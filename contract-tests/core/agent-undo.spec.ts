import { expect } from 'chai';
import fc from 'fast-check';
import { AGENT_UNDO_MS } from '../../core/agent/index.ts';
import { InProcessChangeFeed } from '../../adapters/inprocess/change-feed.ts';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { OwnerChange } from '../../ports/changes.ts';
import type { StoredObject } from '../../ports/objects.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { backends, type Backend } from '../backends.ts';
import { openAgentWorld, stepsIn, type AgentWorld, type ReceivedEvents } from './agent-fixture.ts';

const PAGE = { limit: 100, offset: 0 };
const MISSING = '0198c000-0000-7000-8000-000000000000';
type Call = readonly [tool: string, given: object];

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );

/** A backend in which one method of a store rejects while `isBroken`. */
function failingBackend(
  backend: Backend,
  isBroken: () => boolean,
  name: keyof Stores,
  method: string,
): Backend {
  const broken = (stores: Stores): Stores =>
    new Proxy(stores, {
      get: (target, key) => {
        const store = Reflect.get(target, key) as object;
        if (key !== name || !isBroken()) return store;
        return new Proxy(store, {
          get: (of, member) =>
            member === method
              ? () => Promise.reject(new Error('The process ends here.'))
              : (Reflect.get(of, member) as unknown),
        });
      },
    });
  const uow: UnitOfWork = {
    read: (scope, work) => backend.uow.read(scope, work),
    write: (scope, work, size) => backend.uow.write(scope, (stores) => work(broken(stores)), size),
  };
  return new Proxy(backend, {
    get: (target, key) => (key === 'uow' ? uow : (Reflect.get(target, key) as unknown)),
  });
}

for (const [name, open] of backends)
  describe(`undo of steps of the agent on ${name}`, () => {
    let backend: Backend;
    let world: AgentWorld;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await fresh();
    });

    /** With a role that may use every tool. */
    const fresh = async (from = backend, over = {}): Promise<AgentWorld> => {
      const salt = `undo-${name}-${process.pid}-${Math.random()}`;
      const opened = await openAgentWorld(from, salt, over);
      await opened.core.agents.createAgent(opened.caller, {
        slug: 'all',
        name: 'All',
        persona: 'You tidy up.',
        toolsets: ['objects', 'notes', 'calendar', 'organize'],
      });
      return opened;
    };
    const objectOf = async (id: string, from = world): Promise<StoredObject> =>
      (await from.core.objects.getObject(from.caller, id)).object;
    /** A run that makes these calls, all of which the owner allows, and the ids of their undos. */
    const run = async (calls: readonly Call[], from = world) => {
      from.replies(...calls.map((call) => [call]), 'Done.');
      let received = await from.chat('Do it', { role: 'all' });
      const sessionId = sessionOf(received);
      const steps = [...stepsIn(received)];
      const made = [...(received.turn?.reply.objects ?? [])];
      while (received.turn?.confirm) {
        received = await from.decide(received.turn.confirm.id, 'allow');
        steps.push(...stepsIn(received));
        made.push(...(received.turn?.reply.objects ?? []));
      }
      const undos = steps.filter(isDone).map(({ undo }) => undo);
      return { undos, sessionId, objectIds: made.map(({ objectId }) => objectId) };
    };
    /** A step that asked the owner is followed by one that says what came of it. */
    const isDone = (step: Readonly<Record<string, unknown>>) => step['confirmation'] !== 'asked';
    const undosOf = (received: ReceivedEvents) => stepsIn(received).map(({ undo }) => undo);
    const sessionOf = ({ news }: ReceivedEvents): string =>
      news.flatMap((each) => (each.type === 'session' ? [each.sessionId ?? ''] : []))[0] ?? '';
    const undo = (id: unknown, caller = world.caller, from = world) =>
      from.core.agent.undoAgentStep(caller, String(id));
    const redo = (id: unknown, caller = world.caller, from = world) =>
      from.core.agent.redoAgentStep(caller, String(id));
    const shownSteps = async (sessionId: string, caller = world.caller) =>
      (await world.core.conversations.getChat(caller, sessionId)).messages
        .flatMap(({ steps }) => steps ?? [])
        .filter(isDone);
    const rename = (object_id: string, filename: string): Call => [
      'rename_object',
      { object_id, filename },
    ];
    const move = (object_id: string, collection_id: string | null): Call => [
      'move_object',
      { object_id, collection_id },
    ];

    it('puts a name back, with its lock and the suggestion that was there', async () => {
      const [added] = await world.core.objects.addFiles(
        world.caller,
        [await world.file('scan 1.txt', 'lantern')],
        {},
      );
      const id = added!.object.id;
      await backend.uow.write(world.caller.scope, async ({ objects }) => {
        const object = await objects.find(id);
        if (object)
          await objects.save({ ...object, suggestedName: 'Lantern.txt', suggestedReason: 'title' });
      });
      const before = await objectOf(id);
      const { undos } = await run([rename(id, 'Lamp.txt')]);
      const after = await objectOf(id);
      expect(after).to.include({ filename: 'Lamp.txt', nameLocked: true, suggestedName: null });
      world.now += 1_000;
      const undone = await undo(undos[0]);
      expect(undone).to.deep.equal({
        id: undos[0],
        isUndone: true,
        objectIds: [id],
        eventIds: [],
      });
      expect(await objectOf(id)).to.deep.equal({ ...before, updatedAt: world.now });
      const found = async (q: string) =>
        (await world.core.search.searchObjects(world.caller, { q, ...PAGE })).total;
      expect([await found('scan'), await found('lamp')]).to.deep.equal([1, 0]);
    });

    it('leaves a suggested name that was made meanwhile', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const suggest = (suggestedName: string) =>
        backend.uow.write(world.caller.scope, async ({ objects }) => {
          const object = await objects.find(id);
          if (object) await objects.save({ ...object, suggestedName, suggestedReason: 'title' });
        });
      await suggest('Before.md');
      const { undos } = await run([rename(id, 'Lamp.md')]);
      await suggest('Since.md');
      await undo(undos[0]);
      expect(await objectOf(id)).to.include({
        filename: 'Lantern.md',
        suggestedName: 'Since.md',
      });
    });

    it('puts a folder back, with a suggestion of before', async () => {
      const [first, second] = [await world.folder('First'), await world.folder('Second')];
      const id = await world.note('lantern', { collectionId: first });
      await backend.uow.write(world.caller.scope, async ({ objects }) => {
        const object = await objects.find(id);
        if (object) await objects.save({ ...object, suggestedCollectionId: second });
      });
      const before = await objectOf(id);
      const { undos } = await run([move(id, null), move(id, second)]);
      expect(undos).to.have.length(2);
      expect((await objectOf(id)).collectionId).to.equal(second);
      // The second move was from no folder.
      await undo(undos[1]);
      expect((await objectOf(id)).collectionId).to.equal(null);
      await undo(undos[0]);
      expect(await objectOf(id)).to.deep.equal({ ...before, updatedAt: world.now });
    });

    it('moves a created note to the trash, and removes a created event', async () => {
      const { undos } = await run([
        ['create_note', { content: 'Buy oil', title: 'Oil' }],
        [
          'create_event',
          {
            title: 'Dentist',
            starts_at: '2026-02-01T09:00:00Z',
            ends_at: '2026-02-01T10:00:00Z',
            reminders: [10],
          },
        ],
      ]);
      // Reading, summaries and reminders come after the step, and are no change by a person.
      await world.runPendingTasks();
      world.now = Date.UTC(2026, 0, 1, 12);
      const events = async () =>
        (await world.core.calendar.listEvents(world.caller, { search: '', ...PAGE })).items;
      const [event] = await events();
      await backend.uow.write(world.caller.scope, ({ calendar }) =>
        calendar.remindAt(event!.event.id, null),
      );
      const undone = await undo(undos[1]);
      expect(undone.eventIds).to.deep.equal([event!.event.id]);
      expect(await events()).to.deep.equal([]);
      const { objectIds } = await undo(undos[0]);
      expect(objectIds).to.have.length(1);
      expect((await objectOf(objectIds[0]!)).deletedAt).to.equal(world.now);
    });

    it('is offered by steps that changed something, and by no others', async () => {
      const folder = await world.folder('Folder');
      const id = await world.note('lantern', { collectionId: folder, title: 'Lantern' });
      const { undos, sessionId } = await run([
        ['get_agenda', { from: '2026-01-01', to: '2026-01-02' }],
        move(id, folder),
        move(id, MISSING),
        rename(id, ''),
        rename(MISSING, 'x.txt'),
        rename(id, 'Lamp.md'),
      ]);
      expect(undos.map((each) => typeof each)).to.deep.equal([
        ...Array<string>(5).fill('undefined'),
        'string',
      ]);
      expect((await shownSteps(sessionId)).map((step) => step['undo'])).to.deep.equal(undos);
    });

    it('happens once, also of requests at the same time, and the step is shown as undone', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos, sessionId } = await run([rename(id, 'Lamp.md')]);
      const codes = await Promise.all([1, 2, 3].map(() => codeOf(undo(undos[0]))));
      expect(codes.sort()).to.deep.equal(['not_found', 'not_found', 'ok']);
      const [step] = await shownSteps(sessionId);
      expect(step)
        .to.include({ tool: 'rename_object', undone: true })
        .and.not.have.property('undo');
      // Long after it as well.
      world.now += 400 * AGENT_UNDO_MS;
      await world.core.background.sweepExpiredUndos();
      expect((await shownSteps(sessionId))[0]).to.include({ undone: true });
    });

    it('is published as a change of its conversation, where the conversation is shown', async () => {
      const published: OwnerChange[] = [];
      const changes = new (class extends InProcessChangeFeed {
        override publish(ownerId: string, change: OwnerChange): void {
          published.push(change);
          super.publish(ownerId, change);
        }
      })('undo');
      world = await fresh(backend, { changes });
      const event = (title: string): Call => [
        'create_event',
        { title, starts_at: '2026-02-01T09:00:00Z', ends_at: '2026-02-01T10:00:00Z' },
      ];
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos } = await run([event('One'), ['read_object', { object_id: id }]]);
      published.length = 0;
      await undo(undos[0]);
      expect(published.map(({ visible }) => visible)).to.deep.equal([['chats', 'calendar']]);
      published.length = 0;
      await world.core.agent.redoAgentStep(world.caller, String(undos[0]));
      expect(published.map(({ visible }) => visible)).to.deep.equal([['chats', 'calendar']]);
      const { undos: later } = await run([event('Two'), ['read_object', { object_id: id }]]);
      const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      const unlocked = { ...world.caller, hiddenToken: token };
      await world.core.objects.editObject(unlocked, id, { isHidden: true });
      published.length = 0;
      await undo(later[0], unlocked);
      expect(published.map(({ visible, hidden }) => [visible, hidden])).to.deep.equal([
        [['calendar'], ['chats']],
      ]);
    });

    it('can be redone for 24 hours, exactly, and then undone again', async () => {
      const folder = await world.folder('Folder');
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos, sessionId } = await run([rename(id, 'Lamp.md'), move(id, folder)]);
      const after = await objectOf(id);
      for (const each of undos.toReversed()) await undo(each);
      const before = await objectOf(id);
      expect(await codeOf(undo(undos[0]))).to.equal('not_found');
      world.now += AGENT_UNDO_MS - 1;
      expect((await shownSteps(sessionId)).map((step) => step['redo'])).to.deep.equal(undos);
      const codes = await Promise.all([1, 2, 3].map(() => codeOf(redo(undos[0]))));
      expect(codes.sort()).to.deep.equal(['not_found', 'not_found', 'ok']);
      await redo(undos[1]);
      expect(await objectOf(id)).to.deep.equal({ ...after, updatedAt: world.now });
      expect((await shownSteps(sessionId)).map((step) => step['undo'])).to.deep.equal(undos);
      for (const each of undos.toReversed()) await undo(each);
      expect(await objectOf(id)).to.deep.equal({ ...before, updatedAt: world.now });
      world.now += AGENT_UNDO_MS + 1;
      for (const each of undos) expect(await codeOf(redo(each))).to.equal('not_found');
      await world.core.background.sweepExpiredUndos();
      const stored = await backend.uow.read(world.caller.scope, ({ agentUndos }) =>
        agentUndos.find(String(undos[0])),
      );
      expect(stored).to.deep.include({ effects: [], expiresAt: null });
      for (const step of await shownSteps(sessionId))
        expect(step).to.include({ undone: true }).and.not.have.property('redo');
    });

    it('of a created event can be redone with its reminders, unless its place is taken', async () => {
      const { calendar } = world.core;
      const event = {
        title: 'Dentist',
        starts_at: '2026-02-01T09:00:00Z',
        ends_at: '2026-02-01T10:00:00Z',
        reminders: [10],
      };
      world.now = Date.UTC(2026, 1, 1, 7);
      const { undos } = await run([['create_event', event]]);
      const listed = async () =>
        (await calendar.listEvents(world.caller, { search: '', ...PAGE })).items.map(
          ({ event: each }) => each,
        );
      const [created] = await listed();
      await undo(undos[0]);
      world.now = Date.UTC(2026, 1, 1, 8);
      await redo(undos[0]);
      const [again] = await listed();
      expect(again).to.deep.equal({ ...created, number: created!.number + 1 });
      await undo(undos[0]);
      // After its reminder it reminds no more.
      world.now = Date.UTC(2026, 1, 1, 8, 55);
      await redo(undos[0]);
      expect((await listed())[0]).to.include({ nextReminderAt: null });
      await undo(undos[0]);
      await backend.uow.write(world.caller.scope, (stores) =>
        stores.calendar.save({ ...created!, id: MISSING }),
      );
      expect(await codeOf(redo(undos[0]))).to.equal('changed_since');
      expect(await listed()).to.have.length(1);
    });

    it('is redone by its owner only, in the scopes and folders of the step, and where it is not concealed', async () => {
      const [inside, outside] = [await world.folder('In'), await world.folder('Out')];
      const bound = (folder: string): Caller => ({
        ...world.caller,
        scope: { ...world.caller.scope, folderIds: [folder] },
      });
      const id = await world.note('lantern', { title: 'Lantern', collectionId: inside });
      const { undos, sessionId } = await run([rename(id, 'Lamp.md')]);
      await undo(undos[0]);
      const other = await fresh();
      const asks: Caller = { ...world.caller, scopes: new Set(['ask', 'read']) };
      expect(await codeOf(redo(undos[0], other.caller, other))).to.equal('not_found');
      expect(await codeOf(redo(undos[0], asks))).to.equal('forbidden');
      for (const folder of [inside, outside])
        expect(await codeOf(redo(undos[0], bound(folder)))).to.equal('not_found');
      const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      const unlocked = { ...world.caller, hiddenToken: token };
      await world.core.objects.editObject(unlocked, id, { isHidden: true });
      expect(await codeOf(redo(undos[0]))).to.equal('not_found');
      expect(await codeOf(shownSteps(sessionId))).to.equal('not_found');
      expect(await codeOf(redo(undos[0], unlocked))).to.equal('ok');
    });

    it('leaves what was changed since, and is possible again once that is put back', async () => {
      const [one, two] = [await world.folder('One'), await world.folder('Two')];
      const id = await world.note('lantern', { title: 'Lantern', collectionId: one });
      const { objects } = world.core;
      const { undos } = await run([rename(id, 'Lamp.md'), move(id, two)]);
      await objects.editObject(world.caller, id, { filename: 'Mine.md' });
      await objects.moveObject(world.caller, id, null);
      const mine = await objectOf(id);
      for (const each of undos) expect(await codeOf(undo(each))).to.equal('changed_since');
      expect(await objectOf(id)).to.deep.equal(mine);
      await objects.editObject(world.caller, id, { filename: 'Lamp.md' });
      expect(await codeOf(undo(undos[0]))).to.equal('ok');
      await objects.moveObject(world.caller, id, two);
      await world.core.library.deleteCollection(world.caller, one, 'keep');
      // The folder of before is gone.
      expect(await codeOf(undo(undos[1]))).to.equal('changed_since');
    });

    it('leaves a created note or event that was changed since', async () => {
      const { undos, objectIds } = await run([
        ['create_note', { content: 'Buy oil', title: 'Oil' }],
        [
          'create_event',
          {
            title: 'Rowing',
            starts_at: '2026-02-01T09:00:00Z',
            ends_at: '2026-02-01T10:00:00Z',
            rrule: 'FREQ=DAILY',
          },
        ],
      ]);
      const id = objectIds[0]!;
      const { objects, library, calendar } = world.core;
      const created = await objectOf(id);
      const folder = await world.folder('Folder');
      const edits: readonly [change: () => Promise<unknown>, back: () => Promise<unknown>][] = [
        [
          () => objects.editObject(world.caller, id, { filename: 'Mine.md' }),
          () => objects.editObject(world.caller, id, { filename: created.filename }),
        ],
        [
          () => objects.moveObject(world.caller, id, folder),
          () => objects.moveObject(world.caller, id, null),
        ],
        [
          () => objects.categorizeObject(world.caller, id, ['Mine']),
          () => objects.categorizeObject(world.caller, id, []),
        ],
        [
          () => objects.saveText(world.caller, id, { content: 'Buy wood', baseVersion: 1 }),
          () => library.deleteCollection(world.caller, folder, 'keep'),
        ],
      ];
      for (const [change, back] of edits) {
        await change();
        expect(await codeOf(undo(undos[0]))).to.equal('changed_since');
        expect((await objectOf(id)).deletedAt).to.equal(null);
        await back();
      }
      const [event] = (await calendar.listEvents(world.caller, { search: '', ...PAGE })).items;
      await calendar.excludeOccurrence(world.caller, event!.event.id, {
        local: Date.UTC(2026, 1, 2, 9),
        offsetMinutes: 0,
      });
      expect(await codeOf(undo(undos[1]))).to.equal('changed_since');
      await calendar.deleteEvent(world.caller, event!.event.id);
      expect(await codeOf(undo(undos[1]))).to.equal('not_found');
    });

    it('of a step on an object in the trash is rejected, and has nothing to do for a created one', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos, objectIds } = await run([
        rename(id, 'Lamp.md'),
        ['create_note', { content: 'Buy oil' }],
      ]);
      const { objects } = world.core;
      const created = objectIds.find((each) => each !== id)!;
      for (const each of [id, created]) await objects.deleteObject(world.caller, each, false);
      expect(await codeOf(undo(undos[0]))).to.equal('in_trash');
      const trashed = await objectOf(created);
      expect(await codeOf(undo(undos[1]))).to.equal('ok');
      expect(await objectOf(created)).to.deep.equal(trashed);
      await objects.restoreObject(world.caller, id);
      expect(await codeOf(undo(undos[0]))).to.equal('ok');
      await objects.deleteObject(world.caller, id, true);
    });

    it('is possible for 24 hours, then it is as if it had never been', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos, sessionId } = await run([rename(id, 'A.md'), rename(id, 'B.md')]);
      const began = world.now;
      expect(AGENT_UNDO_MS).to.equal(24 * 3_600_000);
      world.now = began + AGENT_UNDO_MS - 1;
      expect(await codeOf(undo(undos[1]))).to.equal('ok');
      world.now += 1;
      expect(await codeOf(undo(undos[0]))).to.equal('not_found');
      expect((await shownSteps(sessionId))[0]).not.to.have.property('undo');
      expect((await objectOf(id)).filename).to.equal('A.md');
      const stored = () =>
        backend.uow.read(world.caller.scope, ({ agentUndos }) => agentUndos.statesOf(sessionId));
      await world.core.background.sweepExpiredUndos();
      expect(await stored()).to.have.length(2);
      world.now += 1;
      await world.core.background.sweepExpiredUndos();
      expect((await stored()).map((each) => each.id)).to.deep.equal([undos[1]]);
    });

    it('belongs to the owner and the conversation', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos, sessionId } = await run([rename(id, 'Lamp.md')]);
      const other = await fresh();
      expect(await codeOf(undo(undos[0], other.caller, other))).to.equal('not_found');
      expect(await codeOf(undo(MISSING))).to.equal('not_found');
      await world.core.conversations.deleteChat(world.caller, sessionId);
      expect(await codeOf(undo(undos[0]))).to.equal('not_found');
      const left = await backend.uow.read(world.caller.scope, ({ agentUndos }) =>
        agentUndos.find(String(undos[0])),
      );
      expect(left).to.equal(undefined);
      expect((await objectOf(id)).filename).to.equal('Lamp.md');
    });

    it('needs the scope of the tool, and works without a model', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos } = await run([
        rename(id, 'Lamp.md'),
        [
          'create_event',
          { title: 'A', starts_at: '2026-02-01T09:00:00Z', ends_at: '2026-02-01T10:00:00Z' },
        ],
      ]);
      const withScopes = (...scopes: ('ask' | 'write' | 'calendar')[]): Caller => ({
        ...world.caller,
        scopes: new Set(scopes),
      });
      expect(await codeOf(undo(undos[0], withScopes('ask', 'calendar')))).to.equal('forbidden');
      expect(await codeOf(undo(undos[1], withScopes('ask', 'write')))).to.equal('forbidden');
      await world.core.integrations.disconnect(world.caller, 'llm');
      expect(await codeOf(undo(undos[0], withScopes('ask', 'write')))).to.equal('ok');
      expect(await codeOf(undo(undos[1], withScopes('ask', 'calendar')))).to.equal('ok');
    });

    it('is missing for a step on an object that was hidden since, while the zone is locked', async () => {
      const id = await world.note('lantern', { title: 'Lantern' });
      const { undos, sessionId } = await run([rename(id, 'Lamp.md')]);
      const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      const unlocked = { ...world.caller, hiddenToken: token };
      await world.core.objects.editObject(unlocked, id, { isHidden: true });
      expect(await codeOf(undo(undos[0]))).to.equal('not_found');
      expect(await codeOf(undo(undos[0], unlocked))).to.equal('ok');
      expect(await codeOf(shownSteps(sessionId))).to.equal('not_found');
      const { object } = await world.core.objects.getObject(unlocked, id);
      expect(object).to.include({ filename: 'Lantern.md', isHidden: true });
    });

    it('reaches a caller who is bound to folders only in a conversation of these folders', async () => {
      const [inside, outside] = [await world.folder('In'), await world.folder('Out')];
      const bound = (folder: string): Caller => ({
        ...world.caller,
        scope: { ...world.caller.scope, folderIds: [folder] },
      });
      const id = await world.note('lantern', { title: 'Lantern', collectionId: inside });
      const { undos: mine } = await run([rename(id, 'Lamp.md')]);
      expect(await codeOf(undo(mine[0], bound(inside)))).to.equal('not_found');
      world.replies([rename(id, 'Light.md')], 'Done.');
      const received: Record<string, unknown>[] = [];
      await world.core.agent.agentChat(
        bound(inside),
        { message: 'Rename Lamp.md to Light.md', role: 'all' },
        {
          disconnected: new Promise<void>(() => undefined),
          send: (each) => {
            if (each.type === 'step') received.push({ ...each.step });
            return Promise.resolve();
          },
        },
      );
      const theirs = received[0]?.['undo'];
      expect(await codeOf(undo(theirs, bound(outside)))).to.equal('not_found');
      expect(await codeOf(undo(theirs, bound(inside)))).to.equal('ok');
      expect((await objectOf(id)).filename).to.equal('Lamp.md');
      const { items } = await world.core.conversations.listChats(bound(inside), PAGE);
      const chat = items[0]!.id;
      const stored = () =>
        backend.uow.read(world.caller.scope, ({ agentUndos }) => agentUndos.statesOf(chat));
      expect(await stored()).to.have.length(1);
      await world.core.conversations.deleteChat(bound(inside), chat);
      expect(await stored()).to.deep.equal([]);
    });

    it('is stored with the change or not at all', async () => {
      let isBroken = false;
      world = await fresh(failingBackend(backend, () => isBroken, 'agentUndos', 'save'));
      const id = await world.note('lantern', { title: 'Lantern' });
      isBroken = true;
      world.replies([rename(id, 'Lamp.md')], 'Done.');
      expect((await world.chat('Do it', { role: 'all' })).error).to.be.instanceOf(Error);
      expect((await objectOf(id)).filename).to.equal('Lantern.md');
    });

    it('is possible by the streamed step if the process ended before the step was in the history', async () => {
      let isBroken = false;
      const failing = failingBackend(backend, () => isBroken, 'chats', 'addMessage');
      world = await fresh(failing);
      const id = await world.note('lantern', { title: 'Lantern' });
      world.replies((_request) => {
        // The question is stored by now, and the answer will not be.
        isBroken = true;
        return {
          pieces: [],
          reason: 'tools',
          calls: [
            {
              id: 'c',
              name: 'rename_object',
              arguments: JSON.stringify({ object_id: id, filename: 'Lamp.md' }),
            },
          ],
        };
      }, 'Done.');
      const received = await world.chat('Do it', { role: 'all' });
      expect(received.error).to.be.instanceOf(Error);
      isBroken = false;
      expect(await shownSteps(sessionOf(received))).to.deep.equal([]);
      expect((await objectOf(id)).filename).to.equal('Lamp.md');
      const [step] = undosOf(received);
      // Nothing in the conversation says yet that it holds the object.
      const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      const unlocked = { ...world.caller, hiddenToken: token };
      await world.core.objects.editObject(unlocked, id, { isHidden: true });
      expect(await codeOf(undo(step))).to.equal('not_found');
      await world.core.objects.editObject(unlocked, id, { isHidden: false });
      expect(await codeOf(undo(step))).to.equal('ok');
      expect((await objectOf(id)).filename).to.equal('Lantern.md');
    });

    it('puts back exactly what its step changed, in any order, or nothing', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              object: fc.nat(1),
              change: fc.oneof(
                fc.constantFrom('a.md', 'b.md', 'c.md').map((filename) => ({ filename })),
                fc.constantFrom(0, 1, null).map((folder) => ({ folder })),
              ),
            }),
            { minLength: 1, maxLength: 6 },
          ),
          fc.infiniteStream(fc.nat(5)),
          async (changes, order) => {
            const here = await fresh();
            const folders = [await here.folder('One'), await here.folder('Two')];
            const ids = [await here.note('one', { title: 'One' }), await here.note('two')];
            const states = async () =>
              (await Promise.all(ids.map((id) => objectOf(id, here)))).map(
                ({ filename, nameSource, nameLocked, collectionId }) => ({
                  filename,
                  nameSource,
                  nameLocked,
                  collectionId,
                }),
              );
            const initial = await states();
            const steps: { undo: unknown; object: number; fields: string[]; was: object[] }[] = [];
            for (const { object, change } of changes) {
              const was = await states();
              const isName = 'filename' in change;
              const call = isName
                ? rename(ids[object]!, change.filename)
                : move(ids[object]!, change.folder === null ? null : folders[change.folder]!);
              const { undos } = await run([call], here);
              const fields = isName ? ['filename', 'nameSource', 'nameLocked'] : ['collectionId'];
              if (undos[0] !== undefined) steps.push({ undo: undos[0], object, fields, was });
            }
            const random = order[Symbol.iterator]();
            const inOrder = random.next().value === 0;
            const left = [...steps];
            while (left.length > 0) {
              const at = inOrder ? left.length - 1 : Number(random.next().value) % left.length;
              const [step] = left.splice(at, 1);
              const before = await states();
              const code = await codeOf(undo(step!.undo, here.caller, here));
              const expected = before.map((state, i) =>
                code === 'ok' && i === step!.object
                  ? {
                      ...state,
                      ...Object.fromEntries(
                        step!.fields.map((field) => [field, Reflect.get(step!.was[i]!, field)]),
                      ),
                    }
                  : state,
              );
              expect(code).to.be.oneOf(inOrder ? ['ok'] : ['ok', 'changed_since']);
              expect(await states()).to.deep.equal(expected);
            }
            if (inOrder) expect(await states()).to.deep.equal(initial);
          },
        ),
        { numRuns: name === 'memory' ? 40 : 4 },
      )).timeout(120_000);
  });
