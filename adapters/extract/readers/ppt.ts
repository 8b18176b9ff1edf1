import { MAX_PAGES } from '../process/protocol.ts';
import { normalizeText } from './text-normalization.ts';
import { isCompound, openCompound, type Compound } from './compound-file.ts';
import { summaryTitle } from './ole-summary.ts';
import { firstIn, recordAt, recordsIn, TYPE, type PptRecord } from './ppt-records.ts';
import { shapesOf, type PptShape } from './ppt-shapes.ts';
import { pptTextsIn, type PptText } from './ppt-text.ts';
import { PROTECTED, UnreadableFileError, type Page, type ReaderResult } from './reader-result.ts';

const STREAM = 'PowerPoint Document';
const USER = 'Current User';
const OLDER = 'PP40';
const DAMAGED = 'The file is damaged, or does not match its name.';

/**
 * PowerPoint presentations of the old binary format ([MS-PPT]): one page per slide, its title first, then its shapes in
 * drawing order, then the speaker's notes.
 */
export async function readPpt(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  if (!isCompound(bytes)) return readMisnamed(bytes, longest);
  const compound = openCompound(bytes);
  if (compound.has('EncryptedPackage')) throw new UnreadableFileError(PROTECTED, { sound: true });
  if (!compound.has(STREAM)) {
    const sound = compound.has(OLDER);
    const older = 'Text cannot be read from presentations older than PowerPoint 97.';
    throw new UnreadableFileError(sound ? older : DAMAGED, { sound });
  }
  const stream = compound.read(STREAM);
  const objects = objectsIn(stream, compound);
  const { slides, notes } = listsIn(stream, objects);
  if (slides.length > MAX_PAGES) throw new UnreadableFileError('The file has too many slides.');
  const pages: Page[] = [];
  let heading = '';
  let length = 0;
  for (const slide of slides) {
    const { title, text } =
      length > longest ? { title: '', text: '' } : slideOf(stream, objects, slide, notes);
    pages.push({ text: normalizeText(text), continues: false });
    length += text.length;
    heading ||= title;
  }
  return { source: 'extracted', title: summaryTitle(compound) || heading, pages, prose: true };
}

/** Programs give this extension to files of the newer format, and PowerPoint opens them. */
async function readMisnamed(bytes: Uint8Array, longest: number): Promise<ReaderResult> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    return (await import('./pptx.ts')).readPptx(bytes, longest);
  throw new UnreadableFileError(DAMAGED);
}

interface Objects {
  /** Position of each persist object in the stream, by its id. */
  readonly at: ReadonlyMap<number, number>;
  readonly document: number;
}

const ENCRYPTED_TOKEN = 0xf3d1c4df;
/** Length of a UserEditAtom with `encryptSessionPersistIdRef` (2.3.3). */
const ENCRYPTED_EDIT_BYTES = 0x20;

/**
 * Each save appends an edit with a directory of the objects it has written (2.1.2). From the last edit backwards, the
 * first position found of an object is its newest version.
 */
function objectsIn(stream: Buffer, compound: Compound): Objects {
  const user = recordAt(compound.read(USER), 0);
  if (user.type !== TYPE.currentUser) throw new UnreadableFileError(DAMAGED);
  if (user.data.readUInt32LE(4) === ENCRYPTED_TOKEN)
    throw new UnreadableFileError(PROTECTED, { sound: true });
  const at = new Map<number, number>();
  let document: number | undefined;
  let before = stream.length;
  for (let edit = user.data.readUInt32LE(8); edit !== 0;) {
    // Older edits precede newer ones, which also excludes cycles.
    if (edit >= before) throw new UnreadableFileError(DAMAGED);
    before = edit;
    const { data } = typed(recordAt(stream, edit), TYPE.userEdit);
    if (data.length >= ENCRYPTED_EDIT_BYTES && data.readUInt32LE(28) !== 0)
      throw new UnreadableFileError(PROTECTED, { sound: true });
    edit = data.readUInt32LE(8);
    document ??= data.readUInt32LE(16);
    addDirectory(typed(recordAt(stream, data.readUInt32LE(12)), TYPE.persistDirectory).data, at);
  }
  if (document === undefined) throw new UnreadableFileError(DAMAGED);
  return { at, document };
}

