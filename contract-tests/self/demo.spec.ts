import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { nameOf, readDemoWorkspace, type DemoWorkspace } from '../../scripts/demo/workspace.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What the command prints with `--json`. */
interface Started {
  readonly listening: string;
  readonly link: string;
  readonly documents: number;
}

describe('npm run demo', function () {
  this.timeout(240_000);
  let folder: string;
  let temporary: string;
  let child: ChildProcessByStdio<null, Readable, null>;
  let started: Started;
  let workspace: DemoWorkspace;
  let cookie = '';

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- black box: the shape is what the spec judges
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(started.listening + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        'sec-fetch-site': 'same-origin',
        cookie,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const [set] = response.headers.getSetCookie();
    if (set) [cookie = ''] = set.split(';');
    expect(response.status, `${method} ${path}`).to.equal(200);
    return response.json();
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ow-demo-of-'));
    temporary = join(folder, 'temporary');
    await writeFile(join(folder, '.env'), 'PUBLIC_URL=https://elsewhere.example\nPROFILE=team\n');
    workspace = await readDemoWorkspace();
    await mkdir(temporary);
    child = spawn(process.execPath, [join(ROOT, 'scripts/demo.ts'), '--json', '--port', '0'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        PROGRAM: process.env['PROGRAM'] === 'compiled' ? 'compiled' : 'sources',
        TMPDIR: temporary,
        PROFILE: 'standalone',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`It ended: ${code}`))),
    ])) as [string];
    started = JSON.parse(line) as Started;
    // Signed in by the link, as a browser that opens it.
    const code = new URL(started.link).hash.slice(1);
    await call('POST', '/v1/sign-in/link', { code });
  });
  after(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is a script that installs and builds before it starts', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Record<string, string>;
    };
    expect(scripts['demo']).to.equal('exec node scripts/bootstrap.mjs bench scripts/demo.ts');
  });

  it('prints a link that signs in, on an address without settings of another installation', () => {
    expect(new URL(started.link).hostname).to.equal('localhost');
    expect(cookie).to.match(/^session=./);
  });

  it('has 300 documents, all of them read', async () => {
    const { total } = await call('GET', '/v1/objects?limit=1');
    const ready = await call('GET', '/v1/objects?limit=1&status=ready');
    expect([started.documents, total, ready.total]).to.deep.equal([300, 300, 300]);
    const { coverage } = await call('POST', '/v1/ask', { question: 'Which ferry is booked?' });
    expect(coverage).to.include({ searched: 300, unread: 0 });
  });

  it('answers a question in each language, with a citation of the document', async () => {
    const languages = new Set(workspace.questions.map(({ language }) => language));
    expect([...languages].sort()).to.deep.equal('de en es fr ru zh'.split(' '));
    for (const { question, file, answer } of workspace.questions) {
      const { citations } = await call('POST', '/v1/ask', { question });
      const source = workspace.documents.find((each) => each.file === file);
      const filename = source && nameOf(source);
      // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
      const cited = citations.filter((each: any) => each.filename === filename);
      const snippets = cited.map((each: { snippet: string }) => each.snippet).join('\n');
      expect(snippets, question).to.include(answer);
    }
  });

  it('has folders, a calendar, shares, views, suggestions, conversations and a hidden zone', async () => {
    const folders = await call('GET', '/v1/collections?limit=1');
    expect(folders.total).to.equal(workspace.themes.flatMap((theme) => theme.folders).length);
    const agenda = await call('GET', '/v1/calendar/agenda?from=2026-11-23&to=2026-11-30');
    expect(agenda.items.map((each: { title: string }) => each.title)).to.include('Choir');
    expect((await call('GET', '/v1/shares')).total).to.equal(workspace.shares.length);
    expect((await call('GET', '/v1/views')).items).to.have.length(workspace.views.length);
    expect((await call('GET', '/v1/objects?limit=1&has_suggestion=true')).total).to.be.above(3);
    expect((await call('GET', '/v1/chats?limit=1')).total).to.be.above(5);
    expect(await call('GET', '/v1/hidden-pin')).to.include({ configured: true, unlocked: false });
    await call('POST', '/v1/hidden-pin/unlock', { pin: workspace.pin });
  });

  it('lets the owner sign in by the password that it prints', async () => {
    const { owner: name, password } = workspace;
    expect(await call('GET', '/v1/me')).to.have.nested.property('owner.name', 'Ines Halloran');
    await call('POST', '/v1/sign-in/password', { name, password });
  });

  it('leaves nothing behind, and nothing in the folder of an installation', async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).to.equal(0);
    // Besides the compile cache of Node.
    expect((await readdir(temporary)).filter((name) => name.startsWith('ow-'))).to.deep.equal([]);
    expect((await readdir(folder)).sort()).to.deep.equal(['.env', 'temporary']);
  });
});
