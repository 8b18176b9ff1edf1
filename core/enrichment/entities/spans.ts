/** An entity in a text, as a range of UTF-16 indices. */
export interface Found {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of entities of a kind, and their maximum length. */
export const MAX_ENTITIES = 50;
const LONGEST = 300;

/** As written in the text, without duplicates, in order of first appearance. */
export function listed(found: readonly Found[]): readonly string[] {
  const once = new Map<string, string>();
  for (const { text } of [...found].sort((a, b) => a.start - b.start)) {
    const shown = text.replaceAll(/\s+/g, ' ').trim();
    const key = shown.toLowerCase();
    if (shown !== '' && shown.length <= LONGEST && !once.has(key)) once.set(key, shown);
    if (once.size === MAX_ENTITIES) break;
  }
  return [...once.values()];
}

export const overlapsAny = (
  { start, end }: { readonly start: number; readonly end: number },
  others: readonly Found[],
): boolean => others.some((other) => start < other.end && other.start < end);

/** All matches of a pattern that needs a bounded effort at each position. */
export const all = (text: string, pattern: RegExp): readonly (Found & { groups: Groups })[] =>
  [...text.matchAll(pattern)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    groups: match.groups ?? {},
  }));

export type Groups = Readonly<Record<string, string | undefined>>;
