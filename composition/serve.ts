import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventLoop } from '../adapters/node/tick-scheduler.ts';
import { readAppFiles } from '../adapters/http/app/app-files.ts';
import { parseBaseUrl } from '../adapters/http/pages/base-url.ts';
import { Exchange, exchangeOf } from '../adapters/http/pipeline/exchange.ts';
import { respondToUncaught } from '../adapters/http/response/error.ts';
import { createServer } from '../adapters/http/server/create-server.ts';
import { listen, type Listener } from '../adapters/http/server/listener.ts';
import { routes, staticFiles } from '../adapters/http/routes/index.ts';
import { DEFAULT_TOKEN_DAYS } from '../core/identity/index.ts';
import type { Config } from './config.ts';
import { readConfig } from './config.ts';
import { ConfigError } from './env-variables.ts';
import { createAccessLog, createLog } from './log.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { openService, type Service } from './service.ts';
import { raiseHeapLimits } from './heap-limits.ts';
import { signInAddress } from './sign-in-address.ts';
import { WEB_FOLDER } from './web-folder.ts';
import { UNCAUGHT_STATUS, endWithSupervisor, reportReady } from './supervision.ts';
import { firstUncaught, runAs, type Uncaught } from './uncaught.ts';

export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly json?: true;
}

export interface StartOptions extends ServeOptions {
  /** Name of the first owner. */
  readonly owner: string;
}

/** Grace period for running requests; the process exits within ten seconds. */
const GRACE_MS = 9_000;
/** The grace period after an uncaught error. It is short, because no request is served until the process has restarted. */
const UNCAUGHT_GRACE_MS = 5_000;
/** Deadline of a shutdown after an uncaught error: the process then exits even if something in it hangs. */
const UNCAUGHT_END_MS = 9_000;
/** Grace period of the request that threw the uncaught error. It is shorter: often that error prevents its response. */
const ESCAPED_GRACE_MS = 1_000;

/** Serves until a termination signal. */
export async function serve(options: ServeOptions): Promise<void> {
  await run(options, () => Promise.resolve());
}

/** For a first start: an empty workspace gets its first owner, and the token is shown once. */
export async function start(options: StartOptions): Promise<void> {
  await run(options, async (service, address, config) => {
    const { total } = await service.core.identity.listOwners({ limit: 1, offset: 0 });
    if (total > 0) return;
    const tenant = await service.core.identity.createTenant('home');
    const { owner, first } = await service.core.identity.createOwner({
      name: options.owner,
      tenant: tenant.id,
    });
    const { code } = await service.core.signIn.createSignInLink(owner.id);
    // As a shell takes it.
    const who = /^[\w-]+$/.test(owner.name) ? owner.name : owner.id;
    process.stdout.write(
      [
        '',
        `  A first owner was created: ${owner.name} (${owner.id}) in tenant ${tenant.name}.`,
        '  Open this link in a browser to begin. It signs you in, once and within 30 minutes;',
        `  \`owner-workspace owner sign-in-link ${who}\` prints another:`,
        '',
        `    ${signInAddress(config, address, code)}`,
        '',
        `  For programs there is a token. It is shown only once and is valid for ${DEFAULT_TOKEN_DAYS} days;`,
        '  `owner-workspace token issue` issues others:',
        '',
        `    export TOKEN=${first.bearer}`,
        `    curl -H "authorization: Bearer $TOKEN" ${address}/v1/me`,
        '',
        '',
      ].join('\n'),
    );
  });
}

/** Runs background tasks until a termination signal. */
export async function worker(options: ServeOptions): Promise<void> {
  const config = configFor(options);
  const log = createLog(config.logLevel);
  ignoreClosedOutput();
  endWithSupervisor();
  const uncaught = watchUncaught(log, () => []);
  const service = await openService(config, log, 'server');
  const signalled = shutdownSignal();
  await service.startBackgroundWork();
  raiseHeapLimits();
  printStatus(options, { working: true }, 'Working on background tasks.');
  reportReady();
  const alive = setInterval(() => undefined, 60_000);
  const end = await Promise.race([signalled, uncaught]);
  clearInterval(alive);
  await service.close();
  if (isUncaught(end)) process.exit(UNCAUGHT_STATUS);
}

