import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 } from 'uuid';
import {
  BlobNotFoundError,
  BlobTooLargeError,
  type BlobEntry,
  type BlobStore,
  type ByteRange,
  type WriteOptions,
  type WrittenBlob,
} from '../../ports/blobs.ts';
import { UnavailableError } from '../../ports/errors.ts';
import { isOrphanedTempFile, temporaryName } from './temp-names.ts';
import { BufferedFileWriter } from './buffered-writer.ts';

/**
 * Blobs as files. A blob is written under a temporary name, made durable, and only then renamed to `blobs/<two
 * hex>/<id>`, so that no reader sees a partial file.
 */
export class FsBlobStore implements BlobStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #made = new Set<string>();

  private constructor(folder: string) {
    this.#root = join(folder, 'blobs');
    this.#incoming = join(folder, 'incoming');
  }

  /** Creates the folders and leaves existing files unchanged, since another process may be using them. */
  static async open(folder: string): Promise<FsBlobStore> {
    const store = new FsBlobStore(folder);
    await mkdir(store.#root, { recursive: true });
    await mkdir(store.#incoming, { recursive: true });
    return store;
  }

  /** Removes orphaned temporary files: their process is dead, or they are older than this. */
  async removeAbandoned(before: number): Promise<void> {
    for await (const entry of await opendir(this.#incoming)) {
      const path = join(this.#incoming, entry.name);
      const info = await stat(path).catch(missing);
      if (info && (info.mtimeMs < before || isOrphanedTempFile(entry.name, info.mtimeMs)))
        await rm(path, { force: true });
    }
  }

  async write(
    source: AsyncIterable<Uint8Array> | string,
    { maxBytes, blobId = v7() }: WriteOptions,
  ): Promise<WrittenBlob> {
    const temporary = join(this.#incoming, temporaryName(blobId));
    const file = await attempt(() => this.#openTemporary(temporary));
    try {
      const written = await copy(file, source, maxBytes);
      await attempt(() => file.sync());
      await attempt(async () => {
        // A durable blob no longer needs its writer.
        await Promise.all([file.close(), this.#rename(temporary, blobId)]);
      });
      return { blobId, ...written };
    } catch (error) {
      await file.close().catch(ignoreClosed);
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async *read(blobId: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const stream = createReadStream(this.#path(blobId), {
      ...(range && { start: range.first, end: range.last }),
      highWaterMark: 65_536,
    });
    try {
      for await (const chunk of stream) yield chunk as Uint8Array;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new BlobNotFoundError(`There is no blob ${blobId}.`);
      throw failure(error);
    } finally {
      stream.destroy();
    }
  }

  async remove(blobId: string): Promise<void> {
    await attempt(() => unlink(this.#path(blobId)).catch(missing));
  }

  async *list(): AsyncIterable<BlobEntry> {
    for await (const shard of await opendir(this.#root)) {
      if (!shard.isDirectory()) continue;
      for await (const entry of await opendir(join(this.#root, shard.name))) {
        const info = await stat(join(this.#root, shard.name, entry.name)).catch(missing);
        if (info) yield { blobId: entry.name, modifiedAt: info.mtimeMs };
      }
    }
  }

  /** The last two digits of an id are random; the first ones are its time. */
  #path(blobId: string): string {
    return join(this.#root, blobId.slice(-2), blobId);
  }

  async #openTemporary(temporary: string): Promise<FileHandle> {
    try {
      return await open(temporary, 'wx');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Deleted by another program. If the blobs are missing too, the volume is not mounted: nothing is written then.
      await stat(this.#root);
      await mkdir(this.#incoming, { recursive: true });
      return open(temporary, 'wx');
    }
  }

  async #rename(temporary: string, blobId: string): Promise<void> {
    const path = this.#path(blobId);
    const folder = dirname(path);
    const wasMade = this.#made.has(folder);
    if (!wasMade) await this.#makeFolder(folder);
    try {
      await rename(temporary, path);
    } catch (error) {
      if (!wasMade || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Another program has deleted the folder since, such as a restore by hand.
      await this.#makeFolder(folder);
      await rename(temporary, path);
    }
    await syncFolder(folder);
  }

  async #makeFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await syncFolder(this.#root);
    this.#made.add(folder);
  }
}

async function copy(
  file: FileHandle,
  source: AsyncIterable<Uint8Array> | string,
  maxBytes: number,
): Promise<Pick<WrittenBlob, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  const writing = new BufferedFileWriter(file);
  let size = 0;
  try {
    for await (const chunk of typeof source === 'string' ? [Buffer.from(source)] : source) {
      size += chunk.length;
      if (size > maxBytes)
        throw new BlobTooLargeError(`The source is larger than ${maxBytes} bytes.`);
      writing.add(chunk);
      // Hashed while the system writes.
      hash.update(chunk);
      await attempt(() => writing.room());
    }
    await attempt(() => writing.end());
  } finally {
    await writing.stop();
  }
  return { size, sha256: hash.digest('hex') };
}

/** A rename is durable once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failure(error);
  }
}

const failure = (error: unknown): UnavailableError =>
  new UnavailableError('storage', 'The file storage is not available.', error);

function missing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

/** Closed already on the error path. */
function ignoreClosed(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
}
