import { createHash } from 'node:crypto';
import { MAX_CATEGORY_LENGTH, type ObjectListing } from '../../../../core/objects/index.ts';
import {
  OBJECT_ORDERS,
  OBJECT_STATUSES,
  type ObjectOrder,
  type ObjectPosition,
} from '../../../../ports/objects.ts';
import { cursorOf, type SentCursor } from '../../request/cursor.ts';
import {
  closed,
  cursor,
  dateTime,
  flag,
  label,
  named,
  oneOf,
  optional,
  sentDateTime,
  text,
  themeId,
  uuid,
  type SentDateTime,
  type TypeOf,
} from '../../schema.ts';
import { iso } from '../shapes.ts';
import { validationError } from '../../validation/compile-request.ts';

const statuses = {
  ...oneOf(...OBJECT_STATUSES),
  description:
    '`pending`: waits to be read. `processing`: is being read. `ready`: was read. `failed`: could not be read.',
};

const contentHash = text({
  pattern: '^[0-9A-Fa-f]{64}$',
  description: 'SHA-256 of the current content, 64 hexadecimal digits. Case is ignored.',
});

/** The conditions that lists of objects, searches, views and bulk changes share. */
export const objectFilters = {
  doc_type: optional(text()),
  kind: optional(text()),
  is_link: optional(flag()),
  collection_id: optional(uuid()),
  uncategorized: optional(flag()),
  include_hidden: optional(flag()),
  hidden_only: optional(flag()),
  trashed: optional(flag()),
  notes_only: optional(flag()),
  status: optional(statuses),
  theme_id: optional(themeId({ description: 'Objects in the folders of this theme.' })),
  category: optional(label(MAX_CATEGORY_LENGTH, { description: 'Case is ignored.' })),
  has_suggestion: optional(
    flag({ description: 'Whether a suggested name or folder waits for an answer.' }),
  ),
  content_hash: optional(contentHash),
  created_from: optional(
    sentDateTime({ description: 'Inclusive. Without an offset it is read as UTC.' }),
  ),
  created_to: optional(
    sentDateTime({ description: 'Exclusive. Without an offset it is read as UTC.' }),
  ),
};

/** The same conditions as a JSON object. A field that is no filter is an error. */
export const ObjectFilters = named('ObjectFilters', closed(objectFilters));
export type SentFilters = TypeOf<typeof ObjectFilters>;

/** The same conditions in a reply. */
export const ListFilters = named(
  'ListFilters',
  closed({
    ...objectFilters,
    created_from: optional(dateTime()),
    created_to: optional(dateTime()),
  }),
);

export const objectOrder = {
  ...oneOf(...OBJECT_ORDERS),
  description:
    '`newest` and `oldest` by creation, `name` by file name without regard to case, `largest` by size, `updated` by the last change.',
};

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Replies and exports have four digits for a year. An offset could lead beyond them. */
const instantOf = ({ local, offsetMinutes }: SentDateTime): number => {
  const at = Date.parse(`${local}Z`) - (offsetMinutes ?? 0) * 60_000;
  return Math.min(Math.max(at, FIRST_INSTANT), LAST_INSTANT);
};

export const listingOf = (q: SentFilters): ObjectListing => ({
  ...(q.doc_type !== undefined && { docType: q.doc_type }),
  ...(q.kind !== undefined && { kind: q.kind }),
  ...(q.is_link !== undefined && { isLink: q.is_link }),
  ...(q.collection_id !== undefined && { collectionId: q.collection_id }),
  ...(q.uncategorized !== undefined && { uncategorized: q.uncategorized }),
  ...(q.include_hidden !== undefined && { includeHidden: q.include_hidden }),
  ...(q.hidden_only !== undefined && { hiddenOnly: q.hidden_only }),
  ...(q.trashed !== undefined && { trashed: q.trashed }),
  ...(q.notes_only !== undefined && { notesOnly: q.notes_only }),
  ...(q.status !== undefined && { status: q.status }),
  ...(q.theme_id !== undefined && { themeId: q.theme_id }),
  ...(q.category !== undefined && { category: q.category }),
  ...(q.has_suggestion !== undefined && { hasSuggestion: q.has_suggestion }),
  ...(q.content_hash !== undefined && { contentHash: q.content_hash.toLowerCase() }),
  ...(q.created_from !== undefined && { createdFrom: instantOf(q.created_from) }),
  ...(q.created_to !== undefined && { createdTo: instantOf(q.created_to) }),
});

export const listFilters = (listing: ObjectListing): TypeOf<typeof ListFilters> => ({
  ...(listing.docType !== undefined && { doc_type: listing.docType }),
  ...(listing.kind !== undefined && { kind: listing.kind }),
  ...(listing.isLink !== undefined && { is_link: listing.isLink }),
  ...(listing.collectionId !== undefined && { collection_id: listing.collectionId }),
  ...(listing.uncategorized !== undefined && { uncategorized: listing.uncategorized }),
  ...(listing.includeHidden !== undefined && { include_hidden: listing.includeHidden }),
  ...(listing.hiddenOnly !== undefined && { hidden_only: listing.hiddenOnly }),
  ...(listing.trashed !== undefined && { trashed: listing.trashed }),
  ...(listing.notesOnly !== undefined && { notes_only: listing.notesOnly }),
  ...(listing.status !== undefined && { status: listing.status }),
  ...(listing.themeId !== undefined && { theme_id: listing.themeId }),
  ...(listing.category !== undefined && { category: listing.category }),
  ...(listing.hasSuggestion !== undefined && { has_suggestion: listing.hasSuggestion }),
  ...(listing.contentHash !== undefined && { content_hash: listing.contentHash }),
  ...(listing.createdFrom !== undefined && { created_from: iso(listing.createdFrom) }),
  ...(listing.createdTo !== undefined && { created_to: iso(listing.createdTo) }),
});

/** A position in the order by name contains a name. */
const MAX_CURSOR_LENGTH = 1_300;
export const listCursor = cursor({ maxLength: MAX_CURSOR_LENGTH });

/** Stands for the filters and the order in a cursor. */
const listName = (listing: ObjectListing, order: ObjectOrder): string =>
  createHash('sha256')
    .update(JSON.stringify([order, listing]))
    .digest('base64url')
    .slice(0, 12);

export const listCursorOf = (
  next: ObjectPosition | null,
  listing: ObjectListing,
  order: ObjectOrder,
): string | null => next && cursorOf(next, listName(listing, order));

/** The position of a cursor. That of a list with other filters or in another order is an error. */
export function positionInList(
  sent: SentCursor,
  listing: ObjectListing,
  order: ObjectOrder,
): ObjectPosition {
  const hasKeyType = (typeof sent.key === 'string') === (order === 'name');
  if (!hasKeyType || sent.list !== listName(listing, order))
    throw validationError(
      ['query', 'cursor'],
      'value_error',
      'Value error, this is the cursor of a list with other filters or in another order',
      cursorOf(sent, sent.list),
      { error: {} },
    );
  return { key: sent.key, id: sent.id };
}
