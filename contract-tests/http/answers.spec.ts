import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const sample = (name: string) => readFile(new URL(`../samples/${name}`, import.meta.url));
const between = (text: string, start: number, end: number) => [...text].slice(start, end).join('');

const NOTES = {
  en: 'The generators were repaired by two engineers. A caf\u00e9 stands near the harbour.',
  de: 'Die Mietvertr\u00e4ge wurden gestern unterschrieben.',
  fr: 'Les chevaux mangeaient des pommes d\u00e9licieuses.',
  es: 'Las canciones antiguas suenan en la plaza.',
  ru: 'Договоры были подписаны директором вчера.',
  zh: '灯塔管理员每天晚上点亮油灯。',
} as const;
type Language = keyof typeof NOTES;

/** Search terms, and the notes that they find. */
const SEARCHES: readonly (readonly [q: string, found: readonly Language[]])[] = [
  ['generator', ['en']],
  ['  GENERATOR  ', ['en']],
  ['repairing', ['en']],
  ['cafe', ['en']],
  ['Mietvertrag', ['de']],
  ['cheval', ['fr']],
  ['DELICIEUSE', ['fr']],
  ['canci\u00f3n', ['es']],
  ['договор', ['ru']],
  ['директор', ['ru']],
  ['灯塔', ['zh']],
  ['generator plaza', ['en', 'es']],
  ['"repaired by two engineers"', ['en']],
  ['"engineers repaired"', []],
  ['"antiguas suenan" generator', ['es']],
  ['generator -engineers', []],
  ['generator plaza -canciones', ['en']],
  ['-generators -"pommes d\u00e9licieuses"', ['de', 'es', 'ru', 'zh']],
  ['gener*', ['en']],
  ['догов*', ['ru']],
  ['harbour -gener*', []],
  ['zeppelin', []],
  ['"', []],
  ['***', []],
];

