import { expect } from 'chai';
import fc from 'fast-check';
import type { ScriptedAnswer } from '../../adapters/memory/language-model.ts';
import { MAX_TOOL_CALLS, MAX_REPLIES } from '../../core/agent/run.ts';
import type { AnswerEvent } from '../../core/conversations/index.ts';
import { estimateTokens, type OperatorModel } from '../../core/models/index.ts';
import { ClientDisconnectedError } from '../../core/shared/stream-subscriber.ts';
import type { DomainError } from '../../core/shared/errors.ts';
import { TOOL_NAMES } from '../../ports/agent-tools.ts';
import type { ModelRequest } from '../../ports/language-model.ts';
import { backends, type Backend } from '../backends.ts';
import { call, openAgentWorld, results, stepsIn, told, type AgentWorld } from './agent-fixture.ts';

const page = { limit: 100, offset: 0 };
const operatorModel: OperatorModel = {
  endpoint: {
    baseUrl: 'http://models.test/v1',
    model: 'house-70b',
    key: null,
    temperature: null,
    chosenBy: 'operator',
  },
  contextTokens: 16_000,
};

/** The token cost of a request for a model that counts like this service. */
const costOf = ({ messages, tools }: ModelRequest): number =>
  estimateTokens(messages.map((message) => JSON.stringify(message)).join('')) +
  estimateTokens(JSON.stringify(tools ?? []));

