/** The container format (RFC 9649) around encoded single frames. */

const HAS_PROFILE = 0x20;
const HAS_ALPHA = 0x10;
const ANIMATED = 0x02;
/** Frame flag: replaces the previous content, without blending. */
const REPLACES = 0x02;
const RIFF_HEAD = 12;
const EXTENDED_END = 30;
const MAX_LOOPS = 0xffff;
const MAX_DELAY_MS = 0xffffff;

const PIXELS: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L']);

export interface Animated {
  readonly width: number;
  readonly height: number;
  /** 0 repeats forever. */
  readonly loop: number;
  readonly alpha: boolean;
  readonly profile: Uint8Array | undefined;
}

/** An animated WebP of complete frames, each a separate WebP, with its duration in milliseconds. */
export function animationOfFrames(
  frames: readonly { readonly webp: Uint8Array; readonly delay: number }[],
  { width, height, loop, alpha, profile }: Animated,
): Uint8Array {
  const facts = Buffer.alloc(10);
  facts[0] = ANIMATED | (alpha ? HAS_ALPHA : 0) | (profile ? HAS_PROFILE : 0);
  facts.writeUIntLE(width - 1, 4, 3);
  facts.writeUIntLE(height - 1, 7, 3);
  const loops = Buffer.alloc(6);
  loops.writeUInt16LE(Math.min(loop, MAX_LOOPS), 4);
  const chunks = [
    chunk('VP8X', facts),
    ...(profile ? [chunk('ICCP', profile)] : []),
    chunk('ANIM', loops),
    ...frames.map(({ webp, delay }) => {
      const head = Buffer.alloc(16);
      head.writeUIntLE(width - 1, 6, 3);
      head.writeUIntLE(height - 1, 9, 3);
      head.writeUIntLE(Math.min(delay, MAX_DELAY_MS), 12, 3);
      head[15] = REPLACES;
      return chunk('ANMF', Buffer.concat([head, ...pixelChunksOf(webp)]));
    }),
  ];
  const size = chunks.reduce((sum, { length }) => sum + length, 4);
  const riff = Buffer.alloc(RIFF_HEAD);
  riff.write('RIFF', 'latin1');
  riff.writeUInt32LE(size, 4);
  riff.write('WEBP', 8, 'latin1');
  return Buffer.concat([riff, ...chunks]);
}

/** An extended WebP with this colour profile, which follows `VP8X`. */
export function withProfile(webp: Uint8Array, profile: Uint8Array): Uint8Array {
  const bytes = Buffer.from(webp);
  if (bytes.toString('latin1', RIFF_HEAD, 16) !== 'VP8X')
    throw new TypeError('Not an extended webp.');
  const head = Buffer.from(bytes.subarray(0, EXTENDED_END));
  const added = chunk('ICCP', profile);
  head[20] = (head[20] ?? 0) | HAS_PROFILE;
  head.writeUInt32LE(bytes.length - 8 + added.length, 4);
  return Buffer.concat([head, added, bytes.subarray(EXTENDED_END)]);
}

/** Padded to an even length. */
function chunk(type: string, data: Uint8Array): Buffer {
  const created = Buffer.alloc(8 + data.length + (data.length & 1));
  created.write(type, 'latin1');
  created.writeUInt32LE(data.length, 4);
  created.set(data, 8);
  return created;
}

function* pixelChunksOf(webp: Uint8Array): Iterable<Buffer> {
  const bytes = Buffer.from(webp.buffer, webp.byteOffset, webp.byteLength);
  for (let at = RIFF_HEAD; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size & 1);
    if (PIXELS.has(bytes.toString('latin1', at, at + 4))) yield bytes.subarray(at, end);
    at = end;
  }
}
