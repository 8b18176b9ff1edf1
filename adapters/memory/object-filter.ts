import type { Collection } from '../../ports/library.ts';
import {
  categoryKey,
  hasSuggestion,
  type ObjectFilter,
  type ObjectOrder,
  type ObjectPosition,
  type StoredObject,
} from '../../ports/objects.ts';
import { byCodePoint } from './order.ts';

interface Folders {
  get(id: string): Collection | undefined;
}

/** Whether an object passes a filter. The folders are those of the same owner. */
export function createMatcher(
  folders: Folders,
  filter: ObjectFilter,
): (object: StoredObject) => boolean {
  const category = filter.category === undefined ? undefined : categoryKey(filter.category);
  const { createdFrom = -Infinity, createdTo = Infinity, themeId } = filter;
  return (object) =>
    (filter.visibility === 'any' || (filter.visibility === 'hidden') === object.isHidden) &&
    filter.trashed === (object.deletedAt !== null) &&
    (filter.kinds === undefined || filter.kinds.includes(object.kind)) &&
    (filter.docType === undefined || filter.docType === object.docType) &&
    (filter.collectionId === undefined || filter.collectionId === object.collectionId) &&
    isAmong(object, filter.collectionIds) &&
    (filter.textState === undefined || filter.textState === object.textState) &&
    (filter.status === undefined || filter.status === object.status) &&
    (themeId === undefined || themeOf(folders, object) === themeId) &&
    (category === undefined || object.categories.some((each) => categoryKey(each) === category)) &&
    (filter.contentHash === undefined || filter.contentHash === object.contentHash) &&
    (filter.hasSuggestion === undefined || filter.hasSuggestion === suggests(object, filter)) &&
    createdFrom <= object.createdAt &&
    object.createdAt < createdTo;
}

export const isAmong = (
  { collectionId }: Pick<StoredObject, 'collectionId'>,
  collectionIds: readonly string[] | undefined,
): boolean =>
  collectionIds === undefined || (collectionId !== null && collectionIds.includes(collectionId));

const themeOf = (folders: Folders, { collectionId }: StoredObject): string | null =>
  (collectionId === null ? undefined : folders.get(collectionId)?.themeId) ?? null;

function suggests(object: StoredObject, { suggestionFolders }: ObjectFilter): boolean {
  const { suggestedName, suggestedCollectionId } = object;
  if (!suggestionFolders) return hasSuggestion(object);
  return (
    suggestedName !== null ||
    (suggestedCollectionId !== null && suggestionFolders.includes(suggestedCollectionId))
  );
}

type Compare = (a: ObjectPosition, b: ObjectPosition) => number;

const byKey: Compare = (a, b) =>
  (typeof a.key === 'string' && typeof b.key === 'string'
    ? byCodePoint(a.key, b.key)
    : Number(a.key) - Number(b.key)) || byCodePoint(a.id, b.id);
const descending: Compare = (a, b) => byKey(b, a);

export const ORDERS: Readonly<Record<ObjectOrder, Compare>> = {
  newest: descending,
  oldest: byKey,
  name: byKey,
  largest: descending,
  updated: descending,
};
