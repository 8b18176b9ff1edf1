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
  readonly begun: Instant;
  /** Null while it is computed. */
  until: Instant | null;
}

export type CountCache = (key: string, make: () => Promise<WholeCount>) => Promise<WholeCount>;

const MAX_CACHED_COUNTS = 1_000;
/** Share of time spent on counting, however frequent the requests. */
const REST = 20;

/** A count is cached for a time proportional to its duration; a fast one is recomputed. */
export function createCountCache(clock: Clock): CountCache {
  const stored = new Map<string, Kept>();
  return (key, make) => {
    const now = clock.now();
    const found = stored.get(key);
    if (found && (found.until === null || found.until > now)) return found.count;
    stored.delete(key);
    const [oldest] = stored.keys();
    if (stored.size >= MAX_CACHED_COUNTS && oldest !== undefined) stored.delete(oldest);
    const count = make();
    const entry: Kept = { count, begun: now, until: null };
    stored.set(key, entry);
    count.then(
      () => {
        const ended = clock.now();
        entry.until = ended + REST * (ended - entry.begun);
      },
      () => stored.delete(key),
    );
    return count;
  };
}
