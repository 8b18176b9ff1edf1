import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl';
import {
  ArchiveDamaged,
  type ArchiveBytes,
  type ArchiveLimits,
  type EntryDigest,
  type ReadableArchive,
} from '../../ports/archives.ts';
import { DEFLATED, STORED } from './headers.ts';
import { linesOf } from './lines.ts';
import { inflated } from './packing.ts';
import { Window } from './window.ts';

/** What of an entry is needed to read it, and no more: an archive may have hundreds of thousands. */
interface Place {
  readonly offset: number;
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
  readonly packed: boolean;
}

/** DEFLATE makes at most 1032 bytes of one (RFC 1951: 258 bytes from two bits), and every block has a head. */
const MOST_RATIO = 1_032;
const HEADS_BYTES = 64;

/** Reads a ZIP by its directory. Nothing is unpacked before it is asked for. */
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
    if (entry.isEncrypted()) throw new ArchiveDamaged(`${told} is encrypted.`);
    if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
      throw new ArchiveDamaged(`${told} is packed in a way that is not supported.`);
    if (places.has(name)) throw new ArchiveDamaged(`${told} comes twice.`);
    size += entry.uncompressedSize;
    packedSize += entry.compressedSize;
    if (size > maxBytes)
      throw new ArchiveDamaged(`It unpacks to more than the ${maxBytes} bytes that are allowed.`);
    // Entries that lie over one another are how a small file holds terabytes.
    if (packedSize > fileSize || size > packedSize * MOST_RATIO + seen * HEADS_BYTES)
      throw new ArchiveDamaged(`${told} is said to hold more than there is room for in the file.`);
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
    if (offset < end) throw new ArchiveDamaged(`${JSON.stringify(name)} overlaps another entry.`);
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
  new ArchiveDamaged(`It holds more than the ${most} entries that are allowed.`);

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
    if (!place) throw new ArchiveDamaged(`${told} is missing.`);
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
        throw new ArchiveDamaged(`${told} is damaged: its bytes are not those it was packed from.`);
    } catch (error) {
      const { failure } = this.#window;
      if (failure) throw failure.error;
      if (error instanceof ArchiveDamaged) throw error;
      throw new ArchiveDamaged(`${told} is damaged: it can not be unpacked.`, { cause: error });
    }
  }

  lines(path: string, { maxBytes }: { readonly maxBytes: number }): AsyncIterable<string> {
    return linesOf(path, this.read(path), maxBytes);
  }

  async #unpacked({ offset, packedSize, packed }: Place): Promise<AsyncIterable<Uint8Array>> {
    // yauzl looks at these two fields of an entry and at nothing else here.
    const entry = { relativeOffsetOfLocalHeader: offset, compressedSize: packedSize } as Entry;
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const raw = this.#window.range(fileDataStart, fileDataStart + packedSize);
    return packed ? inflated(raw) : raw;
  }
}

/** An error of the file's form is damage; one of the source that gives its bytes is not. */
async function blamed<T>(window: Window, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (window.failure) throw window.failure.error;
    if (error instanceof ArchiveDamaged) throw error;
    const { message } = error as Error;
    throw new ArchiveDamaged(`It is no sound ZIP file: ${message}.`.replace('..', '.'), {
      cause: error,
    });
  }
}
