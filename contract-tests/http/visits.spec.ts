import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { filesOf } from '../core/transfer-fixture.ts';
import { profiles, startService, type Answer, type Call, type Service } from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const SECRET = 'correct horse';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The texts of the files of a ZIP, by path. */
const unzipped = async (bytes: Buffer): Promise<Record<string, string>> =>
  Object.fromEntries(await filesOf(bytes));

for (const profile of profiles)
  describe(`${profile}: shares, for visitors`, function () {
    this.timeout(120_000);
    let service: Service;
    let config: string;
    before(async () => {
      config = await mkdtemp(join(tmpdir(), 'ow-roles-'));
      const roles = join(config, 'roles.json');
      const limits = {
        requests_per_minute: 100_000,
        questions: null,
        enrichments: null,
        storage_bytes: null,
      };
      await writeFile(
        roles,
        JSON.stringify({ unlimited: limits, small: { ...limits, storage_bytes: 40 } }),
      );
      service = await startService(profile, {
        TRUST_PROXY: '1',
        ROLES_FILE: roles,
        MAX_UPLOAD_BYTES: '20000',
      });
    });
    after(async () => {
      await service.dispose();
      await rm(config, { recursive: true, force: true });
    });

    let client = 0;
    /** Visitors are counted by address. By default each request has another one. */
    const elsewhere = () => ({ 'x-forwarded-for': `10.7.${client >> 8}.${++client & 255}` });
    const visit = (token: string, rest = '', call: Call & { method?: string; at?: Service } = {}) =>
      (call.at ?? service).call(call.method ?? 'GET', `/v1/public/shares/${token}${rest}`, {
        ...call,
        token: null,
        headers: { ...elsewhere(), ...call.headers },
      });
    const folder = async (call: Call = {}): Promise<string> =>
      (
        await service.call('POST', '/v1/collections', {
          ...call,
          body: { name: `Folder ${++client}` },
        })
      ).json.id;
    const file = async (
      name: string,
      bytes: string | Uint8Array,
      collection_id?: string,
      call: Call = {},
    ): Promise<string> =>
      (
        await service.uploadAll(
          [[name, bytes]],
          collection_id === undefined ? {} : { collection_id },
          call,
        )
      ).json.items[0].id;
    const share = async (body: object, call: Call = {}): Promise<Answer['json']> => {
      const { status, json } = await service.call('POST', '/v1/shares', { ...call, body });
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };
    const card = async (id: string) => (await service.call('GET', `/v1/shares/${id}`)).json;
    const unlock = (token: string, password: string, call: Call & { at?: Service } = {}) =>
      visit(token, '/unlock', { ...call, method: 'POST', body: { password } });
    const upload = (
      token: string,
      files: readonly (readonly [string, string | Uint8Array])[],
      fields: Record<string, string> = {},
      headers: Record<string, string> = {},
    ) => {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, value);
      for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
      return visit(token, '/uploads', { method: 'POST', raw: form, headers });
    };
    const download = async (token: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.base}/v1/public/shares/${token}/archive`, {
        headers: { ...elsewhere(), ...headers },
      });
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    /** Every route, requested without an account. */
    const everything = (token: string, object: string, headers: Record<string, string> = {}) => [
      () => visit(token, '', { headers }),
      ...beneath(token, object, headers),
    ];
    const beneath = (token: string, object: string, headers: Record<string, string> = {}) => [
      () => visit(token, `/objects/${object}/content`, { headers }),
      () => visit(token, '/archive', { headers }),
      () => upload(token, [['x.txt', 'x']], {}, headers),
    ];
    const reported = async (kind: string, call: Call = {}) =>
      (await service.call('GET', '/v1/notifications?limit=200', call)).json.items.filter(
        (it: { kind: string }) => it.kind === kind,
      );

    it('show the current contents of the folder, newest first, and nothing else of the owner', async () => {
      const collection = await folder();
      await file('elsewhere.txt', 'not theirs to see');
      const { token, id } = await share({
        kind: 'folder',
        resource_id: collection,
        name: 'For you',
      });
      const empty = await visit(token);
      expect(empty.status).to.equal(200);
      const { resource_name, ...rest } = empty.json;
      expect(resource_name).to.match(/^Folder /);
      expect(rest).to.deep.equal({
        kind: 'folder',
        name: 'For you',
        role: 'viewer',
        has_password: false,
        unlocked: true,
        expires_at: null,
        items: [],
        total: 0,
      });
      const first = await file('first.txt', 'one', collection);
      const second = await file('second.md', '# two', collection);
      const { json, text } = await visit(token);
      expect(json.total).to.equal(2);
      expect(json.items.map(({ id: it }: { id: string }) => it)).to.deep.equal([second, first]);
      const { created_at, ...item } = json.items[1];
      expect(item).to.deep.equal({ id: first, filename: 'first.txt', mime: 'text/plain', size: 3 });
      expect(created_at).to.match(/Z$/);
      const me = (await service.call('GET', '/v1/me')).json;
      for (const secret of [me.owner.id, me.owner.name, me.tenant.id, collection, id])
        expect(text).not.to.include(secret);
      expect((await visit(token, '?limit=1&offset=1')).json).to.deep.include({
        items: [json.items[1]],
        total: 2,
      });
      for (const query of ['?limit=0', '?limit=1001', '?offset=-1'])
        expect((await visit(token, query)).status).to.equal(422);
      await service.call('PUT', `/v1/objects/${first}/collection`, {
        body: { collection_id: null },
      });
      await service.call('DELETE', `/v1/objects/${second}`);
      expect((await visit(token)).json).to.deep.include({ items: [], total: 0 });
    });

    it('need only the link, and support HEAD and ETags', async () => {
      const { token } = await share({ kind: 'folder', resource_id: await folder() });
      const answer = await visit(token);
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).not.to.equal('');
      const again = await visit(token, '', { headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).to.deep.equal([304, '']);
      const head = await visit(token, '', { method: 'HEAD' });
      expect([head.status, head.text]).to.deep.equal([200, '']);
    });

    it('serve the bytes of their objects only, whole and by range', async () => {
      const collection = await folder();
      const inside = await file('inside.txt', '0123456789', collection);
      const outside = await file('outside.txt', 'secret');
      const page = await file('page.html', '<script>alert(1)</script>', collection);
      const { token } = await share({ kind: 'folder', resource_id: collection });
      const content = (id: string, headers = {}, query = '') =>
        visit(token, `/objects/${id}/content${query}`, { headers });
      const whole = await content(inside);
      expect([whole.status, whole.text]).to.deep.equal([200, '0123456789']);
      expect(whole.headers.get('etag')).to.equal(`"${sha256('0123456789')}"`);
      expect(whole.headers.get('content-disposition')).to.equal('attachment; filename=inside.txt');
      expect(whole.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(whole.headers.get('content-security-policy')).to.include('sandbox');
      const part = await content(inside, { range: 'bytes=2-4' });
      expect([part.status, part.text]).to.deep.equal([206, '234']);
      expect(part.headers.get('content-range')).to.equal('bytes 2-4/10');
      expect((await content(inside, { range: 'bytes=10-' })).status).to.equal(416);
      const etag = whole.headers.get('etag') ?? '';
      expect((await content(inside, { 'if-none-match': etag })).status).to.equal(304);
      const shown = await content(inside, {}, '?disposition=inline');
      expect(shown.headers.get('content-disposition')).to.match(/^inline/);
      const active = await content(page, {}, '?disposition=inline');
      expect(active.headers.get('content-disposition')).to.match(/^attachment/);
      const missing = await content(MISSING);
      expect(missing.json).to.deep.equal({ detail: 'Not found.', code: 'not_found' });
      const foreign = await content(outside);
      expect([foreign.status, foreign.text]).to.deep.equal([404, missing.text]);
      for (const [change, body] of [
        ['hide', { is_hidden: true }],
        ['show', { is_hidden: false }],
      ] as const) {
        await service.call('PATCH', `/v1/objects/${inside}`, { body });
        expect((await content(inside)).status).to.equal(change === 'hide' ? 404 : 200);
      }
      await service.call('DELETE', `/v1/objects/${inside}`);
      expect((await content(inside)).status).to.equal(404);
    });

    it('of a file show that file only', async () => {
      const collection = await folder();
      const [one, beside] = [
        await file('one.txt', 'one', collection),
        await file('beside.txt', 'two', collection),
      ];
      const { token } = await share({ kind: 'file', resource_id: one });
      const { json } = await visit(token);
      expect([json.kind, json.resource_name, json.total]).to.deep.equal(['file', 'one.txt', 1]);
      expect(json.items[0].id).to.equal(one);
      expect((await visit(token, '?offset=1')).json).to.deep.include({ items: [], total: 1 });
      expect((await visit(token, `/objects/${one}/content`)).text).to.equal('one');
      expect((await visit(token, `/objects/${beside}/content`)).status).to.equal(404);
      expect(await unzipped((await download(token)).bytes)).to.deep.equal({ 'one.txt': 'one' });
      expect((await upload(token, [['x.txt', 'x']])).status).to.equal(403);
    });

    it('serve all of a folder as a ZIP, with safe and unique names', async () => {
      const collection = await folder();
      for (const [name, bytes] of [
        ['a.txt', '1'],
        ['a.txt', '2'],
        ['A.TXT', '3'],
        ['CON', '4'],
        ['..\\..\\evil.txt', '5'],
        ['größe 税.bin', 'x'.repeat(9_000)],
        ['empty.txt', ''],
      ] as const)
        await file(name, bytes, collection);
      await service.call('POST', '/v1/objects/notes', {
        body: { content: '# Note', title: 'note', collection_id: collection },
      });
      const hidden = await file('hidden.txt', 'hidden', collection);
      await service.call('PATCH', `/v1/objects/${hidden}`, { body: { is_hidden: true } });
      await service.call('DELETE', `/v1/objects/${await file('trash.txt', 't', collection)}`);
      await file('elsewhere.txt', 'elsewhere');
      const { token } = await share({ kind: 'folder', resource_id: collection });
      const { response, bytes } = await download(token);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('application/zip');
      expect(response.headers.get('content-disposition')).to.match(/^attachment; .*\.zip"?$/);
      const files = await unzipped(bytes);
      expect(Object.keys(files)).to.have.members([
        'A.TXT',
        'a (2).txt',
        'a (3).txt',
        'CON_',
        'evil.txt',
        'größe 税.bin',
        'empty.txt',
        'note.md',
      ]);
      expect(files['größe 税.bin']).to.equal('x'.repeat(9_000));
      expect(files['note.md']).to.equal('# Note');
      const head = await visit(token, '/archive', { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).to.deep.equal([
        200,
        'application/zip',
      ]);
    });

    it('are the same 404 whether unknown, revoked, expired, or of hidden, trashed or deleted objects', async () => {
      const unknown = await visit('A'.repeat(43));
      expect(unknown.status).to.equal(404);
      const shared = async () => {
        const collection = await folder();
        const object = await file('x.txt', 'x', collection);
        const one = await share({ kind: 'file', resource_id: object });
        return { collection, object, one };
      };
      const ends: Record<string, () => Promise<{ token: string; object: string }>> = {
        revoked: async () => {
          const { object, one } = await shared();
          await service.call('DELETE', `/v1/shares/${one.id}`);
          return { token: one.token, object };
        },
        hidden: async () => {
          const { object, one } = await shared();
          await service.call('PATCH', `/v1/objects/${object}`, { body: { is_hidden: true } });
          return { token: one.token, object };
        },
        trashed: async () => {
          const { object, one } = await shared();
          await service.call('DELETE', `/v1/objects/${object}`);
          return { token: one.token, object };
        },
        deleted: async () => {
          const { object, one } = await shared();
          await service.call('DELETE', `/v1/objects/${object}?permanent=true`);
          return { token: one.token, object };
        },
        'a folder that was deleted': async () => {
          const { collection, object } = await shared();
          const { token } = await share({
            kind: 'folder',
            resource_id: collection,
            role: 'contributor',
          });
          await service.call('DELETE', `/v1/collections/${collection}`);
          return { token, object };
        },
        'no token': async () => ({ token: 'x%20%F0%9F%98%80', object: MISSING }),
        'too long': async () => ({ token: 'x'.repeat(3_000), object: MISSING }),
        'a prefix': async () => {
          const { object, one } = await shared();
          return { token: one.token.slice(0, -1), object };
        },
      };
      const asks = (token: string, object: string) => [
        ...everything(token, object),
        () => unlock(token, SECRET),
      ];
      /** Except headers that depend on whether the body had arrived. */
      const named = (headers = new Headers()) =>
        [...headers.keys()].filter((it) => !/^(connection|keep-alive|etag|vary)$/.test(it));
      for (const [why, end] of Object.entries(ends)) {
        const { token, object } = await end();
        const requested = asks(token, object);
        for (const [n, ask] of asks('A'.repeat(43), object).entries()) {
          const [never, answer] = [await ask(), await requested[n]?.()];
          expect([answer?.status, answer?.text], why).to.deep.equal([404, unknown.text]);
          expect(named(answer?.headers), why).to.deep.equal(named(never.headers));
        }
      }
    });

    it('are available again when a hidden or trashed target is restored', async () => {
      const object = await file('back.txt', 'back');
      const { token } = await share({ kind: 'file', resource_id: object });
      await service.call('DELETE', `/v1/objects/${object}`);
      expect((await visit(token)).status).to.equal(404);
      await service.call('POST', `/v1/objects/${object}/restore`);
      expect((await visit(token)).json.items[0].id).to.equal(object);
    });

    it("with a password reveal only their own name without it, with a wrong one, or with another share's access", async () => {
      const collection = await folder();
      const object = await file('top-secret.txt', 'very secret', collection);
      const body = { kind: 'folder', resource_id: collection, role: 'contributor', name: 'Locked' };
      const { token, id } = await share({ ...body, password: SECRET });
      const other = await share({ ...body, password: SECRET });
      const elsewhereAccess = (await unlock(other.token, SECRET)).json.access;
      const wrong = await unlock(token, 'wrong');
      expect([wrong.status, wrong.json.code]).to.deep.equal([403, 'wrong_password']);
      for (const access of [undefined, '', 'x', elsewhereAccess, SECRET]) {
        const headers: Record<string, string> =
          access === undefined ? {} : { 'x-share-access': access };
        const locked = await visit(token, '', { headers });
        expect([locked.status, locked.json]).to.deep.equal([
          200,
          {
            kind: 'folder',
            name: 'Locked',
            resource_name: '',
            role: 'contributor',
            has_password: true,
            unlocked: false,
            expires_at: null,
            items: [],
            total: 0,
          },
        ]);
        for (const ask of [
          ...beneath(token, object, headers),
          () => visit(token, `/objects/${MISSING}/content`, { headers }),
        ]) {
          const answer = await ask();
          expect([answer.status, answer.json.code]).to.deep.equal([401, 'password_required']);
          expect(answer.text).not.to.include('secret.txt');
        }
      }
      expect((await card(id)).upload_count).to.equal(0);

      const opened = await unlock(token, SECRET);
      expect(opened.status).to.equal(200);
      expect(opened.json.expires_in).to.be.greaterThan(0);
      const headers = { 'x-share-access': opened.json.access };
      expect((await visit(token, '', { headers })).json).to.deep.include({
        unlocked: true,
        total: 1,
      });
      expect((await visit(token, `/objects/${object}/content`, { headers })).text).to.equal(
        'very secret',
      );
      expect(await unzipped((await download(token, headers)).bytes)).to.deep.equal({
        'top-secret.txt': 'very secret',
      });
      expect((await upload(token, [['up.txt', 'up']], {}, headers)).status).to.equal(200);
    });

    it('check a given password, and require none if there is none', async () => {
      const resource_id = await folder();
      const { token } = await share({ kind: 'folder', resource_id, password: SECRET });
      for (const [body, type] of [
        [{}, 'missing'],
        [{ password: '' }, 'string_too_short'],
        [{ password: 'p'.repeat(129) }, 'string_too_long'],
        [{ password: 7 }, 'string_type'],
      ] as const) {
        const answer = await visit(token, '/unlock', { method: 'POST', body });
        expect([answer.status, answer.json.detail[0].type]).to.deep.equal([422, type]);
        expect(answer.text).not.to.include('ppp');
      }
      const open = await share({ kind: 'folder', resource_id });
      const answer = await unlock(open.token, 'x');
      expect([answer.status, answer.json.code]).to.deep.equal([409, 'not_configured']);
    });

    it('end accesses when the password is changed or removed, or the share is revoked', async () => {
      const resource_id = await folder();
      const { token, id } = await share({ kind: 'folder', resource_id, password: SECRET });
      const patch = (body: object) => service.call('PATCH', `/v1/shares/${id}`, { body });
      const opened = async (password: string) => ({
        'x-share-access': (await unlock(token, password)).json.access,
      });
      const isOpen = async (headers: Record<string, string>) =>
        (await visit(token, '', { headers })).json.unlocked;
      const first = await opened(SECRET);
      await patch({ name: 'other' });
      expect(await isOpen(first)).to.equal(true);
      await patch({ password: 'next words' });
      expect(await isOpen(first)).to.equal(false);
      expect((await unlock(token, SECRET)).status).to.equal(403);
      const second = await opened('next words');
      expect(await isOpen(second)).to.equal(true);
      await patch({ password: '' });
      expect(await isOpen({})).to.equal(true);
      await patch({ password: 'next words' });
      expect(await isOpen(second)).to.equal(false);
      const third = await opened('next words');
      await service.call('DELETE', `/v1/shares/${id}`);
      expect((await visit(token, '', { headers: third })).status).to.equal(404);
    });

    it('accept five wrong passwords per address in 15 minutes, also across processes and restarts', async () => {
      const resource_id = await folder();
      const { token } = await share({ kind: 'folder', resource_id, password: SECRET });
      const other = await share({ kind: 'folder', resource_id, password: SECRET });
      const from = { headers: { 'x-forwarded-for': '192.0.2.77' } };
      const beside = profile === 'team' ? await service.beside() : service;
      try {
        // A correct password in between releases its own attempt, and no other.
        for (const [i, password] of ['a', 'b', SECRET, 'c', 'd'].entries())
          expect(
            (await unlock(token, password, { ...from, at: i % 2 ? beside : service })).status,
          ).to.equal(password === SECRET ? 200 : 403);
        const rest = await Promise.all(
          Array.from({ length: 6 }, (_, i) =>
            unlock(token, 'wrong', { ...from, at: i % 2 ? beside : service }),
          ),
        );
        expect(rest.map(({ status }) => status).toSorted()).to.deep.equal([
          403, 429, 429, 429, 429, 429,
        ]);
      } finally {
        if (beside !== service) await beside.stop();
      }
      service = await service.restart('SIGKILL');
      const refused = await unlock(token, SECRET, from);
      expect([refused.status, refused.json.code]).to.deep.equal([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(840, 900);
      // Neither another address nor another share pays for it.
      expect((await unlock(token, SECRET)).status).to.equal(200);
      expect((await unlock(other.token, SECRET, from)).status).to.equal(200);
      // The limit applies to passwords: an unlocked share stays unlocked.
      expect((await visit(token, '', from)).status).to.equal(200);
    });

    it('check one of a thousand guesses from as many networks every three seconds, and reserve an attempt for a visitor who waits', async () => {
      const { token } = await share({
        kind: 'folder',
        resource_id: await folder(),
        password: SECRET,
      });
      const from = (i: number) => ({
        headers: { 'x-forwarded-for': `10.${20 + (i >> 8)}.${i & 255}.9` },
      });
      const beside = profile === 'team' ? await service.beside() : service;
      try {
        const began = Date.now();
        const statuses = await Promise.all(
          Array.from({ length: 1_000 }, async (_, i) => {
            const at = i % 2 ? beside : service;
            return (await unlock(token, `wrong ${i}`, { ...from(i), at })).status;
          }),
        );
        const judged = statuses.filter((status) => status === 403).length;
        expect(judged).to.be.at.most(50 + (Date.now() - began) / 3_000 + 1);
        // Other tries were shed.
        expect(new Set(statuses)).to.satisfy((all: Set<number>) =>
          [...all].every((status) => [403, 429, 503].includes(status)),
        );
      } finally {
        if (beside !== service) await beside.stop();
      }
      const visitor = { headers: { 'x-forwarded-for': '10.10.0.1' } };
      for (let i = 0; i < 60; i++)
        if ((await unlock(token, `wrong ${i}`, from(2_000 + i))).status === 429) break;
      const refused = await unlock(token, SECRET, visitor);
      expect([refused.status, refused.json.code]).to.deep.equal([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 31);
    });

    it('accept all concurrent correct passwords', async () => {
      const { token } = await share({
        kind: 'folder',
        resource_id: await folder(),
        password: SECRET,
      });
      const from = { headers: { 'x-forwarded-for': '192.0.2.78' } };
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => unlock(token, SECRET, from)),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(12).fill(200));
      expect(new Set(answers.map(({ json }) => json.access)).size).to.equal(12);
    });

    it('store files of contributors in their folder, with any form fields', async () => {
      const collection = await folder();
      const other = await folder();
      const mine = await file('mine.txt', 'the same bytes');
      const { token, id, prefix } = await share({
        kind: 'folder',
        resource_id: collection,
        role: 'contributor',
      });
      const fields = {
        collection_id: other,
        is_hidden: 'true',
        on_duplicate: 'reject',
        owner_id: MISSING,
      };
      const up = await upload(
        token,
        [
          ['../up.txt', 'the same bytes'],
          ['two.txt', 'two'],
        ],
        fields,
      );
      expect(up.status, up.text).to.equal(200);
      const [first, second] = up.json.items;
      expect(Object.keys(up.json)).to.deep.equal(['items']);
      expect(first).to.have.all.keys('id', 'filename', 'mime', 'size', 'created_at');
      expect([first.filename, second.filename, up.json.items.length]).to.deep.equal([
        'up.txt',
        'two.txt',
        2,
      ]);
      expect(first.id).not.to.equal(mine);
      const object = await service.settled(first.id);
      expect(object).to.deep.include({
        collection_id: collection,
        is_hidden: false,
        status: 'ready',
        filename: 'up.txt',
      });
      expect((await visit(token)).json.total).to.equal(2);
      expect((await card(id)).upload_count).to.equal(2);
      const event = await reported('share.uploaded');
      const { items } = (await service.call('GET', '/v1/collections?limit=100')).json;
      const { name } = items.find((each: { id: string }) => each.id === collection);
      expect(event.map(({ payload }: { payload: unknown }) => payload)).to.deep.include.members([
        { share_id: id, object_id: first.id, filename: 'up.txt', folder: name },
        { share_id: id, object_id: second.id, filename: 'two.txt', folder: name },
      ]);
      expect(event[0].body).to.include(prefix);
      expect(event[0].body).not.to.include(token);
      const none = await upload(token, []);
      expect(none.json.detail[0]).to.deep.include({ type: 'missing', loc: ['body', 'file'] });
    });

    it("reject files of viewers, files that are too large and files beyond the owner's quota, and store nothing", async () => {
      const { token: owner } = await service.newOwner('small');
      const own = { token: owner };
      const collection = await folder(own);
      const body = { kind: 'folder', resource_id: collection };
      const viewer = await share(body, own);
      const refused = await upload(viewer.token, [['x.txt', 'x']]);
      expect([refused.status, refused.json.code]).to.deep.equal([403, 'forbidden']);
      const { token, id } = await share({ ...body, role: 'contributor' }, own);
      const large = await upload(token, [['large.bin', 'x'.repeat(20_001)]]);
      expect([large.status, large.json.code]).to.deep.equal([413, 'too_large']);
      const full = await upload(token, [
        ['fits.txt', 'x'.repeat(30)],
        ['fits-not.txt', 'y'.repeat(11)],
      ]);
      expect([full.status, full.json.code]).to.deep.equal([402, 'plan_limit']);
      expect((await visit(token)).json.total).to.equal(0);
      expect((await upload(token, [['fits.txt', 'x'.repeat(40)]])).status).to.equal(200);
      expect((await upload(token, [['one more.txt', 'x']])).json.code).to.equal('plan_limit');
      expect((await service.call('GET', `/v1/shares/${id}`, own)).json.upload_count).to.equal(1);
      expect((await reported('share.uploaded', own)).length).to.equal(1);
      const lost = await service.cli('doctor');
      expect(lost.ok).to.equal(true);
    });

    it('reject files past the quotas of the share, store nothing of them, and still replay earlier responses', async () => {
      const { token, id } = await share({
        kind: 'folder',
        resource_id: await folder(),
        role: 'contributor',
        max_upload_bytes: 100,
        max_upload_files: 3,
      });
      const large = await upload(token, [['large.txt', 'x'.repeat(101)]]);
      expect([large.status, large.json.code]).to.deep.equal([413, 'too_large']);
      expect(large.json.detail).to.include('100 bytes');
      const key = { 'idempotency-key': `quota-${Date.now()}` };
      const first = await upload(token, [['most.txt', 'x'.repeat(90)]], {}, key);
      expect(first.status, first.text).to.equal(200);
      const again = await upload(token, [['most.txt', 'x'.repeat(90)]], {}, key);
      expect([again.status, again.text]).to.deep.equal([200, first.text]);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => upload(token, [[`${i}.txt`, `${i}`]])),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).to.deep.equal([200, 200, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.json.code).to.equal('share_quota');
      expect(await card(id)).to.deep.include({
        upload_count: 3,
        uploaded_bytes: 92,
        max_upload_bytes: 100,
        max_upload_files: 3,
      });
      expect((await visit(token)).json.total).to.equal(3);
      await service.call('PATCH', `/v1/shares/${id}`, { body: { max_upload_files: 4 } });
      expect((await upload(token, [['rest.txt', 'x'.repeat(9)]])).json.detail).to.include(
        '8 bytes',
      );
      expect((await upload(token, [['rest.txt', 'x'.repeat(8)]])).status).to.equal(200);
      const page = await visit(token, '/uploads', {
        method: 'POST',
        raw: (() => {
          const form = new FormData();
          form.append('file', new Blob(['x']), 'x.txt');
          return form;
        })(),
        headers: { accept: 'text/html' },
      });
      expect(page.status).to.equal(409);
      expect(page.text).to.include('Ask the owner');
    });

    it('store a file once per idempotency key, which contains no secret', async () => {
      const { token, id } = await share({
        kind: 'folder',
        resource_id: await folder(),
        role: 'contributor',
      });
      const key = { 'idempotency-key': `k-${Date.now()}` };
      const first = await upload(token, [['once.txt', 'once']], {}, key);
      const again = await upload(token, [['once.txt', 'once']], {}, key);
      expect(again.text).to.equal(first.text);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect((await upload(token, [['once.txt', 'twice']], {}, key)).json.code).to.equal(
        'idempotency_key_reused',
      );
      expect((await card(id)).upload_count).to.equal(1);
    });

    it('count every concurrent visit and file, and notify of the first', async () => {
      const { token, id } = await share({
        kind: 'folder',
        resource_id: await folder(),
        role: 'contributor',
        name: 'Counted',
      });
      const beside = profile === 'team' ? await service.beside() : service;
      try {
        const visits = Array.from({ length: 24 }, (_, i) =>
          visit(token, '', { at: i % 2 ? beside : service }),
        );
        const uploads = Array.from({ length: 8 }, (_, i) =>
          upload(token, [
            [`${i}.txt`, `${i}`],
            [`${i}b.txt`, `${i}b`],
          ]),
        );
        for (const { status } of await Promise.all([...visits, ...uploads]))
          expect(status).to.equal(200);
        // HEAD requests, requests for files, and rejected ones are not visits.
        await visit(token, '', { method: 'HEAD' });
        await visit(token, '/archive');
        await visit(token, '?limit=0');
      } finally {
        if (beside !== service) await beside.stop();
      }
      const { access_count, upload_count } = await card(id);
      expect([access_count, upload_count]).to.deep.equal([24, 16]);
      const opened = (await reported('share.opened')).filter(
        ({ payload }: { payload: { share_id: string } }) => payload.share_id === id,
      );
      expect(opened.map(({ payload }: { payload: unknown }) => payload)).to.deep.equal([
        { share_id: id, object_id: null, name: 'Counted' },
      ]);
      expect(opened[0].body).to.include('Counted');
    });

    if (profile === 'team')
      it('end immediately in every process when revoked', async () => {
        const collection = await folder();
        const object = await file('x.txt', 'x', collection);
        const { token, id } = await share({
          kind: 'folder',
          resource_id: collection,
          role: 'contributor',
        });
        const beside = await service.beside();
        try {
          const there = `/objects/${object}/content`;
          expect((await visit(token, '', { at: beside })).status).to.equal(200);
          expect((await visit(token, there, { at: beside })).status).to.equal(200);
          await service.call('DELETE', `/v1/shares/${id}`);
          expect((await visit(token, '', { at: beside })).status).to.equal(404);
          expect((await visit(token, there, { at: beside })).status).to.equal(404);
        } finally {
          await beside.stop();
        }
      });

    it('survive a restart with their counts and accesses', async () => {
      const resource_id = await folder();
      const { token, id } = await share({ kind: 'folder', resource_id, password: SECRET });
      const headers = { 'x-share-access': (await unlock(token, SECRET)).json.access };
      await visit(token, '', { headers });
      service = await service.restart('SIGKILL');
      expect((await visit(token, '', { headers })).json.unlocked).to.equal(true);
      expect((await card(id)).access_count).to.equal(2);
    });

    it('never fail with a server error, for any request', async () => {
      const { token } = await share({
        kind: 'folder',
        resource_id: await folder(),
        role: 'contributor',
        password: SECRET,
      });
      const path = fc.oneof(
        fc.constant(token),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map(encodeURIComponent),
        fc.constantFrom('%00', '%ff', '..', '%2e%2e%2f', `${token}%20`, token.toLowerCase()),
      );
      const rest = fc.constantFrom(
        '',
        '?limit=x&offset=-1',
        '/unlock',
        '/archive',
        '/uploads',
        '/objects/x/content',
        `/objects/${MISSING}`,
        `/objects/${MISSING}/thumbnail?size=huge`,
        '?uploaded=%3Cb%3E',
        `/objects/${MISSING}/content?disposition=other`,
      );
      const headers = fc.record(
        {
          'x-share-access': fc.constantFrom('', 'x', token, 'y'.repeat(4_000)),
          'content-type': fc.constantFrom(
            'application/json',
            'multipart/form-data',
            'multipart/form-data; boundary=x',
            'application/x-www-form-urlencoded',
            'text/plain',
          ),
          'idempotency-key': fc.constantFrom('k', 'x'.repeat(256)),
          accept: fc.constantFrom('text/html', 'application/json', 'text/*;q=2, x'),
          cookie: fc.constantFrom('share_access=x', 'share_access', '=', 'share_access=%00;;'),
          origin: fc.constantFrom('null', 'https://elsewhere.example', '//'),
          range: fc.constantFrom('bytes=0-', 'bytes=9-1', 'x'),
        },
        { requiredKeys: [] },
      );
      const raw = fc.constantFrom(
        '',
        'null',
        '[]',
        '{"password": null}',
        '{"password": "\\u0000"}',
        '{"password": {"__proto__": 1}}',
        '--x\r\n',
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nb\r\n--x--\r\n',
      );
      await fc.assert(
        fc.asyncProperty(
          path,
          rest,
          fc.constantFrom('GET', 'POST', 'HEAD'),
          headers,
          raw,
          async (where, beneath, method, sent, body) => {
            const answer = await visit(where, beneath, {
              method,
              headers: sent,
              ...(method === 'POST' && { raw: body }),
            });
            expect(answer.status, `${method} ${where}${beneath}`).to.be.oneOf([
              200, 401, 403, 404, 405, 413, 415, 422, 429,
            ]);
            if (where !== token) expect(answer.status).to.not.equal(200);
            // A page of a share links to its files.
            const html = /html/.test(answer.headers.get('content-type') ?? '');
            if (!html) expect(answer.text).not.to.include(token);
          },
        ),
        { numRuns: 150 },
      );
      expect((await service.call('GET', '/health', { token: null })).status).to.equal(200);
    });

    it('are rate limited by address, 300 per minute', async () => {
      const { token } = await share({ kind: 'folder', resource_id: await folder() });
      const from = { headers: { 'x-forwarded-for': '192.0.2.99' } };
      // A few concurrently, so that the counter store keeps up. One more than a window allows, since the next one may
      // have begun.
      let late: Answer | undefined;
      for (let requested = 0; requested < 640 && !late; requested += 10) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => visit(token, '', from)));
        late = answers.find(({ status }) => status === 429);
      }
      expect(late?.json.code).to.equal('rate_limited');
      expect((await visit(token)).status).to.equal(200);
    });
  });
