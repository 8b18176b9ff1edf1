import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { profiles, startService, type Service } from './harness.ts';

const SAMPLES = [
  ['lighthouse.pdf', 'pdf'],
  ['lighthouse.docx', 'document'],
  ['lighthouse.md', 'text'],
  ['orchard.html', 'document'],
  ['tides.csv', 'spreadsheet'],
  ['beacon.json', 'text'],
  ['protocol-ru.cp1251.txt', 'text'],
  ['tides.py', 'text'],
] as const;

const sample = (name: string) => readFile(new URL(`../samples/${name}`, import.meta.url));
const between = (text: string, start: number, end: number) => [...text].slice(start, end).join('');

for (const profile of profiles)
  describe(`${profile}: store documents, find them, ask about them`, function () {
    this.timeout(120_000);
    let service: Service;
    const ids: Record<string, string> = {};
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());

    const textOf = async (id: string): Promise<string> =>
      (await service.call('GET', `/v1/objects/${id}/text`)).json.text;
    const ask = async (question: string, more: object = {}) =>
      (await service.call('POST', '/v1/ask', { body: { question, ...more } })).json;

    it('receives and reads real files', async () => {
      for (const [name, kind] of SAMPLES) {
        const up = await service.upload(name, await sample(name));
        expect(up.status, name).to.equal(200);
        ids[name] = up.json.items[0].id;
        const settled = await service.settled(ids[name] ?? '');
        expect(settled, name).to.deep.include({
          kind,
          status: 'ready',
          text_view: true,
          error: null,
        });
      }
      expect(await textOf(ids['protocol-ru.cp1251.txt'] ?? '')).to.match(/собрани/i);
    });

    it('returns a page map within the text', async () => {
      const { json } = await service.call('GET', `/v1/objects/${ids['lighthouse.pdf']}/text`);
      expect(json.pages.length).to.be.at.least(2);
      let last = 0;
      for (const page of json.pages) {
        expect(page.char_start).to.be.at.least(last);
        expect(page.char_end).to.be.at.least(page.char_start);
        last = page.char_end;
      }
      expect(last).to.be.at.most([...json.text].length);
    });

    it('returns the same bytes', async () => {
      for (const [name] of SAMPLES) {
        const response = await fetch(`${service.base}/v1/objects/${ids[name]}/content`, {
          headers: { authorization: `Bearer ${service.token}` },
        });
        expect(Buffer.from(await response.arrayBuffer()).equals(await sample(name)), name).to.equal(
          true,
        );
      }
    });

    it('finds them in two languages, by text and by name, with exact snippets', async () => {
      for (const [q, name] of [
        ['generator', 'lighthouse.pdf'],
        ['rootstocks', 'orchard.html'],
        ['собрания', 'protocol-ru.cp1251.txt'],
        ['beacon', 'beacon.json'],
        ['"zinc label"', 'orchard.html'],
      ] as const) {
        const { json } = await service.call('GET', `/v1/search?q=${encodeURIComponent(q)}`);
        const found = json.items.map((hit: { object: { id: string } }) => hit.object.id);
        expect(found, q).to.include(ids[name]);
        for (const hit of json.items)
          if (hit.snippet !== '')
            expect(between(await textOf(hit.object.id), hit.char_start, hit.char_end)).to.equal(
              hit.snippet,
            );
      }
    });

    it('answers with exact citations, each with a marker', async () => {
      for (const question of [
        'How many nights did the light burn?',
        'Когда состоялось собрание?',
        'What names were put to the trees?',
      ]) {
        const answer = await ask(question);
        expect(answer.engine).to.equal('extractive');
        expect(answer.citations, question).not.to.have.length(0);
        const markers = [...answer.answer.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));
        const indexes = answer.citations.map((c: { index: number }) => c.index);
        expect([...new Set(markers)]).to.have.members(indexes);
        expect(indexes).to.deep.equal(indexes.map((_: number, i: number) => i + 1));
        for (const c of answer.citations)
          expect(between(await textOf(c.object_id), c.char_start, c.char_end)).to.equal(c.snippet);
      }
      expect((await ask('How many nights did the light burn?')).answer).to.include(
        'three hundred and sixty-five',
      );
    });

    it('reports that nothing is relevant, and that there is nothing to search', async () => {
      const lost = await ask('What is the capital of Mongolia?');
      expect(lost.citations).to.deep.equal([]);
      expect(lost.answer).to.match(/nothing/i);
      expect(lost.coverage).to.deep.equal({ searched: SAMPLES.length, unread: 0 });
      const folder = (await service.call('POST', '/v1/collections', { body: { name: 'Empty' } }))
        .json;
      const there = await ask('How many nights did the light burn?', { collection_id: folder.id });
      expect(there.citations).to.deep.equal([]);
      expect(there.coverage).to.deep.equal({ searched: 0, unread: 0 });
    });

    it('streams the same answer as in JSON', async () => {
      const question = 'How many nights did the light burn?';
      const plain = await ask(question);
      const streamed = await service.call('POST', '/v1/ask', {
        body: { question },
        headers: { accept: 'text/event-stream' },
      });
      expect(streamed.headers.get('content-type')).to.match(/^text\/event-stream/);
      const events = streamed.text
        .trim()
        .split('\n\n')
        .map((block) => /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [])
        .map(([, event, data = 'null']) => ({ event, data: JSON.parse(data) }));
      const deltas = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text);
      expect(deltas.join('')).to.equal(plain.answer);
      expect(
        events.filter(({ event }) => event === 'citation').map(({ data }) => data),
      ).to.deep.equal(plain.citations);
      expect(events[0]).to.deep.equal({
        event: 'session',
        data: { session_id: events.at(-1)?.data.session_id },
      });
      expect(events.at(-1)?.event).to.equal('done');
      const refused = await service.call('POST', '/v1/ask', {
        body: { question: ' ' },
        headers: { accept: 'text/event-stream' },
      });
      expect([refused.status, refused.json.code]).to.deep.equal([400, 'empty_text']);
    });

    it('saves questions and answers as chats', async () => {
      const first = await ask('How many nights did the light burn?');
      const turn = await service.call('POST', `/v1/chats/${first.session_id}/turns`, {
        body: { content: 'What did the work cost?', attachments: [ids['lighthouse.pdf']] },
      });
      expect(turn.json.user.attachments).to.deep.equal([
        { object_id: ids['lighthouse.pdf'], filename: 'lighthouse.pdf' },
      ]);
      for (const c of turn.json.assistant.citations)
        expect(c.object_id).to.equal(ids['lighthouse.pdf']);
      const chat = (await service.call('GET', `/v1/chats/${first.session_id}`)).json;
      expect(chat.messages.map((m: { role: string }) => m.role)).to.deep.equal([
        'user',
        'assistant',
        'user',
        'assistant',
      ]);
      expect(chat.title).to.equal('How many nights did the light burn?');
      const requested = (await service.call('GET', '/v1/recent-queries?limit=1')).json;
      expect(requested.items[0]).to.deep.include({
        query: 'What did the work cost?',
        session_id: first.session_id,
      });
    });

    it('shows nothing of a hidden document while locked, and all of it once unlocked', async () => {
      const id = ids['lighthouse.pdf'] ?? '';
      const { session_id: session } = await ask('What did the work cost?', { object_ids: [id] });
      const before = await service.call('GET', '/v1/objects');
      await service.call('PATCH', `/v1/objects/${id}`, { body: { is_hidden: true } });
      const pin = await service.call('POST', '/v1/hidden-pin', { body: { pin: '1357' } });
      const headers = { 'x-hidden-token': pin.json.token };
      for (const path of ['', '/content', '/text', '/versions'])
        expect((await service.call('GET', `/v1/objects/${id}${path}`)).status, path).to.equal(404);
      expect((await service.call('GET', '/v1/objects?hidden_only=true')).json.code).to.equal(
        'hidden_locked',
      );
      const list = (await service.call('GET', '/v1/objects?include_hidden=true')).json;
      expect(list.total).to.equal(before.json.total - 1);
      const reported = JSON.stringify([
        list,
        (await service.call('GET', '/v1/search?q=generator&include_hidden=1')).json,
        (await ask('How many nights did the light burn?')).citations,
        (await service.call('GET', '/v1/chats')).json,
      ]);
      expect(reported).not.to.include(id).and.not.to.include(session);
      // A conversation that cites a hidden document is hidden itself.
      const chat = `/v1/chats/${session}`;
      expect((await service.call('GET', chat)).status).to.equal(404);
      const { citations } = (await service.call('GET', chat, { headers })).json.messages[1];
      expect(JSON.stringify(citations)).to.include(id);
      expect((await service.call('GET', `/v1/objects/${id}`, { headers })).status).to.equal(200);
      expect(
        (await service.call('GET', '/v1/objects?hidden_only=1', { headers })).json.total,
      ).to.equal(1);
      const open = await service.call('POST', '/v1/ask', {
        // Of several copies of a sentence only one is cited.
        body: { question: 'How many nights did the light burn?', object_ids: [id] },
        headers,
      });
      expect(JSON.stringify(open.json.citations)).to.include(id);
      await service.call('DELETE', '/v1/hidden-pin', { body: { pin: '1357' } });
    });

    it('has lost nothing after a kill and restart', async () => {
      const body = { content: 'Written just before the lights went out.' };
      const headers = { 'idempotency-key': 'once' };
      const note = await service.call('POST', '/v1/objects/notes', { body, headers });
      service = await service.restart('SIGKILL');
      const again = await service.call('POST', '/v1/objects/notes', { body, headers });
      expect(again.json).to.deep.equal(note.json);
      expect((await service.settled(note.json.id)).status).to.equal('ready');
      expect(await textOf(note.json.id)).to.equal(body.content);
      const { json } = await service.call('GET', '/v1/objects?include_hidden=1');
      expect(json.total).to.equal(SAMPLES.length + 1);
      for (const item of json.items) {
        const { content_hash: hash } = (await service.call('GET', `/v1/objects/${item.id}`)).json;
        const bytes = await fetch(`${service.base}/v1/objects/${item.id}/content`, {
          headers: { authorization: `Bearer ${service.token}` },
        });
        expect(bytes.headers.get('etag')).to.equal(`"${hash}"`);
        const digest = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
        expect(Buffer.from(digest).toString('hex')).to.equal(hash);
      }
    });
  });
