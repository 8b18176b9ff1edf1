import { expect } from 'chai';
import { streaming, chunk, openModelService, type ModelService } from '../fake-model-server.ts';
import { openStream, told } from './sse-client.ts';
import { eventually, profiles, startService, type Service } from './harness.ts';

const KEEPER = 'The keeper of the lighthouse is Ada Brown. She has lived there since 1931.';
const LAMP = 'The lamp burns rapeseed oil and needs two litres a night.';
const SAID = 'Ada keeps it "The keeper of the lighthouse is Ada Brown." [1], for long.';
const ANSWER = 'Ada keeps it [1], for long.';

for (const profile of profiles)
  describe(`${profile}: answers of a model`, function () {
    this.timeout(120_000);
    let service: Service;
    let model: ModelService;
    let note: string;
    before(async () => {
      model = await openModelService();
      service = await startService(profile, {
        OUTBOUND_ALLOW: `127.0.0.1:${model.port}`,
        ANSWER_SECONDS: '2',
      });
      await connect();
      note = (await post('/v1/objects/notes', { content: KEEPER, title: 'Keeper' })).json.id;
      await post('/v1/objects/notes', { content: LAMP, title: 'Lamp' });
      await service.settled(note);
    });
    after(async () => {
      await service.dispose();
      await model.close();
    });
    beforeEach(() => {
      model.plays({ pieces: [SAID] });
      model.asked.length = 0;
    });

    const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      service.call('POST', path, { body, headers });
    const connect = (more: object = {}) =>
      service.call('PUT', '/v1/integrations/llm', {
        body: { config: { base_url: `${model.origin}/v1`, model: 'lamp-7b', ...more } },
      });
    const ask = (question = 'Who is the keeper of the lighthouse?', more: object = {}) =>
      post('/v1/ask', { question, ...more });
    const chatOf = async (id: string) => (await service.call('GET', `/v1/chats/${id}`)).json;
    const questions = async () => (await service.call('GET', '/v1/recent-queries')).json.items;
    /** The prompts that the model received, joined. */
    const seen = (nth = -1): string =>
      model.asked
        .at(nth)!
        .body.messages.map(({ content }: { content: string }) => content)
        .join('\n\n');

    it('cite only verified quotations', async () => {
      const { status, json, text } = await ask();
      expect(status, text).to.equal(200);
      expect(json).to.include({ answer: ANSWER, engine: 'lamp-7b' });
      expect(json.citations).to.have.length(1);
      expect(json.citations[0]).to.deep.include({
        object_id: note,
        index: 1,
        ord: 0,
        char_start: 0,
        char_end: 42,
        snippet: 'The keeper of the lighthouse is Ada Brown.',
        filename: 'Keeper.md',
      });
      expect(seen()).to.include(KEEPER);
      model.plays({
        pieces: ['He is Bob "The keeper is an old man named Bob" [1]. So [7] there.'],
      });
      const invented = (await ask()).json;
      expect(invented.answer).to.equal('He is Bob. So there.');
      expect(invented.citations).to.deep.equal([]);
    });

    it('are streamed as events with the same content', async () => {
      const stream = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await stream.ended;
      expect(stream.status).to.equal(200);
      expect(stream.headers.get('content-type')).to.match(/^text\/event-stream/);
      const names = stream.events.map(({ event }) => event);
      expect(names[0]).to.equal('session');
      expect(names.at(-1)).to.equal('done');
      expect(told(stream)).to.equal(ANSWER);
      const done = stream.events.at(-1)!.data;
      expect(done.answer).to.equal(ANSWER);
      expect(stream.events.filter(({ event }) => event === 'citation').map(({ data }) => data))
        .to.deep.equal(done.citations)
        .with.length(1);
      expect(stream.events[0]!.data).to.deep.equal({ session_id: done.session_id });
      const [, reply] = (await chatOf(done.session_id)).messages;
      expect(reply).to.deep.include({ content: ANSWER, citations: done.citations });
    });

    it('are emitted while the model is generating', async () => {
      let finish = () => {};
      model.plays((response) => {
        response.writeHead(200, streaming).write(chunk({ content: 'It is ' }));
        finish = () => response.end(chunk({ content: 'late.' }, 'stop'));
      });
      const stream = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await eventually(
        () => Promise.resolve(told(stream)),
        (text) => text !== '',
      );
      expect(told(stream)).to.equal('It is');
      finish();
      await stream.ended;
      expect(told(stream)).to.equal('It is late.');
    });

    it('report a failed or late model, and the question remains, with the part of an answer that came', async () => {
      for (const [play, status, code, part] of [
        [{ refused: 500 }, 502, 'upstream_failed'],
        [{ refused: 429 }, 502, 'upstream_failed'],
        [{ refused: 401 }, 502, 'upstream_failed'],
        [{ refused: 503 }, 503, 'unavailable'],
        [{ pieces: ['Half of'], then: 'cut' }, 502, 'upstream_failed', 'Half of'],
        [{ pieces: ['   '] }, 502, 'upstream_failed'],
        [{ pieces: ['Ada "', 'then'], then: 'silence' }, 504, 'deadline', 'Ada'],
        [{ pieces: [], then: 'silence' }, 504, 'deadline'],
      ] as const) {
        model.plays(play);
        const question = `Who is the keeper, ${JSON.stringify(play)}?`;
        const answer = await ask(question);
        expect([answer.status, answer.json.code], question).to.deep.equal([status, code]);
        const [latest] = await questions();
        expect(latest.query).to.equal(question);
        const { messages } = await chatOf(latest.session_id);
        expect(messages[0]).to.include({ role: 'user', incomplete: null });
        expect(messages.slice(1).map((each: { content: string }) => each.content)).to.deep.equal(
          part === undefined ? [] : [part],
        );
        if (part !== undefined)
          expect(messages[1]).to.include({ incomplete: true, reason: 'interrupted' });
      }
    });

    it('of a busy model are 503 with the time it has named, or 502 if it names none', async () => {
      const inSeconds = (s: number) => new Date(Date.now() + s * 1_000).toUTCString();
      for (const [status, headers, retryAfter] of [
        [429, { 'retry-after': '7' }, [7, 7]],
        [429, { 'retry-after': inSeconds(90) }, [80, 91]],
        [429, { 'retry-after': inSeconds(-90) }, [1, 1]],
        [429, { 'retry-after': '0' }, [1, 1]],
        [429, { 'retry-after': '99999999' }, [86_400, 86_400]],
        [529, {}, [5, 5]],
        [500, { 'retry-after': '3' }, [3, 3]],
        [503, { 'retry-after': 'sooner or later' }, [5, 5]],
        [429, { 'retry-after': '-5' }, undefined],
        [502, {}, undefined],
      ] as const) {
        model.refuses(1, { status, headers, body: '{"error":{"message":"Loading model"}}' });
        const answer = await ask();
        const seen = [answer.status, answer.json.code];
        const header = answer.headers.get('retry-after');
        if (retryAfter) {
          expect(seen).to.deep.equal([503, 'unavailable']);
          expect(Number(header)).to.be.within(...(retryAfter as [number, number]));
        } else expect([...seen, header]).to.deep.equal([502, 'upstream_failed', null]);
        expect(answer.text).not.to.include('Loading');
      }
      expect((await ask()).json.answer).to.equal(ANSWER);
    });

    it('that fail before the first event are plain JSON, and later an event', async () => {
      model.refuses(1, { status: 429, headers: { 'retry-after': '9' } });
      const busy = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await busy.ended;
      expect([busy.status, busy.headers.get('retry-after')]).to.deep.equal([503, '9']);
      expect(JSON.parse(busy.text())).to.include({ code: 'unavailable' });
      model.plays({ refused: 500 });
      const early = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await early.ended;
      expect(early.status).to.equal(502);
      expect(JSON.parse(early.text())).to.include({ code: 'upstream_failed' });
      model.plays({ pieces: ['Half of an answer'], then: 'cut' });
      const late = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await late.ended;
      expect(late.status).to.equal(200);
      expect(late.events.at(-1)).to.deep.include({ event: 'error' });
      expect(late.events.at(-1)!.data.code).to.equal('upstream_failed');
      expect(told(late)).to.equal('Half of an answer');
    });

    for (const accept of ['text/event-stream', 'application/json'])
      it(`end when the client disconnects, as ${accept}`, async () => {
        model.plays({ pieces: ['On ', 'and on '], then: 'for ever' });
        const question = `Who is the keeper (${accept})?`;
        const opened = openStream(service, '/v1/ask', { question }, { accept });
        if (accept === 'application/json') {
          const leaving = new AbortController();
          const waiting = fetch(`${service.base}/v1/ask`, {
            method: 'POST',
            signal: leaving.signal,
            headers: {
              authorization: `Bearer ${service.token}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ question }),
          });
          waiting.catch(() => undefined);
          opened.then(
            (each) => each.leave(),
            () => undefined,
          );
          await eventually(
            () => Promise.resolve(model.busy()),
            (busy) => busy > 0,
          );
          leaving.abort();
        } else {
          const stream = await opened;
          await eventually(
            () => Promise.resolve(told(stream)),
            (text) => text.length > 20,
          );
          stream.leave();
        }
        await eventually(
          () => Promise.resolve(model.busy()),
          (busy) => busy === 0,
        );
        expect(model.busy()).to.equal(0);
        if (accept === 'text/event-stream') {
          const stored = async () => (await chatOf((await questions())[0].session_id)).messages;
          const messages = await eventually(stored, ({ length }) => length === 2);
          expect(messages[1].content).to.match(/^On and on/);
        }
      });

    it('include the earlier conversation if the owner has enabled memory', async () => {
      const { json: chat } = await post('/v1/chats', { kind: 'chat' });
      const say = (content: string) => post(`/v1/chats/${chat.id}/turns`, { content });
      model.plays({ pieces: ['Nice to meet you.'] });
      await say('My name is Zebedee.');
      await say('What is my name?');
      expect(seen()).to.include('My name is Zebedee.').and.include('Nice to meet you.');
      expect((await chatOf(chat.id)).title).to.equal('My name is Zebedee.');
      await service.call('PUT', '/v1/settings', { body: { chat_memory: false } });
      await say('What is my name?');
      expect(seen()).not.to.include('Zebedee');
      await service.call('PUT', '/v1/settings', { body: { chat_memory: true } });
      model.plays({ refused: 500 });
      expect((await say('And now?')).status).to.equal(502);
      model.plays({ pieces: ['Well.'] });
      await say('Again?');
      expect(
        model.asked.at(-1)!.body.messages.map(({ role }: { role: string }) => role),
      ).to.deep.equal([
        'system',
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
      ]);
    });

    it('fit into the context window', async () => {
      await connect({ context_tokens: 1024 });
      const { json: chat } = await post('/v1/chats', { kind: 'chat' });
      model.plays({ pieces: ['word '.repeat(200)] });
      for (let i = 0; i < 6; i++)
        await post(`/v1/chats/${chat.id}/turns`, {
          content: `Turn ${i}: ${'keeper '.repeat(60)}?`,
        });
      expect(Buffer.byteLength(seen()) / 3).to.be.below(1024);
      expect(seen()).to.include('Turn 5').and.not.include('Turn 0');
      await connect();
    });

    it('shorten a long question, also if nothing was found', async () => {
      await connect({ context_tokens: 512 });
      model.plays({ pieces: ['Hm.'] });
      for (const question of [
        '灯塔'.repeat(4_000),
        '🏮'.repeat(8_000),
        'lighthouse '.repeat(727),
      ]) {
        model.asked.length = 0;
        expect((await ask(question)).status).to.equal(200);
        expect(model.asked).not.to.have.length(0);
        for (const nth of model.asked.keys())
          expect(Buffer.byteLength(seen(nth)) / 3, question.slice(0, 10)).to.be.below(512);
      }
      await connect();
    });

    it('include as many passages as fit, at least one', async () => {
      await connect({ context_tokens: 512 });
      const content = `The tinderbox is kept in the pantry. ${'It is dark in there. '.repeat(60)}`;
      const title = '箱'.repeat(240);
      const long = (await post('/v1/objects/notes', { content, title })).json.id;
      await service.settled(long);
      model.plays({ pieces: ['There "The tinderbox is kept in the pantry." [1].'] });
      const { json } = await ask('Where is the tinderbox?');
      expect(Buffer.byteLength(seen()) / 3).to.be.below(512);
      expect(json.answer).to.equal('There [1].');
      expect(json.citations[0]).to.include({
        snippet: 'The tinderbox is kept in the pantry.',
        filename: `${title}.md`,
        char_start: 0,
        char_end: 36,
      });
      await connect();
    });

    it('without verifiable text report that nothing was found', async () => {
      for (const said of ['"The keeper is an old man named Bob" [1]', '[1]', '<img src=x>']) {
        model.plays({ pieces: [said] });
        const { status, json } = await ask();
        expect([status, json.answer, json.citations], said).to.deep.equal([
          200,
          'I found nothing about this in your documents.',
          [],
        ]);
        const stream = await openStream(service, '/v1/ask', {
          question: 'Who is the keeper of it?',
        });
        await stream.ended;
        expect(stream.events.map(({ event }) => event)).to.deep.equal(['session', 'delta', 'done']);
        expect(told(stream)).to.equal(json.answer);
      }
    });

    it('without an end are aborted', async () => {
      model.plays({ pieces: ['word '.repeat(100_000)] });
      const { status, json } = await ask();
      expect([status, json.code]).to.deep.equal([502, 'upstream_failed']);
      expect(json.detail).to.match(/too long/);
    });

    it('are streamed to clients that accept event streams only', async () => {
      const accept = 'text/event-stream; charset=utf-8';
      const stream = await openStream(service, '/v1/ask', { question: 'Who is it?' }, { accept });
      await stream.ended;
      expect(stream.headers.get('content-type')).to.equal(accept);
      const json = await post(
        '/v1/ask',
        { question: 'Who is it?' },
        { accept: 'application/json' },
      );
      expect(json.json.answer).to.equal(told(stream));
    });

    it('use attachments, from their beginning', async () => {
      const { json: chat } = await post('/v1/chats', { kind: 'chat' });
      const turn = await post(`/v1/chats/${chat.id}/turns`, {
        content: 'Summarise this, please.',
        attachments: [note],
      });
      expect(turn.status, turn.text).to.equal(200);
      expect(turn.json.user.attachments).to.deep.equal([
        { object_id: note, filename: 'Keeper.md' },
      ]);
      expect(seen()).to.include(KEEPER).and.not.include(LAMP);
    });

    it('search with alternative queries, and then report that nothing was found', async () => {
      model.plays((response, { body }) => {
        const asksForWords = body.messages[0].content.includes('"searches"');
        const content = asksForWords
          ? '{"searches": ["lamp rapeseed oil"]}'
          : 'Oil "The lamp burns rapeseed oil" [1].';
        response.writeHead(200, streaming).end(chunk({ content }, 'stop'));
      });
      const { json } = await ask('Womit wird das Leuchtfeuer betrieben?');
      expect(json.answer).to.equal('Oil [1].');
      expect(json.citations[0].snippet).to.equal('The lamp burns rapeseed oil');
      model.plays({ pieces: ['Zeppelins are silver "All zeppelins are silver" [1].'] });
      const nothing = (await ask('Which colour have zeppelins?')).json;
      expect(nothing.answer).to.equal('I found nothing about this in your documents.');
      expect(nothing).to.deep.include({ citations: [], engine: 'lamp-7b' });
    });

    it('are stored with an idempotency key, and replayed as events', async () => {
      const body = { question: 'Who is the keeper of the lamp?' };
      const key = { 'idempotency-key': 'once-and-again' };
      const first = await post('/v1/ask', body, key);
      const again = await post('/v1/ask', body, key);
      expect(again.json).to.deep.equal(first.json);
      const stream = await openStream(service, '/v1/ask', body, key);
      await stream.ended;
      expect(stream.events.at(-1)!.data).to.deep.equal(first.json);
      expect(told(stream)).to.equal(first.json.answer);
      expect(model.asked).to.have.length(1);
    });

    it('ignore tool calls and redirects', async () => {
      model.plays({
        pieces: ['See ![it](http://evil.test/a.png) and [this](http://evil.test) <img src=x> now.'],
        calls: [{ id: 'a', name: 'create_note', arguments: '{"content":"pwned"}' }],
      });
      const { json } = await ask();
      expect(json.answer).to.equal('See it and this now.');
      expect(model.asked.at(-1)!.body).not.to.have.property('tools');
      const { json: found } = await service.call('GET', '/v1/search?q=pwned');
      expect(found.total).to.equal(0);
      model.plays({ pieces: [], calls: [{ id: 'a', name: 'create_note', arguments: '{}' }] });
      const wordless = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await wordless.ended;
      expect([wordless.status, JSON.parse(wordless.text()).code]).to.deep.equal([
        502,
        'upstream_failed',
      ]);
    });

    it("omit a model's reasoning", async () => {
      model.plays({ pieces: ['<thi', 'nk>He may be', ' Bob</th', 'ink>\n\n', 'It is Ada.'] });
      expect((await ask()).json.answer).to.equal('It is Ada.');
    });

    it('omit reasoning without an opening marker, wherever an answer is kept or sent', async () => {
      const said = [
        'Okay, {"searches": ["bob"]} "',
        'The lamp burns',
        '" [1], so Bob.',
        '\n</think>\n\n',
      ];
      const { json: chat } = await post('/v1/chats', { kind: 'chat' });
      const turns = `/v1/chats/${chat.id}/turns`;
      model.plays({ pieces: [...said, SAID] });
      for (const round of [1, 2]) {
        const { json } = await post(turns, {
          content: `Who is the keeper of the lighthouse, ${round}?`,
        });
        expect(json.assistant).to.include({ content: ANSWER, incomplete: false, reason: null });
        expect(json.assistant.citations).to.have.length(1);
      }
      expect(seen()).to.include('Ada keeps it').and.not.include('Bob');
      const stream = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await stream.ended;
      expect(stream.events.at(-1)!.data).to.deep.include({ answer: ANSWER });
      expect(stream.events.at(-1)!.data.citations).to.have.length(1);
      // A check of the connection shows the form: from then on the reasoning is held back.
      await service.call('POST', '/v1/integrations/llm/check');
      const later = await openStream(service, '/v1/ask', { question: 'Who is the keeper?' });
      await later.ended;
      expect(told(later)).to.equal(ANSWER);
      model.plays({ pieces: ['ready'] });
      await service.call('POST', '/v1/integrations/llm/check');
      const { messages } = await chatOf(chat.id);
      expect(messages.map(({ content }: { content: string }) => content)).not.to.include('Bob');
      model.plays((response, { body }) => {
        const asksForWords = body.messages[0].content.includes('"searches"');
        const content = asksForWords
          ? 'I could write {"searches": ["x"]}.</think>{"searches": ["lamp rapeseed oil"]}'
          : 'Hm.</think>Oil "The lamp burns rapeseed oil" [1].';
        response.writeHead(200, streaming).end(chunk({ content }, 'stop'));
      });
      expect((await ask('Womit wird das Leuchtfeuer betrieben?')).json.answer).to.equal('Oil [1].');
    });

    it('that the model cuts are kept, and told to be incomplete, with the reason', async () => {
      const question = 'Who is the keeper of the lighthouse?';
      for (const reason of ['length', 'filtered'] as const) {
        model.plays({ pieces: ['Ada keeps it, since'], reason });
        const cut = { incomplete: true, reason };
        const { status, json } = await ask(question);
        expect(status).to.equal(200);
        expect(json).to.include({ answer: 'Ada keeps it, since', ...cut });
        const stream = await openStream(service, '/v1/ask', { question });
        await stream.ended;
        expect(stream.events.at(-1)!.data).to.include(cut);
        const { messages } = await chatOf(json.session_id);
        expect(messages[0]).to.include({ incomplete: null, reason: null });
        expect(messages[1]).to.include(cut);
        const { json: turn } = await post(`/v1/chats/${json.session_id}/turns`, {
          content: question,
        });
        expect(turn.assistant).to.include(cut);
      }
      model.plays({ pieces: ['<think>Hm, the keeper'], reason: 'length' });
      const silent = await ask(question);
      expect([silent.status, silent.json.code]).to.deep.equal([502, 'upstream_failed']);
      expect(silent.json.detail).to.match(/limit of tokens/);
      model.plays({ pieces: [SAID] });
      expect((await ask(question)).json).to.include({ incomplete: false, reason: null });
    });

    it('that end for another reason, or without one, fail', async () => {
      for (const finish of ['error', 'insufficient_system_resource', 'SAFETY', '', 'null', null]) {
        model.plays((response) => {
          response.writeHead(200, streaming).end(chunk({ content: 'Half of' }, finish));
        });
        const { status, json } = await ask('Who is the keeper of the lighthouse?');
        expect([status, json.code], String(finish)).to.deep.equal([502, 'upstream_failed']);
        const [latest] = await questions();
        const { messages } = await chatOf(latest.session_id);
        expect(messages[1]).to.include({
          content: 'Half of',
          incomplete: true,
          reason: 'interrupted',
        });
      }
    });

    it('come from the built-in engine if the request says so, and then nothing is sent to the model', async () => {
      model.plays({ refused: 500 });
      const question = 'Who is the keeper of the lighthouse?';
      const failed = await ask(question);
      expect(failed.json.code).to.equal('upstream_failed');
      model.asked.length = 0;
      const { json } = await ask(question, { engine: 'extractive' });
      expect(json).to.include({
        engine: 'extractive',
        answer: `${KEEPER.replace('Brown.', 'Brown. [1]')} [1]`,
      });
      expect(json.citations[0].object_id).to.equal(note);
      const turn = await post(`/v1/chats/${json.session_id}/turns`, {
        content: question,
        attachments: [note],
        engine: 'extractive',
      });
      expect(turn.json.assistant).to.include({ engine: 'extractive', content: json.answer });
      const stream = await openStream(service, '/v1/ask', { question, engine: 'extractive' });
      await stream.ended;
      expect(stream.events.at(-1)!.data).to.include({ engine: 'extractive', answer: json.answer });
      expect(model.asked).to.have.length(0);
      const [, reply] = (await chatOf(json.session_id)).messages;
      expect(reply).to.include({ engine: 'extractive', incomplete: false });

      model.plays({ pieces: [SAID] });
      expect((await ask(question, { engine: 'auto' })).json.engine).to.equal('lamp-7b');
      const more = { content: question, engine: 'auto' };
      const again = await post(`/v1/chats/${json.session_id}/turns`, more);
      expect(again.json.assistant.engine).to.equal('lamp-7b');
    });

    it('come from no engine that does not exist', async () => {
      const { json: chat } = await post('/v1/chats', {});
      for (const engine of ['lamp-7b', 'builtin', 'Extractive', '', 'constructor', 1, []])
        for (const [path, body] of [
          ['/v1/ask', { question: 'Who is it?', engine }],
          [`/v1/chats/${chat.id}/turns`, { content: 'Who is it?', engine }],
        ] as const) {
          const { status, json } = await post(path, body);
          expect(status, JSON.stringify(engine)).to.equal(422);
          expect(json.detail[0].loc).to.deep.equal(['body', 'engine']);
        }
      expect(model.asked).to.have.length(0);
    });

    it('come from the built-in engine while the model is disabled', async () => {
      const toggle = (enabled: boolean) =>
        service.call('PATCH', '/v1/integrations/llm', { body: { enabled } });
      await toggle(false);
      expect((await ask()).json.engine).to.equal('extractive');
      expect(model.asked).to.have.length(0);
      await toggle(true);
    });
  });
