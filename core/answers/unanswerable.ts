import type { Ranking } from '../search/index.ts';
import { type Token, isStopWord, queryForms, questionLanguages, tokensOf } from '../text/index.ts';

/** Length of a question that is considered, in UTF-16 units. */
const LOOKED_AT = 10_000;

/** Minimum share of the question's weight that some sentence must match, so that a missing name … */
const DESPITE_NAME = 0.5;
/** … or this many missing words do not make the question unanswerable. */
const DESPITE_WORDS = 0.42;
const MANY = 0.34;

/**
 * Whether a question asks for something that occurs nowhere in the searched texts: a figure or code, or a name or a
 * third of its words unless some sentence matches much of the rest. Similar texts then answer another question.
 *
 * @param told share of the question's weight that the best sentence matches
 */
export function isUnanswerable(question: string, ranking: Ranking, shownCount: number): boolean {
  const known = knownWords(ranking);
  const questionText = question.slice(0, LOOKED_AT);
  const tokens = tokensOf(questionText);
  const missing = tokens.filter(({ plain }) => known.get(queryForms(plain)[0] ?? '') === false);
  if (missing.some(isCode)) return true;
  const names = namesIn(questionText, tokens);
  if (shownCount < DESPITE_NAME && missing.some((token) => names.has(token))) return true;
  const absent = [...known.values()].filter((is) => !is).length;
  return shownCount < DESPITE_WORDS && absent > 0 && absent >= MANY * known.size;
}

/**
 * The words of a question, and whether they occur anywhere. Character bigrams cross word boundaries and are ignored.
 */
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

/** A single digit is as often written as a word. */
const isCode = ({ plain }: Token): boolean => plain.length > 1 && /\p{Nd}/u.test(plain);

/** Capitalised words, except the first one and in languages that capitalise all nouns. */
function namesIn(question: string, tokens: readonly Token[]): ReadonlySet<Token> {
  const languages = questionLanguages(tokens.map(({ plain }) => plain));
  if (languages.includes('de')) return new Set();
  const isCapital = ({ start, end }: Token) => /^\p{Lu}/u.test(question.slice(start, end));
  const words = tokens.filter(({ plain }) => !isStopWord(plain, languages));
  // Capitals are no evidence in a question typed in all capitals.
  if (words.length > 1 && words.every(isCapital)) return new Set();
  return new Set(words.filter((token) => token !== tokens[0] && isCapital(token)));
}
