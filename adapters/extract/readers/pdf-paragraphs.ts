import type { Line } from './pdf-lines.ts';

/** Complete words of the document, to decide whether a hyphen at a line end belongs to the word. */
export interface Words {
  readonly known: ReadonlySet<string>;
  /** Many lines end with a hyphen, so the text is hyphenated. */
  readonly broken: boolean;
}

const MAX_WORDS = 100_000;
const BULLET = /^[•◦▪▫■□●○‣⁃∙·*➢➤✓–—-]\s/u;
const NUMBERED = /^(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?)\s/u;
const SENTENCE_END = /[.!?…:;。！？：；]["'»”’)\]]*[\d⁰¹²³⁴⁵⁶⁷⁸⁹]*$/u;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}　-〿＀-￯]/u;
const HYPHEN = /(\p{L}+)[-\u2010\u00ad]$/u;

export function wordsOf(lines: readonly Line[]): Words {
  const known = new Set<string>();
  let hyphens = 0;
  for (const { text } of lines) {
    if (HYPHEN.test(endOf(text))) hyphens++;
    if (known.size > MAX_WORDS) continue;
    // The first and the last word of a line may be halves.
    const whole = text.split(/\s+/u).slice(1, -1);
    for (const word of whole)
      known.add(word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  }
  return { known, broken: hyphens > lines.length / 25 };
}

/** The text of a page: paragraphs separated by blank lines, with hard line breaks preserved. */
export function paragraphsOf(lines: readonly Line[], words: Words): string {
  const parts: string[] = [];
  for (const block of blocksOf(lines)) {
    const edges = edgesOf(block);
    for (const [i, line] of block.entries()) {
      const before = block[i - 1];
      if (before === undefined) startBlock(parts, line.text, words);
      else if (isHardBreak(before, line, block[i + 1], edges)) parts.push(`\n${line.text}`);
      else glue(parts, line.text, words);
    }
  }
  return parts.join('');
}

/** A block that begins in the middle of a sentence continues a previous column or table cell. */
function startBlock(parts: string[], next: string, words: Words): void {
  const last = parts.at(-1);
  if (last === undefined) parts.push(next);
  else if (continuesFrom(last, next)) glue(parts, next, words);
  else parts.push(`\n\n${next}`);
}

/** Lines of one size at equal distances. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const leading = medianLeading(lines);
  const blocks: Line[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const before = block?.at(-1);
    if (before && belongsTo(before, line, leading)) block!.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function belongsTo(before: Line, line: Line, leading: ReadonlyMap<number, number>): boolean {
  const down = line.y - before.y;
  const size = Math.max(before.size, line.size);
  const usual = leading.get(Math.round(size)) ?? size * 1.2;
  return (
    before.upright &&
    line.upright &&
    Math.abs(before.size - line.size) <= size * 0.1 &&
    down > size * 0.5 &&
    down <= usual * 1.2 + 1 &&
    Math.abs(line.left - before.left) < size * 6
  );
}

/** By size: the most frequent baseline distance on the page. */
function medianLeading(lines: readonly Line[]): ReadonlyMap<number, number> {
  const counts = new Map<number, Map<number, number>>();
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (!before || Math.abs(before.size - line.size) > 0.5) continue;
    const down = Math.round(line.y - before.y);
    if (down <= line.size * 0.8 || down >= line.size * 3) continue;
    const size = Math.round(line.size);
    const ofSize = counts.get(size) ?? new Map<number, number>();
    counts.set(size, ofSize.set(down, (ofSize.get(down) ?? 0) + 1));
  }
  return new Map([...counts].map(([size, ofSize]) => [size, smallestOfMost(ofSize)]));
}

/** Of similarly frequent distances, the smaller one is within paragraphs. */
function smallestOfMost(counts: ReadonlyMap<number, number>): number {
  const most = Math.max(...counts.values());
  return Math.min(...[...counts].filter(([, n]) => n >= most * 0.6).map(([down]) => down));
}

interface Edges {
  readonly column: number;
  readonly margin: number;
}

function edgesOf(block: readonly Line[]): Edges {
  let [column, margin] = [-Infinity, Infinity];
  for (const { left, right } of block) {
    column = Math.max(column, right);
    margin = Math.min(margin, left);
  }
  return { column, margin };
}

/** Whether the author, not the column width, ended a line. */
function isHardBreak(before: Line, line: Line, after: Line | undefined, edges: Edges): boolean {
  if (BULLET.test(line.text)) return true;
  const item = BULLET.test(before.text) || NUMBERED.test(before.text);
  if (NUMBERED.test(line.text) && (item || SENTENCE_END.test(before.text))) return true;
  const indent = line.size * 0.8;
  const indented =
    !item &&
    line.left > edges.margin + indent &&
    before.left < line.left - indent &&
    (after === undefined || after.left < line.left - indent);
  if (indented) return true;
  // The next word would have fitted, so the line break is intentional.
  const width = (line.right - line.left) / Math.max(1, line.text.length);
  const word = WIDE.test(line.text[0] ?? '') ? 1 : /^\S+/u.exec(line.text)![0].length;
  return before.right + (word + 1) * width * 1.1 < edges.column;
}

/** Joins text separated by a line break: `next` continues the last part. */
function glue(parts: string[], next: string, words: Words): void {
  const last = parts.pop() ?? '';
  const end = endOf(last);
  const half = HYPHEN.exec(end)?.[1]?.toLowerCase();
  const rest = /^\p{Ll}+/u.exec(next.slice(0, END))?.[0];
  if (half !== undefined && rest !== undefined) {
    const whole = end.endsWith('\u00ad') || isOneWord(half, rest, words);
    parts.push(whole ? last.slice(0, -1) : last, next);
  } else if (WIDE.test(end.slice(-1)) && WIDE.test(next.slice(0, 1))) parts.push(last, next);
  else parts.push(last, ` ${next}`);
}

/** Whether a hyphen at a line end is due to hyphenation, judged by the words of the document. */
function isOneWord(half: string, rest: string, { known, broken }: Words): boolean {
  if (known.has(half + rest)) return true;
  if (known.has(`${half}-${rest}`)) return false;
  const halves = Number(known.has(half)) + Number(known.has(rest));
  return halves < (broken ? 2 : 1);
}

/** Whether `next` continues the unfinished sentence of `before`. */
export const continuesFrom = (before: string, next: string): boolean =>
  before !== '' &&
  !SENTENCE_END.test(endOf(before)) &&
  /^\p{Ll}/u.test(next) &&
  !NUMBERED.test(next);

const END = 64;
/** The last word of a text and the characters after it; the text may be of any length. */
const endOf = (text: string): string => text.slice(-END);
