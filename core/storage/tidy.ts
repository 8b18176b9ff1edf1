import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Clock, Instant } from '../../ports/time-and-ids.ts';
import type { BlobCopy } from '../../ports/placements.ts';
import { removeOrLeave, type MoveFileDeps } from './move-file.ts';

const AT_ONCE = 100;
/**
 * Age after which a copy in state `writing` has lost its writer: its claim has expired long ago. If that writer
 * resumes, it finds the row missing, and removes its bytes itself.
 */
const FORSAKEN_MS = 60_000;

/** Copies left by a crash, or that could not be removed in time. */
export async function tidy(deps: MoveFileDeps, scope: OwnerScope): Promise<'clean' | 'left'> {
  for (;;) {
    const all = await deps.uow.read(scope, ({ placements }) => placements.unsettled(AT_ONCE));
    let removed = 0;
    for (const copy of all)
      if (mayGo(deps.clock, copy) && (await removeOrLeave(deps, scope, copy))) removed++;
    if (all.length === 0) return 'clean';
    if (removed === 0) return 'left';
  }
}

const mayGo = (clock: Clock, { state, createdAt }: BlobCopy): boolean =>
  state === 'deleting' || isForsaken(createdAt, clock.now());

const isForsaken = (createdAt: Instant, now: Instant): boolean => createdAt <= now - FORSAKEN_MS;
