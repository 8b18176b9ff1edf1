import { ByteReader, Truncated } from './byte-reader.ts';
import type { HeaderError, ImageHeader } from './image-header-types.ts';
import { jpegHead } from './jpeg-header.ts';
import { pngHead } from './png-header.ts';
import { webpHead } from './webp-header.ts';

/** Reads the header of a JPEG, PNG or WebP, and no more of the file than necessary. */
export async function readImageHeader(
  bytes: AsyncIterable<Uint8Array>,
): Promise<ImageHeader | HeaderError> {
  const reader = new ByteReader(bytes);
  try {
    const start = await reader.take(12);
    if (start.subarray(0, 8).equals(PNG)) return await pngHead(reader, start.subarray(8));
    if (start[0] === 0xff && start[1] === 0xd8) return await jpegHead(reader, start.subarray(2));
    if (start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8) === 'WEBP')
      return await webpHead(reader);
    return 'unknown';
  } catch (error) {
    if (error instanceof Truncated) return 'broken';
    throw error;
  } finally {
    await reader.close();
  }
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
