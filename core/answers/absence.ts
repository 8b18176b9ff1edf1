import type { Ranking } from '../search/index.ts';
import { type Token, isStopWord, queryForms, questionLanguages, tokensOf } from '../text/index.ts';

/** Of a question, in UTF-16 units. */
const LOOKED_AT = 10_000;

/** What some sentence must hold of a question, as a share of its weight, lest a missing name … */
const DESPITE_NAME = 0.5;
/** … or as many missing words tell that it asks for something else. */
const DESPITE_WORDS = 0.42;
const MANY = 0.34;

/**
 * Whether a question asks for something that is nowhere in what was searched: a figure or code, or a name or a third of
 * its words unless some sentence holds much of the rest. What resembles it answers another question then.
 *
 * @param told the share of the question's weight that the best sentence holds
 */
export function asksForWhatIsNowhere(question: string, ranking: Ranking, told: number): boolean {
  const known = knownWords(ranking);
  const asked = question.slice(0, LOOKED_AT);
  const tokens = tokensOf(asked);
  const missing = tokens.filter(({ plain }) => known.get(queryForms(plain)[0] ?? '') === false);
  if (missing.some(isCode)) return true;
  const names = namesIn(asked, tokens);
  if (told < DESPITE_NAME && missing.some((token) => names.has(token))) return true;
  const absent = [...known.values()].filter((is) => !is).length;
  return told < DESPITE_WORDS && absent > 0 && absent >= MANY * known.size;
}

/** The words of a question, and whether they are anywhere. Pairs of characters run across words and tell nothing. */
function knownWords(ranking: Ranking): ReadonlyMap<string, boolean> {
  const present = heldAnywhere(ranking);
  return new Map(
    ranking.atoms.flatMap((atom, i): readonly (readonly [string, boolean])[] => {
      const [chief = ''] = atom[0]?.terms ?? [];
      return SPACELESS.test(chief) ? [] : [[chief, (present & (2 ** i)) !== 0]];
    }),
  );
}

const SPACELESS = /^[^\0-\u0dff]/;

function heldAnywhere({ passages }: Ranking): number {
  let bits = 0;
  for (let i = 0; i < passages.count; i++) bits |= passages.bits[i] ?? 0;
  return bits;
}

/** A single digit is as often written in words. */
const isCode = ({ plain }: Token): boolean => plain.length > 1 && /\p{Nd}/u.test(plain);

/** Capitalised words, but for the first one and in languages that write every noun so. */
function namesIn(question: string, tokens: readonly Token[]): ReadonlySet<Token> {
  const languages = questionLanguages(tokens.map(({ plain }) => plain));
  if (languages.includes('de')) return new Set();
  const isCapital = ({ start, end }: Token) => /^\p{Lu}/u.test(question.slice(start, end));
  const words = tokens.filter(({ plain }) => !isStopWord(plain, languages));
  // In a question typed in capitals they say nothing.
  if (words.length > 1 && words.every(isCapital)) return new Set();
  return new Set(words.filter((token) => token !== tokens[0] && isCapital(token)));
}
