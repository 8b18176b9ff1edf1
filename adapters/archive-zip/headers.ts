/** Records of the ZIP format (PKWARE APPNOTE 6.3.10; the numbers in brackets are its sections). */

export const STORED = 0;
export const DEFLATED = 8;
const MAX_UINT32 = 0xffff_ffff;
const MAX_UINT16 = 0xffff;
/** Sizes follow the data, and the name is UTF-8 [4.4.4]. */
const FLAGS = 0x0808;
/** Version 4.5 for ZIP64; made by UNIX, so that the mode below is used [4.4.2]. */
const MADE_BY = (3 << 8) | 45;
const REGULAR_FILE = (0o100644 << 16) >>> 0;

export interface Packed {
  readonly name: Buffer;
  readonly method: typeof STORED | typeof DEFLATED;
  readonly modifiedAt: number;
  /** Whether the data descriptor has 64-bit sizes. */
  readonly large: boolean;
  /** Offset of the local header. */
  readonly offset: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
}

type Announced = Pick<Packed, 'name' | 'method' | 'modifiedAt' | 'large'>;

/** Local file header [4.3.7]. Its ZIP64 field announces a 64-bit data descriptor. */
export function localHeader({ name, method, modifiedAt, large }: Announced): Buffer {
  const extra = large ? field(0x0001, [0, 0]) : Buffer.alloc(0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(large ? 45 : 20, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(dosTime(modifiedAt), 10);
  if (large) head.fill(0xff, 18, 26);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

/** Data descriptor [4.3.9]. */
export function descriptor({ large, crc, size, packedSize }: Omit<Packed, 'offset'>): Buffer {
  const record = Buffer.alloc(large ? 24 : 16);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  if (large) {
    record.writeBigUInt64LE(BigInt(packedSize), 8);
    record.writeBigUInt64LE(BigInt(size), 16);
  } else {
    record.writeUInt32LE(packedSize, 8);
    record.writeUInt32LE(size, 12);
  }
  return record;
}

/** Entry of the central directory [4.3.12], with larger numbers in the ZIP64 field [4.5.3]. */
export function directoryEntry(packed: Packed): Buffer {
  const { name, method, modifiedAt, large, offset, crc, size, packedSize } = packed;
  const over = [size, packedSize, offset].filter((number) => number >= MAX_UINT32);
  const extra = over.length > 0 ? field(0x0001, over) : Buffer.alloc(0);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_BY, 4);
  head.writeUInt16LE(large || over.length > 0 ? 45 : 20, 6);
  head.writeUInt16LE(FLAGS, 8);
  head.writeUInt16LE(method, 10);
  head.writeUInt32LE(dosTime(modifiedAt), 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(Math.min(packedSize, MAX_UINT32), 20);
  head.writeUInt32LE(Math.min(size, MAX_UINT32), 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(REGULAR_FILE, 38);
  head.writeUInt32LE(Math.min(offset, MAX_UINT32), 42);
  return Buffer.concat([head, name, extra]);
}

/** End of the file [4.3.14 to 4.3.16]: the 64-bit records only if a number needs them. */
export function directoryEnd(entries: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, MAX_UINT16), 8);
  end.writeUInt16LE(Math.min(entries, MAX_UINT16), 10);
  end.writeUInt32LE(Math.min(size, MAX_UINT32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_UINT32), 16);
  if (entries < MAX_UINT16 && size < MAX_UINT32 && offset < MAX_UINT32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(entries), 24);
  large.writeBigUInt64LE(BigInt(entries), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

function field(id: number, numbers: readonly number[]): Buffer {
  const record = Buffer.alloc(4 + 8 * numbers.length);
  record.writeUInt16LE(id, 0);
  record.writeUInt16LE(8 * numbers.length, 2);
  numbers.forEach((number, i) => record.writeBigUInt64LE(BigInt(number), 4 + 8 * i));
  return record;
}

/** MS-DOS time in the low, date in the high half [4.4.6], in UTC; years out of range are clamped. */
function dosTime(instant: number): number {
  const at = new Date(instant);
  const year = at.getUTCFullYear();
  if (!(year >= 1980)) return (1 << 21) | (1 << 16);
  if (year > 2107)
    return ((127 << 25) | (12 << 21) | (31 << 16) | (23 << 11) | (59 << 5) | 29) >>> 0;
  const date = ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}
