import snowball from 'snowball-stemmers';
import { umlautsSpelledOut, withoutAccents } from './fold.ts';
import { irregularBase, irregularForms, isIrregular } from './irregular.ts';
import { remembering } from './remembering.ts';

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

/** The languages a word in Latin letters of unknown language may be in. */
export const LATIN_LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
] as const satisfies readonly StemLanguage[];

/** Finding the forms of a word costs some ten microseconds a language. */
const WORDS_KEPT = 20_000;
const LONGEST_TERM = 64;

type Stemmer = ReturnType<typeof snowball.newStemmer>;
const stemmers = new Map<StemLanguage, Stemmer>();

function stemOf(language: StemLanguage, word: string): string {
  let stemmer = stemmers.get(language);
  if (!stemmer) stemmers.set(language, (stemmer = snowball.newStemmer(ALGORITHMS[language])));
  return stemmer.stem(word);
}

const shortened = (word: string): string =>
  word.length > LONGEST_TERM ? [...word].slice(0, LONGEST_TERM).join('') : word;

const LETTER = /\p{L}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN = /\p{Script=Latin}/u;
const DIGIT = /\p{N}/u;

/** The languages a word may be stemmed in, judging by its letters. Words with digits are names of things: never stemmed. */
function candidatesFor(word: string, latin: readonly StemLanguage[]): readonly StemLanguage[] {
  if (DIGIT.test(word)) return [];
  const letter = LETTER.exec(word)?.[0] ?? '';
  if (LATIN.test(letter)) return latin;
  return CYRILLIC.test(letter) ? ['ru'] : [];
}

/**
 * The forms by which a word (in plain form) is indexed or looked for, the chief one first: its stem without accents in each of the
 * languages, and what would become of it if it were typed without accents. Stemming comes before folding, because
 * French and Spanish endings are told by their accents.
 */
