/** Something found in a text, between two UTF-16 indices. */
export interface Found {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What a kind of entity lists at most, and the longest it may be. */
export const MOST_LISTED = 50;
const LONGEST = 300;

/** As they stand in the text, each once, in the order of their first appearance. */
export function listed(found: readonly Found[]): readonly string[] {
  const once = new Map<string, string>();
  for (const { text } of [...found].sort((a, b) => a.start - b.start)) {
    const shown = text.replaceAll(/\s+/g, ' ').trim();
    const key = shown.toLowerCase();
    if (shown !== '' && shown.length <= LONGEST && !once.has(key)) once.set(key, shown);
    if (once.size === MOST_LISTED) break;
  }
  return [...once.values()];
}

export const overlapsAny = (
  { start, end }: { readonly start: number; readonly end: number },
  others: readonly Found[],
): boolean => others.some((other) => start < other.end && other.start < end);

/** Every match of a pattern that must not take more than a bounded look at any place. */
export const all = (text: string, pattern: RegExp): readonly (Found & { groups: Groups })[] =>
  [...text.matchAll(pattern)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    groups: match.groups ?? {},
  }));

export type Groups = Readonly<Record<string, string | undefined>>;
