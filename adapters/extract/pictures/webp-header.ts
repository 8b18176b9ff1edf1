import type { ByteReader } from './byte-reader.ts';
import type { HeaderError, ImageHeader } from './image-header-types.ts';

const ANIMATION = 0x02;
/** Maximum number of frames of an animation, low enough to be counted quickly. */
const MAX_FRAMES = 10_000;

const sizeOf = (chunk: Buffer): number => chunk.readUInt32LE(4);
/** Chunks are padded to an even length. */
const paddedSize = (chunk: Buffer): number => sizeOf(chunk) + (sizeOf(chunk) & 1);

/** RFC 9649 §2: a single lossy or lossless image, or an extended file that begins with its size. */
export async function webpHead(reader: ByteReader): Promise<ImageHeader | HeaderError> {
  const chunk = await reader.take(8);
  const type = chunk.toString('latin1', 0, 4);
  if (type === 'VP8 ' || type === 'VP8L') return stillPicture(reader, type);
  if (type !== 'VP8X' || sizeOf(chunk) < 10) return 'broken';
  const facts = await reader.take(10);
  await reader.skip(paddedSize(chunk) - 10);
  const width = facts.readUIntLE(4, 3) + 1;
  const height = facts.readUIntLE(7, 3) + 1;
  const animated = ((facts[0] ?? 0) & ANIMATION) !== 0;
  const found = animated ? await framesOf(reader) : await pixelsOf(reader);
  return found === 'broken' ? 'broken' : { format: 'webp', width, height, ...found };
}

async function stillPicture(
  reader: ByteReader,
  type: 'VP8 ' | 'VP8L',
): Promise<ImageHeader | HeaderError> {
  if (type === 'VP8 ') {
    const head = await reader.take(10);
    if (head.readUIntBE(3, 3) !== 0x9d012a) return 'broken';
    return ofSize(head.readUInt16LE(6) & 0x3fff, head.readUInt16LE(8) & 0x3fff, false);
  }
  const head = await reader.take(5);
  if (head[0] !== 0x2f) return 'broken';
  const bits = head.readUInt32LE(1);
  return ofSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, true);
}

const ofSize = (width: number, height: number, lossless: boolean): ImageHeader | HeaderError =>
  width === 0 || height === 0 ? 'broken' : { format: 'webp', width, height, frames: 1, lossless };

type Pixels = Pick<ImageHeader, 'frames' | 'lossless'>;

async function pixelsOf(reader: ByteReader): Promise<Pixels | 'broken'> {
  for (let chunks = 0; chunks < MAX_FRAMES; chunks++) {
    const chunk = await reader.take(8);
    const type = chunk.toString('latin1', 0, 4);
    if (type === 'VP8 ' || type === 'VP8L') return { frames: 1, lossless: type === 'VP8L' };
    await reader.skip(paddedSize(chunk));
  }
  return 'broken';
}

/** All frames are counted, to the end of the file: their number determines the cost of decoding. */
async function framesOf(reader: ByteReader): Promise<Pixels | 'broken'> {
  let frames = 0;
  let lossless = true;
  for (let chunks = 0; chunks < MAX_FRAMES * 2; chunks++) {
    const chunk = await reader.next(8);
    if (!chunk) return frames > 0 ? { frames, lossless } : 'broken';
    let size = paddedSize(chunk);
    if (chunk.toString('latin1', 0, 4) === 'ANMF' && size >= 24) {
      frames += 1;
      const inner = await reader.take(20);
      size -= 20;
      const kind = inner.toString('latin1', 16);
      // A lossy frame with transparency begins with the ALPH chunk.
      if (kind === 'VP8 ' || kind === 'ALPH') lossless = false;
    }
    await reader.skip(size);
  }
  return 'broken';
}
