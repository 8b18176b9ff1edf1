import { startsWith } from '../encoding.ts';

export const isCompound = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);

/** The streams of a compound file ([MS-CFB]), by their path: `name`, or `storage/name`. */
export interface Compound {
  has(path: string): boolean;
  read(path: string): Buffer;
  /** Sorted paths of the storages inside a storage; '' is the root. */
  storages(path: string): readonly string[];
}

interface Stream {
  readonly start: number;
  readonly size: number;
}

const FREE = 0xfffffffa;
const HEADER_SECTORS = 109;
const ENTRY_BYTES = 128;
/** Nested mail messages take two storages per level; deeper ones are not listed. */
const MAX_DEPTH = 64;

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

  const { root, all, streams, storages } = directoryIn(joined(file.readUInt32LE(48)));
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
  for (const stream of all) chain(stream.start, stream.size >= cutoff ? table : miniTable);
  return {
    has: (path) => streams.has(path),
    read: (path) => {
      const stream = streams.get(path);
      if (stream === undefined) throw new Error('One of the streams is missing in the file.');
      return contentOf(stream);
    },
    storages: (path) => storages.get(path) ?? [],
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

interface Entry extends Stream {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

interface DirectoryEntries {
  readonly root: Stream;
  readonly all: readonly Stream[];
  readonly streams: ReadonlyMap<string, Stream>;
  readonly storages: ReadonlyMap<string, readonly string[]>;
}

/** Directory entries (2.6). Each may have one parent, so that traversal terminates. */
function directoryIn(directory: Buffer): DirectoryEntries {
  const count = Math.floor(directory.length / ENTRY_BYTES);
  const entries = new Map<number, Entry>();
  const seen = new Set<number>();
  for (let i = 0; i < count; i++) {
    const entry = entryIn(directory.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES));
    if (entry.type !== STORAGE && entry.type !== STREAM && entry.type !== ROOT) continue;
    for (const relative of [entry.left, entry.right, entry.child]) {
      if (relative >= FREE) continue;
      if (seen.has(relative) || relative >= count || relative === 0)
        throw new Error('The directory of the file is not a tree.');
      seen.add(relative);
    }
    entries.set(i, entry);
  }
  const all = [...entries.values()];
  const root = all.find(({ type }) => type === ROOT);
  if (root === undefined) throw new Error('The file has no directory.');
  return { root, all: all.filter(({ type }) => type === STREAM), ...pathsIn(root, entries) };
}

const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;

function entryIn(entry: Buffer): Entry {
  const nameBytes = Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2);
  return {
    name: entry.toString('utf16le', 0, nameBytes),
    type: entry[66]!,
    left: entry.readUInt32LE(68),
    right: entry.readUInt32LE(72),
    child: entry.readUInt32LE(76),
    start: entry.readUInt32LE(116),
    size: entry.readUInt32LE(120),
  };
}

/** The members of a storage are a binary tree, in the order of their names (2.6.4). */
function pathsIn(
  root: Entry,
  entries: ReadonlyMap<number, Entry>,
): Pick<DirectoryEntries, 'streams' | 'storages'> {
  const streams = new Map<string, Stream>();
  const storages = new Map<string, string[]>();
  const open = [{ id: root.child, folder: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, folder, depth } = next;
    const entry = entries.get(id);
    if (entry === undefined || depth > MAX_DEPTH) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    open.push({ id: entry.left, folder, depth }, { id: entry.right, folder, depth });
    if (entry.type === STREAM) streams.set(path, entry);
    else {
      const siblings = storages.get(folder) ?? [];
      siblings.push(path);
      storages.set(folder, siblings);
      open.push({ id: entry.child, folder: path, depth: depth + 1 });
    }
  }
  for (const paths of storages.values()) paths.sort();
  return { streams, storages };
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