async function run(
  options: ServeOptions,
  first: (service: Service, address: string, config: Config) => Promise<void>,
): Promise<void> {
  const config = configFor(options);
  const log = createLog(config.logLevel);
  ignoreClosedOutput();
  endWithSupervisor();
  let inFlight: Listener['inFlight'] = () => [];
  const uncaught = watchUncaught(log, () =>
    inFlight()
      .slice(0, MAX_NAMED)
      .map((response) => ({ ...exchangeOf(response)?.describe() })),
  );
  const service = await openService(config, log, 'server');
  const webApp = await readAppFiles(WEB_FOLDER, parseBaseUrl(config.publicUrl), config.office?.url);
  if (!webApp) log.warn({ folder: WEB_FOLDER }, 'the app has not been built: /app is not served');
  const access = createAccessLog(config.logLevel);
  let stopping = false;
  const app = createServer({
    core: service.core,
    routes,
    staticFiles,
    ...(webApp && { app: webApp }),
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    admission: { maxInFlight: config.maxInFlight, maxQueueWaitMs: config.maxQueueWaitMs },
    runAtTickEnd: eventLoop.runAtTickEnd,
    checkReplies: false,
    onAccess: access,
    onError: (requestId, err) =>
      log.error({ requestId, err }, 'a request failed with an internal error'),
    runFor: runAs,
    stopping: () => stopping,
  });
  const { host, port } = config;
  // Registered before the service reports that it is ready: a supervisor may send a signal right after that.
  const signalled = shutdownSignal();
  const requested: RequestListener = (request, response) => {
    service.noteRequest();
    app(request, response);
  };
  const listenOptions = {
    ...{ host, port, graceMs: GRACE_MS },
    onConnection: eventLoop.onConnection,
    onError: (err: Error) => log.error({ err }, 'a connection could not be accepted'),
  };
  const listener = await retryWhileBusy(() => listen(requested, listenOptions), isPortInUse).catch(
    async (error: unknown) => {
      await service.close();
      throw unusable(config, error);
    },
  );
  inFlight = () => listener.inFlight();
  service.setListenAddress(listener.address);
  await service.startBackgroundWork();
  raiseHeapLimits();
  // Before the address is printed, so that a restart always listens on the printed address.
  reportReady(Number(new URL(listener.address).port));
  printStatus(
    options,
    { listening: listener.address, profile: config.profile },
    `Owner Workspace (${config.profile}) listens on ${listener.address}, its reference is at ${listener.address}/docs`,
  );
  await first(service, listener.address, config);
  const end = await Promise.race([signalled, uncaught]);
  stopping = true;
  if (isUncaught(end)) {
    log.error('stopping because of an uncaught error');
    const escaped = end.origin instanceof Exchange ? end.origin : undefined;
    const answered = pause(ESCAPED_GRACE_MS, undefined, { ref: false });
    if (escaped) void answered.then(() => respondToUncaught(escaped));
  } else log.info({ signal: end }, 'stopping');
  const served = listener.stop(isUncaught(end) ? UNCAUGHT_GRACE_MS : GRACE_MS);
  await Promise.all([served, service.quiesce(served)]);
  await service.close();
  if (isUncaught(end)) process.exit(UNCAUGHT_STATUS);
  printStatus(options, { stopped: true }, 'Stopped.');
}

/** Limit of the requests in flight that are logged with an error whose origin is unknown. */
const MAX_NAMED = 20;

/** The first uncaught error. From then on a deadline ends the process, in any state. */
function watchUncaught(
  log: ReturnType<typeof createLog>,
  underWay: () => readonly Readonly<Record<string, unknown>>[],
): Promise<Uncaught> {
  const uncaught = firstUncaught(log, underWay);
  void uncaught.then(() => {
    setTimeout(() => process.exit(UNCAUGHT_STATUS), UNCAUGHT_END_MS).unref();
  });
  return uncaught;
}

const isUncaught = (end: NodeJS.Signals | Uncaught): end is Uncaught => typeof end !== 'string';

const isPortInUse = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** An unusable listen address is a configuration error. */
function unusable({ host, port }: Config, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' || code === 'EACCES')
    return new ConfigError(`PORT=${port}: ${message}.`);
  return /^(EADDRNOTAVAIL|ENOTFOUND|EAI_|EINVAL)/.test(code ?? '')
    ? new ConfigError(`HOST=${JSON.stringify(host)}: ${message}.`)
    : error;
}

function configFor({ port, host }: ServeOptions): Config {
  return readConfig({
    ...process.env,
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
  });
}

/** If the output is closed, as by `| head -1`, the service continues. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function printStatus({ json }: ServeOptions, data: unknown, line: string): void {
  process.stdout.write(`${json ? JSON.stringify(data) : line}\n`);
}

/** A second signal within this time after the first is a duplicate: a terminal signals parent and child. */
const ECHO_MS = 1_000;

/** The first termination signal. A later one ends the process immediately. */
function shutdownSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let reportedAt: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (reportedAt !== undefined && performance.now() - reportedAt > ECHO_MS) process.exit(130);
        reportedAt ??= performance.now();
        resolve(signal);
      });
  });
}
