import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Clock, Instant } from '../../ports/time-and-ids.ts';
import type { BlobCopy } from '../../ports/placements.ts';
import { removeOrLeave, type MoveFileDeps } from './move-file.ts';

const AT_ONCE = 100;
/**
 * A copy that has been coming for longer has lost its writer: its claim has lapsed long ago. One that comes to life
 * again finds its row gone, and takes its bytes away itself.
 */
const FORSAKEN_MS = 60_000;

/** Copies that are left over by a crash, or that could not be removed when it was their time. */
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
