import { DOC_TYPES, type DocType, type StoredObject } from '../../ports/objects.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { visibilityForRequest, canSee, type Zone } from '../hidden-zone/index.ts';
import { unknownDocType } from '../objects/index.ts';
import { notFound } from '../shared/common-errors.ts';

/**
 * The scope of a search, as far as the caller may see it. Anything named that does not exist ends with the same 404.
 */
export async function scopeOf(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  input: {
    readonly objectIds?: readonly string[];
    readonly collectionId: string | undefined;
    readonly docType?: string;
  },
): Promise<SearchFilter> {
  const { docType, collectionId, objectIds } = input;
  if (docType !== undefined && !isDocType(docType)) throw unknownDocType();
  // Without ids the scope is unrestricted.
  const named = objectIds?.length ? await visibleObjects(stores, zone, objectIds) : undefined;
  return {
    // Naming a hidden object by id includes it, if the caller may see it.
    visibility: named?.some((object) => object.isHidden) ? 'any' : visibilityForRequest(zone),
    ...(docType !== undefined && { docType }),
    ...(collectionId !== undefined && { collectionId }),
    ...(named && { objectIds: named.map((object) => object.id) }),
  };
}

/** The objects with these ids, in order; `not_found` if the caller may not see one of them. */
export async function visibleObjects(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  ids: readonly string[],
): Promise<readonly StoredObject[]> {
  if (ids.length === 0) return [];
  const input = [...new Set(ids)];
  const found = new Map((await stores.objects.findMany(input)).map((each) => [each.id, each]));
  return input.map((id) => {
    const object = found.get(id);
    if (!object || !canSee(object, zone)) throw notFound();
    return object;
  });
}

const isDocType = (word: string): word is DocType =>
  (DOC_TYPES as readonly string[]).includes(word);
