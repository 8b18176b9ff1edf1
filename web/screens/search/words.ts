/** A part of a text: with or without a word of the query. */
export interface Part {
  readonly text: string;
  readonly isWord: boolean;
}

/** A term of a query: a word, a "phrase", a word to leave out. */
export interface Term {
  /** As it was typed. */
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isExcluded: boolean;
}

const TERM = /-?"[^"]*"?|\S+/g;
const WORD = /[\p{L}\p{N}]+/gu;
const HAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
/** Two words with this share of their letters in common at the beginning are forms of one. */
const STEM_SHARE = 0.7;
const MIN_STEM_LENGTH = 3;

export const termsOf = (query: string): readonly Term[] =>
  [...query.matchAll(TERM)].map(([text]) => ({
    text,
    isPhrase: /^-?"/.test(text),
    isExcluded: text.startsWith('-') && text.length > 1,
  }));

/** Words as they are compared: without case and accents. */
const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

interface Wanted {
  readonly word: string;
  readonly isPrefix: boolean;
}

const wantedOf = (query: string): readonly Wanted[] =>
  termsOf(query)
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ text }) =>
      [...text.matchAll(WORD)].map(([word], _, all) => ({
        word: folded(word),
        isPrefix: text.endsWith('*') && word === all.at(-1)?.[0],
      })),
    );

/** Cuts a text at the words that the query has, also in another grammatical form. */
export function partsOf(text: string, query: string): readonly Part[] {
  const wanted = wantedOf(query);
  const parts: Part[] = [];
  const add = (part: string, isWord: boolean) => {
    const last = parts.at(-1);
    if (part === '') return;
    if (last?.isWord === isWord) parts[parts.length - 1] = { text: last.text + part, isWord };
    else parts.push({ text: part, isWord });
  };
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    add(text.slice(from, index), false);
    from = index + word.length;
    if (HAN.test(word)) addCharacters(word, wanted, add);
    else
      add(
        word,
        wanted.some((each) => isSameWord(folded(word), each)),
      );
  }
  add(text.slice(from), false);
  return parts;
}

/** Chinese and Japanese have no spaces: the characters of the query are looked for in those of the text. */
function addCharacters(
  run: string,
  wanted: readonly Wanted[],
  add: (part: string, isWord: boolean) => void,
): void {
  const words = wanted.map(({ word }) => word).filter((word) => HAN.test(word));
  const pieces = words.flatMap((word) => pairsOf(word));
  for (let at = 0; at < run.length;) {
    const piece = pieces.find((each) => run.startsWith(each, at));
    add(run.slice(at, at + (piece?.length ?? 1)), piece !== undefined);
    at += piece?.length ?? 1;
  }
}

/** The whole word first, then its pairs of characters, which the index has. */
function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  const pairs = characters.slice(1).map((character, nth) => `${characters[nth] ?? ''}${character}`);
  return [word, ...pairs];
}

function isSameWord(word: string, { word: wanted, isPrefix }: Wanted): boolean {
  if (word === wanted) return true;
  if (isPrefix) return word.startsWith(wanted);
  let common = 0;
  while (common < word.length && word[common] === wanted[common]) common++;
  return common >= Math.max(MIN_STEM_LENGTH, Math.max(word.length, wanted.length) * STEM_SHARE);
}
