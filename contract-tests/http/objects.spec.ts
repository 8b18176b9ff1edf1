import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually, profiles, startService, type Answer, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const FACE = '\u{1F600}';
const names = (list: { items: readonly { filename: string }[] }) =>
  list.items.map(({ filename }) => filename);

/** A file name as sent, and as stored. */
const HOSTILE_NAMES: readonly (readonly [sent: string, kept: string])[] = [
  ['../../x', 'x'],
  ['..\\x', 'x'],
  ['/etc/passwd', 'passwd'],
  ['C:\\temp\\y.txt', 'y.txt'],
  ['a/../..', 'unnamed'],
  ['\u202Etxt.exe', '_txt.exe'],
  ['CON', 'CON'],
  ['  spaced .txt ', 'spaced .txt'],
  ['cafe\u0301.txt', 'caf\u00e9.txt'],
  ['caf\u00e9.txt', 'caf\u00e9.txt'],
  [FACE.repeat(255), FACE.repeat(255)],
  [`${FACE.repeat(256)}.txt`, `${FACE.repeat(251)}.txt`],
  ['a'.repeat(300), 'a'.repeat(255)],
];

for (const profile of profiles)
  describe(`${profile}: objects`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { MAX_UPLOAD_BYTES: '100000' });
    });
    after(() => service.dispose());

    const patch = (id: string, body: unknown) =>
      service.call('PATCH', `/v1/objects/${id}`, { body });
    const files = async () =>
      (await readdir(join(service.dataDir), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && /blobs|incoming/.test(entry.parentPath))
        .map((entry) => entry.name);
    const someFile = async (name = 'a.txt', text: string = crypto.randomUUID()) =>
      (await service.upload(name, text)).json.items[0];
    const all = async (): Promise<number> =>
      (await service.call('GET', '/v1/objects?include_hidden=1')).json.total;

    describe('uploads', () => {
      it('of several files create an object of each, in order, in the named folder', async () => {
        const folder = (await service.call('POST', '/v1/collections', { body: { name: 'In' } }))
          .json;
        const { status, json } = await service.uploadAll(
          [
            ['one.txt', 'one'],
            ['two.md', '# two'],
            ['empty', ''],
          ],
          { collection_id: folder.id, is_hidden: 'false' },
        );
        expect(status).to.equal(200);
        expect(json.items.map((item: { filename: string }) => item.filename)).to.deep.equal([
          'one.txt',
          'two.md',
          'empty',
        ]);
        for (const item of json.items)
          expect(item).to.deep.include({
            collection_id: folder.id,
            collection_name: 'In',
            original_name: item.filename,
            display_name: item.filename,
            name_source: 'original',
            duplicate: false,
            is_hidden: false,
            version: 1,
            deleted_at: null,
          });
        expect(json.items[0].content_hash).to.equal(
          '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
        );
        const again = await service.call('GET', `/v1/objects/${json.items[0].id}`);
        const { duplicate: _, status: __, updated_at: ___, ...card } = json.items[0];
        expect(again.json).to.deep.include({ id: card.id, size: 3, kind: 'text', mime: card.mime });
      });

      it('are all accepted or none: a file that is too large or a missing folder rejects all', async () => {
        const [objects, blobs] = [await all(), await files()];
        for (const [large, fields, status, code] of [
          ['x'.repeat(100_001), {}, 413, 'too_large'],
          ['x', { collection_id: MISSING }, 404, 'not_found'],
        ] as const) {
          const refused = await service.uploadAll(
            [
              ['small.txt', 'small'],
              ['large.txt', large],
              ['last.txt', 'last'],
            ],
            fields,
          );
          expect([refused.status, refused.json.code]).to.deep.equal([status, code]);
          expect(await all()).to.equal(objects);
          expect(await files()).to.have.members(blobs);
        }
        expect((await service.upload('just.txt', 'x'.repeat(100_000))).status).to.equal(200);
      });

      it('without a file report the missing field, and all errors at once', async () => {
        const missing = { type: 'missing', loc: ['body', 'file'], msg: 'Field required' };
        const none = await service.uploadAll([]);
        expect(none.status).to.equal(422);
        expect(none.json.detail[0]).to.deep.include(missing);
        const json = await service.call('POST', '/v1/uploads', { body: { file: 'x' } });
        expect(json.status).to.equal(422);
        const wrong = await service.uploadAll([], {
          collection_id: 'x',
          is_hidden: 'maybe',
          on_duplicate: 'ask',
        });
        const reported = wrong.json.detail.map((each: { loc: string[] }) => each.loc.join('.'));
        expect(reported).to.have.members([
          'body.collection_id',
          'body.is_hidden',
          'body.on_duplicate',
          'body.file',
        ]);
      });

      it('create a duplicate, return the existing one, or reject it', async () => {
        const text = `twin ${crypto.randomUUID()}`;
        const first = await someFile('first.txt', text);
        const blobs = await files();
        const stored = (await service.upload('second.txt', text)).json.items[0];
        expect(stored).to.deep.include({ duplicate: false, filename: 'second.txt' });
        expect(stored.id).not.to.equal(first.id);
        expect(await files(), 'the bytes are stored once').to.have.members(blobs);
        const objects = await all();
        const returned = (await service.upload('third.txt', text, { on_duplicate: 'return' })).json
          .items[0];
        expect(returned).to.deep.include({ duplicate: true });
        expect([first.id, stored.id]).to.include(returned.id);
        const rejected = await service.uploadAll(
          [
            ['new.txt', crypto.randomUUID()],
            ['fourth.txt', text],
          ],
          { on_duplicate: 'reject' },
        );
        expect([rejected.status, rejected.json.code]).to.deep.equal([409, 'already_exists']);
        expect(await all()).to.equal(objects);
        expect(await files()).to.have.members(blobs);
      });

      it('never return an object in the trash, and detect duplicates within one request', async () => {
        const text = `gone ${crypto.randomUUID()}`;
        const { id } = await someFile('gone.txt', text);
        await service.call('DELETE', `/v1/objects/${id}`);
        const { items } = (
          await service.uploadAll(
            [
              ['a.txt', text],
              ['b.txt', text],
            ],
            { on_duplicate: 'return' },
          )
        ).json;
        expect(items[0]).to.deep.include({ duplicate: false });
        expect(items[0].id).not.to.equal(id);
        expect(items[1]).to.deep.include({ duplicate: true, id: items[0].id });
      });

      it('that are hidden are in no default list', async () => {
        const before = await all();
        const hidden = (await service.upload('h.txt', 'h', { is_hidden: 'yes' })).json.items[0];
        expect(hidden.is_hidden).to.equal(true);
        const listed = (await service.call('GET', '/v1/objects?limit=100')).json;
        expect(JSON.stringify(listed)).not.to.include(hidden.id);
        expect(await all()).to.equal(before + 1);
      });

      for (const [sent, kept] of HOSTILE_NAMES)
        it(`have a safe name: ${JSON.stringify(sent).slice(0, 40)}`, async () => {
          const outside = join(service.dataDir, '..', kept);
          // The folder of the system that is outside may have something of that name already.
          const before = existsSync(outside);
          const { status, json } = await service.upload(sent, crypto.randomUUID());
          expect(status).to.equal(200);
          expect(json.items[0]).to.deep.include({ filename: kept, original_name: kept });
          expect((await files()).filter((name) => !/^[0-9a-f-]{36}$/.test(name))).to.deep.equal([]);
          expect(existsSync(outside)).to.equal(before);
          const renamed = await patch(json.items[0].id, { filename: kept });
          expect(renamed.json).to.deep.include({ filename: kept, name_locked: true });
        });

      it('with control characters in a name have them replaced, encoded or raw', async () => {
        const send = (name: string) => {
          const part = (disposition: string) =>
            `--b\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\nx\r\n`;
          const headers = { 'content-type': 'multipart/form-data; boundary=b' };
          const raw = `${part('filename="good.txt"')}${part(name)}--b--\r\n`;
          return service.call('POST', '/v1/uploads', { headers, raw });
        };
        const encoded = await send("filename*=UTF-8''a%00b%0A%E2%80%AEc.txt");
        expect(names(encoded.json)).to.deep.equal(['good.txt', 'a_b__c.txt']);
        const raw = await send('filename="a\u0000b.txt"');
        expect(names(raw.json)).to.deep.equal(['good.txt', 'a_b.txt']);
      });
    });

    describe('aborted uploads', () => {
      const head = (length: number) =>
        `POST /v1/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
      const part = (name: string, bytes: string) =>
        `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${bytes}\r\n`;

      for (const [where, body] of [
        [
          'in the middle of a file',
          `${part('a.txt', 'whole')}${part('b.txt', 'half').slice(0, -4)}`,
        ],
        ['after a file', part('a.txt', 'whole')],
        ['in the middle of a head', `${part('a.txt', 'whole')}${part('b.txt', '').slice(0, 30)}`],
        ['before the first', '--b'],
      ] as const)
        it(`${where} are rejected as a whole and leave nothing`, async () => {
          const [objects, blobs] = [await all(), await files()];
          const headers = { 'content-type': 'multipart/form-data; boundary=b' };
          const refused = await service.call('POST', '/v1/uploads', { headers, raw: body });
          expect(refused.status).to.equal(422);
          expect(refused.json.detail[0]).to.deep.include({ loc: ['body'], type: 'value_error' });
          expect(await all()).to.equal(objects);
          expect(await files()).to.have.members(blobs);
        });

      it('because the client disconnected leave nothing either', async () => {
        const [objects, blobs] = [await all(), await files()];
        const { hostname, port } = new URL(service.base);
        const socket = connect(Number(port), hostname);
        socket.write(
          head(90_000) + part('a.txt', 'whole') + part('b.txt', 'x'.repeat(40_000)).slice(0, -2),
        );
        const started = await eventually(files, (now) => now.length > blobs.length);
        expect(started.length).to.be.above(blobs.length);
        socket.destroy();
        const left = await eventually(files, (now) => now.length === blobs.length);
        expect(left).to.have.members(blobs);
        expect(await all()).to.equal(objects);
      });

      it('because they are far too large get a response', async () => {
        const refused = await service.upload('huge.bin', 'x'.repeat(30_000_000));
        expect([refused.status, refused.json.code]).to.deep.equal([413, 'too_large']);
      });

      it('because they have too many files leave none', async () => {
        const blobs = await files();
        const many = Array.from({ length: 101 }, (_, i) => [`${i}.txt`, 'x'] as const);
        const refused = await service.uploadAll(many);
        expect(refused.json.detail[0]).to.deep.include({ loc: ['body', 'file'], type: 'too_long' });
        expect(await files()).to.have.members(blobs);
      });
    });

    describe('notes', () => {
      const note = (body: object) => service.call('POST', '/v1/objects/notes', { body });

      it('are named after their title or their first line', async () => {
        const titled = (await note({ content: '# Heading\n\ntext', title: 'Plan' })).json;
        expect(titled).to.deep.include({
          filename: 'Plan.md',
          kind: 'note',
          mime: 'text/markdown',
          editor: 'text',
          name_locked: true,
        });
        const plain = (await note({ content: '\n# Heading\n\ntext' })).json;
        expect(plain).to.deep.include({ filename: 'Heading.md', name_source: 'original' });
        expect((await note({ content: '' })).json.filename).to.equal('Note.md');
        const long = (await note({ content: `${FACE.repeat(500)}/x` })).json;
        expect(long.filename).to.equal(`${FACE.repeat(120)}.md`);
        const listed = (await service.call('GET', '/v1/objects?notes_only=1&limit=1')).json
          .items[0];
        expect(listed).to.deep.include({ id: long.id, title: FACE.repeat(120) });
        const content = await service.call('GET', `/v1/objects/${plain.id}/content`);
        expect(content.text).to.equal('\n# Heading\n\ntext');
      });

      it('accept a title that is a valid filename, and reject others', async () => {
        for (const title of [
          '',
          '  ',
          'a/b',
          'a\\b',
          '..',
          'a\u0007',
          'a\u202eb',
          FACE.repeat(256),
        ])
          expect((await note({ content: 'x', title })).json.detail?.[0].loc, title).to.deep.equal([
            'body',
            'title',
          ]);
        const long = await note({ content: 'x', title: FACE.repeat(255) });
        expect(long.json.filename).to.equal(`${FACE.repeat(252)}.md`);
        expect((await note({ content: 'x', title: null })).json.filename).to.equal('x.md');
      });

      it('are created in an existing folder, hidden or not', async () => {
        const lost = await note({ content: 'x', collection_id: MISSING });
        expect([lost.status, lost.json.code]).to.deep.equal([404, 'not_found']);
        const hidden = await note({ content: 'x', is_hidden: true });
        expect(hidden.json.is_hidden).to.equal(true);
      });
    });

    describe('the list', () => {
      let token: string;
      let folder: string;
      const get = (query: string): Promise<Answer> =>
        service.call('GET', `/v1/objects?${query.replace('FOLDER', folder)}`, { token });
      before(async () => {
        ({ token } = await service.newOwner());
        const created = await service.call('POST', '/v1/collections', {
          token,
          body: { name: 'F' },
        });
        folder = created.json.id;
        const up = (name: string, fields: Record<string, string> = {}, text = name) =>
          service.uploadAll([[name, text]], fields, { token });
        const note = (body: object) => service.call('POST', '/v1/objects/notes', { token, body });
        // Long enough not to be classified as a note.
        await up('a.txt', {}, 'The harbour was dredged in spring. '.repeat(40));
        await up('b.py', { collection_id: folder });
        await up('c.csv', { collection_id: folder });
        await note({ content: 'note' });
        await note({ content: 'secret', is_hidden: true });
        for (const fields of [{}, { is_hidden: '1' }]) {
          const gone = await up(fields.is_hidden ? 'gone-hidden.txt' : 'gone.txt', fields);
          await service.call('DELETE', `/v1/objects/${gone.json.items[0].id}`, { token });
        }
      });

      const VISIBLE = ['note.md', 'c.csv', 'b.py', 'a.txt'];
      for (const [query, expected] of [
        ['', VISIBLE],
        ['kind=text', ['b.py', 'a.txt']],
        ['kind=note', ['note.md']],
        ['kind=spreadsheet', ['c.csv']],
        ['kind=pdf', []],
        ['doc_type=code', ['b.py']],
        ['doc_type=note', ['note.md']],
        ['doc_type=book', []],
        ['is_link=true', []],
        ['is_link=0', VISIBLE],
        ['is_link=true&kind=text', []],
        ['collection_id=FOLDER', ['c.csv', 'b.py']],
        ['collection_id=FOLDER&kind=text', ['b.py']],
        [`collection_id=${MISSING}`, []],
        ['uncategorized=yes', ['note.md', 'a.txt']],
        ['uncategorized=no', VISIBLE],
        ['uncategorized=on&collection_id=FOLDER', []],
        ['include_hidden=TRUE', ['secret.md', ...VISIBLE]],
        ['hidden_only=1', ['secret.md']],
        ['hidden_only=1&include_hidden=1&kind=text', []],
        ['notes_only=1', ['note.md']],
        ['notes_only=1&include_hidden=1', ['secret.md', 'note.md']],
        ['notes_only=1&kind=text', []],
        ['trashed=true', ['gone.txt']],
        ['trashed=true&include_hidden=1', ['gone-hidden.txt', 'gone.txt']],
        ['trashed=true&hidden_only=1', ['gone-hidden.txt']],
        ['nonsense=1&trashed=off', VISIBLE],
      ] as const)
        it(`contains exactly the matches of ${query || 'no filter'}, newest first, whole and in pages`, async () => {
          const whole = (await get(query)).json;
          expect(names(whole)).to.deep.equal(expected);
          expect([whole.total, whole.next_cursor]).to.deep.equal([expected.length, null]);
          for (let offset = 0; offset <= expected.length; offset++) {
            const page = (await get(`${query}&limit=2&offset=${offset}`)).json;
            expect(names(page)).to.deep.equal(expected.slice(offset, offset + 2));
            expect(page.total).to.equal(expected.length);
          }
          const walked: string[] = [];
          for (let cursor = '', turns = 0; turns <= expected.length; turns++) {
            const page = (await get(`${query}&limit=1${cursor && `&cursor=${cursor}`}`)).json;
            walked.push(...names(page));
            expect(page.total).to.equal(expected.length);
            cursor = encodeURIComponent(page.next_cursor ?? '');
            if (cursor === '') break;
          }
          expect(walked).to.deep.equal(expected);
        });

      it('rejects values out of range and unknown kinds', async () => {
        for (const [query, loc, type] of [
          ['limit=0', 'limit', 'greater_than_equal'],
          ['limit=101', 'limit', 'less_than_equal'],
          ['limit=', 'limit', 'int_parsing'],
          ['offset=-1', 'offset', 'greater_than_equal'],
          ['collection_id=x', 'collection_id', 'uuid_parsing'],
          ['is_link=maybe', 'is_link', 'bool_parsing'],
          ['trashed=2', 'trashed', 'bool_parsing'],
        ]) {
          const { status, json } = await get(query ?? '');
          expect(status, query).to.equal(422);
          expect(json.detail, query).to.have.length(1);
          expect(json.detail[0]).to.deep.include({ loc: ['query', loc], type });
        }
        expect((await get('limit=100')).status).to.equal(200);
        for (const [query, code] of [
          ['kind=zip', 'unknown_kind'],
          ['kind=', 'unknown_kind'],
          ['doc_type=zip', 'unknown_doc_type'],
        ]) {
          const { status, json } = await get(query ?? '');
          expect([status, json.code], query).to.deep.equal([400, code]);
        }
      });

      it('reports an invalid cursor together with every other error', async () => {
        for (const cursor of ['nonsense', '', 'x'.repeat(1_301), 'MTIzLng']) {
          const { status, json } = await get(`limit=0&cursor=${cursor}&trashed=maybe`);
          expect(status).to.equal(422);
          const reported = json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [
            loc[1],
            type,
          ]);
          expect(reported).to.deep.equal([
            ['limit', 'greater_than_equal'],
            ['cursor', cursor.length > 1_300 ? 'string_too_long' : 'value_error'],
            ['trashed', 'bool_parsing'],
          ]);
          expect(json.detail[1].input).to.equal(cursor);
        }
        const { json } = await get('cursor=nonsense');
        expect(json.detail).to.deep.equal([
          {
            type: 'value_error',
            loc: ['query', 'cursor'],
            msg: 'Value error, this is no cursor',
            input: 'nonsense',
            ctx: { error: {} },
          },
        ]);
      });

      it('gets 304 while it is unchanged', async () => {
        for (const { id } of (await get('')).json.items) await service.settled(id, { token });
        const first = await get('');
        const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
        const same = await service.call('GET', '/v1/objects?', { token, headers });
        expect([same.status, same.text]).to.deep.equal([304, '']);
      });
    });

    describe('a rename', () => {
      let id: string;
      before(async () => {
        id = (await someFile()).id;
        await service.settled(id);
      });

      for (const [what, filename, stored] of [
        ['one letter', 'x', 'x'],
        ['255 code points', FACE.repeat(255), FACE.repeat(255)],
        ['255 code points once composed', 'e\u0301'.repeat(255), '\u00e9'.repeat(255)],
        ['blanks around', ' \tx y ', 'x y'],
        ['anything that is no path', "it's <b>&; $(x) %2F.txt", "it's <b>&; $(x) %2F.txt"],
      ] as const)
        it(`preserves ${what}`, async () => {
          const { status, json } = await patch(id, { filename });
          expect(status).to.equal(200);
          expect(json).to.deep.include({
            filename: stored,
            display_name: stored,
            original_name: 'a.txt',
            name_source: 'user',
            name_locked: true,
            version: 1,
          });
          expect((await service.call('GET', `/v1/objects/${id}`)).json).to.deep.equal(json);
        });

      for (const [filename, type] of [
        ['', 'string_too_short'],
        [' \t ', 'string_too_short'],
        [FACE.repeat(256), 'string_too_long'],
        [5, 'string_type'],
        ['.', 'value_error'],
        [' .. ', 'value_error'],
        ['a/b', 'value_error'],
        ['a\\b', 'value_error'],
        ['a\u0000', 'value_error'],
        ['a\u001fb', 'value_error'],
        ['a\u202eb', 'value_error'],
        ['a\u2066b', 'value_error'],
      ] as const)
        it(`rejects ${JSON.stringify(filename).slice(0, 20)} as ${type}`, async () => {
          const before = (await service.call('GET', `/v1/objects/${id}`)).text;
          const { status, json } = await patch(id, { filename });
          expect(status).to.equal(422);
          expect(json.detail).to.have.length(1);
          expect(json.detail[0]).to.deep.include({ type, loc: ['body', 'filename'] });
          expect((await service.call('GET', `/v1/objects/${id}`)).text).to.equal(before);
        });

      it('is not caused by null, and hiding preserves the name', async () => {
        const before = (await service.call('GET', `/v1/objects/${id}`)).json;
        for (const body of [{}, { filename: null, is_hidden: null }, { unknown: 1 }])
          expect((await patch(id, body)).json).to.deep.equal(before);
        const hidden = (await patch(id, { filename: null, is_hidden: true })).json;
        expect(hidden).to.deep.include({ is_hidden: true, filename: before.filename, version: 1 });
        expect((await patch(id, { is_hidden: false })).json.is_hidden).to.equal(false);
        expect((await patch(id, { is_hidden: 'true' })).json.detail[0].type).to.equal('bool_type');
      });
    });

    it('an id is accepted in any spelling and returned in one; an invalid one is 422, a missing one 404', async () => {
      const { id } = await someFile();
      for (const spelling of [id.toUpperCase(), id.replaceAll('-', '')])
        expect((await service.call('GET', `/v1/objects/${spelling}`)).json.id).to.equal(id);
      expect((await service.call('GET', '/v1/objects/x')).json.detail[0]).to.deep.include({
        type: 'uuid_parsing',
        loc: ['path', 'object_id'],
      });
      expect((await service.call('GET', `/v1/objects/${MISSING}`)).json.code).to.equal('not_found');
    });
  });
