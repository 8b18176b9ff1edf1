import type { BlobHolds } from '../../ports/blob-holds.ts';
import {
  BlobMissing,
  BlobTooLarge,
  CorruptBlobError,
  type BlobStore,
  type OwnerBlobs,
} from '../../ports/blobs.ts';
import type { Content } from '../../ports/contents.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import { PortFailure } from '../../ports/failures.ts';
import type { BlobCopy, Place } from '../../ports/placements.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { recordDamage } from './bucket.ts';
import { latestOf, removeCopy, storeIn, type OwnerBlobsDeps } from './owner-blobs.ts';

type MoveStores = Pick<
  Stores,
  'contents' | 'integrations' | 'notifications' | 'placements' | 'storageMoves' | 'tasks'
>;

export interface MoveFileDeps extends Omit<OwnerBlobsDeps, 'uow'> {
  readonly uow: UnitOfWork<keyof MoveStores>;
  readonly blobs: OwnerBlobs;
  readonly holds: Pick<BlobHolds, 'areHeld'>;
}

/**
 * `moved`: by this worker or another one, or the file is no longer needed. `over`: the run has to end. `failed`: the
 * file could not be read as stored, or not be written.
 */
export type MoveOutcome =
  { readonly came: 'moved' | 'over' } | { readonly came: 'failed'; readonly error: unknown };

/** The copy differs from the bytes that were written. The original is intact. */
class DamagedCopy extends Error {
  override readonly name = 'DamagedCopy';
}

const DAMAGED =
  'The bucket returned other bytes than were stored in it. Check the server, or connect another bucket.';
const DAMAGED_COPY = 'The copy of a file differs from the original. The file was not moved.';
const OTHER_BYTES = 'The stored bytes of a file are corrupt.';

/** A move of files. It may have to stop: the owner may have ended the run. */
export interface Mover {
  readonly target: Place;
  /** Called in the unit of work that begins a copy, and in the one that directs readers to it. */
  goesOn(stores: MoveStores, when: 'begins' | 'ends'): Promise<boolean>;
  /** Called in the unit of work that has directed readers to the copy. */
  moved(stores: MoveStores, content: Content): Promise<void>;
}

/**
 * Copies the bytes of one content to the target location, and directs readers to the copy once it is verified. After
 * a crash at any point, the rows describe every copy: one to be removed, and the one in use.
 */
export async function moveFile(
  deps: MoveFileDeps,
  scope: OwnerScope,
  mover: Mover,
  content: Content,
): Promise<MoveOutcome> {
  const place = mover.target;
  const coming: BlobCopy = {
    storedAs: deps.entropy.uuid(),
    blobId: content.blobId,
    location: place,
    state: 'writing',
    createdAt: deps.clock.now(),
  };
  const may = await deps.uow.write(scope, async (stores) => {
    if (!(await mover.goesOn(stores, 'begins'))) return 'over';
    if (!(await isWanted(stores, content))) return 'moved';
    await stores.placements.save(coming);
    return 'go';
  });
  if (may !== 'go') return { came: may };
  try {
    await copy(deps, await storeIn(deps, scope, place), coming.storedAs, content);
  } catch (error) {
    await withdraw(deps, scope, coming);
    if (error instanceof DamagedCopy && place === 'own') await recordDamage(deps, scope, DAMAGED);
    if (!isOfFile(error)) throw error;
    return { came: 'failed', error };
  }
  const old = await switchTo(deps, scope, mover, coming, content);
  await removeOrLeave(deps, scope, old);
  return { came: 'moved' };
}

/**
 * Verifies the SHA-256 of the bytes while they are written, then reads the copy back. An acknowledgement does not prove what
 * the server has stored, and the original is about to be removed.
 */
