import { expect } from 'chai';
import type { Caller } from '../../core/shared/caller.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import type { AnswerCoverage } from '../../ports/conversations.ts';
import { backends, type Backend } from '../backends.ts';
import { aMessage } from '../samples.ts';
import { openAgentWorld, type AgentWorld } from './agent-fixture.ts';

const SECRET = 'The code of the safe is 4711.';
const PLAIN = 'The harbour was built in 1931.';
const PAGE = { limit: 100, offset: 0 };

for (const [name, open] of backends)
  describe(`conversations about hidden objects on ${name}`, () => {
    let backend: Backend;
    let world: AgentWorld;
    let unlocked: Caller;
    let secret: string;
    let plain: string;
    let runs = 0;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await openAgentWorld(backend, `hidden-${name}-${process.pid}-${++runs}`);
      await world.core.integrations.toggleIntegration(world.caller, 'llm', false);
      const { token } = await world.core.hiddenZone.setPin(world.caller, { pin: '1234' });
      unlocked = { ...world.caller, hiddenToken: token };
      plain = await world.note(PLAIN, { title: 'Harbour' });
      secret = await world.note(SECRET, { title: 'Safe', isHidden: true });
    });

    const core = () => world.core.conversations;
    const codeOf = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'ok',
        (error: unknown) => (error as DomainError).code,
      );
    const listed = async (caller: Caller, filter = {}) => {
      const { items, total } = await core().listChats(caller, { ...filter, ...PAGE });
      expect(total).to.equal(items.length);
      return items.map(({ id }) => id);
    };
    const recent = async (caller: Caller) => {
      const { items, total } = await core().recentQueries(caller, { days: 7, limit: 100 });
      expect(total).to.equal(items.length);
      return items.map(({ sessionId }) => sessionId);
    };
    const setHidden = (id: string, isHidden: boolean) =>
      world.core.objects.editObject(unlocked, id, { isHidden });

    /** For a caller without the unlock token the session does not exist; with it everything works. */
    async function requireConcealed(id: string): Promise<void> {
      const { caller } = world;
      expect(await listed(caller)).not.to.include(id);
      expect(await recent(caller)).not.to.include(id);
      const attempts = [
        () => core().getChat(caller, id),
        () => core().editChat(caller, id, { title: 'Mine' }),
        () => core().editChat(caller, id, { pinned: true }),
        () => core().addTurn(caller, id, { content: 'harbour' }),
        () => core().ask(caller, { question: 'harbour', sessionId: id }),
        () => core().deleteChat(caller, id),
      ];
      for (const attempt of attempts) expect(await codeOf(attempt())).to.equal('not_found');
      const { code } = (await world.chat('Hello', { sessionId: id })).error as DomainError;
      expect(code).to.be.oneOf(['not_found', 'agent_disabled']);
      const { session } = await core().getChat(unlocked, id);
      expect(session.title).not.to.equal('Mine');
      expect(await listed(unlocked)).to.include(id);
      expect(await recent(unlocked)).to.include(id);
    }

    async function requireShown(id: string): Promise<void> {
      for (const caller of [world.caller, unlocked]) {
        expect(await listed(caller)).to.include(id);
        expect(await recent(caller)).to.include(id);
        expect(await codeOf(core().getChat(caller, id))).to.equal('ok');
      }
    }

    /** A file without readable text. */
    const unread = async (title: string): Promise<string> => {
      const id = await world.note('gibberish', { title });
      await backend.uow.write(world.caller.scope, async ({ objects }) =>
        objects.save({ ...(await objects.find(id))!, textState: 'absent' }),
      );
      return id;
    };

    const idOf = ({ session }: { readonly session: { readonly id: string } | null }): string =>
      session?.id ?? '';

    it('are concealed while the zone is locked if they cite, attach or name a hidden object', async () => {
      const question = 'What is the code of the safe?';
      const cited = await core().ask(unlocked, { question });
      expect(cited.reply.content).to.include('4711');
      await requireConcealed(idOf(cited));

      const { session } = await core().createChat(unlocked, { title: 'About it' });
      await core().addTurn(unlocked, session.id, { content: 'harbour', attachments: [plain] });
      await requireShown(session.id);
      await core().addTurn(unlocked, session.id, { content: 'harbour', attachments: [secret] });
      await requireConcealed(session.id);

      const named = await core().ask(unlocked, { question: 'harbour', objectIds: [secret, plain] });
      await requireConcealed(idOf(named));

      const other = await core().ask(unlocked, { question: 'When was the harbour built?' });
      expect(other.reply.citations.map(({ objectId }) => objectId)).to.deep.equal([plain]);
      await requireShown(idOf(other));
    });

    it('appear and disappear with the object, once it leaves or enters the zone', async () => {
      const { caller } = world;
      const question = 'When was the harbour built?';
      const folder = await world.folder('Sea');
      const asked = await core().ask(caller, { question });
      const id = idOf(asked);
      await core().editChat(caller, id, { collectionId: folder, pinned: true });
      const both = await core().ask(unlocked, { question, objectIds: [plain, secret] });
      await requireShown(id);
      await setHidden(plain, true);
      await requireConcealedIn(id, folder);
      await world.core.objects.updateMany(unlocked, [plain], { action: 'unhide' });
      await requireShown(id);
      expect(await listed(caller, { collectionId: folder, pinned: true })).to.deep.equal([id]);
      await requireConcealed(idOf(both));
      await setHidden(secret, false);
      await requireShown(idOf(both));
      await world.core.objects.updateMany(unlocked, [secret, plain], { action: 'hide' });
      await requireConcealed(idOf(both));
    });

    async function requireConcealedIn(id: string, collectionId: string): Promise<void> {
      expect(await listed(world.caller, { collectionId })).to.deep.equal([]);
      expect(await listed(unlocked, { collectionId })).to.deep.equal([id]);
      expect(await codeOf(core().getChat(world.caller, id))).to.equal('not_found');
    }

    it('stay concealed after the hidden object was deleted, and shown after a visible one was', async () => {
      const { objects } = world.core;
      const about = async (objectId: string) =>
        idOf(await core().ask(unlocked, { question: 'What is it?', objectIds: [objectId] }));
      const [hidden, visible] = [await about(secret), await about(plain)];
      await objects.deleteObject(unlocked, secret, false);
      await requireConcealed(hidden);
      await objects.deleteObject(unlocked, secret, true);
      await objects.deleteObject(unlocked, plain, true);
      await requireConcealed(hidden);
      await requireShown(visible);
    });

    it('are concealed if a model was only shown a passage of a hidden object', async () => {
      await world.core.integrations.toggleIntegration(world.caller, 'llm', true);
      world.replies('I can not say.');
      const asked = await core().ask(unlocked, { question: 'What is the code of the safe?' });
      expect(asked.reply.citations).to.deep.equal([]);
      expect(JSON.stringify(world.asked[0]!.messages)).to.include('4711');
      await requireConcealed(idOf(asked));

      // Found by another search than the question.
      world.replies(
        { pieces: ['{"searches": ["code of the safe"]}'] },
        'I can not say that either.',
      );
      const expanded = await core().ask(unlocked, { question: 'Wie öffnet man den Tresor?' });
      expect(JSON.stringify(world.asked[1]!.messages)).to.include('4711');
      await requireConcealed(idOf(expanded));

      world.replies('So it is.');
      const other = await core().ask(unlocked, { question: 'When was the harbour built?' });
      expect(JSON.stringify(world.asked[0]!.messages)).not.to.include('4711');
      await requireShown(idOf(other));
    });

    it('are concealed if a tool of the agent has read or found a hidden object', async () => {
      await world.core.integrations.toggleIntegration(world.caller, 'llm', true);
      const hiddenToken = unlocked.hiddenToken!;
      const calls = [
        ['read_object', { object_id: secret }],
        ['search_objects', { query: 'safe' }],
      ] as const;
      for (const call of calls) {
        world.replies([call], 'Done.');
        const { turn } = await world.chat('Look', { hiddenToken });
        await requireConcealed(turn!.session.id);
      }
      world.replies('Seen.');
      const attached = await world.chat('Look', { attachments: [secret], hiddenToken });
      await requireConcealed(attached.turn!.session.id);
      world.replies([['read_object', { object_id: plain }]], 'Done.');
      const other = await world.chat('Look', { hiddenToken });
      await requireShown(other.turn!.session.id);
    });

    it('are concealed if the run had read a hidden object that was deleted before it ended', async () => {
      await world.core.integrations.toggleIntegration(world.caller, 'llm', true);
      world.replies([['read_object', { object_id: secret }]], 'The code is 4711.');
      const script = world.model.says;
      world.model.says = async (request) => {
        const second = request.messages.some(({ role }) => role === 'tool');
        if (second) await world.core.objects.deleteObject(unlocked, secret, true);
        return script(request);
      };
      const { turn } = await world.chat('Read', { hiddenToken: unlocked.hiddenToken! });
      expect(turn!.reply.content).to.equal('The code is 4711.');
      await requireConcealed(turn!.session.id);
    });

    it('give no confirmation of a run to a caller that does not see its session', async () => {
      await world.core.integrations.toggleIntegration(world.caller, 'llm', true);
      world.replies(
        [['read_object', { object_id: plain }]],
        [['rename_object', { object_id: plain, filename: 'Pier.md' }]],
        'Renamed.',
      );
      await world.core.agents.createAgent(world.caller, {
        slug: 'clerk',
        name: 'Clerk',
        persona: 'You keep order.',
        toolsets: ['objects', 'organize'],
      });
      const { turn } = await world.chat('Look at it', { role: 'clerk' });
      const { id } = turn!.confirm!;
      const { session } = turn!;
      await core().addTurn(unlocked, session.id, { content: 'safe', attachments: [secret] });
      expect((await world.decide(id, 'allow')).error).to.include({ code: 'not_found' });
      const { hiddenToken = '' } = unlocked;
      expect((await world.decide(id, 'refuse', { hiddenToken })).error).to.equal(undefined);
    });

    it('count no hidden file in answers that were given with the zone unlocked', async () => {
      const { caller } = world;
      const asked = await core().ask(unlocked, { question: 'When was the harbour built?' });
      const coverageFor = async (who: Caller) => {
        const { messages } = await core().getChat(who, idOf(asked));
        const { searched, unread } = messages[1]!.coverage!;
        return { searched, unread };
      };
      expect(asked.coverage).to.deep.equal({ searched: 2, unread: 0 });
      expect(await coverageFor(unlocked)).to.deep.equal({ searched: 2, unread: 0 });
      expect(await coverageFor(caller)).to.deep.equal({ searched: 1, unread: 0 });
    });

    /** The counts of the last answer of a session, as the caller sees them. */
    const countsFor = async (who: Caller, id: string) => {
      const { messages } = await core().getChat(who, id);
      const coverage = messages.at(-1)!.coverage;
      return coverage && [coverage.searched, coverage.unread];
    };

    it('count no object that was hidden after the answer, given locked or unlocked', async () => {
      const others = [
        await world.note('The pier is of oak.', { title: 'Pier' }),
        await world.note('The mole is of stone.', { title: 'Mole' }),
      ];
      const question = 'When was the harbour built?';
      const ids = [idOf(await core().ask(world.caller, { question }))];
      ids.push(idOf(await core().ask(unlocked, { question })));
      const counts = async (who: Caller) => Promise.all(ids.map((id) => countsFor(who, id)));
      expect(await counts(world.caller)).to.deep.equal([
        [3, 0],
        [3, 0],
      ]);
      await world.core.objects.updateMany(unlocked, others, { action: 'hide' });
      expect(await counts(world.caller)).to.deep.equal([
        [1, 0],
        [1, 0],
      ]);
      expect(await counts(unlocked)).to.deep.equal([
        [3, 0],
        [4, 0],
      ]);
      await setHidden(others[0]!, false);
      await world.core.objects.deleteObject(unlocked, others[1]!, true);
      expect(await counts(world.caller)).to.deep.equal([
        [2, 0],
        [2, 0],
      ]);
    });

    it('leave out their coverage while locked if its objects are not known', async () => {
      const asked = await core().ask(unlocked, { question: 'When was the harbour built?' });
      const session = (await core().getChat(unlocked, idOf(asked))).session;
      const add = async (coverage: AnswerCoverage) =>
        backend.uow.write(world.caller.scope, ({ chats }) =>
          chats.addMessage(aMessage({ sessionId: session.id, role: 'assistant', coverage })),
        );
      await add({ searched: 900, unread: 3 });
      expect(await countsFor(unlocked, session.id)).to.deep.equal([900, 3]);
      expect(await countsFor(world.caller, session.id)).to.equal(null);
      await add({ searched: 0, unread: 0 });
      expect(await countsFor(world.caller, session.id)).to.deep.equal([0, 0]);
    });

    it('are concealed with a file that "nothing was found" counts as unread', async () => {
      const scan = await unread('Scan.png');
      const question = 'Who has painted the ceiling?';
      const asked = await core().ask(world.caller, { question });
      expect(asked.reply.content).to.match(/One file cannot be read\.$/);
      await requireShown(idOf(asked));
      await setHidden(scan, true);
      await requireConcealed(idOf(asked));
      await setHidden(scan, false);
      await requireShown(idOf(asked));
    });

    it('are concealed if "nothing was found" says what the zone holds', async () => {
      const { objects } = world.core;
      const question = 'Who has painted the ceiling?';
      const indifferent = await core().ask(unlocked, { question });
      expect(indifferent.reply.citations).to.deep.equal([]);
      await requireShown(idOf(indifferent));
      await objects.deleteObject(unlocked, plain, true);
      // Without the zone there are no documents at all.
      const telling = await core().ask(unlocked, { question });
      expect(telling.reply.content).to.not.equal(
        (await core().ask(world.caller, { question })).reply.content,
      );
      await requireConcealed(idOf(telling));
    });
  });
