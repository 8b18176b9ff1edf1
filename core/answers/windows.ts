import type { NumberedPassage } from '../../ports/search.ts';
import {
  type RankedPassage,
  type Ranking,
  type TermMatch,
  createTermMatcher,
} from '../search/index.ts';
import { codePointLength, layoutOf, type Piece, type TextRange } from '../text/index.ts';
import { createWindowScorer, type WindowScore } from './window-scoring.ts';

/** One or two neighbouring sentences of a passage, as a possible answer. */
export interface Window extends WindowScore {
  readonly passage: NumberedPassage;
  /** In UTF-16 indices of the passage. */
  readonly sentences: readonly TextRange[];
  /** Including the score of its passage. */
  readonly score: number;
  /** Score of the passage relative to the best one, 0 to 1. */
  readonly place: number;
}

/** Maximum length of two sentences together, in code points. */
const MAX_PAIR_LENGTH = 400;
/** Weight of the passage's score. */
const PASSAGE = 0.5;

export interface RankedText {
  readonly ranked: RankedPassage;
  readonly passage: NumberedPassage;
}

/** Every window of the passages with its score, best first. */
export function windowsOf(
  question: string,
  ranking: Ranking,
  texts: readonly RankedText[],
): readonly Window[] {
  const top = Math.max(...texts.map(({ ranked }) => ranked.score), Number.MIN_VALUE);
  const spotsOf = createTermMatcher(ranking.atoms);
  const scoreIn = createWindowScorer(question, ranking);
  const within = (grouping: Grouping) =>
    texts.flatMap(({ ranked, passage }) => {
      const { text } = passage;
      const place = ranked.score / top;
      const pieces = layoutOf(text);
      const spots = spotsOf(text);
      const inPieces = (group: readonly TextRange[]) => spotsIn(spots, stretchOver(group));
      const scoreOf = scoreIn(text, pieces, ranked.inName);
      return grouping(text, pieces).map((group): Window => {
        const above = (group[0]?.under ?? []).flatMap((i) => pieces[i] ?? []);
        const heading = above.flatMap((piece) => inPieces([piece]));
        const worth = scoreOf(group, inPieces(group), heading);
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
  // A text may consist of headings only.
  const windows = telling.length > 0 ? telling : within((_text, pieces) => pieces.map((p) => [p]));
  return [...windows].sort((a, b) => b.score - a.score);
}

const spotsIn = (spots: readonly TermMatch[], { start, end }: TextRange): readonly TermMatch[] =>
  spots.filter((spot) => spot.start >= start && spot.end <= end);

type Grouping = (text: string, pieces: readonly Piece[]) => readonly (readonly Piece[])[];

/**
 * A sentence, or two of one paragraph. A question is combined with the next sentence, which is its answer. A sentence
 * that only names something, such as a heading, is no answer.
 */
const groups: Grouping = (text, pieces) =>
  pieces.flatMap((piece, i) => {
    const next = pieces[i + 1];
    const short =
      next !== undefined && codePointLength(text.slice(piece.start, next.end)) <= MAX_PAIR_LENGTH;
    const follows = next !== undefined && (next.role === 'prose' || next.role === 'row');
    if (piece.role === 'question') return follows && short ? [[piece, next]] : [];
    if (piece.role === 'row') return [[piece]];
    if (piece.role !== 'prose' && piece.role !== 'opening') return [];
    const together = next?.role === 'prose' && next.block === piece.block && short;
    return together ? [[piece], [piece, next]] : [[piece]];
  });

const stretchOver = (sentences: readonly TextRange[]): TextRange => ({
  start: sentences[0]?.start ?? 0,
  end: sentences.at(-1)?.end ?? 0,
});

export const rangeOf = ({ sentences }: Window): TextRange => stretchOver(sentences);
