import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'composition/cli.ts');

/** Modules that an operation, another profile or a child process needs, and a start on SQLite does not. */
const LATER = [
  '@aws-sdk',
  '@e965/xlsx',
  '@hyzyla/pdfium',
  '@mozilla/readability',
  '@node-rs/argon2',
  '@simplewebauthn/server',
  'bee-queue',
  'eld',
  'file-type',
  'ical.js',
  'ioredis',
  'jose',
  'linkedom',
  'mammoth',
  'openid-client',
  'pg',
  'postal-mime',
  'sharp',
  'tesseract.js-core',
  'undici',
  'unpdf',
  'windows-iana',
  'word-extractor',
];

/** Records every module that is loaded, and writes the list when the process ends. */
const NOTING = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync(process.env.LOADED, urls.join('\\n')));
`)}`;

/** Packages and files of this project that are loaded until the first response. */
async function loadedBy(cli: string, dataDir: string): Promise<string[]> {
  const file = join(dataDir, 'loaded');
  const child = spawn(process.execPath, ['--import', NOTING, cli, 'serve', '--json'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOADED: file },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { listening } = JSON.parse(line) as { listening: string };
  expect((await fetch(`${listening}/health`)).status).to.equal(200);
  child.kill('SIGTERM');
  await ended;
  return (await readFile(file, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
}

const packageOf = (url: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];

describe('a start on SQLite', function () {
  this.timeout(60_000);
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ow-start-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, maxRetries: 5 }));

  it('loads no modules that are only needed later', async () => {
    const loaded = new Set((await loadedBy(SOURCES, dataDir)).map(packageOf));
    expect(loaded).to.include('better-sqlite3').and.include('express');
    expect(LATER.filter((name) => loaded.has(name))).to.deep.equal([]);
  });

  it('loads the build from few files', async function () {
    if (process.env['PROGRAM'] !== 'compiled') this.skip();
    const loaded = await loadedBy(join(ROOT, 'dist/composition/cli.js'), dataDir);
    expect(loaded.length).to.be.below(100);
    expect(loaded.filter((url) => !packageOf(url))).to.satisfy((urls: string[]) =>
      urls.every((url) => url.includes('/dist/composition/')),
    );
  });
});
