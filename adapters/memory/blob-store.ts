import { createHash, randomUUID } from 'node:crypto';
import {
  BlobNotFoundError,
  BlobTooLargeError,
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type WriteOptions,
  type WrittenBlob,
} from '../../ports/blobs.ts';

/** Blobs in the memory of this process. Nothing is durable. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, { readonly bytes: Uint8Array; readonly modifiedAt: number }>();

  async write(
    source: AsyncIterable<Uint8Array> | string,
    { maxBytes, blobId = randomUUID() }: WriteOptions,
  ): Promise<WrittenBlob> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of typeof source === 'string' ? [Buffer.from(source)] : source) {
      size += chunk.length;
      if (size > maxBytes)
        throw new BlobTooLargeError(`The source is larger than ${maxBytes} bytes.`);
      chunks.push(Uint8Array.from(chunk));
    }
    const bytes = Buffer.concat(chunks);
    this.#blobs.set(blobId, { bytes, modifiedAt: Date.now() });
    return { blobId, size, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  async *read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const blob = this.#blobs.get(blobId);
    if (!blob) throw new BlobNotFoundError(`There is no blob ${blobId}.`);
    yield range ? blob.bytes.subarray(range.first, range.last + 1) : blob.bytes;
  }

  async remove(blobId: string): Promise<void> {
    this.#blobs.delete(blobId);
    return Promise.resolve();
  }

  async *list(): AsyncIterable<BlobEntry> {
    for (const [blobId, { modifiedAt }] of [...this.#blobs]) yield { blobId, modifiedAt };
  }
}
