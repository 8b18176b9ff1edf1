import { TYPE, type PptRecord } from './ppt-records.ts';

export interface PptText {
  /** [MS-PPT] 2.13.33. */
  readonly kind: number;
  readonly text: string;
}

const FIRST_MARK = TYPE.dateTimeMark;
/** Date, header and footer, which follow each other in the enumeration of record types. */
const LAST_MARK = 0x0ffa;

/** A character that the program replaces by a slide number, a date, a header or a footer (2.9.51 to 2.9.56). */
const isMark = (type: number): boolean =>
  type === TYPE.slideNumberMark ||
  type === TYPE.rtfDateTimeMark ||
  (type >= FIRST_MARK && type <= LAST_MARK);

/** Each text begins with a header that says its kind; characters and marks follow (2.9.76, 2.4.14.3). */
export function pptTextsIn(records: Iterable<PptRecord>): PptText[] {
  const found: { kind: number; text: string; marks: Set<number> }[] = [];
  for (const { type, data } of records) {
    const last = found.at(-1);
    if (type === TYPE.textHeader)
      found.push({ kind: data.readUInt32LE(0), text: '', marks: new Set() });
    else if (last === undefined) continue;
    else if (type === TYPE.textChars) last.text = data.toString('utf16le');
    // The low bytes of UTF-16 code units.
    else if (type === TYPE.textBytes) last.text = data.toString('latin1');
    else if (isMark(type)) last.marks.add(data.readUInt32LE(0));
  }
  return found.map(({ kind, text, marks }) => ({ kind, text: linesOf(text, marks) }));
}

/** Paragraphs end with a carriage return, lines inside them with a vertical tab. Both are lines, as in pptx. */
function linesOf(text: string, marks: ReadonlySet<number>): string {
  const shown =
    marks.size === 0
      ? text
      : [...text.split('').keys()]
          .filter((i) => !marks.has(i))
          .map((i) => text[i])
          .join('');
  return shown
    .split(/[\r\v\n]/)
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
