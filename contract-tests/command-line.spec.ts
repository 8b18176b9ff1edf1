import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI } from './cli-path.ts';

const ID = '7b0c3f9e-3f3a-4f0e-9f0e-0a0b0c0d0e0f';

describe('the command line', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-cli-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const run = (...words: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') };
      const options = { cwd: folder, timeout: 30_000, env };
      execFile(process.execPath, [CLI, ...words], options, (error, stdout, stderr) =>
        resolve({ code: error ? (error.code ?? null) : 0, stdout, stderr }),
      );
    });
  const each = async (lines: readonly string[], check: (line: string) => Promise<void>) => {
    for (let at = 0; at < lines.length; at += 2)
      await Promise.all(lines.slice(at, at + 2).map(check));
  };

  it('exits with 2 and the usage on invalid arguments, at every depth', async () => {
    await each(
      [
        '',
        'nonsense',
        '--nonsense',
        'serve --nonsense',
        'serve too many',
        'serve --port',
        'serve --port abc',
        'start --port 70000',
        'worker --port 1',
        'migrate now',
        'tenant',
        'tenant nonsense',
        'tenant create',
        'owner create',
        'owner create me',
        'owner list all',
        'token issue',
        `token issue --owner ${ID} --days 0`,
        `token issue --owner ${ID} --days 3651`,
        `token issue --owner ${ID} --days ever`,
        `token issue --owner ${ID} --scopes read,constructor`,
        `token issue --owner ${ID} --scopes ,`,
        `token issue --owner ${ID} --folders ${ID},x`,
        `token issue --owner ${ID} --access some`,
        'token revoke',
      ],
      async (line) => {
        const { code, stdout, stderr } = await run(...line.split(' ').filter((word) => word));
        expect([code, stdout], line).to.deep.equal([2, '']);
        expect(stderr, line).to.match(/^error: |^Usage: /);
        expect(stderr, line).not.to.match(/ {4}at /);
      },
    );
  });

  it('exits with 1 and one line when a valid command fails', async () => {
    await each(
      [
        'owner create me --tenant nowhere',
        `token issue --owner ${ID}`,
        'token revoke AAAAAAAA',
        'serve --host no-such-host.invalid --port 0',
      ],
      async (line) => {
        const { code, stdout, stderr } = await run(...line.split(' '));
        expect([code, stdout], line).to.deep.equal([1, '']);
        expect(stderr, line).to.match(/^owner-workspace: [^\n]+\n$/);
      },
    );
  });

  it('exits with 0 for --help', async () => {
    await each(['--help', 'help', 'serve --help', 'token issue --help'], async (line) => {
      const { code, stdout, stderr } = await run(...line.split(' '));
      expect([code, stderr], line).to.deep.equal([0, '']);
      expect(stdout).to.match(/^Usage: owner-workspace/);
    });
  });
});
