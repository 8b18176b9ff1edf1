import type { ObjectFilter } from '../../../../ports/objects.ts';
import { OBJECT_KINDS } from '../../../../ports/text-extraction.ts';
import { indexedBy, placeholders, type Sql, type Value } from '../../sql.ts';
import {
  categoryConditions,
  facetConditions,
  foldersOf,
  hasCategory,
  IN_THEME,
  objectConditions,
  states,
  type Query,
} from './object-conditions.ts';
import { facetIndex } from './object-indexes.ts';

/** Whether counters hold the total of a filter. */
export const isCounted = (filter: ObjectFilter): boolean =>
  !hasCategory(filter) &&
  filter.createdFrom === undefined &&
  filter.createdTo === undefined &&
  filter.contentHash === undefined &&
  (filter.hasSuggestion === undefined || filter.suggestionFolders === undefined);

/**
 * The counters that add up to the total of a filter. Each state has one for all its objects, of kind '*', and one for
 * each combination of facets. If most kinds are requested, it is faster to subtract the others.
 */
export function totalQuery(ownerId: string, filter: ObjectFilter): Query {
  const { docType, textState, status, hasSuggestion, themeId } = filter;
  const folders = foldersOf(filter) ?? (themeId === undefined ? ['*'] : undefined);
  const kinds = [...new Set(filter.kinds ?? OBJECT_KINDS)];
  const others = OBJECT_KINDS.filter((kind) => !kinds.includes(kind));
  const byKindOnly = [docType, textState, status, hasSuggestion].every((it) => it === undefined);
  const wholly = byKindOnly && others.length < kinds.length;
  const counted = wholly ? ['*', ...others] : kinds;
  const state = states(filter);
  const parts = ['owner_id = ?', 'trashed = ?'];
  const values: Value[] = [ownerId, filter.trashed ? 1 : 0];
  const add = (part: string, ...more: readonly Value[]) => {
    parts.push(part);
    values.push(...more);
  };
  if (folders) add(`folder in (${placeholders(folders.length)})`, ...folders);
  if (themeId !== undefined) add(IN_THEME, ownerId, themeId);
  add(`is_hidden in (${placeholders(state.length)})`, ...state);
  add(`kind in (${placeholders(counted.length)})`, ...counted);
  if (docType !== undefined) add('doc_type = ?', docType);
  if (textState !== undefined) add('text_state = ?', textState);
  if (status !== undefined) add('status = ?', status);
  if (hasSuggestion !== undefined) add('suggested = ?', hasSuggestion ? 1 : 0);
  const sum = wholly && others.length > 0 ? "sum(case kind when '*' then n else -n end)" : 'sum(n)';
  return {
    text: `select coalesce(${sum}, 0) as n from object_counts where ${parts.join(' and ')}`,
    values,
  };
}

/** The total of a filter that no counter holds, from index entries where an index has all its columns. */
export const countQuery = (dialect: Sql['dialect'], ownerId: string, filter: ObjectFilter): Query =>
  matchesQuery(dialect, ownerId, filter, 'count(*) as n', 'count(*) as n');

/** The ids of all matches of a filter, in no order. */
export const idsQuery = (dialect: Sql['dialect'], ownerId: string, filter: ObjectFilter): Query =>
  matchesQuery(dialect, ownerId, filter, 'id', 'c.object_id');

function matchesQuery(
  dialect: Sql['dialect'],
  ownerId: string,
  filter: ObjectFilter,
  column: string,
  columnOfCategory: string,
): Query {
  if (!hasCategory(filter)) {
    const { parts, values } = objectConditions(ownerId, filter, states(filter));
    const index = indexedBy({ dialect }, facetIndex(filter));
    const where = parts.join(' and ');
    return { text: `select ${column} from objects${index} where ${where}`, values };
  }
  const own = categoryConditions(ownerId, filter, states(filter));
  const further = facetConditions(ownerId, filter);
  const from = `select ${columnOfCategory} from object_categories c`;
  if (further.parts.length === 0)
    return { text: `${from} where ${own.parts.join(' and ')}`, values: own.values };
  return {
    text: `${from} cross join objects o
      where ${own.parts.join(' and ')} and o.owner_id = c.owner_id and o.id = c.object_id
        and ${further.parts.join(' and ')}`,
    values: [...own.values, ...further.values],
  };
}
