import type { DeletionHolds } from '../../ports/deletion-holds.ts';
import {
  BlobNotFoundError,
  BlobTooLargeError,
  CorruptBlobError,
  type BlobStore,
  type OwnerBlobs,
} from '../../ports/blobs.ts';
import type { Content } from '../../ports/contents.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import { UnavailableError } from '../../ports/errors.ts';
import type { BlobCopy, StorageLocation } from '../../ports/blob-locations.ts';
import type { ConnectionSentence } from '../../ports/reasons.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { recordDamage } from './bucket.ts';
import { latestOf, removeCopy, storeIn, type OwnerBlobsDeps } from './owner-blobs.ts';

type MoveStores = Pick<
  Stores,
  'contents' | 'integrations' | 'notifications' | 'blobLocations' | 'storageMigrations' | 'tasks'
>;

export interface MigrateFileDeps extends Omit<OwnerBlobsDeps, 'uow'> {
  readonly uow: UnitOfWork<keyof MoveStores>;
  readonly blobs: OwnerBlobs;
  readonly deletionHolds: Pick<DeletionHolds, 'anyActive'>;
}

/**
 * `moved`: by this worker or another one, or the file is no longer needed. `over`: the run has to end. `failed`: the
 * file could not be read as stored, or not be written.
 */
export type FileOutcome =
  { readonly outcome: 'moved' | 'over' } | { readonly outcome: 'failed'; readonly error: unknown };

/** The copy differs from the bytes that were written. The original is intact. */
class DamagedCopy extends Error {
  override readonly name = 'DamagedCopy';
}

const DAMAGED: ConnectionSentence =
  'The bucket returned other bytes than were stored in it. Check the server, or connect another bucket.';
const DAMAGED_COPY: ConnectionSentence =
  'The copy of a file differs from the original. The file was not moved.';
const OTHER_BYTES: ConnectionSentence = 'The stored bytes of a file are corrupt.';

const BYTES_MISSING: ConnectionSentence = 'The stored bytes of a file are missing.';

/** A move of files. It may have to stop: the owner may have ended the run. */
export interface Mover {
  readonly target: StorageLocation;
  /** Called in the unit of work that begins a copy, and in the one that directs readers to it. */
  shouldContinue(stores: MoveStores, when: 'begins' | 'ends'): Promise<boolean>;
  /** Called in the unit of work that has directed readers to the copy. */
  moved(stores: MoveStores, content: Content): Promise<void>;
}

/**
 * Copies the bytes of one content to the target location, and directs readers to the copy once it is verified. After
 * a crash at any point, the rows describe every copy: one to be removed, and the one in use.
 */
export async function moveFile(
  deps: MigrateFileDeps,
  scope: OwnerScope,
  mover: Mover,
  content: Content,
): Promise<FileOutcome> {
  const place = mover.target;
  const coming: BlobCopy = {
    copyId: deps.random.uuid(),
    blobId: content.blobId,
    location: place,
    state: 'writing',
    createdAt: deps.clock.now(),
  };
  const may = await deps.uow.write(scope, async (stores) => {
    if (!(await mover.shouldContinue(stores, 'begins'))) return 'over';
    if (!(await needsMove(stores, content))) return 'moved';
    await stores.blobLocations.save(coming);
    return 'go';
  });
  if (may !== 'go') return { outcome: may };
  try {
    await copy(deps, await storeIn(deps, scope, place), coming.copyId, content);
  } catch (error) {
    await withdraw(deps, scope, coming);
    if (error instanceof DamagedCopy && place === 'own') await recordDamage(deps, scope, DAMAGED);
    if (!isOfFile(error)) throw error;
    return { outcome: 'failed', error };
  }
  const old = await switchTo(deps, scope, mover, coming, content);
  await tryRemoveCopy(deps, scope, old);
  return { outcome: 'moved' };
}

/**
 * Verifies the SHA-256 of the bytes while they are written, then reads the copy back. An acknowledgement does not prove what
 * the server has stored, and the original is about to be removed.
 */
