import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflate } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A picture twice as wide as high: red on the left, blue on the right, as it is to be seen. */
export function twoColours(width: number): Sharp {
  const height = width / 2;
  const half = { width: width / 2, height, channels: 3 as const };
  return sharp({ create: { ...half, width, background: '#e00000' } }).composite([
    { input: { create: { ...half, background: '#0000e0' } }, left: width / 2, top: 0 },
  ]);
}

/** The same as a camera stores it that was held on its side (EXIF orientation 6), with a place and a time. */
export async function heldOnItsSide(width: number): Promise<Buffer> {
  const upright = await twoColours(width).png().toBuffer();
  return sharp(upright)
    .rotate(270)
    .jpeg({ quality: 95 })
    .withExif({
      IFD0: { Copyright: 'A-marker-of-the-original' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** How the left and the right of a picture look: the strongest of red, green and blue. */
export async function coloursOf(picture: Uint8Array): Promise<readonly string[]> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [0.25, 0.75].map((share) => {
    const row = Math.floor(info.height / 2) * info.width;
    const at = (row + Math.floor(info.width * share)) * info.channels;
    const pixel = [...data.subarray(at, at + 3)];
    return ['red', 'green', 'blue'][pixel.indexOf(Math.max(...pixel))] ?? '';
  });
}

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
};

/** A PNG in shades of grey whose pixels are all black: so many on each side, next to nothing in the file. */
export async function blackPng(side: number): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', await deflatedNothing(side * (side + 1))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** So many zeros, deflated a piece at a time. */
function deflatedNothing(length: number): Promise<Buffer> {
  const piece = Buffer.alloc(1_000_000);
  const pieces = function* () {
    for (let left = length; left > 0; left -= piece.length)
      yield piece.subarray(0, Math.min(left, piece.length));
  };
  return buffer(Readable.from(pieces()).pipe(createDeflate({ level: 9 })));
}

/** A picture that no two pixels of are alike for long: as hard to compress as a photograph of leaves. */
export async function noiseOf(width: number, height: number): Promise<Sharp> {
  const channels = 3 as const;
  const pixels = Buffer.alloc(width * height * channels);
  let state = 12_345;
  for (let i = 0; i < pixels.length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    pixels[i] = (state >>> 18) & 0xff;
  }
  const smooth = await sharp(pixels, { raw: { width, height, channels } })
    .blur(1)
    .png()
    .toBuffer();
  return sharp(smooth);
}

/** The chunks of a png, by their type, in their order; of several of one type the last. */
export function pngChunks(png: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(png);
  const found = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    found.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return found;
}

/** The png with a chunk more, behind its header. */
export function withPngChunk(png: Uint8Array, type: string, data: Uint8Array): Buffer {
  const [header, rest] = [png.subarray(0, 33), png.subarray(33)];
  return Buffer.concat([header, chunk(type, data), rest]);
}
