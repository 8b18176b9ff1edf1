import { t } from '../../i18n/search.ts';
import type { ObjectFilters } from '../../data/object-filters.ts';
import { search } from './search-query.ts';
import { termsOf, type Term } from './words.ts';

/** A search that asks for less. */
export interface Relaxation {
  readonly label: string;
  readonly q: string;
  readonly filters: ObjectFilters;
}

export interface FoundRelaxation extends Relaxation {
  readonly total: number;
}

const MAX_TRIES = 10;
const MIN_BEGINNING_LENGTH = 4;

/** What can be dropped from a search that finds nothing, and how many documents are found then. */
export async function findRelaxations(
  q: string,
  filters: ObjectFilters,
  signal: AbortSignal,
): Promise<readonly FoundRelaxation[]> {
  const tries = relaxationsOf(q, filters).slice(0, MAX_TRIES);
  const found = await Promise.all(
    tries.map(async (each) => ({
      ...each,
      total: (await search(each.q, each.filters, { limit: 1 }, signal)).total,
    })),
  );
  return found.filter(({ total }) => total > 0);
}

function relaxationsOf(q: string, filters: ObjectFilters): readonly Relaxation[] {
  const terms = termsOf(q);
  const names = new Map(Object.entries(t().search.filters));
  const withoutFilters = namesOf(filters).map((name) => ({
    label: t().search.withoutFilter(names.get(name) ?? name),
    q,
    filters: Object.fromEntries(Object.entries(filters).filter(([each]) => each !== name)),
  }));
  const phrases = terms.filter(({ isPhrase, isExcluded }) => isPhrase && !isExcluded);
  const words = terms.filter(({ isPhrase, isExcluded, text }) => {
    return !isPhrase && !isExcluded && text.length > MIN_BEGINNING_LENGTH && !text.endsWith('*');
  });
  return [
    ...withoutFilters,
    ...phrases.map((phrase) => ({
      label: t().search.asWords(phrase.text),
      q: replaced(terms, phrase, phrase.text.replaceAll('"', '')),
      filters,
    })),
    ...(terms.length > 1
      ? terms.map((term) => ({
          label: t().search.withoutWord(term.text.replaceAll('"', '')),
          q: replaced(terms, term, ''),
          filters,
        }))
      : []),
    ...words.map((word) => {
      const beginning = [...word.text].slice(0, -2).join('');
      const part = beginning.length < MIN_BEGINNING_LENGTH ? word.text : beginning;
      return {
        label: t().search.asBeginning(part),
        q: replaced(terms, word, `${part}*`),
        filters,
      };
    }),
  ];
}

/** The filters that the owner has chosen. */
export const namesOf = (filters: ObjectFilters): readonly string[] =>
  Object.keys(filters).filter((name) => name !== 'include_hidden');

const replaced = (terms: readonly Term[], term: Term, text: string): string =>
  terms
    .map((each) => (each === term ? text : each.text))
    .filter((each) => each !== '')
    .join(' ');
