import { expect } from 'chai';
import { openModelService, type ModelService } from '../fake-model-server.ts';
import { boundToken } from './bound-token.ts';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';
import { openStream } from './sse-client.ts';

const SECRET = 'The hidden treasure lies under the old walnut tree.';
const PLAIN = 'The harbour was built in 1931.';
const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

for (const profile of profiles)
  describe(`${profile}: conversations about hidden objects`, function () {
    this.timeout(120_000);
    let service: Served;
    let model: ModelService;
    let token: string;
    let open: string;
    let folder: string;
    let secret: string;
    let plain: string;
    before(async () => {
      model = await openModelService();
      service = await sharedService(profile);
    });
    after(() => model.close());

    const as = (
      method: string,
      path: string,
      body?: object,
      headers: Readonly<Record<string, string>> = {},
      token_ = token,
    ): Promise<Answer> =>
      service.call(method, `/v1${path}`, { token: token_, headers, ...(body && { body }) });
    const unlocked = (method: string, path: string, body?: object, more = {}): Promise<Answer> =>
      as(method, path, body, { 'x-hidden-token': open, ...more });
    const note = async (body: object): Promise<string> => {
      const { json } = await unlocked('POST', '/objects/notes', { collection_id: folder, ...body });
      await service.settled(json.id, { token, headers: { 'x-hidden-token': open } });
      return json.id;
    };
    /** The reply without values that differ from one request to the next. */
    const reported = ({ status, text, headers }: Answer, ...ids: readonly string[]) => ({
      status,
      text: ids.reduce((left, id) => left.replaceAll(id, 'ID'), text),
      etag: headers.get('etag') !== null,
      replayed: headers.get('idempotent-replayed'),
    });

    beforeEach(async () => {
      ({ token } = await service.newOwner());
      open = (await as('POST', '/hidden-pin', { pin: '1234' })).json.token;
      folder = (await as('POST', '/collections', { name: 'Sea' })).json.id;
      plain = await note({ content: PLAIN, title: 'Harbour' });
      secret = await note({ content: SECRET, title: 'Walnut', is_hidden: true });
    });

    it('look like missing ones while the zone is locked, to every request', async () => {
      const asked = await unlocked('POST', '/ask', { question: 'Where does the treasure lie?' });
      expect(asked.json.citations[0].object_id).to.equal(secret);
      const id = asked.json.session_id as string;
      const visible = (await unlocked('POST', '/ask', { question: 'When was the harbour built?' }))
        .json.session_id as string;
      const requests: readonly [string, string, object?][] = [
        ['GET', '/chats/ID'],
        ['PATCH', '/chats/ID', { title: 'Mine', pinned: true }],
        ['POST', '/chats/ID/turns', { content: 'harbour' }],
        ['POST', '/ask', { question: 'harbour', session_id: 'ID' }],
        ['DELETE', '/chats/ID'],
      ];
      for (const key of [{}, { 'idempotency-key': 'once' }])
        for (const [method, path, body] of requests) {
          const send = (chat: string) =>
            as(
              method,
              path.replace('ID', chat),
              body && (JSON.parse(JSON.stringify(body).replace('"ID"', `"${chat}"`)) as object),
              key,
            );
          const [one, other] = [await send(id), await send(MISSING)];
          expect(reported(one, id), path).to.deep.equal(reported(other, MISSING));
          expect(one.status, path).to.equal(404);
        }
      const lists = ['/chats', '/chats?limit=1', '/chats?kind=ask', '/recent-queries'];
      for (const path of lists) {
        const { json } = await as('GET', path);
        expect(json.total, path).to.equal(1);
        const [item] = json.items as readonly { id: string; session_id: string }[];
        expect([item!.id, item!.session_id]).to.include(visible);
        expect((await unlocked('GET', path)).json.total, path).to.equal(2);
      }
      const { json: shown } = await unlocked('GET', `/chats/${id}`);
      expect(shown.messages).to.have.length(2);
      expect((await unlocked('PATCH', `/chats/${id}`, { pinned: true })).status).to.equal(200);
      expect((await as('GET', '/chats')).json.items[0].id).to.equal(visible);
      expect((await unlocked('GET', '/chats')).json.items[0].id).to.equal(id);

      const exported = async (key: object) =>
        service.call('GET', '/v1/export', { token, headers: { ...key } });
      expect((await exported({})).status).to.equal(200);
      expect((await unlocked('DELETE', `/chats/${id}`)).status).to.equal(200);
      expect((await unlocked('GET', '/chats')).json.total).to.equal(1);
    });

    it('can be hidden themselves, from the start and without a hidden document', async () => {
      const create = { kind: 'ask', is_hidden: true };
      const locked = await as('POST', '/chats', create);
      expect([locked.status, locked.json.code]).to.deep.equal([403, 'hidden_locked']);
      const { json: made } = await unlocked('POST', '/chats', create, { 'idempotency-key': 'k' });
      const id = made.id as string;
      const ask = { question: 'When was the harbour built?', session_id: id };
      expect((await as('POST', '/ask', ask)).status).to.equal(404);
      const answered = await unlocked('POST', '/ask', ask);
      expect(answered.json.citations[0].object_id).to.equal(plain);
      await unlocked('POST', '/ask', { question: 'Where does the treasure lie?' });

      for (const path of ['/chats', '/chats?hidden_only=0', '/recent-queries'])
        expect((await as('GET', path)).json.total, path).to.equal(0);
      expect((await as('GET', `/chats/${id}`)).status).to.equal(404);
      const refused = await as('GET', '/chats?hidden_only=true');
      expect([refused.status, refused.json.code]).to.deep.equal([403, 'hidden_locked']);
      const repeated = await as('POST', '/chats', create, { 'idempotency-key': 'k' });
      expect(repeated.json.code).to.equal('hidden_locked');

      // The other one only holds a hidden object.
      const only = (await unlocked('GET', '/chats?hidden_only=true&kind=ask')).json;
      expect([only.total, only.items[0].id]).to.deep.equal([1, id]);
      expect((await unlocked('GET', '/chats')).json.total).to.equal(2);
      expect((await unlocked('GET', '/chats?hidden_only=true&kind=chat')).json.total).to.equal(0);
      expect((await unlocked('DELETE', `/chats/${id}`)).status).to.equal(200);
      expect((await unlocked('GET', '/chats?hidden_only=true')).json.total).to.equal(0);
    });

    it('stay hidden themselves in another workspace that imports them', async () => {
      const { json } = await unlocked('POST', '/chats', { title: 'Kept', is_hidden: true });
      const exported = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${token}`, 'x-hidden-token': open },
      });
      const other = (await service.newOwner()).token;
      const imported = await service.call('POST', '/v1/import', {
        token: other,
        headers: { 'content-type': 'application/zip' },
        raw: await exported.arrayBuffer(),
      });
      expect(imported.status).to.equal(200);
      const key = (await as('POST', '/hidden-pin', { pin: '1234' }, {}, other)).json.token;
      const list = async (headers: Readonly<Record<string, string>>) =>
        (await as('GET', '/chats', undefined, headers, other)).json.total as number;
      expect([await list({}), await list({ 'x-hidden-token': key })]).to.deep.equal([0, 1]);
      const path = '/chats?hidden_only=true';
      const only = (await as('GET', path, undefined, { 'x-hidden-token': key }, other)).json;
      expect(only.items[0].title).to.equal(json.title);
    });

    it('disappear and reappear with an object, and their lists change their tags', async () => {
      const id = (await as('POST', '/ask', { question: 'When was the harbour built?' })).json
        .session_id as string;
      const tagOf = async () => (await as('GET', '/chats')).headers.get('etag');
      const before = await tagOf();
      const hide = (is_hidden: boolean) => unlocked('PATCH', `/objects/${plain}`, { is_hidden });
      expect((await hide(true)).status).to.equal(200);
      expect((await as('GET', `/chats/${id}`)).status).to.equal(404);
      expect((await as('GET', '/chats')).json).to.deep.equal({ items: [], total: 0 });
      expect(await tagOf()).not.to.equal(before);
      await hide(false);
      expect((await as('GET', `/chats/${id}`)).status).to.equal(200);
      expect(await tagOf()).to.equal(before);
      await hide(true);
      await unlocked('DELETE', `/objects/${plain}?permanent=true`);
      expect((await as('GET', `/chats/${id}`)).status).to.equal(404);
      expect((await unlocked('GET', `/chats/${id}`)).status).to.equal(200);
    });

    it('count while locked only what is visible now, stored, repeated and in an export', async () => {
      const pier = await note({ content: 'The pier is of oak.', title: 'Pier' });
      const question = { question: 'When was the harbour built?' };
      const key = { 'idempotency-key': 'counted' };
      const asked = await as('POST', '/ask', question, key);
      expect(asked.json.coverage).to.deep.equal({ searched: 2, unread: 0 });
      const chat = `/chats/${asked.json.session_id}`;
      const counted = async (call: typeof as) => {
        const { json, headers } = await call('GET', chat);
        return { searched: json.messages[1].coverage.searched, etag: headers.get('etag') };
      };
      const before = await counted(as);
      expect(before.searched).to.equal(2);
      expect((await unlocked('PATCH', `/objects/${pier}`, { is_hidden: true })).status).to.equal(
        200,
      );
      const after = await counted(as);
      expect(after.searched).to.equal(1);
      expect(after.etag).not.to.equal(before.etag);
      expect((await counted(unlocked)).searched).to.equal(2);
      const again = await as('POST', '/ask', question, key);
      expect([again.status, again.json.code]).to.deep.equal([403, 'hidden_locked']);
      expect((await unlocked('POST', '/ask', question, key)).json).to.deep.equal(asked.json);

      const other = (await service.newOwner()).token;
      const exported = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await service.call('POST', '/v1/import', {
        token: other,
        headers: { 'content-type': 'application/zip' },
        raw: await exported.arrayBuffer(),
      });
      const { messages } = (await as('GET', chat, undefined, {}, other)).json;
      expect(messages[1].coverage).to.deep.equal({ searched: 1, unread: 0 });
    });

    it('are not given away by a repeated request', async () => {
      const key = { 'idempotency-key': 'once' };
      const question = { question: 'When was the harbour built?' };
      const first = await as('POST', '/ask', question, key);
      const id = first.json.session_id as string;
      expect((await as('POST', '/ask', question, key)).json).to.deep.equal(first.json);
      // Its citations remain visible, but the session does not.
      const turn = { content: 'treasure', attachments: [secret] };
      expect((await unlocked('POST', `/chats/${id}/turns`, turn)).status).to.equal(200);
      const again = await as('POST', '/ask', question, key);
      expect([again.status, again.json.code]).to.deep.equal([403, 'hidden_locked']);
      expect((await unlocked('POST', '/ask', question, key)).json).to.deep.equal(first.json);
    });

    it('are missing for a token that is bound to folders as well, until the zone is unlocked', async () => {
      const bound = await boundToken(service, token, [folder]);
      const by = (method: string, path: string, body?: object, key = {}) =>
        as(method, path, body, key, bound);
      const asked = await by('POST', '/ask', { question: 'When was the harbour built?' });
      const id = asked.json.session_id as string;
      expect(asked.json.citations[0].object_id).to.equal(plain);
      expect((await by('GET', '/chats')).json.total).to.equal(1);
      expect((await by('PATCH', `/objects/${plain}`, { is_hidden: true })).status).to.equal(200);
      for (const [method, path] of [
        ['GET', `/chats/${id}`],
        ['DELETE', `/chats/${id}`],
      ] as const)
        expect((await by(method, path)).status).to.equal(404);
      expect((await by('GET', '/chats')).json.total).to.equal(0);
      expect((await by('GET', '/recent-queries')).json.total).to.equal(0);
      expect((await as('GET', '/chats')).json.total).to.equal(0);
      expect((await unlocked('GET', `/chats/${id}`)).status).to.equal(200);
    });

    it('have details in their answers, live and stored, and none in their questions', async () => {
      const question = 'When was the harbour built?';
      const { json } = await as('POST', '/ask', { question });
      expect(json).to.deep.include({
        engine: 'extractive',
        coverage: { searched: 1, unread: 0 },
        confidence: null,
        incomplete: false,
      });
      expect(json.citations[0]).to.include({ object_id: plain, version: 1, page: 1 });
      const details = { coverage: null, engine: null, confidence: null, incomplete: null };
      const turn = (await as('POST', `/chats/${json.session_id}/turns`, { content: question }))
        .json;
      expect(turn.user).to.deep.include(details);
      const stored = (await as('GET', `/chats/${json.session_id}`)).json.messages;
      expect(stored.slice(2)).to.deep.equal([turn.user, turn.assistant]);
      for (const at of [1, 3])
        expect(stored[at]).to.deep.include({
          engine: 'extractive',
          coverage: { searched: 1, unread: 0 },
          confidence: null,
          incomplete: false,
        });
      expect(stored[1].citations).to.deep.equal(json.citations);
      expect(stored[0]).to.deep.include(details);
      const stream = await openStream(
        service,
        '/v1/ask',
        { question },
        { authorization: `Bearer ${token}` },
      );
      await stream.ended;
      const { data } = stream.events.at(-1)!;
      expect(data).to.deep.include({
        ...json,
        session_id: data.session_id,
        message_id: data.message_id,
        created_at: data.created_at,
      });
    });

    it('keep an answer that the model has not finished, as an incomplete one', async () => {
      await as('PUT', '/integrations/llm', {
        config: { base_url: `${model.origin}/v1`, model: 'lamp-7b' },
      });
      model.plays({ pieces: ['It was built in ', 'the year '], then: 'cut' });
      const { json: chat } = await as('POST', '/chats', {});
      const turn = await as('POST', `/chats/${chat.id}/turns`, { content: 'the harbour?' });
      expect(turn.json.code).to.equal('upstream_failed');
      const { messages } = (await as('GET', `/chats/${chat.id}`)).json;
      expect(messages[1]).to.deep.include({
        content: 'It was built in the year',
        incomplete: true,
        engine: 'lamp-7b',
        coverage: { searched: 1, unread: 0 },
      });
    });
  });
