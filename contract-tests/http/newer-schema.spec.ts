import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { migrate } from '../../adapters/knex/migrations/index.ts';
import { REDIS_URL, openTestDatabase } from '../backends-env.ts';
import { describeSchema } from '../schema-fixtures.ts';
import { CLI, profiles } from './harness.ts';

const COMMANDS = {
  standalone: ['serve', 'worker', 'migrate', 'owner list', 'doctor'],
  team: ['serve', 'worker'],
};

for (const profile of profiles)
  describe(`${profile}: data of a newer version of the program`, function () {
    this.timeout(60_000);

    it('is rejected by every command, in one line and with status 1, and unchanged', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'ow-newer-'));
      const server = profile === 'team' ? await openTestDatabase() : undefined;
      const database = server
        ? openPostgres(server.url)
        : openSqlite(join(dataDir, 'workspace.db'));
      const env = {
        PATH: process.env['PATH'],
        PROFILE: profile,
        DATA_DIR: dataDir,
        PORT: '0',
        ...(server && { DATABASE_URL: server.url, REDIS_URL, SECRET_KEY: 'x'.repeat(40) }),
      };
      const run = (words: string): Promise<readonly [code: unknown, out: string, said: string]> =>
        new Promise((resolve) => {
          const options = { env, cwd: dataDir, timeout: 20_000 };
          execFile(process.execPath, [CLI, ...words.split(' ')], options, (error, out, said) =>
            resolve([error ? (error.code ?? null) : 0, out, said]),
          );
        });
      try {
        await migrate(database);
        await database.knex('schema_versions').insert({ version: 99, name: 'of tomorrow' });
        const before = await describeSchema(database);
        for (const words of COMMANDS[profile]) {
          const [code, out, said] = await run(words);
          expect([code, out], words).to.deep.equal([1, '']);
          expect(said, words).to.match(
            /^owner-workspace: [^\n]*schema 99[^\n]*schema \d+\.[^\n]*\n$/,
          );
        }
        expect(await describeSchema(database)).to.deep.equal(before);
      } finally {
        await database.close();
        await server?.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  });
