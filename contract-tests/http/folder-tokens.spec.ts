import { expect } from 'chai';
import { routes } from '../../adapters/http/routes/index.ts';
import { filesOf } from '../core/transfer-fixture.ts';
import { boundToken } from './bound-token.ts';
import { tusCallOf } from './uploads-client.ts';
import { profiles, startService, type Answer, type Call, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const FORBIDDEN = 'This token is bound to folders, and may not do that.';

/** Requests for the whole account, beside folders and themes themselves. */
const ACCOUNT_WIDE: readonly (readonly [string, string, object?])[] = [
  ['GET', '/v1/settings'],
  ['PUT', '/v1/settings', { chat_memory: false }],
  ['GET', '/v1/usage'],
  ['GET', '/v1/tokens'],
  ['POST', '/v1/tokens', { name: 'unbound' }],
  ['GET', '/v1/notifications'],
  ['POST', '/v1/notifications/read', { ids: [] }],
  ['GET', '/v1/integrations'],
  ['GET', '/v1/bots'],
  ['GET', '/v1/agents'],
  ['GET', '/v1/views'],
  ['POST', '/v1/views', { name: 'New' }],
  ['GET', '/v1/calendar/events'],
  ['GET', '/v1/calendar/agenda?from=2026-01-01&to=2026-02-01'],
  ['POST', '/v1/objects/reorganize', {}],
  ['POST', '/v1/hidden-pin', { pin: '1234' }],
  ['POST', '/v1/hidden-pin/unlock', { pin: '1234' }],
  ['POST', '/v1/hidden-pin/lock'],
  ['POST', '/v1/collections', { name: 'New' }],
  ['POST', '/v1/themes', { name: 'New' }],
];

const QUERIES: Readonly<Record<string, string>> = {
  search: '?q=lanterns',
  getAgenda: '?from=2026-01-01&to=2026-02-01',
  textPlaces: '?char_start=0&char_end=1',
};
/** A body that passes validation, for operations on one resource. */
const BODIES: Readonly<Record<string, object>> = {
  editObject: { filename: 'x.txt' },
  moveObject: { collection_id: null },
  categorizeObject: { categories: [] },
  answerSuggestion: { accept: true },
  saveContent: { content: 'x', base_version: 1 },
  correctText: { text: 'x', base_version: 1 },
  editTheme: { name: 'x' },
  editView: { name: 'x' },
  editCollection: { name: 'x' },
  editChat: { title: 'x' },
  addTurn: { content: 'x' },
  editShare: { name: 'x' },
  editImage: { angle: 90 },
};

for (const profile of profiles)
  describe(`${profile}: a token that is bound to folders`, function () {
    this.timeout(60_000);
    let service: Service;
    let [inside, second, outside] = ['', '', ''];
    let token = '';
    before(async () => {
      service = await startService(profile);
      const folder = async (name: string) =>
        (await service.call('POST', '/v1/collections', { body: { name } })).json.id as string;
      [inside, second, outside] = [await folder('In'), await folder('Too'), await folder('Out')];
      token = await boundToken(service, service.token, [inside, second]);
    });
    after(() => service.dispose());

    const bound = (method: string, path: string, body?: unknown, more: Call = {}) =>
      service.call(method, path, { token, ...(body !== undefined && { body }), ...more });
    const note = async (content: string, collection_id: string | null, call: Call = {}) => {
      const place = collection_id === null ? {} : { collection_id };
      const body = { content, ...place };
      const { status, json } = await service.call('POST', '/v1/objects/notes', { ...call, body });
      expect(status, JSON.stringify(json)).to.equal(200);
      return json.id as string;
    };
    const hits = ({ json }: Answer) =>
      json.items.map(({ object }: { object: { id: string } }) => object.id) as string[];
    const ids = ({ json }: Answer) => json.items.map(({ id }: { id: string }) => id) as string[];
    const refused = ({ status, json }: Answer, detail?: string) => {
      expect({ status, code: json.code }).to.deep.equal({ status: 403, code: 'forbidden' });
      if (detail !== undefined) expect(json.detail).to.equal(detail);
    };
    const unknown = ({ status, json }: Answer) =>
      expect({ status, code: json.code }).to.deep.equal({ status: 404, code: 'not_found' });

    it('sees its folders and what is in them, in lists, counts and searches', async () => {
      const word = `juniper${Date.now()}`;
      const mine = [await note(`${word} one`, inside), await note(`${word} two`, second)];
      await note(`${word} three`, outside);
      await note(`${word} four`, null);
      const found = await bound('GET', `/v1/search?q=${word}`);
      expect(hits(found)).to.have.members(mine);
      expect(found.json.total).to.equal(2);
      const folders = await bound('GET', '/v1/collections');
      expect(folders.json.items.map(({ name }: { name: string }) => name)).to.deep.equal([
        'In',
        'Too',
      ]);
      expect(folders.json.total).to.equal(2);
      const list = await bound('GET', '/v1/objects?limit=1');
      const whole = await service.call('GET', '/v1/objects?limit=1');
      expect(list.json.total).to.be.lessThan(whole.json.total);
      expect(list.json.items).to.have.length(1);
      expect((await bound('GET', '/v1/objects?uncategorized=true')).json.total).to.equal(0);
      expect((await bound('GET', `/v1/objects?collection_id=${outside}`)).json.total).to.equal(0);
      expect((await bound('GET', `/v1/objects?collection_id=${second}`)).json.total).to.equal(1);
    });

    it('gets 403 for the account, and for folders and themes themselves', async () => {
      for (const [method, path, body] of ACCOUNT_WIDE)
        refused(await bound(method, path, body), FORBIDDEN);
      refused(await bound('PATCH', `/v1/collections/${inside}`, { name: 'Out' }), FORBIDDEN);
      refused(await bound('DELETE', `/v1/collections/${inside}`), FORBIDDEN);
      expect((await service.call('GET', '/v1/tokens')).json.total).to.equal(2);
    });

    it('answers alike for an id outside and one that does not exist, on every route', async () => {
      const object = await note('beyond', outside);
      const chat = (await service.call('POST', '/v1/chats', { body: {} })).json.id as string;
      const share = (
        await service.call('POST', '/v1/shares', {
          body: { kind: 'folder', resource_id: outside, role: 'viewer' },
        })
      ).json.id as string;
      const owned = routes.filter(({ access, path }) => access === 'owner' && /:\w+_id/.test(path));
      expect(owned.length).to.be.greaterThan(30);
      for (const route of owned) {
        const { method, path, name } = route;
        const filled = (id: string) =>
          path
            .replace(':bot_id/chats/:chat_id', ':bot_id/chats/-5')
            .replace(':version', '1')
            .replace(':op', 'rotate')
            .replace(':original_start', '2026-01-06T09%3A00%3A00Z')
            .replaceAll(/:\w+_id/g, id);
        const send = async (id: string) => {
          const query = QUERIES[name] ?? '';
          const { status, text } = await bound(
            method.toUpperCase(),
            `${filled(id)}${query}`,
            BODIES[name] ??
              (method === 'get' || method === 'delete' || 'tus' in route.reply ? undefined : {}),
            tusCallOf(route),
          );
          return { status, text };
        };
        const missing = await send(MISSING);
        for (const id of [object, outside, chat, share])
          expect(await send(id), `${method} ${path}`).to.deep.equal(missing);
        expect(missing.status, `${method} ${path}`).to.be.oneOf([403, 404, 405, 422]);
      }
      expect((await service.call('GET', `/v1/objects/${object}`)).status).to.equal(200);
    });

    it('uploads into its folders only, and says which field to send', async () => {
      const upload = async (fields: Record<string, string>) =>
        service.uploadAll([['a.txt', 'unique bytes']], fields, { token });
      const { status, json } = await upload({ collection_id: inside });
      expect(status).to.equal(200);
      expect(json.items[0].collection_id).to.equal(inside);
      const loose = await upload({});
      refused(loose);
      expect(loose.json.detail).to.include('`collection_id`');
      unknown(await upload({ collection_id: outside }));
      refused(await bound('POST', '/v1/objects/notes', { content: 'loose' }));
      refused(await bound('POST', '/v1/objects/links', { url: 'https://example.test/' }));
    });

    it('does not learn of equal bytes outside', async () => {
      const bytes = `twin ${Date.now()}`;
      const first = await service.upload('first.txt', bytes, { collection_id: outside });
      const fields = { collection_id: inside, on_duplicate: 'reject' };
      const again = await service.uploadAll([['again.txt', bytes]], fields, { token });
      expect(again.status).to.equal(200);
      expect(again.json.items[0].duplicate).to.equal(false);
      const third = await service.uploadAll([['third.txt', bytes]], fields, { token });
      expect(third.status).to.equal(409);
      expect(first.json.items[0].id).not.to.equal(again.json.items[0].id);
    });

    it('moves objects within its folders only, one or many', async () => {
      const [one, two] = [await note('movable', inside), await note('movable too', inside)];
      const beyond = await note('beyond', outside);
      const to = (id: string, collection_id: string | null) =>
        bound('PUT', `/v1/objects/${id}/collection`, { collection_id });
      expect((await to(one, second)).json.collection_id).to.equal(second);
      unknown(await to(one, outside));
      refused(await to(one, null));
      unknown(await to(beyond, inside));
      const many = await bound('POST', '/v1/objects/bulk', {
        ids: [one, beyond, MISSING, two],
        action: 'trash',
      });
      expect(many.json).to.deep.include({ done: [one, two] });
      expect(many.json.failed).to.deep.equal([
        { id: beyond, code: 'not_found' },
        { id: MISSING, code: 'not_found' },
      ]);
      const body = { ids: [one], action: 'move', collection_id: outside };
      unknown(await bound('POST', '/v1/objects/bulk', body));
      const [trashed] = [await service.call('GET', `/v1/objects/${one}`)];
      expect(trashed.json.deleted_at).not.to.equal(null);
      const loose = { ids: [two], action: 'restore' };
      expect((await bound('POST', '/v1/objects/bulk', loose)).json.done).to.deep.equal([two]);
      const out = await bound('POST', '/v1/objects/bulk', {
        ids: [two],
        action: 'move',
        collection_id: null,
      });
      expect(out.json.failed).to.deep.equal([{ id: two, code: 'forbidden' }]);
      // Neither the row nor the index has moved.
      expect((await bound('GET', '/v1/search?q=movable')).json.total).to.equal(1);
    });

    it('follows an object that is moved in and out between its requests', async () => {
      const id = await note('wanderer', outside);
      const to = (collection_id: string | null) =>
        service.call('PUT', `/v1/objects/${id}/collection`, { body: { collection_id } });
      const etag = (await service.call('GET', `/v1/objects/${id}`)).headers.get('etag') ?? '';
      expect(etag).not.to.equal('');
      // The ETag of another token opens nothing.
      unknown(
        await bound('GET', `/v1/objects/${id}`, undefined, { headers: { 'if-none-match': etag } }),
      );
      await to(inside);
      expect((await bound('GET', `/v1/objects/${id}`)).json.collection_id).to.equal(inside);
      expect(hits(await bound('GET', '/v1/search?q=wanderer'))).to.deep.equal([id]);
      await to(null);
      unknown(await bound('GET', `/v1/objects/${id}`));
      expect((await bound('GET', '/v1/search?q=wanderer')).json.total).to.equal(0);
    });

    it('does not restore an object whose folder was deleted', async () => {
      const body = { name: 'Doomed' };
      const doomed = (await service.call('POST', '/v1/collections', { body })).json.id as string;
      const temporary = await boundToken(service, service.token, [doomed]);
      const id = await note('restless', doomed);
      await bound('DELETE', `/v1/objects/${id}`, undefined, { token: temporary });
      expect(
        (await bound('GET', `/v1/objects/${id}`, undefined, { token: temporary })).status,
      ).to.equal(200);
      await service.call('DELETE', `/v1/collections/${doomed}`);
      unknown(await bound('POST', `/v1/objects/${id}/restore`, undefined, { token: temporary }));
      const rest = await bound('GET', '/v1/collections', undefined, { token: temporary });
      expect(rest.json).to.deep.include({ items: [], total: 0 });
      expect(
        (await bound('GET', '/v1/objects', undefined, { token: temporary })).json.total,
      ).to.equal(0);
    });

    it('continues a cursor of another token within its folders', async () => {
      for (let n = 0; n < 3; n++)
        for (const folder of [inside, outside]) await note(`${n}`, folder);
      const first = await service.call('GET', '/v1/objects?limit=2');
      const next = await bound(
        'GET',
        `/v1/objects?limit=100&cursor=${encodeURIComponent(first.json.next_cursor)}`,
      );
      expect(next.status).to.equal(200);
      expect(next.json.items).not.to.have.length(0);
      for (const { collection_id } of next.json.items)
        expect(collection_id).to.be.oneOf([inside, second]);
    });

    it('has idempotency keys of its own', async () => {
      const body = { content: 'keyed', collection_id: inside };
      const headers = { 'idempotency-key': `key-${Date.now()}` };
      const theirs = await service.call('POST', '/v1/objects/notes', { body, headers });
      const mine = await bound('POST', '/v1/objects/notes', body, { headers });
      expect([theirs.status, mine.status]).to.deep.equal([200, 200]);
      expect(mine.json.id).not.to.equal(theirs.json.id);
      const again = await bound('POST', '/v1/objects/notes', body, { headers });
      expect(again.json.id).to.equal(mine.json.id);
      // With another body the owner's key is taken, the bound one as well: each by its own request.
      const other = { content: 'other', collection_id: inside };
      expect((await bound('POST', '/v1/objects/notes', other, { headers })).status).to.equal(409);
    });

    it('asks about its folders only, and sees the chats that it opened', async () => {
      const word = `heliotrope${Date.now()}`;
      await service.settled(await note(`The ${word} costs seven.`, inside));
      const beyond = await note(`The ${word} costs nine thousand.`, outside);
      await service.settled(beyond);
      const theirs = (await service.call('POST', '/v1/ask', { body: { question: word } })).json;
      const { json } = await bound('POST', '/v1/ask', { question: `What does the ${word} cost?` });
      expect(JSON.stringify(json)).to.include('seven').and.not.include('nine thousand');
      unknown(await bound('POST', '/v1/ask', { question: word, object_ids: [beyond] }));
      unknown(await bound('POST', '/v1/ask', { question: word, session_id: theirs.session_id }));
      unknown(await bound('GET', `/v1/chats/${theirs.session_id}`));
      const chats = await bound('GET', '/v1/chats');
      expect(ids(chats)).to.deep.equal([json.session_id]);
      expect(chats.json.total).to.equal(1);
      const recent = await bound('GET', '/v1/recent-queries');
      expect(recent.json.items).to.have.length(1);
      expect(ids(await service.call('GET', '/v1/chats'))).to.include(json.session_id);
      const narrow = await boundToken(service, service.token, [inside]);
      unknown(await bound('GET', `/v1/chats/${json.session_id}`, undefined, { token: narrow }));
    });

    it('loses a chat in which a caller who sees more has asked', async () => {
      const { id } = (await bound('POST', '/v1/chats', {})).json;
      expect((await bound('GET', `/v1/chats/${id}`)).status).to.equal(200);
      const body = { content: 'What is there?' };
      await service.call('POST', `/v1/chats/${id}/turns`, { body });
      unknown(await bound('GET', `/v1/chats/${id}`));
    });

    it('shares its folders and what is in them, and sees no other share', async () => {
      const [mine, beyond] = [await note('mine', inside), await note('beyond', outside)];
      const share = (resource_id: string, kind: string, call: Call = {}) =>
        service.call('POST', '/v1/shares', {
          ...call,
          body: { kind, resource_id, role: 'viewer' },
        });
      const theirs = [await share(outside, 'folder'), await share(beyond, 'file')];
      unknown(await share(outside, 'folder', { token }));
      unknown(await share(beyond, 'file', { token }));
      const preview = (resource_id: string, kind: string) =>
        bound('POST', '/v1/shares/preview', { kind, resource_id });
      unknown(await preview(outside, 'folder'));
      unknown(await preview(beyond, 'file'));
      expect((await preview(mine, 'file')).json.contents.total).to.equal(1);
      const made = [await share(inside, 'folder', { token }), await share(mine, 'file')];
      const listed = await bound('GET', '/v1/shares');
      expect(ids(listed)).to.have.members(made.map(({ json }) => json.id));
      expect(listed.json.total).to.equal(2);
      for (const { json } of theirs) unknown(await bound('DELETE', `/v1/shares/${json.id}`));
      expect((await bound('DELETE', `/v1/shares/${made[1]!.json.id}`)).status).to.equal(200);
      const rest = ids(await service.call('GET', '/v1/shares'));
      expect(rest).to.include.members([...theirs, made[0]!].map(({ json }) => json.id));
    });

    it('exports its folders only', async () => {
      await note('exported text', inside);
      await note('private text', outside);
      await service.call('POST', '/v1/calendar/events', {
        body: {
          title: 'Dentist',
          starts_at: '2026-01-05T09:00:00Z',
          ends_at: '2026-01-05T10:00:00Z',
        },
      });
      const response = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const files = await filesOf(Buffer.from(await response.arrayBuffer()));
      const all = [...files].map(([path, text]) => `${path} ${text}`).join('\n');
      expect(all)
        .to.include('exported text')
        .and.not.match(/private text|Dentist|files\/Out/);
      expect(
        [...files.keys()].filter((path) => /calendar|settings|agents/.test(path)),
      ).to.deep.equal([]);
    });

    it('imports nothing, and leaves no archive behind', async () => {
      const response = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      const archive = new Uint8Array(await response.arrayBuffer());
      const before = await service.blobs();
      const answer = await service.call('POST', '/v1/import', {
        token,
        headers: { 'content-type': 'application/zip' },
        raw: archive,
      });
      refused(answer, FORBIDDEN);
      expect(await service.blobs()).to.equal(before);
    });

    it('keeps the hidden zone locked, whether there is a PIN or not', async () => {
      const fresh = await service.newOwner();
      const own = { token: fresh.token };
      const folder = (
        await service.call('POST', '/v1/collections', { ...own, body: { name: 'A' } })
      ).json.id;
      const mine = await boundToken(service, fresh.token, [folder]);
      const hidden = await service.call('POST', '/v1/objects/notes', {
        ...own,
        body: { content: 'secret', collection_id: folder, is_hidden: true },
      });
      const look = async (headers: Record<string, string> = {}) => {
        const at = { token: mine, headers };
        unknown(await service.call('GET', `/v1/objects/${hidden.json.id}`, at));
        const list = await service.call('GET', '/v1/objects?include_hidden=true', at);
        expect(list.json.total).to.equal(0);
        const state = await service.call('GET', '/v1/hidden-pin', at);
        return [list.text, state.text];
      };
      const before = await look();
      const body = { pin: '4711' };
      const { json } = await service.call('POST', '/v1/hidden-pin', { ...own, body });
      expect(json.token).to.be.a('string');
      expect(await look({ 'x-hidden-token': json.token })).to.deep.equal(before);
    });

    it("sees nothing of another owner's folder", async () => {
      const other = await service.newOwner();
      const body = { name: 'Theirs' };
      const folder = (await service.call('POST', '/v1/collections', { token: other.token, body }))
        .json.id;
      const id = await note('theirs', folder, { token: other.token });
      const crossed = await boundToken(service, service.token, [folder]);
      const at = { token: crossed };
      unknown(await service.call('GET', `/v1/collections/${folder}`, at));
      unknown(await service.call('GET', `/v1/objects/${id}`, at));
      expect((await service.call('GET', '/v1/objects', at)).json.total).to.equal(0);
      const into = { content: 'x', collection_id: folder };
      unknown(await service.call('POST', '/v1/objects/notes', { ...at, body: into }));
    });
  });
