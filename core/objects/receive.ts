import { BlobTooLarge, type BlobStore, type WrittenBlob } from '../../ports/blobs.ts';
import type { ContentSniffer, ContentType } from '../../ports/text-extraction.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import type { Caller } from '../shared/caller.ts';
import { discardBlobs, requireRoom } from './content.ts';
import { tooLarge } from './errors.ts';
import { uploadedName } from './filename.ts';

const HEAD_BYTES = 65_536;

export interface ReceiveDeps {
  readonly uow: UnitOfWork<'contents'>;
  readonly blobs: BlobStore;
  readonly sniffer: ContentSniffer;
  /** Bytes of one file. */
  readonly maxUploadBytes: number;
}

/** A file whose bytes are durable and that no object owns yet. */
export interface ReceivedFile {
  readonly filename: string;
  readonly blob: WrittenBlob;
  readonly type: ContentType;
}

/** Takes one uploaded file in: its bytes straight to storage, its type from its first bytes and its name. */
export async function receiveFile(
  deps: ReceiveDeps,
  caller: Pick<Caller, 'scope' | 'limits'>,
  sent: { readonly filename: string; readonly bytes: AsyncIterable<Uint8Array> },
): Promise<ReceivedFile> {
  await deps.uow.read(caller.scope, (stores) => requireRoom(stores, caller, 0));
  const blob = await deps.blobs
    .write(sent.bytes, { maxBytes: deps.maxUploadBytes })
    .catch((error: unknown) => {
      throw error instanceof BlobTooLarge ? tooLarge() : error;
    });
  const filename = uploadedName(sent.filename);
  try {
    const head = await headOf(deps.blobs, blob);
    return { filename, blob, type: await deps.sniffer.identify(head, filename) };
  } catch (error) {
    await deps.blobs.remove(blob.blobId);
    throw error;
  }
}

/** Reads a file that nobody will keep, for no longer than one that is kept may be. Answers with its size in bytes. */
export async function passOverFile(
  deps: Pick<ReceiveDeps, 'maxUploadBytes'>,
  sent: { readonly bytes: AsyncIterable<Uint8Array> },
): Promise<number> {
  let size = 0;
  for await (const chunk of sent.bytes)
    if ((size += chunk.length) > deps.maxUploadBytes) throw tooLarge();
  return size;
}

/** Gives up files of a request that is refused after all. */
export async function discardFiles(
  deps: Pick<ReceiveDeps, 'blobs'>,
  files: readonly ReceivedFile[],
): Promise<void> {
  await discardBlobs(
    deps,
    files.map((file) => file.blob.blobId),
  );
}

/** What a file is told by. */
export async function headOf(blobs: BlobStore, blob: WrittenBlob): Promise<Uint8Array> {
  const wanted = Math.min(HEAD_BYTES, blob.size);
  const head = new Uint8Array(wanted);
  if (wanted === 0) return head;
  let filled = 0;
  for await (const chunk of blobs.read(blob.blobId, { first: 0, last: wanted - 1 })) {
    const part = chunk.subarray(0, wanted - filled);
    head.set(part, filled);
    filled += part.length;
  }
  return head.subarray(0, filled);
}
