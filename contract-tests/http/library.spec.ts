import { expect } from 'chai';
import { profiles, type Answer, type Served } from './harness.ts';
import { sharedService } from './shared-service.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const PIN = '2468';
const FACE = '\u{1F600}';

for (const profile of profiles)
  describe(`${profile}: themes and folders`, function () {
    this.timeout(60_000);
    let service: Served;
    before(async () => {
      service = await sharedService(profile);
    });
    /** Each finds the workspace empty. */
    afterEach(async () => {
      await call('DELETE', '/hidden-pin', { pin: PIN });
      for (const path of ['/themes', '/collections', '/objects'])
        for (const { id } of (await call('GET', `${path}?include_hidden=1&limit=100`)).json.items)
          await call('DELETE', `${path}/${id}`);
    });

    const call = (method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
      service.call(method, `/v1${path}`, { headers, ...(body && { body }) });
    const theme = async (body: object) => (await call('POST', '/themes', body)).json;
    const folder = async (body: object) => (await call('POST', '/collections', body)).json;
    const note = async (body: object) =>
      (await call('POST', '/objects/notes', { content: 'x', ...body })).json;
    const reported = ({ status, json }: Answer) => [status, json.code];

    it('a theme is created, changed, and counts its folders', async () => {
      const created = await theme({ name: '  Wor\u0301k ' });
      expect(created).to.deep.equal({
        id: created.id,
        name: 'Wo\u0155k',
        created_at: created.created_at,
        folder_count: 0,
        icon: '',
        is_hidden: false,
      });
      for (const name of ['A', 'B']) await folder({ name, theme_id: created.id });
      await folder({ name: 'C' });
      const edited = await call('PATCH', `/themes/${created.id}`, { icon: '⚓', name: null });
      expect(edited.json).to.deep.equal({ ...created, icon: '⚓', folder_count: 2 });
      const { json } = await call('GET', '/themes');
      expect(json).to.deep.equal({ items: [edited.json], total: 1 });
    });

    it('a deleted theme leaves its folders, without a theme', async () => {
      const { id } = await theme({ name: 'T' });
      const stored = await folder({ name: 'Kept', theme_id: id });
      expect((await call('DELETE', `/themes/${id}`)).json).to.deep.equal({ deleted: true });
      expect((await call('GET', `/collections/${stored.id}`)).json.theme_id).to.equal(null);
      expect(reported(await call('DELETE', `/themes/${id}`))).to.deep.equal([404, 'not_found']);
      expect(reported(await call('PATCH', `/themes/${id}`, {}))).to.deep.equal([404, 'not_found']);
    });

    it('hidden themes are listed only on request, and with a PIN only once unlocked', async () => {
      const shown = await theme({ name: 'Shown' });
      const hidden = await theme({ name: 'Hidden', is_hidden: true });
      const ids = async (query: string, headers = {}) => {
        const { json } = await call('GET', `/themes${query}`, undefined, headers);
        expect(json.total).to.equal(json.items.length);
        return json.items.map((item: { id: string }) => item.id);
      };
      expect(await ids('')).to.deep.equal([shown.id]);
      expect(await ids('?include_hidden=1')).to.have.members([shown.id, hidden.id]);
      const pin = await call('POST', '/hidden-pin', { pin: PIN });
      const headers = { 'x-hidden-token': pin.json.token };
      expect(await ids('?include_hidden=1')).to.deep.equal([shown.id]);
      expect(await ids('?include_hidden=1', headers)).to.have.members([shown.id, hidden.id]);
      const [locked, missing] = [
        await call('PATCH', `/themes/${hidden.id}`, { name: 'x' }),
        await call('PATCH', `/themes/${MISSING}`, { name: 'x' }),
      ];
      expect([locked.status, locked.text]).to.deep.equal([404, missing.text]);
      expect(
        reported(await call('POST', '/collections', { name: 'F', theme_id: hidden.id })),
      ).to.eql([404, 'not_found']);
      const edit = { name: 'Found' };
      expect((await call('PATCH', `/themes/${hidden.id}`, edit, headers)).json.name).to.equal(
        'Found',
      );
    });

    it('a folder is created, read, changed and moved between themes', async () => {
      const { id: themeId } = await theme({ name: 'T' });
      const created = await folder({ name: ' Bills ', description: 'd', icon: 'i' });
      expect(created).to.deep.include({
        name: 'Bills',
        description: 'd',
        icon: 'i',
        theme_id: null,
        object_count: 0,
      });
      expect((await call('GET', `/collections/${created.id}`)).json).to.deep.equal(created);
      const moved = await call('PATCH', `/collections/${created.id}`, { theme_id: themeId });
      expect(moved.json).to.deep.include({ name: 'Bills', description: 'd', theme_id: themeId });
      const other = await folder({ name: 'Other' });
      const list = async (query: string) => {
        const { json } = await call('GET', `/collections${query}`);
        return [json.total, json.items.map((item: { id: string }) => item.id)];
      };
      expect(await list(`?theme_id=${themeId}`)).to.deep.equal([1, [created.id]]);
      expect(await list(`?theme_id=${MISSING}`)).to.deep.equal([0, []]);
      const [total, ids] = await list('');
      expect(total).to.equal(2);
      expect(ids).to.have.members([created.id, other.id]);
      expect(await list('?limit=1&offset=1')).to.deep.equal([2, [ids[1]]]);
      const none = { theme_id: null, name: null };
      expect((await call('PATCH', `/collections/${created.id}`, none)).json.theme_id).to.equal(
        themeId,
      );
      const out = await call('PATCH', `/collections/${created.id}`, { theme_id: '' });
      expect(out.json.theme_id).to.equal(null);
      for (const [method, path, body] of [
        ['POST', '/collections', { name: 'x', theme_id: MISSING }],
        ['PATCH', `/collections/${created.id}`, { theme_id: MISSING }],
        ['PATCH', `/collections/${MISSING}`, {}],
        ['GET', `/collections/${MISSING}`, undefined],
        ['DELETE', `/collections/${MISSING}`, undefined],
      ] as const)
        expect(reported(await call(method, path, body)), path).to.deep.equal([404, 'not_found']);
    });

    it('folder names are unique within a theme, ignoring case, composition and language', async () => {
      const { id } = await theme({ name: 'T' });
      for (const [name, same] of [
        ['Bills', ' bILLS '],
        ['Счета', 'СЧЕТА'],
        ['Caf\u00e9', 'CAFE\u0301'],
      ]) {
        const first = await folder({ name });
        expect(reported(await call('POST', '/collections', { name: same }))).to.deep.equal([
          409,
          'already_exists',
        ]);
        const elsewhere = await call('POST', '/collections', { name: same, theme_id: id });
        expect(elsewhere.status).to.equal(200);
        const back = await call('PATCH', `/collections/${elsewhere.json.id}`, { theme_id: '' });
        expect(reported(back)).to.deep.equal([409, 'already_exists']);
        const renamed = await call('PATCH', `/collections/${first.id}`, { name: same });
        expect(renamed.status, 'a new spelling of its own name').to.equal(200);
        const other = await folder({ name: `${name} 2` });
        expect(reported(await call('PATCH', `/collections/${other.id}`, { name }))[1]).to.equal(
          'already_exists',
        );
      }
      const race = await Promise.all(
        Array.from({ length: 5 }, () => call('POST', '/collections', { name: 'Race' })),
      );
      expect(race.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409]);
    });

    it('folders of a deleted theme keep their names even if one is in use', async () => {
      const { id } = await theme({ name: 'T' });
      await folder({ name: 'Twin' });
      const twin = await folder({ name: 'twin', theme_id: id });
      expect((await call('DELETE', `/themes/${id}`)).status).to.equal(200);
      expect((await call('GET', `/collections/${twin.id}`)).json).to.deep.include({
        theme_id: null,
      });
      expect((await call('GET', '/collections')).json.total).to.equal(2);
    });

    it('a name has 1 to 120 code points and is not blank', async () => {
      for (const path of ['/themes', '/collections']) {
        for (const name of ['', '   ', FACE.repeat(121), 5, 'a\u0000'])
          expect((await call('POST', path, { name })).json.detail[0].loc).to.eql(['body', 'name']);
        expect((await call('POST', path, {})).json.detail[0].type).to.equal('missing');
        const name = FACE.repeat(120);
        expect((await call('POST', path, { name })).json.name).to.equal(name);
      }
    });

    it('objects are moved into folders, counted there, and return the name', async () => {
      const [from, to] = [await folder({ name: 'From' }), await folder({ name: 'To' })];
      const { id } = await note({ collection_id: from.id });
      const hidden = await note({ collection_id: from.id, is_hidden: true });
      const trashed = await note({ collection_id: from.id });
      await call('DELETE', `/objects/${trashed.id}`);
      const counts = async () =>
        Promise.all(
          [from, to].map(
            async (each) => (await call('GET', `/collections/${each.id}`)).json.object_count,
          ),
        );
      expect(await counts()).to.deep.equal([1, 0]);
      const move = (collection_id: unknown) =>
        call('PUT', `/objects/${id}/collection`, { collection_id });
      expect((await move(to.id)).json).to.deep.include({
        collection_id: to.id,
        collection_name: 'To',
        version: 1,
      });
      expect(await counts()).to.deep.equal([0, 1]);
      expect((await move(null)).json).to.deep.include({
        collection_id: null,
        collection_name: null,
      });
      expect(await counts()).to.deep.equal([0, 0]);
      expect(reported(await move(MISSING))).to.deep.equal([404, 'not_found']);
      expect((await call('PUT', `/objects/${id}/collection`, {})).json.detail[0]).to.deep.include({
        loc: ['body', 'collection_id'],
        type: 'missing',
      });
      await call('PATCH', `/objects/${hidden.id}`, { is_hidden: false });
      await call('POST', `/objects/${trashed.id}/restore`);
      expect(await counts()).to.deep.equal([2, 0]);
    });

    it('a deleted folder leaves its objects, or moves them to the trash', async () => {
      for (const [query, trashed] of [
        ['', false],
        ['?objects=keep', false],
        ['?objects=trash', true],
      ] as const) {
        const { id } = await folder({ name: 'F' });
        const inside = await note({ collection_id: id });
        const outside = await note({});
        expect((await call('DELETE', `/collections/${id}${query}`)).json.deleted).to.equal(true);
        const after = (await call('GET', `/objects/${inside.id}`)).json;
        expect(after.collection_id, query).to.equal(null);
        expect(after.deleted_at !== null, query).to.equal(trashed);
        expect((await call('GET', `/objects/${outside.id}`)).json.deleted_at).to.equal(null);
        expect((await call('GET', `/collections/${id}`)).status).to.equal(404);
      }
      const { id } = await folder({ name: 'F' });
      expect((await call('DELETE', `/collections/${id}?objects=burn`)).status).to.equal(422);
    });
  });
