import { Container } from 'inversify';
import { describeConfinement } from '../adapters/extract/health.ts';
import { systemConfinement } from '../adapters/extract/process/namespaces.ts';
import { BackgroundThrottle } from '../adapters/node/background-throttle.ts';
import { PeriodicJobs } from '../adapters/node/periodic-jobs.ts';
import { withInterval } from '../adapters/node/with-interval.ts';
import type { Core } from '../core/index.ts';
import { LANE_CONCURRENCY } from '../core/processing/index.ts';
import { LEASE_RENEWAL_MS } from '../core/tasks/index.ts';
import { adapterModule, type ProfileAdapters } from './adapter-module.ts';
import { openProfile } from './profiles.ts';
import type { Config } from './config.ts';
import { coreModule } from './core.module.ts';
import { ConfigError } from './env-variables.ts';
import { claimDataFolder, makeDataFolder, openFolderWarning } from './data-folder.ts';
import { inboxWarning } from './inbox-folder.ts';
import { installationKey } from './installation-key.ts';
import type { Logger } from './log.ts';
import { TOKENS } from './tokens.ts';

/** The core with its adapters, ready for calls. */
export interface Service {
  readonly core: Core;
  /** The listen address: the base of generated URLs, unless PUBLIC_URL is set. */
  setListenAddress(address: string): void;
  /** Called for every request, so that background work is deferred. */
  noteRequest(): void;
  /** Starts background tasks and periodic jobs in this process. */
  startBackgroundWork(): Promise<void>;
  /**
   * Ends background work: tasks that are almost done may finish, the others are released for another worker. Model
   * calls continue until all requests are `served`, or the time is up.
   */
  quiesce(served?: Promise<void>): Promise<void>;
  /** The same, and closes every connection. */
  close(): Promise<void>;
}

type Sweep = (shouldContinue: () => boolean) => Promise<unknown>;

const TASK_SWEEP_MS = 2_000;
const REMINDER_SWEEP_MS = 1_000;
/** Whether there is something to do is known without a look at the folder. */
const INBOX_SWEEP_MS = 250;
const TRASH_SWEEP_MS = 600_000;
const RECEIPT_SWEEP_MS = 600_000;
const FAILED_SIGN_IN_MS = 1_000;
const ACCESS_SWEEP_MS = 600_000;
/** Beside processes of an earlier version, until all are replaced. */
const HASH_SWEEP_MS = 3_600_000;
const BLOB_SWEEP_MS = 6 * 3_600_000;
/** Longer than an upload may take to get its row. */
export const ORPHAN_GRACE_MS = 24 * 3_600_000;
const QUIESCE_MS = 4_000;
/** How long model calls may continue at shutdown: ten seconds, minus the time to send the result. */
const ANSWERS_MS = 8_000;
/** How long tasks may take to end after their model call was cancelled. */
const MODELS_MS = 500;
/** How long the last uses of credentials may take to be stored. */
const FLUSH_MS = 500;

/**
 * Opens the workspace: as a `server`, which runs permanently and in the standalone profile has exclusive use of its
 * folder, or as a `command` that may run next to it.
 */
export async function openService(
  config: Config,
  log: Logger,
  as: 'server' | 'command',
): Promise<Service> {
  if (config.profile !== 'memory') await makeDataFolder(config);
  const alone = config.profile === 'standalone' && as === 'server';
  const release = alone ? await claimDataFolder(config.dataDir) : undefined;
  const warning =
    as === 'server' && config.profile !== 'memory' && (await openFolderWarning(config));
  if (warning) log.warn(warning);
  const inboxNote = as === 'server' ? await inboxWarning(config) : undefined;
  if (inboxNote !== undefined) log.warn(inboxNote);
  const key =
    config.profile === 'memory' && config.secretKey === ''
      ? crypto.randomUUID() + crypto.randomUUID()
      : await installationKey(config.secretKey, config.dataDir);
  const [backing, confinement] = await Promise.all([
    openProfile(config, key, log),
    systemConfinement(config.ocr.map(({ file }) => file)),
  ]);
  if (as === 'server') await requireTenantOfOidc(config, backing);
  const container = new Container();
  let publicUrl = config.publicUrl;
  container.load(
    coreModule,
    adapterModule(backing, config, key, log, () => publicUrl, confinement),
  );
  const core = container.get(TOKENS.core);
  const jobs = container.get(TOKENS.jobs);
  const startedAt = Date.now();
  // With exclusive use, temporary files from before the start have lost their writer.
  const settledBefore = () =>
    config.profile === 'team'
      ? Date.now() - ORPHAN_GRACE_MS
      : Math.max(startedAt, Date.now() - ORPHAN_GRACE_MS);
  const throttle = new BackgroundThrottle();
  const heartbeat = new PeriodicJobs((chore, err) =>
    log.warn({ chore, err }, 'a periodic job failed'),
  );

  const settle = async (served: Promise<void>) => {
    const until = performance.now() + ANSWERS_MS;
    // Only this ends a long poll for updates early.
    container.get(TOKENS.messenger).stopWaiting();
    throttle.stop();
    // Streams of changes have no end of their own.
    container.get(TOKENS.changes).endSubscriptions();
    const closed = Promise.all([heartbeat.stop(), jobs.close()]);
    await withTimeout(QUIESCE_MS, closed);
    await Promise.all([
      container.get(TOKENS.ocr).close(),
      container.get(TOKENS.wordPlaces).close(),
      container.get(TOKENS.extractor).close(),
      container.get(TOKENS.pages).close(),
      container.get(TOKENS.thumbnailer).close(),
      container.get(TOKENS.images).close(),
    ]);
    // Answers in progress may continue until the time is up.
    await withTimeout(until - performance.now(), Promise.all([closed, served]));
    await withTimeout(FAILED_SIGN_IN_MS, recordFailedSignIns(core, log));
    await Promise.all([
      container.get(TOKENS.models).close(),
      container.get(TOKENS.messenger).close(),
      container.get(TOKENS.office)?.engine.close(),
    ]);
    await withTimeout(MODELS_MS, closed);
    await withTimeout(FLUSH_MS, core.identity.flushLastUse());
  };
  let settled: Promise<void> | undefined;
  const quiesce = (served = Promise.resolve()) => (settled ??= settle(served));

  return {
    core,
    setListenAddress: (address) => {
      if (config.publicUrl === '') publicUrl = address;
    },
    noteRequest: () => throttle.noteRequest(),
    startBackgroundWork: async () => {
      await backing.begin();
      log.info({ confinement: confinement.isInForce }, describeConfinement(confinement));
      for (const kind of core.background.taskKinds())
        jobs.handle(kind, async (taskId) => {
          // Slow tasks wait for external services, or their owner waits for them. The row of the task remains.
          if (!Object.hasOwn(LANE_CONCURRENCY, kind) && !(await throttle.waitForIdle())) return;
          await withInterval(
            LEASE_RENEWAL_MS,
            () => core.background.keepClaim(taskId),
            (err) => log.warn({ taskId, err }, 'a claim could not be renewed'),
            () => core.background.runTask(taskId),
          );
        });
      startPeriodicJobs(heartbeat, { core, backing, log, settledBefore });
      if (config.inbox)
        heartbeat.start({
          name: 'inbox',
          everyMs: INBOX_SWEEP_MS,
          run: (shouldContinue) =>
            core.background.takeInbox({
              shouldContinue,
              waitForIdle: () => throttle.waitForIdle(),
            }),
        });
    },
    quiesce,
    close: async () => {
      await quiesce();
      await container.unbindAllAsync();
      release?.();
    },
  };
}

