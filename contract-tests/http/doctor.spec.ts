import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Database } from '../../adapters/knex/database.ts';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import type { Sql } from '../../adapters/knex/sql.ts';
import { REDIS_URL } from '../backends-env.ts';
import { CLI, eventually, profiles, startService, type Service } from './harness.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The stored files that were derived from an object. */
const TABLES = [
  ...'objects versions contents object_texts text_corrections search_entries search_passages'.split(
    ' ',
  ),
  'object_counts',
  'bulk_items',
  // The task of a bulk run removes the run a day later.
  "tasks where kind <> 'objects.bulk'",
];

const opened = ({ databaseUrl, dataDir }: Service): Database =>
  databaseUrl ? openPostgres(databaseUrl) : openSqlite(join(dataDir, 'workspace.db'));

/** Runs the command line as an operator does, with any exit status. */
const cli = (env: NodeJS.ProcessEnv, ...words: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, ...words],
      { env: { PATH: process.env['PATH'], ...env }, cwd: tmpdir() },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

for (const profile of profiles)
  describe(`${profile}: the doctor`, function () {
    this.timeout(120_000);
    let service: Service;
    before(async () => (service = await startService(profile)));
    after(() => service.dispose());

    const env = (of = service) => ({
      PROFILE: profile,
      DATA_DIR: of.dataDir,
      ...(of.databaseUrl && { DATABASE_URL: of.databaseUrl, REDIS_URL }),
    });
    const doctor = async (...words: string[]) => {
      const { code, stdout, stderr } = await cli(env(), 'doctor', '--json', ...words);
      expect(stderr).to.equal('');
      const { ok, checks } = JSON.parse(stdout);
      const found = checks.filter(({ count }: { count: number }) => count > 0);
      return {
        code,
        ok: ok as boolean,
        names: checks.map(({ name }: { name: string }) => name) as string[],
        found: Object.fromEntries(
          found.map(({ name, count }: { name: string; count: number }) => [name, count]),
        ) as Record<string, number>,
      };
    };
    const healthy = { code: 0, ok: true, found: {} };
    /** Bytes go by a task after their rows: until it has run they are on their way. */
    const settledDoctor = (...words: string[]) =>
      eventually(
        () => doctor(...words),
        ({ found }) => Object.keys(found).length === 0,
        20_000,
      );

    const files = async (): Promise<readonly string[]> => {
      const folder = join(service.dataDir, 'blobs');
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
    };
    const onDatabase = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
      const database = opened(service);
      try {
        return await database.write('', work);
      } finally {
        await database.close();
      }
    };
    const damage = (...statements: string[]) =>
      onDatabase(async (sql) => {
        for (const statement of statements) await sql.run(statement);
      });
    const created = async (name: string, bytes: string, fields = {}): Promise<string> => {
      const { json } = await service.upload(name, bytes, fields);
      await service.settled(json.items[0].id);
      return json.items[0].id;
    };
    const save = async (id: string, content: string, base_version: number) => {
      const body = { content, base_version };
      const { status } = await service.call('PUT', `/v1/objects/${id}/content`, { body });
      expect(status).to.equal(200);
      await service.settled(id);
    };
    const correct = async (id: string, text: string, base_version: number) => {
      const body = { text, base_version };
      const { status } = await service.call('PUT', `/v1/objects/${id}/text`, { body });
      expect(status).to.equal(200);
    };

    it('finds nothing after everything was deleted in any way, and no byte is left', async () => {
      const word = 'xylophonist';
      const folder = async (name: string): Promise<string> =>
        (await service.call('POST', '/v1/collections', { body: { name } })).json.id;
      const [lost, stored] = [await folder('lost'), await folder('kept')];
      /** Files with a past: versions, a version put back, a corrected text, bytes that others have as well. */
      const lived = async (name: string, fields = {}): Promise<string> => {
        const id = await created(`${name}.txt`, `The ${word} of ${name}.`, fields);
        await created(`twin of ${name}.txt`, `The ${word} of ${name}.`, fields);
        await save(id, `The second ${word} of ${name}.`, 1);
        await save(id, `The same ${word} in all.`, 2);
        await service.call('POST', `/v1/objects/${id}/versions/1/restore`);
        await service.settled(id);
        await correct(id, `The corrected ${word} of ${name}.`, 4);
        return id;
      };
      const single = [
        await lived('single'),
        await lived('from the trash', { collection_id: stored }),
      ];
      const bulk = [
        await lived('bulk', { collection_id: stored }),
        await lived('hidden', { is_hidden: 'true' }),
      ];
      const emptied = await lived('emptied');
      await lived('folder', { collection_id: lost });
      const unread = (await service.upload('unread.txt', `An unread ${word}.`)).json.items[0].id;
      const before = await files();
      expect(before.length).to.be.greaterThan(10);
      expect(await doctor('--verify')).to.deep.include(healthy);

      const del = async (path: string) =>
        expect((await service.call('DELETE', path)).status, path).to.equal(200);
      const all = async (query = ''): Promise<string[]> =>
        (
          await service.call('GET', `/v1/objects?limit=100&include_hidden=1${query}`)
        ).json.items.map(({ id }: { id: string }) => id);
      await del(`/v1/objects/${unread}?permanent=true`);
      await del(`/v1/objects/${single[0]}?permanent=true`);
      await del(`/v1/objects/${single[1]}`);
      await del(`/v1/objects/${single[1]}?permanent=true`);
      const body = { ids: bulk, action: 'delete' };
      const done = await service.call('POST', '/v1/objects/bulk', { body });
      expect(done.json.done).to.deep.equal(bulk);
      await del(`/v1/objects/${emptied}`);
      await del(`/v1/collections/${lost}?objects=trash`);
      expect(await all('&trashed=1')).to.have.length(3);
      expect(await settledDoctor('--verify')).to.deep.include(healthy);
      await del('/v1/objects/trash');
      const rest = await all();
      expect(rest.length, 'the twins').to.equal(5);
      const trashed = { ids: rest, action: 'trash' };
      await service.call('POST', '/v1/objects/bulk', { body: trashed });
      await del('/v1/objects/trash');
      expect([await all(), await all('&trashed=1')]).to.deep.equal([[], []]);

      expect(await settledDoctor('--verify')).to.deep.include(healthy);
      expect(await files(), 'of all bytes').to.deep.equal([]);
      const search = await service.call('GET', `/v1/search?q=${word}`);
      expect(search.json.total).to.equal(0);
      for (const table of TABLES) {
        const rows = await onDatabase((sql) =>
          sql.get<{ n: number }>(`select count(*) as n from ${table}`),
        );
        expect(rows?.n, `rows in ${table}`).to.equal(0);
      }
    });

    it('reports damage line by line, and changes nothing', async () => {
      const id = await created('a.txt', 'A lantern.');
      const lost = await created('lost.txt', 'A lost lantern.');
      const changed = await created('changed.txt', 'A lantern of brass.');
      const blobOf = async (content: string): Promise<string> => {
        for (const path of await files())
          if ((await readFile(path, 'utf8')) === content) return path;
        throw new Error(`No file holds ${content}`);
      };
      await unlink(await blobOf('A lost lantern.'));
      const brass = await blobOf('A lantern of brass.');
      await writeFile(brass, 'A lantern of glass.');
      const [old, young] = ['aa', 'ab'].map((shard) =>
        join(service.dataDir, 'blobs', shard, `00000000-0000-7000-8000-0000000000${shard}`),
      ) as [string, string];
      for (const path of [old, young]) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, 'stray');
      }
      await utimes(old, 0, 0);
      await damage(
        `delete from search_entries where object_id = '${id}'`,
        `update contents set refs = 7 where size = 19`,
        `update owner_usage set bytes = 1`,
        `update objects set folder = 'nowhere' where id = '${changed}'`,
      );
      const wrong = {
        objects_without_search_entry: 1,
        passages_without_entry: 2,
        objects_without_folder: 1,
        contents_refs: 1,
        usage_bytes: 1,
        object_counts: 4,
        search_facts: 1,
        search_terms: 2,
        search_totals: 1,
        blobs_without_row: 1,
        blobs_not_settled: 1,
        rows_without_blob: 1,
      };
      const first = await doctor();
      expect(first).to.deep.include({ code: 1, ok: false });
      expect(first.found).to.deep.equal(wrong);
      expect(first.names).not.to.include('damaged_blobs');
      expect((await doctor('--verify')).found).to.deep.equal({ ...wrong, damaged_blobs: 1 });
      expect(await readFile(old, 'utf8')).to.equal('stray');

      const { code, stdout, stderr } = await cli(env(), 'doctor');
      expect([code, stderr]).to.deep.equal([1, '']);
      const lines = stdout.trim().split('\n');
      expect(lines).to.have.length(first.names.length);
      expect(lines.find((it) => it.startsWith('rows_without_blob'))).to.match(
        / 1 {2}contents\/\S+$/,
      );
      expect(lines.find((it) => it.startsWith('versions_content'))).to.match(/ 0$/);
      expect(stdout).not.to.match(/lantern|\.txt/);
      expect((await service.call('GET', `/v1/objects/${lost}`)).status).to.equal(200);
    });

    it('runs next to a writing service without false findings', async () => {
      const fresh = await startService(profile);
      try {
        let busy = true;
        const writers = [1, 2, 3].map(async (n) => {
          for (let i = 0; busy; i++) {
            const up = await fresh.upload(`${n}-${i}.txt`, `Bytes ${n} of ${i % 3}.`);
            const id = up.json.items[0].id;
            await fresh.call('PATCH', `/v1/objects/${id}`, { body: { is_hidden: i % 2 === 0 } });
            if (i % 3 > 0) await fresh.call('DELETE', `/v1/objects/${id}?permanent=${i % 3 === 1}`);
          }
        });
        for (let i = 0; i < 5; i++) {
          const { code, stdout } = await cli(env(fresh), 'doctor', '--json', '--verify');
          expect(code, stdout).to.equal(0);
        }
        busy = false;
        await Promise.all(writers);
      } finally {
        await fresh.dispose();
      }
    });

    it('writes nothing, and does not migrate an earlier schema', async () => {
      const fresh = await startService(profile);
      try {
        await fresh.stop();
        const database = opened(fresh);
        await database.write('', (sql) => sql.run('delete from schema_versions'));
        const { code, stdout, stderr } = await cli(env(fresh), 'doctor');
        expect([code, stdout]).to.deep.equal([1, '']);
        expect(stderr).to.match(/^owner-workspace: [^\n]*owner-workspace migrate[^\n]*\n$/);
        const row = await database.queryOnce((sql) =>
          sql.get<{ n: number }>('select count(*) as n from schema_versions'),
        );
        await database.close();
        expect(Number(row?.n)).to.equal(0);
      } finally {
        await fresh.dispose();
      }
    });
  });

