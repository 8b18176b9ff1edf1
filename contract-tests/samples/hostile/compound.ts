const SECTOR = 512;
const MINI = 64;
const CUTOFF = 4096;
const END = 0xfffffffe;
const FREE = 0xffffffff;

/** Streams and storages by name. */
export interface CompoundTree {
  readonly [name: string]: Uint8Array | CompoundTree;
}

interface Node {
  readonly name: string;
  readonly type: number;
  readonly content: Buffer;
  start: number;
  right: number;
  child: number;
}

const sectors = (bytes: number, size: number): number => Math.ceil(bytes / size);
const padded = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(sectors(bytes.length, size) * size - bytes.length)]);

/** A compound file ([MS-CFB]), version 3. */
export function compoundOf(tree: CompoundTree): Buffer {
  const nodes: Node[] = [node('Root Entry', 5, Buffer.alloc(0))];
  nodes[0]!.child = addAll(tree, nodes);
  const minis: Buffer[] = [];
  const miniTable: number[] = [];
  for (const it of nodes)
    if (it.type === 2 && it.content.length > 0 && it.content.length < CUTOFF) {
      it.start = addChain(miniTable, sectors(it.content.length, MINI));
      minis.push(padded(it.content, MINI));
    }
  const miniStream = Buffer.concat(minis);
  const table: number[] = [];
  const body: Buffer[] = [];
  const store = (bytes: Buffer): number => {
    if (bytes.length === 0) return END;
    body.push(padded(bytes, SECTOR));
    return addChain(table, sectors(bytes.length, SECTOR));
  };
  for (const it of nodes) if (it.content.length >= CUTOFF) it.start = store(it.content);
  nodes[0]!.start = store(miniStream);
  const miniTableStart = store(numbers(miniTable));
  const directoryStart = store(
    Buffer.concat(
      nodes.map((it) => entryOf(it, it.type === 5 ? miniStream.length : it.content.length)),
    ),
  );
  // The table describes its own sectors as well.
  let own = 0;
  while (sectors((table.length + own) * 4, SECTOR) > own) own++;
  if (own > 109) throw new Error('Larger files need further tables.');
  const first = table.length;
  for (let i = 0; i < own; i++) table.push(0xfffffffd);
  while (table.length % (SECTOR / 4) !== 0) table.push(FREE);

  const header = Buffer.alloc(SECTOR);
  header.write('d0cf11e0a1b11ae1', 'hex');
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at);
  const counts = [
    own,
    directoryStart,
    0,
    CUTOFF,
    miniTableStart,
    sectors(miniTable.length * 4, SECTOR),
    END,
    0,
  ];
  for (const [i, value] of counts.entries()) header.writeUInt32LE(value, 44 + i * 4);
  for (let i = 0; i < 109; i++) header.writeUInt32LE(i < own ? first + i : FREE, 76 + i * 4);
  return Buffer.concat([header, ...body, numbers(table)]);
}

const node = (name: string, type: number, content: Buffer): Node => ({
  name,
  type,
  content,
  start: type === 2 ? END : 0,
  right: FREE,
  child: FREE,
});

/** The members of a storage, each the right sibling of the one before; returns the first. */
function addAll(tree: CompoundTree, nodes: Node[]): number {
  let first = FREE;
  let before: Node | undefined;
  const order = (a: string, b: string): number =>
    a.length - b.length || (a.toUpperCase() < b.toUpperCase() ? -1 : 1);
  for (const name of Object.keys(tree).sort(order)) {
    const content = tree[name]!;
    const isStream = content instanceof Uint8Array;
    const added = node(name, isStream ? 2 : 1, isStream ? Buffer.from(content) : Buffer.alloc(0));
    const id = nodes.push(added) - 1;
    if (before) before.right = id;
    else first = id;
    before = added;
    if (!isStream) added.child = addAll(content, nodes);
  }
  return first;
}

function entryOf({ name, type, start, right, child }: Node, size: number): Buffer {
  const entry = Buffer.alloc(128);
  entry.write(name, 'utf16le');
  entry.writeUInt16LE(name.length * 2 + 2, 64);
  entry[66] = type;
  entry[67] = 1;
  for (const [at, value] of [
    [68, FREE],
    [72, right],
    [76, child],
    [116, start],
    [120, size],
  ] as const)
    entry.writeUInt32LE(value, at);
  return entry;
}

function addChain(table: number[], count: number): number {
  const start = table.length;
  for (let i = 1; i <= count; i++) table.push(i === count ? END : start + i);
  return start;
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4);
  return padded(bytes, SECTOR);
}
