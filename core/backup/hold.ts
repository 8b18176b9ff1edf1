import type { DeletionHolds } from '../../ports/deletion-holds.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import { BackupError } from './errors.ts';

export interface HoldDeps {
  readonly deletionHolds: DeletionHolds;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Long enough to survive a database outage. A crashed holder delays the deletion of bytes for no longer. */
const LEASE_MS = 300_000;
/** Interval of renewing a hold. */
export const HOLD_RENEWAL_MS = 30_000;

export interface Hold {
  /** Throws BackupError if the hold has ended meanwhile: bytes to be copied may have been deleted. */
  keep(): Promise<void>;
  release(): Promise<void>;
}

/** From here on no bytes are deleted. The hold has to be renewed every `HOLD_RENEWAL_MS`. */
export async function acquireDeletionHold({
  deletionHolds,
  clock,
  random,
}: HoldDeps): Promise<Hold> {
  const id = random.uuid();
  await deletionHolds.acquire(id, clock.now() + LEASE_MS);
  return {
    keep: async () => {
      const now = clock.now();
      if (!(await deletionHolds.renew(id, now, now + LEASE_MS)))
        throw new BackupError(
          'The deletion hold expired before the backup was complete. Start the backup again.',
        );
    },
    release: () => deletionHolds.release(id, clock.now()),
  };
}
