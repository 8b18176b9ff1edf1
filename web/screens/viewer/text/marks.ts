import type { TextRange } from './range.ts';

export type MarkKind = 'passage' | 'also' | 'found' | 'current' | 'cited';

/** What is marked in a text. */
export interface Mark extends TextRange {
  readonly kind: MarkKind;
  /** The number of the citation. */
  readonly index?: number;
}

/** A piece of text between the edges of marks, with the marks on it. */
export interface Piece extends TextRange {
  readonly kinds: ReadonlySet<MarkKind>;
  /** Numbers of the citations that end here. */
  readonly ends: readonly number[];
}

/** Cuts a range of the text where marks begin and end. */
export function piecesOf({ start, end }: TextRange, marks: readonly Mark[]): readonly Piece[] {
  const inside = marks.filter((mark) => mark.start < end && mark.end > start);
  const edges = new Set([start, end]);
  for (const mark of inside) {
    if (mark.start > start) edges.add(mark.start);
    if (mark.end < end) edges.add(mark.end);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((from, position) => {
    const to = sorted[position + 1] ?? end;
    const here = inside.filter((mark) => mark.start <= from && mark.end >= to);
    return {
      start: from,
      end: to,
      kinds: new Set(here.map(({ kind }) => kind)),
      ends: here.flatMap((mark) =>
        mark.end === to && mark.kind === 'also' && mark.index !== undefined ? [mark.index] : [],
      ),
    };
  });
}
