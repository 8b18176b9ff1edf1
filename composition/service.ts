import { Container } from 'inversify';
import { BackgroundThrottle } from '../adapters/node/background-throttle.ts';
import { PeriodicJobs } from '../adapters/node/periodic-jobs.ts';
import { withInterval } from '../adapters/node/with-interval.ts';
import type { Core } from '../core/index.ts';
import { LANE_CONCURRENCY } from '../core/processing/index.ts';
import { LEASE_RENEWAL_MS } from '../core/tasks/index.ts';
import { adapterModule } from './adapter-module.ts';
import { openProfile } from './profiles.ts';
import type { Config } from './config.ts';
import { coreModule } from './core.module.ts';
import { claimDataFolder, makeDataFolder, openFolderWarning } from './data-folder.ts';
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

type Sweep = (goesOn: () => boolean) => Promise<unknown>;

const TASK_SWEEP_MS = 2_000;
const REMINDER_SWEEP_MS = 1_000;
const TRASH_SWEEP_MS = 600_000;
const RECEIPT_SWEEP_MS = 600_000;
const BLOB_SWEEP_MS = 6 * 3_600_000;
/** Longer than an upload may take to get its row. */
export const ORPHAN_GRACE_MS = 24 * 3_600_000;
const QUIESCE_MS = 4_000;
/** How long model calls may continue at shutdown: ten seconds, minus the time to send the result. */
const ANSWERS_MS = 8_000;
/** How long tasks may take to end after their model call was cancelled. */
const MODELS_MS = 500;

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
  const key =
    config.profile === 'memory' && config.secretKey === ''
      ? crypto.randomUUID() + crypto.randomUUID()
      : await installationKey(config.secretKey, config.dataDir);
  const backing = await openProfile(config, key, log);
  const container = new Container();
  let publicUrl = config.publicUrl;
  container.load(
    coreModule,
    adapterModule(backing, config, key, log, () => publicUrl),
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

  const sweeping = (sweep: Sweep) => async (goesOn: () => boolean) => {
    if (await backing.mayCollectGarbage()) return sweep(goesOn);
    log.warn(
      'the files are stored next to those of another installation or key: garbage collection is disabled',
    );
  };

  const settle = async (served: Promise<void>) => {
    const until = performance.now() + ANSWERS_MS;
    // Only this ends a long poll for updates early.
    container.get(TOKENS.messenger).stopWaiting();
    throttle.stop();
    const closed = Promise.all([heartbeat.stop(), jobs.close()]);
    await withTimeout(QUIESCE_MS, closed);
    await Promise.all([
      container.get(TOKENS.ocr).close(),
      container.get(TOKENS.extractor).close(),
      container.get(TOKENS.pages).close(),
      container.get(TOKENS.thumbnailer).close(),
      container.get(TOKENS.images).close(),
    ]);
    // Answers in progress may continue until the time is up.
    await withTimeout(until - performance.now(), Promise.all([closed, served]));
    await Promise.all([
      container.get(TOKENS.models).close(),
      container.get(TOKENS.messenger).close(),
      container.get(TOKENS.office)?.engine.close(),
    ]);
    await withTimeout(MODELS_MS, closed);
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
      const chore = (name: string, everyMs: number, run: Sweep, firstMs = 0) =>
        heartbeat.start(
          { name, everyMs, run: async (goesOn) => void (await run(goesOn)) },
          firstMs,
        );
      chore('tasks', TASK_SWEEP_MS, () => core.background.offerDueTasks());
      chore('reminders', REMINDER_SWEEP_MS, () => core.background.sendDueReminders());
      chore('trash', TRASH_SWEEP_MS, (goesOn) => core.background.purgeTrash(goesOn));
      chore('receipts', RECEIPT_SWEEP_MS, (goesOn) => core.background.sweepExpiredKeys(goesOn));
      chore(
        'uploads',
        BLOB_SWEEP_MS,
        sweeping(() => backing.abortStaleUploads(settledBefore())),
      );
      chore(
        'blobs',
        BLOB_SWEEP_MS,
        sweeping((goesOn) => core.background.sweepBlobs(settledBefore(), goesOn)),
      );
      chore('copies', BLOB_SWEEP_MS, (goesOn) =>
        core.background.sweepCopies(settledBefore(), goesOn),
      );
    },
    quiesce,
    close: async () => {
      await quiesce();
      await container.unbindAllAsync();
      release?.();
    },
  };
}

async function withTimeout(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
