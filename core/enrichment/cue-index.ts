import { tokensOf, withoutAccents } from '../text/index.ts';

/** A phrase to search for: whole words, or with `open` word beginnings. */
interface Cue<T> {
  readonly words: readonly { readonly plain: string; readonly open: boolean }[];
  readonly key: string;
  readonly value: T;
}

export interface CueIndex<T> {
  /** Calls `found` for each occurrence of each cue, in the order of the words. */
  match(words: readonly string[], found: (value: T, key: string, at: number) => void): void;
  /** Cues in scripts without spaces, searched as substrings. */
  readonly spaceless: readonly { readonly text: string; readonly value: T }[];
}

/** Length of the prefix by which cues are indexed. */
const PREFIX = 2;

/** Normal form of the words of a text or a cue. */
export const comparable = (text: string): string[] =>
  tokensOf(text)
    .map(({ plain }) => withoutAccents(plain).replaceAll(/['’ʼ]/g, ' '))
    .flatMap(parts);

const parts = (word: string): string[] => (word.includes(' ') ? word.split(' ') : [word]);

/** Costs a few comparisons per word, independent of the number of cues. */
export function cueIndex<T>(lists: readonly (readonly [phrases: string, value: T])[]): CueIndex<T> {
  const byPrefix = new Map<string, Cue<T>[]>();
  const spaceless: { text: string; value: T }[] = [];
  for (const [phrases, value] of lists)
    for (const phrase of phrases.split(',').map((each) => each.trim())) {
      if (/\p{Script=Han}/u.test(phrase)) spaceless.push({ text: phrase, value });
      const words = phrase
        .split(/\s+/)
        .flatMap((word) => comparable(word).map((plain) => ({ plain, open: word.endsWith('*') })));
      const first = words[0]?.plain;
      if (first === undefined || /\p{Script=Han}/u.test(first)) continue;
      const prefix = first.slice(0, PREFIX);
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), { words, key: phrase, value }]);
    }
  return {
    spaceless,
    match: (words, found) =>
      words.forEach((word, at) => {
        for (const cue of byPrefix.get(word.slice(0, PREFIX)) ?? [])
          if (occursAt(cue, words, at)) found(cue.value, cue.key, at);
      }),
  };
}

const occursAt = ({ words }: Cue<unknown>, text: readonly string[], at: number): boolean =>
  words.every(({ plain, open }, i) => {
    const word = text[at + i];
    return word !== undefined && (open ? word.startsWith(plain) : word === plain);
  });
