import { UnavailableError } from '../../ports/errors.ts';
import {
  UNFINISHED_IMPORT_STATES,
  type ImportRun,
  type ImportRunStore,
} from '../../ports/import-runs.ts';
import type { Clock, Instant, RandomSource, Timer } from '../../ports/runtime.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import { RETENTION_MS as KEY_RETENTION_MS } from '../idempotency/index.ts';
import type { Caller } from '../shared/caller.ts';
import { DomainError } from '../shared/errors.ts';

/** How long an import without a sign of life counts as running. */
const LEASE_MS = 30_000;
/** How often progress is stored. */
const PROGRESS_MS = 1_000;
/** How often the lease is renewed if there is no progress. */
const RENEWAL_MS = 10_000;

/** Bounds of what is stored of one owner's imports. */
export const MAX_RUNS = 20;
export const RUN_RETENTION_MS = 7 * 24 * 3600_000;

export interface FollowDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'importRuns' | 'pinLock'>;
  readonly random: RandomSource;
  readonly timer: Timer;
}

type Writer = Pick<FollowDeps, 'uow' | 'clock'>;
type RunStores = Pick<Stores, 'importRuns'>;
type Progress = Pick<ImportRun, 'state' | 'done' | 'total'>;

const UNFINISHED: readonly string[] = UNFINISHED_IMPORT_STATES;
export const isUnfinished = ({ state }: ImportRun): boolean => UNFINISHED.includes(state);

/** As the run is now. If its process died, it was interrupted. */
export const currentRun = (run: ImportRun, now: Instant): ImportRun =>
  isUnfinished(run) && run.leaseUntil < now ? ended(run, 'interrupted') : run;

/** What has been stored counts on; files that have arrived or were verified do not. */
const ended = (run: ImportRun, state: 'failed' | 'interrupted'): ImportRun => ({
  ...run,
  ...(run.state !== 'running' && { done: 0, total: null }),
  state,
});

/**
 * Opens the run of a request with an idempotency key; returns its id. A run with this key that ended without success is
 * replaced. Returns undefined if there is another one, whose request this one repeats, and for a caller that is bound to
 * folders.
 */
export async function openRun(
  deps: FollowDeps,
  caller: Pick<Caller, 'scope' | 'hiddenToken'>,
  run: Pick<ImportRun, 'key' | 'kind' | 'filename' | 'state' | 'total'>,
): Promise<string | undefined> {
  if (caller.scope.folderIds) return undefined;
  return deps.uow.write(caller.scope, async ({ importRuns, pinLock }) => {
    const now = deps.clock.now();
    const known = await importRuns.findByKey(run.key);
    if (known && counts(currentRun(known, now), now)) return undefined;
    if (known) await importRuns.remove(known.id);
    await importRuns.removeOld(now - RUN_RETENTION_MS, MAX_RUNS - 1);
    const id = deps.random.uuid();
    await importRuns.save({
      ...run,
      id,
      // A calendar has no hidden events.
      isConcealed: run.kind === 'workspace' && (await zoneFor(deps, pinLock, caller)) !== 'closed',
      done: 0,
      report: null,
      code: null,
      leaseUntil: now + LEASE_MS,
      createdAt: now,
      updatedAt: now,
    });
    return id;
  });
}

const counts = (run: ImportRun, now: Instant): boolean =>
  isUnfinished(run) || (run.state === 'done' && run.updatedAt > now - KEY_RETENTION_MS);

/** What an import reports of itself. */
export interface ImportFollower {
  /** Progress before anything changes. It is stored soon. */
  show(progress: Progress): void;
  /** From here on records are stored. */
  start(total: number, isConcealed: boolean): Promise<void>;
  /** So many more are stored, in this unit of work. */
  advance(stores: RunStores, more: number): Promise<void>;
  /** Called in the last unit of work. */
  finish(stores: RunStores, report: unknown): Promise<void>;
}

/** Of a request without an idempotency key. */
export const NOT_FOLLOWED: ImportFollower = {
  show: () => undefined,
  start: () => Promise.resolve(),
  advance: () => Promise.resolve(),
  finish: () => Promise.resolve(),
};

