import { DOC_TYPES, type DocType, type StoredObject } from '../../ports/objects.ts';
import type { SearchFilter } from '../../ports/search.ts';
import type { Stores } from '../../ports/unit-of-work.ts';
import { askedVisibility, canSee, type Zone } from '../hidden-zone/index.ts';
import { unknownDocType } from '../objects/index.ts';
import { notFound } from '../shared/common-errors.ts';

/** Where to look, as far as the caller may look. Whatever was named and is not there is one and the same 404. */
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
  // No ids are no restriction.
  const named = objectIds?.length ? await seenObjects(stores, zone, objectIds) : undefined;
  return {
    // Naming a hidden object by its id is asking for it, as long as it may be known of.
    visibility: named?.some((object) => object.isHidden) ? 'any' : askedVisibility(zone),
    ...(docType !== undefined && { docType }),
    ...(collectionId !== undefined && { collectionId }),
    ...(named && { objectIds: named.map((object) => object.id) }),
  };
}

/** The objects of these ids, in their order; `not_found` when the caller may not know of one. */
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
