import type { WrittenBlob } from '../../ports/blobs.ts';
import { CorruptBlobError } from '../../ports/blobs.ts';
import type { ContentSniffer } from '../../ports/text-extraction.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { PartialUpload } from '../../ports/uploads.ts';
import {
  ContentSample,
  addAssembledFile,
  discardBlobs,
  type AddDeps,
  type ReceivedFile,
} from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { DomainError } from '../shared/errors.ts';
import { enqueueAll } from '../tasks/index.ts';
import { offsetMismatch } from './errors.ts';
import { placeDropped, recordDrop } from './drop.ts';
import { bytesOf, releaseParts, storedParts, type PartDeps } from './parts.ts';
import { findAt, isStillAt, viewOf, type UploadView } from './state.ts';

type FinishStores = Pick<Stores, 'uploads' | 'themes'>;

export interface FinishDeps extends Omit<AddDeps, 'uow'> {
  readonly uow: AddDeps['uow'] & PartDeps['uow'] & UnitOfWork<keyof FinishStores>;
  readonly sniffer: ContentSniffer;
}

/** The last bytes of an upload, durable and without a row, and the first of them. */
interface LastPart {
  readonly blob: WrittenBlob;
  readonly head: Uint8Array;
}

/**
 * Makes the object of an upload from its parts and the last one, in one unit of work: after a crash at any moment, the last
 * bytes are either missing still, or the object exists. The offset reaches the size with the object only.
 */
export async function finishUpload(
  deps: FinishDeps,
  caller: Caller,
  upload: PartialUpload,
  last: LastPart,
): Promise<UploadView> {
  const { blobId } = last.blob;
  let whole: LastPart;
  try {
    whole = upload.received === 0 ? last : await assemble(deps, caller, upload, last);
  } catch (error) {
    await discardBlobs(deps, [blobId]);
    // The parts are gone if another process was faster.
    throw (await isStillAt(deps, caller, upload)) ? error : offsetMismatch();
  }
  try {
    const view = await commit(deps, caller, upload, whole);
    if (whole !== last) await discardBlobs(deps, [blobId]);
    return view;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (whole !== last) await discardBlobs(deps, [blobId]);
    if (error.code === 'already_exists') await endUpload(deps, caller, upload);
    throw error;
  }
}

/** Writes the bytes of all parts as one blob. */
async function assemble(
  deps: FinishDeps,
  caller: Caller,
  { id, size, received }: PartialUpload,
  { blob: last }: LastPart,
): Promise<LastPart> {
  const parts = await storedParts(deps, caller.scope, id);
  const sample = new ContentSample();
  const bytes = bytesOf(deps, [...parts, { start: received, ...last }]);
  const blob = await deps.blobs.write(caller.scope, sample.of(bytes), { maxBytes: size });
  if (blob.size === size) return { blob, head: sample.bytes };
  await discardBlobs(deps, [blob.blobId]);
  throw new CorruptBlobError('The parts of an upload do not make up its size.');
}

async function commit(
  deps: FinishDeps,
  caller: Caller,
  upload: PartialUpload,
  { blob, head }: LastPart,
): Promise<UploadView> {
  const { id, filename, onDuplicate } = upload;
  const type = await deps.sniffer.identify(head, filename);
  const file: ReceivedFile = { filename, blob, type };
  return addAssembledFile<keyof FinishStores, UploadView>(
    deps,
    caller,
    file,
    async (stores, add, nudges) => {
      const now = deps.clock.now();
      const current = await findAt(deps, stores, caller, id, upload.received);
      // Before the object is added: until then its bytes would count twice.
      nudges.push(...(await releaseParts(deps, stores, id)));
      const made: Awaited<ReturnType<typeof placeDropped>>['made'][number][] = [];
      const place = async () => {
        if (current.dropId === null) return folderOf(stores, caller, current);
        const placed = await placeDropped(deps, stores, current, now);
        made.push(...placed.made);
        return { collectionId: placed.collectionId };
      };
      const { object, duplicate } = await add({ onDuplicate, place });
      if (current.dropId !== null && !duplicate)
        await recordDrop(stores, current.dropId, object, made, now);
      const finished: PartialUpload = {
        ...current,
        received: current.size,
        state: 'finished',
        objectId: object.id,
        progressAt: now,
      };
      await stores.uploads.save(finished);
      return viewOf(finished);
    },
  );
}

/** A file whose folder was deleted while it was uploaded becomes unfiled, as those in the folder did. */
async function folderOf(
  { collections }: Pick<Stores, 'collections'>,
  { scope }: Caller,
  { collectionId }: PartialUpload,
): Promise<{ readonly collectionId?: string }> {
  if (collectionId === null) return {};
  const isThere = (await collections.find(collectionId)) !== undefined;
  return isThere || scope.folderIds ? { collectionId } : {};
}

/** An upload that can not end with an object: nothing of it is stored any longer. */
async function endUpload(
  deps: PartDeps & Pick<FinishDeps, 'jobs'>,
  caller: Caller,
  { id }: PartialUpload,
): Promise<void> {
  const nudges = await deps.uow.write(caller.scope, async (stores) => {
    const released = await releaseParts(deps, stores, id);
    await stores.uploads.remove(id);
    return released;
  });
  await enqueueAll(deps.jobs, nudges);
}
