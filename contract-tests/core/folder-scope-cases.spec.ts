import { expect } from 'chai';
import { FOLDER_ACCESS } from '../../core/folder-scope/index.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { backends, type Backend } from '../backends.ts';
import { openAgentWorld, results, type AgentWorld } from './agent-fixture.ts';
import { openCoreFixture } from './core-fixture.ts';

const MISSING = '0198c000-0000-7000-8000-000000000000';
const PAGE = { limit: 100, offset: 0 };

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as DomainError).code,
  );
const boundTo = (caller: Caller, ...folderIds: readonly string[]): Caller => ({
  ...caller,
  scope: { ...caller.scope, folderIds },
});

for (const [name, open] of backends)
  describe(`a caller that is bound to folders on ${name}`, () => {
    let backend: Backend;
    let world: AgentWorld;
    let caller: Caller;
    let [inside, outside, beyond] = ['', '', ''];
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openAgentWorld(backend, `folders-${name}-${process.pid}-${Math.random()}`);
      inside = await world.folder('Inside');
      outside = await world.folder('Outside');
      await world.note('The harbour opens at seven.', { collectionId: inside });
      beyond = await world.note('The harbour closes at midnight.', { collectionId: outside });
      caller = boundTo(world.caller, inside);
    });

    it('gets `forbidden` from every use case that needs the whole workspace', async () => {
      const guarded: string[] = [];
      const core = world.core as unknown as Record<
        string,
        Record<string, (caller: Caller) => Promise<unknown>>
      >;
      for (const [module, access] of Object.entries(FOLDER_ACCESS))
        for (const [useCase, run] of Object.entries(core[module] ?? {})) {
          const needed = typeof access === 'string' ? access : Object.entries(access);
          const isWhole =
            needed === 'whole' ||
            new Map<string, string>(needed as [string, string][]).get(useCase) === 'whole';
          if (!isWhole) continue;
          guarded.push(useCase);
          expect(await codeOf(run(caller)), `${module}.${useCase}`).to.equal('forbidden');
        }
      expect(guarded).to.have.length.greaterThan(40);
    });

    /** The prompts of a run with these calls, without ids. */
    const run = async (...calls: readonly (readonly [string, object])[]): Promise<string> => {
      world.replies(calls, 'Done.');
      const message = 'What about the harbour? Write a note: taken';
      await world.core.agent.agentChat(caller, { message });
      return JSON.stringify(world.asked.map(({ messages }) => messages)).replaceAll(
        /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|call-\d+/g,
        'id',
      );
    };

    it('lets the agent read nothing outside', async () => {
      const readOf = (object_id: string) =>
        run(['search_objects', { query: 'harbour' }], ['read_object', { object_id }]);
      const said = await readOf(beyond);
      expect(said).to.include('opens at seven').and.not.include('midnight');
      expect(said).to.include('Inside').and.not.include('Outside');
      expect(await readOf(MISSING)).to.equal(said);
      const agenda = { from: '2026-01-01', to: '2026-02-01' };
      await run(['get_agenda', agenda]);
      expect(results(world.asked.at(-1)).join()).to.include('bound to folders');
    });

    it('lets the agent change nothing outside', async () => {
      const changesTo = (object_id: string, collection_id: string) =>
        run(
          ['rename_object', { object_id, filename: 'x.md' }],
          ['move_object', { object_id, collection_id: inside }],
          ['create_note', { content: 'taken', collection_id }],
          ['create_note', { content: 'taken' }],
        );
      const said = await changesTo(beyond, outside);
      // The model learns how to do it right.
      expect(results(world.asked.at(-1))[0]).to.include('`collection_id`');
      expect(await changesTo(MISSING, MISSING)).to.equal(said);
      const { total } = await world.core.objects.listObjects(world.caller, {}, PAGE);
      expect(total).to.equal(2);
      const { object } = await world.core.objects.getObject(world.caller, beyond);
      expect(object).to.include({ collectionId: outside, version: 1 });
      expect(object.filename).not.to.equal('x.md');
    });

    it('sends a model passages of its folders only', async () => {
      world.model.says = (request) => {
        world.asked.push(request);
        return { pieces: ['Nothing.'] };
      };
      await world.core.conversations.ask(caller, { question: 'When does the harbour open?' });
      const sent = JSON.stringify(world.asked);
      expect(sent).to.include('opens at seven').and.not.include('midnight');
    });

    it('does not see a chat after a caller who sees more has decided on a run in it', async () => {
      const turn = await world.core.conversations.createChat(caller, { kind: 'agent' });
      const { id } = turn.session;
      expect(turn.session.boundTo).to.deep.equal([inside]);
      world.replies('Hello.');
      await world.core.agent.agentChat(caller, { message: 'Hi', sessionId: id });
      expect(await codeOf(world.core.conversations.getChat(caller, id))).to.equal('ok');
      await world.core.agent.agentChat(world.caller, { message: 'Hi', sessionId: id });
      expect(await codeOf(world.core.conversations.getChat(caller, id))).to.equal('not_found');
      expect(await codeOf(world.core.conversations.deleteChat(caller, id))).to.equal('not_found');
      const { session } = await world.core.conversations.getChat(world.caller, id);
      expect(session.boundTo).to.equal(null);
    });

    it('sees chats of narrower bindings, and narrower ones not its own', async () => {
      const both = boundTo(world.caller, outside, inside);
      const { conversations } = world.core;
      const { session } = await conversations.createChat(caller, {});
      expect(await codeOf(conversations.getChat(both, session.id))).to.equal('ok');
      await conversations.editChat(both, session.id, { title: 'Midnight' });
      expect(await codeOf(conversations.getChat(caller, session.id))).to.equal('not_found');
      const filed = await conversations.createChat(both, { collectionId: outside });
      expect(await codeOf(conversations.getChat(caller, filed.session.id))).to.equal('not_found');
      expect(await codeOf(conversations.createChat(caller, { collectionId: outside }))).to.equal(
        'not_found',
      );
    });

    it('starts background work that runs as for the owner', async () => {
      const note = { content: 'Tide tables.', collectionId: inside };
      const { object } = await world.core.objects.addNote(caller, note);
      await world.runPendingTasks();
      const read = await world.core.objects.getObject(caller, object.id);
      expect(read.object.status).to.equal('ready');
      const list = { unreadOnly: false, ...PAGE };
      const { items } = await world.core.notifications.listNotifications(world.caller, list);
      expect(items.map(({ objectId }) => objectId)).to.include(object.id);
    });

    it('fills the quota of the account, hidden objects included where there is no PIN', async () => {
      const roles = {
        unlimited: {
          requestsPerMinute: 1e6,
          questions: null,
          enrichments: null,
          storageBytes: 100,
        },
      };
      const small = await openCoreFixture(
        backend,
        `quota-${name}-${process.pid}-${Math.random()}`,
        { roles },
      );
      const { objects, library } = small.core;
      const { collection } = await library.createCollection(small.caller, { name: 'A' });
      await objects.addNote(small.caller, { content: 'x'.repeat(60), isHidden: true });
      const bound = boundTo(small.caller, collection.id);
      const note = { content: 'y'.repeat(60), collectionId: collection.id };
      expect(await codeOf(objects.addNote(bound, note))).to.equal('plan_limit');
      await small.core.hiddenZone.setPin(small.caller, { pin: '1234' });
      expect(await codeOf(objects.addNote(bound, note))).to.equal('ok');
    });
  });
