import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isOrphanedTempFile, temporaryName } from '../adapters/blobs-fs/temp-names.ts';
import type { ArchiveBytes } from '../ports/archives.ts';
import { BackupError } from '../core/backup/index.ts';

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Writes the bytes to a temporary file, durably, and renames it once it is complete, so that a partial file never has
 * that name. Returns their number. A termination signal has the effect of a failure.
 *
 * @param path `-` is standard output, which has no such protection.
 */
export async function writeBackupFile(path: string, bytes: Bytes, force: boolean): Promise<number> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const counted = { size: 0 };
    const drawn = until(stopping.signal, bytes, counted);
    if (path === '-') await pipeline(Readable.from(drawn), process.stdout, { end: false });
    else await toFile(resolve(path), drawn, force);
    return counted.size;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Throws BackupError if a file would be overwritten. */
export async function requireFree(path: string, force: boolean): Promise<void> {
  if (path === '-' || force) return;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw told(path)(error);
  });
  if (found) throw new BackupError(`${path} is there already; use --force to overwrite it.`);
}

async function* until(
  { aborted }: AbortSignal,
  bytes: Bytes,
  counted: { size: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (aborted) throw new BackupError('It was stopped, and left no file.');
    counted.size += chunk.length;
    yield chunk;
  }
}

async function toFile(path: string, bytes: Bytes, force: boolean): Promise<void> {
  const folder = dirname(path);
  const marked = `${basename(path).replaceAll('.', '_')}~`;
  await removeLeftovers(folder, marked).catch(failed(path));
  const temporary = join(folder, temporaryName(marked));
  const file = await open(temporary, 'wx', 0o600).catch(failed(path));
  try {
    for await (const chunk of bytes) await file.writeFile(chunk).catch(failed(path));
    await file.sync().catch(failed(path));
    await file.close();
    await requireFree(path, force);
    await rename(temporary, path).catch(failed(path));
    await syncFolder(folder).catch(failed(path));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Left by processes that crashed while writing the same file. */
async function removeLeftovers(folder: string, marked: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${marked}.`)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (isOrphanedTempFile(name, mtimeMs)) await rm(path, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Random access to the bytes of a file. */
export async function backupBytes(path: string): Promise<ArchiveBytes> {
  const found = await stat(path).catch(failed(path));
  if (!found.isFile()) throw new BackupError(`${path} is not a file.`);
  return {
    size: found.size,
    async *read({ first, last }) {
      const stream = createReadStream(path, { start: first, end: last, highWaterMark: 262_144 });
      try {
        for await (const chunk of stream) yield chunk as Uint8Array;
      } catch (error) {
        throw told(path)(error);
      } finally {
        stream.destroy();
      }
    },
  };
}

const told = (path: string) => (error: unknown) =>
  new BackupError(`${path}: ${(error as Error).message}.`, { cause: error });

const failed =
  (path: string) =>
  (error: unknown): never => {
    throw told(path)(error);
  };
