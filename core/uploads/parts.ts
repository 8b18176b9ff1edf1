import type { OwnerBlobs, WrittenBlob } from '../../ports/blobs.ts';
import type { RandomSource } from '../../ports/runtime.ts';
import type { OwnerScope, Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { PartialUpload, UploadPart } from '../../ports/uploads.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import {
  discardBlobs,
  discardBlobsOnError,
  releaseContent,
  requireStorageQuota,
  retainContent,
} from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import type { TaskNudge } from '../tasks/index.ts';
import { MAX_PART_BYTES } from './limits.ts';
import { findAt, isStillAt } from './state.ts';

type PartStores = Pick<
  Stores,
  'uploads' | 'objects' | 'pinLock' | 'contents' | 'blobLocations' | 'tasks'
>;

export interface PartDeps extends ZoneDeps {
  readonly uow: UnitOfWork<keyof PartStores>;
  readonly blobs: OwnerBlobs;
  readonly random: RandomSource;
}

/** A part, and where its bytes are. */
export interface StoredPart extends UploadPart {
  readonly blobId: string;
}

/** The parts of an upload, in order. */
export const storedParts = (
  deps: Pick<PartDeps, 'uow'>,
  scope: OwnerScope,
  id: string,
): Promise<readonly StoredPart[]> =>
  deps.uow.read(scope, async ({ uploads, contents }) => {
    const found: StoredPart[] = [];
    for (const part of await uploads.parts(id)) {
      const content = await contents.find(part.sha256);
      if (!content) throw new Error('The bytes of a part of an upload are missing.');
      found.push({ ...part, blobId: content.blobId });
    }
    return found;
  });

/** The bytes of consecutive parts. Each is verified while it is read. */
export async function* bytesOf(
  { blobs }: Pick<PartDeps, 'blobs'>,
  parts: readonly StoredPart[],
): AsyncIterable<Uint8Array> {
  for (const { blobId, size, sha256 } of parts)
    yield* blobs.read(blobId, undefined, { size, sha256 });
}

/**
 * Adds durable bytes to an upload that still ends where they begin. Ends with `offset_mismatch` if another request was
 * faster, and with `plan_limit`; the bytes are discarded then.
 */
export async function addPart(
  deps: PartDeps,
  caller: Caller,
  { id, received: start }: PartialUpload,
  blob: WrittenBlob,
): Promise<PartialUpload> {
  const unit = deps.uow.write(caller.scope, async (stores) => {
    const upload = await findAt(deps, stores, caller, id, start);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await requireStorageQuota(stores, caller, blob.size, zone);
    const spare = await retainPart(deps, stores, id, start, blob);
    const longer = { ...upload, received: start + blob.size, progressAt: deps.clock.now() };
    await stores.uploads.save(longer);
    return { longer, spare };
  });
  const { longer, spare } = await discardBlobsOnError(deps, unit, [blob.blobId]);
  await discardBlobs(deps, [spare]);
  return longer;
}

/** Returns the blob if the same bytes were stored already. */
async function retainPart(
  deps: PartDeps,
  stores: PartStores,
  uploadId: string,
  start: number,
  { sha256, size, blobId }: WrittenBlob,
): Promise<string | null> {
  const { unusedBlobId } = await retainContent(deps, stores, { sha256, size, blobId }, false);
  await stores.uploads.addPart(uploadId, { start, size, sha256 });
  return unusedBlobId;
}

/** Removes the parts from an offset on. Their bytes are removed by tasks, unless something else refers to them. */
export async function releaseParts(
  deps: Pick<PartDeps, 'clock' | 'random'>,
  stores: Pick<Stores, 'uploads' | 'contents' | 'tasks'>,
  uploadId: string,
  from = 0,
): Promise<readonly TaskNudge[]> {
  const nudges: TaskNudge[] = [];
  for (const { start, sha256 } of await stores.uploads.parts(uploadId))
    if (start >= from) nudges.push(...(await releaseContent(deps, stores, sha256)));
  await stores.uploads.removeParts(uploadId, from);
  return nudges;
}

/** Fewer small parts are not worth a copy. */
const MIN_MERGED_PARTS = 4;

/**
 * Merges small parts at the end of an upload, so that a client that sends little at once makes few of them. Each byte is
 * copied a logarithmic number of times, since a part is merged with parts of at least half its size.
 */
export async function mergeParts(
  deps: PartDeps,
  caller: Caller,
  { id, received }: PartialUpload,
): Promise<readonly TaskNudge[]> {
  const parts = await storedParts(deps, caller.scope, id);
  const small = mergeable(parts);
  const [first] = small;
  if (!first || small.length < MIN_MERGED_PARTS) return [];
  const maxBytes = MAX_PART_BYTES;
  const blob = await deps.blobs
    .write(caller.scope, bytesOf(deps, small), { maxBytes })
    .catch(async (error: unknown) => {
      if (await isStillAt(deps, caller, { id, received })) throw error;
      return undefined;
    });
  // Another process has finished or removed the upload.
  if (!blob) return [];
  const unit = deps.uow.write(caller.scope, async (stores) => {
    // Another request may have merged them, or removed the upload.
    await findAt(deps, stores, caller, id, received);
    const now = await stores.uploads.parts(id);
    if (now.length !== parts.length) return { nudges: [], spare: blob.blobId };
    const nudges = await releaseParts(deps, stores, id, first.start);
    return { nudges, spare: await retainPart(deps, stores, id, first.start, blob) };
  });
  const { nudges, spare } = await discardBlobsOnError(deps, unit, [blob.blobId]);
  await discardBlobs(deps, [spare]);
  return nudges;
}

function mergeable(parts: readonly StoredPart[]): readonly StoredPart[] {
  let [from, sum] = [parts.length, 0];
  for (; from > 0; from--) {
    const size = parts[from - 1]?.size ?? 0;
    if (sum + size > MAX_PART_BYTES || (sum > 0 && size > 2 * sum)) break;
    sum += size;
  }
  return parts.slice(from);
}
