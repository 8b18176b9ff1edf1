import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profiles, startService, type Service } from './harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const BEARER = /^owt_([A-Za-z0-9]{8})_[A-Za-z0-9_-]{43}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_SAMPLE = '2026-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;
const SCOPES = ['read', 'write', 'ask', 'calendar', 'shares', 'connections', 'account'];

/** Loaded into a served process before anything else: its clock is off by the milliseconds in a file. */
const SHIFTED_CLOCK = `import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));`;

for (const profile of profiles)
  describe(`${profile}: owners and tokens`, function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService(profile, { TRUST_PROXY: '1' });
    });
    after(() => service.dispose());

    const issue = async (body: object = { name: 'extra' }) =>
      (await service.call('POST', '/v1/tokens', { body })).json;
    const me = async (token: string | null) => service.call('GET', '/v1/me', { token });
    const refused = { status: 401, json: { detail: 'Not authenticated', code: 'unauthorized' } };

    it("returns the caller's identity", async () => {
      const { status, json } = await me(service.token);
      expect(status).to.equal(200);
      expect(json).to.have.all.keys('owner', 'tenant', 'token', 'session');
      expect(json.session).to.equal(null);
      expect(json.owner).to.have.all.keys('id', 'name', 'role', 'created_at');
      expect(json.owner.role).to.equal('unlimited');
      expect(json.owner.created_at).to.match(TIME);
      expect(json.tenant).to.have.all.keys('id', 'name');
      const { id, created_at, expires_at, last_used_at, last_used_network, ...card } = json.token;
      expect(card).to.deep.equal({
        name: 'first',
        prefix: BEARER.exec(service.token)?.[1],
        access: 'full',
        scopes: SCOPES,
        collection_ids: null,
      });
      expect(id).to.match(UUID);
      expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(365 * DAY_MS);
      expect(last_used_at ?? TIME_SAMPLE).to.match(TIME);
      expect(last_used_network ?? '127.0.0.0/24').to.equal('127.0.0.0/24');
      for (const { id } of [json.owner, json.tenant, json.token]) expect(id).to.match(UUID);
    });

    it('shows a token once, and its prefix afterwards', async () => {
      const created = await issue({ name: ' extra ', expires_in_days: 30 });
      expect(created.token).to.match(BEARER);
      expect(created.prefix).to.equal(created.token.slice(4, 12));
      expect([created.name, created.access]).to.deep.equal(['extra', 'full']);
      const lasts = Date.parse(created.expires_at) - Date.now();
      expect(lasts / DAY_MS).to.be.closeTo(30, 0.01);
      const list = await service.call('GET', '/v1/tokens');
      const { token, ...card } = created;
      expect(list.json.items[0]).to.deep.equal(card);
      expect(list.text).not.to.include(token.slice(13));
      expect((await me(token)).json.token.id).to.equal(created.id);
    });

    it('rejects names and lifetimes out of range', async () => {
      for (const [body, type, loc] of [
        [{}, 'missing', 'name'],
        [{ name: '  ' }, 'string_too_short', 'name'],
        [{ name: 'x'.repeat(101) }, 'string_too_long', 'name'],
        [{ name: 'x', expires_in_days: 0 }, 'greater_than_equal', 'expires_in_days'],
        [{ name: 'x', expires_in_days: 3651 }, 'less_than_equal', 'expires_in_days'],
        [{ name: 'x', access: 'write' }, 'literal_error', 'access'],
      ] as const) {
        const { status, json } = await service.call('POST', '/v1/tokens', { body });
        expect([status, json.detail[0].type], loc).to.deep.equal([422, type]);
        expect(json.detail[0].loc).to.deep.equal(['body', loc]);
      }
    });

    it('lets a read-only token change nothing, itself included', async () => {
      const { token, id } = await issue({ name: 'reader', access: 'read' });
      const note = await service.call('POST', '/v1/objects/notes', { body: { content: 'stays' } });
      const card = async () => (await service.settled(note.json.id)) as unknown;
      const before = await card();
      for (const [method, path, body] of [
        ['PATCH', `/v1/objects/${note.json.id}`, { filename: 'gone' }],
        ['DELETE', `/v1/objects/${note.json.id}`, undefined],
        ['POST', '/v1/objects/notes', { content: 'x' }],
        ['POST', '/v1/tokens', { name: 'x' }],
        ['DELETE', `/v1/tokens/${id}`, undefined],
        ['POST', '/v1/chats', { title: 'What stays?' }],
      ] as const) {
        const { status, json } = await service.call(method, path, { token, body });
        expect([status, json.code], path).to.deep.equal([403, 'forbidden']);
      }
      expect(await card()).to.deep.equal(before);
      expect((await service.call('GET', '/v1/objects', { token })).status).to.equal(200);
    });

    it('revokes immediately, through the API and from the command line', async () => {
      const other = profile === 'team' ? await service.beside() : service;
      const everywhere = async (token: string) =>
        Promise.all([service, other].map((it) => it.call('GET', '/v1/me', { token })));
      try {
        const [mine, theirs] = [await issue(), await issue()];
        for (const token of [mine.token, theirs.token])
          for (const { status } of await everywhere(token)) expect(status).to.equal(200);
        await service.call('DELETE', `/v1/tokens/${mine.id}`);
        for (const answer of await everywhere(mine.token)) expect(answer).to.deep.include(refused);
        await service.cli('token', 'revoke', theirs.prefix);
        for (const answer of await everywhere(theirs.token))
          expect(answer).to.deep.include(refused);
        expect((await service.call('DELETE', `/v1/tokens/${mine.id}`)).status).to.equal(404);
      } finally {
        if (other !== service) await other.stop();
      }
    });

    it('expires a token in time, and setting the clock back does not revive it', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'ow-clock-'));
      const clock = join(folder, 'clock');
      const set = (days: number) => writeFile(clock, String(days * DAY_MS));
      await set(0);
      const shifted = await startService(profile, {
        CLOCK_FILE: clock,
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(SHIFTED_CLOCK)}`,
      });
      try {
        const created = { name: 'short', expires_in_days: 1 };
        const { token } = (await shifted.call('POST', '/v1/tokens', { body: created })).json;
        expect((await shifted.call('GET', '/v1/me', { token })).status).to.equal(200);
        await set(1);
        expect(await shifted.call('GET', '/v1/me', { token })).to.deep.include(refused);
        expect((await shifted.call('GET', '/v1/me')).status).to.equal(200);
        await set(0);
        expect(await shifted.call('GET', '/v1/me', { token })).to.deep.include(refused);
      } finally {
        await shifted.dispose();
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('accepts only a bearer token in the header', async () => {
      const { token } = service;
      for (const authorization of [
        undefined,
        '',
        'Bearer',
        'Bearer  ',
        `Basic ${Buffer.from(`owner:${token}`).toString('base64')}`,
        token,
        `Bearer ${token}x`,
        `Bearer ${token}, Bearer ${token}`,
        `Bearer ${token.slice(0, 12)}_${'A'.repeat(43)}`,
      ])
        for (const path of [
          '/v1/me',
          '/health/deep',
          `/v1/me?token=${token}&access_token=${token}`,
        ]) {
          const answer = await service.call('GET', path, {
            token: null,
            headers: {
              cookie: `token=${token}`,
              ...(authorization !== undefined && { authorization }),
            },
          });
          expect(answer, `${String(authorization)} ${path}`).to.deep.include(refused);
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
        }
      const headers = { authorization: `bearer   ${token}` };
      expect((await service.call('GET', '/v1/me', { token: null, headers })).status).to.equal(200);
    });

    it('creates tenants, owners and tokens from the command line while it serves', async () => {
      const tenant = await service.cli('tenant', 'create', 'Harbour');
      expect(tenant).to.deep.equal({ id: tenant.id, name: 'Harbour' });
      const byId = await service.cli('owner', 'create', 'Ann', '--tenant', tenant.id);
      const byName = await service.cli(
        ...['owner', 'create', 'Bob', '--tenant', 'Harbour', '--role', 'pro'],
      );
      for (const [owner, name, role] of [
        [byId, 'Ann', 'unlimited'],
        [byName, 'Bob', 'pro'],
      ] as const) {
        expect(owner).to.have.all.keys('id', 'name', 'role', 'tenant_id', 'token');
        expect(owner).to.deep.include({ name, role, tenant_id: tenant.id });
        expect((await me(owner.token)).json.owner).to.deep.include({ id: owner.id, name, role });
      }
      const words = '--name ci --days 7 --access read'.split(' ');
      const issued = await service.cli('token', 'issue', '--owner', byId.id, ...words);
      const { token, ...issuedCard } = issued;
      expect(issuedCard).to.deep.include({
        name: 'ci',
        access: 'read',
        scopes: ['read', 'ask'],
        collection_ids: null,
      });
      const lasts = Date.parse(issued.expires_at) - Date.parse(issued.created_at);
      expect(lasts).to.equal(7 * DAY_MS);
      const shown = (await me(token)).json.token;
      expect(shown).to.have.all.keys(Object.keys(issuedCard));
      const { last_used_at, last_used_network, ...stable } = issuedCard;
      expect([last_used_at, last_used_network]).to.deep.equal([null, null]);
      expect(shown).to.deep.include(stable);
      const { items, total } = await service.cli('owner', 'list');
      expect(total).to.equal(items.length);
      expect(items.map((it: { id: string }) => it.id)).to.include.members([byId.id, byName.id]);
    });

    it('issues tokens with scopes, with folders and without an end from the command line', async () => {
      const { id, token } = await service.newOwner();
      const folder = (
        await service.call('POST', '/v1/collections', { token, body: { name: 'Tides' } })
      ).json.id;
      const words = ['--scopes', 'ask,read', '--folders', folder, '--days', 'never'];
      const issued = await service.cli('token', 'issue', '--owner', id, ...words);
      expect(issued).to.deep.include({
        access: 'read',
        scopes: ['read', 'ask'],
        collection_ids: [folder],
        expires_at: null,
      });
      const usual = await service.cli('token', 'issue', '--owner', id);
      expect(usual).to.deep.include({ access: 'full', scopes: SCOPES, collection_ids: null });
      const lasts = Date.parse(usual.expires_at) - Date.parse(usual.created_at);
      expect(lasts).to.equal(365 * DAY_MS);
    });

    it('reports an error to the operator in one line', async () => {
      const theirs = (await service.newOwner()).id;
      for (const words of [
        ['tenant', 'create', 'Harbour'],
        ['owner', 'create', 'Ann', '--tenant', 'nowhere'],
        ['owner', 'create', 'Ann', '--tenant', 'Harbour', '--role', 'king'],
        ['token', 'issue', '--owner', '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f'],
        ['token', 'issue', '--owner', 'nobody'],
        ['token', 'issue', '--owner', theirs, '--folders', '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f'],
        ['token', 'issue', '--owner', theirs, '--access', 'read', '--scopes', 'read'],
        ['token', 'revoke', 'AAAAAAAA'],
      ]) {
        const failed = await service.cli(...words).then(
          () => undefined,
          (error: { code: number; stderr: string; stdout: string }) => error,
        );
        expect(failed?.code, words.join(' ')).to.equal(1);
        expect(failed?.stderr, words.join(' ')).to.match(/^owner-workspace: [^\n]+\n$/);
        expect(failed?.stdout).to.equal('');
      }
    });
  });
