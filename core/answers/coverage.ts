import type { ObjectFilter, StoredObject, TextState } from '../../ports/objects.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

/** How many of the files in scope could be searched. Only files visible to the caller are counted. */
export interface Coverage {
  readonly searched: number;
  /** Files whose text is not available, or not yet. */
  readonly unread: number;
}

export interface SearchCoverage extends Coverage {
  /** Of these, the files still being read. */
  readonly awaited: number;
}

export async function searchCoverage(
  { objects }: Pick<Stores, 'objects'>,
  filter: SearchFilter,
): Promise<SearchCoverage> {
  const { objectIds, ...rest } = filter;
  if (objectIds) {
    const named = (await objects.findMany(objectIds)).filter((object) => inScope(object, rest));
    const inState = (state: TextState) => named.filter((each) => each.textState === state).length;
    const searched = inState('available');
    return { searched, unread: named.length - searched, awaited: inState('pending') };
  }
  const scope: ObjectFilter = { ...rest, trashed: false };
  const searched = await objects.count({ ...scope, textState: 'available' });
  const unread = (await objects.count(scope)) - searched;
  const awaited = unread ? await objects.count({ ...scope, textState: 'pending' }) : 0;
  return { searched, unread, awaited };
}

/** Up to so many objects of either number an answer stores the ids. */
export const MAX_COUNTED_OBJECTS = 200;

const UNREAD: readonly TextState[] = ['pending', 'absent'];

/**
 * The objects that `searchCoverage` has counted in the same unit of work, by number. A list is null if it would be longer
 * than MAX_COUNTED_OBJECTS.
 */
export async function countedObjects(
  { objects }: Pick<Stores, 'objects'>,
  filter: SearchFilter,
  { searched, unread }: Coverage,
): Promise<{ readonly [K in keyof Coverage]: readonly string[] | null }> {
  const { objectIds, ...rest } = filter;
  const named = objectIds && (await objects.findMany(objectIds)).filter((it) => inScope(it, rest));
  const idsOf = async (textState: TextState): Promise<readonly string[]> => {
    if (named) return named.filter((it) => it.textState === textState).map(({ id }) => id);
    const scope: ObjectFilter = { ...rest, trashed: false, textState };
    const { items } = await objects.outlines(scope, { limit: MAX_COUNTED_OBJECTS, offset: 0 });
    return items.map(({ id }) => id);
  };
  const listed = async (count: number, states: readonly TextState[]) => {
    if (count > MAX_COUNTED_OBJECTS) return null;
    const ids: string[] = [];
    if (count > 0) for (const state of states) ids.push(...(await idsOf(state)));
    return ids;
  };
  return { searched: await listed(searched, ['available']), unread: await listed(unread, UNREAD) };
}

/** Whether a filter by object includes this one, regardless of its name. */
export const inScope = (object: StoredObject, filter: SearchFilter): boolean =>
  object.deletedAt === null &&
  (filter.visibility === 'any' || (filter.visibility === 'hidden') === object.isHidden) &&
  (!filter.kinds || filter.kinds.includes(object.kind)) &&
  (filter.docType === undefined || filter.docType === object.docType) &&
  (filter.collectionId === undefined || filter.collectionId === object.collectionId);
