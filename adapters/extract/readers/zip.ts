import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { PROTECTED, UnreadableFileError } from './reader-result.ts';

const MAX_ENTRIES = 10_000;
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Text compresses to a tenth and long tables to a fiftieth; no office program reaches a hundredfold. */
const MAX_COMPRESSION_RATIO = 200;
/** Below this size a high ratio is harmless. */
const HARMLESS = 4 * 1024 * 1024;

/** The entries of a zip that is within the limits. Nothing is decompressed before it is read. */
export interface Zip {
  readonly names: readonly string[];
  has(name: string): boolean;
  read(name: string): Promise<Buffer>;
}

/** Checks the sizes declared in the central directory; `read` then enforces them per entry. */
export async function openZip(bytes: Uint8Array): Promise<Zip> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(buffer, { validateEntrySizes: true });
  if (zip.entryCount > MAX_ENTRIES) throw new UnreadableFileError('The file holds too many parts.');
  const entries = new Map<string, Entry>();
  let declared = 0;
  let seen = 0;
  for await (const entry of zip.eachEntry()) {
    declared += entry.uncompressedSize;
    if (++seen > MAX_ENTRIES) throw new UnreadableFileError('The file holds too many parts.');
    if (declared > MAX_UNPACKED_BYTES)
      throw new UnreadableFileError('The uncompressed size of the file is over the limit.');
    entries.set(entry.fileName, entry);
  }
  if (declared > HARMLESS && declared > bytes.length * MAX_COMPRESSION_RATIO)
    throw new UnreadableFileError('The uncompressed size of the file is far larger than its size.');
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read: async (name) => inflate(zip, entries.get(name)),
  };
}

/** yauzl ends a stream with an error if it yields more than declared. */
async function inflate(zip: ZipFile, entry: Entry | undefined): Promise<Buffer> {
  if (entry === undefined)
    throw new UnreadableFileError('One of the parts is missing in the file.');
  if (entry.isEncrypted()) throw new UnreadableFileError(PROTECTED, { sound: true });
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
