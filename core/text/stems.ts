import snowball from 'snowball-stemmers';
import { umlautsSpelledOut, withoutAccents } from './fold.ts';
import { irregularBase, irregularForms, isIrregular } from './irregular.ts';
import { memoize } from './memoize.ts';

const ALGORITHMS = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  ru: 'russian',
} as const;

export type StemLanguage = keyof typeof ALGORITHMS;

/** Candidate languages of a Latin word of unknown language. */
export const LATIN_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
] as const satisfies readonly StemLanguage[];

/** Stemming a word takes some ten microseconds per language. */
const WORDS_KEPT = 20_000;
const MAX_TERM_LENGTH = 64;

type Stemmer = ReturnType<typeof snowball.newStemmer>;
const stemmers = new Map<StemLanguage, Stemmer>();

function stemOf(language: StemLanguage, word: string): string {
  let stemmer = stemmers.get(language);
  if (!stemmer) stemmers.set(language, (stemmer = snowball.newStemmer(ALGORITHMS[language])));
  return stemmer.stem(word);
}

const shortened = (word: string): string =>
  word.length > MAX_TERM_LENGTH ? [...word].slice(0, MAX_TERM_LENGTH).join('') : word;

const LETTER = /\p{L}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN = /\p{Script=Latin}/u;
const DIGIT = /\p{N}/u;

/**
 * The languages in which a word may be stemmed, judging by its letters. Words with digits are names and are never
 * stemmed.
 */
function candidatesFor(word: string, latin: readonly StemLanguage[]): readonly StemLanguage[] {
  if (DIGIT.test(word)) return [];
  const letter = LETTER.exec(word)?.[0] ?? '';
  if (LATIN.test(letter)) return latin;
  return CYRILLIC.test(letter) ? ['ru'] : [];
}

/**
 * The forms under which a word (in normal form) is indexed or searched, the primary one first: its stem without
 * accents in each of the languages, and the stem of its spelling without accents. Stemming comes before folding,
 * because French and Spanish endings depend on accents.
 */
function spellings(word: string, latin: readonly StemLanguage[]): readonly string[] {
  const cut = shortened(word);
  const bare = withoutAccents(cut);
  const languages = candidatesFor(cut, latin);
  if (!languages.length) return bare ? [bare] : [];
  const cyrillic = languages[0] === 'ru';
  // Folding preserves й, so Cyrillic words can be folded first: ё is a typing variant.
  const written =
    cyrillic || bare === cut ? [bare] : [cut, bare, withoutAccents(umlautsSpelledOut(cut))];
  const forms = new Set<string>();
  for (const spelling of written)
    for (const language of languages) forms.add(withoutAccents(stemOf(language, spelling)));
  for (const language of languages) {
    const base = irregularBase(bare, language);
    if (base !== undefined) forms.add(withoutAccents(stemOf(language, base)));
  }
  forms.delete('');
  return [...forms];
}

/** Languages that write compounds as one word: Kaltmiete is a Miete. */
const COMPOUNDING = new Set<StemLanguage>(['de', 'nl']);
const MIN_COMPOUND_LENGTH = 8;
const BACKWARDS = '~';

/** A long form reversed, so that a suffix is found as a prefix. The marker is not a letter. */
export const backwards = (form: string): readonly string[] =>
  form.length < MIN_COMPOUND_LENGTH ? [] : [endingWith(form)];

/** The prefix of all reversed forms with this suffix. */
export const endingWith = (form: string): string => BACKWARDS + [...form].reverse().join('');

export const isBackwards = (form: string): boolean => form.startsWith(BACKWARDS);

type Forms = (word: string) => readonly string[];
const inLanguage = new Map<StemLanguage, Forms>();

/**
 * Forms of a word in a document of this language (ISO 639-1): the primary one, then other spellings. For an unknown
 * language (''), as for a file name, the forms in all languages.
 */
export function documentForms(word: string, language: string): readonly string[] {
  if (language === '')
    return word.length > MAX_TERM_LENGTH ? spellings(word, ['en']) : queryForms(word);
  const latin = LATIN_LANGUAGES.find((known) => known === language) ?? 'en';
  let forms = inLanguage.get(latin);
  if (!forms) {
    forms = memoize(WORDS_KEPT, (each) => {
      const found = spellings(each, [latin]);
      return COMPOUNDING.has(latin) ? [...found, ...found.slice(0, 1).flatMap(backwards)] : found;
    });
    inLanguage.set(latin, forms);
  }
  // Garbage without spaces never repeats: caching it would only evict words.
  return word.length > MAX_TERM_LENGTH ? spellings(word, [latin]) : forms(word);
}

/** Forms under which a word of unknown language may have been indexed. */
export const queryForms: Forms = memoize(WORDS_KEPT, (word) => spellings(word, LATIN_LANGUAGES));

