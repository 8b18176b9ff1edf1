import { expect } from 'chai';
import { filesOf } from '../core/transfer-fixture.ts';
import {
  eventually,
  fewPlacings,
  startService,
  type Answer,
  type Call,
  type Service,
} from './harness.ts';

const MISSING = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';
const DAY_MS = 86_400_000;
/** The service never lets its clock go back, so it may be a moment ahead of the one read here. */
const CLOCKS_MS = 1_000;

for (const { title, profile, files } of fewPlacings)
  describe(`${title}: shares, for their owner`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { PUBLIC_URL: 'https://files.example' }, files);
    });
    after(() => service.dispose());

    const folder = async (name: string, call: Call = {}): Promise<string> =>
      (await service.call('POST', '/v1/collections', { ...call, body: { name } })).json.id;
    const file = async (name: string, fields = {}): Promise<string> =>
      (await service.upload(name, `of ${name}`, fields)).json.items[0].id;
    const create = (body: object, call: Call = {}): Promise<Answer> =>
      service.call('POST', '/v1/shares', { ...call, body });
    const created = async (body: object): Promise<Answer['json']> => {
      const { status, json } = await create(body);
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };
    const list = async (query = '', call: Call = {}): Promise<Answer['json']> =>
      (await service.call('GET', `/v1/shares${query}`, call)).json;
    const at = (id: string, rest = '') => `/v1/shares/${id}${rest}`;
    const visit = (token: string) =>
      service.call('GET', `/v1/public/shares/${token}`, { token: null });

    it('show their token once, and their target', async () => {
      const name = `Plans ${Date.now()}`;
      const resource_id = await folder(name);
      const before = Date.now();
      const json = await created({
        kind: 'folder',
        resource_id: resource_id.toUpperCase(),
        role: 'contributor',
        name: '  for Ada ',
        password: 'pass word',
        expires_in_days: 2,
      });
      const { id, token, created_at, expires_at, ...rest } = json;
      expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(rest).to.deep.equal({
        kind: 'folder',
        resource_id,
        resource_name: name,
        role: 'contributor',
        name: 'for Ada',
        has_password: true,
        state: 'locked',
        state_reason: 'password',
        access_count: 0,
        upload_count: 0,
        uploaded_bytes: 0,
        max_upload_bytes: 2 ** 30,
        max_upload_files: 500,
        prefix: token.slice(0, 6),
        url: `https://files.example/v1/public/shares/${token}`,
      });
      expect(Date.parse(created_at)).to.be.within(before - CLOCKS_MS, Date.now() + CLOCKS_MS);
      expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(2 * DAY_MS);
      const later = { ...json, token: null, url: '' };
      expect((await service.call('GET', at(id))).json).to.deep.equal(later);
      expect((await list()).items[0]).to.deep.equal(later);
      const edited = await service.call('PATCH', at(id), { body: { name: '' } });
      expect(edited.json).to.deep.equal({ ...later, name: '' });
      for (const answer of [edited.text, JSON.stringify(await list())])
        expect(answer).not.to.include(token).and.not.to.include('pass word');
    });

    it('have a viewer, no name, no password and no expiry by default', async () => {
      const id = await file('plain.txt');
      const json = await created({
        kind: 'file',
        resource_id: id,
        name: null,
        password: null,
        expires_in_days: null,
      });
      expect(json).to.deep.include({
        kind: 'file',
        resource_name: 'plain.txt',
        role: 'viewer',
        name: '',
        has_password: false,
        expires_at: null,
      });
    });

    it('are listed newest first, by kind, by resource and in pages', async () => {
      const { token } = await service.newOwner();
      const own = { token };
      const first = await folder('One', own);
      const second = await folder('Two', own);
      const note = (
        await service.call('POST', '/v1/objects/notes', { ...own, body: { content: 'N' } })
      ).json.id;
      const ids: string[] = [];
      for (const [kind, resource_id] of [
        ['folder', first],
        ['folder', second],
        ['file', note],
        ['folder', first],
      ])
        ids.unshift((await create({ kind, resource_id }, own)).json.id);
      const listed = async (query: string) => {
        const { items, total } = await list(query, own);
        return [items.map(({ id }: { id: string }) => ids.indexOf(id)), total];
      };
      expect(await listed('')).to.deep.equal([[0, 1, 2, 3], 4]);
      expect(await listed('?limit=2&offset=1')).to.deep.equal([[1, 2], 4]);
      expect(await listed('?kind=file')).to.deep.equal([[1], 1]);
      expect(await listed(`?resource_id=${first}`)).to.deep.equal([[0, 3], 2]);
      expect(await listed(`?resource_id=${note}&kind=folder`)).to.deep.equal([[], 0]);
      expect(await listed(`?resource_id=${MISSING}`)).to.deep.equal([[], 0]);
      expect((await list('?kind=other', own)).detail[0].type).to.equal('literal_error');
    });

    it('are rejected for foreign and missing objects alike, and nothing is stored', async () => {
      const mate = await service.newOwner();
      const own = { token: mate.token };
      const theirs = await folder('Theirs', own);
      const up = await service.uploadAll([['theirs.txt', 'x']], {}, own);
      const object = up.json.items[0].id;
      const before = await list();
      for (const [kind, resource_id] of [
        ['folder', theirs],
        ['file', object],
        // An existing resource of another kind.
        ['file', await folder(`Not a file ${Date.now()}`)],
        ['folder', await file('not-a-folder.txt')],
      ]) {
        const foreign = await create({ kind, resource_id });
        const missing = await create({ kind, resource_id: MISSING });
        expect([foreign.status, foreign.text]).to.deep.equal([404, missing.text]);
      }
      expect(await list()).to.deep.equal(before);
      expect(await list('', own)).to.deep.equal({ items: [], total: 0 });
      const share = (await create({ kind: 'folder', resource_id: theirs }, own)).json;
      for (const [method, rest, body] of [
        ['GET', ''],
        ['GET', '/contents'],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', ''],
      ] as const) {
        const call = body ? { body } : {};
        const foreign = await service.call(method, at(share.id, rest), call);
        const missing = await service.call(method, at(MISSING, rest), call);
        expect([foreign.status, foreign.text]).to.deep.equal([404, missing.text]);
      }
      expect((await service.call('GET', at(share.id), own)).json.name).to.equal('');
    });

    it('are validated field by field, and never return the password', async () => {
      const resource_id = await folder(`Judged ${Date.now()}`);
      const secret = 'p'.repeat(129);
      const { status, json, text } = await create({
        kind: 'disk',
        resource_id: 'x',
        role: 'owner',
        name: 'n'.repeat(121),
        password: secret,
        expires_in_days: 366,
      });
      expect(status).to.equal(422);
      expect(
        json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.at(-1), type]),
      ).to.deep.equal([
        ['kind', 'literal_error'],
        ['resource_id', 'uuid_parsing'],
        ['role', 'literal_error'],
        ['name', 'string_too_long'],
        ['password', 'string_too_long'],
        ['expires_in_days', 'less_than_equal'],
      ]);
      expect(text).not.to.include(secret);
      for (const wrong of [
        { password: '' },
        { password: 'seven c' },
        { password: 5 },
        { max_upload_bytes: 0 },
        { max_upload_bytes: 2 ** 40 + 1 },
        { max_upload_files: 0 },
        { max_upload_files: 100_001 },
        { expires_in_days: 0 },
        { expires_in_days: 1.5 },
      ])
        expect((await create({ kind: 'folder', resource_id, ...wrong })).status).to.equal(422);
      for (const good of [
        { password: 'ü'.repeat(128) },
        { name: '𝕏'.repeat(120) },
        { expires_in_days: 365 },
        { expires_in_days: 1.0 },
      ])
        await created({ kind: 'folder', resource_id, ...good });
    });

    it('have a password of at least eight characters, and upload limits that reset to the defaults', async () => {
      const resource_id = await folder(`Limits ${Date.now()}`);
      const short = { type: 'string_too_short', ctx: { min_length: 8 } };
      const refused = await create({ kind: 'folder', resource_id, password: 'seven c' });
      expect([refused.status, refused.json.detail.length]).to.deep.equal([422, 1]);
      expect(refused.json.detail[0]).to.deep.include(short);
      expect(refused.text).not.to.include('seven c');
      const { id } = await created({
        kind: 'folder',
        resource_id,
        // Characters are counted, not bytes or UTF-16 units.
        password: '🔑🔑🔑🔑🔑🔑🔑🔑',
        max_upload_bytes: 5_000,
        max_upload_files: null,
      });
      const patch = (body: object) => service.call('PATCH', at(id), { body });
      const answer = await patch({ password: '🔑🔑🔑🔑🔑🔑🔑' });
      expect([answer.status, answer.json.detail.length]).to.deep.equal([422, 1]);
      expect(answer.json.detail[0]).to.deep.include(short);
      expect(answer.text).not.to.include('🔑');
      const limits = ({ json }: Answer) => [json.max_upload_bytes, json.max_upload_files];
      expect(limits(await patch({ max_upload_files: 3 }))).to.deep.equal([5_000, 3]);
      expect(limits(await patch({ max_upload_bytes: '', max_upload_files: null }))).to.deep.equal([
        2 ** 30,
        3,
      ]);
      expect((await patch({ password: '' })).json.has_password).to.equal(false);
    });

    it('allow no contributors for a file', async () => {
      const resource_id = await file('alone.txt');
      const body = { kind: 'file', resource_id, role: 'contributor' };
      const refused = await create(body);
      expect([refused.status, refused.json.detail]).to.deep.equal([
        422,
        [
          {
            type: 'value_error',
            loc: ['body', 'role'],
            msg: 'Value error, a share of a file cannot accept uploads',
            input: 'contributor',
            ctx: { error: {} },
          },
        ],
      ]);
      const { id } = await created({ kind: 'file', resource_id });
      const edited = await service.call('PATCH', at(id), { body: { role: 'contributor' } });
      expect(edited.json.detail[0].loc).to.deep.equal(['body', 'role']);
      expect((await service.call('GET', at(id))).json.role).to.equal('viewer');
    });

    it('change the given fields; an empty password or expiry is removed', async () => {
      const resource_id = await folder(`Changed ${Date.now()}`);
      const { id } = await created({
        kind: 'folder',
        resource_id,
        password: 'eight ch',
        name: 'N',
      });
      const patch = async (body: object) => (await service.call('PATCH', at(id), { body })).json;
      const from = Date.now();
      const timed = await patch({ expires_in_days: 3 });
      expect(Date.parse(timed.expires_at) - 3 * DAY_MS).to.be.within(
        from - CLOCKS_MS,
        Date.now() + CLOCKS_MS,
      );
      expect(await patch({})).to.deep.equal(timed);
      expect(await patch({ expires_in_days: null, password: null, name: null })).to.deep.equal(
        timed,
      );
      expect(await patch({ role: 'contributor' })).to.deep.include({
        role: 'contributor',
        name: 'N',
        has_password: true,
      });
      expect((await patch({ password: '' })).has_password).to.equal(false);
      expect((await patch({ password: 'new words' })).has_password).to.equal(true);
      expect((await patch({ expires_in_days: '' })).expires_at).to.equal(null);
      expect((await patch({ expires_in_days: 366 })).detail[0].type).to.equal('less_than_equal');
    });

    it('are revoked permanently', async () => {
      const { id, token } = await created({
        kind: 'folder',
        resource_id: await folder(`Revoked ${Date.now()}`),
      });
      expect((await visit(token)).status).to.equal(200);
      expect((await service.call('DELETE', at(id))).json).to.deep.equal({ deleted: true });
      expect((await service.call('DELETE', at(id))).status).to.equal(404);
      expect((await service.call('GET', at(id))).status).to.equal(404);
      expect((await visit(token)).status).to.equal(404);
    });

    it('show their owner what a visitor sees now', async () => {
      const resource_id = await folder(`Seen ${Date.now()}`);
      const [a, b, hidden, trashed] = [
        await file('a.txt', { collection_id: resource_id }),
        await file('b.txt', { collection_id: resource_id }),
        await file('hidden.txt', { collection_id: resource_id }),
        await file('trashed.txt', { collection_id: resource_id }),
      ];
      await service.call('PATCH', `/v1/objects/${hidden}`, { body: { is_hidden: true } });
      await service.call('DELETE', `/v1/objects/${trashed}`);
      const open = await created({ kind: 'folder', resource_id });
      const contents = (query = '', id: string = open.id) =>
        service.call('GET', at(id, `/contents${query}`));
      const seen = (await contents()).json;
      expect(seen.items.map(({ id }: { id: string }) => id)).to.deep.equal([b, a]);
      expect(seen.total).to.equal(2);
      expect((await visit(open.token)).json).to.deep.equal(seen);
      expect((await contents('?limit=1&offset=1')).json).to.deep.equal({
        ...seen,
        items: seen.items.slice(1),
      });
      const locked = await created({ kind: 'folder', resource_id, password: 'eight ch' });
      expect((await contents('', locked.id)).json).to.deep.equal({ ...seen, has_password: true });
      const one = await created({ kind: 'file', resource_id: a });
      expect((await contents('', one.id)).json.items).to.have.length(1);
      await service.call('DELETE', `/v1/objects/${a}`);
      expect((await contents('', one.id)).status).to.equal(404);
      expect((await service.call('GET', at(one.id))).json.resource_name).to.equal('a.txt');
      // Requests of the owner are not visits.
      expect((await service.call('GET', at(locked.id))).json.access_count).to.equal(0);
    });

    it('are previewed as a visitor would see them, with warnings, and nothing is created', async () => {
      const resource_id = await folder(`Previewed ${Date.now()}`);
      const into = { collection_id: resource_id };
      const shown = await file('shown.txt', into);
      const hidden = await file('hidden.txt', into);
      const trashed = await file('trashed.txt', into);
      const statement =
        'Bank statement\nAccount statement for account 12345678\nOpening balance 1,204.50\nClosing balance 980.10\nTransactions: direct debit, deposit, withdrawal';
      const scan = (await service.upload('bank statement.txt', statement, into)).json.items[0].id;
      await eventually(
        () => service.call('GET', `/v1/objects/${scan}`),
        ({ json }) => json.enrichment?.doc_type === 'bank_statement',
      );
      await service.call('PATCH', `/v1/objects/${hidden}`, { body: { is_hidden: true } });
      await service.call('DELETE', `/v1/objects/${trashed}`);
      const body = {
        kind: 'folder',
        resource_id,
        role: 'contributor',
        name: ' For Ada ',
        password: 'eight ch',
        expires_in_days: 2,
      };
      const before = await list();
      const preview = (sent: object, call: Call = {}) =>
        service.call('POST', '/v1/shares/preview', { ...call, body: sent });
      const { status, json, text } = await preview(body);
      expect(status, text).to.equal(200);
      expect(await list()).to.deep.equal(before);
      expect(text).not.to.include('eight ch').and.not.to.include('hidden.txt');
      const { id } = await created(body);
      const seen = (await service.call('GET', at(id, '/contents'))).json;
      const untimed = (contents: object) => ({ ...contents, expires_at: null });
      expect(untimed(json.contents)).to.deep.equal(untimed(seen));
      expect(Date.parse(seen.expires_at) - Date.parse(json.contents.expires_at)).to.be.within(
        0,
        60_000,
      );
      expect(json.contents.items.map((item: { id: string }) => item.id)).to.deep.equal([
        scan,
        shown,
      ]);
      expect(json.warnings).to.deep.equal([
        { doc_type: 'bank_statement', count: 1, items: [json.contents.items[0]] },
      ]);
      for (const wrong of [
        { ...body, kind: 'other' },
        { ...body, resource_id: 'x' },
        { ...body, password: 'short' },
        { ...body, expires_in_days: 366 },
        { ...body, max_upload_files: 0 },
        { ...body, kind: 'file', resource_id: shown },
        { ...body, resource_id: MISSING },
        { kind: 'file', resource_id: trashed },
        {},
      ]) {
        const [tried, refused] = [await preview(wrong), await create(wrong)];
        expect([tried.status, tried.text]).to.deep.equal([refused.status, refused.text]);
        expect(refused.status).to.be.within(404, 422);
      }
    });

    it('say in which state they are, and why', async () => {
      const resource_id = await file('stateful.txt');
      const { id, state, state_reason } = await created({ kind: 'file', resource_id });
      expect([state, state_reason]).to.deep.equal(['open', null]);
      const now = async () => {
        const { json } = await service.call('GET', at(id));
        return [json.state, json.state_reason];
      };
      const object = `/v1/objects/${resource_id}`;
      await service.call('PATCH', at(id), { body: { password: 'eight ch' } });
      expect(await now()).to.deep.equal(['locked', 'password']);
      await service.call('DELETE', object);
      expect(await now()).to.deep.equal(['suspended', 'in_trash']);
      await service.call('POST', `${object}/restore`);
      await service.call('PATCH', object, { body: { is_hidden: true } });
      expect(await now()).to.deep.equal(['suspended', 'hidden']);
    });

    it('are created once per idempotency key, and a repeat returns the token again', async () => {
      const resource_id = await folder(`Once ${Date.now()}`);
      const call = { headers: { 'idempotency-key': `k-${Date.now()}` } };
      const first = await create({ kind: 'folder', resource_id }, call);
      const again = await create({ kind: 'folder', resource_id }, call);
      expect(again.text).to.equal(first.text);
      expect((await list(`?resource_id=${resource_id}`)).total).to.equal(1);
    });

    it('cannot be created for hidden or trashed objects, and are concealed while the zone is locked', async () => {
      const { token } = await service.newOwner();
      const own = { token };
      const up = async (name: string): Promise<string> =>
        (await service.uploadAll([[name, name]], {}, own)).json.items[0].id;
      const [shown, hidden, trashed] = [await up('s.txt'), await up('h.txt'), await up('t.txt')];
      const share = async (resource_id: string, headers = {}) =>
        service.call('POST', '/v1/shares', {
          ...own,
          headers,
          body: { kind: 'file', resource_id },
        });
      const stored = (await share(shown)).json;
      const suspended = (await share(hidden)).json;
      await service.call('DELETE', `/v1/objects/${trashed}`, own);
      expect((await share(trashed)).json.code).to.equal('in_trash');
      const hide = { ...own, body: { is_hidden: true } };
      await service.call('PATCH', `/v1/objects/${hidden}`, hide);
      // Without a PIN the object and its shares are accessible by id.
      const refused = await share(hidden);
      expect([refused.status, refused.json.code]).to.deep.equal([409, 'is_hidden']);
      expect((await list('', own)).total).to.equal(2);
      expect((await visit(suspended.token)).status).to.equal(404);

      const pin = await service.call('POST', '/v1/hidden-pin', { ...own, body: { pin: '1234' } });
      const open = { 'x-hidden-token': pin.json.token };
      const missing = await share(MISSING);
      expect((await share(hidden)).text).to.equal(missing.text);
      expect((await share(hidden, open)).json.code).to.equal('is_hidden');
      const seen = await list('', own);
      expect([seen.total, seen.items.map(({ id }: { id: string }) => id)]).to.deep.equal([
        1,
        [stored.id],
      ]);
      expect((await list(`?resource_id=${hidden}`, own)).total).to.equal(0);
      expect((await list('', { ...own, headers: open })).total).to.equal(2);
      for (const [method, rest, body] of [
        ['GET', ''],
        ['GET', '/contents'],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', ''],
      ] as const) {
        const call = { ...own, ...(body && { body }) };
        const locked = await service.call(method, at(suspended.id, rest), call);
        const none = await service.call(method, at(MISSING, rest), call);
        expect([locked.status, locked.text]).to.deep.equal([404, none.text]);
      }
      const opened = await service.call('GET', at(suspended.id), { ...own, headers: open });
      expect([opened.json.name, opened.json.resource_name]).to.deep.equal(['', 'h.txt']);
      const show = { ...own, headers: open, body: { is_hidden: false } };
      await service.call('PATCH', `/v1/objects/${hidden}`, show);
      expect((await visit(suspended.token)).status).to.equal(200);
    });

    it('are deleted with their target', async () => {
      const resource_id = await folder(`Gone ${Date.now()}`);
      const object = await file('gone.txt', { collection_id: resource_id });
      const shares = [
        await created({ kind: 'folder', resource_id }),
        await created({ kind: 'file', resource_id: object }),
      ];
      await service.call('DELETE', `/v1/collections/${resource_id}`);
      await service.call('DELETE', `/v1/objects/${object}?permanent=true`);
      for (const { id, token } of shares) {
        expect((await service.call('GET', at(id))).status).to.equal(404);
        expect((await visit(token)).status).to.equal(404);
      }
      expect((await service.cli('doctor')).ok).to.equal(true);
    });

    it('are not exported, and neither are their secrets', async () => {
      const { token } = await service.newOwner();
      const own = { token };
      const resource_id = await folder('Exported', own);
      const share = (
        await create(
          { kind: 'folder', resource_id, name: 'To nobody', password: 'long enough' },
          own,
        )
      ).json;
      const response = await fetch(`${service.base}/v1/export`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const files = await filesOf(Buffer.from(await response.arrayBuffer()));
      const all = [...files].flat().join('\n');
      expect(all).to.include(resource_id);
      for (const secret of [share.id, share.token, 'To nobody', 'share'])
        expect(all).not.to.include(secret);
    });
  });
