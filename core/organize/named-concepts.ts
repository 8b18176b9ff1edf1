import type { Scheduler } from '../../ports/runtime.ts';
import { pairsOf, queryForms, tokensOf } from '../text/index.ts';
import { DOCUMENT_CLASSES, THEMES, type DocumentClass, type ThemeKind } from './concepts.ts';
import { wordsOfName } from './lexicon.ts';

/** A meaning of a folder name: a document class, or a theme of several classes. */
export interface Concept {
  readonly theme: ThemeKind | null;
  /** True for a theme, which is broader than a class. */
  readonly wide: boolean;
  /** Confidence that a folder with this name is meant for the class, 0..1. */
  readonly draws: Readonly<Partial<Record<DocumentClass, number>>>;
  /** All stems of the single words that name it. */
  readonly forms: ReadonlySet<string>;
}

interface Phrase {
  readonly words: readonly ReadonlySet<string>[];
  readonly concept: Concept;
}

/** A part of a name: a concept, or a custom word. */
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

/** Indexed by the stems of the first word. Built on first use, since a few thousand words are stemmed. */
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
  for (const [sort, { names, words, theme }] of Object.entries(DOCUMENT_CLASSES)) {
    const written = spelled(names, words);
    add({ theme, wide: false, draws: { [sort]: 1 }, forms: singleForms(written) }, written);
  }
  for (const [theme, { names, words, draws }] of Object.entries(THEMES)) {
    const written = spelled(names, words);
    add({ theme: theme as ThemeKind, wide: true, draws, forms: singleForms(written) }, written);
  }
  return (phrases = found);
}

/** Stems the words of all concepts in slices; the result is cached. */
export async function makeConcepts(scheduler: Scheduler): Promise<void> {
  if (phrases) return;
  for (const { names, words } of [...Object.values(DOCUMENT_CLASSES), ...Object.values(THEMES)]) {
    for (const written of spelled(names, words)) tokensOf(written).forEach(formsOf);
    await scheduler.yield();
  }
}

const spelled = (
  names: Readonly<Record<string, string>>,
  words: readonly string[],
): readonly string[] => [...new Set([...Object.values(names), ...words])];

const singleForms = (written: readonly string[]): ReadonlySet<string> =>
  new Set(
    written.flatMap((text) => {
      const tokens = tokensOf(text);
      return tokens.length === 1 ? tokens.flatMap(formsOf) : [];
    }),
  );

/** Splits a name into concepts: the longest known phrases, and the significant words in between. */
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

/** The theme that a theme's name means, null for a custom name. */
export function themeKindOf(name: string): ThemeKind | null {
  const parts = partsOfName(name);
  const wide = parts.flatMap(({ concepts }) => concepts.filter((concept) => concept.wide));
  const any = parts.flatMap(({ concepts }) => concepts);
  return (wide[0] ?? any[0])?.theme ?? null;
}

/** A word that names a class or a theme and therefore is no topic. */
export const meansConcept = (name: string): boolean => {
  const parts = partsOfName(name);
  return parts.every(({ concepts }) => concepts.length > 0);
};