/** The first of `queryForms`, without computing the others. */
export const primaryStem = memoize(WORDS_KEPT, (word): string => {
  const cut = shortened(word);
  const [language] = candidatesFor(cut, LATIN_LANGUAGES);
  const written = language === 'ru' ? withoutAccents(cut) : cut;
  const form = withoutAccents(language ? stemOf(language, written) : cut);
  return form === '' ? (queryForms(word)[0] ?? '') : form;
});

/** Two letters distinguish most words, and no stemmer changes them … */
const BEGINNING = 2;
/** … except for these, from which it makes die, lie and tie. */
const REMADE = new Set(['dying', 'lying', 'tying']);

export const beginningOf = (form: string): string => form.slice(0, BEGINNING);

/**
 * The common prefix of all forms of a word, though one form may be shorter; undefined if that is not certain.
 * Computing the forms costs a hundred times as much.
 */
export function commonBeginning(word: string): string | undefined {
  // A first umlaut may be transliterated: Öl is found as ol and as oel.
  if (/^[äöü]/.test(word)) return undefined;
  const bare = withoutAccents(shortened(word));
  return isIrregular(bare) || REMADE.has(bare) ? undefined : beginningOf(bare);
}

/** Maximum length of a replacement ending: heid for heden, ente for encia. */
const PUT_ANEW = 2;

/**
 * Index of an ASCII prefix in a table; the second letter is zero for a word of one letter. Other prefixes have no
 * index.
 */
const ASCII_LETTERS = 128;
const beginningAt = (word: string): number => {
  const [first, second] = [word.charCodeAt(0), word.length > 1 ? word.charCodeAt(1) : 0];
  return first < ASCII_LETTERS && second < ASCII_LETTERS ? first * ASCII_LETTERS + second : -1;
};
const irregularBeginnings = [...new Set([...irregularForms(), ...REMADE].map(beginningAt))].filter(
  (at) => at >= 0,
);
/** What is known about a prefix. */
const SOUGHT = 1;
const CERTAIN = 2;
const IRREGULAR = 4;

/**
 * Whether a word in plain ASCII may have one of the wanted forms, or one that begins with them. Stemming removes
 * endings, so a long form is decided by more than its first letters.
 */
export function mayHaveForms(sought: readonly string[]): (ascii: string) => boolean {
  const table = new Uint8Array(ASCII_LETTERS * ASCII_LETTERS);
  const needed = new Map<number, string[]>();
  const mark = (at: number, flags: number) => void (table[at] = (table[at] ?? 0) | flags);
  for (const at of irregularBeginnings) mark(at, IRREGULAR);
  for (const form of sought) {
    const at = beginningAt(form);
    if (at < 0 || form === '') continue;
    // A form of a single letter may be the stem of a word, or a prefix of many.
    if (form.length < BEGINNING)
      for (let second = 0; second < ASCII_LETTERS; second++) mark(at + second, CERTAIN);
    mark(at, SOUGHT);
    const least = form.slice(0, Math.max(BEGINNING, form.length - PUT_ANEW));
    needed.set(at, [...(needed.get(at) ?? []), least]);
  }
  return (word) => {
    const at = beginningAt(word);
    const flags = table[at] ?? 0;
    if (flags === 0) return false;
    if (flags & CERTAIN) return true;
    if (flags & SOUGHT && needed.get(at)?.some((least) => word.startsWith(least))) return true;
    return (flags & IRREGULAR) !== 0 && (isIrregular(word) || REMADE.has(word));
  };
}

/** Possible endings of a word, for prefixes longer than a stem. */
const ENDINGS = {
  latin:
    'ational izations ments ness ings ities edly ers ables ibles ally ously y ungen heiten keiten ischen ationen eurs euses ements issent aciones idades mente adores iendo azione',
  cyrillic:
    'ование ированный ская ского ости остями ениями ами ями ого ему ыми ться ешь ает или ала',
};

const tails = (endings: string): readonly string[] => [
  ...new Set(endings.split(' ').flatMap((e) => [...e].map((_, i) => e.slice(i)))),
];
const TAILS = { latin: tails(ENDINGS.latin), cyrillic: tails(ENDINGS.cyrillic) };

/**
 * Stems shorter than the prefix, for words that begin with it: `universit` is a prefix of university, which is
 * indexed as `univers`. Only stems that the prefix itself begins with, so that nothing else is found.
 */
export function prefixStems(prefix: string): readonly string[] {
  if (prefix.length < 4 || DIGIT.test(prefix)) return [];
  const cyrillic = CYRILLIC.test(prefix);
  const stems = new Set<string>();
  for (const tail of cyrillic ? TAILS.cyrillic : TAILS.latin)
    for (const stem of queryForms(prefix + tail))
      if (stem.length < prefix.length && stem.length > 2 && prefix.startsWith(stem))
        stems.add(stem);
  return [...stems];
}
