import { startsWith } from '../encoding.ts';

export const isCompound = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);

/** The top-level streams of a compound file ([MS-CFB]). */
export interface Compound {
  has(name: string): boolean;
  read(name: string): Buffer;
}

interface Stream {
  readonly start: number;
  readonly size: number;
}

const FREE = 0xfffffffa;
const HEADER_SECTORS = 109;
const ENTRY_BYTES = 128;

/**
 * Throws on structures that would make a reader loop: cyclic sector chains, and a directory that is not a tree.
 * Libraries get compound files only after this check.
 */
export function openCompound(bytes: Uint8Array): Compound {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorBytes = 1 << within(file.readUInt16LE(30), 9, 12);
  const miniBytes = 1 << within(file.readUInt16LE(32), 6, 9);
  const sectors = Math.ceil(file.length / sectorBytes);
  const sector = (id: number): Buffer => {
    if (id >= sectors) throw new Error('A sector is outside of the file.');
    return file.subarray((id + 1) * sectorBytes, (id + 2) * sectorBytes);
  };
  const table = numbersIn(Buffer.concat(tableSectors(file, sectors, sector).map(sector)));
  const chain = (start: number, next: readonly number[] = table): number[] => {
    const ids: number[] = [];
    for (let id = start; id < FREE; id = next[id] ?? FREE) {
      if (ids.length > next.length) throw new Error('A chain of sectors is cyclic.');
      ids.push(id);
    }
    return ids;
  };
  const joined = (start: number): Buffer => Buffer.concat(chain(start).map(sector));

  const { root, streams } = directoryIn(joined(file.readUInt32LE(48)));
  const miniTable = numbersIn(joined(file.readUInt32LE(60)));
  const miniStream = joined(root.start);
  const cutoff = file.readUInt32LE(56);
  const contentOf = ({ start, size }: Stream): Buffer => {
    if (size >= cutoff) return joined(start).subarray(0, size);
    const pieces = chain(start, miniTable).map((id) =>
      miniStream.subarray(id * miniBytes, (id + 1) * miniBytes),
    );
    return Buffer.concat(pieces).subarray(0, size);
  };
  for (const stream of streams.values())
    chain(stream.start, stream.size >= cutoff ? table : miniTable);
  return {
    has: (name) => streams.has(name),
    read: (name) => {
      const stream = streams.get(name);
      if (stream === undefined) throw new Error('One of the streams is missing in the file.');
      return contentOf(stream);
    },
  };
}

/** Sectors that hold the allocation table: 109 in the header, further ones in a chain of lists (2.5). */
function tableSectors(file: Buffer, sectors: number, sector: (id: number) => Buffer): number[] {
  const ids = numbersIn(file.subarray(76, 76 + HEADER_SECTORS * 4));
  let next = file.readUInt32LE(68);
  for (let lists = 0; next < FREE; lists++) {
    if (lists > sectors) throw new Error('The lists of sectors are cyclic.');
    const list = numbersIn(sector(next));
    next = list.pop() ?? FREE;
    ids.push(...list);
  }
  return ids.filter((id) => id < FREE);
}

/** Directory entries (2.6). Each may have one parent, so that traversal terminates. */
function directoryIn(directory: Buffer): { root: Stream; streams: Map<string, Stream> } {
  const count = Math.floor(directory.length / ENTRY_BYTES);
  const streams = new Map<string, Stream>();
  const seen = new Set<number>();
  let root: Stream | undefined;
  for (let i = 0; i < count; i++) {
    const entry = directory.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES);
    const type = entry[66];
    if (type !== 1 && type !== 2 && type !== 5) continue;
    for (const at of [68, 72, 76]) {
      const relative = entry.readUInt32LE(at);
      if (relative >= FREE) continue;
      if (seen.has(relative) || relative >= count || relative === 0)
        throw new Error('The directory of the file is not a tree.');
      seen.add(relative);
    }
    const nameBytes = Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2);
    const stream = { start: entry.readUInt32LE(116), size: entry.readUInt32LE(120) };
    if (type === 5) root ??= stream;
    if (type === 2) streams.set(entry.toString('utf16le', 0, nameBytes), stream);
  }
  if (root === undefined) throw new Error('The file has no directory.');
  return { root, streams };
}

function numbersIn(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at));
  return numbers;
}

function within(value: number, least: number, most: number): number {
  if (value < least || value > most) throw new Error('Not a compound file.');
  return value;
}
