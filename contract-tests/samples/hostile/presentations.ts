import { compoundOf } from './compound.ts';
import type { HostileFile } from './file.ts';

/** A record of [MS-PPT], or a container of records. */
export function record(
  type: number,
  content: Uint8Array,
  instance = 0,
  length = content.length,
): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (isContainer(type) ? 0xf : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, content]);
}
const CONTAINERS = new Set([
  0x03e8, 0x03ee, 0x03f0, 0x040c, 0x0ff0, 0xf002, 0xf003, 0xf004, 0xf00d, 0xf011,
]);
const isContainer = (type: number): boolean => CONTAINERS.has(type);
const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, i * 4);
  return bytes;
};
const all = (...parts: Uint8Array[]): Buffer => Buffer.concat(parts);

/** A text of some kind, with the marks that a program replaces (type, position). */
export const text = (
  kind: number,
  content: string,
  marks: readonly (readonly [number, number])[] = [],
): Buffer =>
  all(
    record(0x0f9f, numbers(kind)),
    record(0x0fa0, Buffer.from(content, 'utf16le')),
    ...marks.map(([type, at]) => record(type, numbers(at))),
  );
export const shape = (content: Uint8Array, placeholder = 0): Buffer =>
  record(
    0xf004,
    all(
      record(0xf011, placeholder === 0 ? Buffer.alloc(0) : record(0x0bc3, numbers(0, placeholder))),
      record(0xf00d, content),
    ),
  );
export const outlineText = (index: number): Buffer => record(0x0f9e, numbers(index));
const drawing = (shapes: Uint8Array): Buffer =>
  record(0x040c, record(0xf002, record(0xf003, shapes)));
export const slide = (shapes: Uint8Array, notes = 0): Buffer =>
  record(0x03ee, all(record(0x03ef, numbers(0, 0, 0, 0, notes, 0)), drawing(shapes)));
export const notesPage = (shapes: Uint8Array): Buffer => record(0x03f0, drawing(shapes));

export interface Deck {
  readonly slides: readonly { readonly object: Uint8Array; readonly outline?: Uint8Array }[];
  /** The notes page of the first slide, which refers to it by 1. */
  readonly notes?: Uint8Array;
  /** How often the list names each slide. */
  readonly times?: number;
  /** Position of the edit before, instead of none. */
  readonly lastEdit?: number;
  readonly token?: number;
}

/** A presentation of one edit (2.1.2). */
export function deckOf({
  slides,
  notes,
  times = 1,
  lastEdit = 0,
  token = 0xe391c05f,
}: Deck): Buffer {
  const persist = (object: number, id: number): Buffer =>
    record(0x03f3, numbers(object, 0, 0, id, 0));
  const list = slides.flatMap(({ outline }, i) =>
    Array<Buffer>(times).fill(all(persist(i + 2, 256 + i), outline ?? Buffer.alloc(0))),
  );
  const document = record(
    0x03e8,
    all(
      record(0x0ff0, Buffer.concat(list), 0),
      ...(notes ? [record(0x0ff0, persist(slides.length + 2, 1), 2)] : []),
    ),
  );
  const objects = [document, ...slides.map(({ object }) => object), ...(notes ? [notes] : [])];
  const positions: number[] = [];
  let at = 0;
  for (const object of objects) {
    positions.push(at);
    at += object.length;
  }
  const directory = record(0x1772, numbers((objects.length << 20) | 1, ...positions));
  const edit = record(0x0ff5, numbers(0, 0, lastEdit, at, 1, 0, 0));
  const user = record(0x0ff6, numbers(0x14, token, at + directory.length, 0, 0));
  return compoundOf({
    'PowerPoint Document': all(...objects.map((object) => Buffer.from(object)), directory, edit),
    'Current User': user,
  });
}

const deck = (object: Uint8Array): Buffer => deckOf({ slides: [{ object }] });

/** The groups of an array are inside each other. */
function nested(depth: number): Buffer {
  const heads = Array.from({ length: depth }, (_, i) =>
    record(0xf003, Buffer.alloc(0), 0, (depth - 1 - i) * 8),
  );
  return all(...heads);
}

export const HOSTILE_PRESENTATIONS: readonly HostileFile[] = [
  {
    what: 'a presentation whose shapes are nested 100 000 deep',
    filename: 'shaft.ppt',
    outcomes: ['failed'],
    make: () => deck(slide(nested(100_000))),
  },
  {
    what: 'a presentation with a text that claims 4 GB',
    filename: 'liar.ppt',
    outcomes: ['failed'],
    make: () =>
      deck(
        slide(
          shape(all(record(0x0f9f, numbers(4)), record(0x0fa0, Buffer.from('ab'), 0, 0xffff_fff0))),
        ),
      ),
  },
  {
    what: 'a presentation whose edit before the last one follows it',
    filename: 'loop.ppt',
    outcomes: ['failed'],
    // No edit is at this position: the edit before has to precede it.
    make: () => deckOf({ slides: [], lastEdit: 0x7fff_ffff }),
  },
  {
    what: 'a presentation of 200 000 slides',
    filename: 'crowd.ppt',
    outcomes: ['failed'],
    make: () => deckOf({ slides: [{ object: slide(Buffer.alloc(0)) }], times: 200_000 }),
  },
  {
    what: 'a presentation protected by a password',
    filename: 'locked.ppt',
    outcomes: ['none'],
    make: () => deckOf({ slides: [], token: 0xf3d1c4df }),
  },
  {
    what: 'a presentation without its list of objects',
    filename: 'bare.ppt',
    outcomes: ['failed'],
    make: () =>
      compoundOf({ 'PowerPoint Document': Buffer.alloc(5000), 'Current User': Buffer.alloc(8) }),
  },
];
