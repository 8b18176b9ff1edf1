import type { BlobHolds } from '../../ports/blob-holds.ts';
import type { Clock, Entropy } from '../../ports/time-and-ids.ts';
import { BackupError } from './errors.ts';

export interface HoldDeps {
  readonly holds: BlobHolds;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Long enough for a database that is away for a while; what dies holds the removal of bytes up for no longer. */
const LEASE_MS = 300_000;
/** How often a hold has to be kept. */
export const KEEP_HOLD_MS = 30_000;

export interface Hold {
  /** Throws BackupError where it has ended meanwhile: what was to be copied may be gone. */
  keep(): Promise<void>;
  letGo(): Promise<void>;
}

/** From here on no bytes are removed. To be kept every `KEEP_HOLD_MS`. */
export async function holdFiles({ holds, clock, entropy }: HoldDeps): Promise<Hold> {
  const id = entropy.uuid();
  await holds.take(id, clock.now() + LEASE_MS);
  return {
    keep: async () => {
      const now = clock.now();
      if (!(await holds.prolong(id, now, now + LEASE_MS)))
        throw new BackupError('The files were not held for as long as it took. Begin anew.');
    },
    letGo: () => holds.letGo(id, clock.now()),
  };
}
