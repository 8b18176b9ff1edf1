import type { Scheduler } from '../../ports/runtime.ts';
import {
  documentForms,
  isStopWord,
  questionLanguages,
  tokensOf,
  withoutAccents,
  withoutChineseStopWords,
  type QuestionLanguage,
} from '../text/index.ts';
import { COMMON_WORDS } from './common-words.ts';

const MOST = 10;
const MIN_WORD_LENGTH = 3;
const LONGEST = 40;
/** Maximum number of distinct words counted: garbage without spaces must not fill the memory. */
const MAX_COUNTED_WORDS = 20_000;

interface Counted {
  count: number;
  /** Position of the first occurrence, in words. */
  readonly first: number;
  readonly shown: Map<string, number>;
}

/**
 * The most characteristic words and word pairs of a text, the best first: those that are frequent, early, or in its
 * title. Forms of one word count together, and the most frequent form is shown.
 */
export async function keywordsOf(
  scheduler: Scheduler,
  pieces: readonly string[],
  title: string,
  language: string,
): Promise<readonly string[]> {
  const words = new Map<string, Counted>();
  const pairs = new Map<string, Counted>();
  const han = new Map<string, Counted>();
  let position = 0;
  const languages = languagesOf(pieces[0] ?? '', language);
  const inTitle = new Set(significant(title, language, languages).map(({ key }) => key));
  for (const piece of pieces) {
    let before: { key: string; shown: string; end: number } | undefined;
    for (const word of significant(piece, language, languages)) {
      position += 1;
      count(words, word.key, word.shown, position);
      // Adjacent, separated by a space only.
      if (before && word.start - before.end === 1 && piece[before.end] === ' ')
        count(pairs, `${before.key} ${word.key}`, `${before.shown} ${word.shown}`, position);
      before = word;
    }
    countHan(han, piece);
    await scheduler.yield();
  }
  return chosen(words, pairs, han, inTitle);
}

function languagesOf(sample: string, language: string): readonly QuestionLanguage[] {
  const known = (['en', 'ru', 'de', 'fr', 'es', 'zh'] as const).find((each) => each === language);
  if (known) return [known];
  return questionLanguages(
    tokensOf(sample.slice(0, 4_000))
      .slice(0, 400)
      .map(({ plain }) => plain),
  );
}

interface Significant {
  readonly key: string;
  readonly shown: string;
  readonly start: number;
  readonly end: number;
}

function significant(
  text: string,
  language: string,
  languages: readonly QuestionLanguage[],
): readonly Significant[] {
  return tokensOf(text).flatMap(({ plain, spaceless, start, end }) => {
    if (
      spaceless ||
      plain.length < MIN_WORD_LENGTH ||
      plain.length > LONGEST ||
      /\p{N}/u.test(plain)
    )
      return [];
    const bare = withoutAccents(plain);
    if (isStopWord(plain, languages) || COMMON_WORDS.has(bare)) return [];
    const key = documentForms(plain, language || (languages[0] ?? ''))[0] ?? bare;
    const written = text.slice(start, end);
    return [{ key, shown: isName(written) ? written : written.toLowerCase(), start, end }];
  });
}

/** Capitals within a word belong to its spelling: PostgreSQL, NATO. Longer words are set in capitals. */
const isName = (word: string): boolean =>
  /^.+\p{Lu}/u.test(word) && (word.length <= 4 || word !== word.toUpperCase());

function count(into: Map<string, Counted>, key: string, shown: string, first: number): void {
  const known = into.get(key);
  if (known) {
    known.count += 1;
    known.shown.set(shown, (known.shown.get(shown) ?? 0) + 1);
  } else if (into.size < MAX_COUNTED_WORDS)
    into.set(key, { count: 1, first, shown: new Map([[shown, 1]]) });
}

/** Chinese and Japanese have no spaces: repeated sequences of two to four characters count as words. */
function countHan(into: Map<string, Counted>, piece: string): void {
  if (!/\p{Script=Han}/u.test(piece)) return;
  for (const [run] of withoutChineseStopWords(piece).matchAll(/\p{Script=Han}{2,60}/gu)) {
    const letters = [...run];
    for (const size of [2, 3, 4])
      for (let at = 0; at + size <= letters.length; at++) {
        const word = letters.slice(at, at + size).join('');
        count(into, word, word, at);
      }
  }
}

function chosen(
  words: ReadonlyMap<string, Counted>,
  pairs: ReadonlyMap<string, Counted>,
  han: ReadonlyMap<string, Counted>,
  inTitle: ReadonlySet<string>,
): readonly string[] {
  const worth = (key: string, { count, first }: Counted): number => {
    const early = 1 + 0.5 / (1 + first / 50);
    const titled = key.split(' ').every((part) => inTitle.has(part)) ? 2.2 : 1;
    return Math.sqrt(count) * early * titled * (1 + Math.min(key.length, 12) / 40);
  };
  const ranked = [
    ...[...words].map(([key, each]) => ({ key, each, score: worth(key, each) })),
    ...[...pairs]
      .filter(([, { count }]) => count >= 2)
      .map(([key, each]) => ({ key, each, score: 1.25 * worth(key, each) })),
    ...[...han]
      .filter(([, { count }]) => count >= 2)
      .map(([key, each]) => ({ key, each, score: worth(key, each) * Math.sqrt(key.length) })),
  ].sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  const stored: { readonly key: string; readonly shown: string }[] = [];
  for (const { key, each } of ranked) {
    if (stored.length === MOST) break;
    if (stored.some((other) => sharesWords(other.key, key))) continue;
    stored.push({ key, shown: commonest(each.shown) });
  }
  return [...new Set(stored.map(({ shown }) => shown))];
}

/** A pair replaces its words, and a sequence of characters its parts. */
const sharesWords = (a: string, b: string): boolean =>
  /\p{Script=Han}/u.test(a)
    ? a.includes(b) || b.includes(a)
    : a.split(' ').some((part) => b.split(' ').includes(part));

const commonest = (shown: ReadonlyMap<string, number>): string =>
  [...shown].sort((a, b) => b[1] - a[1] || (a[0] > b[0] ? -1 : 1))[0]?.[0] ?? '';
