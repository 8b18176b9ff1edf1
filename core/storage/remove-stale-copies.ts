import type { OwnerScope } from '../../ports/unit-of-work.ts';
import type { Clock, Instant } from '../../ports/runtime.ts';
import type { BlobCopy } from '../../ports/blob-locations.ts';
import { tryRemoveCopy, type MigrateFileDeps } from './migrate-file.ts';

const AT_ONCE = 100;
/**
 * Age after which a copy in state `writing` has lost its writer: its claim has expired long ago. If that writer
 * resumes, it finds the row missing, and removes its bytes itself.
 */
const FORSAKEN_MS = 60_000;

/** Copies left by a crash, or that could not be removed in time. */
export async function removeStaleCopies(
  deps: MigrateFileDeps,
  scope: OwnerScope,
): Promise<'clean' | 'left'> {
  for (;;) {
    const all = await deps.uow.read(scope, ({ blobLocations }) =>
      blobLocations.incompleteCopies(AT_ONCE),
    );
    let removed = 0;
    for (const copy of all)
      if (mayGo(deps.clock, copy) && (await tryRemoveCopy(deps, scope, copy))) removed++;
    if (all.length === 0) return 'clean';
    if (removed === 0) return 'left';
  }
}

const mayGo = (clock: Clock, { state, createdAt }: BlobCopy): boolean =>
  state === 'deleting' || isAbandoned(createdAt, clock.now());

const isAbandoned = (createdAt: Instant, now: Instant): boolean => createdAt <= now - FORSAKEN_MS;
