import type { Instant } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import {
  FAILED_SIGN_INS_PER_ALERT,
  recordFailedSignIn,
  type AlertStores,
  type SecurityEventDeps,
  type SecuritySource,
} from '../security-events/index.ts';
import type { KeyedMutex } from '../shared/keyed-mutex.ts';

/** Owners with failed sign-ins that are not recorded yet. Failures of further owners are dropped. */
const MAX_PENDING_OWNERS = 1_000;
/**
 * This many in a day get an event each, and the last of these notifies the owner. After that there is at most one event a
 * minute, so that guessers can not fill the log.
 */
const MAX_SINGLE_EVENTS_PER_DAY = FAILED_SIGN_INS_PER_ALERT;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Failure {
  readonly source: SecuritySource;
  readonly detail: string;
  readonly cause: 'wrong_password' | 'wrong_current_password';
}

/** Failed sign-ins of an owner. Only the latest few are stored, the others counted. */
interface PendingFailures {
  readonly scope: OwnerScope;
  readonly latest: readonly Failure[];
  readonly count: number;
  /** When they are recorded at the earliest. */
  readonly dueAt: Instant;
}

/**
 * Failed sign-ins that are not recorded yet. They are recorded by a periodic job and not by the request: writing an event
 * for existing accounts only would reveal by its time whether a name exists. A crash loses those of one period.
 */
export interface FailedSignIns {
  add(scope: OwnerScope, failure: Failure): void;
  /** Does the work of `add` for a name without an account, and records nothing: the time must not differ. */
  imitate(account: string, failure: Failure): void;
  /** The owners with failures that are due. */
  due(now: Instant): readonly string[];
  /** Removes and returns those of an owner. */
  remove(ownerId: string): PendingFailures | undefined;
  /** Adds again those that were removed and not recorded. */
  restore(pending: PendingFailures): void;
}

type Pending = Map<string, PendingFailures>;

function put(pending: Pending, ownerId: string, next: PendingFailures): void {
  if (!pending.has(ownerId) && pending.size >= MAX_PENDING_OWNERS) return;
  pending.set(ownerId, { ...next, latest: next.latest.slice(-MAX_SINGLE_EVENTS_PER_DAY) });
}

function addTo(pending: Pending, { tenantId, ownerId }: OwnerScope, failure: Failure): void {
  const { latest = [], count = 0, dueAt = 0 } = pending.get(ownerId) ?? {};
  const scope = { tenantId, ownerId };
  put(pending, ownerId, { scope, latest: [...latest, failure], count: count + 1, dueAt });
}

export function createFailedSignIns(): FailedSignIns {
  const pending: Pending = new Map();
  const imitated: Pending = new Map();
  return {
    add: (scope, failure) => addTo(pending, scope, failure),
    imitate: (account, failure) => addTo(imitated, { tenantId: '', ownerId: account }, failure),
    due: (now) => {
      imitated.clear();
      return [...pending].flatMap(([ownerId, { dueAt }]) => (dueAt <= now ? [ownerId] : []));
    },
    remove: (ownerId) => {
      const removed = pending.get(ownerId);
      pending.delete(ownerId);
      return removed;
    },
    restore: ({ scope, latest, count, dueAt }) => {
      const newer = pending.get(scope.ownerId);
      put(pending, scope.ownerId, {
        scope,
        latest: [...latest, ...(newer?.latest ?? [])],
        count: count + (newer?.count ?? 0),
        dueAt,
      });
    },
  };
}

export interface RecordFailedSignInsDeps extends SecurityEventDeps {
  readonly uow: UnitOfWork<'securityEvents' | 'notifications'>;
  readonly failedSignIns: FailedSignIns;
  readonly mutex: KeyedMutex;
}

/** Records the failed sign-ins of this process, owner by owner. Those that fail to be recorded are retried. */
export async function recordFailedSignIns(deps: RecordFailedSignInsDeps): Promise<void> {
  const errors: unknown[] = [];
  for (const ownerId of deps.failedSignIns.due(deps.clock.now()))
    await recordFailedSignInsOf(deps, ownerId).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Records those of one owner. Resolves after a recording that is already in progress. */
export const recordFailedSignInsOf = (
  deps: RecordFailedSignInsDeps,
  ownerId: string,
): Promise<void> =>
  deps.mutex(`failed sign-ins ${ownerId}`, async () => {
    const { failedSignIns, uow, clock } = deps;
    const pending = failedSignIns.remove(ownerId);
    if (!pending) return;
    try {
      const left = await uow.write(pending.scope, (stores) => record(deps, stores, pending));
      if (left === 0) return;
      const dueAt = clock.now() + MINUTE_MS;
      failedSignIns.restore({ ...pending, latest: pending.latest.slice(-1), count: left, dueAt });
    } catch (error) {
      failedSignIns.restore(pending);
      throw error;
    }
  });

/** Returns how many are left for the next minute. */
async function record(
  deps: SecurityEventDeps,
  stores: AlertStores,
  { latest, count }: PendingFailures,
): Promise<number> {
  const { securityEvents } = stores;
  const now = deps.clock.now();
  const earlier = await securityEvents.countSince(
    'sign_in_failed',
    now - DAY_MS,
    MAX_SINGLE_EVENTS_PER_DAY,
  );
  const singles = latest.slice(0, MAX_SINGLE_EVENTS_PER_DAY - earlier);
  for (const { source, detail, cause } of singles)
    await recordFailedSignIn(deps, stores, source, { detail, facts: { cause } });
  const left = count - singles.length;
  const last = latest.at(-1);
  if (left === 0 || !last || (await hasEventSince(stores, now - MINUTE_MS + 1))) return left;
  const detail = left === 1 ? last.detail : `${last.detail} It was the last of ${left}.`;
  const facts = { cause: last.cause, count: left };
  await recordFailedSignIn(deps, stores, last.source, { detail, facts });
  return 0;
}

async function hasEventSince(
  { securityEvents }: Pick<Stores, 'securityEvents'>,
  since: Instant,
): Promise<boolean> {
  return (await securityEvents.countSince('sign_in_failed', since, 1)) > 0;
}
