import type { BlobStore, ContentDigest } from '../../ports/blobs.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import type { Directory } from '../../ports/directory.ts';
import type { BlobReference, IntegrityChecks } from '../../ports/integrity.ts';
import { blobMatchesHash, blobExists } from './blob-checks.ts';

const BATCH = 500;
/** Blobs read concurrently: most of the time is latency. */
const AT_ONCE = 8;

export interface MissingBlobDeps {
  readonly integrity: Pick<IntegrityChecks, 'blobReferences'>;
  readonly directory: Pick<Directory, 'strayBlobs'>;
  readonly blobs: Pick<BlobStore, 'read'>;
  readonly digest: ContentDigest;
}

/** Rows whose bytes are missing, and with `verify` those whose bytes do not match size and hash. */
export async function findMissingBlobs(
  deps: MissingBlobDeps,
  verify: boolean,
): Promise<Record<Exclude<State, 'sound'>, readonly string[]>> {
  const unreachable: string[] = [];
  const missing: string[] = [];
  const damaged: string[] = [];
  for (let after: string | null = null; ;) {
    const page: readonly BlobReference[] = await deps.integrity.blobReferences(after, BATCH);
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE);
      const states = await Promise.all(some.map((holding) => stateOf(deps, holding, verify)));
      for (const [i, { holder, blobId }] of some.entries()) {
        const name = `${holder}/${blobId}`;
        if (states[i] === 'unreachable') unreachable.push(name);
        if (states[i] === 'damaged') damaged.push(name);
        // The row may have been deleted since; an id is never reused.
        if (states[i] === 'missing' && (await deps.directory.strayBlobs([blobId])).length === 0)
          missing.push(name);
      }
    }
    if (page.length < BATCH) return { missing, damaged, unreachable };
    after = page.at(-1)?.blobId ?? null;
  }
}

/** `unreachable`: in an owner's bucket that cannot be accessed now. */
type State = 'sound' | 'missing' | 'damaged' | 'unreachable';

async function stateOf(
  deps: Pick<MissingBlobDeps, 'blobs' | 'digest'>,
  holding: BlobReference,
  verify: boolean,
): Promise<State> {
  try {
    if (!verify) return (await blobExists(deps.blobs, holding.blobId)) ? 'sound' : 'missing';
    const sound = await blobMatchesHash(deps, holding);
    return sound === undefined ? 'missing' : sound ? 'sound' : 'damaged';
  } catch (error) {
    if (isBucketFailure(error)) return 'unreachable';
    throw error;
  }
}
