import type { TextRange } from './range.ts';

/** A block of a note, with the ranges of its source that are shown. */
export type NoteBlock =
  | { readonly type: 'heading'; readonly level: number; readonly lines: readonly TextRange[] }
  | { readonly type: 'paragraph' | 'quote' | 'code'; readonly lines: readonly TextRange[] }
  | { readonly type: 'rule'; readonly lines: readonly TextRange[] }
  | { readonly type: 'list'; readonly ordered: boolean; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly TextRange[])[] };

export interface ListItem {
  readonly depth: number;
  /** Of a task. */
  readonly isDone: boolean | undefined;
  readonly lines: readonly TextRange[];
}

const HEADING = /^ {0,3}(#{1,6})\s+/;
const FENCE = /^ {0,3}(```|~~~)/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\[[ xX]\]\s+)?/;
const QUOTE = /^ {0,3}>\s?/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Reads a subset of Markdown line by line. What it does not know stays as it is written. */
export function noteBlocks(text: string): readonly NoteBlock[] {
  const lines = linesOf(text);
  const words = (line: TextRange | undefined) => (line ? text.slice(line.start, line.end) : '');
  const blocks: NoteBlock[] = [];
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): TextRange[] => {
    const from = at;
    while (at < lines.length && fits(words(lines[at]))) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const range = lines[at];
    if (!range) break;
    const line = words(range);
    const heading = HEADING.exec(line);
    if (line.trim() === '') at++;
    else if (heading) {
      at++;
      const shown = { start: range.start + heading[0].length, end: range.end };
      blocks.push({ type: 'heading', level: heading[1]?.length ?? 1, lines: [shown] });
    } else if (FENCE.test(line)) {
      at++;
      blocks.push({ type: 'code', lines: takeWhile((each) => !FENCE.test(each)) });
      at++;
    } else if (RULE.test(line)) {
      at++;
      blocks.push({ type: 'rule', lines: [] });
    } else if (QUOTE.test(line)) {
      const quoted = takeWhile((each) => QUOTE.test(each));
      blocks.push({ type: 'quote', lines: quoted.map((each) => without(each, QUOTE, words)) });
    } else if (ITEM.test(line)) {
      const taken = takeWhile((each) => ITEM.test(each) || /^\s{2,}\S/.test(each));
      blocks.push(listOf(taken, words));
    } else if (line.includes('|') && TABLE_LINE.test(words(lines[at + 1]))) {
      const taken = takeWhile((each) => each.includes('|'));
      const rows = taken.filter((each) => !TABLE_LINE.test(words(each)));
      blocks.push({ type: 'table', rows: rows.map((each) => cellsOf(each, words(each))) });
    } else {
      at++;
      const more = takeWhile((each) => each.trim() !== '' && !startsBlock(each));
      blocks.push({ type: 'paragraph', lines: [range, ...more] });
    }
  }
  return blocks;
}

const startsBlock = (line: string): boolean =>
  [HEADING, FENCE, RULE, QUOTE, ITEM].some((start) => start.test(line));

function linesOf(text: string): readonly TextRange[] {
  const lines: TextRange[] = [];
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    lines.push({ start, end: text[end - 1] === '\r' && end > start ? end - 1 : end });
    start = end + 1;
  }
  return lines;
}

type Words = (line: TextRange) => string;

function without(line: TextRange, start: RegExp, words: Words): TextRange {
  const length = start.exec(words(line))?.[0].length ?? 0;
  return { start: line.start + length, end: line.end };
}

function listOf(lines: readonly TextRange[], words: Words): NoteBlock {
  const items: { depth: number; isDone: boolean | undefined; lines: TextRange[] }[] = [];
  let ordered = false;
  for (const line of lines) {
    const found = ITEM.exec(words(line));
    if (!found) {
      items.at(-1)?.lines.push(without(line, /^\s+/, words));
      continue;
    }
    const [all, indent = '', sign = '', task] = found;
    if (items.length === 0) ordered = /\d/.test(sign);
    const depth = Math.min(5, Math.floor(indent.replaceAll('\t', '    ').length / 2));
    const isDone = task === undefined ? undefined : /x/i.test(task);
    items.push({ depth, isDone, lines: [{ start: line.start + all.length, end: line.end }] });
  }
  return { type: 'list', ordered, items };
}

function cellsOf({ start }: TextRange, line: string): readonly TextRange[] {
  const cells: TextRange[] = [];
  for (const { index, 0: cell } of line.matchAll(/(?:\\\||[^|])+/g)) {
    const trimmed = cell.trim();
    if (trimmed === '' && (index === 0 || index + cell.length === line.length)) continue;
    const from = start + index + (cell.length - cell.trimStart().length);
    cells.push({ start: from, end: from + trimmed.length });
  }
  return cells;
}
