import type { BlobHolds } from '../../ports/blob-holds.ts';
import type { Clock, Entropy } from '../../ports/time-and-ids.ts';
import { BackupError } from './errors.ts';

export interface HoldDeps {
  readonly holds: BlobHolds;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Long enough to survive a database outage. A crashed holder delays the deletion of bytes for no longer. */
const LEASE_MS = 300_000;
/** Interval of renewing a hold. */
export const KEEP_HOLD_MS = 30_000;

export interface Hold {
  /** Throws BackupError if the hold has ended meanwhile: bytes to be copied may have been deleted. */
  keep(): Promise<void>;
  letGo(): Promise<void>;
}

/** From here on no bytes are deleted. The hold has to be renewed every `HOLD_RENEWAL_MS`. */
export async function holdFiles({ holds, clock, entropy }: HoldDeps): Promise<Hold> {
  const id = entropy.uuid();
  await holds.take(id, clock.now() + LEASE_MS);
  return {
    keep: async () => {
      const now = clock.now();
      if (!(await holds.prolong(id, now, now + LEASE_MS)))
        throw new BackupError(
          'The deletion hold expired before the backup was complete. Start the backup again.',
        );
    },
    letGo: () => holds.letGo(id, clock.now()),
  };
}