interface PeriodicWork {
  readonly core: Core;
  readonly backing: ProfileAdapters;
  readonly log: Logger;
  /** The moment before which temporary files have lost their writer. */
  readonly settledBefore: () => number;
}

function startPeriodicJobs(
  jobs: PeriodicJobs,
  { core: { background }, backing, log, settledBefore }: PeriodicWork,
): void {
  const start = (name: string, everyMs: number, run: Sweep) =>
    jobs.start(
      { name, everyMs, run: async (shouldContinue) => void (await run(shouldContinue)) },
      0,
    );
  const checked = (sweep: Sweep) => withGarbageCheck(backing, log, sweep);
  start('tasks', TASK_SWEEP_MS, () => background.offerDueTasks());
  start('reminders', REMINDER_SWEEP_MS, () => background.sendDueReminders());
  start('failed sign-ins', FAILED_SIGN_IN_MS, () => background.recordFailedSignIns());
  start('trash', TRASH_SWEEP_MS, (shouldContinue) => background.purgeTrash(shouldContinue));
  start('receipts', RECEIPT_SWEEP_MS, (shouldContinue) =>
    background.sweepExpiredKeys(shouldContinue),
  );
  start('hashes', HASH_SWEEP_MS, (shouldContinue) => background.sealStoredHashes(shouldContinue));
  start('access', ACCESS_SWEEP_MS, (shouldContinue) =>
    background.sweepExpiredAccess(shouldContinue),
  );
  start('undos', RECEIPT_SWEEP_MS, (shouldContinue) =>
    background.sweepExpiredUndos(shouldContinue),
  );
  start('partial uploads', RECEIPT_SWEEP_MS, (shouldContinue) =>
    background.expireUploads(shouldContinue),
  );
  start(
    'uploads',
    BLOB_SWEEP_MS,
    checked(() => backing.abortStaleUploads(settledBefore())),
  );
  start(
    'blobs',
    BLOB_SWEEP_MS,
    checked((shouldContinue) => background.sweepBlobs(settledBefore(), shouldContinue)),
  );
  start('copies', BLOB_SWEEP_MS, (shouldContinue) =>
    background.sweepCopies(settledBefore(), shouldContinue),
  );
}

/** A sweep that runs only if no other installation may have files in the same place. */
const withGarbageCheck =
  (backing: ProfileAdapters, log: Logger, sweep: Sweep): Sweep =>
  async (shouldContinue) => {
    if (await backing.mayCollectGarbage()) return sweep(shouldContinue);
    log.warn(
      'the files are stored next to those of another installation or key: garbage collection is disabled',
    );
  };

/** What requests have left to be recorded; the periodic job has ended. */
const recordFailedSignIns = (core: Core, log: Logger): Promise<void> =>
  core.background
    .recordFailedSignIns()
    .catch((err: unknown) => log.warn({ err }, 'failed sign-ins could not be recorded'));

/** Unknown people of the identity provider would be rejected, without any error for the operator. */
async function requireTenantOfOidc(
  { oidc }: Config,
  backing: Pick<ProfileAdapters, 'accounts' | 'close'>,
): Promise<void> {
  if (!oidc || oidc.tenantId === null) return;
  const tenant = await backing.accounts.findTenant(oidc.tenantId);
  if (tenant?.id === oidc.tenantId) return;
  await backing.close();
  throw new ConfigError(
    `OIDC_PROVISION=${JSON.stringify(oidc.tenantId)}: there is no tenant with this id. \`owner-workspace owner list\` prints those of all owners.`,
  );
}

async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
