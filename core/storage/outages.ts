import { PortFailure } from '../../ports/failures.ts';
import type { Buckets } from '../../ports/buckets.ts';
import type { Instant } from '../../ports/time-and-ids.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { tryBucket } from '../integrations/index.ts';
import type { OwnerBlobsDeps } from './owner-blobs.ts';

export interface PlacesDeps extends Omit<OwnerBlobsDeps, 'buckets'> {
  readonly buckets: Pick<Buckets, 'open' | 'check'>;
}

/** A period in which a location could not be used. */
export interface Outage {
  readonly since: Instant;
  readonly pauses: number;
}

const PROBE = 'Owner Workspace may write here.\n';
/** After that a run ends, and its owner decides. */
const LONGEST_MS = 15 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 30_000;

/**
 * The error of one of the locations, a sentence for the user; undefined if both can be written and read, so that the
 * file is the cause.
 */
export async function whatIsAway(deps: PlacesDeps, scope: OwnerScope): Promise<string | undefined> {
  return (await bucketAway(deps, scope)) ?? (await storageAway(deps));
}

async function bucketAway(deps: PlacesDeps, scope: OwnerScope): Promise<string | undefined> {
  const found = await deps.uow.read(scope, ({ integrations }) => integrations.find('s3'));
  if (!found) return 'The bucket is no longer connected.';
  const checked = await tryBucket(deps, found);
  return checked.ok ? undefined : checked.reason;
}

/** A probe left by a crash is found by the sweep. */
async function storageAway({ storage }: PlacesDeps): Promise<string | undefined> {
  try {
    const { blobId } = await storage.write(PROBE, { maxBytes: PROBE.length });
    await storage.remove(blobId);
    return undefined;
  } catch (error) {
    if (error instanceof PortFailure && error.port === 'storage') return error.message;
    throw error;
  }
}

export const begunOr = (outage: Outage | undefined, now: Instant): Outage => ({
  since: outage?.since ?? now,
  pauses: (outage?.pauses ?? 0) + 1,
});

export const isTooLong = ({ since }: Outage, now: Instant): boolean => now - since >= LONGEST_MS;

/** 1 s, doubling up to half a minute. */
export const pauseOf = ({ pauses }: Pick<Outage, 'pauses'>): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(pauses - 1, 10), MOST_PAUSE_MS);
