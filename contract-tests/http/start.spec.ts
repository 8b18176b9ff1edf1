import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POSTGRES_URL, REDIS_URL } from '../backends-env.ts';
import { CLI, profiles } from './harness.ts';

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

let services = 0;

/** Runs `serve` until it exits. A process that keeps running is killed and has the code null. */
const serveIn = (cwd: string, env: Record<string, string>): Promise<Ended> =>
  new Promise((resolve) => {
    const dataDir = join(cwd, `data-${++services}`);
    const options = {
      cwd,
      // No part of the rule: a start takes its time on a machine that is busy with others.
      timeout: 60_000,
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, ...env },
    };
    execFile(process.execPath, [CLI, 'serve', '--json'], options, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? null) : 0, stdout, stderr }),
    );
  });

describe('the start of a service', function () {
  this.timeout(360_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-start-'));
    await writeFile(join(folder, 'file'), 'no folder');
    await writeFile(join(folder, 'broken.json'), '{\n  "free": {\n    x\n  }\n}\n');
    await writeFile(join(folder, 'roles.json'), '{"free": {"requests_per_minute": "many"}}');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const wrong: readonly (readonly [name: string, value: string, also?: Record<string, string>])[] =
    [
      ['PROFILE', 'huge'],
      ['PORT', '80a'],
      ['HOST', 'no host'],
      ['SECRET_KEY', 'short'],
      ['DATA_DIR', './file'],
      ['DATA_DIR', './file/below'],
      ['DATA_DIR', '/proc/x'],
      ['DATA_DIR', '/proc/x/y/z'],
      ['DATA_DIR', '/proc'],
      ['DATA_DIR', '/dev/null'],
      ['OUTBOUND_ALLOW', 'nas.lan,http://nas.lan'],
      ['OUTBOUND_ALLOW', '10.0.0.0/40'],
      ['ROLES_FILE', './nowhere.json'],
      ['ROLES_FILE', './broken.json'],
      ['ROLES_FILE', './roles.json'],
      ['DATABASE_URL', '', { PROFILE: 'team' }],
      ['DATABASE_URL', 'postgres://127.0.0.1:1/x', { PROFILE: 'team', REDIS_URL }],
      ['REDIS_URL', '', { PROFILE: 'team', DATABASE_URL: POSTGRES_URL }],
    ];
  it('is stopped by an invalid value with one line that names it', async () => {
    const tries = [...wrong];
    if (profiles.includes('team')) {
      const nowhere = new URL(POSTGRES_URL);
      nowhere.pathname = '/ow_no_such_database';
      tries.push(['DATABASE_URL', nowhere.href, { PROFILE: 'team', REDIS_URL }]);
    }
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    tries.push(['PORT', String((taken.address() as AddressInfo).port)]);
    try {
      for (let at = 0; at < tries.length; at += 4)
        await Promise.all(
          tries.slice(at, at + 4).map(async ([name, value, also]) => {
            const { code, stdout, stderr } = await serveIn(folder, { ...also, [name]: value });
            expect(code, `${name}=${value}`).to.equal(1);
            expect(stderr, `${name}=${value}`).to.match(/^owner-workspace: [^\n]+\n$/);
            expect(stderr).to.include(name);
            expect(stdout).to.equal('');
          }),
        );
    } finally {
      taken.close();
    }
  });

  it('reads .env, with lower precedence than the environment', async () => {
    const file = join(folder, '.env');
    await writeFile(file, '# a comment\nLOG_LEVEL="loud"\nPORT=nonsense\n');
    const { code, stderr } = await serveIn(folder, {});
    expect([code, stderr]).to.deep.equal([
      1,
      'owner-workspace: LOG_LEVEL="loud" is not one of trace, debug, info, warn, error, fatal, silent.\n',
    ]);
    await rm(file);
    await mkdir(file);
    const unreadable = await serveIn(folder, {});
    expect(unreadable.code).to.equal(1);
    expect(unreadable.stderr).to.match(/^owner-workspace: [^\n]*\.env: [^\n]+\n$/);
    await rm(file, { recursive: true });
  });
});
