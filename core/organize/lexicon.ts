import {
  documentForms,
  isStopWord,
  pairsOf,
  queryForms,
  tokensOf,
  withoutAccents,
  type QuestionLanguage,
} from '../text/index.ts';
import ignored from './ignored-words.json' with { type: 'json' };

/** Maximum number of distinct terms. Further ones are ignored. */
const MAX_TERMS = 400_000;
const MAX_LANGUAGES = 50;
const MIN_DOCUMENTS = 20;
const MAX_WORD_LENGTH = 40;
/** Placeholder for a word without meaning. */
const NOTHING = -1;
const YEAR = /^(?:19|20)\d\d$/;

/** Words without meaning in names of files and folders, and those that forms of every topic have: captions and currencies. */
const EMPTY: ReadonlySet<string> = new Set(
  [...ignored.words, ...ignored.captions, ...ignored.currencies].map(withoutAccents),
);
const LEGAL: ReadonlySet<string> = new Set(ignored.legalForms.map(withoutAccents));

const ALL_LANGUAGES: readonly QuestionLanguage[] = ['en', 'ru', 'de', 'fr', 'es'];

/** Maps terms to small integers, with their document frequencies. */
export class Lexicon {
  readonly #ids = new Map<string, number>();
  readonly #counts: number[] = [];
  /** Per language, the term of each word as written. */
  readonly #words = new Map<string, Map<string, number>>();
  #kept = 0;
  /** Number of counted objects. */
  cards = 0;

  /** The number of a term, undefined if there are too many terms. */
  intern(term: string): number | undefined {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    if (this.#counts.length >= MAX_TERMS) return undefined;
    this.#ids.set(term, this.#counts.length);
    return this.#counts.push(0) - 1;
  }

  /** The terms of an object's features, in its language. */
  termsIn(text: string, language: string): readonly number[] {
    let known = this.#words.get(language);
    if (!known && this.#words.size < MAX_LANGUAGES)
      this.#words.set(language, (known = new Map<string, number>()));
    const terms: number[] = [];
    for (const { plain, spaceless } of tokensOf(text)) {
      if (spaceless) {
        for (const pair of pairsOf(plain)) {
          const term = this.intern(pair);
          if (term !== undefined) terms.push(term);
        }
        continue;
      }
      let term = known?.get(plain);
      if (term === undefined) {
        const form = formOf(plain, language);
        term = (form === undefined ? undefined : this.intern(form)) ?? NOTHING;
        if (known && plain.length <= MAX_WORD_LENGTH && this.#kept < MAX_TERMS) {
          known.set(plain, term);
          this.#kept += 1;
        }
      }
      if (term !== NOTHING) terms.push(term);
    }
    return terms;
  }

  count(terms: Iterable<number>): void {
    this.cards += 1;
    for (const term of terms) this.#counts[term] = this.countOf(term) + 1;
  }

  countOf(term: number): number {
    return this.#counts[term] ?? 0;
  }

  /** Share of the objects that have it, 0 while there are too few objects. */
  shareOf(term: number): number {
    return this.cards < MIN_DOCUMENTS ? 0 : this.countOf(term) / this.cards;
  }

  rarity(term: number): number {
    return Math.log(1 + (this.cards + 1) / (this.countOf(term) + 0.5));
  }
}

export interface Word {
  /** In normal form, not stemmed. */
  readonly plain: string;
  /** All likely stems, since the language is unknown. */
  readonly forms: readonly string[];
}

/** The significant words of an object's features, each by its stem in the object's language. */
export function formsIn(text: string, language: string): readonly string[] {
  return tokensOf(text).flatMap(({ plain, spaceless }) => {
    if (spaceless) return pairsOf(plain);
    return formOf(plain, language) ?? [];
  });
}

function formOf(plain: string, language: string): string | undefined {
  const known = ALL_LANGUAGES.find((each) => each === language);
  if (!isDiscriminative(plain, known ? [known] : ALL_LANGUAGES)) return undefined;
  return documentForms(plain, language === '' ? 'en' : language)[0];
}

/** The significant words of a name of unknown language. */
export function wordsOfName(name: string): readonly Word[] {
  return tokensOf(name).flatMap(({ plain, spaceless }): readonly Word[] => {
    if (spaceless) {
      const pairs = pairsOf(plain);
      return pairs.length ? pairs.map((pair) => ({ plain: pair, forms: [pair] })) : [];
    }
    return isDiscriminative(plain, ALL_LANGUAGES) ? [{ plain, forms: queryForms(plain) }] : [];
  });
}

/** Normal form of an organisation: its words without the legal form. */
export function organizationKey(name: string): string {
  const words = tokensOf(name).map(({ plain }) => withoutAccents(plain));
  const discriminative = words.filter((word) => !LEGAL.has(word));
  return (discriminative.length ? discriminative : words).join(' ');
}

export const yearsIn = (text: string): readonly string[] =>
  text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? [];

function isDiscriminative(plain: string, languages: readonly QuestionLanguage[]): boolean {
  if (plain.length < 2 || plain.length > MAX_WORD_LENGTH) return false;
  if (/\p{N}/u.test(plain)) return !YEAR.test(plain) && /^\p{L}{2,}\d{1,3}$/u.test(plain);
  const bare = withoutAccents(plain);
  return !EMPTY.has(bare) && !isStopWord(plain, languages);
}
