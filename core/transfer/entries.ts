import {
  BlobMissing,
  CorruptBlobError,
  type ExpectedContent,
  type OwnerBlobs,
} from '../../ports/blobs.ts';
import type { StoredObject } from '../../ports/objects.ts';

const EXTENSIONS: Partial<Record<StoredObject['kind'], string>> = { note: '.md', link: '.url' };

/** The name a desktop opens it by: of notes and links with the extension of what they are. */
export function readableName({ filename, kind }: Pick<StoredObject, 'filename' | 'kind'>): string {
  const extension = EXTENSIONS[kind] ?? '';
  return filename.toLowerCase().endsWith(extension) ? filename : filename + extension;
}

/** Bytes on their way into an archive. */
export interface Opened {
  /** The first piece of the bytes. */
  readonly head: Uint8Array;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** To be called in any case: whoever never begins to read the bytes does not end them either. */
  release(): Promise<void>;
}

/**
 * The bytes with the first of them at hand; nothing when there are none to be had. Without `expected` damaged ones come
 * as they are, for a caller that compares the digest of the entry.
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
    if (error instanceof BlobMissing || error instanceof CorruptBlobError) return undefined;
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

/** Whether deflating makes it smaller. On what is dense already it takes twenty times the time of copying, for nothing. */
export const packs = (
  { kind, format }: Pick<StoredObject, 'kind' | 'format'>,
  head: Uint8Array,
): boolean =>
  PLAIN_FORMATS.has(format) ||
  !(PACKED_KINDS.has(kind) || PACKED_FORMATS.has(format) || isDense(head));

const SAMPLE_BYTES = 8_192;
/** Bits of information in a byte: text has about 5, programs 6.5, what was compressed or encrypted nearly 8. */
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
