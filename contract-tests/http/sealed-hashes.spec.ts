import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zipArchives } from '../../adapters/archive-zip/archive-format.ts';
import type { Database } from '../../adapters/knex/database.ts';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { argon2Hasher } from '../../adapters/node/password-hasher.ts';
import { REDIS_URL, openTestDatabase } from '../backends-env.ts';
import { CLI, eventually, profiles, startService, type Service } from './harness.ts';

const KEY = 'a key of the test, which is long enough';
const OTHER_KEY = `${KEY}, but another`;
const PASSWORD = 'correct horse battery staple';
const SHARE_PASSWORD = 'lantern of the harbour';
const UNSEALED = '$argon2';

/** Everything that a backup contains. */
async function contentOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  const archive = await zipArchives().open(
    {
      size: bytes.length,
      async *read({ first, last }) {
        yield bytes.subarray(first, last + 1);
      },
    },
    { maxEntries: 10_000, maxBytes: 2 ** 30 },
  );
  const parts: Buffer[] = [];
  for (const path of archive.paths())
    for await (const chunk of archive.read(path)) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString('latin1');
}

const openDatabase = ({ databaseUrl, dataDir }: Service): Database =>
  databaseUrl ? openPostgres(databaseUrl) : openSqlite(join(dataDir, 'workspace.db'));

/** The stored hashes of all owners. */
async function hashesIn(database: Database): Promise<readonly string[]> {
  const rows = await database.queryOnce((sql) =>
    sql.all<{ hash: string }>(
      `select pin_hash as hash from pin_locks
       union all select password_hash from shares where password_hash is not null
       union all select sealed_hash from passwords`,
    ),
  );
  return rows.map(({ hash }) => hash);
}

for (const profile of profiles)
  describe(`${profile}: hashes of what people choose`, function () {
    this.timeout(120_000);
    let service: Service;
    let database: Database;
    let folder: string;
    let share: { readonly token: string };
    let name: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ow-hashes-'));
      service = await startService(profile, { SECRET_KEY: KEY });
      database = openDatabase(service);
      const call = async (method: string, path: string, body?: object) => {
        const { status, json } = await service.call(method, path, body ? { body } : {});
        expect(status, path).to.be.below(300);
        return json;
      };
      const note = await call('POST', '/v1/objects/notes', { content: 'A lantern.' });
      const wanted = { kind: 'file', resource_id: note.id, password: SHARE_PASSWORD };
      share = await call('POST', '/v1/shares', wanted);
      await call('POST', '/v1/hidden-pin', { pin: '1234' });
      await call('PUT', '/v1/me/password', { password: PASSWORD });
      ({ name } = (await call('GET', '/v1/me')).owner);
    });
    after(async () => {
      await database.close();
      await service.dispose();
      await rm(folder, { recursive: true });
    });

    /** Whether the PIN, the password of the share and that of the account are accepted. */
    const accepted = async (by: Service = service, token = service.token) => {
      const path = `/v1/public/shares/${share.token}/unlock`;
      const tries = [
        await by.call('POST', '/v1/hidden-pin/unlock', { token, body: { pin: '1234' } }),
        await by.call('POST', path, { token: null, body: { password: SHARE_PASSWORD } }),
        await by.call('POST', '/v1/sign-in/password', {
          token: null,
          body: { name, password: PASSWORD },
        }),
      ];
      return tries.map(({ status, json }) => (status < 300 ? 'accepted' : json.code));
    };
    const ACCEPTED = ['accepted', 'accepted', 'accepted'];

    it('are sealed in the database and in a backup', async () => {
      expect(await accepted()).to.deep.equal(ACCEPTED);
      const hashes = await hashesIn(database);
      expect(hashes).to.have.length(3);
      for (const hash of hashes) expect(hash).to.match(/^[0-9a-f]{8}\.[\w-]+$/);
      const file = join(folder, '1.zip');
      const { sealed } = await service.cli('backup', file);
      expect(sealed).to.equal(3);
      const content = await contentOf(file);
      expect(content).to.include(hashes[0]).and.not.to.include(UNSEALED);
      expect(content).not.to.include(PASSWORD);
    });

    it('of an earlier version are accepted, and sealed after the start', async () => {
      const hasher = argon2Hasher();
      const [pin, password] = [await hasher.hash('1234'), await hasher.hash(SHARE_PASSWORD)];
      await database.write('', async (sql) => {
        await sql.run('update pin_locks set pin_hash = ?', [pin]);
        await sql.run('update shares set password_hash = ?', [password]);
      });
      expect(await accepted()).to.deep.equal(ACCEPTED);
      service = await service.restart();
      await eventually(
        () => hashesIn(database),
        (hashes) => hashes.every((hash) => !hash.startsWith(UNSEALED)),
        60_000,
      );
      expect(await accepted()).to.deep.equal(ACCEPTED);
    });

    it('match nothing under another key, until they are sealed again', async () => {
      const file = join(folder, '2.zip');
      await service.cli('backup', file);
      const server = profile === 'team' ? await openTestDatabase() : undefined;
      const dataDir = await mkdtemp(join(tmpdir(), 'ow-hashes-'));
      const env = {
        PROFILE: profile,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        SECRET_KEY: OTHER_KEY,
        ...(server && { DATABASE_URL: server.url, REDIS_URL }),
      };
      const run = (...words: string[]) =>
        promisify(execFile)(process.execPath, [CLI, ...words, '--json'], {
          env: { PATH: process.env['PATH'], ...env },
          cwd: dataDir,
        });
      try {
        const { stderr } = await run('restore', file, '--without-key', '--keep-access');
        expect(stderr).to.match(/3 secrets stay closed/);
        let restored = await startService(profile, env);
        const { token } = service;
        try {
          expect(await accepted(restored, token)).to.deep.equal([
            'wrong_pin',
            'wrong_password',
            'sign_in_failed',
          ]);
          // The PIN is still set: what it hides stays hidden.
          const state = await restored.call('GET', '/v1/hidden-pin', { token });
          expect(state.json).to.include({ configured: true, unlocked: false });
          await restored.stop();
          await restored.dispose();
          const { stdout } = await run('secrets', 'rotate', '--from', KEY);
          expect(JSON.parse(stdout)).to.deep.equal({ rotated: 3, current: 0, lost: 0 });
          restored = await startService(profile, env);
          expect(await accepted(restored, token)).to.deep.equal(ACCEPTED);
        } finally {
          await restored.dispose();
        }
      } finally {
        await server?.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  });