async function copy(
  { blobs, contentDigest }: MigrateFileDeps,
  store: BlobStore,
  storedAs: string,
  { blobId, size, sha256 }: Content,
): Promise<void> {
  const limit = { maxBytes: size, blobId: storedAs };
  const written = await store.write(blobs.read(blobId), limit);
  if (written.sha256 !== sha256 || written.size !== size) throw new BlobTooLargeError(OTHER_BYTES);
  try {
    const bytes = contentDigest.verified(store.read(storedAs), { size, sha256 });
    for await (const chunk of bytes) void chunk;
  } catch (error) {
    if (error instanceof CorruptBlobError || error instanceof BlobNotFoundError)
      throw new DamagedCopy();
    throw error;
  }
}

/** The error of the file, or of one of the locations. */
const isOfFile = (error: unknown): boolean =>
  error instanceof BlobNotFoundError ||
  error instanceof BlobTooLargeError ||
  error instanceof DamagedCopy ||
  isInLocation(error);

const isInLocation = (error: unknown): boolean =>
  isBucketFailure(error) || (error instanceof UnavailableError && error.port === 'storage');

/** The message, which names no file. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof BlobNotFoundError) return BYTES_MISSING;
  if (error instanceof BlobTooLargeError) return OTHER_BYTES;
  if (error instanceof DamagedCopy) return DAMAGED_COPY;
  return error instanceof Error ? error.message : String(error);
};

export const needsMove = async (
  { contents }: Pick<Stores, 'contents'>,
  { sha256, blobId }: Pick<Content, 'sha256' | 'blobId'>,
): Promise<boolean> => (await contents.find(sha256))?.blobId === blobId;

/**
 * Readers are directed to the new copy, if it still exists, no other worker was faster and the content is still
 * needed. Returns the copy to be removed: the old one, or this one.
 */
const switchTo = (
  deps: MigrateFileDeps,
  scope: OwnerScope,
  mover: Mover,
  coming: BlobCopy,
  content: Content,
): Promise<BlobCopy> =>
  deps.uow.write(scope, async (stores) => {
    const { blobLocations } = stores;
    const copies = await blobLocations.copiesOf(coming.blobId);
    const here = copies.find(({ state }) => state === 'current');
    const mine = copies.find(({ copyId }) => copyId === coming.copyId);
    const goes =
      mine?.state === 'writing' &&
      // Its bucket may have been retired while it was written.
      mine.location === coming.location &&
      (here?.location ?? 'service') !== coming.location &&
      (await mover.shouldContinue(stores, 'ends')) &&
      (await needsMove(stores, content));
    const old: BlobCopy = goes
      ? {
          copyId: here?.copyId ?? coming.blobId,
          blobId: coming.blobId,
          location: here?.location ?? 'service',
          state: 'deleting',
          createdAt: deps.clock.now(),
        }
      : { ...(mine ?? coming), state: 'deleting' };
    await blobLocations.save(old);
    if (!goes) return old;
    await blobLocations.save({ ...coming, state: 'current' });
    await mover.moved(stores, content);
    return old;
  });

/** The object may exist nevertheless: a write can fail after it has stored the bytes. */
async function withdraw(deps: MigrateFileDeps, scope: OwnerScope, coming: BlobCopy): Promise<void> {
  const leaving = await deps.uow.write(scope, async ({ blobLocations }) => {
    const copy: BlobCopy = { ...(await latestOf(blobLocations, coming)), state: 'deleting' };
    await blobLocations.save(copy);
    return copy;
  });
  await tryRemoveCopy(deps, scope, leaving);
}

/**
 * A copy that cannot be removed now is found later by its row, and so is one protected by a deletion hold. Returns
 * whether it was removed.
 */
export async function tryRemoveCopy(
  deps: MigrateFileDeps,
  scope: OwnerScope,
  copyToGo: BlobCopy,
): Promise<boolean> {
  if (copyToGo.location === 'service' && (await deps.deletionHolds.anyActive(deps.clock.now())))
    return false;
  try {
    await removeCopy(deps, scope, copyToGo);
    return true;
  } catch (error) {
    if (isInLocation(error)) return false;
    throw error;
  }
}
