import { expect } from 'chai';
import {
  eventually,
  profiles,
  startService,
  type Answer,
  type Call,
  type Service,
} from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const PATH = '/v1/objects/bulk';

for (const profile of profiles)
  describe(`${profile}: a bulk change by filter`, function () {
    this.timeout(60_000);
    let service: Service;
    /** Each test has an owner of its own. */
    let token: string;
    before(async () => (service = await startService(profile)));
    beforeEach(async () => void ({ token } = await service.newOwner()));
    after(() => service.dispose());

    const call = (method: string, path: string, sent: Call = {}) =>
      service.call(method, path, { token, ...sent });
    const start = (body: object, sent: Call = {}) => call('POST', PATH, { body, ...sent });
    const progress = (id: string, sent: Call = {}) => call('GET', `${PATH}/${id}`, sent);
    const undo = (id: string, sent: Call = {}) => call('POST', `${PATH}/${id}/undo`, sent);
    const ended = async (id: string, sent: Call = {}): Promise<Answer['json']> =>
      (
        await eventually(
          () => progress(id, sent),
          ({ json }) => json.state !== 'PENDING' && json.state !== 'PROGRESS',
          30_000,
        )
      ).json;
    const run = async (body: object, sent: Call = {}): Promise<Answer['json']> => {
      const { status, json } = await start(body, sent);
      expect([status, Object.keys(json)]).to.deep.equal([200, ['task_id']]);
      return ended(json.task_id, sent);
    };
    const upload = async (count: number, fields: Record<string, string> = {}) => {
      const files = Array.from({ length: count }, (_, i) => [`${i}.txt`, `text ${i}`] as const);
      const { json } = await service.uploadAll(files, fields, { token });
      const ids: string[] = json.items.map((item: { id: string }) => item.id);
      for (const id of ids) await service.settled(id, { token });
      return ids;
    };
    const folder = async (name: string = crypto.randomUUID()): Promise<string> =>
      (await call('POST', '/v1/collections', { body: { name } })).json.id;
    const total = async (query: string, sent: Call = {}): Promise<number> =>
      (await call('GET', `/v1/objects?${query}`, sent)).json.total;

    it('reports its progress, leaves out exceptions, and is undone and repeated', async () => {
      const ids = await upload(8);
      const into = await folder('Harbour');
      const move = { action: 'move', collection_id: into };
      const done = await run({
        filter: { uncategorized: true },
        except: [ids[0], MISSING],
        ...move,
      });
      expect(Object.keys(done).sort()).to.deep.equal(
        'action created_at done failed state task_id total undo_of undo_until'.split(' '),
      );
      const counts = { state: 'SUCCESS', total: 7, done: 7, failed: [] };
      expect(done).to.deep.include({ ...counts, action: 'move', undo_of: null });
      expect(Date.parse(done.undo_until) - Date.parse(done.created_at)).to.be.at.least(86_400_000);
      expect([await total(`collection_id=${into}`), await total('uncategorized=1')]).to.deep.equal([
        7, 1,
      ]);
      await call('PUT', `/v1/objects/${ids[1] ?? ''}/collection`, {
        body: { collection_id: null },
      });
      const undone = await undo(done.task_id);
      expect(undone.json).to.deep.include({ undo_of: done.task_id, action: 'move' });
      const failed = [{ code: 'changed_since', count: 1 }];
      expect(await ended(undone.json.task_id)).to.deep.include({ total: 7, done: 6, failed });
      expect(await total('uncategorized=1')).to.equal(8);
      const redone = await undo(undone.json.task_id);
      expect(await ended(redone.json.task_id)).to.deep.include({ total: 6, done: 6 });
      expect(await total(`collection_id=${into}`)).to.equal(6);
    });

    it('accepts the filters of the list for every action', async () => {
      const ids = await upload(4);
      await call('PUT', `/v1/objects/${ids[0] ?? ''}/categories`, {
        body: { categories: ['Tax'] },
      });
      const tagged = await run({
        filter: { category: 'tax' },
        action: 'categorize',
        categories: ['Paid', 'Tax'],
      });
      expect(tagged).to.deep.include({ total: 1, done: 1 });
      expect((await run({ filter: { kind: 'text' }, action: 'trash' })).done).to.equal(4);
      expect(await total('trashed=1')).to.equal(4);
      const back = { filter: { trashed: true }, except: [ids[3]], action: 'restore' };
      expect((await run(back)).done).to.equal(3);
      const none = { filter: { uncategorized: true, collection_id: MISSING }, action: 'hide' };
      expect(await run(none)).to.deep.include({ state: 'SUCCESS', total: 0, done: 0, failed: [] });
      const erased = await run({ filter: { trashed: true }, action: 'delete' });
      expect(erased).to.deep.include({ total: 1, done: 1, undo_until: null });
      const late = await undo(erased.task_id);
      expect([late.status, late.json.code]).to.deep.equal([409, 'not_undoable']);
      expect([await total(''), await total('trashed=1')]).to.deep.equal([3, 0]);
    });

    it('by ids can be undone as well', async () => {
      const ids = await upload(3);
      const { json } = await start({ ids: [...ids, MISSING], action: 'trash' });
      expect(json.done).to.deep.equal(ids);
      expect((await progress(json.task_id)).json).to.deep.include({
        state: 'SUCCESS',
        total: 4,
        done: 3,
        failed: [{ code: 'not_found', count: 1 }],
      });
      const undone = await undo(json.task_id);
      expect(await ended(undone.json.task_id)).to.deep.include({ total: 3, done: 3 });
      expect([await total(''), await total('trashed=1')]).to.deep.equal([3, 0]);
    });

    it('rejects invalid requests and changes nothing', async () => {
      const [id = ''] = await upload(1);
      const trash = { action: 'trash' };
      for (const [body, loc, type] of [
        [{ ...trash }, ['body', 'ids'], 'missing'],
        [{ ...trash, ids: null, filter: null }, ['body', 'ids'], 'missing'],
        [{ ...trash, ids: [id], filter: {} }, ['body', 'filter'], 'value_error'],
        [{ ...trash, ids: [id], except: [id] }, ['body', 'except'], 'value_error'],
        [{ ...trash, filter: [] }, ['body', 'filter'], 'model_attributes_type'],
        [{ ...trash, filter: { colour: 'red' } }, ['body', 'filter', 'colour'], 'extra_forbidden'],
        [
          { ...trash, filter: { collection_id: 'x' } },
          ['body', 'filter', 'collection_id'],
          'uuid_parsing',
        ],
        [{ ...trash, filter: {}, except: Array(501).fill(id) }, ['body', 'except'], 'too_long'],
        [{ filter: {}, action: 'categorize' }, ['body', 'categories'], 'missing'],
      ] as const) {
        const { status, json } = await start(body);
        expect(
          [status, json.detail?.[0].loc, json.detail?.[0].type],
          JSON.stringify(body),
        ).to.deep.equal([422, loc, type]);
      }
      for (const [filter, code] of [
        [{ kind: 'song' }, 'unknown_kind'],
        [{ doc_type: 'song' }, 'unknown_doc_type'],
      ] as const)
        expect((await start({ ...trash, filter })).json.code).to.equal(code);
      const lost = await start({ filter: {}, action: 'move', collection_id: MISSING });
      expect([lost.status, lost.json.code]).to.deep.equal([404, 'not_found']);
      expect(await total('')).to.equal(1);
    });

    it('does not find a task id of any form that it did not issue', async () => {
      for (const id of ['constructor', MISSING, 'x'.repeat(300)])
        for (const answer of [await progress(id), await undo(id)])
          expect([answer.status, answer.json.code], id).to.deep.equal([404, 'not_found']);
    });

    it('is started once for an idempotency key', async () => {
      await upload(2);
      const headers = { 'idempotency-key': 'once' };
      const body = { filter: {}, action: 'trash' };
      const first = await start(body, { headers });
      await ended(first.json.task_id);
      const again = await start(body, { headers });
      expect([again.json, again.headers.get('idempotent-replayed')]).to.deep.equal([
        first.json,
        'true',
      ]);
      const other = await start({ ...body, action: 'restore' }, { headers });
      expect([other.status, other.json.code]).to.deep.equal([409, 'idempotency_key_reused']);
      const undone = await undo(first.json.task_id, { headers });
      await ended(undone.json.task_id);
      expect((await undo(first.json.task_id, { headers })).json).to.deep.equal(undone.json);
      expect(await total('')).to.equal(2);
    });

    it('is out of reach of others, and unknown ids are not found', async () => {
      await upload(1);
      const { task_id: id } = await run({ filter: {}, action: 'trash' });
      const mate = await service.newOwner();
      const answers = [
        await progress(id, { token: mate.token }),
        await undo(id, { token: mate.token }),
        await progress(MISSING),
        await undo(MISSING),
      ];
      for (const { status, json } of answers)
        expect([status, json.code]).to.deep.equal([404, 'not_found']);
      expect((await progress('x')).status).to.equal(404);
      expect(await total('trashed=1')).to.equal(1);
    });

    it('of a locked zone reaches no hidden object, and one on hidden objects is concealed', async () => {
      const ids = await upload(4);
      const [hidden = '', later = ''] = ids;
      await call('PATCH', `/v1/objects/${hidden}`, { body: { is_hidden: true } });
      const pin = await call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
      const open: Call = { headers: { 'x-hidden-token': pin.json.token } };
      const trash = { filter: { include_hidden: true }, action: 'trash' };
      const locked = await run(trash);
      expect(locked).to.deep.include({ total: 3, done: 3 });
      expect((await call('GET', `/v1/objects/${hidden}`, open)).json.deleted_at).to.equal(null);
      const only = await start({ filter: { hidden_only: true }, action: 'trash' });
      expect([only.status, only.json.code]).to.deep.equal([403, 'hidden_locked']);
      const all = await run(trash, open);
      expect(all).to.deep.include({ total: 1, done: 1 });
      for (const answer of [await progress(all.task_id), await undo(all.task_id)])
        expect([answer.status, answer.json.code]).to.deep.equal([404, 'not_found']);
      await call('POST', `/v1/objects/${later}/restore`);
      await call('PATCH', `/v1/objects/${later}`, { body: { is_hidden: true } });
      expect((await progress(locked.task_id)).json).to.deep.include({ total: 2, done: 2 });
      expect((await progress(locked.task_id, open)).json).to.deep.include({ total: 3, done: 3 });
      const back = await undo(all.task_id, open);
      expect(await ended(back.json.task_id, open)).to.deep.include({ total: 1, done: 1 });
      expect((await progress(back.json.task_id)).status).to.equal(404);
    });

    it('of a token that is bound to folders stays in them', async () => {
      const [inside, outside] = [await folder('Inside'), await folder('Outside')];
      const [own = ''] = await upload(1, { collection_id: inside });
      const [other = ''] = await upload(1, { collection_id: outside });
      const body = { name: 'bound', collection_ids: [inside] };
      const bound: Call = { token: (await call('POST', '/v1/tokens', { body })).json.token };
      const done = await run({ filter: {}, action: 'trash' }, bound);
      expect(done).to.deep.include({ total: 1, done: 1 });
      const trashed = async (id: string) =>
        (await call('GET', `/v1/objects/${id}`)).json.deleted_at !== null;
      expect([await trashed(own), await trashed(other)]).to.deep.equal([true, false]);
      const whole = await run({ filter: {}, action: 'trash' });
      expect((await progress(whole.task_id, bound)).status).to.equal(404);
      expect((await undo(whole.task_id, bound)).status).to.equal(404);
      const back = await undo(done.task_id, bound);
      expect(await ended(back.json.task_id, bound)).to.deep.include({ total: 1, done: 1 });
      expect([await trashed(own), await trashed(other)]).to.deep.equal([false, true]);
    });

    it('is completed, and undone, although its process is killed', async () => {
      const into = await folder('Harbour');
      const files = Array.from({ length: 400 }, (_, i) => [`${i}.txt`, `text ${i}`] as const);
      for (let from = 0; from < files.length; from += 100)
        await service.uploadAll(files.slice(from, from + 100), {}, { token });
      const started = await start({ filter: {}, action: 'move', collection_id: into });
      service = await service.restart('SIGKILL');
      const all = { state: 'SUCCESS', total: 400, done: 400, failed: [] };
      expect(await ended(started.json.task_id)).to.deep.include(all);
      expect(await total(`collection_id=${into}`)).to.equal(400);
      const undone = await undo(started.json.task_id);
      service = await service.restart('SIGKILL');
      expect(await ended(undone.json.task_id)).to.deep.include(all);
      expect(await total('uncategorized=1')).to.equal(400);
    });
  });