for (const [name, open] of backends)
  describe(`runs of the agent on ${name}`, () => {
    let backend: Backend;
    let world: AgentWorld;
    before(async () => {
      backend = await open();
    });
    after(() => backend.close());
    beforeEach(async () => {
      world = await fresh();
    });

    const fresh = (also = {}) =>
      openAgentWorld(backend, `runs-${name}-${process.pid}-${Math.random()}`, also);
    const chats = async (from = world) =>
      (await from.core.conversations.listChats(from.caller, page)).items;
    const latest = async (from = world) => {
      const [session] = await chats(from);
      return (await from.core.conversations.getChat(from.caller, session!.id)).messages;
    };
    const used = async (from: AgentWorld) =>
      (await from.core.usage.usageOf(from.caller)).items.find(
        ({ metric }) => metric === 'questions',
      )?.used;

    it('are rejected before anything is saved', async () => {
      const codeOf = async (from: AgentWorld, message = 'Hi', more = {}) =>
        ((await from.chat(message, more)).error as DomainError).code;
      world.replies('Hi.');
      const missing = '0198c000-0000-7000-8000-000000000000';
      expect(await codeOf(world, ' \n ')).to.equal('empty_text');
      expect(await codeOf(world, 'Hi', { sessionId: missing })).to.equal('not_found');
      expect(await codeOf(world, 'Hi', { attachments: [missing] })).to.equal('not_found');
      expect(await codeOf(world, 'Hi', { role: 'nobody' })).to.equal('not_found');
      const off = await fresh({ agentEnabled: false });
      expect(await codeOf(off)).to.equal('agent_disabled');
      await world.core.integrations.toggleIntegration(world.caller, 'llm', false);
      expect(await codeOf(world)).to.equal('agent_disabled');
      expect(world.asked).to.deep.equal([]);
      expect([...(await chats()), ...(await chats(off))]).to.deep.equal([]);
    });

    it("count as one use of the operator's model, and as none if nothing was done", async () => {
      const theirs = await fresh({ operatorModel });
      theirs.replies([['search_objects', { query: 'x' }]], 'Nothing.');
      await theirs.chat('Look');
      expect(await used(theirs)).to.equal(1);
      theirs.replies({ refused: 500 });
      expect((await theirs.chat('Look')).error).to.include({ code: 'upstream_failed' });
      expect(await used(theirs)).to.equal(1);
      theirs.replies([['search_objects', { query: 'x' }]], { refused: 500 });
      await theirs.chat('Look');
      expect(await used(theirs)).to.equal(2);
      const limits = { ...theirs.caller.limits, questions: 2 };
      const poor = { ...theirs.caller, limits };
      const before = await chats(theirs);
      const refused = theirs.core.agent.agentChat(poor, { message: 'Once more' });
      expect(await refused.catch((error: unknown) => error)).to.include({ code: 'plan_limit' });
      expect(await chats(theirs)).to.deep.equal(before);
      world.replies('Mine.');
      await world.chat('My own model');
      expect(await used(world)).to.equal(0);
    });

    it('save the message and the completed steps when they fail', async () => {
      world.replies([['create_note', { content: 'kept' }]], { pieces: ['Half'], then: 'cut' });
      const received = await world.chat('Write it');
      expect(received.error).to.include({ code: 'upstream_failed' });
      const [user, reply] = await latest();
      expect(user).to.include({ role: 'user', content: 'Write it' });
      expect(reply).to.include({ role: 'assistant', content: 'Half' });
      expect(reply!.steps).to.have.length(1);
      world.replies({ refused: 429 });
      expect((await world.chat('And now?')).error).to.include({ code: 'upstream_failed' });
      expect(await latest()).to.have.length(1);
    });

    it('do nothing if the client has disconnected already, but save the message', async () => {
      world.replies([['create_note', { content: 'one' }]], 'Done.');
      const audience = { disconnected: Promise.resolve(), send: () => Promise.resolve() };
      const ended = await world.core.agent
        .agentChat(world.caller, { message: 'A note' }, audience)
        .catch((error: unknown) => error);
      expect(ended).to.be.instanceOf(ClientDisconnectedError);
      expect((await latest()).map(({ content }) => content)).to.deep.equal(['A note']);
      const { total } = await world.core.objects.listObjects(world.caller, {}, page);
      expect(total).to.equal(0);
    });

    it('end between two tool calls if the client disconnects, and save the completed step', async () => {
      let leave = () => {};
      const disconnected = new Promise<void>((resolve) => (leave = resolve));
      const send = (each: AnswerEvent) => {
        if (each.type === 'step') leave();
        return Promise.resolve();
      };
      const notes = ['one', 'two', 'three'].map((content) => ['create_note', { content }] as const);
      world.replies(notes, 'Done.');
      const ended = await world.core.agent
        .agentChat(world.caller, { message: 'Three notes' }, { disconnected, send })
        .catch((error: unknown) => error);
      expect(ended).to.be.instanceOf(ClientDisconnectedError);
      const [, reply] = await latest();
      expect(reply!.steps).to.have.length(1);
      const { total } = await world.core.objects.listObjects(world.caller, {}, page);
      expect(total).to.equal(1);
      expect(world.asked).to.have.length(1);
    });

    it('do not store the idempotency record in the transaction of a tool', async () => {
      const answers: unknown[] = [];
      const receipt = {
        key: 'k',
        fingerprint: 'f',
        answerTo: (result: unknown) => {
          answers.push(result);
          return 'sealed';
        },
      };
      world.replies(
        [
          ['create_note', { content: 'one' }],
          ['create_event', { title: 'x', starts_at: '2026-01-05', ends_at: '2026-01-06' }],
        ],
        'Done.',
      );
      const turn = await world.core.agent.agentChat(
        { ...world.caller, receipt },
        { message: 'Both' },
      );
      expect(answers).to.deep.equal([turn]);
    });

    it('include the earlier conversation if the owner has enabled memory', async () => {
      world.replies('Nice to meet you.');
      const { turn } = await world.chat('My name is Zebedee.');
      const sessionId = turn!.session.id;
      await world.chat('What is my name?', { sessionId });
      expect(JSON.stringify(world.asked.at(-1)!.messages)).to.include('Zebedee');
      await world.core.settings.putSettings(world.caller, { chatMemory: false });
      await world.chat('What is my name?', { sessionId });
      expect(JSON.stringify(world.asked.at(-1)!.messages)).not.to.include('Zebedee');
      expect(await chats()).to.have.length(1);
    });

    it('conceal hidden objects while the zone is locked, with the sessions that used them', async () => {
      const secret = await world.note('The code of the safe is 4711.', {
        isHidden: true,
        title: 'Safe',
      });
      const plain = await world.note('The safe is from 1931.', { title: 'Plain' });
      const { core, caller } = world;
      const { token } = await core.hiddenZone.setPin(caller, { pin: '1234' });
      const look = [
        ['search_objects', { query: 'safe' }],
        ['read_object', { object_id: secret }],
        ['create_note', { content: 'The code is 4711.', title: 'Copy' }],
      ] as const;
      world.replies([['read_object', { object_id: plain }]], look, 'So it is.');
      const order = 'What about the safe? Write a note “The code is 4711.” called “Copy”.';
      const inside = await world.chat(order, { hiddenToken: token });
      expect(JSON.stringify(results(world.asked[2]))).to.include('4711');
      const id = inside.turn!.session.id;
      const stepsOf = async (hiddenToken?: string) => {
        const who = hiddenToken === undefined ? caller : { ...caller, hiddenToken };
        return (await core.conversations.getChat(who, id)).messages[1]!.steps ?? [];
      };
      const isConcealed = async (turn: typeof inside) => {
        const { id: chat } = turn.turn!.session;
        expect(
          (await core.conversations.getChat({ ...caller, hiddenToken: token }, chat)).messages,
        ).to.have.length(2);
        const locked = await core.conversations.getChat(caller, chat).catch((e: unknown) => e);
        expect(locked).to.include({ code: 'not_found' });
      };
      expect(await stepsOf(token)).to.have.length(4);
      await isConcealed(inside);

      // A rejected call that names it counts as well.
      const spelt = secret.toUpperCase().replaceAll('-', '');
      world.replies([['move_object', { object_id: spelt, collection_id: null }]], 'No.');
      const refused = await world.chat('Move it', { hiddenToken: token });
      await isConcealed(refused);

      world.replies(look, 'Nothing.');
      const outside = await world.chat(order);
      const [, missing, found] = results(world.asked[1]);
      expect(found).to.include('Plain.md').and.not.include(secret).and.not.include('4711');
      expect(missing).to.equal('{"error":"not_found: Not found."}');
      expect(stepsIn(outside)[1]!['summary']).to.equal('Not done: not_found: Not found.');
      expect((await world.chat('This', { attachments: [secret] })).error).to.include({
        code: 'not_found',
      });
      world.replies([['search_objects', { query: 'safe' }]], 'Yes.');
      const attached = await world.chat('This', { attachments: [secret], hiddenToken: token });
      await isConcealed(attached);
    });

    it('show no step from the first that used a deleted object on, while the zone is locked', async () => {
      const plain = await world.note('The safe is from 1931.', { title: 'Plain' });
      const gone = await world.note('The code of the safe is 4711.', { title: 'Safe' });
      const { core, caller } = world;
      world.replies(
        [['read_object', { object_id: plain }]],
        [
          ['read_object', { object_id: gone }],
          ['read_object', { object_id: plain }],
        ],
        'So it is.',
      );
      const { turn } = await world.chat('What about the safe?');
      await core.objects.deleteObject(caller, gone, true);
      const { token } = await core.hiddenZone.setPin(caller, { pin: '1234' });
      const stepsOf = async (who: typeof caller) =>
        (await core.conversations.getChat(who, turn!.session.id)).messages[1]!.steps ?? [];
      expect(await stepsOf({ ...caller, hiddenToken: token })).to.have.length(3);
      expect(await stepsOf(caller)).to.have.length(1);
      expect(JSON.stringify(await stepsOf(caller))).not.to.include(gone);
    });

    it('continue reading at an offset, in passages of any text', async () => {
      const sentence = (i: number) =>
        `Sentence number ${i} tells of the lantern ${'🏮'.repeat(i % 7)}.`;
      const text = Array.from({ length: 900 }, (_, i) => sentence(i)).join(' ');
      const id = await world.note(text, { title: 'Long' });
      const points = [...text];
      let seen = '';
      let offset = 0;
      for (let turns = 0; turns < 40; turns++) {
        world.replies([['read_object', { object_id: id, offset }]], 'Read.');
        await world.chat('Read it');
        const [result = ''] = results(world.asked[1]);
        expect(result.length).to.be.at.most(6_500);
        const passages = result.split(/\n\n\[\d+\]\n/).slice(1);
        const last = passages.pop() ?? '';
        const resume = /\n\nTo go on, read from offset (\d+)\.$/.exec(last);
        seen += [...passages, last.replace(/\n\n(?:To go on|This is the end)[^\n]*$/, ' ')].join(
          ' ',
        );
        if (!resume) break;
        expect(Number(resume[1])).to.be.above(offset);
        offset = Number(resume[1]);
      }
      expect(seen.replaceAll(/\s+/g, ' ').trim()).to.equal(text);
      world.replies([['read_object', { object_id: id, offset: points.length + 5 }]], 'Read.');
      await world.chat('Read it');
      expect(results(world.asked[1])[0]).to.include('There is no text from there on.');
    });

    it('fit into the context window, and end if it is too small', async () => {
      const id = await world.note('The lantern is made of brass and glass. '.repeat(400));
      const contextTokens = 4_096;
      await world.core.integrations.connectModel(world.caller, {
        config: {
          base_url: 'http://models.test/v1',
          model: 'small',
          context_tokens: contextTokens,
        },
      });
      const { session } = await world.core.conversations.createChat(world.caller, {});
      world.replies(
        ...Array.from({ length: 8 }, (_, i) => [
          ['read_object', { object_id: id, offset: i * 500 }] as const,
          ['create_note', { content: `note ${i} ${'long '.repeat(2_000)}` }] as const,
        ]),
        'Done.',
      );
      for (const message of ['Read all of it', 'х'.repeat(8_000)]) {
        const received = await world.chat(message, { sessionId: session.id, attachments: [id] });
        expect(received.error).to.equal(undefined);
        for (const request of world.asked) expect(costOf(request)).to.be.below(contextTokens);
        world.replies([['read_object', { object_id: id }]], 'Done.');
      }
      await world.core.integrations.connectModel(world.caller, {
        config: { base_url: 'http://models.test/v1', model: 'tiny', context_tokens: 512 },
      });
      expect((await world.chat('Hi')).error).to.include({ code: 'upstream_failed' });
      // As for any other failing model, the message is saved.
      const [{ content } = { content: '' }] = await latest();
      expect(content).to.equal('Hi');
    });

    it('send back no arguments that a service could not parse', async () => {
      world.replies(
        {
          pieces: [],
          calls: [
            { id: 'a', name: 'create_note', arguments: '{"content": ' },
            { id: 'b', name: 'not a name!', arguments: '' },
            { id: 'a', name: 'search_objects', arguments: '{"query":"x"}' },
          ],
        },
        'Sorry.',
      );
      await world.chat('Hi');
      const sent = world.asked[1]!.messages.flatMap((message) =>
        message.role === 'assistant' ? (message.toolCalls ?? []) : [],
      );
      expect(sent).to.deep.equal([
        { id: 'a', name: 'create_note', arguments: '{}' },
        { id: 'b', name: 'unknown', arguments: '{}' },
        { id: 'a_2', name: 'search_objects', arguments: '{"query":"x"}' },
      ]);
    });

    it('preserve all invariants for any output and calls of a model', async function () {
      this.timeout(120_000);
      const id = await world.note('The lantern is brass. It hangs by the door.', {
        title: 'Lantern',
      });
      const pieces = fc.constantFrom(
        'It is brass ',
        '"The lantern is brass." ',
        '[1] ',
        '[2]',
        '[99]',
        '\n\n',
        '"',
        '![x](http://evil.test/x.png)',
        '🏮',
        '<b>',
      );
      const given = fc.oneof(
        fc.constantFrom(
          `{"object_id":"${id}"}`,
          '{"query":"lantern"}',
          '{"content":"note"}',
          `{"object_id":"${id}","filename":"x.md"}`,
          '{"from":"2026-01-01","to":"2026-02-01"}',
          '',
          '[1]',
          '{"query":',
        ),
        fc.json(),
      );
      const calls = fc.array(fc.tuple(fc.constantFrom(...TOOL_NAMES, 'evil', '__proto__'), given), {
        maxLength: 6,
      });
      const reply: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
        {
          weight: 9,
          arbitrary: fc.tuple(fc.array(pieces, { maxLength: 6 }), calls).map(([pieces, all]) => ({
            pieces,
            calls: all.map(([tool, json]) => call(tool, json)),
          })),
        },
        { weight: 1, arbitrary: fc.constant({ refused: 500 }) },
      );
      const role = fc.constantFrom('assistant', 'librarian');
      await fc.assert(
        fc.asyncProperty(
          fc.array(reply, { minLength: 1, maxLength: 15 }),
          role,
          async (script, role) => {
            world.replies(...script);
            const received = await world.chat('What is the lantern made of?', { role });
            expect(world.asked.length).to.be.at.most(MAX_REPLIES);
            const steps = stepsIn(received);
            expect(steps.length).to.be.at.most(MAX_TOOL_CALLS);
            const messages = await latest();
            if (received.turn === undefined) {
              expect(received.error).to.include({ code: 'upstream_failed' });
              expect(messages).to.have.length(steps.length > 0 ? 2 : 1);
            }
            if (messages.length < 2) return;
            const stored = messages[1]!;
            expect(told(received)).to.equal(stored.content);
            expect((stored.steps ?? []).map(({ object_ids: _ids, ...step }) => step)).to.deep.equal(
              steps,
            );
            const offered = new Set(world.asked[0]!.tools!.map((tool) => tool.name));
            for (const { tool, summary } of steps)
              if (!offered.has(String(tool))) expect(summary).to.match(/^Refused: /);
            const cited = received.news.flatMap((each) =>
              each.type === 'citation' ? [each.citation] : [],
            );
            expect(stored.citations).to.deep.equal(cited);
            const markers = [...stored.content.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));
            expect([...new Set(markers)]).to.deep.equal(cited.map(({ index }) => index));
            expect(stored.content).not.to.include('evil.test');
          },
        ),
        { numRuns: name === 'memory' ? 150 : 15 },
      );
    });
  });
