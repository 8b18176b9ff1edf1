const HAS_PROFILE = 0x20;
const EXTENDED_END = 30;

/** An extended webp with this colour profile (RFC 9649 §2.7.1.4: the chunk behind `VP8X`). */
export function withProfile(webp: Uint8Array, profile: Uint8Array): Uint8Array {
  const bytes = Buffer.from(webp);
  if (bytes.toString('latin1', 12, 16) !== 'VP8X') throw new TypeError('Not an extended webp.');
  const head = Buffer.from(bytes.subarray(0, EXTENDED_END));
  const chunk = Buffer.alloc(8 + profile.length + (profile.length & 1));
  chunk.write('ICCP', 'latin1');
  chunk.writeUInt32LE(profile.length, 4);
  chunk.set(profile, 8);
  head[20] = (head[20] ?? 0) | HAS_PROFILE;
  head.writeUInt32LE(bytes.length - 8 + chunk.length, 4);
  return Buffer.concat([head, chunk, bytes.subarray(EXTENDED_END)]);
}
