import { UnavailableError } from '../../ports/errors.ts';
import type { Buckets } from '../../ports/buckets.ts';
import type { Instant } from '../../ports/runtime.ts';
import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { OwnerScope } from '../../ports/unit-of-work.ts';
import { checkBucket } from '../integrations/index.ts';
import type { OwnerBlobsDeps } from './owner-blobs.ts';

export interface OutageDeps extends Omit<OwnerBlobsDeps, 'buckets'> {
  readonly buckets: Pick<Buckets, 'open' | 'check'>;
}

/** A period in which a location could not be used. */
export interface Outage {
  readonly since: Instant;
  readonly pauses: number;
}

const NOT_CONNECTED: ConnectionSentence = 'The bucket is no longer connected.';
const PROBE = 'Owner Workspace may write here.\n';
/** After that a run ends, and its owner decides. */
const MAX_OUTAGE_MS = 15 * 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;

/**
 * The error of one of the locations, a sentence for the user; undefined if both can be written and read, so that the
 * file is the cause.
 */
export async function findOutage(deps: OutageDeps, scope: OwnerScope): Promise<string | undefined> {
  return (await bucketUnavailable(deps, scope)) ?? (await storageUnavailable(deps));
}

async function bucketUnavailable(deps: OutageDeps, scope: OwnerScope): Promise<string | undefined> {
  const found = await deps.uow.read(scope, ({ integrations }) => integrations.find('s3'));
  if (!found) return NOT_CONNECTED;
  const checked = await checkBucket(deps, found);
  return checked.ok ? undefined : checked.reason;
}

/** A probe left by a crash is found by the sweep. */
async function storageUnavailable({ storage }: OutageDeps): Promise<string | undefined> {
  try {
    const { blobId } = await storage.write(PROBE, { maxBytes: PROBE.length });
    await storage.remove(blobId);
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError && error.port === 'storage') return error.message;
    throw error;
  }
}

export const extendOutage = (outage: Outage | undefined, now: Instant): Outage => ({
  since: outage?.since ?? now,
  pauses: (outage?.pauses ?? 0) + 1,
});

export const isTooLong = ({ since }: Outage, now: Instant): boolean => now - since >= MAX_OUTAGE_MS;

/** 1 s, doubling up to half a minute. */
export const backoffMs = ({ pauses }: Pick<Outage, 'pauses'>): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(pauses - 1, 10), MAX_BACKOFF_MS);
