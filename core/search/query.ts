import type { QueryTerm, TermSequence } from '../../ports/search.ts';
import {
  documentForms,
  isQuestionWord,
  isStopWord,
  lastOf,
  LATIN_LANGUAGES,
  pairsOf,
  prefixStems,
  queryForms,
  questionLanguages,
  type Token,
  tokensOf,
  parseGroupedNumber,
  withoutAccents,
  withoutChineseStopWords,
} from '../text/index.ts';

/** Matched terms are stored as bits of one number, which limits the terms of a query. */
export const MAX_QUERY_TERMS = 30;
/** Maximum number of words of a phrase that are searched. */
const MAX_SEQUENCE_LENGTH = 40;
/** Length of a query considered, in UTF-16 units. */
const MAX_QUERY_LENGTH = 10_000;

/** A parsed query. `any` are alternatives that add to the score; all of `all` must match and none of `none` may. */
export interface Query {
  readonly any: readonly QueryTerm[];
  readonly all: readonly QueryTerm[];
  readonly none: readonly QueryTerm[];
}

/**
 * Parses `word`, `"phrase"`, `-not` (a word or a phrase) and `prefix*`, in any order and number. Any other input is
 * read as words, so no query is invalid. A query without words has no terms.
 */
export function parseQuery(text: string): Query {
  const parts = partsOf(text.slice(0, MAX_QUERY_LENGTH));
  const phrases = parts.filter((part) => part.quoted && !part.negated);
  const all = phrases.map(({ text }) => runAtom(tokensOf(text), false));
  const none = parts
    .filter((part) => part.negated)
    .map(({ text, quoted }) => runAtom(tokensOf(text), !quoted && text.endsWith('*')));
  const words = parts.filter((part) => !part.quoted && !part.negated).map(({ text }) => text);
  return limited({
    any: wordAtoms(
      words,
      runOrWords,
      all.some((atom) => atom.length > 0),
    ),
    all,
    none,
  });
}

/** A question in plain words: without operators, and compound parts count separately. */
export function parseQuestion(text: string): Query {
  const chunks = text.slice(0, MAX_QUERY_LENGTH).split(/\s+/);
  const discriminative = wordAtoms(chunks, eachWord, true, isQuestionWord);
  const any = discriminative.length > 0 ? discriminative : wordAtoms(chunks, eachWord, true);
  return limited({ any, all: [], none: [] });
}

interface Part {
  readonly text: string;
  readonly quoted: boolean;
  readonly negated: boolean;
}

const QUOTES = '"“”„«»「」';
const SPACE = /\s/;

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  const isQuote = (at: number) => QUOTES.includes(text.charAt(at));
  const endOf = (from: number, stops: (at: number) => boolean) => {
    let at = from;
    while (at < text.length && !stops(at)) at += 1;
    return at;
  };
  for (let at = 0; at < text.length;) {
    if (SPACE.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const negated = /^[-−][^\s\-−]/.test(text.slice(at, at + 2));
    if (negated) at += 1;
    const quoted = isQuote(at);
    if (quoted) at += 1;
    const end = endOf(at, quoted ? isQuote : (i) => isQuote(i) || SPACE.test(text.charAt(i)));
    if (end > at) parts.push({ text: text.slice(at, end), quoted, negated });
    at = quoted ? end + 1 : Math.max(end, at);
  }
  return parts;
}

/** The query terms of one chunk without spaces. */
type Reading = (chunk: string, tokens: readonly Token[]) => readonly QueryTerm[];

/**
 * Dots, digits and similar characters make it one name: `INV-2024-001`, `anna@example.com`. A hyphen or a single
 * slash only joins words.
 */
