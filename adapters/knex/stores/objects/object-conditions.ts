import { categoryKey, type ObjectFilter } from '../../../../ports/objects.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../../../ports/text-extraction.ts';
import { placeholders, type Value } from '../../sql.ts';

export interface Query {
  readonly text: string;
  readonly values: readonly Value[];
}

/** Conditions that all apply. */
export interface Conditions {
  readonly parts: readonly string[];
  readonly values: readonly Value[];
}

class ConditionList implements Conditions {
  readonly parts: string[] = [];
  readonly values: Value[] = [];
  add(part: string, ...values: readonly Value[]): void {
    this.parts.push(part);
    this.values.push(...values);
  }
}

/** 0 for visible objects, 1 for hidden ones. */
export const states = ({ visibility }: ObjectFilter): readonly number[] =>
  visibility === 'any' ? [0, 1] : [visibility === 'hidden' ? 1 : 0];

/** The folders of a filter, '' for none; undefined if it has no condition on the folder itself. */
export function foldersOf({
  collectionId,
  collectionIds,
}: ObjectFilter): readonly string[] | undefined {
  if (!collectionIds) return collectionId === undefined ? undefined : [collectionId ?? ''];
  const ids = [...new Set(collectionIds)];
  return collectionId === undefined ? ids : ids.filter((id) => id === collectionId);
}

const inState = (list: ConditionList, isHidden: readonly number[]): void => {
  const [only, ...more] = isHidden;
  if (only !== undefined && more.length === 0) list.add('is_hidden = ?', only);
  else list.add(`is_hidden in (${placeholders(isHidden.length)})`, ...isHidden);
};

/** The folders of a theme are few, so they are read once for a query. */
export const IN_THEME = 'folder in (select id from collections where owner_id = ? and theme = ?)';

/**
 * The conditions of a filter on the rows of `objects`, but for the category. The names of the columns are those of no
 * other table that the queries join.
 */
export function objectConditions(
  ownerId: string,
  filter: ObjectFilter,
  isHidden: readonly number[],
): Conditions {
  const list = new ConditionList();
  list.add('owner_id = ?', ownerId);
  list.add('trashed = ?', filter.trashed ? 1 : 0);
  inState(list, isHidden);
  addFacets(list, ownerId, filter);
  addPeriod(list, 'created_at', filter);
  return list;
}

/** Conditions beside owner, state and time. */
export function facetConditions(ownerId: string, filter: ObjectFilter): Conditions {
  const list = new ConditionList();
  addFacets(list, ownerId, filter);
  return list;
}

function addFacets(list: ConditionList, ownerId: string, filter: ObjectFilter): void {
  const { docType, kinds, textState, status, themeId, contentHash } = filter;
  const folders = foldersOf(filter);
  const [folder, ...more] = folders ?? [];
  if (folder !== undefined && more.length === 0) list.add('folder = ?', folder);
  else if (folders) list.add(`folder in (${placeholders(folders.length)})`, ...folders);
  if (themeId !== undefined) list.add(IN_THEME, ownerId, themeId);
  if (docType !== undefined) list.add('doc_type = ?', docType);
  if (kinds !== undefined) addKinds(list, kinds);
  if (textState !== undefined) list.add('text_state = ?', textState);
  if (status !== undefined) list.add('status = ?', status);
  if (contentHash !== undefined) list.add('content_hash = ?', contentHash);
  addSuggestion(list, filter);
}

/** If most kinds are requested, the exclusion of the others is faster. */
function addKinds(list: ConditionList, kinds: readonly ObjectKind[]): void {
  const others = OBJECT_KINDS.filter((kind) => !kinds.includes(kind));
  if (kinds.length === 1) list.add('kind = ?', ...kinds);
  else if (others.length === 1) list.add('kind <> ?', ...others);
  else list.add(`kind in (${placeholders(kinds.length)})`, ...kinds);
}

function addSuggestion(list: ConditionList, filter: ObjectFilter): void {
  const { hasSuggestion, suggestionFolders } = filter;
  if (hasSuggestion === undefined) return;
  if (!suggestionFolders) return list.add('suggested = ?', hasSuggestion ? 1 : 0);
  const folders = suggestionFolders.length > 0 ? suggestionFolders : [NO_FOLDER];
  const shown = `(suggested_name is not null
    or coalesce(suggested_folder, '') in (${placeholders(folders.length)}))`;
  // The entry of an index tells of most objects that nothing at all is suggested for them.
  list.add(
    hasSuggestion ? `suggested = 1 and ${shown}` : `(suggested = 0 or not ${shown})`,
    ...folders,
  );
}

/** Not an id. */
export const NO_FOLDER = '-';

function addPeriod(list: ConditionList, column: string, filter: ObjectFilter): void {
  const { createdFrom, createdTo } = filter;
  if (createdFrom !== undefined) list.add(`${column} >= ?`, createdFrom);
  if (createdTo !== undefined) list.add(`${column} < ?`, createdTo);
}

/** The conditions on the rows of `object_categories`, which repeat the state and the time of their objects. */
export function categoryConditions(
  ownerId: string,
  filter: ObjectFilter & { readonly category: string },
  isHidden: readonly number[],
): Conditions {
  const list = new ConditionList();
  list.add('c.owner_id = ?', ownerId);
  list.add('c.category = ?', categoryKey(filter.category));
  list.add('c.trashed = ?', filter.trashed ? 1 : 0);
  if (isHidden.length === 1) list.add('c.is_hidden = ?', ...isHidden);
  else list.add(`c.is_hidden in (${placeholders(isHidden.length)})`, ...isHidden);
  addPeriod(list, 'c.created_at', filter);
  return list;
}

/** The condition that an object has a category, for lists that are in the order of an index of `objects`. */
export const hasCategoryText = `exists (select 1 from object_categories c
  where c.owner_id = objects.owner_id and c.category = ? and c.trashed = objects.trashed
    and c.is_hidden = objects.is_hidden and c.created_at = objects.created_at
    and c.object_id = objects.id)`;

export const hasCategory = (
  filter: ObjectFilter,
): filter is ObjectFilter & { readonly category: string } => filter.category !== undefined;
