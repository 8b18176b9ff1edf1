import type { ByteReader } from './byte-reader.ts';
import type { HeaderError, ImageHeader } from './image-header-types.ts';

const MAX_BYTES_BEFORE_PIXELS = 64 * 2 ** 20;

/** ISO 15948 §5.3: the size comes first; an `acTL` chunk before the pixels marks an animation. */
export async function pngHead(
  reader: ByteReader,
  lengthOfFirst: Buffer,
): Promise<ImageHeader | HeaderError> {
  const first = await reader.take(25 - 4);
  const width = first.readUInt32BE(4);
  const height = first.readUInt32BE(8);
  if (lengthOfFirst.readUInt32BE() !== 13 || first.toString('latin1', 0, 4) !== 'IHDR')
    return 'broken';
  if (width === 0 || height === 0) return 'broken';
  while (reader.position < MAX_BYTES_BEFORE_PIXELS) {
    const chunk = await reader.take(8);
    const type = chunk.toString('latin1', 4);
    if (type === 'acTL') return 'animated';
    if (type === 'IDAT') return { format: 'png', width, height, frames: 1, lossless: true };
    if (type === 'IEND') return 'broken';
    await reader.skip(chunk.readUInt32BE() + 4);
  }
  return 'broken';
}
