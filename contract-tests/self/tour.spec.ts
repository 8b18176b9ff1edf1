import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startService, type Service } from '../http/harness.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

describe('the tour in the README', () => {
  let service: Service;
  let folder: string;
  let tour: string;
  before(async () => {
    service = await startService('standalone');
    folder = await mkdtemp(join(tmpdir(), 'ow-tour-'));
    await symlink(join(ROOT, 'contract-tests'), join(folder, 'contract-tests'));
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    tour = readme.slice(readme.indexOf('## API tour'), readme.indexOf('## Profiles'));
  });
  after(async () => {
    await service.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('can be pasted, and prints the promised output', async function () {
    this.timeout(150_000);
    const blocks = [...tour.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
    const script = blocks
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', service.base)
      .replace('owt_…', service.token);
    const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH },
      timeout: 120_000,
    });
    expect(stderr).to.equal('');
    const promised = [...tour.matchAll(/^> (.*)$/gm)].map(([, line]) => line).join(' ');
    expect(promised).to.match(/\[1\]$/);
    expect(stdout).to.contain(promised);
    const quoted = promised.replace(/ \[1\]$/, '');
    expect(stdout.trimEnd().endsWith(`\n${quoted}`), stdout.slice(-600)).to.equal(true);
    expect(stdout).to.contain('"total":1');
  });
});
