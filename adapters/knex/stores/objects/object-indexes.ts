import type { ObjectFilter, ObjectOrder } from '../../../../ports/objects.ts';
import { isByTime } from './object-orders.ts';

/** So many matches are sorted rather than searched for in the index of an order. */
export const MAX_SORTED = 1_000;

const isDefined = (value: unknown): boolean => value !== undefined;

/**
 * The index in order of time that begins with the most selective conditions. Other conditions are checked on its
 * entries.
 */
export function facetIndex(filter: ObjectFilter): string {
  const { collectionId, collectionIds, themeId, docType, kinds, status, hasSuggestion } = filter;
  // Few objects have the same content.
  if (isDefined(filter.contentHash)) return 'objects_by_hash';
  const oneKind = kinds?.length === 1;
  if (isDefined(collectionId)) {
    if (oneKind) return 'objects_by_folder_and_kind';
    return docType === undefined ? 'objects_by_folder' : 'objects_by_folder_and_type';
  }
  if (isDefined(collectionIds) || isDefined(themeId)) return 'objects_by_folder';
  // Most objects are ready, and have no suggestion.
  if (isDefined(status) && status !== 'ready') return 'objects_by_status';
  if (hasSuggestion) return 'objects_by_suggestion';
  if (docType !== undefined) return oneKind ? 'objects_by_kind_and_type' : 'objects_by_doc_type';
  if (oneKind) return 'objects_by_kind';
  if (isDefined(status)) return 'objects_by_status';
  return isDefined(hasSuggestion) ? 'objects_by_suggestion' : 'objects_by_time';
}

/** The index in order of time of a list that is not sorted. A theme or several folders have no order in an index. */
export const timeIndex = ({ collectionIds: _many, themeId: _theme, ...filter }: ObjectFilter) =>
  facetIndex(filter);

/**
 * Whether the entries of the index that a page in order of time reads are exactly the matches of a filter. A page then
 * needs no total: no entries past the last match are scanned.
 */
export const isIndexed = (filter: ObjectFilter): boolean =>
  !isDefined(filter.collectionIds) &&
  !isDefined(filter.themeId) &&
  !isDefined(filter.contentHash) &&
  isExact(filter);

/** Whether the entries of one index, or of a few ranges of it, are exactly the matches of a filter. */
function isExact(filter: ObjectFilter): boolean {
  const { collectionId, collectionIds, themeId, kinds, docType, textState } = filter;
  const { status, hasSuggestion, suggestionFolders, category } = filter;
  if (isDefined(textState) || (isDefined(hasSuggestion) && isDefined(suggestionFolders)))
    return false;
  if (kinds !== undefined && kinds.length !== 1) return false;
  const inOneIndex = [collectionId, kinds, docType].filter(isDefined).length;
  const alone = [collectionIds, themeId, status, hasSuggestion, category].filter(isDefined).length;
  return alone === 0 ? inOneIndex < 3 : alone === 1 && inOneIndex === 0;
}

/** Whether a list of so many matches is read by its facets and sorted, not searched for in the index of its order. */
export const isSorted = (filter: ObjectFilter, order: ObjectOrder, total: number): boolean =>
  total <= MAX_SORTED &&
  (isDefined(filter.contentHash) ||
    (isExact(filter) && (isDefined(filter.themeId) || (!isByTime(order) && hasFacet(filter)))));

const hasFacet = (filter: ObjectFilter): boolean =>
  [
    filter.collectionId,
    filter.collectionIds,
    filter.kinds,
    filter.docType,
    filter.status,
    filter.hasSuggestion,
    filter.category,
    filter.createdFrom,
    filter.createdTo,
  ].some(isDefined);
