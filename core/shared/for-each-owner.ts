import { UnavailableError } from '../../ports/errors.ts';
import type { Scheduler } from '../../ports/runtime.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';

const OWNERS_PER_QUERY = 100;

export interface OwnerWork {
  /** Owners that still need work, at most `limit`. */
  readonly find: (limit: number) => Promise<readonly OwnerScope[]>;
  readonly run: (scope: OwnerScope) => Promise<void>;
  readonly shouldContinue: () => boolean;
}

/**
 * Runs work for every owner that needs it, one after the other, until none does. A failure of one owner does not stop the
 * others: the first error is thrown at the end. An outage of the database is thrown at once.
 */
export async function forEachOwner(
  scheduler: Scheduler,
  { find, run, shouldContinue }: OwnerWork,
): Promise<void> {
  const failures = new Map<string, unknown>();
  for (;;) {
    const owners = (await find(OWNERS_PER_QUERY)).filter(({ ownerId }) => !failures.has(ownerId));
    if (owners.length === 0) break;
    for (const scope of owners) {
      if (!shouldContinue()) return;
      try {
        await run(scope);
      } catch (error) {
        if (error instanceof UnavailableError) throw error;
        failures.set(scope.ownerId, error);
      } finally {
        // An embedded database completes without yielding.
        await scheduler.yield();
      }
    }
  }
  if (failures.size > 0) throw [...failures.values()][0];
}
