import type { ByteReader } from './byte-reader.ts';
import type { HeaderError, ImageHeader } from './image-header-types.ts';

const MAX_BYTES_BEFORE_FRAME = 64 * 2 ** 20;

/** Markers without a segment: TEM, restarts, a second start of image. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** SOF0 to SOF15 except DHT, JPG and DAC, which have numbers in between. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** ITU T.81 annex B: segments up to the frame header. Embedded previews are inside segments, which are skipped. */
export async function jpegHead(
  reader: ByteReader,
  started: Buffer,
): Promise<ImageHeader | HeaderError> {
  const ahead = [...started];
  const byte = async (): Promise<number> => ahead.shift() ?? (await reader.take(1))[0] ?? 0;
  const word = async (): Promise<number> => ((await byte()) << 8) | (await byte());
  let tables: Uint8Array | undefined;
  while (reader.position < MAX_BYTES_BEFORE_FRAME) {
    if ((await byte()) !== 0xff) return 'broken';
    let marker = await byte();
    while (marker === 0xff) marker = await byte();
    if (isBare(marker)) continue;
    // End of image, or pixels without a frame.
    if (marker === 0xd9 || marker === 0xda || marker === 0) return 'broken';
    const length = (await word()) - 2;
    if (length < 0) return 'broken';
    if (!isFrame(marker) && marker !== 0xdb) {
      const known = ahead.splice(0, length).length;
      await reader.skip(length - known);
      continue;
    }
    const known = Buffer.from(ahead.splice(0, length));
    const segment = Buffer.concat([known, await reader.take(length - known.length)]);
    if (marker === 0xdb) tables ??= luminanceTable(segment);
    else return frameOf(segment, tables);
  }
  return 'broken';
}

function frameOf(segment: Buffer, table: Uint8Array | undefined): ImageHeader | HeaderError {
  if (segment.length < 6) return 'broken';
  const height = segment.readUInt16BE(1);
  const width = segment.readUInt16BE(3);
  if (width === 0 || height === 0) return 'broken';
  return {
    format: 'jpg',
    width,
    height,
    frames: 1,
    lossless: false,
    ...(table && { quality: qualityOf(table) }),
  };
}

/** The first table of eight-bit steps. */
function luminanceTable(segment: Buffer): Uint8Array | undefined {
  return segment.length >= 65 && segment[0] === 0 ? segment.subarray(1, 65) : undefined;
}

/** The sum of the luminance steps of ITU T.81 annex K.1, which encoders scale. */
const STANDARD_SUM = 3_688;

/** The quality at which libjpeg would scale the standard table to steps of this size. */
function qualityOf(table: Uint8Array): number {
  const percent = (table.reduce((sum, step) => sum + step, 0) * 100) / STANDARD_SUM;
  const quality = percent <= 100 ? (200 - percent) / 2 : 5_000 / percent;
  return Math.min(100, Math.max(1, Math.round(quality)));
}
