import { readFile, readdir, rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { profiles, startService, type Answer, type Call, type Service } from './harness.ts';

const PASSWORD = 'seven crooked umbrellas';
const CHANGED = 'nine patient hedgehogs';
const WRONG = 'never the right words';
const MINUTE_MS = 60_000;

/** Loaded into a served process before anything else: its clock is off by the milliseconds in a file. */
const SHIFTED_CLOCK = `import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));`;

interface Account {
  readonly name: string;
  readonly token: string;
}

interface SignInOptions {
  readonly address?: string;
  readonly on?: Service;
  readonly headers?: Readonly<Record<string, string>>;
}

for (const profile of profiles)
  describe(`${profile}: passwords`, function () {
    this.timeout(60_000);
    let service: Service;
    let folder: string;
    let minutes = 0;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ow-clock-'));
      await writeFile(join(folder, 'clock'), '0');
      await writeFile(join(folder, 'clock.mjs'), SHIFTED_CLOCK);
      service = await startService(profile, {
        TRUST_PROXY: '1',
        LOG_LEVEL: 'debug',
        CLOCK_FILE: join(folder, 'clock'),
        NODE_OPTIONS: `--import=${join(folder, 'clock.mjs')}`,
      });
    });
    after(async () => {
      await service.dispose();
      await rm(folder, { recursive: true });
    });

    /** The clocks of all processes go forward. */
    const wait = async (more: number): Promise<void> => {
      minutes += more;
      await writeFile(join(folder, 'clock'), String(minutes * MINUTE_MS));
    };
    const newAccount = async (password: string | null = PASSWORD): Promise<Account> => {
      const { token } = await service.newOwner();
      const { json } = await service.call('GET', '/v1/me', { token });
      if (password !== null)
        expect((await put({ token }, { password })).status, 'a password is set').to.equal(200);
      return { name: json.owner.name as string, token };
    };
    const put = (credential: Call, body: unknown) =>
      service.call('PUT', '/v1/me/password', { ...credential, body });
    let addresses = 0;
    const newAddress = () => `10.${++addresses >> 8}.${addresses & 255}.7`;
    const signIn = (
      name: unknown,
      password: unknown,
      { address = newAddress(), on = service, headers = {} }: SignInOptions = {},
    ): Promise<Answer> =>
      on.call('POST', '/v1/sign-in/password', {
        token: null,
        headers: { 'x-forwarded-for': address, ...headers },
        body: { name, password },
      });
    const cookieOf = ({ headers }: Answer): string =>
      /^session=[A-Za-z0-9_-]{43}/.exec(headers.get('set-cookie') ?? '')?.[0] ?? '';
    /** By the cookie of a sign-in. */
    const bySession = (signedIn: Answer): Call => ({
      token: null,
      headers: { cookie: cookieOf(signedIn), 'sec-fetch-site': 'same-origin' },
    });
    const codeOf = ({ status, json }: Answer) => `${status} ${json?.code ?? ''}`;

    it('sign in an owner, whose cookie then identifies it', async () => {
      const { name, token } = await newAccount();
      const signedIn = await signIn(name.toUpperCase(), PASSWORD, { address: '198.51.100.7' });
      expect(signedIn.status).to.equal(200);
      const { owner } = (await service.call('GET', '/v1/me', { token })).json;
      expect(signedIn.json).to.have.all.keys('session', 'owner');
      expect(signedIn.json.owner).to.deep.equal({ id: owner.id, name });
      expect(signedIn.json.session).to.include({ network: '198.51.100.0/24', current: true });
      const cookie = cookieOf(signedIn);
      expect(cookie).not.to.equal('');
      expect(signedIn.text).not.to.include(cookie.slice(8));
      expect(signedIn.headers.get('cache-control')).to.include('no-store');
      const me = await service.call('GET', '/v1/me', bySession(signedIn));
      expect(me.json.owner).to.deep.equal(owner);
    });

    it('reject a wrong name and a wrong password with the same answer', async () => {
      const { name } = await newAccount();
      const without = await newAccount(null);
      const answers = [
        await signIn(name, WRONG),
        await signIn(without.name, WRONG),
        await signIn(without.name, ''),
        await signIn(`unknown ${name}`, PASSWORD),
        await signIn('constructor', PASSWORD),
        await signIn('\u202e', 'é'.repeat(512)),
      ];
      const shown = answers.map(({ status, text, headers }) => ({
        status,
        text,
        headers: [...headers.keys()],
      }));
      for (const each of shown) expect(each).to.deep.equal(shown[0]);
      expect(codeOf(answers[0] as Answer)).to.equal('401 sign_in_failed');
      expect(answers[0]?.headers.get('set-cookie')).to.equal(null);
    });

    it('are rejected by their rules as validation errors that do not repeat them', async () => {
      const { name, token } = await newAccount(null);
      const rejected = [
        'fourteen chars',
        'x'.repeat(129),
        '😀'.repeat(14),
        'passwordpassword',
        'a'.repeat(40),
        `I am ${name.replaceAll('-', '_').toUpperCase()}`,
      ];
      for (const password of rejected) {
        const answer = await put({ token }, { password });
        expect(answer.status, password).to.equal(422);
        expect(answer.json.detail).to.have.length(1);
        expect(answer.json.detail[0].loc).to.deep.equal(['body', 'password']);
        expect(answer.json.detail[0].msg).to.be.a('string').and.not.equal('');
        expect(answer.text).not.to.include(password).and.not.include('input');
      }
      const bodies = [
        {},
        { password: 5 },
        { password: [PASSWORD] },
        { password: PASSWORD, current: { constructor: CHANGED } },
        { password: PASSWORD, current: CHANGED.repeat(40) },
        [PASSWORD],
      ];
      for (const body of bodies) {
        const answer = await put({ token }, body);
        expect(answer.status, JSON.stringify(body)).to.equal(422);
        expect(answer.text).not.to.include(PASSWORD).and.not.include(CHANGED);
      }
      for (const [who, password] of [
        ['', PASSWORD],
        ['x'.repeat(101), PASSWORD],
        [5, PASSWORD],
        [name, 'x'.repeat(513)],
        [name, null],
        [name, [PASSWORD]],
      ]) {
        const answer = await signIn(who, password);
        expect(answer.status).to.equal(422);
        expect(answer.text).not.to.include(PASSWORD);
      }
      expect(codeOf(await signIn(name, PASSWORD))).to.equal('401 sign_in_failed');
      for (const password of ['fifteen letters', '😀x'.repeat(64)]) {
        const [set, current] = [await put({ token }, { password }), password];
        expect(set.status).to.equal(200);
        expect(Date.parse(set.json.set_at)).to.be.closeTo(Date.now() + minutes * MINUTE_MS, 60_000);
        expect((await signIn(name, password)).status).to.equal(200);
        await put({ token }, { current, password: PASSWORD });
        await service.call('DELETE', '/v1/me/password', { token });
      }
    });

    it('are changed with the current one, after a recent sign-in, and end the other sessions', async () => {
      const { name, token } = await newAccount();
      const [mine, other] = [await signIn(name, PASSWORD), await signIn(name, PASSWORD)];
      const session = bySession(mine);
      for (const credential of [session, { token }])
        for (const current of [undefined, null, '', WRONG])
          expect(codeOf(await put(credential, { password: CHANGED, current }))).to.equal(
            '403 wrong_password',
          );
      await wait(16);
      const change = { current: PASSWORD, password: CHANGED };
      expect(codeOf(await put(session, change))).to.equal('403 sign_in_again');
      expect(codeOf(await service.call('DELETE', '/v1/me/password', session))).to.equal(
        '403 sign_in_again',
      );
      const again = await signIn(name, PASSWORD, { headers: { cookie: cookieOf(mine) } });
      expect(again.json.session.id).to.equal(mine.json.session.id);
      const renewed = bySession(again);
      expect((await put(renewed, change)).status).to.equal(200);
      expect((await service.call('GET', '/v1/me', renewed)).status).to.equal(200);
      for (const ended of [other, mine])
        expect((await service.call('GET', '/v1/me', bySession(ended))).status).to.equal(401);
      expect(codeOf(await signIn(name, PASSWORD))).to.equal('401 sign_in_failed');
      expect((await signIn(name, CHANGED)).status).to.equal(200);
    });

    it('are removed by a token, and by a session only if there is another way to sign in', async () => {
      const { name, token } = await newAccount();
      const session = bySession(await signIn(name, PASSWORD));
      const remove = (credential: Call) => service.call('DELETE', '/v1/me/password', credential);
      expect(codeOf(await remove(session))).to.equal('409 last_sign_in');
      expect((await signIn(name, PASSWORD)).status).to.equal(200);
      const removed = await remove({ token });
      expect([removed.status, removed.json]).to.deep.equal([200, { deleted: true }]);
      expect(codeOf(await remove({ token }))).to.equal('409 not_configured');
      expect((await service.call('GET', '/v1/me', session)).status).to.equal(401);
      expect(codeOf(await signIn(name, PASSWORD))).to.equal('401 sign_in_failed');
    });

    it('are not set by a token without the scope, nor used by a page of another site', async () => {
      const { name, token } = await newAccount();
      const body = { name: 'reader', access: 'read' };
      const reader = (await service.call('POST', '/v1/tokens', { token, body })).json.token;
      expect(codeOf(await put({ token: reader }, { password: CHANGED }))).to.equal('403 forbidden');
      const foreign = await signIn(name, PASSWORD, { headers: { 'sec-fetch-site': 'cross-site' } });
      expect(codeOf(foreign)).to.equal('403 forbidden');
      expect(foreign.headers.get('set-cookie')).to.equal(null);
    });

    it('that are wrong lock a network out for 15 minutes, on every process and after a crash', async () => {
      const { name } = await newAccount();
      const nobody = `unknown ${name}`;
      const other = profile === 'team' ? await service.beside() : service;
      const here = { address: '203.0.113.5' };
      for (const who of [name, nobody])
        for (let i = 0; i < 10; i++)
          expect(
            codeOf(await signIn(who, WRONG, { ...here, on: i % 2 ? other : service })),
          ).to.equal('401 sign_in_failed');
      if (profile === 'standalone') service = await service.restart('SIGKILL');
      const on = profile === 'team' ? other : service;
      for (const [who, password] of [
        [name, PASSWORD],
        [name, WRONG],
        [nobody, WRONG],
      ])
        for (const address of ['203.0.113.5', '203.0.113.250']) {
          const answer = await signIn(who, password, { address, on });
          expect(codeOf(answer)).to.equal('429 rate_limited');
          expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 15 * 60);
        }
      expect((await signIn(name, PASSWORD, { address: '203.0.114.5' })).status).to.equal(200);
      await wait(16);
      expect((await signIn(name, PASSWORD, here)).status).to.equal(200);
      if (other !== service) await other.stop();
    });

    it('of a hundred networks delay the owner by a turn, and no session', async () => {
      const { name } = await newAccount();
      const session = bySession(await signIn(name, PASSWORD));
      for (let i = 0; i < 100; i++)
        expect(codeOf(await signIn(name, WRONG))).to.equal('401 sign_in_failed');
      const codes = [codeOf(await signIn(name, WRONG)), codeOf(await signIn(name, WRONG))];
      expect(codes).to.deep.equal(['401 sign_in_failed', '429 rate_limited']);
      const mine = { address: '192.0.2.200' };
      const early = await signIn(name, PASSWORD, mine);
      expect(codeOf(early)).to.equal('429 rate_limited');
      expect(Number(early.headers.get('retry-after'))).to.be.within(1, 10);
      expect((await service.call('GET', '/v1/me', session)).status).to.equal(200);
      // The reservation is for a minute.
      await wait(0.5);
      expect((await signIn(name, PASSWORD, mine)).status).to.equal(200);
    });

    it('leave security events, and notify the owner of ten failures', async () => {
      const { name, token } = await newAccount();
      const address = { address: '198.51.100.7' };
      for (let i = 0; i < 10; i++) await signIn(name, WRONG, address);
      const list = async () =>
        (await service.call('GET', '/v1/security-events?limit=200', { token })).json.items;
      // Recorded at the latest when they are listed.
      const failures = (await list()).filter(
        ({ kind }: { kind: string }) => kind === 'sign_in_failed',
      );
      expect(failures).to.have.length(10);
      for (const { actor, network } of failures) {
        expect(actor.kind).to.equal('visitor');
        expect(network).to.equal('198.51.100.0/24');
      }
      const { json } = await service.call('GET', '/v1/notifications', { token });
      const alerts = json.items.filter(({ kind }: { kind: string }) => kind === 'security.alert');
      expect(alerts).to.have.length(1);
      await signIn(name, PASSWORD);
      await put({ token }, { current: PASSWORD, password: CHANGED });
      await service.call('DELETE', '/v1/me/password', { token });
      const kinds = (await list()).map(({ kind }: { kind: string }) => kind);
      expect(kinds.slice(0, 4)).to.deep.equal([
        'password_removed',
        'session_ended',
        'password_set',
        'signed_in',
      ]);
    });

    it('appear in no log, no idempotency record and no row of the database', async () => {
      const { name, token } = await newAccount();
      const headers = { 'idempotency-key': 'once' };
      const change = { current: PASSWORD, password: CHANGED };
      for (const status of [200, 403]) {
        const answer = await service.call('PUT', '/v1/me/password', {
          token,
          headers,
          body: change,
        });
        expect(answer.status).to.equal(status);
        expect(answer.headers.get('idempotent-replayed')).to.equal(null);
      }
      await signIn(name, CHANGED);
      await signIn(name, WRONG);
      await signIn(WRONG, WRONG);
      await service.call('POST', '/v1/sign-in/password', {
        token: null,
        headers: { 'content-type': 'application/json' },
        raw: `{"name": "${name}", "password": "${WRONG}"`,
      });
      await service.call('POST', `/v1/sign-in/password?password=${encodeURIComponent(WRONG)}`, {
        token: null,
        body: { name, password: WRONG },
      });
      const stored = await storedText(service);
      const log = service.logged();
      expect(log).to.include('/v1/sign-in/password');
      expect(stored).to.include(name);
      for (const secret of [PASSWORD, CHANGED, WRONG, encodeURIComponent(WRONG)])
        for (const text of [log, stored]) expect(text.includes(secret), secret).to.equal(false);
      expect(log).not.to.include('$argon2');
    });
  });

/** Everything in the database, as text. */
async function storedText({ dataDir, databaseUrl }: Service): Promise<string> {
  if (databaseUrl === undefined) {
    const files = (await readdir(dataDir)).filter((file) => file.startsWith('workspace.db'));
    const texts = await Promise.all(files.map((file) => readFile(join(dataDir, file), 'latin1')));
    return texts.join('\n');
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = current_schema()`,
    );
    const texts: string[] = [];
    for (const { tablename } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from "${tablename}" t`,
      );
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