const NAME = /[\p{N}@._\\:#&+]|\/.*\//u;

/** Longer chunks are no names, and trimming them would be slow. */
const MAX_NAME_LENGTH = 200;
const OUTER = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const isName = (chunk: string): boolean =>
  chunk.length <= MAX_NAME_LENGTH && NAME.test(chunk.replace(OUTER, ''));

const runOrWords: Reading = (chunk, tokens) => {
  if (chunk.endsWith('*')) return [runAtom(tokens, true)];
  const name = tokens.length > 1 && isName(chunk) && tokens.every((token) => !token.spaceless);
  return name ? [[...runAtom(tokens, false), ...groupedNumber(chunk)]] : eachWord(chunk, tokens);
};

const eachWord: Reading = (_chunk, tokens) => tokens.flatMap(tokenAtoms);

const exactly = (...terms: readonly string[]): TermSequence => ({ terms, prefix: false });

function tokenAtoms({ plain, spaceless }: Token): readonly QueryTerm[] {
  if (!spaceless) return [queryForms(plain).map((form) => exactly(form))];
  const pairs = pairsOf(plain);
  return pairs.length ? pairs.map((pair) => [exactly(pair)]) : [[{ terms: [plain], prefix: true }]];
}

const groupedNumber = (chunk: string): QueryTerm => {
  const number = parseGroupedNumber(chunk.replace(OUTER, ''));
  return number === undefined ? [] : [exactly(...number)];
};

/** The tokens as a sequence, in each language they may be in. With `prefix` the last word may continue. */
function runAtom(all: readonly Token[], prefix: boolean): QueryTerm {
  const tokens = all.slice(0, MAX_SEQUENCE_LENGTH);
  const last = tokens.at(-1);
  if (!last) return [];
  const before = tokens.slice(0, -1);
  const single = last.spaceless && pairsOf(last.plain).length === 0;
  const runs = LATIN_LANGUAGES.flatMap((language): readonly TermSequence[] => {
    const lead = before.flatMap((token) => inRun(token, language));
    if (last.spaceless)
      return [
        { terms: [...lead, ...(single ? [last.plain] : pairsOf(last.plain))], prefix: single },
      ];
    if (!prefix) return [exactly(...lead, ...inRun(last, language))];
    const open = withoutAccents(last.plain);
    return [
      { terms: [...lead, open], prefix: true },
      ...prefixStems(open).map((stem) => exactly(...lead, stem)),
    ];
  });
  return distinct(runs.filter(({ terms }) => terms.length > 0).map(shortened));
}

const shortened = (run: TermSequence): TermSequence =>
  run.terms.length > MAX_SEQUENCE_LENGTH
    ? exactly(...run.terms.slice(0, MAX_SEQUENCE_LENGTH))
    : run;

/** As in an indexed text: bigrams are followed by the last character of the run. */
const inRun = ({ plain, spaceless }: Token, language: string): readonly string[] =>
  spaceless ? [...pairsOf(plain), lastOf(plain)] : documentForms(plain, language).slice(0, 1);

/**
 * The words of chunks without function and question words, unless nothing else remains and `none` is not acceptable.
 */
function wordAtoms(
  chunks: readonly string[],
  read: Reading,
  mayBeNone: boolean,
  isIdle: typeof isStopWord = () => false,
): readonly QueryTerm[] {
  const cut = chunks.map((chunk) => ({ chunk, tokens: tokensOf(withoutChineseStopWords(chunk)) }));
  const languages = questionLanguages(
    cut.flatMap(({ tokens }) => tokens.map(({ plain }) => plain)),
  );
  const found = cut.flatMap(({ chunk, tokens }) => {
    if (isName(chunk) || chunk.endsWith('*')) return read(chunk, tokens);
    return read(
      '',
      tokens.filter(({ plain }) => !isStopWord(plain, languages) && !isIdle(plain, languages)),
    );
  });
  if (mayBeNone || found.some((atom) => atom.length)) return found;
  return chunks.flatMap((chunk) => read(chunk, tokensOf(chunk)));
}

function limited({ any, all, none }: Query): Query {
  const hard = distinct(all).slice(0, MAX_QUERY_TERMS / 3);
  const shut = distinct(none).slice(0, MAX_QUERY_TERMS / 3);
  const taken = new Set([...hard, ...shut].map((atom) => JSON.stringify(atom)));
  const soft = distinct(any).filter((atom) => !taken.has(JSON.stringify(atom)));
  return { any: soft.slice(0, MAX_QUERY_TERMS - hard.length - shut.length), all: hard, none: shut };
}

/** Without empty ones and duplicates. */
const distinct = <T extends readonly unknown[] | TermSequence>(
  list: readonly T[],
): readonly T[] => [
  ...new Map(
    list
      .filter((item) => !Array.isArray(item) || item.length > 0)
      .map((item) => [JSON.stringify(item), item]),
  ).values(),
];