async function copy(
  { blobs, contentDigest }: MoveFileDeps,
  store: BlobStore,
  storedAs: string,
  { blobId, size, sha256 }: Content,
): Promise<void> {
  const limit = { maxBytes: size, blobId: storedAs };
  const written = await store.write(blobs.read(blobId), limit);
  if (written.sha256 !== sha256 || written.size !== size) throw new BlobTooLarge(OTHER_BYTES);
  try {
    const bytes = contentDigest.verified(store.read(storedAs), { size, sha256 });
    for await (const chunk of bytes) void chunk;
  } catch (error) {
    if (error instanceof CorruptBlobError || error instanceof BlobMissing) throw new DamagedCopy();
    throw error;
  }
}

/** The error of the file, or of one of the locations. */
const isOfFile = (error: unknown): boolean =>
  error instanceof BlobMissing ||
  error instanceof BlobTooLarge ||
  error instanceof DamagedCopy ||
  isOfPlace(error);

const isOfPlace = (error: unknown): boolean =>
  isBucketFailure(error) || (error instanceof PortFailure && error.port === 'storage');

/** The message, which names no file. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof BlobMissing) return 'The stored bytes of a file are missing.';
  if (error instanceof BlobTooLarge) return OTHER_BYTES;
  if (error instanceof DamagedCopy) return DAMAGED_COPY;
  return error instanceof Error ? error.message : String(error);
};

export const isWanted = async (
  { contents }: Pick<Stores, 'contents'>,
  { sha256, blobId }: Pick<Content, 'sha256' | 'blobId'>,
): Promise<boolean> => (await contents.find(sha256))?.blobId === blobId;

/**
 * Readers are directed to the new copy, if it still exists, no other worker was faster and the content is still
 * needed. Returns the copy to be removed: the old one, or this one.
 */
const switchTo = (
  deps: MoveFileDeps,
  scope: OwnerScope,
  mover: Mover,
  coming: BlobCopy,
  content: Content,
): Promise<BlobCopy> =>
  deps.uow.write(scope, async (stores) => {
    const { placements } = stores;
    const copies = await placements.copiesOf(coming.blobId);
    const here = copies.find(({ state }) => state === 'current');
    const mine = copies.find(({ storedAs }) => storedAs === coming.storedAs);
    const goes =
      mine?.state === 'writing' &&
      // Its bucket may have been retired while it was written.
      mine.location === coming.location &&
      (here?.location ?? 'service') !== coming.location &&
      (await mover.goesOn(stores, 'ends')) &&
      (await isWanted(stores, content));
    const old: BlobCopy = goes
      ? {
          storedAs: here?.storedAs ?? coming.blobId,
          blobId: coming.blobId,
          location: here?.location ?? 'service',
          state: 'deleting',
          createdAt: deps.clock.now(),
        }
      : { ...(mine ?? coming), state: 'deleting' };
    await placements.save(old);
    if (!goes) return old;
    await placements.save({ ...coming, state: 'current' });
    await mover.moved(stores, content);
    return old;
  });

/** The object may exist nevertheless: a write can fail after it has stored the bytes. */
async function withdraw(deps: MoveFileDeps, scope: OwnerScope, coming: BlobCopy): Promise<void> {
  const leaving = await deps.uow.write(scope, async ({ placements }) => {
    const copy: BlobCopy = { ...(await latestOf(placements, coming)), state: 'deleting' };
    await placements.save(copy);
    return copy;
  });
  await removeOrLeave(deps, scope, leaving);
}

/**
 * A copy that cannot be removed now is found later by its row, and so is one protected by a deletion hold. Returns
 * whether it was removed.
 */
export async function removeOrLeave(
  deps: MoveFileDeps,
  scope: OwnerScope,
  copyToGo: BlobCopy,
): Promise<boolean> {
  if (copyToGo.location === 'service' && (await deps.holds.areHeld(deps.clock.now()))) return false;
  try {
    await removeCopy(deps, scope, copyToGo);
    return true;
  } catch (error) {
    if (isOfPlace(error)) return false;
    throw error;
  }
}