function spellings(word: string, latin: readonly StemLanguage[]): readonly string[] {
  const cut = shortened(word);
  const bare = withoutAccents(cut);
  const languages = candidatesFor(cut, latin);
  if (!languages.length) return bare ? [bare] : [];
  const cyrillic = languages[0] === 'ru';
  // й is kept by the folding, so that Cyrillic words can be folded first: ё is a matter of typing there.
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
const LEAST_COMPOUND = 8;
const BACKWARDS = '~';

/** A long form read from its end, so that what it ends with is found as a prefix. No letter begins like it. */
export const backwards = (form: string): readonly string[] =>
  form.length < LEAST_COMPOUND ? [] : [endingWith(form)];

/** The beginning of every form read backwards that ends with this one. */
export const endingWith = (form: string): string => BACKWARDS + [...form].reverse().join('');

export const isBackwards = (form: string): boolean => form.startsWith(BACKWARDS);

type Forms = (word: string) => readonly string[];
const inLanguage = new Map<StemLanguage, Forms>();

/**
 * Forms of a word in a document of this language (ISO 639-1): the chief one, then other spellings. Of an unknown language
 * (''), as that of a file's name, the forms in all.
 */
export function documentForms(word: string, language: string): readonly string[] {
  if (language === '')
    return word.length > LONGEST_TERM ? spellings(word, ['en']) : queryForms(word);
  const latin = LATIN_LANGUAGES.find((known) => known === language) ?? 'en';
  let forms = inLanguage.get(latin);
  if (!forms) {
    forms = remembering(WORDS_KEPT, (each) => {
      const found = spellings(each, [latin]);
      return COMPOUNDING.has(latin) ? [...found, ...found.slice(0, 1).flatMap(backwards)] : found;
    });
    inLanguage.set(latin, forms);
  }
  // Rubbish without spaces never comes again: remembering it would only crowd out words.
  return word.length > LONGEST_TERM ? spellings(word, [latin]) : forms(word);
}

/** Forms under which a word of unknown language may have been indexed. */
export const queryForms: Forms = remembering(WORDS_KEPT, (word) =>
  spellings(word, LATIN_LANGUAGES),
);

/** The first of `queryForms`, without finding the others. */
export const chiefForm = remembering(WORDS_KEPT, (word): string => {
  const cut = shortened(word);
  const [language] = candidatesFor(cut, LATIN_LANGUAGES);
  const written = language === 'ru' ? withoutAccents(cut) : cut;
  const form = withoutAccents(language ? stemOf(language, written) : cut);
  return form === '' ? (queryForms(word)[0] ?? '') : form;
});

/** Two letters tell most words apart, and no stemmer touches them … */
const BEGINNING = 2;
/** … but of these, of which it makes die, lie and tie. */
const REMADE = new Set(['dying', 'lying', 'tying']);

export const beginningOf = (form: string): string => form.slice(0, BEGINNING);

/**
 * What all forms of a word begin with, though one of them may be shorter; undefined where that is not certain. Finding
 * the forms costs a hundred times as much.
 */
export function commonBeginning(word: string): string | undefined {
  // A first umlaut may be spelled out: Öl is found as ol and as oel.
  if (/^[äöü]/.test(word)) return undefined;
  const bare = withoutAccents(shortened(word));
  return isIrregular(bare) || REMADE.has(bare) ? undefined : beginningOf(bare);
}

/** Letters at most that a stemmer puts in the place of an ending: as heid for heden, ente for encia. */
const PUT_ANEW = 2;

/** A place in a table of beginnings in ASCII; the second letter is nought in a word of one, and there is none for others. */
const ASCII_LETTERS = 128;
const beginningAt = (word: string): number => {
  const [first, second] = [word.charCodeAt(0), word.length > 1 ? word.charCodeAt(1) : 0];
  return first < ASCII_LETTERS && second < ASCII_LETTERS ? first * ASCII_LETTERS + second : -1;
};
const irregularBeginnings = [...new Set([...irregularForms(), ...REMADE].map(beginningAt))].filter(
  (at) => at >= 0,
);
/** What a beginning tells of a word. */
const SOUGHT = 1;
const CERTAIN = 2;
const IRREGULAR = 4;

/**
 * Whether a word in plain ASCII may have one of the forms that are sought, or one that begins with them. What is taken
 * off a word is its end, so a long form tells words apart by more than their first letters.
 */
export function mayHaveForms(sought: readonly string[]): (ascii: string) => boolean {
  const table = new Uint8Array(ASCII_LETTERS * ASCII_LETTERS);
  const needed = new Map<number, string[]>();
  const mark = (at: number, told: number) => void (table[at] = (table[at] ?? 0) | told);
  for (const at of irregularBeginnings) mark(at, IRREGULAR);
  for (const form of sought) {
    const at = beginningAt(form);
    if (at < 0 || form === '') continue;
    // A form of a single letter may be all that is left of a word, or begin many.
    if (form.length < BEGINNING)
      for (let second = 0; second < ASCII_LETTERS; second++) mark(at + second, CERTAIN);
    mark(at, SOUGHT);
    const least = form.slice(0, Math.max(BEGINNING, form.length - PUT_ANEW));
    needed.set(at, [...(needed.get(at) ?? []), least]);
  }
  return (word) => {
    const at = beginningAt(word);
    const told = table[at] ?? 0;
    if (told === 0) return false;
    if (told & CERTAIN) return true;
    if (told & SOUGHT && needed.get(at)?.some((least) => word.startsWith(least))) return true;
    return (told & IRREGULAR) !== 0 && (isIrregular(word) || REMADE.has(word));
  };
}

/** Endings a word may go on with, for prefixes that reach beyond a stem. */
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
 * Stems shorter than the prefix that stand for words beginning with it: `universit` begins university, which is
 * indexed as `univers`. Only stems the prefix itself begins with, so that nothing else is found.
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
