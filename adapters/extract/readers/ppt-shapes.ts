import { UnreadableFileError } from './reader-result.ts';
import { firstIn, recordsIn, TYPE } from './ppt-records.ts';
import { pptTextsIn, type PptText } from './ppt-text.ts';

/** A shape of a slide with text. */
export interface PptShape {
  /** [MS-PPT] 2.13.21, or 0 for none. */
  readonly placeholder: number;
  /** The text, or its index in the outline of the slide (2.9.78). */
  readonly text: PptText | number;
}

const DEEPEST = 100;
/** Placeholders for date, slide number, footer and header, which are the same on every slide (2.13.21). */
const MARGINS: ReadonlySet<number> = new Set([0x07, 0x08, 0x09, 0x0a]);
const OTHER_TEXT = 4;

/** Shapes in drawing order, which is nearly always the reading order. A table is one shape with a line for each row. */
export function shapesOf(page: Buffer): PptShape[] {
  const drawing = firstIn(page, TYPE.drawing);
  const container = drawing && firstIn(drawing.data, TYPE.drawingContainer);
  const shapes: PptShape[] = [];
  if (container) collect(container.data, shapes, 0);
  return shapes;
}

function collect(group: Buffer, shapes: PptShape[], depth: number): void {
  if (depth > DEEPEST)
    throw new UnreadableFileError('The shapes of the file are nested too deeply.');
  for (const { type, data } of recordsIn(group)) {
    if (type === TYPE.shape) {
      const shape = shapeOf(data);
      if (shape && !MARGINS.has(shape.placeholder)) shapes.push(shape);
    } else if (type === TYPE.shapeGroup)
      if (isTable(data)) shapes.push({ placeholder: 0, text: tableOf(data) });
      else collect(data, shapes, depth + 1);
  }
}

function shapeOf(shape: Buffer): PptShape | undefined {
  let placeholder = 0;
  let text: PptText | number | undefined;
  for (const { type, data } of recordsIn(shape)) {
    if (type === TYPE.clientData) {
      const atom = firstIn(data, TYPE.placeholder);
      if (atom && atom.data.length > 4) placeholder = atom.data[4]!;
    } else if (type === TYPE.clientTextbox) {
      const reference = firstIn(data, TYPE.outlineTextRef);
      text = reference ? reference.data.readUInt32LE(0) : pptTextsIn(recordsIn(data))[0];
    }
  }
  return text === undefined ? undefined : { placeholder, text };
}

/** Property `tableProperties` of the group shape, with `fIsTable` ([MS-ODRAW] 2.3.4.36). */
const TABLE_PROPERTIES = 0x039f;
const PROPERTY_BYTES = 6;

function isTable(group: Buffer): boolean {
  const main = firstIn(group, TYPE.shape);
  const options = main && firstIn(main.data, TYPE.tertiaryOptions);
  if (!options) return false;
  const { instance: count, data } = options;
  for (let at = 0; at < count * PROPERTY_BYTES && at + PROPERTY_BYTES <= data.length;) {
    if ((data.readUInt16LE(at) & 0x3fff) === TABLE_PROPERTIES)
      return (data.readUInt32LE(at + 2) & 1) !== 0;
    at += PROPERTY_BYTES;
  }
  return false;
}

interface Cell {
  readonly left: number;
  readonly top: number;
  readonly text: string;
}

/** Cells are shapes whose anchors form a grid. */
function tableOf(group: Buffer): PptText {
  const cells: Cell[] = [];
  for (const { type, data } of recordsIn(group)) {
    if (type !== TYPE.shape) continue;
    const anchor = firstIn(data, TYPE.childAnchor)?.data;
    const shape = shapeOf(data);
    if (!anchor || shape === undefined || typeof shape.text === 'number') continue;
    const text = shape.text.text.replace(/\s+/gu, ' ').trim();
    cells.push({ left: anchor.readInt32LE(0), top: anchor.readInt32LE(4), text });
  }
  cells.sort((a, b) => a.top - b.top || a.left - b.left);
  let text = '';
  for (const [i, cell] of cells.entries()) {
    const before = cells[i - 1];
    if (before) text += before.top === cell.top ? '\t' : '\n';
    text += cell.text;
  }
  return { kind: OTHER_TEXT, text: text.replace(/\t+$/gm, '') };
}
