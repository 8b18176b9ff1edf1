import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profiles, startService, type Call, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

for (const profile of profiles)
  describe(`${profile}: the same bytes again`, function () {
    this.timeout(60_000);
    let service: Service;
    let token: string;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const roles = join(folder, 'roles.json');
      const plenty = { requests_per_minute: 6_000, questions: null, enrichments: null };
      await writeFile(
        roles,
        JSON.stringify({
          unlimited: { ...plenty, storage_bytes: null },
          small: { ...plenty, storage_bytes: 100 },
        }),
      );
      service = await startService(profile, { ROLES_FILE: roles });
    });
    beforeEach(async () => void ({ token } = await service.newOwner()));
    after(async () => {
      await service.dispose();
      await rm(folder, { recursive: true });
    });

    const call = (method: string, path: string, sent: Call = {}) =>
      service.call(method, path, { token, ...sent });
    const up = (text: string, fields: Record<string, string> = {}, sent: Call = {}) =>
      service.uploadAll([['a.txt', text]], fields, { token, ...sent });
    const item = async (text: string, fields: Record<string, string> = {}, sent: Call = {}) => {
      const { status, json } = await up(text, fields, sent);
      expect(status).to.equal(200);
      return json.items[0];
    };
    const card = async (id: string) => (await call('GET', `/v1/objects/${id}`)).json;
    const settled = (id: string) => service.settled(id, { token });
    const total = async () => (await call('GET', '/v1/objects?include_hidden=1')).json.total;

    it('are a second object by default, with a separate history', async () => {
      const [one, two] = [await item('same'), await item('same', { on_duplicate: 'keep' })];
      expect([one.duplicate, two.duplicate, one.id === two.id]).to.deep.equal([
        false,
        false,
        false,
      ]);
      await call('DELETE', `/v1/objects/${one.id}?permanent=1`);
      expect((await call('GET', `/v1/objects/${two.id}/content`)).text).to.equal('same');
    });

    it('return the existing object unchanged, for any target of the request', async () => {
      const { id } = await item('same');
      await settled(id);
      const before = await card(id);
      const into = (await call('POST', '/v1/collections', { body: { name: 'F' } })).json.id;
      const placed = { collection_id: into, is_hidden: 'true', on_duplicate: 'return' };
      const { duplicate, ...returned } = await item('same', placed);
      expect(duplicate).to.equal(true);
      expect(returned).to.deep.equal(before);
      expect(await total()).to.equal(1);
    });

    it('do not conceal a missing folder', async () => {
      await item('same');
      for (const on_duplicate of ['keep', 'return', 'reject']) {
        const { status, json } = await up('same', { on_duplicate, collection_id: MISSING });
        expect([status, json.code], on_duplicate).to.deep.equal([404, 'not_found']);
      }
      expect(await total()).to.equal(1);
    });

    it('do not match earlier versions or objects in the trash', async () => {
      const { id } = await item('first');
      const body = { content: 'second', base_version: 1 };
      await call('PUT', `/v1/objects/${id}/content`, { body });
      expect((await item('first', { on_duplicate: 'reject' })).duplicate).to.equal(false);
      expect((await up('second', { on_duplicate: 'reject' })).status).to.equal(409);
      await call('DELETE', `/v1/objects/${id}`);
      const again = await item('second', { on_duplicate: 'reject' });
      expect([again.duplicate, again.deleted_at]).to.deep.equal([false, null]);
      await call('POST', `/v1/objects/${id}/restore`);
      expect((await item('second', { on_duplicate: 'return' })).duplicate).to.equal(true);
    });

    it('of a hidden object count as new while the zone is locked, for any request', async () => {
      const hidden = await item('secret', { is_hidden: 'true' });
      // No PIN: the object is only omitted from lists.
      expect((await item('secret', { on_duplicate: 'return' })).id).to.equal(hidden.id);
      const { json } = await call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
      const headers = { 'x-hidden-token': json.token };
      for (const on_duplicate of ['return', 'reject', 'keep']) {
        const blind = await item('secret', { on_duplicate });
        expect([blind.duplicate, blind.is_hidden], on_duplicate).to.deep.equal([false, false]);
        const { is_hidden, duplicate } = await item('secret', { on_duplicate: 'return' });
        expect([is_hidden, duplicate], 'the one that may be known').to.deep.equal([false, true]);
        await call('DELETE', `/v1/objects/${blind.id}?permanent=1`);
      }
      expect((await up('secret', { on_duplicate: 'reject' }, { headers })).status).to.equal(409);
      const content = await call('GET', `/v1/objects/${hidden.id}/content`, { headers });
      expect(content.text).to.equal('secret');
    });

    it('need the same quota as others, so that the quota reveals nothing hidden', async () => {
      const text = 'x'.repeat(60);
      const statuses: number[][] = [];
      for (const isThere of [true, false]) {
        ({ token } = await service.newOwner('small'));
        if (isThere) await item(text, { is_hidden: 'true' });
        await call('POST', '/v1/hidden-pin', { body: { pin: '8642' } });
        const sent: number[] = [];
        for (const each of [text, 'y'.repeat(60), 'z'.repeat(40), 'z'.repeat(40)])
          sent.push((await up(each)).status);
        statuses.push(sent);
      }
      expect(statuses[0]).to.deep.equal(statuses[1]);
      expect(statuses[1]).to.deep.equal([200, 402, 200, 402]);
    });

    it('count once, and are refunded with the last version of any object that has them', async () => {
      ({ token } = await service.newOwner('small'));
      const [a, b] = ['a'.repeat(45), 'b'.repeat(45)];
      const one = await item(a);
      const put = (content: string, base_version: number) =>
        call('PUT', `/v1/objects/${one.id}/content`, { body: { content, base_version } });
      const undo = (version: number) =>
        call('POST', `/v1/objects/${one.id}/versions/${version}/restore`);
      expect((await put(b, 1)).status).to.equal(200);
      // Both are stored as versions: the limit leaves no space for a third.
      expect((await put('c'.repeat(45), 2)).status).to.equal(402);
      expect((await card(one.id)).version).to.equal(2);
      // The restored content exists already.
      expect((await undo(1)).json).to.deep.include({ version: 3, content_hash: sha256(a) });
      expect((await undo(2)).json).to.deep.include({ version: 4, content_hash: sha256(b) });
      await call('DELETE', `/v1/objects/${one.id}`);
      expect((await up(a)).status, 'the trash takes room as well').to.equal(402);
      await call('DELETE', `/v1/objects/${one.id}?permanent=1`);
      expect((await up('d'.repeat(100))).status).to.equal(200);
    });

    it('when restored make a new version, searchable and processed, and only contents count as duplicates', async () => {
      const { id } = await item('Lanterns are lit.');
      await settled(id);
      const into = (await call('POST', '/v1/collections', { body: { name: 'F' } })).json.id;
      for (const [method, path, body] of [
        ['PATCH', '', { filename: 'b.txt' }],
        ['PATCH', '', { is_hidden: true }],
        ['PATCH', '', { is_hidden: false }],
        ['PUT', '/collection', { collection_id: into }],
        ['PUT', '/categories', { categories: ['x'] }],
        ['PUT', '/text', { text: 'Corrected.', base_version: 1 }],
        ['DELETE', '', undefined],
        ['POST', '/restore', undefined],
      ] as const) {
        const answer = await call(method, `/v1/objects/${id}${path}`, body && { body });
        expect(answer.status, `${method} ${path}`).to.equal(200);
        expect((await card(id)).version, `${method} ${path}`).to.equal(1);
      }
      const raw = new FormData();
      raw.append('base_version', '1');
      raw.append('file', new Blob(['%PDF-1.4 no text']), 'c.pdf');
      const sent = await call('POST', `/v1/objects/${id}/content`, { raw });
      expect(sent.json).to.deep.include({ version: 2, kind: 'pdf', has_corrections: false });
      await settled(id);
      const found = async () => (await call('GET', '/v1/search?q=lanterns')).json.total;
      expect(await found()).to.equal(0);
      const back = await call('POST', `/v1/objects/${id}/versions/1/restore`);
      expect(back.json).to.deep.include({
        version: 3,
        kind: 'text',
        mime: 'text/plain',
        size: 17,
        filename: 'b.txt',
        collection_id: into,
        categories: ['x'],
        status: 'pending',
      });
      expect((await settled(id)).status).to.equal('ready');
      expect(await found()).to.equal(1);
      const { json } = await call('GET', `/v1/objects/${id}/versions`);
      const [top] = json.items;
      expect(Object.keys(top).sort()).to.deep.equal([
        'content_hash',
        'created_at',
        'origin',
        'size',
        'version',
      ]);
      expect([top.version, top.origin, top.size, json.total]).to.deep.equal([3, 'restore', 17, 3]);
      // The one on top, too.
      const same = await call('POST', `/v1/objects/${id}/versions/3/restore`);
      expect(same.json).to.deep.include({ version: 4, content_hash: top.content_hash });
    });
  });
