import { expect } from 'chai';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const invoice = (n: number): string =>
  `Lumen Optics GmbH\nINVOICE\nInvoice no. ${n}\nInvoice date: 12 March 2024\nBill to: Ann Lee\nLenses $${n}.00\nAmount due $${n}.00\n`;
const PATH = '/v1/objects/reorganize';
const FIELDS =
  'created_folders created_themes done moved phase processed skipped state total'.split(' ');

for (const profile of profiles)
  describe(`${profile}: reorganization`, function () {
    this.timeout(90_000);
    let service: Service;
    let token: string;
    before(async () => {
      service = await startService(profile);
    });
    after(() => service.dispose());
    beforeEach(async () => {
      ({ token } = await service.newOwner());
    });

    const call = (method: string, path: string, body?: object, headers = {}) =>
      service.call(method, path, { token, headers, ...(body && { body }) });
    const fill = async (count: number, fields: Record<string, string> = {}): Promise<string[]> => {
      const files = Array.from({ length: count }, (_, i) => [`in${i}.txt`, invoice(i)] as const);
      const { json } = await service.uploadAll(files, fields, { token });
      const ids = json.items.map((item: { id: string }) => item.id);
      for (const id of ids) await service.settled(id, { token });
      return ids;
    };
    const done = async (id: string, headers = {}): Promise<Answer['json']> =>
      (
        await eventually(
          () => call('GET', `${PATH}/${id}`, undefined, headers),
          ({ json }) => json.done !== false,
          30_000,
        )
      ).json;
    const run = async (body: object = {}): Promise<Answer['json']> => {
      const { status, json } = await call('POST', PATH, body);
      expect(status).to.equal(200);
      expect(json).to.deep.equal({ task_id: json.task_id, state: 'PENDING' });
      return { id: json.task_id, ...(await done(json.task_id)) };
    };
    const folderOf = async (id: string) =>
      (await call('GET', `/v1/objects/${id}`)).json.collection_id;
    const folders = async () => (await call('GET', '/v1/collections')).json;

    it('moves objects, reports the result, and is undone', async () => {
      const ids = await fill(6);
      const { id, moves, ...ended } = await run();
      expect(Object.keys(ended).sort()).to.deep.equal(['candidates', ...FIELDS]);
      expect(ended).to.include({ state: 'SUCCESS', done: true, phase: 'done', candidates: 6 });
      expect(ended).to.include({ total: 6, processed: 6, moved: 6, skipped: 0 });
      expect(ended.created_folders).to.equal((await folders()).total);
      expect(moves.map((move: { object_id: string }) => move.object_id)).to.have.members(ids);
      for (const { object_id, from, to } of moves)
        expect([from, await folderOf(object_id)]).to.deep.equal([null, to]);
      const [moved = '', trashed = ''] = ids;
      await call('PUT', `/v1/objects/${moved}/collection`, { collection_id: null });
      await call('DELETE', `/v1/objects/${trashed}`);
      const undo = () => call('POST', `${PATH}/${id}/undo`);
      expect((await undo()).json).to.deep.equal({ undone: 4, skipped: 2 });
      expect((await folders()).total, 'one in the trash keeps its folder').to.equal(1);
      await call('DELETE', `/v1/objects/${trashed}?permanent=true`);
      expect((await undo()).json).to.deep.equal({ undone: 0, skipped: 6 });
      expect((await folders()).total).to.equal(0);
      expect((await call('GET', '/v1/themes')).json.total).to.equal(0);
    });

    it('changes nothing in a dry run', async () => {
      const ids = await fill(6);
      const { id, moves, ...ended } = await run({ scope: 'all', dry_run: true });
      expect(ended).to.include({ state: 'SUCCESS', moved: 6, total: 6 });
      expect(ended.created_folders).to.be.above(0);
      const [{ to }] = moves;
      expect(Object.keys(to)).to.deep.equal(['id', 'theme', 'name', 'exists']);
      expect(to).to.include({ exists: false });
      expect(moves.map((move: { to: unknown }) => move.to)).to.deep.equal(ids.map(() => to));
      expect((await folders()).total).to.equal(0);
      expect((await call('POST', `${PATH}/${id}/undo`)).json).to.deep.equal({
        undone: 0,
        skipped: 0,
      });
    });

    it('applies a dry run as shown, but for exceptions, under other names, and undoes it', async () => {
      const ids = await fill(7);
      const { id, moves } = await run({ dry_run: true });
      const [first, second, moved] = moves.map((move: { object_id: string }) => move.object_id);
      await call('DELETE', `/v1/objects/${second}`);
      const before = await call('GET', PATH);
      expect(before.json.total).to.equal(1);
      expect(before.json.items[0]).to.include({ task_id: id, dry_run: true, state: 'SUCCESS' });
      const apply = (body?: object, headers = {}) =>
        call('POST', `${PATH}/${id}/apply`, body, headers);
      for (const rename of [{ Unknown: 'X' }, { [moves[0].to.name]: ' ' }, { a: 5 }, 'x', []]) {
        const { status, json } = await apply({ rename });
        expect([status, json.detail[0].loc], JSON.stringify(rename)).to.deep.equal([
          422,
          ['body', 'rename'],
        ]);
      }
      expect((await apply({ except: Array(501).fill(first) })).status).to.equal(422);
      const key = { 'idempotency-key': 'apply' };
      const sent = { except: [first], rename: { [moves[0].to.name]: '  Bills ' } };
      const { status, json } = await apply(sent, key);
      expect([status, json]).to.deep.equal([200, { task_id: id, state: 'PENDING' }]);
      expect(await done(id)).to.include({ state: 'SUCCESS', total: 7, moved: 5, skipped: 2 });
      expect((await apply(sent, key)).json).to.deep.equal(json);
      const again = await apply();
      expect([again.status, again.json.code]).to.deep.equal([409, 'not_a_dry_run']);
      expect((await folders()).items.map((each: { name: string }) => each.name)).to.deep.equal([
        'Bills',
      ]);
      expect(await folderOf(first)).to.equal(null);
      expect(await folderOf(moved)).to.equal((await folders()).items[0].id);
      expect((await call('GET', PATH)).json.items[0]).to.include({ task_id: id, dry_run: false });
      const undone = await call('POST', `${PATH}/${id}/undo`);
      expect(undone.json).to.deep.equal({ undone: 5, skipped: 0 });
      expect((await folders()).total).to.equal(0);
      for (const each of ids) expect(await folderOf(each)).to.equal(null);
    });

    it('pages the moves of a dry run, and applies it although its process is killed', async () => {
      const ids = await fill(60);
      const { id } = await run({ dry_run: true });
      const seen: string[] = [];
      let query = '?limit=25';
      const lengths: number[] = [];
      for (let page = 0; page < 3; page++) {
        const { json } = await call('GET', `${PATH}/${id}${query}`);
        seen.push(...json.moves.map((move: { object_id: string }) => move.object_id));
        lengths.push(json.moves.length);
        query = `?limit=25&cursor=${json.next_cursor}`;
        expect(json.next_cursor === undefined).to.equal(page === 2);
      }
      expect(lengths).to.deep.equal([25, 25, 10]);
      expect(seen).to.have.members(ids);
      expect((await call('GET', `${PATH}/${id}?limit=501`)).status).to.equal(422);
      expect((await call('GET', `${PATH}/${id}?cursor=x`)).status).to.equal(422);
      expect((await call('POST', `${PATH}/${id}/apply`)).status).to.equal(200);
      service = await service.restart('SIGKILL');
      expect(await done(id)).to.include({ state: 'SUCCESS', total: 60, moved: 60, skipped: 0 });
      expect(await folderOf(ids[0] ?? '')).not.to.equal(null);
    });

    it('lists runs in pages, newest first', async () => {
      await fill(1);
      const started: string[] = [];
      for (let i = 0; i < 3; i++) started.unshift((await run({ dry_run: i === 1 })).id);
      const { json } = await call('GET', PATH);
      const cards = json.items as readonly Answer['json'][];
      expect([json.total, cards.map(({ task_id }) => task_id)]).to.deep.equal([3, started]);
      expect(cards.map(({ dry_run }) => dry_run)).to.deep.equal([false, true, false]);
      expect(Object.keys(cards[0]).sort()).to.deep.equal(
        [...FIELDS, 'created_at', 'dry_run', 'scope', 'task_id', 'updated_at'].sort(),
      );
      const second = await call('GET', `${PATH}?limit=1&offset=1`);
      expect(second.json).to.deep.equal({ items: [cards[1]], total: 3 });
      token = (await service.newOwner()).token;
      expect((await call('GET', PATH)).json).to.deep.equal({ items: [], total: 0 });
    });

    it('runs one at a time, and a repeat with its key is the same run', async () => {
      await fill(12);
      const key = { 'idempotency-key': 'tidy' };
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => call('POST', PATH, {}, i === 0 ? key : {})),
      );
      const started = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 409);
      expect([started.length + refused.length, refused.length > 0]).to.deep.equal([6, true]);
      for (const { json } of refused) {
        expect(json.code).to.equal('already_running');
        expect(started.map((each) => each.json.task_id)).to.include(json.task_id);
      }
      for (const { json } of started) await done(json.task_id);
      const first = await call('POST', PATH, {}, { 'idempotency-key': 'again' });
      await done(first.json.task_id);
      const second = await call('POST', PATH, {}, { 'idempotency-key': 'again' });
      expect(second.json).to.deep.equal(first.json);
    });

    it('rejects invalid requests, and conceals foreign runs', async () => {
      expect((await call('POST', PATH, { scope: 'some' })).status).to.equal(422);
      expect((await call('POST', PATH, { dry_run: 'perhaps' })).status).to.equal(422);
      const { id } = await run();
      const mine = token;
      for (const who of [mine, (await service.newOwner()).token]) {
        token = who;
        const requested = who === mine ? 'no-such-task' : id;
        for (const [method, path] of [
          ['GET', `${PATH}/${requested}`],
          ['POST', `${PATH}/${requested}/undo`],
          ['POST', `${PATH}/${requested}/apply`],
        ] as const) {
          const { status, json } = await call(method, path);
          expect([status, json.code]).to.deep.equal([404, 'not_found']);
        }
      }
    });

    it('continues when its process is killed', async () => {
      const ids = await fill(60);
      const { json } = await call('POST', PATH, { scope: 'all' });
      service = await service.restart('SIGKILL');
      const ended = await done(json.task_id);
      expect(ended).to.include({ state: 'SUCCESS', total: 60, processed: 60, moved: 60 });
      for (const { object_id, to } of ended.moves.slice(0, 5))
        expect(await folderOf(object_id)).to.equal(to);
      expect(ended.moves).to.have.length(ids.length);
    });

    it('neither changes nor reveals hidden objects', async () => {
      const ids = await fill(6);
      const [hidden = ''] = await fill(1, { is_hidden: 'true' });
      const pin = await call('POST', '/v1/hidden-pin', { pin: '4711' });
      const open = { 'x-hidden-token': pin.json.token as string };
      const { id, moves, ...ended } = await run({ scope: 'all' });
      expect(ended).to.include({ total: 6, moved: 6 });
      expect(moves).to.have.length(6);
      const seen = await call('GET', `/v1/objects/${hidden}`, undefined, open);
      expect(seen.json.collection_id).to.equal(null);
      await call('PATCH', `/v1/objects/${ids[0] ?? ''}`, { is_hidden: true });
      const shown = await done(id);
      expect(shown.moves).to.have.length(5);
      expect(JSON.stringify(shown)).not.to.include(ids[0]);
      expect((await done(id, open)).moves).to.have.length(6);
      expect((await call('POST', `${PATH}/${id}/undo`)).json).to.deep.equal({
        undone: 5,
        skipped: 1,
      });
      expect((await folders()).total).to.equal(0);
    });

    it('suggests a folder for later objects', async () => {
      await fill(6);
      const { moves } = await run();
      const [id = ''] = await fill(1);
      const { json } = await call('GET', `/v1/objects/${id}`);
      expect(json.collection_id).to.equal(null);
      expect(json.suggested_collection_id).to.equal(moves[0].to);
    });
  });
