import type { Breather } from '../../ports/time-and-ids.ts';
import { pairsOf, queryForms, tokensOf } from '../text/index.ts';
import { SORTS, THEMES, type Sort, type ThemeKind } from './concepts.ts';
import { wordsOfName } from './lexicon.ts';

/** Something a folder's name may mean: a sort of documents, or a whole theme of them. */
export interface Concept {
  readonly theme: ThemeKind | null;
  /** True of a theme, which is wider than any sort. */
  readonly wide: boolean;
  /** How surely a folder of this name is meant for an object of the sort, 0..1. */
  readonly draws: Readonly<Partial<Record<Sort, number>>>;
  /** Every form of the single words that mean it. */
  readonly forms: ReadonlySet<string>;
}

interface Phrase {
  readonly words: readonly ReadonlySet<string>[];
  readonly concept: Concept;
}

/** A part of a name: a concept, or a word of its own. */
export interface NamePart {
  readonly concepts: readonly Concept[];
  readonly forms: readonly string[];
}

const formsOf = (token: {
  readonly plain: string;
  readonly spaceless: boolean;
}): readonly string[] =>
  token.spaceless ? [...pairsOf(token.plain), token.plain] : queryForms(token.plain);

let phrases: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** By the forms of the first word. Made when first asked for: a few thousand words are stemmed. */
function phrasesByForm(): ReadonlyMap<string, readonly Phrase[]> {
  if (phrases) return phrases;
  const found = new Map<string, Phrase[]>();
  const add = (concept: Concept, written: readonly string[]): void => {
    for (const text of written) {
      const words = tokensOf(text).map((token) => new Set(formsOf(token)));
      for (const form of words[0] ?? []) {
        const list = found.get(form) ?? [];
        list.push({ words, concept });
        found.set(form, list);
      }
    }
  };
  for (const [sort, { names, words, theme }] of Object.entries(SORTS)) {
    const written = spelled(names, words);
    add({ theme, wide: false, draws: { [sort]: 1 }, forms: singleForms(written) }, written);
  }
  for (const [theme, { names, words, draws }] of Object.entries(THEMES)) {
    const written = spelled(names, words);
    add({ theme: theme as ThemeKind, wide: true, draws, forms: singleForms(written) }, written);
  }
  return (phrases = found);
}

/** Stems the words of all concepts, a few at a time; what is made is kept. */
export async function makeConcepts(breather: Breather): Promise<void> {
  if (phrases) return;
  for (const { names, words } of [...Object.values(SORTS), ...Object.values(THEMES)]) {
    for (const written of spelled(names, words)) tokensOf(written).forEach(formsOf);
    await breather.breathe();
  }
}

const spelled = (names: Readonly<Record<string, string>>, words: string): readonly string[] => [
  ...new Set([
    ...Object.values(names),
    ...words.split(/\s+/).map((word) => word.replaceAll('_', ' ')),
  ]),
];

const singleForms = (written: readonly string[]): ReadonlySet<string> =>
  new Set(
    written.flatMap((text) => {
      const tokens = tokensOf(text);
      return tokens.length === 1 ? tokens.flatMap(formsOf) : [];
    }),
  );

/** A name cut into what it means: the longest known phrases, and the telling words left between them. */
export function partsOfName(name: string): readonly NamePart[] {
  const known = phrasesByForm();
  const tokens = tokensOf(name).map((token) => ({ token, forms: formsOf(token) }));
  const parts: NamePart[] = [];
  for (let at = 0; at < tokens.length;) {
    const here = tokens[at];
    if (!here) break;
    const starting = [...new Set(here.forms.flatMap((form) => known.get(form) ?? []))].filter(
      ({ words }) =>
        words.every((word, i) => tokens[at + i]?.forms.some((form) => word.has(form)) ?? false),
    );
    const length = Math.max(0, ...starting.map(({ words }) => words.length));
    if (length > 0) {
      const longest = starting.filter(({ words }) => words.length === length);
      parts.push({
        concepts: [...new Set(longest.map(({ concept }) => concept))],
        forms: length === 1 ? here.forms : [],
      });
    } else
      for (const { forms } of wordsOfName(here.token.plain)) parts.push({ concepts: [], forms });
    at += Math.max(1, length);
  }
  return parts;
}

/** The theme that a theme's name means, null when it is a name of its own. */
export function themeKindOf(name: string): ThemeKind | null {
  const parts = partsOfName(name);
  const wide = parts.flatMap(({ concepts }) => concepts.filter((concept) => concept.wide));
  const any = parts.flatMap(({ concepts }) => concepts);
  return (wide[0] ?? any[0])?.theme ?? null;
}

/** A word that names a sort or a theme and so no topic. */
export const meansConcept = (name: string): boolean => {
  const parts = partsOfName(name);
  return parts.every(({ concepts }) => concepts.length > 0);
};
