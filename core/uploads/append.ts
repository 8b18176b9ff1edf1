import { BlobTooLargeError, type WrittenBlob } from '../../ports/blobs.ts';
import type { JobQueue } from '../../ports/jobs.ts';
import type { PartialUpload } from '../../ports/uploads.ts';
import { zoneFor } from '../hidden-zone/index.ts';
import { ContentSample, discardBlobs, requireStorageQuota, tooLarge } from '../objects/index.ts';
import type { Caller } from '../shared/caller.ts';
import { enqueueAll } from '../tasks/index.ts';
import { checksumMismatch } from './errors.ts';
import { finishUpload, type FinishDeps } from './finish.ts';
import { MAX_PART_BYTES, MAX_PART_MS } from './limits.ts';
import { PartReader } from './part-reader.ts';
import { addPart, mergeParts, type PartDeps } from './parts.ts';
import { findAt, viewOf, type UploadView } from './state.ts';

export interface AppendDeps extends Omit<PartDeps, 'uow'>, Omit<FinishDeps, 'uow'> {
  readonly uow: PartDeps['uow'] & FinishDeps['uow'];
  readonly jobs: JobQueue;
}

/** The bytes of one request. If it was cut off, they end early. */
export interface SentBytes {
  readonly offset: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether the bytes match their checksum, called after the last of them. Without it they have none. */
  matchesChecksum?(): boolean;
  /** Rejects if the sender may not change anything any more. Called before bytes are added. */
  requireSender(): Promise<void>;
}

/** One received part of the stream, durable and without a row. */
interface ReceivedPart {
  readonly blob: WrittenBlob;
  readonly head: Uint8Array;
}

/**
 * Adds bytes to an upload. They become durable and count part by part, while the rest arrives; bytes with a checksum all
 * together or not at all. The last of them makes the object.
 *
 * Ends with `not_found`, `upload_expired`, `offset_mismatch`, `checksum_mismatch`, `plan_limit` and `too_large`, and with
 * `already_exists` at the end of a file that must not be a duplicate.
 */
export async function appendToUpload(
  deps: AppendDeps,
  caller: Caller,
  id: string,
  sent: SentBytes,
): Promise<UploadView> {
  let upload = await deps.uow.read(caller.scope, async (stores) => {
    const found = await findAt(deps, stores, caller, id, sent.offset);
    const zone = await zoneFor(deps, stores.pinLock, caller);
    await requireStorageQuota(stores, caller, 0, zone);
    return found;
  });
  const reader = new PartReader(sent.bytes, deps.clock);
  while (await reader.hasMore()) {
    const part = await receivePart(deps, caller, upload, reader, sent);
    if (upload.received + part.blob.size === upload.size)
      return finishUpload(deps, caller, upload, part);
    upload = await addPart(deps, caller, upload, part.blob);
  }
  if (upload.received === sent.offset && sent.matchesChecksum?.() === false)
    throw checksumMismatch();
  if (upload.size === 0) {
    await sent.requireSender();
    const blob = await deps.blobs.write(caller.scope, '', { maxBytes: 0 });
    return finishUpload(deps, caller, upload, { blob, head: new Uint8Array() });
  }
  await enqueueAll(deps.jobs, await mergeParts(deps, caller, upload));
  return viewOf(upload);
}

/** Writes the next part. It is discarded if the stream is too long, or is not what its sender meant. */
async function receivePart(
  deps: AppendDeps,
  caller: Caller,
  upload: PartialUpload,
  reader: PartReader,
  sent: SentBytes,
): Promise<ReceivedPart> {
  const left = upload.size - upload.received;
  const limit = sent.matchesChecksum
    ? { bytes: left, ms: Infinity }
    : { bytes: Math.min(left, MAX_PART_BYTES), ms: MAX_PART_MS };
  if (left === 0) throw tooLarge();
  const sample = new ContentSample();
  const blob = await deps.blobs
    .write(caller.scope, sample.of(reader.part(limit)), { maxBytes: limit.bytes })
    .catch((error: unknown) => {
      throw error instanceof BlobTooLargeError ? tooLarge() : error;
    });
  try {
    if (blob.size === left && (await reader.hasMore())) throw tooLarge();
    if (sent.matchesChecksum?.() === false) throw checksumMismatch();
    await sent.requireSender();
  } catch (error) {
    await discardBlobs(deps, [blob.blobId]);
    throw error;
  }
  return { blob, head: sample.bytes };
}