/** Runs a part of an import with signs of life. If it fails, the run ends. */
export async function follow<T>(
  deps: Writer & Pick<FollowDeps, 'timer'>,
  { scope }: Pick<Caller, 'scope'>,
  id: string | undefined,
  work: (follower: ImportFollower) => Promise<T>,
): Promise<T> {
  if (id === undefined) return work(NOT_FOLLOWED);
  const { clock } = deps;
  let shown: Progress | undefined;
  const signOfLife = (stores: RunStores) => {
    const progress = shown;
    shown = undefined;
    return changeRun(stores, clock, id, (run) =>
      run.state === 'running' ? run : { ...run, ...progress },
    );
  };
  const life = signsOfLife(
    deps,
    () => shown !== undefined,
    () => deps.uow.write(scope, signOfLife),
  );
  try {
    return await work({
      show: (progress) => (shown = progress),
      start: (total, isConcealed) =>
        deps.uow.write(scope, (stores) =>
          changeRun(stores, clock, id, (run) => ({
            ...run,
            state: 'running',
            isConcealed: run.isConcealed || isConcealed,
            done: 0,
            total,
          })),
        ),
      advance: (stores, more) =>
        changeRun(stores, clock, id, (run) => ({ ...run, done: run.done + more })),
      finish: (stores, report) =>
        changeRun(stores, clock, id, (run) => ({ ...run, state: 'done', report })),
    });
  } catch (error) {
    await endRun(deps, scope, id, error);
    throw error;
  } finally {
    await life.end();
  }
}

/** Changes a run that has not ended. */
async function changeRun(
  { importRuns }: RunStores,
  clock: Clock,
  id: string,
  change: (run: ImportRun) => ImportRun,
): Promise<void> {
  const run = await importRuns.find(id);
  if (!run || !isUnfinished(run)) return;
  const now = clock.now();
  await importRuns.save({ ...change(run), leaseUntil: now + LEASE_MS, updatedAt: now });
}

/** Renews the lease until `end` is called, and stores progress more often. */
function signsOfLife(
  { clock, timer }: Pick<FollowDeps, 'clock' | 'timer'>,
  hasProgress: () => boolean,
  renew: () => Promise<void>,
): { end(): Promise<void> } {
  let hasEnded = false;
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  const beat = async () => {
    let last = clock.now();
    for (;;) {
      await timer.wait(PROGRESS_MS, promise);
      if (hasEnded) return;
      if (!hasProgress() && clock.now() - last < RENEWAL_MS) continue;
      last = clock.now();
      await renew().catch((error: unknown) => {
        // The next one may succeed. The import itself notices a lasting outage.
        if (!(error instanceof UnavailableError)) throw error;
      });
    }
  };
  const beating = beat();
  // Awaited at the end: until then a failure must not end the process.
  beating.catch(() => undefined);
  return {
    end: () => {
      hasEnded = true;
      resolve();
      return beating;
    },
  };
}

/** An error that says what is wrong is a failure. After any other, the import can be repeated. */
async function endRun(
  deps: Writer,
  scope: Caller['scope'],
  id: string,
  error: unknown,
): Promise<void> {
  const code = error instanceof DomainError ? error.code : null;
  const change = (run: ImportRun): ImportRun => ({
    ...ended(run, code === null ? 'interrupted' : 'failed'),
    code,
  });
  try {
    await deps.uow.write(scope, (stores) => changeRun(stores, deps.clock, id, change));
  } catch (failure) {
    // Then the end of its lease ends it. The caller gets the error of the import.
    if (!(failure instanceof UnavailableError)) throw failure;
  }
}

/** Ends the run of a file that arrived, but whose import did not begin. */
export const interruptRun = (
  deps: Writer,
  { scope }: Pick<Caller, 'scope'>,
  id: string,
): Promise<void> =>
  deps.uow.write(scope, (stores) =>
    changeRun(stores, deps.clock, id, (run) => ended(run, 'interrupted')),
  );

/** The runs that are stored long enough to be shown, newest first. */
export async function recentRuns(
  importRuns: Pick<ImportRunStore, 'newest'>,
  now: Instant,
): Promise<readonly ImportRun[]> {
  const runs = await importRuns.newest(MAX_RUNS);
  return runs
    .filter(({ createdAt }) => createdAt >= now - RUN_RETENTION_MS)
    .map((run) => currentRun(run, now));
}
