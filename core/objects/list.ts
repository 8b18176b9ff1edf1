import { DOC_TYPES, type ObjectFilter, type ObjectPosition } from '../../ports/objects.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../ports/text-extraction.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import { visibilityFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { unknownDocType, unknownKind } from './errors.ts';
import { viewsOf, type ObjectView } from './view.ts';

/** The filters of a list as sent by a caller. */
export interface ObjectListing {
  readonly docType?: string;
  readonly kind?: string;
  readonly isLink?: boolean;
  readonly collectionId?: string;
  readonly uncategorized?: boolean;
  readonly includeHidden?: boolean;
  readonly hiddenOnly?: boolean;
  readonly trashed?: boolean;
  readonly notesOnly?: boolean;
}

export type ObjectPaging =
  | { readonly limit: number; readonly offset: number }
  | { readonly limit: number; readonly after: ObjectPosition };

export interface ListDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'collections' | 'pinLock'>;
}

export interface ObjectListPage {
  readonly items: readonly ObjectView[];
  readonly total: number;
  readonly next: ObjectPosition | null;
}

const NOTHING: ObjectListPage = { items: [], total: 0, next: null };

export async function listObjects(
  deps: ListDeps,
  caller: Caller,
  listing: ObjectListing,
  paging: ObjectPaging,
): Promise<ObjectListPage> {
  return deps.uow.read(caller.scope, async (stores) => {
    const filter = await filterFor(deps, stores, caller, listing);
    if (!filter) return NOTHING;
    const page = await stores.objects.page(filter, paging);
    return { ...page, items: await viewsOf(stores, page.items) };
  });
}

/** The filter for this caller; undefined if its conditions exclude one another. */
export async function filterFor(
  deps: ZoneDeps,
  stores: Pick<Stores, 'pinLock'>,
  caller: Caller,
  listing: ObjectListing,
): Promise<ObjectFilter | undefined> {
  const visibility = await visibilityFor(deps, stores.pinLock, caller, {
    includeHidden: listing.includeHidden ?? false,
    hiddenOnly: listing.hiddenOnly ?? false,
  });
  const kinds = kindsOf(listing);
  const { docType, collectionId } = listing;
  if (docType !== undefined && !isOneOf(DOC_TYPES, docType)) throw unknownDocType();
  const uncategorized = listing.uncategorized === true;
  if (kinds?.length === 0 || (uncategorized && collectionId !== undefined)) return undefined;
  return {
    visibility,
    trashed: listing.trashed ?? false,
    ...(kinds && { kinds }),
    ...(docType !== undefined && { docType }),
    ...(uncategorized ? { collectionId: null } : collectionId !== undefined && { collectionId }),
  };
}

/** The conjunction of all conditions on the kind; undefined if there is none. */
function kindsOf({ kind, isLink, notesOnly }: ObjectListing): readonly ObjectKind[] | undefined {
  if (kind !== undefined && !isOneOf(OBJECT_KINDS, kind)) throw unknownKind();
  if (kind === undefined && isLink === undefined && !notesOnly) return undefined;
  return OBJECT_KINDS.filter(
    (each) =>
      (kind === undefined || each === kind) &&
      (isLink === undefined || (each === 'link') === isLink) &&
      (!notesOnly || each === 'note'),
  );
}

const isOneOf = <T extends string>(known: readonly T[], value: string): value is T =>
  (known as readonly string[]).includes(value);
