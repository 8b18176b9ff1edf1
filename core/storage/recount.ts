import type { Place } from '../../ports/placements.ts';
import type { MoveCount } from '../../ports/storage-moves.ts';
import type { Breather, Clock, Instant } from '../../ports/time-and-ids.ts';
import type { OwnerScope, UnitOfWork } from '../../ports/unit-of-work.ts';

/** Counts of all objects of an owner that have bytes and are visible. */
export type WholeCount = Omit<MoveCount, 'next'>;

export interface CountDeps {
  readonly uow: UnitOfWork<'storageMoves'>;
  readonly breather: Breather;
  readonly clock: Clock;
}

/** Objects per step: some hundredths of a second, in which an embedded database blocks other requests. */
const AT_ONCE = 2_000;

/** Counts objects range by range, and yields in between. */
export async function countObjects(
  deps: CountDeps,
  scope: OwnerScope,
  place: Place,
  hidden: boolean,
): Promise<WholeCount> {
  let sum: WholeCount = { total: 0, elsewhere: 0, failed: 0 };
  for (let after: string | null = null; ;) {
    const part: MoveCount = await deps.uow.read(scope, ({ storageMoves }) =>
      storageMoves.count(place, { hidden }, after, AT_ONCE),
    );
    sum = {
      total: sum.total + part.total,
      elsewhere: sum.elsewhere + part.elsewhere,
      failed: sum.failed + part.failed,
    };
    if (part.next === null) return sum;
    after = part.next;
    await deps.breather.breathe();
  }
}

/** A count shared by all concurrent requests for it. */
interface Kept {
  readonly count: Promise<WholeCount>;
  readonly begun: Instant;
  /** Null while it is computed. */
  until: Instant | null;
}

export type Recounts = (key: string, make: () => Promise<WholeCount>) => Promise<WholeCount>;

const MOST_KEPT = 1_000;
/** Share of time spent on counting, however frequent the requests. */
const REST = 20;

/** A count is cached for a time proportional to its duration; a fast one is recomputed. */
export function recounting(clock: Clock): Recounts {
  const kept = new Map<string, Kept>();
  return (key, make) => {
    const now = clock.now();
    const found = kept.get(key);
    if (found && (found.until === null || found.until > now)) return found.count;
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    const count = make();
    const entry: Kept = { count, begun: now, until: null };
    kept.set(key, entry);
    count.then(
      () => {
        const ended = clock.now();
        entry.until = ended + REST * (ended - entry.begun);
      },
      () => kept.delete(key),
    );
    return count;
  };
}