for (const profile of profiles)
  describe(`${profile}: search and answers`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });

    const post = (path: string, body: object, token = service.token) =>
      service.call('POST', `/v1${path}`, { body, token });
    const search = (query: string) => service.call('GET', `/v1/search?${query}`);
    const ask = async (question: string, more: object = {}) =>
      (await post('/ask', { question, ...more })).json;
    const note = async (body: object): Promise<string> => {
      const { json } = await post('/objects/notes', body);
      await service.settled(json.id);
      return json.id;
    };
    const textOf = async (id: string): Promise<string> =>
      (await service.call('GET', `/v1/objects/${id}/text`)).json.text;
    const reported = ({ status, json }: Answer) => [status, json.code];

    it('without any document, an answer says so', async () => {
      const answer = await ask('Where is the lighthouse?');
      expect(answer).to.deep.include({
        answer: 'There are no documents to search yet.',
        citations: [],
        coverage: { searched: 0, unread: 0 },
        engine: 'extractive',
      });
    });

    describe('a search', () => {
      const ids = new Map<string, Language>();
      before(async () => {
        for (const [language, content] of Object.entries(NOTES))
          ids.set(await note({ content, title: `note ${language}` }), language as Language);
      });
      after(async () => {
        for (const id of ids.keys()) await service.call('DELETE', `/v1/objects/${id}?permanent=1`);
      });

      for (const [q, found] of SEARCHES)
        it(`for ${q} finds ${found.join(', ') || 'nothing'}, with the exact range`, async () => {
          const { status, json } = await search(`q=${encodeURIComponent(q)}`);
          expect(status).to.equal(200);
          expect(json.total).to.equal(found.length);
          expect(json.items.map((hit: Answer['json']) => ids.get(hit.object.id))).to.have.members(
            found,
          );
          let last = Infinity;
          for (const { object, score, snippet, char_start, char_end } of json.items) {
            expect(between(await textOf(object.id), char_start, char_end)).to.equal(snippet);
            expect(score).to.be.at.most(last);
            last = score;
          }
        });

      it('accepts the filters of the list, with exact pages', async () => {
        const everything = `q=${encodeURIComponent('-zeppelin')}`;
        for (const [filter, total] of [
          ['', 6],
          ['&kind=note', 6],
          ['&kind=pdf', 0],
          ['&doc_type=note', 6],
          ['&notes_only=1', 6],
          ['&is_link=1', 0],
          ['&uncategorized=1', 6],
          [`&collection_id=${MISSING}`, 0],
          ['&trashed=1', 0],
        ] as const)
          expect((await search(everything + filter)).json.total, filter).to.equal(total);
        const pages = [];
        for (const offset of [0, 2, 4, 6])
          pages.push((await search(`${everything}&limit=2&offset=${offset}`)).json);
        expect(pages.map(({ total }) => total)).to.deep.equal([6, 6, 6, 6]);
        const seen = pages.flatMap(({ items }) =>
          items.map((hit: Answer['json']) => hit.object.id),
        );
        expect(seen).to.have.members([...ids.keys()]);
      });

      it('is rejected if empty or with invalid filters', async () => {
        for (const [query, status, code] of [
          ['q=', 400, 'empty_text'],
          ['q=%20%09', 400, 'empty_text'],
          ['q=x&kind=zip', 400, 'unknown_kind'],
          ['q=x&doc_type=zip', 400, 'unknown_doc_type'],
        ] as const)
          expect(reported(await search(query)), query).to.deep.equal([status, code]);
        expect((await search('')).json.detail[0]).to.deep.include({
          loc: ['query', 'q'],
          type: 'missing',
        });
        expect((await search('q=x&limit=101')).status).to.equal(422);
      });

      it('finds an object by its name, and by its new name after a rename', async () => {
        const [id = ''] = ids.keys();
        await service.call('PATCH', `/v1/objects/${id}`, { body: { filename: 'KestrelPlan7.md' } });
        for (const q of ['kestrelplan7', 'kestrel', 'plan'])
          expect((await search(`q=${q}`)).json.items[0]?.object.id, q).to.equal(id);
      });
    });

    describe('an answer', () => {
      const ids: Record<string, string> = {};
      let folder: string;
      before(async () => {
        folder = (await post('/collections', { name: 'Skerry' })).json.id;
        for (const [name, fields] of [
          ['lighthouse.md', { collection_id: folder }],
          ['orchard.html', {}],
          ['protocol-ru.txt', {}],
        ] as const) {
          const bytes = Uint8Array.from(await sample(name));
          const { json } = await service.uploadAll([[name, bytes]], fields);
          ids[name] = json.items[0].id;
          await service.settled(ids[name] ?? '');
        }
        ids['emoji'] = await note({
          content:
            '\u{1F680}\u{1F680}\u{1F680} Launch notes [1] \u{1F600}. The zeppelin [7] lands at noon \u{1D54F}.',
        });
      });

      const expectSound = async ({ answer, citations }: Answer['json']) => {
        const indexes = citations.map(({ index }: { index: number }) => index);
        expect(indexes).to.deep.equal(indexes.map((_: number, i: number) => i + 1));
        const markers = [...answer.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));
        expect([...new Set(markers)]).to.have.members(indexes);
        for (const c of citations) {
          expect(c.snippet).not.to.equal('');
          expect(between(await textOf(c.object_id), c.char_start, c.char_end)).to.equal(c.snippet);
          expect(c.ord).to.be.a('number').and.at.least(0);
        }
        for (const paragraph of answer.split('\n\n')) expect(paragraph).to.match(/\[\d+\]$/);
      };

      for (const [question, name, words] of [
        ['How many nights did the light burn?', 'lighthouse.md', /three hundred and sixty-five/],
        ['Who retires as warden?', 'lighthouse.md', /Ingrid Solheim/],
        ['Which rootstocks were used?', 'orchard.html', /rootstock/i],
        ['Когда состоялось собрание?', 'protocol-ru.txt', /собрани/i],
        ['When does the zeppelin land?', 'emoji', /noon/],
      ] as const)
        it(`to "${question}" quotes the relevant document`, async () => {
          const answer = await ask(question);
          await expectSound(answer);
          expect(answer.citations[0].object_id).to.equal(ids[name]);
          expect(answer.answer).to.match(words);
          expect(answer.coverage).to.deep.equal({ searched: 4, unread: 0 });
        });

      it('gives the reason if there is none: nothing matched, nothing in the folder, files not read', async () => {
        const empty = (await post('/collections', { name: 'Empty' })).json.id;
        const locked = (await post('/collections', { name: 'Locked' })).json.id;
        const bytes = Uint8Array.from(await sample('hostile/encrypted.pdf'));
        const { json } = await service.uploadAll([['locked.pdf', bytes]], {
          collection_id: locked,
        });
        await service.settled(json.items[0].id);
        const cases = [
          [
            {},
            { searched: 4, unread: 1 },
            /^I found nothing about this.*\. One file cannot be read/,
          ],
          [{ collection_id: empty }, { searched: 0, unread: 0 }, /nothing to search in the folder/],
          [{ collection_id: locked }, { searched: 0, unread: 1 }, /One file cannot be read/],
          [{ object_ids: [ids['emoji']] }, { searched: 1, unread: 0 }, /^I found nothing/],
        ] as const;
        for (const [scope, coverage, words] of cases) {
          const answer = await ask('What is the capital of Mongolia?', scope);
          expect(answer.citations).to.deep.equal([]);
          expect(answer.coverage).to.deep.equal(coverage);
          expect(answer.answer)
            .to.match(words)
            .and.not.match(/\[\d+\]/);
        }
        expect((await ask('Какова столица Монголии?')).answer).to.match(/ничего не нашлось/);
        await service.call('DELETE', `/v1/objects/${json.items[0].id}`);
        expect((await ask('Mongolia?')).coverage).to.deep.equal({ searched: 4, unread: 0 });
      });

      it('uses only the named objects', async () => {
        const question = 'How many nights did the light burn?';
        for (const scope of [
          { collection_id: folder },
          { object_ids: [ids['lighthouse.md'], ids['lighthouse.md']] },
          { object_ids: [ids['lighthouse.md']], collection_id: folder, doc_type: 'other' },
        ]) {
          const { citations, coverage } = await ask(question, scope);
          expect(citations).not.to.deep.equal([]);
          for (const c of citations) expect(c.object_id).to.equal(ids['lighthouse.md']);
          expect(coverage).to.deep.equal({ searched: 1, unread: 0 });
        }
        for (const scope of [{ object_ids: [ids['orchard.html']] }, { doc_type: 'invoice' }])
          expect(JSON.stringify(await ask(question, scope))).not.to.include(ids['lighthouse.md']);
      });

      it('is rejected for an empty question, and for missing or foreign objects', async () => {
        for (const question of ['', ' \n\t '])
          expect(reported(await post('/ask', { question }))).to.deep.equal([400, 'empty_text']);
        expect(reported(await post('/ask', { question: 'x', doc_type: 'zip' }))).to.deep.equal([
          400,
          'unknown_doc_type',
        ]);
        const { token } = await service.newOwner();
        const theirs = {
          session_id: (await post('/chats', {}, token)).json.id,
          collection_id: (await post('/collections', { name: 'Theirs' }, token)).json.id,
          object_ids: [(await post('/objects/notes', { content: 'x' }, token)).json.id],
        };
        const requested = (await service.call('GET', '/v1/recent-queries')).text;
        for (const [key, value] of Object.entries(theirs)) {
          const missing = Array.isArray(value) ? [MISSING] : MISSING;
          const [foreign, none] = [
            await post('/ask', { question: 'x', [key]: value }),
            await post('/ask', { question: 'x', [key]: missing }),
          ];
          expect(reported(foreign), key).to.deep.equal([404, 'not_found']);
          expect(foreign.text).to.equal(none.text);
        }
        const { id } = (await post('/chats', {})).json;
        for (const body of [{ attachments: theirs.object_ids }, { object_ids: theirs.object_ids }])
          expect(reported(await post(`/chats/${id}/turns`, { content: 'x', ...body }))[0]).to.equal(
            404,
          );
        expect(
          reported(await post(`/chats/${theirs.session_id}/turns`, { content: 'x' }))[0],
        ).to.equal(404);
        expect(reported(await post(`/chats/${id}/turns`, { content: ' ' }))).to.deep.equal([
          400,
          'empty_text',
        ]);
        expect((await service.call('GET', '/v1/recent-queries')).text).to.equal(requested);
        const mine = await post('/ask', { question: 'How many nights did the light burn?' }, token);
        expect(mine.json).to.deep.include({ citations: [] });
      });

      it('is saved with its question in a session, which can be continued', async () => {
        const first = await ask('How many nights did the light burn?');
        const second = await ask('Who retires?', { session_id: first.session_id });
        expect(second.session_id).to.equal(first.session_id);
        const turn = await post(`/chats/${first.session_id}/turns`, {
          content: 'And what about apples?',
          attachments: [ids['orchard.html']],
        });
        const chat = (await service.call('GET', `/v1/chats/${first.session_id}`)).json;
        expect(chat).to.deep.include({
          title: 'How many nights did the light burn?',
          kind: 'ask',
          pinned: false,
          collection_id: null,
        });
        expect(chat.messages.map((m: Answer['json']) => [m.role, m.content])).to.deep.equal([
          ['user', 'How many nights did the light burn?'],
          ['assistant', first.answer],
          ['user', 'Who retires?'],
          ['assistant', second.answer],
          ['user', 'And what about apples?'],
          ['assistant', turn.json.assistant.content],
        ]);
        expect(chat.messages[1]).to.deep.include({
          id: first.message_id,
          citations: first.citations,
        });
        expect(chat.messages[4].attachments).to.deep.equal([
          { object_id: ids['orchard.html'], filename: 'orchard.html' },
        ]);
      });
    });

    it('sessions are created, filtered, changed and deleted with their messages', async () => {
      const folder = (await post('/collections', { name: 'Project' })).json.id;
      const id = (await post('/chats', { title: 'Plans', kind: 'chat', collection_id: folder }))
        .json.id;
      const turn = await post(`/chats/${id}/turns`, { content: 'How many nights did it burn?' });
      expect(turn.json.assistant.citations, 'only its folder is searched').to.deep.equal([]);
      const edited = await service.call('PATCH', `/v1/chats/${id}`, {
        body: { pinned: true, title: 'Plans 2' },
      });
      expect(edited.json).to.deep.include({
        pinned: true,
        title: 'Plans 2',
        collection_id: folder,
      });
      for (const query of ['kind=chat', 'pinned=1', `collection_id=${folder}`]) {
        const { json } = await service.call('GET', `/v1/chats?${query}`);
        expect([json.total, json.items[0].id, json.items[0].messages], query).to.deep.equal([
          1,
          id,
          undefined,
        ]);
      }
      const recent = (query = '') => service.call('GET', `/v1/recent-queries${query}`);
      const requested = (await recent()).json;
      expect(requested.items[0]).to.deep.include({
        query: 'How many nights did it burn?',
        session_id: id,
        title: 'Plans 2',
      });
      expect((await recent('?limit=1')).json).to.deep.include({ total: requested.total });
      for (const query of ['?days=0', '?days=91', '?limit=0', '?limit=101'])
        expect((await recent(query)).status, query).to.equal(422);
      expect((await recent('?days=90&limit=100')).status).to.equal(200);
      await service.call('DELETE', `/v1/chats/${id}`);
      expect((await service.call('GET', `/v1/chats/${id}`)).status).to.equal(404);
      expect((await recent()).json.total).to.equal(requested.total - 1);
    });
  });
