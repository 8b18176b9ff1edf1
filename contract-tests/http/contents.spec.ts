import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { eventually, fewPlacings, startService, type Answer, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const TEXT = '0123456789'.repeat(10);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

for (const { title, profile, files } of fewPlacings)
  describe(`${title}: contents`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { MAX_UPLOAD_BYTES: '1000000' }, files);
    });
    after(() => service.dispose());

    const created = async (
      name = 'a.txt',
      text: string | Uint8Array<ArrayBuffer> = TEXT,
    ): Promise<string> => (await service.upload(name, text)).json.items[0].id;
    const content = (id: string, headers: Record<string, string> = {}, query = '') =>
      service.call('GET', `/v1/objects/${id}/content${query}`, { headers });
    const save = (id: string, text: string, base: number) =>
      service.call('PUT', `/v1/objects/${id}/content`, {
        body: { content: text, base_version: base },
      });
    const send = (id: string, bytes: string, base: number | string, name = 'new.txt') => {
      const raw = new FormData();
      raw.append('base_version', String(base));
      raw.append('file', new Blob([bytes]), name);
      return service.call('POST', `/v1/objects/${id}/content`, { raw });
    };
    const card = async (id: string) => (await service.call('GET', `/v1/objects/${id}`)).json;
    const blobs = () => service.blobs();

    describe('are read', () => {
      let id: string;
      let etag: string;
      before(async () => {
        id = await created();
        etag = `"${sha256(TEXT)}"`;
      });

      it('whole, with their type, in a form that is safe for browsers', async () => {
        const { status, headers, text } = await content(id, { 'accept-encoding': 'gzip' });
        expect([status, text]).to.deep.equal([200, TEXT]);
        expect(Object.fromEntries(headers)).to.deep.include({
          etag,
          'accept-ranges': 'bytes',
          'content-length': '100',
          'content-type': 'text/plain; charset=utf-8',
          'x-content-type-options': 'nosniff',
        });
        expect(headers.get('content-disposition')).to.match(/^attachment; filename="?a\.txt"?$/);
        expect(headers.get('content-security-policy')).to.match(/^sandbox; default-src 'none'/);
        expect(headers.get('content-encoding')).to.equal(null);
      });

      for (const [range, status, bytes, reported] of [
        ['bytes=0-0', 206, TEXT.slice(0, 1), 'bytes 0-0/100'],
        ['bytes=10-19', 206, TEXT.slice(10, 20), 'bytes 10-19/100'],
        ['bytes=95-', 206, TEXT.slice(95), 'bytes 95-99/100'],
        ['bytes=-7', 206, TEXT.slice(-7), 'bytes 93-99/100'],
        ['bytes=-500', 206, TEXT, 'bytes 0-99/100'],
        ['bytes=90-500', 206, TEXT.slice(90), 'bytes 90-99/100'],
        ['bytes=100-', 416, undefined, 'bytes */100'],
        ['bytes=-0', 416, undefined, 'bytes */100'],
        ['bytes=5-2', 200, TEXT, null],
        ['bytes=0-1,5-6', 200, TEXT, null],
        ['lines=0-1', 200, TEXT, null],
        ['nonsense', 200, TEXT, null],
      ] as const)
        it(`by ${range}: ${status}`, async () => {
          const answer = await content(id, { range });
          expect(answer.status).to.equal(status);
          expect(answer.headers.get('content-range')).to.equal(reported);
          if (bytes === undefined) expect(answer.json.code).to.equal('range_not_satisfiable');
          else {
            expect(answer.text).to.equal(bytes);
            expect(answer.headers.get('content-length')).to.equal(String(bytes.length));
          }
        });

      it('by range only if If-Range matches', async () => {
        const modified = (await content(id)).headers.get('last-modified') ?? '';
        for (const [condition, status] of [
          [etag, 206],
          [modified, 206],
          [`W/${etag}`, 200],
          ['"other"', 200],
          ['Thu, 01 Jan 1970 00:00:00 GMT', 200],
        ] as const) {
          const answer = await content(id, { range: 'bytes=1-2', 'if-range': condition });
          expect(answer.status, condition).to.equal(status);
          expect(answer.text).to.equal(status === 206 ? TEXT.slice(1, 3) : TEXT);
        }
      });

      it('with 304 if the client has them', async () => {
        for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
          const same = await content(id, { 'if-none-match': condition, range: 'bytes=0-1' });
          expect([same.status, same.text], condition).to.deep.equal([304, '']);
          expect(same.headers.get('etag')).to.equal(etag);
        }
        expect((await content(id, { 'if-none-match': '"x"' })).status).to.equal(200);
      });

      it('by HEAD', async () => {
        const head = await service.call('HEAD', `/v1/objects/${id}/content`);
        const get = await content(id);
        expect([head.status, head.text]).to.deep.equal([200, '']);
        for (const name of ['etag', 'content-length', 'content-type', 'content-disposition'])
          expect(head.headers.get(name), name).to.equal(get.headers.get(name));
      });

      it('also if empty', async () => {
        const { status, text, headers } = await content(await created('empty.txt', ''));
        expect([status, text, headers.get('content-length')]).to.deep.equal([200, '', '0']);
      });

      it('with a name in any script, readable by old and new clients', async () => {
        const filename = 'отчёт "2026" €;.txt';
        const named = await created();
        await service.call('PATCH', `/v1/objects/${named}`, { body: { filename } });
        const told = (await content(named, {}, '?disposition=inline')).headers.get(
          'content-disposition',
        );
        expect(told).to.match(/^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''/);
        const extended = /filename\*=UTF-8''(\S+)/.exec(told ?? '')?.[1] ?? '';
        expect(decodeURIComponent(extended)).to.equal(filename);
      });

      for (const [name, text] of [
        ['page.html', '<!doctype html><script>alert(1)</script>'],
        ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
        ['feed.xml', '<?xml version="1.0"?><a xmlns="http://www.w3.org/1999/xhtml"/>'],
        ['innocent.txt', '<!doctype html><html><script>alert(1)</script></html>'],
      ] as const)
        it(`never inline if they could execute: ${name}`, async () => {
          const { headers } = await content(await created(name, text), {}, '?disposition=inline');
          const type = headers.get('content-type') ?? '';
          if (!/^text\/plain/.test(type))
            expect(headers.get('content-disposition'), type).to.match(/^attachment;/);
          expect(headers.get('content-security-policy')).to.match(/^sandbox/);
          expect(headers.get('x-content-type-options')).to.equal('nosniff');
        });

      it('with an error for an invalid disposition or version', async () => {
        for (const [query, field, type] of [
          ['?disposition=evil', 'disposition', 'literal_error'],
          ['?version=0', 'version', 'greater_than_equal'],
        ])
          expect((await content(id, {}, query)).json.detail[0]).to.deep.include({
            loc: ['query', field],
            type,
          });
        expect((await content(id, {}, '?version=2')).json.code).to.equal('not_found');
      });
    });

    describe('are saved', () => {
      const bytesOf = async (id: string, version?: number) =>
        (await content(id, {}, version ? `?version=${version}` : '')).text;

      it('as the next version of a text or note, based on the version that was read', async () => {
        const note = await service.call('POST', '/v1/objects/notes', { body: { content: 'one' } });
        for (const id of [note.json.id as string, await created('a.md', 'one')]) {
          const saved = await save(id, 'two \u{1F600}', 1);
          expect(saved.status).to.equal(200);
          expect(saved.json).to.deep.include({
            id,
            version: 2,
            size: 8,
            content_hash: sha256('two \u{1F600}'),
          });
          const late = await save(id, 'three', 1);
          expect([late.status, late.json.code, late.json.current_version]).to.deep.equal([
            409,
            'version_conflict',
            2,
          ]);
          expect((await save(id, 'three', 3)).json.current_version).to.equal(2);
          expect(await bytesOf(id)).to.equal('two \u{1F600}');
          expect(await bytesOf(id, 1)).to.equal('one');
          const settled = await service.settled(id);
          expect([settled.version, settled.status]).to.deep.equal([2, 'ready']);
        }
      });

      it('once of ten concurrent saves of one version', async () => {
        const id = await created();
        const saves = await Promise.all(
          Array.from({ length: 10 }, (_, i) => save(id, `save ${i}`, 1)),
        );
        expect(saves.map(({ status }) => status).sort()).to.deep.equal([
          200,
          ...Array<number>(9).fill(409),
        ]);
        const won = saves.findIndex(({ status }) => status === 200);
        expect(await bytesOf(id)).to.equal(`save ${won}`);
      });

      it('never as text for another type', async () => {
        for (const [name, bytes] of [
          ['a.pdf', '%PDF-1.4 '],
          ['a.png', Buffer.from('89504e470d0a1a0a', 'hex')],
          ['a.html', '<!doctype html><p>x'],
        ] as const) {
          const id = await created(name, bytes);
          const refused = await save(id, 'text', 1);
          expect([refused.status, refused.json.code], name).to.deep.equal([
            415,
            'unsupported_type',
          ]);
          expect((await card(id)).version).to.equal(1);
        }
      });

      it('with both fields valid', async () => {
        const id = await created();
        for (const [body, field, type] of [
          [{ content: 'x' }, 'base_version', 'missing'],
          [{ content: 5, base_version: 1 }, 'content', 'string_type'],
          [{ content: 'a\u0000', base_version: 1 }, 'content', 'value_error'],
          [{ content: 'x', base_version: 0 }, 'base_version', 'greater_than_equal'],
        ] as const) {
          const { json } = await service.call('PUT', `/v1/objects/${id}/content`, { body });
          expect(json.detail).to.have.length(1);
          expect(json.detail[0]).to.deep.include({ loc: ['body', field], type });
        }
      });

      it('as bytes of any type, under the new name', async () => {
        const id = await created();
        const before = await blobs();
        const sent = await send(id, '%PDF-1.4 new', 1, 'other.pdf');
        expect(sent.json).to.deep.include({ version: 2, kind: 'pdf', filename: 'a.txt' });
        const late = await send(id, 'late', 1);
        expect([late.status, late.json.current_version]).to.deep.equal([409, 2]);
        expect((await send(id, 'x'.repeat(1_000_001), 2)).status).to.equal(413);
        expect((await send(id, 'x', 'two')).json.detail[0]).to.deep.include({
          loc: ['body', 'base_version'],
          type: 'int_parsing',
        });
        expect((await send(MISSING, 'x', 1)).status).to.equal(404);
        const two = new FormData();
        two.append('base_version', '2');
        for (const name of ['a', 'b']) two.append('file', new Blob([name]), name);
        const refused = await service.call('POST', `/v1/objects/${id}/content`, { raw: two });
        expect(refused.json.detail[0]).to.deep.include({
          loc: ['body', 'file'],
          type: 'too_long',
          msg: 'List should have at most 1 item after validation, not 2',
        });
        expect(await blobs(), 'only what was taken is kept').to.equal(before + 1);
        expect(await bytesOf(id)).to.equal('%PDF-1.4 new');
      });

      it('and every one can be restored as a new version', async () => {
        const id = await created('a.txt', 'first');
        await save(id, 'second', 1);
        await send(id, 'third', 2);
        const restore = (version: number) =>
          service.call('POST', `/v1/objects/${id}/versions/${version}/restore`);
        const restored = await restore(1);
        expect(restored.json).to.deep.include({ version: 4, content_hash: sha256('first') });
        expect(await bytesOf(id)).to.equal('first');
        const { json } = await service.call('GET', `/v1/objects/${id}/versions`);
        expect(json.total).to.equal(4);
        expect(
          json.items.map((v: Answer['json']) => [v.version, v.origin, v.content_hash]),
        ).to.deep.equal([
          [4, 'restore', sha256('first')],
          [3, 'upload', sha256('third')],
          [2, 'save', sha256('second')],
          [1, 'upload', sha256('first')],
        ]);
        const page = (await service.call('GET', `/v1/objects/${id}/versions?limit=1&offset=1`))
          .json;
        expect([page.items.length, page.items[0].version, page.total]).to.deep.equal([1, 3, 4]);
        expect((await restore(9)).json.code).to.equal('not_found');
        expect((await restore(0)).status).to.equal(422);
        for (const version of [1, 2, 3])
          expect(await bytesOf(id, version)).to.equal(['first', 'second', 'third'][version - 1]);
      });
    });

    describe('are in the trash', () => {
      const del = (id: string, query = '') => service.call('DELETE', `/v1/objects/${id}${query}`);

      it('readable by id, but unchangeable until restored', async () => {
        const id = await created('a.txt', 'A lantern that was thrown away.');
        await service.settled(id);
        expect((await del(id)).json).to.deep.equal({ deleted: true });
        expect((await card(id)).deleted_at).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        for (const path of ['/content', '/text', '/versions'])
          expect((await service.call('GET', `/v1/objects/${id}${path}`)).status).to.equal(200);
        const before = await service.call('GET', `/v1/objects/${id}`);
        const refusals: readonly Answer[] = [
          await service.call('PATCH', `/v1/objects/${id}`, { body: { filename: 'b.txt' } }),
          await service.call('PATCH', `/v1/objects/${id}`, { body: { is_hidden: true } }),
          await service.call('PUT', `/v1/objects/${id}/collection`, {
            body: { collection_id: null },
          }),
          await save(id, 'x', 1),
          await send(id, 'x', 1),
          await service.call('POST', `/v1/objects/${id}/versions/1/restore`),
          await service.call('PUT', `/v1/objects/${id}/text`, {
            body: { text: 'x', base_version: 1 },
          }),
          await service.call('DELETE', `/v1/objects/${id}/text`),
        ];
        for (const { status, json } of refusals)
          expect([status, json.code]).to.deep.equal([409, 'in_trash']);
        expect((await service.call('GET', `/v1/objects/${id}`)).text).to.equal(before.text);
        const found = await service.call('GET', '/v1/search?q=lantern&trashed=true');
        expect(found.json.total).to.equal(0);
        expect((await del(id)).json).to.deep.equal({ deleted: true });
        const back = await service.call('POST', `/v1/objects/${id}/restore`);
        expect(back.json).to.deep.include({ id, deleted_at: null });
        expect((await service.call('GET', '/v1/search?q=lantern')).json.total).to.equal(1);
      });

      it('until they are deleted, and their bytes with the last reference', async () => {
        const text = crypto.randomUUID();
        const before = await blobs();
        const [one, two] = [await created('one.txt', text), await created('two.txt', text)];
        await save(two, `${text} more`, 1);
        expect(await blobs()).to.equal(before + 2);
        await del(one);
        expect((await del(one, '?permanent=true')).json).to.deep.equal({ deleted: true });
        for (const path of ['', '/content', '/text', '/versions'])
          expect((await service.call('GET', `/v1/objects/${one}${path}`)).status).to.equal(404);
        expect((await service.call('POST', `/v1/objects/${one}/restore`)).status).to.equal(404);
        expect((await del(one)).status).to.equal(404);
        expect((await content(two, {}, '?version=1')).text).to.equal(text);
        await del(two, '?permanent=yes');
        expect(await eventually(blobs, (count) => count === before)).to.equal(before);
      });

      it('for as many days as the service says', async () => {
        const { status, json } = await service.call('GET', '/v1/objects/trash');
        expect(status).to.equal(200);
        expect(json).to.deep.equal({ retention_days: 30 });
      });

      it('until it is emptied, without affecting others', async () => {
        const { token } = await service.newOwner();
        const up = async (name: string): Promise<string> =>
          (await service.uploadAll([[name, name]], {}, { token })).json.items[0].id;
        const [stays, ...gone] = [await up('stays'), await up('one'), await up('two')];
        for (const id of gone) await service.call('DELETE', `/v1/objects/${id}`, { token });
        const elsewhere = await created();
        await del(elsewhere);
        const emptied = await service.call('DELETE', '/v1/objects/trash', { token });
        expect(emptied.json).to.deep.equal({ deleted: true });
        const list = async (query: string) =>
          (await service.call('GET', `/v1/objects${query}`, { token })).json;
        expect((await list('?trashed=1')).total).to.equal(0);
        expect((await list('')).items.map((item: { id: string }) => item.id)).to.deep.equal([
          stays,
        ]);
        expect((await card(elsewhere)).id).to.equal(elsewhere);
      });
    });
  });
