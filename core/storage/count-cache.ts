import type { StorageLocation } from '../../ports/blob-locations.ts';
import type { MigrationCount } from '../../ports/storage-migrations.ts';
import type { Scheduler, Clock, Instant } from '../../ports/runtime.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';

/** Counts of all objects of an owner that have bytes and are visible. */
export type WholeCount = Omit<MigrationCount, 'next'>;

export interface CountDeps {
  readonly uow: UnitOfWork<'storageMigrations'>;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
}

/** Objects per step: some hundredths of a second, in which an embedded database blocks other requests. */
const AT_ONCE = 2_000;

/** Counts objects range by range, and yields in between. */
export async function countObjects(
  deps: CountDeps,
  scope: OwnerScope,
  place: StorageLocation,
  hidden: boolean,
): Promise<WholeCount> {
  let sum: WholeCount = { total: 0, elsewhere: 0, failed: 0 };
  for (let after: string | null = null; ;) {
    const part: MigrationCount = await deps.uow.read(scope, ({ storageMigrations }) =>
      storageMigrations.count(place, { hidden }, after, AT_ONCE),
    );
    sum = {
      total: sum.total + part.total,
      elsewhere: sum.elsewhere + part.elsewhere,
      failed: sum.failed + part.failed,
    };
    if (part.next === null) return sum;
    after = part.next;
    await deps.scheduler.yield();
  }
}

/** A count shared by all concurrent requests for it. */
interface Kept {
  readonly count: Promise<WholeCount>;
  /** The state of the owner's data that was read before the count began. */
  readonly state: string;
  readonly begun: Instant;
  /** Null while it is computed. */
  until: Instant | null;
}

export interface CountRequest {
  readonly ownerId: string;
  /** Hidden objects are counted. */
  readonly hidden: boolean;
  /** Changes with the data that is counted, except with the moves of a running migration. */
  readonly state: string;
}

/** Counts of the objects of some owners. */
export interface CountCache {
  get(request: CountRequest, make: () => Promise<WholeCount>): Promise<WholeCount>;
  /** No later `get` returns a count that has begun before. */
  forget(ownerId: string): void;
}

const MAX_CACHED_OWNERS = 1_000;
/** Share of time spent on counting, however frequent the requests. */
const REST = 20;

/**
 * A count of an unchanged state is cached for a time proportional to its duration; a fast one is recomputed. A migration
 * that runs changes its count all the time, and each request of its progress would otherwise count all objects.
 */
export function createCountCache(clock: Clock): CountCache {
  const stored = new Map<string, Map<boolean, Kept>>();
  const countsOf = (ownerId: string) => {
    const found = stored.get(ownerId) ?? new Map<boolean, Kept>();
    stored.delete(ownerId);
    const [oldest] = stored.keys();
    if (stored.size >= MAX_CACHED_OWNERS && oldest !== undefined) stored.delete(oldest);
    stored.set(ownerId, found);
    return found;
  };
  return {
    get: ({ ownerId, hidden, state }, make) => {
      const now = clock.now();
      const counts = countsOf(ownerId);
      const found = counts.get(hidden);
      if (found?.state === state && (found.until === null || found.until > now)) return found.count;
      const count = make();
      const entry: Kept = { count, state, begun: now, until: null };
      counts.set(hidden, entry);
      count.then(
        () => {
          const ended = clock.now();
          entry.until = ended + REST * (ended - entry.begun);
        },
        // A failed count is not cached.
        () => counts.get(hidden) === entry && counts.delete(hidden),
      );
      return count;
    },
    forget: (ownerId) => void stored.delete(ownerId),
  };
}
