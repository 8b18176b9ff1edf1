import {
  BlobNotFoundError,
  CorruptBlobError,
  type ExpectedContent,
  type OwnerBlobs,
} from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';

const EXTENSIONS: Partial<Record<StoredObject['kind'], string>> = { note: '.md', link: '.url' };

/** A name that a desktop can open: notes and links get an extension for their type. */
export function readableName({ filename, kind }: Pick<StoredObject, 'filename' | 'kind'>): string {
  const extension = EXTENSIONS[kind] ?? '';
  return filename.toLowerCase().endsWith(extension) ? filename : filename + extension;
}

/** Bytes to be written into an archive. */
export interface Opened {
  /** The first chunk. */
  readonly head: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Must always be called, since bytes that were never read are not closed otherwise. */
  release(): Promise<void>;
}

/**
 * The bytes with their first chunk already read; undefined if they cannot be read. Without `expected`, corrupt bytes
 * are returned as stored, for a caller that verifies the digest of the entry.
 */
export async function openBlob(
  blobs: Pick<OwnerBlobs, 'read'>,
  blobId: string,
  expected?: ExpectedContent,
): Promise<Opened | undefined> {
  const rest = blobs.read(blobId, undefined, expected)[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array>;
  try {
    first = await rest.next();
  } catch (error) {
    if (error instanceof BlobNotFoundError || error instanceof CorruptBlobError) return undefined;
    throw error;
  }
  const all = async function* () {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  };
  const head = first.done ? new Uint8Array() : first.value;
  return { head, bytes: all(), release: async () => void (await rest.return?.()) };
}

const PACKED_KINDS = new Set(['pdf', 'image', 'audio', 'video', 'archive']);
const PACKED_FORMATS = new Set(
  'docx docm xlsx xlsm pptx pptm odt ods odp odg epub pages numbers key'.split(' '),
);
const PLAIN_FORMATS = new Set('svg bmp tif tiff wav aiff tar ps'.split(' '));

/** Whether deflating is worthwhile. For incompressible bytes it takes twenty times as long as copying. */
export const isCompressible = (
  { kind, format }: Pick<StoredObject, 'kind' | 'format'>,
  head: Uint8Array,
): boolean =>
  PLAIN_FORMATS.has(format) ||
  !(PACKED_KINDS.has(kind) || PACKED_FORMATS.has(format) || isDense(head));

const SAMPLE_BYTES = 8_192;
/** Entropy in bits per byte: text has about 5, programs 6.5, compressed or encrypted data nearly 8. */
const DENSE_BITS = 7.6;

function isDense(head: Uint8Array): boolean {
  const sample = head.subarray(0, SAMPLE_BYTES);
  if (sample.length < SAMPLE_BYTES) return false;
  const counts = new Uint32Array(256);
  for (const byte of sample) counts[byte] = (counts[byte] ?? 0) + 1;
  let bits = 0;
  for (const count of counts)
    if (count > 0) bits += (count / sample.length) * Math.log2(sample.length / count);
  return bits > DENSE_BITS;
}
