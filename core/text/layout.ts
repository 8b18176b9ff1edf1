import type { TextRange } from './code-points.ts';
import {
  isContentsEntry,
  isFence,
  isLabel,
  isMarkedHeading,
  isQuestion,
  isTableRow,
  looksLikeHeading,
} from './lines.ts';
import { sentencesOf } from './sentences.ts';

/** The function of a part of a text. An opening is a first line that may be the title of what follows. */
export type Role =
  'prose' | 'opening' | 'row' | 'question' | 'heading' | 'label' | 'contents' | 'code';

/** A sentence, or a separate line. */
export interface Piece extends TextRange {
  readonly role: Role;
  /** Parts of one paragraph, list or table have the same number. */
  readonly block: number;
  /** The headings and labels above it, by their index. */
  readonly under: readonly number[];
}

/** Level of headings without markup; headings with markup rank higher. */
const UNMARKED = 7;
const LABEL = 8;
/** The first line may be the title of the whole text without being set apart. */
const OPENING = 0;

/** The parts of a text in order, with their functions and headings. */
export function layoutOf(text: string): readonly Piece[] {
  const sentences = sentencesOf(text);
  const lines = sentences.map(({ start, end }) => text.slice(start, end));
  const apart = sentences.map(({ start }, i) =>
    isBlank(text.slice(sentences[i - 1]?.end ?? start, start)),
  );
  // Several such lines in a row are not headings of each other: they may be a list.
  const looks = lines.map(looksLikeHeading);
  const pieces: Piece[] = [];
  let open: { readonly level: number; readonly index: number }[] = [];
  let [block, fenced] = [0, false];
  sentences.forEach((sentence, i) => {
    const line = lines[i] ?? '';
    if (apart[i]) {
      block += 1;
      open = open.filter(({ level }) => level < LABEL);
    }
    const fence = isFence(line);
    const alone = startsLine(text, sentence.start);
    const role =
      fenced || fence
        ? 'code'
        : alone && looks[i] && apart[i + 1] === true && !looks[i + 1]
          ? 'heading'
          : isHead(lines, apart, i)
            ? 'label'
            : i === 0 && lines.length > 1 && looks[i]
              ? 'opening'
              : roleOf(line, alone);
    if (fence) fenced = !fenced;
    const level = levelOf(role, line);
    open = open.filter((heading) => heading.level < level);
    pieces.push({ ...sentence, role, block, under: open.map(({ index }) => index) });
    if (level < Infinity) open.push({ level, index: i });
  });
  return pieces;
}

/** The first row of a table is its header if it contains no figure. */
const isHead = (lines: readonly string[], apart: readonly boolean[], i: number): boolean => {
  const [line = '', next = ''] = lines.slice(i, i + 2);
  const first = i === 0 || apart[i] === true || !isTableRow(lines[i - 1] ?? '');
  return first && isTableRow(line) && isTableRow(next) && !apart[i + 1] && !/\p{Nd}/u.test(line);
};

function roleOf(line: string, alone: boolean): Role {
  if (alone && isMarkedHeading(line)) return 'heading';
  if (isContentsEntry(line)) return 'contents';
  if (isTableRow(line)) return isRule(line) ? 'contents' : 'row';
  if (alone && isLabel(line)) return 'label';
  return isQuestion(line) ? 'question' : 'prose';
}

/** Which headings a heading closes, and how long it applies: other parts close nothing. */
function levelOf(role: Role, line: string): number {
  if (role === 'opening') return OPENING;
  if (role === 'label') return LABEL;
  if (role !== 'heading') return Infinity;
  return /^\s*(#+)\s/.exec(line.slice(0, 20))?.[1]?.length ?? UNMARKED;
}

/** The separator line below the header of a Markdown table. */
const isRule = (line: string): boolean => /^[\s|:+-]+$/.test(line.slice(0, 400));
const isBlank = (between: string): boolean => /\n[^\S\n]*\n/.test(between);
const startsLine = (text: string, at: number): boolean =>
  /(?:^|\n)[^\S\n]*$/.test(text.slice(Math.max(0, at - 40), at));
