import { type Ranking, type Spot, weightOf, wordResemblances } from '../search/index.ts';
import {
  codePointLength,
  isFragment,
  type Piece,
  questionLanguages,
  type Stretch,
  tokensOf,
} from '../text/index.ts';
import { answersKind, kindAskedFor } from './cues.ts';
import { asksWhatItIs, goesBack, saysWhatItIs } from './statements.ts';

/** What a window is worth by itself, whatever passage it stands in. */
export interface Worth {
  /** What it holds of the question beyond what its object's name does. */
  readonly own: number;
  /** What the object's name holds of it. */
  readonly given: number;
  /** Share of the question's weight that it, its headings and its object's name hold or resemble, 0 to 1. */
  readonly share: number;
  /** 1, or less in another language than the question's. */
  readonly trust: number;
}

/** Worth of a word that only resembles one of the question's. */
const RESEMBLANCE = 0.7;
/** Worth of a word that stands in a heading above. */
const HEADING = 0.8;
/**
 * Worth of a word that the object's name holds as well, as a share of any other's. Little, for it tells less; but a note
 * is named after its own first line, and then nothing else tells which of its sentences is meant.
 */
const REPEATED = 0.3;
/** Worth of holding the kind of thing that is asked for, against holding every word of the question. */
const KIND = 0.2;
/** Worth of a sentence that says what the thing asked for is. */
const COPULA = 0.15;
/** Worth of standing in an object whose name holds every word of the question. */
const GIVEN = 0.8;
/** How much longer windows lose: by the power of (1 + length / 200). */
const LENGTH = 200;
const SHORTNESS = 0.2;
/** What is left of a window that says nothing but the question's own words, or only names something. */
const ECHO = 0.5;
/** What is left of a line without an end that others go on from. */
const FRAGMENT = 0.85;
/** Worth of going on with the sentence before. */
const GOING_ON = 0.05;
/** How surely the sentence after what happened tells why. */
const PROBABLE_REASON = 0.6;
/** What is left of a window in another language than the question's. */
const FOREIGN = 0.6;

type InPassage = (
  text: string,
  pieces: readonly Piece[],
  inName: number,
) => (group: readonly Piece[], inside: readonly Spot[], above: readonly Spot[]) => Worth;

export function judge(question: string, { atoms, weights }: Ranking): InPassage {
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const resembling = wordResemblances(atoms.map((atom) => atom[0]?.terms[0] ?? ''));
  const kind = kindAskedFor(question);
  const defining = asksWhatItIs(question);
  const languages = languagesOf(question);

  // A word stands in up to three windows.
  const likenesses = new Map<Spot, ReturnType<typeof resembling>>();
  const likenessesOf = (spot: Spot): ReturnType<typeof resembling> => {
    let found = likenesses.get(spot);
    if (!found) likenesses.set(spot, (found = resembling(spot.plain)));
    return found;
  };
  const resembled = (spots: readonly Spot[], bits: number): number => {
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
    // What is alike in another language is alike by chance.
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
      const sure = answersKind(kind, text, inside, starts);
      const likely = kind === 'reason' && group.length > 1 ? Math.max(sure, PROBABLE_REASON) : sure;
      const defines = defining && saysWhatItIs(written, firstHeld(inside, group));
      const second = group.length > 1 && group[1] ? text.slice(group[1].start, group[1].end) : '';
      const worth =
        held / whole + KIND * likely + (defines ? COPULA : 0) + (goesBack(second) ? GOING_ON : 0);
      const length = (1 + codePointLength(written) / LENGTH) ** SHORTNESS;
      return {
        own: (worth * completeness(group, written, pieces, inside)) / length,
        given: (weightOf(inName, weights) / whole) * GIVEN,
        share: (weightOf(bits | heading | inName, weights) + alike) / whole,
        trust: foreign ? FOREIGN : 1,
      };
    };
  };
}

/** What is left of the worth of what is no statement. */
function completeness(
  group: readonly Piece[],
  written: string,
  pieces: readonly Piece[],
  inside: readonly Spot[],
): number {
  const [first] = group;
  if (inside.every(({ bits }) => bits)) return ECHO;
  if (!first || group.length > 1) return 1;
  if (first.role === 'opening') return ECHO;
  const next = pieces[pieces.indexOf(first) + 1];
  const goesOn = next?.block === first.block && next.role === 'prose';
  return goesOn && first.role === 'prose' && isFragment(written) ? FRAGMENT : 1;
}

/** The words asked for at their first place, from the beginning of the window. */
function firstHeld(inside: readonly Spot[], group: readonly Piece[]): Stretch {
  const from = group[0]?.start ?? 0;
  const first = inside.findIndex(({ bits }) => bits);
  let last = first;
  while (inside[last + 1]?.bits) last += 1;
  return { start: (inside[first]?.start ?? from) - from, end: (inside[last]?.end ?? from) - from };
}

const bitsOf = (spots: readonly Spot[]): number => spots.reduce((sum, spot) => sum | spot.bits, 0);

/** Of a text, in UTF-16 units, to tell its language. */
const LOOKED_AT = 1_000;

const languagesOf = (text: string) =>
  questionLanguages(tokensOf(text.slice(0, LOOKED_AT)).map(({ plain }) => plain));
