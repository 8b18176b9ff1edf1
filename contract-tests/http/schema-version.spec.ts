import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Database } from '../../adapters/knex/database.ts';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { migrate } from '../../adapters/knex/schema/migrate.ts';
import { REDIS_URL, openTestDatabase } from '../backends-env.ts';
import { EARLY_VERSIONS, addEarlyVersions, describeSchema, rowsOf } from '../schema-fixtures.ts';
import { CLI, profiles } from './harness.ts';

const COMMANDS = {
  standalone: ['serve', 'worker', 'migrate', 'owner list', 'doctor', 'backup all.zip'],
  team: ['serve', 'worker', 'doctor', 'backup all.zip'],
};

for (const profile of profiles)
  describe(`${profile}: data of another version of the program`, function () {
    this.timeout(60_000);

    let dataDir: string;
    let server: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
    let database: Database;
    beforeEach(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'ow-version-'));
      await mkdir(join(dataDir, 'blobs'));
      server = profile === 'team' ? await openTestDatabase() : undefined;
      database = server ? openPostgres(server.url) : openSqlite(join(dataDir, 'workspace.db'));
    });
    afterEach(async () => {
      await database.close();
      await server?.drop();
      await rm(dataDir, { recursive: true, force: true });
    });

    /** Every command that opens the data ends with status 1 and one line, and changes nothing. */
    const requireRejected = async (line: RegExp) => {
      const env = {
        PATH: process.env['PATH'],
        PROFILE: profile,
        DATA_DIR: dataDir,
        PORT: '0',
        ...(server && { DATABASE_URL: server.url, REDIS_URL, SECRET_KEY: 'x'.repeat(40) }),
      };
      const run = (words: string): Promise<readonly [code: unknown, out: string, err: string]> =>
        new Promise((resolve) => {
          const options = { env, cwd: dataDir, timeout: 20_000 };
          execFile(process.execPath, [CLI, ...words.split(' ')], options, (error, out, err) =>
            resolve([error ? (error.code ?? null) : 0, out, err]),
          );
        });
      const before = [await describeSchema(database), await rowsOf(database)];
      for (const words of COMMANDS[profile]) {
        const [code, out, err] = await run(words);
        expect([code, out], words).to.deep.equal([1, '']);
        expect(err, words).to.match(line);
      }
      expect([await describeSchema(database), await rowsOf(database)]).to.deep.equal(before);
    };

    it('is rejected if it is newer', async () => {
      await migrate(database);
      await database.knex('schema_versions').insert({ version: 99, name: 'of tomorrow' });
      await requireRejected(/^owner-workspace: [^\n]*schema 99[^\n]*schema \d+\.[^\n]*\n$/);
    });

    it('is rejected if it is from before the first release, with what to do', async () => {
      await database.knex.raw(EARLY_VERSIONS);
      await addEarlyVersions(database, 25);
      await requireRejected(
        /^owner-workspace: [^\n]*before the first release \(its schema 25\)[^\n]*Export[^\n]*empty[^\n]*import[^\n]*\n$/,
      );
    });
  });
