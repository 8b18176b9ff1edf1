import type { NumberedPassage } from '../../ports/search.ts';
import {
  type RankedPassage,
  type Ranking,
  resemblances,
  type Spot,
  spotter,
  weightOf,
} from '../search/index.ts';
import { codePointLength, sentencesOf, type Stretch } from '../text/index.ts';
import { answersKind, kindAskedFor } from './cues.ts';

/** One or two neighbouring sentences of a passage, as a possible answer. */
export interface Window {
  readonly passage: NumberedPassage;
  /** In UTF-16 indices of the passage. */
  readonly sentences: readonly Stretch[];
  /** What it holds of the question beyond what its object's name does, whatever passage it stands in. */
  readonly own: number;
  readonly score: number;
}

/** Code points two sentences may have together. */
const LONGEST_PAIR = 400;

/** Worth of a word that only resembles one of the question's. */
const RESEMBLANCE = 0.7;
/** Worth of holding the kind of thing that is asked for, against holding every word of the question. */
const KIND = 0.2;
/**
 * Worth of a word that the object's name holds as well, as a share of any other's. Little, for it tells less; but a note
 * is named after its own first line, and then nothing else tells which of its sentences is meant.
 */
const REPEATED = 0.3;
/** Worth of standing in the best passage. */
const PASSAGE = 0.5;
/** Worth of standing in an object whose name holds every word of the question. */
const GIVEN = 0.8;
/** How much longer windows lose: by the power of (1 + length / 200). */
const LENGTH = 200;
const SHORTNESS = 0.2;

export interface RankedText {
  readonly ranked: RankedPassage;
  readonly passage: NumberedPassage;
}

/** Every window of the passages with what it is worth as an answer, best first. */
export function windowsOf(
  question: string,
  { atoms, weights }: Ranking,
  texts: readonly RankedText[],
): readonly Window[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const top = Math.max(...texts.map(({ ranked }) => ranked.score), Number.MIN_VALUE);
  const spotsOf = spotter(atoms);
  const resembling = resemblances(atoms.map((atom) => atom[0]?.terms[0] ?? ''));
  const kind = kindAskedFor(question);

  const worth = (
    passage: string,
    { start, end }: Stretch,
    spots: readonly Spot[],
    starts: ReadonlySet<number>,
    inName: number,
  ): number => {
    const said = spots.reduce((sum, spot) => sum | spot.bits, 0);
    // What the object is called holds for all of its sentences.
    const bits = said | inName;
    const likeness = new Map<number, number>();
    for (const { term } of spots)
      for (const { atom, share } of resembling(term))
        if ((bits & (2 ** atom)) === 0)
          likeness.set(atom, Math.max(likeness.get(atom) ?? 0, share));
    let held = weightOf(said & ~inName, weights) + REPEATED * weightOf(said & inName, weights);
    for (const [atom, share] of likeness) held += RESEMBLANCE * share * (weights[atom] ?? 0);
    const fitting = KIND * answersKind(kind, passage, spots, starts);
    const length = codePointLength(passage.slice(start, end));
    return (held / whole + fitting) / (1 + length / LENGTH) ** SHORTNESS;
  };

  return texts
    .flatMap(({ ranked, passage }) => {
      const { text } = passage;
      const spots = spotsOf(text);
      const sentences = sentencesOf(text);
      const starts = new Set(sentences.map(({ start }) => start));
      return groups(text, sentences).map((group): Window => {
        const stretch = { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 };
        const inside = spots.filter(
          ({ start, end }) => start >= stretch.start && end <= stretch.end,
        );
        const own = worth(text, stretch, inside, starts, ranked.inName);
        const given = (weightOf(ranked.inName, weights) / whole) * GIVEN;
        return {
          passage,
          sentences: group,
          own,
          score: own + given + (PASSAGE * ranked.score) / top,
        };
      });
    })
    .sort((a, b) => b.score - a.score);
}

function groups(text: string, sentences: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const lengthOf = (from: Stretch, to: Stretch) => codePointLength(text.slice(from.start, to.end));
  return sentences.flatMap((sentence, i) => {
    const next = sentences[i + 1];
    return next && lengthOf(sentence, next) <= LONGEST_PAIR
      ? [[sentence], [sentence, next]]
      : [[sentence]];
  });
}

/** The best windows that have no sentence in common and do not say the same in other places. */
export function bestApart(windows: readonly Window[], most: number): readonly Window[] {
  const chosen: Window[] = [];
  for (const window of windows) {
    if (chosen.length === most) break;
    if (!chosen.some((other) => overlap(window, other))) chosen.push(window);
  }
  return chosen;
}

const overlap = (a: Window, b: Window): boolean =>
  a.passage.number === b.passage.number
    ? a.sentences.some(({ start }) => b.sentences.some((sentence) => sentence.start === start))
    : textOf(a) === textOf(b);

export const stretchOf = ({ sentences }: Window): Stretch => ({
  start: sentences[0]?.start ?? 0,
  end: sentences.at(-1)?.end ?? 0,
});

const textOf = (window: Window): string => {
  const { start, end } = stretchOf(window);
  return window.passage.text.slice(start, end);
};
