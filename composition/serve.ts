import type { RequestListener } from 'node:http';
import { eventLoop } from '../adapters/node/event-loop.ts';
import { createServer } from '../adapters/http/server.ts';
import { listen } from '../adapters/http/listener.ts';
import { routes, texts } from '../adapters/http/routes/index.ts';
import type { Config } from './config.ts';
import { readConfig } from './config.ts';
import { ConfigError } from './environment.ts';
import { createAccessLog, createLog } from './log.ts';
import { openService, type Service } from './service.ts';
import { letHeapGrow } from './heap-growth.ts';

export interface Wanted {
  readonly port?: string;
  readonly host?: string;
  readonly json?: true;
}

/** What runs may take this long to end; the process is gone within ten seconds. */
const GRACE_MS = 9_000;

/** Serves until it is told to stop. */
export async function serve(wanted: Wanted): Promise<void> {
  await run(wanted, () => Promise.resolve());
}

/** The same for somebody who has just cloned it: an empty workspace gets its first owner, and the token is shown once. */
export async function start(wanted: Wanted): Promise<void> {
  await run(wanted, async (service, address) => {
    const { total } = await service.core.identity.listOwners({ limit: 1, offset: 0 });
    if (total > 0) return;
    const tenant = await service.core.identity.createTenant('home');
    const { owner, first } = await service.core.identity.createOwner({
      name: 'me',
      tenant: tenant.id,
    });
    process.stdout.write(
      [
        '',
        `  A first owner was made: ${owner.name} (${owner.id}) of tenant ${tenant.name}.`,
        '  Its token is shown this once; `owner-workspace token issue` makes others:',
        '',
        `    export TOKEN=${first.bearer}`,
        `    curl -H "authorization: Bearer $TOKEN" ${address}/v1/me`,
        '',
        '',
      ].join('\n'),
    );
  });
}

/** Works on background tasks until it is told to stop. */
export async function worker(wanted: Wanted): Promise<void> {
  const config = configFor(wanted);
  const log = createLog(config.logLevel);
  const service = await openService(config, log, 'server');
  await service.work();
  letHeapGrow();
  say(wanted, { working: true }, 'Working on background tasks.');
  const alive = setInterval(() => undefined, 60_000);
  await told();
  clearInterval(alive);
  await service.close();
}

async function run(
  wanted: Wanted,
  first: (service: Service, address: string) => Promise<void>,
): Promise<void> {
  const config = configFor(wanted);
  const log = createLog(config.logLevel);
  const service = await openService(config, log, 'server');
  const access = createAccessLog(config.logLevel);
  let stopping = false;
  const app = createServer({
    core: service.core,
    routes,
    texts,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    workload: { mostInFlight: config.mostInFlight, mostWaitMs: config.mostWaitMs },
    soon: eventLoop.soon,
    checkReplies: false,
    onAccess: access,
    onError: (requestId, err) => log.error({ requestId, err }, 'a request failed on our side'),
    stopping: () => stopping,
  });
  const { host, port } = config;
  const asked: RequestListener = (request, response) => {
    service.asked();
    app(request, response);
  };
  const listener = await listen(asked, {
    ...{ host, port, graceMs: GRACE_MS },
    onConnection: eventLoop.arrived,
  }).catch(async (error: unknown) => {
    await service.close();
    throw unusable(config, error);
  });
  service.listensOn(listener.address);
  await service.work();
  letHeapGrow();
  say(
    wanted,
    { listening: listener.address, profile: config.profile },
    `Owner Workspace (${config.profile}) listens on ${listener.address}, its reference is at ${listener.address}/docs`,
  );
  await first(service, listener.address);
  const signal = await told();
  log.info({ signal }, 'stopping');
  stopping = true;
  const served = listener.stop();
  await Promise.all([served, service.quiesce(served)]);
  await service.close();
  say(wanted, { stopped: true }, 'Stopped.');
}

/** An address that can not be listened on is a wrong value like any other. */
function unusable({ host, port }: Config, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' || code === 'EACCES')
    return new ConfigError(`PORT=${port}: ${message}.`);
  return /^(EADDRNOTAVAIL|ENOTFOUND|EAI_|EINVAL)/.test(code ?? '')
    ? new ConfigError(`HOST=${JSON.stringify(host)}: ${message}.`)
    : error;
}

function configFor({ port, host }: Wanted): Config {
  return readConfig({
    ...process.env,
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
  });
}

function say({ json }: Wanted, data: unknown, line: string): void {
  process.stdout.write(`${json ? JSON.stringify(data) : line}\n`);
}

/** How soon after the first signal another is taken for an echo of it: a terminal tells parent and child alike. */
const ECHO_MS = 1_000;

/** The first signal to stop. A later one ends the process at once. */
function told(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (toldAt !== undefined && performance.now() - toldAt > ECHO_MS) process.exit(130);
        toldAt ??= performance.now();
        resolve(signal);
      });
  });
}