/** Runs of consecutive ids with their positions (2.3.5). */
function addDirectory(directory: Buffer, at: Map<number, number>): void {
  for (let entry = 0; entry + 4 <= directory.length;) {
    const head = directory.readUInt32LE(entry);
    const first = head & 0xfffff;
    const count = head >>> 20;
    for (let i = 0; i < count; i++) {
      const position = directory.readUInt32LE(entry + 4 + i * 4);
      if (!at.has(first + i)) at.set(first + i, position);
    }
    entry += 4 + count * 4;
  }
}

function typed(record: PptRecord, type: number): PptRecord {
  if (record.type !== type) throw new UnreadableFileError(DAMAGED);
  return record;
}

interface Slide {
  readonly object: number;
  readonly id: number;
  /** Texts of its placeholders. */
  readonly outline: readonly PptText[];
}

const SLIDES = 0;
const NOTES = 2;

/** The lists of slides, in presentation order, and of notes pages (2.4.14.3, 2.4.14.6). */
function listsIn(
  stream: Buffer,
  { at, document }: Objects,
): { slides: readonly Slide[]; notes: ReadonlyMap<number, number> } {
  const root = typed(recordAt(stream, positionOf(at, document)), TYPE.document);
  let slides: readonly Slide[] = [];
  const notes = new Map<number, number>();
  for (const { type, instance, data } of recordsIn(root.data)) {
    if (type !== TYPE.slideList) continue;
    if (instance === SLIDES) slides = slidesIn(data);
    if (instance === NOTES) for (const { id, object } of slidesIn(data)) notes.set(id, object);
  }
  return { slides, notes };
}

/** Each slide begins with a SlidePersistAtom (2.4.14.5), which the texts of its outline follow. */
function slidesIn(list: Buffer): Slide[] {
  const slides: { object: number; id: number; records: PptRecord[] }[] = [];
  for (const record of recordsIn(list)) {
    const { type, data } = record;
    if (type === TYPE.slidePersist)
      slides.push({ object: data.readUInt32LE(0), id: data.readUInt32LE(12), records: [] });
    else slides.at(-1)?.records.push(record);
  }
  return slides.map(({ object, id, records }) => ({ object, id, outline: pptTextsIn(records) }));
}

function positionOf(at: ReadonlyMap<number, number>, object: number): number {
  const position = at.get(object);
  if (position === undefined) throw new UnreadableFileError(DAMAGED);
  return position;
}

/** `Tx_TYPE_TITLE` and `Tx_TYPE_CENTERTITLE` (2.13.33). */
const TITLES: ReadonlySet<number> = new Set([0, 6]);
/** `Tx_TYPE_NOTES`. */
const NOTES_TEXT = 2;

function slideOf(
  stream: Buffer,
  { at }: Objects,
  { object, outline }: Slide,
  notes: ReadonlyMap<number, number>,
): { title: string; text: string } {
  const { data } = typed(recordAt(stream, positionOf(at, object)), TYPE.slide);
  const texts = textsOf(shapesOf(data), outline);
  const titles = texts.filter(({ kind }) => TITLES.has(kind)).map(({ text }) => text);
  const others = texts.filter(({ kind }) => !TITLES.has(kind)).map(({ text }) => text);
  // SlideAtom (2.5.10): `notesIdRef` is 0 if there are no notes.
  const atom = firstIn(data, TYPE.slideAtom)?.data;
  const noted = atom && notes.get(atom.readUInt32LE(16));
  const spoken = noted === undefined ? [] : notesOf(stream, positionOf(at, noted));
  const text = [...titles, ...others, ...spoken].filter((part) => part !== '').join('\n\n');
  return { title: titles[0] ?? '', text };
}

/** Placeholder texts are in the outline. Those without a shape are shown in the outline only, and follow. */
function textsOf(shapes: readonly PptShape[], outline: readonly PptText[]): PptText[] {
  const left = new Set(outline.keys());
  const texts = shapes.flatMap(({ text }) => {
    if (typeof text !== 'number') return [text];
    const referenced = left.delete(text) ? outline[text] : undefined;
    return referenced ? [referenced] : [];
  });
  return [...texts, ...[...left].map((index) => outline[index]!)];
}

function notesOf(stream: Buffer, position: number): string[] {
  const { data } = typed(recordAt(stream, position), TYPE.notes);
  return shapesOf(data).flatMap(({ text }) =>
    typeof text !== 'number' && text.kind === NOTES_TEXT ? [text.text] : [],
  );
}
