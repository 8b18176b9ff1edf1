import { DOC_TYPES, type DocType, type StoredObject } from '../../ports/objects.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { askedVisibility, canSee, type Zone } from '../hidden-zone/index.ts';
import { unknownDocType } from '../objects/index.ts';
import { notFound } from '../shared/common-errors.ts';

/**
 * The scope of a search, as far as the caller may see it. Anything named that does not exist ends with the same 404.
 */
export async function scopeOf(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  wanted: {
    readonly objectIds?: readonly string[];
    readonly collectionId: string | undefined;
    readonly docType?: string;
  },
): Promise<SearchFilter> {
  const { docType, collectionId, objectIds } = wanted;
  if (docType !== undefined && !isDocType(docType)) throw unknownDocType();
  // Without ids the scope is unrestricted.
  const named = objectIds?.length ? await seenObjects(stores, zone, objectIds) : undefined;
  return {
    // Naming a hidden object by id includes it, if the caller may see it.
    visibility: named?.some((object) => object.isHidden) ? 'any' : askedVisibility(zone),
    ...(docType !== undefined && { docType }),
    ...(collectionId !== undefined && { collectionId }),
    ...(named && { objectIds: named.map((object) => object.id) }),
  };
}

/** The objects with these ids, in order; `not_found` if the caller may not see one of them. */
export async function seenObjects(
  stores: Pick<Stores, 'objects'>,
  zone: Zone,
  ids: readonly string[],
): Promise<readonly StoredObject[]> {
  if (ids.length === 0) return [];
  const wanted = [...new Set(ids)];
  const found = new Map((await stores.objects.findMany(wanted)).map((each) => [each.id, each]));
  return wanted.map((id) => {
    const object = found.get(id);
    if (!object || !canSee(object, zone)) throw notFound();
    return object;
  });
}

const isDocType = (word: string): word is DocType =>
  (DOC_TYPES as readonly string[]).includes(word);
