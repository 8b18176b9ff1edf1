import {
  BlobNotFoundError,
  type BlobStore,
  type ByteRange,
  type ContentDigest,
  type ExpectedContent,
  type OwnerBlobs,
} from '../../ports/blobs.ts';
import { bucketFailure } from '../../ports/buckets.ts';
import type { Directory } from '../../ports/directory.ts';
import type { Integration } from '../../ports/integrations.ts';
import type { BlobCopy } from '../../ports/blob-locations.ts';
import type { Clock, RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { REMOVE_BLOB_TASK } from '../objects/index.ts';
import { exactLength } from '../shared/expected-content.ts';
import { newTask } from '../tasks/index.ts';
import { bucketAt, openBucket, type BucketDeps } from './bucket.ts';

export interface OwnerBlobsDeps extends Omit<BucketDeps, 'uow'> {
  readonly uow: UnitOfWork<'integrations' | 'notifications' | 'blobLocations' | 'tasks'>;
  readonly directory: Pick<Directory, 'copiesOf'>;
  /** The service's storage. */
  readonly storage: BlobStore;
  readonly contentDigest: ContentDigest;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Stores bytes where their owner chose, and reads them from their current location. */
export function ownerBlobs(deps: OwnerBlobsDeps): OwnerBlobs {
  return {
    write: async (scope, source, limit) => {
      const started = await begin(deps, scope);
      if (!started) return deps.storage.write(source, limit);
      const { copy, used } = started;
      try {
        const bucket = openBucket(deps, scope, used);
        const written = await bucket.write(source, { ...limit, blobId: copy.copyId });
        await deps.uow.write(scope, async ({ blobLocations }) => {
          await blobLocations.save({ ...(await latestOf(blobLocations, copy)), state: 'current' });
        });
        return written;
      } catch (error) {
        // A part may be stored nevertheless.
        await deps.uow.write(scope, (stores) => leave(deps, stores, [copy]));
        throw error;
      }
    },
    writeHere: (source, limit) => deps.storage.write(source, limit),
    read: (blobId, range, expected) => {
      const bytes = reading(deps, blobId, range);
      return expected ? asExpected(deps, bytes, range, expected) : bytes;
    },
    isWithOwner: async (blobId) => {
      const owned = await deps.directory.copiesOf(blobId);
      // Also a copy in progress: a read continues at the location to which its file is moved.
      return owned?.copies.some(({ location }) => location !== 'service') ?? false;
    },
    remove: async (blobId) => {
      const owned = await deps.directory.copiesOf(blobId);
      if (!owned?.copies.some(({ state }) => state === 'current'))
        await deps.storage.remove(blobId);
      // A copy in progress belongs to its mover, which finds that it is no longer needed.
      for (const copy of owned?.copies ?? [])
        if (!isComing(copy)) await removeCopy(deps, owned!.scope, copy);
    },
    discard: async (blobId) => {
      const owned = await deps.directory.copiesOf(blobId);
      if (!owned) return deps.storage.remove(blobId);
      await deps.uow.write(owned.scope, (stores) => leave(deps, stores, owned.copies));
    },
  };
}

interface StartedWrite {
  readonly copy: BlobCopy;
  readonly used: Integration;
}

/**
 * The row of a copy that is about to be written into the owner's bucket, if one is enabled. It is inserted in the
 * unit of work that reads the bucket, so that a bucket is never retired or replaced during a write.
 */
async function begin(deps: OwnerBlobsDeps, scope: OwnerScope): Promise<StartedWrite | undefined> {
  const find = async ({ integrations }: Pick<Stores, 'integrations'>) => {
    const found = await integrations.find('s3');
    return found?.enabled ? found : undefined;
  };
  // Most owners have no bucket, and must not wait for a lookup.
  if (!(await deps.uow.read(scope, find))) return undefined;
  const copyId = deps.random.uuid();
  const createdAt = deps.clock.now();
  const copy = {
    copyId,
    blobId: copyId,
    location: 'own',
    state: 'writing',
    createdAt,
  } as const;
  return deps.uow.write(scope, async (stores) => {
    const used = await find(stores);
    if (!used) return undefined;
    await stores.blobLocations.save(copy);
    return { copy, used };
  });
}

/** These copies are no longer read. A task removes the bytes. */
async function leave(
  deps: OwnerBlobsDeps,
  { blobLocations, tasks }: Pick<Stores, 'blobLocations' | 'tasks'>,
  copies: readonly BlobCopy[],
): Promise<void> {
  for (const copy of copies)
    await blobLocations.save({ ...(await latestOf(blobLocations, copy)), state: 'deleting' });
  for (const blobId of new Set(copies.map((copy) => copy.blobId)))
    await tasks.save(newTask(deps, REMOVE_BLOB_TASK, blobId, {}));
}

/** Removes the bytes of a copy, and then its row. */
export async function removeCopy(
  deps: OwnerBlobsDeps,
  scope: OwnerScope,
  { location: place, copyId }: BlobCopy,
): Promise<void> {
  await (await storeIn(deps, scope, place)).remove(copyId);
  await deps.uow.write(scope, ({ blobLocations }) => blobLocations.forget(copyId));
}

/** The storage of a location, for reading and writing. */
export async function storeIn(
  deps: OwnerBlobsDeps,
  scope: OwnerScope,
  place: BlobCopy['location'],
): Promise<BlobStore> {
  if (place === 'service') return deps.storage;
  const own = await bucketAt(deps, scope, place);
  if (!own) throw bucketFailure('The bucket of the owner is not connected.');
  return own;
}

function asExpected(
  { contentDigest }: Pick<OwnerBlobsDeps, 'contentDigest'>,
  bytes: AsyncIterable<Uint8Array>,
  range: ByteRange | undefined,
  expected: ExpectedContent,
): AsyncIterable<Uint8Array> {
  const { first, last } = range ?? { first: 0, last: Infinity };
  if (first === 0 && last >= expected.size - 1) return contentDigest.verified(bytes, expected);
  const end = Math.min(last + 1, expected.size);
  return exactLength(bytes, Math.max(end - first, 0));
}

type StoredCopy = Pick<BlobCopy, 'location' | 'copyId'>;

/** Maximum number of retries for a file that is being moved. */
const MAX_RETRIES = 10;

/**
 * Most files are in the service's storage, so it is tried first, without a lookup. If the file is missing there, at
 * the start or during the read, the read continues at its current location: the content of a blob never changes.
 */
async function* reading(
  deps: OwnerBlobsDeps,
  blobId: string,
  range?: ByteRange,
): AsyncIterable<Uint8Array> {
  let copy: StoredCopy = { location: 'service', copyId: blobId };
  let store: BlobStore = deps.storage;
  let given = 0;
  for (let moves = 0; ; moves++) {
    try {
      for await (const chunk of store.read(copy.copyId, behind(given, range))) {
        given += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (!(error instanceof BlobNotFoundError)) throw error;
      const owned = await deps.directory.copiesOf(blobId);
      const now = owned?.copies.find(({ state }) => state === 'current');
      // It was not moved; it has been deleted.
      if (!owned || !now || isSame(now, copy) || moves >= MAX_RETRIES) throw error;
      copy = now;
      store = await storeIn(deps, owned.scope, now.location);
    }
  }
}

const isSame = (a: StoredCopy, b: StoredCopy): boolean =>
  a.copyId === b.copyId && a.location === b.location;

/** The rest of a range, or of the whole content. */
const behind = (given: number, range?: ByteRange): ByteRange | undefined =>
  given === 0
    ? range
    : { first: (range?.first ?? 0) + given, last: range?.last ?? Number.MAX_SAFE_INTEGER };

const isComing = ({ state, copyId, blobId }: BlobCopy): boolean =>
  state === 'writing' && copyId !== blobId;

/** The copy with its current location: its bucket may have been retired while it was written. */
export async function latestOf(
  blobLocations: Pick<Stores['blobLocations'], 'copiesOf'>,
  copy: BlobCopy,
): Promise<BlobCopy> {
  const all = await blobLocations.copiesOf(copy.blobId);
  const found = all.find(({ copyId }) => copyId === copy.copyId);
  return found ? { ...copy, location: found.location } : copy;
}
