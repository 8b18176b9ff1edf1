import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, profiles, startService, type Service } from './harness.ts';

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command on the folder that ends without a signal. */
const runOn = (dataDir: string, ...words: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir };
    const options = { cwd: tmpdir(), timeout: 15_000, env };
    execFile(process.execPath, [CLI, ...words, '--json'], options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? null) : 0, stdout, stderr }),
    );
  });

if (profiles.includes('standalone'))
  describe('standalone: the data folder', function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService('standalone');
    });
    after(() => service.dispose());

    it('is used by one server: a second is rejected with one line, and the first continues', async () => {
      for (const word of ['serve', 'worker', 'start']) {
        const { code, stdout, stderr } = await runOn(service.dataDir, word);
        expect([code, stdout], word).to.deep.equal([1, '']);
        expect(stderr).to.match(/^owner-workspace: DATA_DIR=[^\n]+ is in use[^\n]+\n$/);
      }
      expect((await service.call('GET', '/v1/me')).status).to.equal(200);
    });

    it('can be used by every other command next to the server', async () => {
      const { id } = (await service.call('GET', '/v1/me')).json.owner;
      for (const words of [
        ['migrate'],
        ['owner', 'list'],
        ['tenant', 'create', 'beside'],
        ['owner', 'create', 'mate', '--tenant', 'beside'],
        ['token', 'issue', '--owner', id],
      ]) {
        const { code, stderr } = await runOn(service.dataDir, ...words);
        expect([code, stderr], words.join(' ')).to.deep.equal([0, '']);
      }
    });

    it('is unlocked when its process was killed, and so is an earlier copy', async () => {
      for (let times = 0; times < 3; times++) service = await service.restart('SIGKILL');
      expect((await service.call('GET', '/v1/me')).status).to.equal(200);
      const copy = await mkdtemp(join(tmpdir(), 'ow-copy-'));
      try {
        await cp(service.dataDir, copy, { recursive: true });
        const other = await service.beside({ DATA_DIR: copy });
        expect((await other.call('GET', '/v1/me')).status).to.equal(200);
        expect(await other.stop()).to.equal(0);
      } finally {
        await rm(copy, { recursive: true, force: true });
      }
    });

    it('contains only an empty lock file', async () => {
      expect(await service.stop()).to.equal(0);
      const names = await readdir(service.dataDir);
      expect(names.filter((name) => name.startsWith('serving'))).to.deep.equal(['serving.lock']);
      service = await service.restart();
    });
  });

/** Modes of a folder and everything in it, by path. */
const modesIn = async (folder: string): Promise<ReadonlyMap<string, number>> => {
  const entries = await readdir(folder, { recursive: true });
  const paths = ['.', ...entries];
  const modes = paths.map(async (path) => {
    const { mode } = await stat(join(folder, path));
    return [path, mode & 0o777] as const;
  });
  return new Map(await Promise.all(modes));
};

for (const profile of profiles)
  describe(`${profile}: the modes of the data folder`, function () {
    this.timeout(60_000);
    let service: Service;
    beforeEach(async () => {
      service = await startService(profile, { LOG_LEVEL: 'warn' });
    });
    afterEach(() => service.dispose());

    it('are accessible only to the user of the service, also those of a backup', async () => {
      const { json } = await service.upload('secret.txt', 'only the service reads this');
      await service.settled(json.items[0].id);
      await service.cli('backup', join(service.dataDir, 'all.zip'));
      const modes = await modesIn(service.dataDir);
      const files = [...modes.keys()];
      expect(files).to.include('secret.key').and.include('all.zip');
      if (profile === 'standalone')
        expect(files).to.include.members(['workspace.db', 'workspace.db-wal']);
      for (const [path, mode] of modes) expect(mode & 0o077, path).to.equal(0);
      expect(service.logged()).not.to.include('chmod');
    });

    it('cause a warning of one line if other users may enter, from the service and the doctor', async () => {
      await chmod(service.dataDir, 0o755);
      service = await service.restart();
      const lines = service
        .logged()
        .split('\n')
        .filter((line) => line.includes('chmod'));
      expect(lines).to.have.length(1);
      const { level, msg } = JSON.parse(lines[0] ?? '') as { level: number; msg: string };
      expect(level).to.equal(40);
      expect(msg).to.include(service.dataDir).and.include('0755');
      expect(msg).to.include(`chmod -R go= ${service.dataDir}`);
      expect((await service.call('GET', '/v1/me')).status).to.equal(200);
      // It is a note, no damage: the command ends with 0.
      expect((await service.cli('doctor')).ok).to.equal(true);
    });
  });

if (profiles.includes('team'))
  describe('team: a data folder that a group shares', function () {
    this.timeout(60_000);
    let service: Service;
    before(async () => {
      service = await startService('team', { LOG_LEVEL: 'warn' });
      await chmod(service.dataDir, 0o2770);
      await rm(join(service.dataDir, 'blobs'), { recursive: true });
      service = await service.restart();
    });
    after(() => service.dispose());

    it('has files of the group, and no warning', async () => {
      const { json } = await service.upload('shared.txt', 'the group reads this');
      await service.settled(json.items[0].id);
      const modes = await modesIn(join(service.dataDir, 'blobs'));
      expect(modes.size).to.be.greaterThan(1);
      for (const [path, mode] of modes) {
        expect(mode & 0o060, path).to.equal(0o060);
        expect(mode & 0o007, path).to.equal(0);
      }
      expect(service.logged()).not.to.include('chmod');
    });
  });
