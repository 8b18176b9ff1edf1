import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl';
import {
  CorruptArchiveError,
  type ArchiveBytes,
  type ArchiveLimits,
  type EntryDigest,
  type ReadableArchive,
} from '../../ports/archives.ts';
import { DEFLATED, STORED } from './headers.ts';
import { linesOf } from './lines.ts';
import { inflate } from './deflate.ts';
import { Window } from './read-window.ts';

/** The minimum needed to read an entry, since an archive may have hundreds of thousands. */
interface Place {
  readonly offset: number;
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
  readonly packed: boolean;
}

/** DEFLATE expands a byte to at most 1032 (RFC 1951: 258 bytes from two bits), and every block has a header. */
const MAX_COMPRESSION_RATIO = 1_032;
const HEADS_BYTES = 64;

/** Reads a ZIP by its directory. Nothing is decompressed before it is read. */
export async function openZip(
  bytes: ArchiveBytes,
  limits: ArchiveLimits,
): Promise<ReadableArchive> {
  const window = new Window(bytes);
  const zip = await blamed(window, () =>
    fromRandomAccessReaderPromise(window, bytes.size, {
      autoClose: false,
      validateEntrySizes: true,
      strictFileNames: true,
    }),
  );
  const places = await blamed(window, () => directoryOf(zip, bytes.size, limits));
  return new ZipArchive(window, zip, places);
}

async function directoryOf(
  zip: ZipFile,
  fileSize: number,
  { maxEntries, maxBytes }: ArchiveLimits,
): Promise<ReadonlyMap<string, Place>> {
  if (zip.entryCount > maxEntries) throw tooMany(maxEntries);
  const places = new Map<string, Place>();
  let seen = 0;
  let size = 0;
  let packedSize = 0;
  for await (const entry of zip.eachEntry()) {
    if (++seen > maxEntries) throw tooMany(maxEntries);
    const name = entry.fileName;
    const told = JSON.stringify(name);
    if (entry.isEncrypted()) throw new CorruptArchiveError(`${told} is encrypted.`);
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      throw new CorruptArchiveError(`${told} uses an unsupported compression method.`);
    if (places.has(name)) throw new CorruptArchiveError(`${told} comes twice.`);
    size += entry.uncompressedSize;
    packedSize += entry.compressedSize;
    if (size > maxBytes)
      throw new CorruptArchiveError(
        `Its uncompressed size exceeds the limit of ${maxBytes} bytes.`,
      );
    // Overlapping entries allow a small file to hold terabytes (zip bomb).
    if (packedSize > fileSize || size > packedSize * MAX_COMPRESSION_RATIO + seen * HEADS_BYTES)
      throw new CorruptArchiveError(`${told} declares a larger size than the file can contain.`);
    if (!name.endsWith('/')) places.set(name, placeOf(entry));
  }
  requireApart(places);
  return places;
}

const LOCAL_HEADER_BYTES = 30;

/** Rejects overlapping entries (zip bomb): entries that share bytes would unpack to far more than the file holds. */
function requireApart(places: ReadonlyMap<string, Place>): void {
  const inOrder = [...places].sort(([, a], [, b]) => a.offset - b.offset);
  let end = 0;
  for (const [name, { offset, packedSize }] of inOrder) {
    if (offset < end)
      throw new CorruptArchiveError(`${JSON.stringify(name)} overlaps another entry.`);
    end = offset + LOCAL_HEADER_BYTES + packedSize;
  }
}

const placeOf = (entry: Entry): Place => ({
  offset: entry.relativeOffsetOfLocalHeader,
  packedSize: entry.compressedSize,
  size: entry.uncompressedSize,
  crc: entry.crc32,
  packed: entry.compressionMethod === DEFLATED,
});

const tooMany = (most: number) =>
  new CorruptArchiveError(`It contains more than ${most} entries, which is the limit.`);

class ZipArchive implements ReadableArchive {
  readonly #window: Window;
  readonly #zip: ZipFile;
  readonly #places: ReadonlyMap<string, Place>;

  constructor(window: Window, zip: ZipFile, places: ReadonlyMap<string, Place>) {
    this.#window = window;
    this.#zip = zip;
    this.#places = places;
  }

  paths(): Iterable<string> {
    return this.#places.keys();
  }

  has(path: string): boolean {
    return this.#places.has(path);
  }

  async digest(path: string): Promise<EntryDigest> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of this.read(path)) {
      hash.update(chunk);
      size += chunk.length;
    }
    return { size, sha256: hash.digest('hex') };
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    const told = JSON.stringify(path);
    const place = this.#places.get(path);
    if (!place) throw new CorruptArchiveError(`${told} is missing.`);
    try {
      let size = 0;
      let crc = 0;
      for await (const chunk of await this.#unpacked(place)) {
        size += chunk.length;
        if (size > place.size) break;
        crc = crc32(chunk, crc);
        yield chunk;
      }
      if (size !== place.size || crc !== place.crc)
        throw new CorruptArchiveError(`${told} is corrupt: its checksum does not match.`);
    } catch (error) {
      const { failure } = this.#window;
      if (failure) throw failure.error;
      if (error instanceof CorruptArchiveError) throw error;
      throw new CorruptArchiveError(`${told} is corrupt: it cannot be decompressed.`, {
        cause: error,
      });
    }
  }

  lines(path: string, { maxBytes }: { readonly maxBytes: number }): AsyncIterable<string> {
    return linesOf(path, this.read(path), maxBytes);
  }

  async #unpacked({ offset, packedSize, packed }: Place): Promise<AsyncIterable<Uint8Array>> {
    // yauzl reads only these two fields of an entry here.
    const entry = { relativeOffsetOfLocalHeader: offset, compressedSize: packedSize } as Entry;
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const raw = this.#window.range(fileDataStart, fileDataStart + packedSize);
    return packed ? inflate(raw) : raw;
  }
}

/** A format error means a corrupt archive; an error of the byte source does not. */
async function blamed<T>(window: Window, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (window.failure) throw window.failure.error;
    if (error instanceof CorruptArchiveError) throw error;
    const { message } = error as Error;
    throw new CorruptArchiveError(`It is not a valid ZIP file: ${message}.`.replace('..', '.'), {
      cause: error,
    });
  }
}
