import type { NumberedPassage } from '../../ports/search.ts';
import { type RankedPassage, type Ranking, type Spot, spotter } from '../search/index.ts';
import { codePointLength, layoutOf, type Piece, type Stretch } from '../text/index.ts';
import { judge, type Worth } from './worth.ts';

/** One or two neighbouring sentences of a passage, as a possible answer. */
export interface Window extends Worth {
  readonly passage: NumberedPassage;
  /** In UTF-16 indices of the passage. */
  readonly sentences: readonly Stretch[];
  /** Together with the passage it stands in. */
  readonly score: number;
  /** What the passage is worth against the best one, 0 to 1. */
  readonly place: number;
}

/** Code points two sentences may have together. */
const LONGEST_PAIR = 400;
/** Worth of standing in the best passage. */
const PASSAGE = 0.5;

export interface RankedText {
  readonly ranked: RankedPassage;
  readonly passage: NumberedPassage;
}

/** Every window of the passages with what it is worth as an answer, best first. */
export function windowsOf(
  question: string,
  ranking: Ranking,
  texts: readonly RankedText[],
): readonly Window[] {
  const top = Math.max(...texts.map(({ ranked }) => ranked.score), Number.MIN_VALUE);
  const spotsOf = spotter(ranking.atoms);
  const worthIn = judge(question, ranking);
  const within = (grouping: Grouping) =>
    texts.flatMap(({ ranked, passage }) => {
      const { text } = passage;
      const place = ranked.score / top;
      const pieces = layoutOf(text);
      const spots = spotsOf(text);
      const inPieces = (group: readonly Stretch[]) => spotsIn(spots, stretchOver(group));
      const worthOf = worthIn(text, pieces, ranked.inName);
      return grouping(text, pieces).map((group): Window => {
        const above = (group[0]?.under ?? []).flatMap((i) => pieces[i] ?? []);
        const heading = above.flatMap((piece) => inPieces([piece]));
        const worth = worthOf(group, inPieces(group), heading);
        return {
          passage,
          sentences: group,
          ...worth,
          score: (worth.own + worth.given + PASSAGE * place) * worth.trust,
          place,
        };
      });
    });
  const telling = within(groups);
  // A text may be nothing but headings.
  const windows = telling.length > 0 ? telling : within((_text, pieces) => pieces.map((p) => [p]));
  return [...windows].sort((a, b) => b.score - a.score);
}

const spotsIn = (spots: readonly Spot[], { start, end }: Stretch): readonly Spot[] =>
  spots.filter((spot) => spot.start >= start && spot.end <= end);

type Grouping = (text: string, pieces: readonly Piece[]) => readonly (readonly Piece[])[];

/**
 * A sentence, or two of one paragraph. A question only comes with what follows it: that is its answer. What merely names
 * something else, as a heading does, is no answer.
 */
const groups: Grouping = (text, pieces) =>
  pieces.flatMap((piece, i) => {
    const next = pieces[i + 1];
    const short =
      next !== undefined && codePointLength(text.slice(piece.start, next.end)) <= LONGEST_PAIR;
    const follows = next !== undefined && (next.role === 'prose' || next.role === 'row');
    if (piece.role === 'question') return follows && short ? [[piece, next]] : [];
    if (piece.role === 'row') return [[piece]];
    if (piece.role !== 'prose' && piece.role !== 'opening') return [];
    const together = next?.role === 'prose' && next.block === piece.block && short;
    return together ? [[piece], [piece, next]] : [[piece]];
  });

const stretchOver = (sentences: readonly Stretch[]): Stretch => ({
  start: sentences[0]?.start ?? 0,
  end: sentences.at(-1)?.end ?? 0,
});

export const stretchOf = ({ sentences }: Window): Stretch => stretchOver(sentences);