describe('the command line', function () {
  this.timeout(30_000);

  it('rejects the memory profile, and a location without a workspace', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ow-none-'));
    try {
      for (const [env, words] of [
        [{ PROFILE: 'memory' }, /PROFILE=memory/],
        [
          { PROFILE: 'standalone', DATA_DIR: join(folder, 'none') },
          /DATA_DIR="[^"]*": it contains no workspace/,
        ],
      ] as const) {
        const { code, stdout, stderr } = await cli(env, 'doctor');
        expect([code, stdout]).to.deep.equal([1, '']);
        expect(stderr).to.match(/^owner-workspace: [^\n]+\n$/);
        expect(stderr).to.match(words);
      }
      expect(await readdir(folder)).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('exits with 2 on invalid arguments of any command', async () => {
    for (const words of [
      ['nonsense'],
      ['--nonsense'],
      ['doctor', '--nonsense'],
      ['serve', 'more'],
      ['token', 'issue'],
      ['token', 'issue', '--owner', 'x', '--days', '0'],
      ['owner', 'create', 'x'],
      ['tenant', 'create'],
      ['tenant', 'nonsense'],
    ]) {
      const { code, stdout, stderr } = await cli({}, ...words);
      expect([code, stdout], words.join(' ')).to.deep.equal([2, '']);
      expect(stderr).to.match(/^error: /);
    }
    for (const words of [['--help'], ['doctor', '--help'], ['token', 'issue', '--help']])
      expect((await cli({}, ...words)).code, words.join(' ')).to.equal(0);
  });
});
