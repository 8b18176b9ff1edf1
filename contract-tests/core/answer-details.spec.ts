import { expect } from 'chai';
import type { AnswerEvent, AnswerSubscriber } from '../../core/conversations/index.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { ChatMessage, Citation } from '../../ports/conversations.ts';
import { backends, type Backend } from '../backends.ts';
import { openAgentWorld, type AgentWorld, type Reply } from './agent-fixture.ts';

const FIRST = 'The lighthouse was built in 1889.';
const SECOND = 'The keeper lives in the village.';
/** Two pages with a blank line between them. */
const PAGES = [
  { page: 1, charStart: 0, charEnd: FIRST.length },
  { page: 2, charStart: FIRST.length + 2, charEnd: FIRST.length + 2 + SECOND.length },
];
const NO_DETAILS = { coverage: null, engine: null, confidence: null, incomplete: null };
const QUOTED = 'In 1889: "The lighthouse was built in 1889." [1].';

for (const [name, open] of backends)
  describe(`details of answers on ${name}`, () => {
    let backend: Backend;
    let world: AgentWorld;
    let runs = 0;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openAgentWorld(backend, `details-${name}-${process.pid}-${++runs}`);
      world.extractions.set('tower.pdf', () => ({
        outcome: 'text',
        source: 'native',
        text: `${FIRST}\n\n${SECOND}`,
        title: '',
        language: 'en',
        pages: PAGES,
      }));
    });

    const useModel = (enabled: boolean) =>
      world.core.integrations.toggleIntegration(world.caller, 'llm', enabled);
    const upload = async (): Promise<string> => {
      const file = await world.file('tower.pdf', 'bytes');
      const [added] = await world.core.objects.addFiles(world.caller, [file], {});
      await world.runPendingTasks();
      return added?.object.id ?? '';
    };
    const messagesOf = async (sessionId: string): Promise<readonly ChatMessage[]> =>
      (await world.core.conversations.getChat(world.caller, sessionId)).messages;
    const detailsOf = ({ coverage, engine, confidence, incomplete }: ChatMessage) => ({
      coverage,
      engine,
      confidence,
      incomplete,
    });
    const where = ({ citations }: Pick<ChatMessage, 'citations'>) =>
      citations.map(({ snippet, version, page }: Citation) => ({ snippet, version, page }));

    it('name coverage and engine, and are null for questions', async () => {
      const id = await upload();
      await useModel(false);
      const { conversations } = world.core;
      const question = 'When was the lighthouse built?';
      const builtIn = await conversations.ask(world.caller, { question });
      await useModel(true);
      world.replies(QUOTED);
      const turn = await conversations.addTurn(world.caller, builtIn.session?.id ?? '', {
        content: question,
      });
      const [asked, first, again, second] = await messagesOf(turn.session.id);
      const coverage = { searched: 1, unread: 0, objects: { searched: [id], unread: [] } };
      const complete = { coverage, confidence: null, incomplete: false };
      expect(detailsOf(first!)).to.deep.equal({ ...complete, engine: 'extractive' });
      expect(detailsOf(second!)).to.deep.equal({ ...complete, engine: turn.engine });
      expect(turn.engine).to.include('lamp-7b');
      for (const each of [asked, again]) expect(detailsOf(each!)).to.deep.equal(NO_DETAILS);
      expect([first, second]).to.deep.equal([builtIn.reply, turn.reply]);
      const { reply } = await conversations.ask(
        { ...world.caller, mayStoreHistory: false },
        { question },
      );
      expect(reply).to.deep.include({ confidence: null, incomplete: false });
    });

    it('give version and page of each citation, of built-in and model answers alike', async () => {
      const id = await upload();
      const { caller, core } = world;
      const question = 'Where does the keeper live, and when was the lighthouse built?';
      const both = [
        { snippet: FIRST, version: 1, page: 1 },
        { snippet: SECOND, version: 1, page: 2 },
      ];
      await useModel(false);
      const builtIn = await core.conversations.ask(caller, { question, objectIds: [id] });
      expect(where(builtIn.reply)).to.deep.equal([both[1]]);
      const other = await core.conversations.ask(caller, {
        question: 'When was the lighthouse built?',
      });
      expect(where(other.reply)).to.deep.equal(both);
      await useModel(true);
      world.replies(`Both: "${FIRST}" [1] and "${SECOND}" [1].`);
      const byModel = await core.conversations.ask(caller, { question, objectIds: [id] });
      expect(where(byModel.reply)).to.deep.equal(both);
      for (const tool of ['read_object', 'search_objects']) {
        const given = tool === 'read_object' ? { object_id: id } : { query: 'lighthouse keeper' };
        world.replies([[tool, given]], `Both: "${FIRST}" [1] and "${SECOND}" [1].`);
        const { turn } = await world.chat(question);
        expect(where(turn!.reply), tool).to.deep.equal(both);
      }
      world.replies(`"${SECOND}" [1].`);
      const attached = await world.chat('And now?', { attachments: [id] });
      expect(where(attached.turn!.reply)).to.deep.equal([both[1]]);

      // The owner's own text has no pages. It belongs to the version at that time.
      await core.processing.correctText(caller, id, { text: SECOND, baseVersion: 1 });
      await world.runPendingTasks();
      await useModel(false);
      const corrected = await core.conversations.ask(caller, {
        question: 'Where does the keeper live?',
      });
      expect(where(corrected.reply)).to.deep.equal([{ snippet: SECOND, version: 1, page: null }]);
      expect(where((await messagesOf(builtIn.session?.id ?? ''))[1]!)).to.deep.equal(
        where(builtIn.reply),
      );
    });

    /** Sends the request; the client disconnects after this many deltas. */
    async function stopped(
      deltas: number,
      run: (audience: AnswerSubscriber) => Promise<unknown>,
    ): Promise<string> {
      const left = Promise.withResolvers<void>();
      let sessionId = '';
      let seen = 0;
      const audience: AnswerSubscriber = {
        disconnected: left.promise,
        send: async (event: AnswerEvent) => {
          if (event.type === 'session') sessionId = event.sessionId ?? '';
          if (event.type === 'delta' && ++seen === deltas) left.resolve();
          await Promise.resolve();
        },
      };
      await run(audience).then(
        () => expect.fail('The answer should have been broken off.'),
        (error: unknown) => error,
      );
      return sessionId;
    }

    it('mark an answer as incomplete that its client, its model or a limit broke off', async () => {
      await upload();
      const { caller, core } = world;
      const question = 'When was the lighthouse built?';
      const replyIn = async (id: string) => (await messagesOf(id))[1];
      const streams: [string, Reply][] = [
        ['the client', { pieces: ['In the ', 'year ', '1889.'], then: 'for ever' }],
        ['the model', { pieces: ['In the ', 'year '], then: 'cut' }],
      ];
      for (const [who, script] of streams)
        for (const run of [
          (audience: AnswerSubscriber) => core.conversations.ask(caller, { question }, audience),
          (audience: AnswerSubscriber) =>
            core.agent.agentChat(caller, { message: question }, audience),
        ]) {
          world.replies(script);
          const id = await stopped(who === 'the client' ? 2 : 9, run);
          const reply = await replyIn(id);
          expect(reply, who).to.include({ incomplete: true, role: 'assistant' });
          expect(reply!.content, who).to.match(/^In the year/);
          expect(reply!.engine, who).to.include('lamp-7b');
        }
      for (const reason of ['length', 'filtered', 'stop'] as const) {
        world.replies({ pieces: ['In the year'], reason });
        const { reply, session } = await core.conversations.ask(caller, { question });
        expect(reply.incomplete, reason).to.equal(reason !== 'stop');
        expect(await replyIn(session?.id ?? '')).to.deep.equal(reply);
        const { turn } = await world.chat(question);
        expect(turn!.reply.incomplete, reason).to.equal(reason !== 'stop');
      }
    });

    it('store no answer if nothing of it was sent, or its session is gone', async () => {
      const { caller, core } = world;
      await upload();
      const question = 'When was the lighthouse built?';
      const { session } = await core.conversations.createChat(caller, {});
      world.replies({ pieces: [], then: 'cut' });
      const failure = (work: Promise<unknown>) =>
        work.then(
          () => 'ok',
          (error: unknown) => (error as DomainError).code,
        );
      const add = () => core.conversations.addTurn(caller, session.id, { content: question });
      expect(await failure(add())).to.equal('upstream_failed');
      expect((await messagesOf(session.id)).map(({ role }) => role)).to.deep.equal(['user']);
      world.model.says = async () => {
        await core.conversations.deleteChat(caller, session.id);
        return { pieces: ['In the year'], then: 'cut' };
      };
      expect(await failure(add())).to.equal('upstream_failed');
    });
  });
