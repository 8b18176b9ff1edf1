import type { BlobHolds } from '../../ports/blob-holds.ts';
import { BlobMissing, BlobTooLarge, type BlobStore, type OwnerBlobs } from '../../ports/blobs.ts';
import type { Content } from '../../ports/contents.ts';
import { isBucketFailure } from '../../ports/buckets.ts';
import { PortFailure } from '../../ports/failures.ts';
import type { BlobCopy } from '../../ports/placements.ts';
import type { StorageMove } from '../../ports/storage-moves.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { gotOn } from '../tasks/index.ts';
import { targetOf } from './moves.ts';
import { removeCopy, storeIn, type OwnerBlobsDeps } from './owner-blobs.ts';

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
 * `moved`: by this worker or another one, or nobody wants the file any more. `over`: the run is to go no further.
 * `failed`: the file could not be read as what it is, or not be written.
 */
export type MoveOutcome =
  { readonly came: 'moved' | 'over' } | { readonly came: 'failed'; readonly error: unknown };

const OTHER_BYTES = 'What is stored of a file is not what was stored once.';

/**
 * Copies the bytes of one content to where the run brings them, and sends readers there once they are known to be the
 * same. Dying anywhere, it leaves rows that tell of every copy: one to be removed, and the one that is read.
 */
export async function moveFile(
  deps: MoveFileDeps,
  scope: OwnerScope,
  run: StorageMove,
  content: Content,
): Promise<MoveOutcome> {
  const place = targetOf(run);
  const coming: BlobCopy = {
    storedAs: deps.entropy.uuid(),
    blobId: content.blobId,
    place,
    state: 'coming',
    createdAt: deps.clock.now(),
  };
  const may = await deps.uow.write(scope, async (stores) => {
    const now = await stores.storageMoves.find();
    if (now?.id !== run.id || now.status !== 'running' || now.stopping) return 'over';
    if (!(await isWanted(stores, content))) return 'moved';
    await stores.placements.save(coming);
    return 'go';
  });
  if (may !== 'go') return { came: may };
  try {
    await copy(deps, await storeIn(deps, scope, place), coming.storedAs, content);
  } catch (error) {
    await withdraw(deps, scope, coming);
    if (!isOfFile(error)) throw error;
    return { came: 'failed', error };
  }
  const old = await switchTo(deps, scope, run, coming, content);
  await removeOrLeave(deps, scope, old);
  return { came: 'moved' };
}

/** Held to its hash on the way: what the store acknowledges is what went into it. */
async function copy(
  { blobs }: MoveFileDeps,
  store: BlobStore,
  storedAs: string,
  { blobId, size, sha256 }: Content,
): Promise<void> {
  const limit = { maxBytes: size, blobId: storedAs };
  const written = await store.write(blobs.read(blobId), limit);
  if (written.sha256 !== sha256 || written.size !== size) throw new BlobTooLarge(OTHER_BYTES);
}

/** What speaks against the file, or against one of the places. */
const isOfFile = (error: unknown): boolean =>
  error instanceof BlobMissing || error instanceof BlobTooLarge || isOfPlace(error);

const isOfPlace = (error: unknown): boolean =>
  isBucketFailure(error) || (error instanceof PortFailure && error.port === 'storage');

/** What it says, naming no file. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof BlobMissing) return 'The stored bytes of a file are missing.';
  if (error instanceof BlobTooLarge) return OTHER_BYTES;
  return error instanceof Error ? error.message : String(error);
};

export const isWanted = async (
  { contents }: Pick<Stores, 'contents'>,
  { sha256, blobId }: Pick<Content, 'sha256' | 'blobId'>,
): Promise<boolean> => (await contents.find(sha256))?.blobId === blobId;

/**
 * Readers are sent to the new copy, where it is still to be had, nobody else was quicker and the content is still
 * wanted. Answers with the copy that leaves for it: the old one, or this.
 */
const switchTo = (
  deps: MoveFileDeps,
  scope: OwnerScope,
  run: StorageMove,
  coming: BlobCopy,
  content: Content,
): Promise<BlobCopy> =>
  deps.uow.write(scope, async (stores) => {
    const { placements, storageMoves, tasks } = stores;
    const copies = await placements.copiesOf(coming.blobId);
    const here = copies.find(({ state }) => state === 'here');
    const mine = copies.find(({ storedAs }) => storedAs === coming.storedAs);
    const now = await storageMoves.find();
    const goes =
      mine?.state === 'coming' &&
      now?.id === run.id &&
      now.status === 'running' &&
      (here?.place ?? 'service') !== coming.place &&
      (await isWanted(stores, content));
    const old: BlobCopy = goes
      ? {
          storedAs: here?.storedAs ?? coming.blobId,
          blobId: coming.blobId,
          place: here?.place ?? 'service',
          state: 'leaving',
          createdAt: deps.clock.now(),
        }
      : { ...coming, state: 'leaving' };
    await placements.save(old);
    if (!goes) return old;
    await placements.save({ ...coming, state: 'here' });
    await storageMoves.forgetFailure(coming.blobId);
    if (now.error !== '') await storageMoves.save({ ...now, error: '' });
    await gotOn(tasks, run.id);
    return old;
  });

/** What was begun may lie there all the same: what writes can fail after it has written. */
async function withdraw(deps: MoveFileDeps, scope: OwnerScope, coming: BlobCopy): Promise<void> {
  const leaving: BlobCopy = { ...coming, state: 'leaving' };
  await deps.uow.write(scope, ({ placements }) => placements.save(leaving));
  await removeOrLeave(deps, scope, leaving);
}

/**
 * What can not be removed now is found by its row later, and so is what somebody holds who copies it by rows of a while
 * ago. Answers whether it is gone.
 */
export async function removeOrLeave(
  deps: MoveFileDeps,
  scope: OwnerScope,
  copyToGo: BlobCopy,
): Promise<boolean> {
  if (copyToGo.place === 'service' && (await deps.holds.areHeld(deps.clock.now()))) return false;
  try {
    await removeCopy(deps, scope, copyToGo);
    return true;
  } catch (error) {
    if (isOfPlace(error)) return false;
    throw error;
  }
}
