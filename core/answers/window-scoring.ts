import { type Ranking, type TermMatch, weightOf, wordResemblances } from '../search/index.ts';
import {
  codePointLength,
  isFragment,
  type Piece,
  questionLanguages,
  type TextRange,
  tokensOf,
} from '../text/index.ts';
import { matchesAnswerType, expectedAnswerType } from './cues.ts';
import { isDefinitionQuestion, startsWithAnaphora, isDefinition } from './definitions.ts';

/** Score of a window, independent of its passage. */
export interface WindowScore {
  /** Match of the question beyond the match of the object's name. */
  readonly own: number;
  /** Match of the question by the object's name. */
  readonly given: number;
  /**
   * Share of the question's weight that the window, its headings and the object's name match, exactly or similarly, 0
   * to 1.
   */
  readonly share: number;
  /** 1, or less if its language differs from the question's. */
  readonly trust: number;
}

/** Weight of a word that only resembles one of the question's. */
const RESEMBLANCE = 0.7;
/** Weight of a word that occurs in a heading above. */
const HEADING = 0.8;
/**
 * Relative weight of a word that the object's name also contains. It is low, since such a word distinguishes less. It
 * is not zero: a note is named after its first line, and then nothing else shows which sentence is meant.
 */
const REPEATED = 0.3;
/** Weight of containing the expected answer type, relative to matching every word of the question. */
const KIND = 0.2;
/** Weight of a sentence that defines the term in question. */
const COPULA = 0.15;
/** Weight of being in an object whose name contains every word of the question. */
const GIVEN = 0.8;
/** Length penalty: the exponent of (1 + length / 200). */
const LENGTH = 200;
const SHORTNESS = 0.2;
/** Factor for a window that says only the question's own words, or only names something. */
const ECHO = 0.5;
/** Factor for an unfinished line that other lines continue. */
const FRAGMENT = 0.85;
/** Weight of continuing the previous sentence. */
const GOING_ON = 0.05;
/** Confidence that the sentence after an event gives the reason. */
const PROBABLE_REASON = 0.6;
/** Factor for a window whose language differs from the question's. */
const FOREIGN = 0.6;

type InPassage = (
  text: string,
  pieces: readonly Piece[],
  inName: number,
) => (
  group: readonly Piece[],
  inside: readonly TermMatch[],
  above: readonly TermMatch[],
) => WindowScore;

export function createWindowScorer(question: string, { atoms, weights }: Ranking): InPassage {
  const complete = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const resembling = wordResemblances(atoms.map((atom) => atom[0]?.terms[0] ?? ''));
  const kind = expectedAnswerType(question);
  const defining = isDefinitionQuestion(question);
  const languages = languagesOf(question);

  // Each word is in up to three windows.
  const likenesses = new Map<TermMatch, ReturnType<typeof resembling>>();
  const likenessesOf = (spot: TermMatch): ReturnType<typeof resembling> => {
    let found = likenesses.get(spot);
    if (!found) likenesses.set(spot, (found = resembling(spot.plain)));
    return found;
  };
  const resembled = (spots: readonly TermMatch[], bits: number): number => {
    const likeness = new Map<number, number>();
    for (const spot of spots)
      for (const { atom, share } of likenessesOf(spot))
        if ((bits & (2 ** atom)) === 0)
          likeness.set(atom, Math.max(likeness.get(atom) ?? 0, share));
    let sum = 0;
    for (const [atom, share] of likeness) sum += share * (weights[atom] ?? 0);
    return sum;
  };

  return (text, pieces, inName) => {
    const starts = new Set(pieces.map(({ start }) => start));
    // Similarity across languages is coincidence.
    const foreign = !languagesOf(text).some((language) => languages.includes(language));
    return (group, inside, above) => {
      const written = text.slice(group[0]?.start ?? 0, group.at(-1)?.end ?? 0);
      const bits = bitsOf(inside);
      const heading = bitsOf(above) & ~bits & ~inName;
      const alike = foreign ? 0 : resembled(inside, bits | heading | inName);
      const held =
        weightOf(bits & ~inName, weights) +
        REPEATED * weightOf(bits & inName, weights) +
        RESEMBLANCE * alike +
        HEADING * weightOf(heading, weights);
      const sure = matchesAnswerType(kind, text, inside, starts);
      const likely = kind === 'reason' && group.length > 1 ? Math.max(sure, PROBABLE_REASON) : sure;
      const defines = defining && isDefinition(written, firstHeld(inside, group));
      const second = group.length > 1 && group[1] ? text.slice(group[1].start, group[1].end) : '';
      const worth =
        held / complete +
        KIND * likely +
        (defines ? COPULA : 0) +
        (startsWithAnaphora(second) ? GOING_ON : 0);
      const length = (1 + codePointLength(written) / LENGTH) ** SHORTNESS;
      return {
        own: (worth * completeness(group, written, pieces, inside)) / length,
        given: (weightOf(inName, weights) / complete) * GIVEN,
        share: (weightOf(bits | heading | inName, weights) + alike) / complete,
        trust: foreign ? FOREIGN : 1,
      };
    };
  };
}

/** Factor for a window that is no statement. */
function completeness(
  group: readonly Piece[],
  written: string,
  pieces: readonly Piece[],
  inside: readonly TermMatch[],
): number {
  const [first] = group;
  if (inside.every(({ bits }) => bits)) return ECHO;
  if (!first || group.length > 1) return 1;
  if (first.role === 'opening') return ECHO;
  const next = pieces[pieces.indexOf(first) + 1];
  const shouldContinue = next?.block === first.block && next.role === 'prose';
  return shouldContinue && first.role === 'prose' && isFragment(written) ? FRAGMENT : 1;
}

/** First occurrences of the question's words, from the beginning of the window. */
function firstHeld(inside: readonly TermMatch[], group: readonly Piece[]): TextRange {
  const from = group[0]?.start ?? 0;
  const first = inside.findIndex(({ bits }) => bits);
  let last = first;
  while (inside[last + 1]?.bits) last += 1;
  return { start: (inside[first]?.start ?? from) - from, end: (inside[last]?.end ?? from) - from };
}

const bitsOf = (spots: readonly TermMatch[]): number =>
  spots.reduce((sum, spot) => sum | spot.bits, 0);

/** Length of a text used for language detection, in UTF-16 units. */
const LOOKED_AT = 1_000;

const languagesOf = (text: string) =>
  questionLanguages(tokensOf(text.slice(0, LOOKED_AT)).map(({ plain }) => plain));
