const FIRST_CHUNK = 8;
/**
 * Chunks that define how the colours of a PNG are displayed (ISO 15948 §11.3.2, PNG third edition). The profile is
 * included, because the library drops profiles it considers invalid.
 */
const COLOUR: ReadonlySet<string> = new Set('iCCP gAMA cHRM sRGB cICP mDCV cLLI'.split(' '));

/** The PNG with the colour chunks of another one, byte for byte, replacing its own. */
export function withColourOf(source: Uint8Array, png: Uint8Array): Uint8Array {
  const chunks = [...chunksOf(source)];
  // After the pixels, colour chunks are ignored.
  const pixels = chunks.findIndex(({ type }) => type === 'IDAT');
  const colour = chunks.slice(0, Math.max(0, pixels)).filter(({ type }) => COLOUR.has(type));
  const [header, ...rest] = [...chunksOf(png)].filter(({ type }) => !COLOUR.has(type));
  if (colour.length === 0 || !header) return png;
  return Buffer.concat(
    [png.subarray(0, FIRST_CHUNK), header.bytes, ...colour.map(({ bytes }) => bytes)].concat(
      rest.map(({ bytes }) => bytes),
    ),
  );
}

interface Chunk {
  readonly type: string;
  /** Length, type, data and checksum. */
  readonly bytes: Uint8Array;
}

function* chunksOf(png: Uint8Array): Iterable<Chunk> {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  for (let at = FIRST_CHUNK; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), bytes: bytes.subarray(at, end) };
    at = end;
  }
}
