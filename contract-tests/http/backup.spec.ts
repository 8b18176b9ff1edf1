import { expect } from 'chai';
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipArchives } from '../../adapters/archive-zip/archive-format.ts';
import { openPostgres } from '../../adapters/knex/postgres/open.ts';
import { openSqlite } from '../../adapters/knex/sqlite/open.ts';
import { REDIS_URL, openTestDatabase } from '../backends-env.ts';
import { openS3Service } from '../fake-s3.ts';
import { CLI, eventually, profiles, startService, type Placing, type Profile } from './harness.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where nothing is yet. */
interface Place {
  readonly profile: Profile;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of the stored blobs. */
  readonly blobs: () => Promise<readonly string[]>;
  close(): Promise<void>;
}

const KEY = 'a key of the test, which is long enough';
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

async function emptyTarget(profile: Profile, files: Placing['files'] = 'folder'): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ow-place-'));
  const database = profile === 'team' ? await openTestDatabase() : undefined;
  const bucket = files === 'bucket' ? await openS3Service() : undefined;
  return {
    profile,
    dataDir,
    env: {
      PROFILE: profile,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      SECRET_KEY: KEY,
      ...(database && { DATABASE_URL: database.url, REDIS_URL }),
      ...(bucket && { BLOB_S3_URL: bucket.url }),
    },
    blobs: async () => {
      if (bucket) return [...bucket.objects.keys()].filter((key) => /blobs/.test(key));
      const options = { recursive: true, withFileTypes: true } as const;
      const entries = await readdir(join(dataDir, 'blobs'), options).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    close: async () => {
      await database?.drop();
      await bucket?.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs the command line as an operator does, with any exit status. */
const cli = (env: Readonly<Record<string, string>>, ...words: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, ...words],
      { env: { PATH: process.env['PATH'], ...env }, cwd: tmpdir() },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

async function done(env: Readonly<Record<string, string>>, ...words: string[]) {
  const { code, stdout, stderr } = await cli(env, ...words, '--json');
  expect(code, stderr).to.equal(0);
  return JSON.parse(stdout);
}

/** One line of complaint, exit status 1, and nothing on standard output. */
function expectRejected({ code, stdout, stderr }: Ended, words: RegExp): void {
  expect([code, stdout], stderr).to.deep.equal([1, '']);
  const lines = stderr.split('\n').filter((line) => line.startsWith('owner-workspace: '));
  expect(lines, stderr).to.have.length(1);
  expect(lines[0]).to.match(words);
  expect(stderr, 'no stack').not.to.match(/^\s+at /m);
}

const healthy = async (env: Readonly<Record<string, string>>) => {
  const { code, stdout, stderr } = await cli(env, 'doctor', '--verify', '--json');
  const checks = JSON.parse(stdout || '{"checks":[]}').checks as { name: string; count: number }[];
  const found = checks.filter(({ name, count }) => count > 0 && name !== 'blobs_not_settled');
  expect({ code, found }, stderr).to.deep.equal({ code: 0, found: [] });
};

/** The parts of the tables in a backup, except leases, which a restore ends, and events, to which it adds one. */
async function partsOf(file: string) {
  const bytes = await readFile(file);
  const archive = await zipArchives().open(
    {
      size: bytes.length,
      async *read({ first, last }) {
        yield bytes.subarray(first, last + 1);
      },
    },
    { maxEntries: 100_000, maxBytes: 2 ** 40 },
  );
  let text = '';
  for await (const chunk of archive.read('manifest.json')) text += Buffer.from(chunk).toString();
  const { tables, files } = JSON.parse(text);
  return {
    tables: tables.filter(
      ({ name }: { name: string }) => !/^(tasks|receipts|security_events)$/.test(name),
    ),
    files,
  };
}

/** Each is restored where everything is different. */
const ways = profiles.map((profile) => ({
  profile,
  files: profile === 'team' ? ('bucket' as const) : ('folder' as const),
  into: profiles.find((other) => other !== profile) ?? profile,
}));

for (const { profile, files, into } of ways)
  describe(`${profile} with a ${files}: backup and restore into ${into}`, function () {
    this.timeout(120_000);
    let folder: string;
    const places: Place[] = [];
    const place = async (...of: Parameters<typeof emptyTarget>): Promise<Place> => {
      const created = await emptyTarget(...of);
      places.push(created);
      return created;
    };
    before(async () => (folder = await mkdtemp(join(tmpdir(), 'ow-backup-'))));
    after(async () => {
      for (const each of places) await each.close();
      await rm(folder, { recursive: true, force: true });
    });
    const file = (name: string) => join(folder, name);

    it('preserves everything acknowledged, during concurrent writes, across both databases', async () => {
      const service = await startService(profile, { SECRET_KEY: KEY }, files);
      const stored = new Map<string, string>();
      let trashed = 0;
      let stop = false;
      const writers = [1, 2, 3].map(async (n) => {
        for (let i = 0; !stop; i++) {
          const bytes = randomBytes(3_000 + 40_000 * (i % 3)).toString('base64');
          const { json } = await service.upload(`${n}-${i}.bin`, bytes);
          const id: string = json.items[0].id;
          const body = { filename: `renamed ${i}.bin` };
          await service.call('PATCH', `/v1/objects/${id}`, { body });
          const isPermanent = i % 2 === 0;
          if (i % 3 === 2) {
            await service.call('DELETE', `/v1/objects/${id}?permanent=${isPermanent}`);
            if (!isPermanent) trashed++;
          } else stored.set(id, sha256(bytes));
        }
      });
      const { json } = await service.upload('beacon.txt', 'A beacon of the harbour.');
      await service.settled(json.items[0].id);
      await eventually(
        async () => stored.size,
        (n) => n >= 20,
        30_000,
      );
      // Acknowledged before the backup, and deleted while it runs.
      const [gone = ''] = stored.keys();
      const before = new Map(stored);
      const backup = service.cli('backup', file('1.zip'));
      await service.call('DELETE', `/v1/objects/${gone}?permanent=true`);
      const created = await backup;
      stop = true;
      await Promise.all(writers);
      // The trash is backed up as well. It grows with the speed of the service.
      expect(created.files).to.be.within(before.size, stored.size + trashed + 40);
      expect(created).to.include({ file: file('1.zip'), damaged: 0, profile });
      before.delete(gone);
      const { token } = service;
      await service.dispose();

      const there = await place(into, into === 'team' ? 'bucket' : 'folder');
      const restored = await done(there.env, 'restore', file('1.zip'), '--keep-access');
      expect(restored).to.include({ files: created.files, rows: created.rows, with_key: true });
      expect(restored).to.deep.include({ access_kept: true, tokens: [] });
      expect(await there.blobs()).to.have.length(created.files);
      await healthy(there.env);

      // Backed up and restored, every row is equal to the original.
      await done(there.env, 'backup', file('2.zip'));
      const back = await place(profile);
      await done(back.env, 'restore', file('2.zip'), '--keep-access');
      await done(back.env, 'backup', file('3.zip'));
      expect(await partsOf(file('2.zip'))).to.deep.equal(await partsOf(file('3.zip')));
      await healthy(back.env);

      const again = await startService(into, there.env);
      try {
        for (const [id, hash] of before) {
          const response = await fetch(`${again.base}/v1/objects/${id}/content`, {
            headers: { authorization: `Bearer ${token}` },
          });
          expect(response.status, id).to.equal(200);
          expect(sha256(new Uint8Array(await response.arrayBuffer())), id).to.equal(hash);
        }
        const found = await again.call('GET', '/v1/search?q=harbour', { token });
        expect(found.json.total).to.equal(1);
        // The restored data is usable: numbers, counters and the index accept new entries.
        const { json: later } = await again.uploadAll([['b.txt', 'A new harbour.']], {}, { token });
        await again.settled(later.items[0].id, { token });
        expect((await again.call('GET', '/v1/search?q=harbour', { token })).json.total).to.equal(2);
      } finally {
        await again.dispose();
      }
      await healthy(there.env);
    });

    it('revokes the tokens and links of the backup, because some may have been revoked since', async () => {
      const service = await startService(profile, { SECRET_KEY: KEY });
      const call = async (method: string, path: string, body: object) =>
        (await service.call(method, path, { body })).json;
      const note = await call('POST', '/v1/objects/notes', { content: 'A lantern.' });
      const share = await call('POST', '/v1/shares', { kind: 'file', resource_id: note.id });
      const feed = await call('POST', '/v1/calendar/feed', {});
      const pin = await call('POST', '/v1/hidden-pin', { pin: '1234' });
      await service.cli('backup', file('access.zip'));
      const { token } = service;
      await service.dispose();

      const there = await place(into);
      const restored = await done(there.env, 'restore', file('access.zip'));
      expect(restored.access_kept).to.equal(false);
      expect(restored.ended).to.deep.equal({ tokens: 1, shares: 1, feeds: 1, link_codes: 0 });
      expect(restored.tokens).to.have.length(1);
      const [issued] = restored.tokens as { owner_id: string; name: string; token: string }[];
      const again = await startService(into, there.env);
      try {
        const status = async (path: string, bearer: string | null) =>
          (await again.call('GET', path, { token: bearer })).status;
        expect(await status('/v1/me', token)).to.equal(401);
        expect(await status(`/v1/public/shares/${share.token}`, null)).to.equal(404);
        expect(await status(new URL(feed.url).pathname, null)).to.equal(404);
        const mine = { token: issued?.token ?? '', headers: { 'x-hidden-token': pin.token } };
        const me = await again.call('GET', '/v1/me', mine);
        expect(me.json.owner).to.include({ id: issued?.owner_id, name: issued?.name });
        const state = await again.call('GET', '/v1/hidden-pin', mine);
        expect(state.json).to.include({ configured: true, unlocked: false });
        const { items } = (await again.call('GET', '/v1/shares', mine)).json;
        expect(items).to.have.length(1);
        expect(Date.parse(items[0].expires_at)).to.be.at.most(Date.now());
        // A longer lifetime does not extend that of the old link.
        const path = `/v1/shares/${share.id}`;
        await again.call('PATCH', path, { ...mine, body: { expires_in_days: 9 } });
        expect(await status(`/v1/public/shares/${share.token}`, null)).to.equal(404);
      } finally {
        await again.dispose();
      }
    });

    it('rejects backups it cannot restore, and changes nothing', async () => {
      const sound = file('3.zip');
      const bytes = await readFile(sound);
      await writeFile(file('cut.zip'), bytes.subarray(0, bytes.length - 100));
      const blob = firstBlobIn(bytes);
      bytes[blob] = (bytes[blob] ?? 0) ^ 1;
      await writeFile(file('changed.zip'), bytes);
      await copyFile(new URL('../samples/lighthouse.docx', import.meta.url), file('foreign.zip'));
      const there = await place(into);
      const refused = async (name: string, words: RegExp, ...more: string[]) =>
        expectRejected(await cli({ ...there.env, ...env }, 'restore', file(name), ...more), words);
      let env = {};
      await refused('changed.zip', /corrupt|changed after the backup/);
      // Other reasons for rejecting a file are checked before any location.
      if (into === ways[0]?.into) {
        await refused('cut.zip', /ZIP/);
        await refused('foreign.zip', /not a backup/);
        await refused('none.zip', /none\.zip/);
        expectRejected(await cli({ PROFILE: 'memory' }, 'restore', sound), /PROFILE=memory/);
        expectRejected(await cli({ PROFILE: 'memory' }, 'backup', file('m.zip')), /PROFILE=memory/);
      }
      env = { SECRET_KEY: `${KEY}, but another` };
      await refused('3.zip', /another key.*SECRET_KEY/);
      expect(await there.blobs()).to.deep.equal([]);
      expect(await readdir(there.dataDir)).to.deep.equal([]);

      const used = places[1]!;
      expectRejected(await cli(used.env, 'restore', sound), /there is a workspace already/);
      expectRejected(await cli(used.env, 'backup', sound), /is there already/);
    });

    it('leaves no partial result when killed, and can be repeated', async () => {
      const used = places[1]!;
      const env = { PATH: process.env['PATH'], ...used.env };
      // Its output is not read, so it is still running when it is killed.
      const backing = spawn(process.execPath, [CLI, 'backup', '-'], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(backing.stdout, 'readable');
      backing.kill('SIGKILL');
      await once(backing, 'exit');
      const killed = spawn(process.execPath, [CLI, 'backup', file('killed.zip')], { env });
      const started = async () =>
        (await readdir(folder)).filter((name) => name.startsWith('killed'));
      await eventually(started, (names) => names.length > 0, 30_000);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      const left = await started();
      if (left.includes('killed.zip')) await rm(file('killed.zip'));
      await done(used.env, 'backup', file('killed.zip'));
      expect(await started(), 'what the dead one left').to.deep.equal(['killed.zip']);

      const there = await place(into);
      const words = [CLI, 'restore', file('killed.zip')];
      const restoring = spawn(process.execPath, words, {
        env: { PATH: process.env['PATH'], ...there.env },
      });
      await eventually(there.blobs, (blobs) => blobs.length > 0, 30_000);
      restoring.kill('SIGKILL');
      await once(restoring, 'exit');
      expect((await there.blobs()).length).to.be.greaterThan(0);
      expect(await tablesAt(there), 'one table: the mark').to.equal(1);
      const unfinished = /restore is running.*restore` again/;
      expectRejected(await cli(there.env, 'serve'), unfinished);
      expectRejected(await cli(there.env, 'doctor'), unfinished);
      await done(there.env, 'restore', file('killed.zip'));
      await healthy(there.env);
    });
  });

/** The offset of the first blob's bytes in a ZIP: behind its name, which ends the header. */
const firstBlobIn = (bytes: Buffer): number =>
  bytes.indexOf('blobs/') + 'blobs/xx/'.length + 36 + 10;

async function tablesAt({ dataDir, env }: Place): Promise<number> {
  const url = env['DATABASE_URL'];
  const database = url ? openPostgres(url) : openSqlite(join(dataDir, 'workspace.db'));
  try {
    const row = await database.queryOnce((sql) =>
      sql.get<{ n: number }>(
        url
          ? 'select count(*) as n from information_schema.tables where table_schema = current_schema()'
          : "select count(*) as n from sqlite_master where type = 'table'",
      ),
    );
    return row?.n ?? 0;
  } finally {
    await database.close();
  }
}
