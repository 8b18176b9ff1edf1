import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import type { Database } from '../../adapters/knex/database.ts';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { REDIS_URL } from '../backends-env.ts';
import { CLI, profiles, startService, type Answer, type Call, type Service } from './harness.ts';

const PIN = '4711';
const SHARE_PASSWORD = 'open sesame';
const PASSWORD = 'harbour lantern at midnight';
const FIELDS = 'id at kind actor network subject detail facts'.split(' ');
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

interface Event {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  readonly network: string;
  readonly subject: string;
  readonly detail: string;
  readonly facts: Readonly<Record<string, unknown>> | null;
}

const opened = ({ databaseUrl, dataDir }: Service): Database =>
  databaseUrl ? openPostgres(databaseUrl) : openSqlite(join(dataDir, 'workspace.db'));

for (const profile of profiles)
  describe(`${profile}: the log of security events`, function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => (service = await startService(profile)));
    after(() => service.dispose());

    /** An owner with an empty workspace and a log of one event. */
    async function newOwner() {
      const { id, token } = await service.newOwner();
      const call = (method: string, path: string, sent: Call = {}) =>
        service.call(method, path, { token, ...sent });
      const ok = async (method: string, path: string, sent: Call = {}) => {
        const answer = await call(method, path, sent);
        expect(answer.status, `${method} ${path} ${answer.text}`).to.equal(200);
        return answer;
      };
      const events = async (query = '', sent: Call = {}): Promise<readonly Event[]> =>
        (await ok('GET', `/v1/security-events?limit=200${query}`, sent)).json.items;
      /** The events that the work adds, oldest first. */
      const added = async (work: () => Promise<unknown>, sent: Call = {}) => {
        const before = (await events('', sent)).length;
        await work();
        const all = await events('', sent);
        return all.slice(0, all.length - before).reverse();
      };
      const kinds = async (work: () => Promise<unknown>, sent: Call = {}) =>
        (await added(work, sent)).map(({ kind }) => kind);
      const note = async (content: string): Promise<string> =>
        (await ok('POST', '/v1/objects/notes', { body: { content } })).json.id;
      const share = async (resource_id: string): Promise<{ id: string; token: string }> => {
        const body = { kind: 'file', resource_id, role: 'viewer', password: SHARE_PASSWORD };
        return (await ok('POST', '/v1/shares', { body })).json;
      };
      const unlock = (of: string, password: string): Promise<Answer> =>
        service.call('POST', `/v1/public/shares/${of}/unlock`, {
          token: null,
          body: { password },
        });
      return { id, token, call, ok, events, added, kinds, note, share, unlock };
    }

    it('lists what tokens, the PIN, shares, transfers, connections and the trash do', async () => {
      const owner = await newOwner();
      const { call, ok, kinds } = owner;
      const made = await owner.added(() =>
        call('POST', '/v1/tokens', { body: { name: 'laptop' } }),
      );
      expect(made).to.have.length(1);
      const [created] = made;
      expect(Object.keys(created ?? {})).to.deep.equal(FIELDS);
      expect(created).to.deep.include({ kind: 'token_created', network: '127.0.0.0/24' });
      expect(created?.actor).to.include({ kind: 'token', name: 'first' });
      const { expires_at: expiresAt, ...rights } = created?.facts ?? {};
      expect(expiresAt).to.match(/^\d{4}-\d\d-\d\dT/);
      expect(rights).to.deep.equal({
        name: 'laptop',
        scopes: null,
        access: 'full',
        is_folder_bound: false,
      });
      const revoke = () => call('DELETE', `/v1/tokens/${created?.subject}`);
      expect(await kinds(revoke)).to.deep.equal(['token_revoked']);
      expect(await kinds(revoke), 'repeated').to.deep.equal([]);

      const pin = (method: string, path: string, body: object) =>
        kinds(() => call(method, `/v1/hidden-pin${path}`, { body }));
      expect(await pin('POST', '', { pin: PIN })).to.deep.equal(['pin_set']);
      expect(await pin('POST', '/unlock', { pin: PIN })).to.deep.equal(['zone_unlocked']);
      expect(await pin('POST', '/unlock', { pin: '0000' })).to.deep.equal(['zone_unlock_failed']);
      expect(await pin('POST', '/lock', {})).to.deep.equal([]);
      expect(await pin('DELETE', '', { pin: PIN })).to.deep.equal(['pin_removed']);
      expect(await pin('DELETE', '', { pin: PIN })).to.deep.equal([]);

      const link = await owner.share(await owner.note('A lantern.'));
      const edit = (body: object) => kinds(() => ok('PATCH', `/v1/shares/${link.id}`, { body }));
      expect(await edit({ name: '' })).to.deep.equal([]);
      expect(await edit({ name: 'Link', expires_in_days: 3 })).to.deep.equal(['share_changed']);
      expect(await kinds(() => owner.unlock(link.token, 'open barley'))).to.deep.equal([
        'share_unlock_failed',
      ]);
      const [unlocked] = await owner.added(() => owner.unlock(link.token, SHARE_PASSWORD));
      expect(unlocked).to.deep.include({ kind: 'share_unlocked', subject: link.id });
      expect(unlocked?.actor).to.deep.equal({ kind: 'visitor', id: '', name: '' });
      expect(await kinds(() => ok('DELETE', `/v1/shares/${link.id}`))).to.deep.equal([
        'share_revoked',
      ]);

      expect(await kinds(() => call('HEAD', '/v1/export'))).to.deep.equal([]);
      let archive: Answer | undefined;
      expect(await kinds(async () => (archive = await ok('GET', '/v1/export')))).to.deep.equal([
        'exported',
      ]);
      expect(archive?.text.length).to.be.greaterThan(100);
      const bytes = await (
        await fetch(`${service.base}/v1/export`, {
          headers: { authorization: `Bearer ${owner.token}` },
        })
      ).arrayBuffer();
      const headers = { 'content-type': 'application/zip', 'idempotency-key': 'once' };
      const send = (raw: ArrayBuffer) => () => call('POST', '/v1/import', { headers, raw });
      expect(await kinds(send(bytes))).to.deep.equal(['imported']);
      expect(await kinds(send(bytes)), 'repeated with its key').to.deep.equal([]);
      headers['idempotency-key'] = 'twice';
      expect(await kinds(send(bytes.slice(0, 50)))).to.deep.equal([]);

      const config = { base_url: 'http://127.0.0.1:9/v1', model: 'm' };
      const connect = (body: object) => () => call('PUT', '/v1/integrations/llm', { body });
      expect(await kinds(connect({ config, secret: 'sk-lantern' }))).to.deep.equal([
        'connection_changed',
      ]);
      expect(await kinds(connect({ config }))).to.deep.equal([]);
      expect(await kinds(() => ok('DELETE', '/v1/integrations/llm'))).to.deep.equal([
        'connection_removed',
      ]);

      await ok('DELETE', `/v1/objects/${await owner.note('Gone.')}`);
      const empty = () => ok('DELETE', '/v1/objects/trash');
      expect(await kinds(empty)).to.deep.equal(['trash_emptied']);
      expect(await kinds(empty)).to.deep.equal([]);

      const { json, text } = await ok('GET', '/v1/security-events?limit=200');
      expect(json.items.map(({ at }: Event) => at)).to.deep.equal(
        json.items
          .map(({ at }: Event) => at)
          .sort()
          .reverse(),
      );
      for (const secret of [PIN, '0000"', SHARE_PASSWORD, 'open barley', 'sk-lantern', 'A lantern'])
        expect(text.replaceAll(/"(id|at|subject)":"[^"]*"/g, '')).not.to.include(secret);
      for (const bearer of [owner.token, link.token]) expect(text).not.to.include(bearer);
    });

    it('names the session of a browser, and what ends it', async () => {
      const owner = await newOwner();
      const { json: me } = await owner.ok('GET', '/v1/me');
      expect(
        await owner.kinds(() =>
          owner.ok('PUT', '/v1/me/password', { body: { password: PASSWORD } }),
        ),
      ).to.deep.equal(['password_set']);
      let cookie = '';
      const signIn = async (userAgent: string) => {
        const { headers } = await owner.ok('POST', '/v1/sign-in/password', {
          token: null,
          headers: { 'user-agent': userAgent },
          body: { name: me.owner.name, password: PASSWORD },
        });
        cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      };
      const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
      const chrome =
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
      expect(await owner.kinds(() => signIn(firefox))).to.deep.equal(['signed_in']);
      const alerts = async () =>
        (await owner.ok('GET', '/v1/notifications')).json.items.filter(
          ({ kind }: { kind: string }) => kind === 'security.alert',
        );
      expect(await alerts(), 'the first one').to.deep.equal([]);
      expect(await owner.kinds(() => signIn(firefox))).to.deep.equal(['signed_in']);
      expect(await alerts()).to.deep.equal([]);
      const [signed] = await owner.added(() => signIn(chrome));
      const [alert, ...others] = await alerts();
      expect(others).to.deep.equal([]);
      expect(alert.payload).to.deep.equal({
        event_id: signed?.id,
        kind: 'signed_in',
        alert: 'new_client',
        client: signed?.actor.name,
        network: '127.0.0.0/24',
        at: signed?.at,
        attempts: 0,
        passkey: '',
      });
      expect(signed?.facts).to.deep.equal({ method: 'password' });
      expect(alert.body)
        .to.match(/Chrome/)
        .and.match(/127\.0\.0\.0\/24/);

      const browser: Call = {
        token: null,
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      };
      const [made] = await owner.added(() =>
        owner.ok('POST', '/v1/tokens', { ...browser, body: { name: 'phone' } }),
      );
      expect(made?.actor).to.include({ kind: 'session', id: signed?.subject });
      expect(made?.actor.name).to.match(/Chrome/);
      expect(await owner.kinds(() => owner.ok('POST', '/v1/sign-out', browser))).to.deep.equal([
        'signed_out',
      ]);
      expect(await owner.kinds(() => owner.ok('DELETE', '/v1/sessions'))).to.deep.equal([
        'session_ended',
      ]);
      const { text } = await owner.ok('GET', '/v1/security-events');
      expect(text).not.to.include(PASSWORD);
      expect(text).not.to.include(cookie.split('=')[1]);
    });

    it('alerts when PIN entry is locked', async () => {
      const owner = await newOwner();
      await owner.ok('POST', '/v1/hidden-pin', { body: { pin: PIN } });
      const guess = () => owner.call('POST', '/v1/hidden-pin/unlock', { body: { pin: '0000' } });
      const guesses = async () => {
        for (let i = 0; i < 7; i++) await guess();
      };
      const found = await owner.kinds(guesses);
      expect(found).to.deep.equal([
        ...Array.from({ length: 5 }, () => 'zone_unlock_failed'),
        'zone_locked_out',
      ]);
      const { items } = (await owner.ok('GET', '/v1/notifications')).json;
      const [lockout] = await owner.events('&kind=zone_locked_out');
      expect(items).to.have.length(1);
      expect(items[0]).to.deep.include({
        kind: 'security.alert',
        payload: {
          event_id: lockout?.id,
          kind: 'zone_locked_out',
          alert: 'pin_locked',
          client: 'first',
          network: '127.0.0.0/24',
          at: lockout?.at,
          attempts: 5,
          passkey: '',
        },
      });
    });

    it('names the operator where the command line acts', async () => {
      const owner = await newOwner();
      const [first] = await owner.events();
      expect(first).to.deep.include({ kind: 'token_created', network: '' });
      expect(first?.actor.kind).to.equal('operator');
      const issued = await service.cli('token', 'issue', '--owner', owner.id, '--name', 'by hand');
      await service.cli('token', 'revoke', issued.prefix ?? issued.token.slice(3, 11));
      const [revoked, created] = await owner.events();
      expect([created?.kind, revoked?.kind]).to.deep.equal(['token_created', 'token_revoked']);
      for (const event of [created, revoked])
        expect(event?.actor).to.deep.equal({ kind: 'operator', id: '', name: 'command line' });
    });

    it('is paged by cursors, and filtered by kind', async () => {
      const owner = await newOwner();
      for (let i = 0; i < 6; i++)
        await owner.ok('POST', '/v1/tokens', { body: { name: `token ${i}` } });
      await owner.ok('POST', '/v1/hidden-pin', { body: { pin: PIN } });
      const all = await owner.events();
      expect(all).to.have.length(8);
      const walk = async (query: string): Promise<readonly Event[]> => {
        const walked: Event[] = [];
        for (let cursor = ''; ;) {
          const { json } = await owner.ok('GET', `/v1/security-events?${query}${cursor}`);
          walked.push(...json.items);
          if (json.next_cursor === null) return walked;
          // An event that is new meanwhile moves nothing.
          await owner.ok('POST', '/v1/hidden-pin/unlock', { body: { pin: PIN } });
          cursor = `&cursor=${json.next_cursor}`;
        }
      };
      expect(await walk('limit=3')).to.deep.equal(all);
      expect(await walk('limit=2&kind=token_created')).to.deep.equal(all.slice(1));
      expect(await owner.events('&kind=restored')).to.deep.equal([]);
      const { json } = await owner.ok('GET', '/v1/security-events');
      expect(json.next_cursor).to.equal(null);
    });

    it('rejects wrong queries, and a cursor of elsewhere reaches nothing', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      for (let i = 0; i < 2; i++)
        await other.ok('POST', '/v1/tokens', { body: { name: `token ${i}` } });
      const wrong = [
        'limit=0',
        'limit=201',
        'limit=x',
        'kind=nonsense',
        'kind=constructor',
        'kind=',
        'cursor=',
        'cursor=constructor',
        `cursor=${UNKNOWN}`,
        `cursor=${'A'.repeat(300)}`,
        `cursor=${Buffer.from('1.x').toString('base64url')}`,
      ];
      for (const query of wrong) {
        const { status } = await owner.call('GET', `/v1/security-events?${query}`);
        expect(status, query).to.equal(422);
      }
      const { json } = await other.ok('GET', '/v1/security-events?limit=1');
      for (const cursor of [
        json.next_cursor,
        Buffer.from(`1.${UNKNOWN}`).toString('base64url'),
        Buffer.from(`9999999999999999.${UNKNOWN}`).toString('base64url'),
      ]) {
        const page = await owner.ok('GET', `/v1/security-events?cursor=${cursor}`);
        expect(page.json).to.deep.equal({ items: [], next_cursor: null });
      }
      const none = await service.call('GET', '/v1/security-events', { token: null });
      expect(none.status).to.equal(401);
      const read = await owner.ok('POST', '/v1/tokens', {
        body: { name: 'reader', access: 'read' },
      });
      const refused = await service.call('GET', '/v1/security-events', { token: read.json.token });
      expect(refused.status).to.equal(403);
      expect(refused.json.detail).to.include('account');
    });

    it('lists what concerns a hidden object only while the zone is open', async () => {
      const owner = await newOwner();
      const [stays, hides] = [await owner.note('a'), await owner.note('b')];
      for (const id of [stays, hides]) {
        const { token } = await owner.share(id);
        await owner.unlock(token, 'open barley');
      }
      const { json } = await owner.ok('POST', '/v1/hidden-pin', { body: { pin: PIN } });
      const open: Call = { headers: { 'x-hidden-token': json.token } };
      const before = await owner.events();
      await owner.ok('PATCH', `/v1/objects/${hides}`, { ...open, body: { is_hidden: true } });
      const locked = await owner.events();
      expect([before.length, locked.length]).to.deep.equal([6, 4]);
      expect(await owner.events('', open)).to.deep.equal(before);
      expect(await owner.events('', { headers: { 'x-hidden-token': 'wrong' } })).to.deep.equal(
        locked,
      );
      await owner.ok('DELETE', `/v1/objects/${hides}`, open);
      const empty = () => owner.ok('DELETE', '/v1/objects/trash', open);
      expect(await owner.kinds(empty), 'seen while locked').to.deep.equal([]);
      expect(await owner.events()).to.deep.equal(locked);
      expect(await owner.events('&kind=trash_emptied', open)).to.have.length(1);
    });

    describe('checked by the doctor', () => {
      interface Checked {
        readonly code: number;
        readonly found: Readonly<Record<string, readonly string[]>>;
      }
      const doctor = (): Promise<Checked> =>
        new Promise((resolve) => {
          const env = {
            PATH: process.env['PATH'],
            PROFILE: profile,
            DATA_DIR: service.dataDir,
            ...(service.databaseUrl && { DATABASE_URL: service.databaseUrl, REDIS_URL }),
          };
          const words = [CLI, 'doctor', '--json'];
          execFile(process.execPath, words, { env, cwd: tmpdir() }, (error, stdout) => {
            const { checks } = JSON.parse(stdout) as {
              checks: { name: string; count: number; examples: string[] }[];
            };
            const chains = checks.filter(({ name }) => name.startsWith('security_events_'));
            expect(chains).to.have.length(3);
            const found = chains.filter(({ count }) => count > 0);
            resolve({
              code: Number(error?.code ?? 0),
              found: Object.fromEntries(found.map(({ name, examples }) => [name, examples])),
            });
          });
        });
      const run = async (statement: string): Promise<void> => {
        const database = opened(service);
        try {
          await database.write('', (sql) => sql.run(statement));
        } finally {
          await database.close();
        }
      };

      it('a changed, a swapped and a removed event are named; expired ones are not missed', async () => {
        const owners = await Promise.all(Array.from({ length: 4 }, newOwner));
        for (const { ok } of owners)
          for (let i = 0; i < 4; i++) await ok('POST', '/v1/tokens', { body: { name: `${i}` } });
        const [changed, removed, swapped, expired] = owners.map(({ id }) => id);
        expect(await doctor()).to.deep.equal({ code: 0, found: {} });
        const where = (owner: string | undefined, seq: number) =>
          `where owner_id = '${owner}' and seq = ${seq}`;
        await run(`delete from security_events ${where(expired, 1)}`);
        await run(`delete from security_events ${where(expired, 2)}`);
        expect(await doctor(), 'the first ones').to.deep.equal({ code: 0, found: {} });
        await run(`update security_events set detail = 'Nothing.' ${where(changed, 3)}`);
        await run(`delete from security_events ${where(removed, 2)}`);
        await run(`update security_events set seq = 99 ${where(swapped, 2)}`);
        await run(`update security_events set seq = 2 ${where(swapped, 3)}`);
        await run(`update security_events set seq = 3 ${where(swapped, 99)}`);
        const { code, found } = await doctor();
        expect(code).to.equal(1);
        expect(found).to.deep.equal({
          security_events_changed: [`${changed}/3`, `${swapped}/2`, `${swapped}/3`].sort(),
          security_events_missing: [`${removed}/3`],
          security_events_unlinked: [`${swapped}/4`],
        });
        // The service itself goes on.
        await owners[0]?.ok('POST', '/v1/tokens', { body: { name: 'later' } });
        expect((await doctor()).found).to.deep.equal(found);
      });

      it('a service that writes meanwhile causes no findings', async () => {
        const fresh = await newOwner();
        const before = (await doctor()).found;
        let isBusy = true;
        const writers = [1, 2, 3].map(async () => {
          while (isBusy) {
            const { json } = await fresh.ok('POST', '/v1/tokens', { body: { name: 'x' } });
            await fresh.ok('DELETE', `/v1/tokens/${json.id}`);
          }
        });
        try {
          for (let i = 0; i < 3; i++) expect((await doctor()).found).to.deep.equal(before);
        } finally {
          isBusy = false;
          await Promise.all(writers);
        }
      });
    });
  });
