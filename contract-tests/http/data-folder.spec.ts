import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI, profiles, startService, type Service } from './harness.ts';

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command on the folder, as it ends by itself. */
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

    it('is served by one process: a second is refused with one line, and the first goes on', async () => {
      for (const word of ['serve', 'worker', 'start']) {
        const { code, stdout, stderr } = await runOn(service.dataDir, word);
        expect([code, stdout], word).to.deep.equal([1, '']);
        expect(stderr).to.match(/^owner-workspace: DATA_DIR=[^\n]+ is in use[^\n]+\n$/);
      }
      expect((await service.call('GET', '/v1/me')).status).to.equal(200);
    });

    it('takes every other command beside the one that serves', async () => {
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

    it('is free at once when its process was killed, also as a copy that was made before', async () => {
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

    it('keeps nothing of the lock but its empty file', async () => {
      expect(await service.stop()).to.equal(0);
      const names = await readdir(service.dataDir);
      expect(names.filter((name) => name.startsWith('serving'))).to.deep.equal(['serving.lock']);
      service = await service.restart();
    });
  });
