import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { REDIS_URL, newDataFolder, openTestDatabase } from '../backends-env.ts';
import { CLI, eventually, profiles } from './harness.ts';

const ROOT = join(import.meta.dirname, '../..');
const SUPERVISE = join(ROOT, 'scripts/bootstrap/supervise.mjs');
const STRAY = join(ROOT, 'drill/stray-errors.ts');

/** As `npm start` and the bin run the service, without making a build first. */
const superviseIn = (
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcess => {
  const script = `import { supervise } from ${JSON.stringify(SUPERVISE)};
    await supervise(process.execPath, ${JSON.stringify([program, ...words])}, {});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process.
    return false;
  }
};

const childOf = async ({ pid }: ChildProcess): Promise<number | undefined> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim() === '' ? undefined : Number(children.trim().split(' ')[0]);
};

/** Ends the supervisor and what it has started. */
const dispose = async (supervisor: ChildProcess | undefined): Promise<void> => {
  if (!supervisor || supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const exit = once(supervisor, 'exit');
  supervisor.kill('SIGKILL');
  await exit;
};

for (const profile of profiles)
  describe(`${profile}: a supervised service`, function () {
    this.timeout(60_000);
    let dataDir: string;
    let database: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
    let supervisor: ChildProcess;
    let printed: string;
    let logged: string;
    let base: string;
    let token: string;
    beforeEach(async () => {
      dataDir = await newDataFolder();
      database = profile === 'team' ? await openTestDatabase() : undefined;
      [printed, logged] = ['', ''];
      supervisor = superviseIn(CLI, ['start', '--port', '0', '--json'], env());
      supervisor.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      supervisor.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
      const made = await eventually(
        () => Promise.resolve(/export TOKEN=(\S+)/.exec(printed)?.[1] ?? ''),
        (it) => it !== '',
        30_000,
      );
      token = made;
      base = addresses()[0] ?? '';
      expect(base, logged).not.to.equal('');
    });
    afterEach(async () => {
      await dispose(supervisor);
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });

    const env = () => ({
      NODE_OPTIONS: `--import=${STRAY}`,
      PROFILE: profile,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...(database && { DATABASE_URL: database.url, REDIS_URL }),
    });
    const addresses = (): readonly string[] =>
      printed
        .split('\n')
        .flatMap((line) =>
          line.startsWith('{"listening"')
            ? [(JSON.parse(line) as { listening: string }).listening]
            : [],
        );
    const call = (method: string, path: string, body?: object, headers: object = {}) =>
      fetch(base + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          connection: 'close',
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
    /** It answers again, from another process than that one. */
    const restartedAfter = async (pid: number): Promise<number> => {
      const answers = async () => {
        const now = await childOf(supervisor);
        if (now === pid || now === undefined) return undefined;
        const status = await call('GET', '/v1/me').then(
          (response) => response.status,
          () => 0,
        );
        return status === 200 ? now : undefined;
      };
      const next = await eventually(answers, (it) => it !== undefined, 30_000);
      expect(next, logged).to.be.a('number');
      return next as number;
    };
    const running = async (): Promise<number> => (await childOf(supervisor)) as number;
    const note = async (nth: number): Promise<string> => {
      const content = `Acknowledged before the end, ${nth}.`;
      const response = await call('POST', '/v1/objects/notes', { content });
      expect(response.status).to.equal(200);
      return ((await response.json()) as { id: string }).id;
    };

    it('answers again at its address after an uncaught error and after kill -9, with all it had acknowledged', async () => {
      const kept: string[] = [];
      for (const [nth, fault] of (['stray', 'kill', 'stray'] as const).entries()) {
        const pid = await running();
        kept.push(await note(nth));
        if (fault === 'kill') process.kill(pid, 'SIGKILL');
        else {
          const headers = { 'x-stray-error': 'timer' };
          expect((await call('GET', '/v1/me', undefined, headers)).status).to.equal(200);
        }
        await restartedAfter(pid);
      }
      for (const id of kept) expect((await call('GET', `/v1/objects/${id}`)).status).to.equal(200);
      expect(addresses()).to.deep.equal([base, base, base, base]);
      expect(printed.match(/export TOKEN/g)).to.have.length(1);
      const restarts = logged
        .split('\n')
        .filter((line) => line.includes('started again'))
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
      // The system chose the port and may give it to another client in between. Only that explains a start that failed.
      const failedStarts = restarts.filter((msg) => msg.includes('(status 1)'));
      expect(failedStarts, logged).to.have.length(logged.split('listen EADDRINUSE').length - 1);
      expect(
        restarts.filter((msg) => !failedStarts.includes(msg)),
        logged,
      ).to.deep.equal(
        ['status 70', 'SIGKILL', 'status 70'].map(
          (how) => `the service ended (${how}); it is started again`,
        ),
      );
    });

    it('shuts down gracefully after a signal to its supervisor', async () => {
      const pid = await running();
      const close = once(supervisor, 'close');
      supervisor.kill('SIGTERM');
      expect(await close).to.deep.equal([0, null]);
      expect(isAlive(pid)).to.equal(false);
      expect(printed).to.match(/\{"stopped":true\}\s*$/);
    });

    it('does not outlive its supervisor, and leaves the data folder free', async () => {
      const pid = await running();
      const id = await note(1);
      await dispose(supervisor);
      const gone = await eventually(
        () => Promise.resolve(!isAlive(pid)),
        (it) => it,
      );
      expect(gone).to.equal(true);
      supervisor = superviseIn(CLI, ['serve', '--port', '0', '--json'], env());
      printed = '';
      supervisor.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      base = await eventually(
        () => Promise.resolve(addresses()[0] ?? ''),
        (it) => it !== '',
        30_000,
      );
      expect((await call('GET', `/v1/objects/${id}`)).status).to.equal(200);
    });
  });

describe('a supervisor', function () {
  this.timeout(60_000);
  let folder: string;
  let supervisor: ChildProcess | undefined;
  beforeEach(async () => {
    folder = await newDataFolder();
  });
  afterEach(async () => {
    await dispose(supervisor);
    await rm(folder, { recursive: true, force: true });
  });

  it('does not retry a start that fails because of its configuration', async () => {
    supervisor = superviseIn(CLI, ['serve'], { PROFILE: 'huge', DATA_DIR: folder });
    let logged = '';
    supervisor.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    expect(await once(supervisor, 'close')).to.deep.equal([1, null]);
    expect(logged).to.match(/^owner-workspace: PROFILE[^\n]+\n$/);
  });

  /** Stands in for the service; is ready, and ends at once. */
  const program = async (text: string): Promise<string> => {
    const file = join(folder, 'program.mjs');
    await writeFile(file, text);
    return file;
  };

  it('waits longer before each restart in a row, and ends by a signal meanwhile', async () => {
    const file = await program('process.send({ ready: true }, () => process.exit(70));');
    supervisor = superviseIn(file, [], {});
    let logged = '';
    supervisor.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    const pauses = () =>
      [...logged.matchAll(/"pauseMs":(\d+)/g)].map(([, pause]) => Number(pause)).slice(0, 6);
    await eventually(
      () => Promise.resolve(pauses()),
      (it) => it.length === 6,
      30_000,
    );
    expect(pauses()).to.deep.equal([0, 100, 200, 400, 800, 1_600]);
    const exit = once(supervisor, 'exit');
    supervisor.kill('SIGTERM');
    expect(await exit).to.deep.equal([0, null]);
  });

  it('restarts a process that has served for some seconds at once, however often', async () => {
    const end = 'process.send({ ready: true }); setTimeout(() => process.exit(70), 4_000);';
    const file = await program(end);
    supervisor = superviseIn(file, [], {});
    let logged = '';
    supervisor.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    const pauses = () => [...logged.matchAll(/"pauseMs":(\d+)/g)].map(([, pause]) => Number(pause));
    await eventually(
      () => Promise.resolve(pauses()),
      (it) => it.length >= 3,
      40_000,
    );
    expect(pauses().slice(0, 3)).to.deep.equal([0, 0, 0]);
  });

  it('never waits longer than half a minute', () => {
    const script = `import { pauseBefore } from ${JSON.stringify(SUPERVISE)};
      console.log(JSON.stringify([1, 2, 3, 9, 10, 11, 1e6].map(pauseBefore)));`;
    const words = ['--input-type=module', '--eval', script];
    const output = execFileSync(process.execPath, words, { encoding: 'utf8' });
    expect(JSON.parse(output)).to.deep.equal([0, 100, 200, 12_800, 25_600, 30_000, 30_000]);
  });
});
