import { BlobTooLargeError, type OwnerBlobs, type WrittenBlob } from '../../ports/blobs.ts';
import type { ContentSniffer, ContentType } from '../../ports/text-extraction.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { discardBlobs, requireStorageQuota } from './content.ts';
import { tooLarge } from './errors.ts';
import { sanitizeUploadName } from './filename.ts';

const HEAD_BYTES = 65_536;

export interface ReceiveDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'contents' | 'pinLock'>;
  readonly blobs: OwnerBlobs;
  readonly sniffer: ContentSniffer;
  /** Bytes of one file. */
  readonly maxUploadBytes: number;
}

/** A file whose bytes are durable and that belongs to no object yet. */
export interface ReceivedFile {
  readonly filename: string;
  readonly blob: WrittenBlob;
  readonly type: ContentType;
  /** Of an archive whose import a client may follow: its run. */
  readonly importId?: string;
}

/**
 * Receives one uploaded file: streams its bytes to storage and detects its type from its first bytes and its name.
 */
export async function receiveFile(
  deps: ReceiveDeps,
  caller: Pick<Caller, 'scope' | 'limits' | 'hiddenToken'>,
  sent: { readonly filename: string; readonly bytes: AsyncIterable<Uint8Array> },
): Promise<ReceivedFile> {
  await deps.uow.read(caller.scope, async (stores) =>
    requireStorageQuota(stores, caller, 0, await zoneFor(deps, stores.pinLock, caller)),
  );
  const head = new ContentSample();
  const blob = await deps.blobs
    .write(caller.scope, head.of(sent.bytes), { maxBytes: deps.maxUploadBytes })
    .catch((error: unknown) => {
      throw error instanceof BlobTooLargeError ? tooLarge() : error;
    });
  const filename = sanitizeUploadName(sent.filename);
  try {
    return { filename, blob, type: await deps.sniffer.identify(head.bytes, filename) };
  } catch (error) {
    await discardBlobs(deps, [blob.blobId]);
    throw error;
  }
}

/** Reads and discards a file, up to the maximum upload size. Returns its size in bytes. */
export async function drainFile(
  deps: Pick<ReceiveDeps, 'maxUploadBytes'>,
  sent: { readonly bytes: AsyncIterable<Uint8Array> },
): Promise<number> {
  let size = 0;
  for await (const chunk of sent.bytes)
    if ((size += chunk.length) > deps.maxUploadBytes) throw tooLarge();
  return size;
}

/** Discards the files of a rejected request. */
export async function discardFiles(
  deps: Pick<ReceiveDeps, 'blobs'>,
  files: readonly ReceivedFile[],
): Promise<void> {
  await discardBlobs(
    deps,
    files.map((file) => file.blob.blobId),
  );
}

/** The first bytes, copied while the file is streamed: reading them back may be slow, from remote storage. */
export class ContentSample {
  readonly #kept: Uint8Array[] = [];
  #left = HEAD_BYTES;

  async *of(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      // A copy, since the consumer may reuse the chunk's memory.
      if (this.#left > 0) this.#kept.push(Uint8Array.from(chunk.subarray(0, this.#left)));
      this.#left -= Math.min(this.#left, chunk.length);
      yield chunk;
    }
  }

  get bytes(): Uint8Array {
    const all = new Uint8Array(HEAD_BYTES - this.#left);
    let at = 0;
    for (const part of this.#kept) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
