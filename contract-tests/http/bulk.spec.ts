import { expect } from 'chai';
import { profiles, type Answer, type Call, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

for (const profile of profiles)
  describe(`${profile}: many objects at once`, function () {
    this.timeout(60_000);
    let service: Served;
    /** Each test has an owner of its own. */
    let token: string;
    before(async () => (service = await sharedService(profile)));
    beforeEach(async () => void ({ token } = await service.newOwner()));

    const call = (method: string, path: string, sent: Call = {}) =>
      service.call(method, path, { token, ...sent });
    const bulk = async (
      ids: readonly string[],
      action: string,
      more: object = {},
      sent: Call = {},
    ): Promise<Answer> => {
      const body = { ids, action, ...more };
      const answer = await call('POST', '/v1/objects/bulk', { body, ...sent });
      // Of the run, which can be undone.
      const { task_id: _, ...json } = answer.json;
      return { ...answer, json };
    };
    const card = async (id: string, sent: Call = {}) =>
      (await call('GET', `/v1/objects/${id}`, sent)).json;
    const note = async (more: object = {}): Promise<string> => {
      const body = { content: crypto.randomUUID(), ...more };
      const { json } = await call('POST', '/v1/objects/notes', { body });
      await service.settled(json.id, { token });
      return json.id;
    };
    const notes = async (count: number, more: object = {}) => {
      const created: string[] = [];
      for (let i = 0; i < count; i++) created.push(await note(more));
      return created;
    };
    const folder = async (name: string = crypto.randomUUID()): Promise<string> =>
      (await call('POST', '/v1/collections', { body: { name } })).json.id;
    const total = async (query: string): Promise<number> =>
      (await call('GET', `/v1/objects?${query}`)).json.total;
    const unlocked = async (): Promise<Call> => {
      const { json } = await call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
      return { headers: { 'x-hidden-token': json.token } };
    };

    it('are trashed, restored and deleted, each id once, in request order', async () => {
      const [a, b, c] = (await notes(3)) as [string, string, string];
      const trashed = await bulk([c, MISSING, a, c.toUpperCase(), a], 'trash');
      expect([trashed.status, trashed.json]).to.deep.equal([
        200,
        { done: [c, a], failed: [{ id: MISSING, code: 'not_found' }] },
      ]);
      expect([await total(''), await total('trashed=1')]).to.deep.equal([1, 2]);
      expect((await bulk([b, a], 'restore')).json).to.deep.equal({ done: [b, a], failed: [] });
      expect((await card(b)).deleted_at).to.equal(null);
      expect((await bulk([c, b], 'delete')).json).to.deep.equal({ done: [c, b], failed: [] });
      expect([await total(''), await total('trashed=1')]).to.deep.equal([1, 0]);
      expect((await call('GET', `/v1/objects/${c}`)).status).to.equal(404);
      expect((await bulk([c], 'delete')).json.failed).to.deep.equal([{ id: c, code: 'not_found' }]);
    });

    it('reject every other change while they are in the trash, like the single operation', async () => {
      const [lost, stored] = (await notes(2)) as [string, string];
      await bulk([lost], 'trash');
      const before = await card(lost);
      const into = { collection_id: await folder(), categories: ['x'] };
      for (const action of ['move', 'hide', 'unhide', 'categorize'])
        expect((await bulk([lost, stored], action, into)).json, action).to.deep.equal({
          done: [stored],
          failed: [{ id: lost, code: 'in_trash' }],
        });
      expect(await card(lost)).to.deep.equal(before);
      expect((await bulk([lost], 'trash')).json.done).to.deep.equal([lost]);
      expect((await card(lost)).updated_at).to.equal(before.updated_at);
    });

    it('are moved into a folder, and out of every folder without one', async () => {
      const into = await folder('Harbour');
      const ids = await notes(2);
      const moved = await bulk(ids, 'move', { collection_id: into });
      expect(moved.json.done).to.deep.equal(ids);
      expect(await total(`collection_id=${into}`)).to.equal(2);
      expect((await card(ids[0] ?? '')).collection_name).to.equal('Harbour');
      for (const out of [{}, { collection_id: null }, { collection_id: '' }]) {
        await bulk(ids, 'move', { collection_id: into });
        expect((await bulk(ids, 'move', out)).json.done, JSON.stringify(out)).to.deep.equal(ids);
        expect(await total('uncategorized=1')).to.equal(2);
      }
    });

    it('are unchanged if the folder is unknown or foreign', async () => {
      const id = await note();
      const before = await card(id);
      const mate = await service.newOwner();
      const { json } = await call('POST', '/v1/collections', {
        token: mate.token,
        body: { name: 'C' },
      });
      const answers: Answer[] = [];
      for (const collection_id of [MISSING, json.id])
        answers.push(await bulk([id], 'move', { collection_id }));
      for (const answer of answers)
        expect([answer.status, answer.json.code]).to.deep.equal([404, 'not_found']);
      expect(answers[0]?.text).to.equal(answers[1]?.text);
      expect(await card(id)).to.deep.equal(before);
      // Fields that the action does not use are not validated.
      expect((await bulk([id], 'trash', { collection_id: MISSING })).status).to.equal(200);
    });

    it('are hidden and unhidden; while the zone is locked a hidden one fails like a missing one', async () => {
      const [a, b] = (await notes(2)) as [string, string];
      const open = await unlocked();
      expect((await bulk([a, b], 'hide')).json).to.deep.equal({ done: [a, b], failed: [] });
      expect([await total(''), await total('include_hidden=1')]).to.deep.equal([0, 0]);
      const before = await card(a, open);
      for (const action of ['move', 'trash', 'restore', 'delete', 'hide', 'unhide', 'categorize']) {
        const { json } = await bulk([a, MISSING], action, { categories: ['x'] });
        expect(json, action).to.deep.equal({
          done: [],
          failed: [a, MISSING].map((id) => ({ id, code: 'not_found' })),
        });
      }
      expect(await card(a, open)).to.deep.equal(before);
      expect((await bulk([a, b], 'unhide', {}, open)).json.done).to.deep.equal([a, b]);
      expect(await total('')).to.equal(2);
    });

    it('never include foreign objects', async () => {
      const id = await note();
      const before = await card(id);
      const mate = await service.newOwner();
      for (const action of ['trash', 'delete', 'hide', 'move', 'categorize']) {
        const { json } = await bulk([id], action, { categories: ['x'] }, { token: mate.token });
        expect(json).to.deep.equal({ done: [], failed: [{ id, code: 'not_found' }] });
      }
      expect(await card(id)).to.deep.equal(before);
    });

    it('get categories, trimmed, in NFC, the first of names that differ only in case', async () => {
      const id = await note();
      const put = (categories: unknown) =>
        call('PUT', `/v1/objects/${id}/categories`, { body: { categories } });
      const sent = ['  Taxes ', 'cafe\u0301', 'TAXES', 'CAFÉ', '2026'];
      const { status, json } = await put(sent);
      expect([status, json.categories, json.version]).to.deep.equal([
        200,
        ['Taxes', 'café', '2026'],
        1,
      ]);
      const again = await put(sent);
      expect(again.json).to.deep.equal(json);
      const { json: list } = await call('GET', '/v1/objects');
      expect(list.items[0].categories).to.deep.equal(['Taxes', 'café', '2026']);
      const many = await bulk([id], 'categorize', { categories: [' b', 'B', 'a'] });
      expect(many.json.done).to.deep.equal([id]);
      expect((await card(id)).categories).to.deep.equal(['b', 'a']);
      expect((await put([])).json.categories).to.deep.equal([]);
      expect((await put(['x'.repeat(50), '\u{1F600}'.repeat(50)])).status).to.equal(200);

      for (const [categories, loc, type] of [
        [['x'.repeat(51)], ['body', 'categories', 0], 'string_too_long'],
        [['ok', '  '], ['body', 'categories', 1], 'string_too_short'],
        [[5], ['body', 'categories', 0], 'string_type'],
        [Array(21).fill('x'), ['body', 'categories'], 'too_long'],
        ['x', ['body', 'categories'], 'list_type'],
        [null, ['body', 'categories'], 'list_type'],
      ] as const) {
        const refused = await put(categories);
        expect(refused.status).to.equal(422);
        expect(refused.json.detail[0]).to.deep.include({ loc, type });
      }
      await call('DELETE', `/v1/objects/${id}`);
      const late = await put(['late']);
      expect([late.status, late.json.code]).to.deep.equal([409, 'in_trash']);
    });

    it('are limited in number', async () => {
      const id = await note();
      for (const [body, loc, type] of [
        [{ ids: [], action: 'trash' }, ['body', 'ids'], 'too_short'],
        [{ ids: Array(501).fill(id), action: 'trash' }, ['body', 'ids'], 'too_long'],
        [{ ids: [id, 'x'], action: 'trash' }, ['body', 'ids', 1], 'uuid_parsing'],
        [{ action: 'trash' }, ['body', 'ids'], 'missing'],
        [{ ids: [id] }, ['body', 'action'], 'missing'],
        [{ ids: [id], action: 'burn' }, ['body', 'action'], 'literal_error'],
        [{ ids: [id], action: 'categorize' }, ['body', 'categories'], 'missing'],
        [{ ids: [id], action: 'categorize', categories: null }, ['body', 'categories'], 'missing'],
        [
          { ids: [id], action: 'categorize', categories: ['', ''] },
          ['body', 'categories', 0],
          'string_too_short',
        ],
        [{ ids: [id], action: 'move', collection_id: 5 }, ['body', 'collection_id'], 'uuid_type'],
      ] as const) {
        const { status, json } = await call('POST', '/v1/objects/bulk', { body });
        expect([status, json.detail[0].loc, json.detail[0].type]).to.deep.equal([422, loc, type]);
      }
      expect(await total('')).to.equal(1);
    });

    it('by ids ignore an idempotency key, since the operation is idempotent', async () => {
      const id = await note();
      const headers = { 'idempotency-key': 'twice' };
      expect((await bulk([id], 'delete', {}, { headers })).json.done).to.deep.equal([id]);
      const again = await bulk([id], 'delete', {}, { headers });
      expect(again.json.failed).to.deep.equal([{ id, code: 'not_found' }]);
      expect(again.headers.get('idempotent-replayed')).to.equal(null);
    });

    it('five hundred do not block other requests', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        const files = Array.from(
          { length: 100 },
          (_, n) => [`${i}-${n}.txt`, `${i} ${n}`] as const,
        );
        const { json } = await service.uploadAll(files, {}, { token });
        ids.push(...json.items.map((item: { id: string }) => item.id));
      }
      let answeredMeanwhile = 0;
      let busy = true;
      const others = (async () => {
        while (busy) {
          await call('GET', '/v1/objects?limit=1');
          answeredMeanwhile++;
        }
      })();
      const { json } = await bulk(ids, 'delete');
      busy = false;
      await others;
      expect(json.done).to.deep.equal(ids);
      expect(await total('include_hidden=1')).to.equal(0);
      // The first may have begun before the change, and the last ended after it.
      expect(answeredMeanwhile).to.be.above(2);
    });
  });
