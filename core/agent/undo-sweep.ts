import type { Directory } from '../../ports/directory.ts';
import type { Clock, Scheduler } from '../../ports/runtime.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { forEachOwner } from '../shared/for-each-owner.ts';

const MAX_WRITES_PER_SWEEP = 2_000;
const UNDOS_PER_WRITE = 500;

export interface SweepUndosDeps {
  readonly uow: UnitOfWork<'agentUndos'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly directory: Pick<Directory, 'ownersWithExpiredUndos'>;
}

/**
 * Removes undos of the agent that have expired, of all owners; those that were undone lose their contents. Expired ones are not accepted, so a sweep that ends early
 * leaves the rest to the next one. Returns their number.
 */
export async function sweepExpiredUndos(
  { uow, clock, scheduler, directory }: SweepUndosDeps,
  shouldContinue: () => boolean = () => true,
): Promise<number> {
  const now = clock.now();
  let [writes, removed] = [0, 0];
  await forEachOwner(scheduler, {
    find: (limit) => directory.ownersWithExpiredUndos(now, limit),
    shouldContinue: () => shouldContinue() && writes < MAX_WRITES_PER_SWEEP,
    run: async (scope) => {
      writes++;
      removed += await uow.write(scope, ({ agentUndos }) =>
        agentUndos.removeExpired(now, UNDOS_PER_WRITE),
      );
    },
  });
  return removed;
}
