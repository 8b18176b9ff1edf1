import type { ObjectFilter, StoredObject } from '../../ports/objects.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';

/** How much of what a question was put to could be searched. Both count files that the caller may know of. */
export interface Coverage {
  readonly searched: number;
  /** Files whose text is not yet or can not be read. */
  readonly unread: number;
}

export async function coverageOf(
  { objects }: Pick<Stores, 'objects'>,
  filter: SearchFilter,
): Promise<Coverage> {
  const { objectIds, ...rest } = filter;
  if (objectIds) {
    const named = (await objects.findMany(objectIds)).filter((object) => inScope(object, rest));
    const searched = named.filter(({ textState }) => textState === 'available').length;
    return { searched, unread: named.length - searched };
  }
  const scope: ObjectFilter = { ...rest, trashed: false };
  const searched = await objects.count({ ...scope, textState: 'available' });
  return { searched, unread: (await objects.count(scope)) - searched };
}

const inScope = (object: StoredObject, filter: SearchFilter): boolean =>
  object.deletedAt === null &&
  (filter.visibility === 'any' || (filter.visibility === 'hidden') === object.isHidden) &&
  (!filter.kinds || filter.kinds.includes(object.kind)) &&
  (filter.docType === undefined || filter.docType === object.docType) &&
  (filter.collectionId === undefined || filter.collectionId === object.collectionId);
