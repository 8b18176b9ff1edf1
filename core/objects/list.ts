import {
  DOC_TYPES,
  type DocType,
  type ObjectFilter,
  type ObjectPageRequest,
  type ObjectPosition,
} from '../../ports/objects.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../ports/text-extraction.ts';
import type { Stores, UnitOfWork } from '../../ports/unit-of-work.ts';
import type { ListFilters } from '../../ports/views.ts';
import { visibilityFor, zoneFor, type ZoneDeps } from '../hidden-zone/index.ts';
import type { Caller } from '../shared/caller.ts';
import { unknownDocType, unknownKind } from './errors.ts';
import { viewsOf, type ObjectView } from './view.ts';

/** The filters of a list as sent by a caller. */
export type ObjectListing = ListFilters;

export interface ListDeps extends ZoneDeps {
  readonly uow: UnitOfWork<'objects' | 'collections' | 'themes' | 'pinLock'>;
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
  paging: ObjectPageRequest,
): Promise<ObjectListPage> {
  return deps.uow.read(caller.scope, async (stores) => {
    const filter = await filterFor(deps, stores, caller, listing);
    if (!filter) return NOTHING;
    const page = await stores.objects.page(filter, paging);
    return { ...page, items: await viewsOf(stores, page.items) };
  });
}

/** The filter for this caller; undefined if its conditions exclude one another, or the caller cannot see its theme. */
export async function filterFor(
  deps: ZoneDeps,
  stores: Pick<Stores, 'pinLock' | 'themes'>,
  caller: Caller,
  listing: ObjectListing,
): Promise<ObjectFilter | undefined> {
  const visibility = await visibilityFor(deps, stores.pinLock, caller, {
    includeHidden: listing.includeHidden ?? false,
    hiddenOnly: listing.hiddenOnly ?? false,
  });
  const kinds = kindsOf(listing);
  const docType = docTypeOf(listing);
  const { collectionId } = listing;
  const uncategorized = listing.uncategorized === true;
  if (kinds?.length === 0 || (uncategorized && collectionId !== undefined)) return undefined;
  if (uncategorized && listing.themeId !== undefined) return undefined;
  if (!(await seesTheme(deps, stores, caller, listing))) return undefined;
  return {
    visibility,
    trashed: listing.trashed ?? false,
    ...(kinds && { kinds }),
    ...(docType !== undefined && { docType }),
    ...(uncategorized ? { collectionId: null } : collectionId !== undefined && { collectionId }),
    ...furtherConditions(listing),
  };
}

const furtherConditions = (listing: ObjectListing): Partial<ObjectFilter> => ({
  ...(listing.status !== undefined && { status: listing.status }),
  ...(listing.themeId !== undefined && { themeId: listing.themeId }),
  ...(listing.category !== undefined && { category: listing.category }),
  ...(listing.hasSuggestion !== undefined && { hasSuggestion: listing.hasSuggestion }),
  ...(listing.contentHash !== undefined && { contentHash: listing.contentHash }),
  ...(listing.createdFrom !== undefined && { createdFrom: listing.createdFrom }),
  ...(listing.createdTo !== undefined && { createdTo: listing.createdTo }),
});

/** While the zone is locked, a hidden theme does not exist. */
async function seesTheme(
  deps: ZoneDeps,
  stores: Pick<Stores, 'pinLock' | 'themes'>,
  caller: Caller,
  { themeId }: ObjectListing,
): Promise<boolean> {
  if (themeId === undefined || !(await stores.themes.find(themeId))?.isHidden) return true;
  return (await zoneFor(deps, stores.pinLock, caller)) !== 'closed';
}

/** Rejects kinds and document types that do not exist. */
export function requireKnownFilters(listing: ObjectListing): void {
  kindsOf(listing);
  docTypeOf(listing);
}

function docTypeOf({ docType }: ObjectListing): DocType | undefined {
  if (docType !== undefined && !isOneOf(DOC_TYPES, docType)) throw unknownDocType();
  return docType;
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
