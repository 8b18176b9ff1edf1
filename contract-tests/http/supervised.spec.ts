import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { lockFolder } from '../../adapters/node/folder-lock.ts';
import { REDIS_URL, newDataFolder, openTestDatabase } from '../backends-env.ts';
import { CLI, eventually, profiles } from './harness.ts';

const ROOT = join(import.meta.dirname, '../..');
const SUPERVISE = join(ROOT, 'scripts/bootstrap/supervise.mjs');
const SUPERVISION = join(ROOT, 'composition/supervision.ts');
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
    // No such process exists.
    return false;
  }
};

const childOf = async ({ pid }: ChildProcess): Promise<number | undefined> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim() === '' ? undefined : Number(children.trim().split(' ')[0]);
};

const isGone = (pid: number): Promise<boolean> =>
  eventually(
    () => Promise.resolve(!isAlive(pid)),
    (it) => it,
    20_000,
  );

/** A server on this port of this machine; rejects where the port is in use. */
const occupy = async (port: number) => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { release: () => once(server.close(), 'close') };
};

/** A free port outside the range for outgoing connections, so that it is still free for a restart. */
async function reservedPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '');
  const first = Number.parseInt(range) || 32_768;
  for (;;) {
    const port = 10_240 + Math.floor(Math.random() * (first - 10_240));
    const free = await occupy(port).catch(() => undefined);
    await free?.release();
    if (free) return port;
  }
}

/** Ends the supervisor and its children. */
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
    });
    const begin = async (port: number): Promise<void> => {
      [printed, logged] = ['', ''];
      supervisor = superviseIn(CLI, ['start', '--port', String(port), '--json'], env());
      supervisor.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      supervisor.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
      const created = await eventually(
        () => Promise.resolve(/export TOKEN=(\S+)/.exec(printed)?.[1] ?? ''),
        (it) => it !== '',
        30_000,
      );
      token = created;
      // The whole text is written at once.
      expect(printed).to.match(/ http:\/\/localhost:\d+\/app\/sign-in#[\w-]{43}\n/);
      base = addresses()[0] ?? '';
      expect(base, logged).not.to.equal('');
    };
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
    const restarts = (): readonly string[] =>
      logged
        .split('\n')
        .filter((line) => line.includes('started again'))
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
    const addresses = (): readonly string[] =>
      printed
        .split('\n')
        .flatMap((line) =>
          line.startsWith('{"listening"')
            ? [(JSON.parse(line) as { listening: string }).listening]
            : [],
        );
    /** A process may answer before it has printed where it listens. */
    const addressesOf = (starts: number): Promise<readonly string[]> =>
      eventually(
        () => Promise.resolve(addresses()),
        (it) => it.length >= starts,
        30_000,
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
      await begin(await reservedPort());
      const stored: string[] = [];
      for (const [nth, fault] of (['stray', 'kill', 'stray'] as const).entries()) {
        const pid = await running();
        stored.push(await note(nth));
        if (fault === 'kill') process.kill(pid, 'SIGKILL');
        else {
          const headers = { 'x-stray-error': 'timer' };
          expect((await call('GET', '/v1/me', undefined, headers)).status).to.equal(200);
        }
        await restartedAfter(pid);
      }
      for (const id of stored)
        expect((await call('GET', `/v1/objects/${id}`)).status).to.equal(200);
      expect(await addressesOf(4)).to.deep.equal([base, base, base, base]);
      expect(printed.match(/export TOKEN/g)).to.have.length(1);
      expect(restarts(), logged).to.deep.equal(
        ['status 70', 'SIGKILL', 'status 70'].map(
          (how) => `the service ended (${how}); it is started again`,
        ),
      );
    });

    it('answers again at the port that the system chose', async () => {
      await begin(0);
      const pid = await running();
      process.kill(pid, 'SIGKILL');
      await restartedAfter(pid);
      expect(await addressesOf(2)).to.deep.equal([base, base]);
      // The system may assign the port to an outgoing connection in between. Only that explains a failed start.
      const failedStarts = restarts().filter((msg) => msg.includes('(status 1)'));
      expect(failedStarts, logged).to.have.length(logged.split('listen EADDRINUSE').length - 1);
    });

    it('waits for a port that is released a moment later', async () => {
      const port = await reservedPort();
      const { release } = await occupy(port);
      const started = begin(port);
      await pause(4_000);
      await release();
      await started;
      expect(base).to.equal(`http://127.0.0.1:${port}`);
      expect(logged).to.equal('');
    });

    if (profile === 'standalone')
      it('waits for a data folder that is released a moment later', async () => {
        const release = lockFolder(dataDir);
        const started = begin(0);
        await pause(4_000);
        release();
        await started;
        expect((await call('GET', '/v1/me')).status).to.equal(200);
        expect(logged).to.equal('');
      });

    it('shuts down gracefully after a signal to its supervisor', async () => {
      await begin(0);
      const pid = await running();
      const close = once(supervisor, 'close');
      supervisor.kill('SIGTERM');
      expect(await close).to.deep.equal([0, null]);
      expect(isAlive(pid)).to.equal(false);
      expect(printed).to.match(/\{"stopped":true\}\s*$/);
    });

    it('does not outlive its supervisor, and leaves the data folder free', async () => {
      await begin(0);
      const pid = await running();
      const id = await note(1);
      await dispose(supervisor);
      expect(await isGone(pid)).to.equal(true);
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

  /** Replaces the service: reports readiness, and exits at once. */
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

  /** A service with a child that is too busy to notice anything; prints the id of each process. */
  const withBusyChild = async () => {
    const file = await program(`
      import { spawn } from 'node:child_process';
      import { endWithSupervisor, reportReady } from ${JSON.stringify(SUPERVISION)};
      endWithSupervisor();
      const spin = 'const end = Date.now() + 60_000; console.log(process.pid); while (Date.now() < end);';
      spawn(process.execPath, ['--eval', spin], { stdio: ['pipe', 'inherit', 'inherit'] });
      reportReady();
      setInterval(() => undefined, 1_000);`);
    const started = superviseIn(file, [], {});
    supervisor = started;
    let printed = '';
    started.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const line = await eventually(
      () => Promise.resolve(printed),
      (it) => it.endsWith('\n'),
      30_000,
    );
    return { service: (await childOf(started)) as number, busy: Number(line) };
  };

  it('ends the busy children of a service that was killed', async () => {
    const { service, busy } = await withBusyChild();
    process.kill(service, 'SIGKILL');
    expect(await isGone(busy)).to.equal(true);
  });

  it('leaves neither the service nor its busy children behind when it is killed itself', async () => {
    const { service, busy } = await withBusyChild();
    supervisor?.kill('SIGKILL');
    expect(await isGone(service)).to.equal(true);
    expect(await isGone(busy)).to.equal(true);
  });

  it('never waits longer than half a minute', () => {
    const script = `import { pauseBefore } from ${JSON.stringify(SUPERVISE)};
      console.log(JSON.stringify([1, 2, 3, 9, 10, 11, 1e6].map(pauseBefore)));`;
    const words = ['--input-type=module', '--eval', script];
    const output = execFileSync(process.execPath, words, { encoding: 'utf8' });
    expect(JSON.parse(output)).to.deep.equal([0, 100, 200, 12_800, 25_600, 30_000, 30_000]);
  });
});
