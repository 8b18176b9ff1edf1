import {
  MAX_CATEGORIES,
  MAX_CATEGORY_LENGTH,
  type BulkChange,
} from '../../../../core/objects/index.ts';
import { route } from '../../route.ts';
import { cursorOf } from '../../request/cursor.ts';
import {
  clearable,
  closed,
  cursor,
  filename,
  flag,
  int,
  label,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  type TypeOf,
} from '../../schema.ts';
import {
  Deleted,
  ObjectDetail,
  ObjectListItem,
  deleted,
  objectDetail,
  objectListItem,
  objectPath,
  paging,
} from '../shapes.ts';
import { validationError } from '../../validation/compile-request.ts';

const tag = 'Objects';

/** The conditions that lists of objects and searches share. */
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
};

export interface SentFilters {
  readonly doc_type?: string;
  readonly kind?: string;
  readonly is_link?: boolean;
  readonly collection_id?: string;
  readonly uncategorized?: boolean;
  readonly include_hidden?: boolean;
  readonly hidden_only?: boolean;
  readonly trashed?: boolean;
  readonly notes_only?: boolean;
}

export const listingOf = (q: SentFilters) => ({
  ...(q.doc_type !== undefined && { docType: q.doc_type }),
  ...(q.kind !== undefined && { kind: q.kind }),
  ...(q.is_link !== undefined && { isLink: q.is_link }),
  ...(q.collection_id !== undefined && { collectionId: q.collection_id }),
  ...(q.uncategorized !== undefined && { uncategorized: q.uncategorized }),
  ...(q.include_hidden !== undefined && { includeHidden: q.include_hidden }),
  ...(q.hidden_only !== undefined && { hiddenOnly: q.hidden_only }),
  ...(q.trashed !== undefined && { trashed: q.trashed }),
  ...(q.notes_only !== undefined && { notesOnly: q.notes_only }),
});

const categories = list(label(MAX_CATEGORY_LENGTH), { maxItems: MAX_CATEGORIES });

export const renamed = { filename: filename() };
export const moved = { collection_id: nullable(uuid()) };

const Bulk = object({
  ids: list(uuid(), { minItems: 1, maxItems: 500 }),
  action: oneOf('move', 'trash', 'restore', 'delete', 'hide', 'unhide', 'categorize'),
  collection_id: optional(clearable(uuid())),
  categories: optional(categories),
});

function bulkChange(body: TypeOf<typeof Bulk>): BulkChange {
  const { action } = body;
  if (action === 'move') return { action, collectionId: body.collection_id ?? null };
  if (action !== 'categorize') return { action };
  if (body.categories === undefined)
    throw validationError(['body', 'categories'], 'missing', 'Field required', body);
  return { action, categories: body.categories };
}

export const objectRoutes = [
  route({
    method: 'get',
    path: '/v1/objects',
    tag,
    name: 'listObjects',
    summary: "List the owner's objects, newest first",
    description:
      'Hidden objects and the trash are left out by default. `cursor`, the `next_cursor` of an earlier response, replaces `offset` and costs the same for every page.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['hidden_locked', 'unknown_kind', 'unknown_doc_type'],
    query: object({ ...paging, cursor: optional(cursor()), ...objectFilters }),
    reply: {
      json: named(
        'ObjectList',
        closed({ items: list(ObjectListItem), total: int(), next_cursor: nullable(text()) }),
      ),
    },
    run: (core, { caller, query: q }) =>
      core.objects.listObjects(
        caller,
        listingOf(q),
        q.cursor === undefined
          ? { limit: q.limit, offset: q.offset }
          : { limit: q.limit, after: q.cursor },
      ),
    present: ({ items, total, next }) => ({
      items: items.map(objectListItem),
      total,
      next_cursor: cursorOf(next),
    }),
  }),
  route({
    method: 'delete',
    path: '/v1/objects/trash',
    tag,
    name: 'emptyTrash',
    summary: 'Erase everything in the trash',
    description: 'Hidden objects are left alone while the zone is locked.',
    access: 'owner',
    readsUnlockToken: true,
    reply: { json: Deleted },
    run: (core, { caller }) => core.objects.emptyTrash(caller),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/objects/bulk',
    tag,
    name: 'changeObjects',
    summary: 'Apply one action to many objects',
    description:
      '`delete` erases permanently. `move` removes objects from their folders unless `collection_id` names one; `categorize` needs `categories`. Each id ends in `done` or, with the code of the single operation, in `failed`; both keep the order of the request, and a repeated id counts once. Fifty objects at a time change in one transaction.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found'],
    body: { json: Bulk },
    reply: {
      json: named(
        'BulkOutcome',
        closed({ done: list(uuid()), failed: list(closed({ id: uuid(), code: text() })) }),
      ),
    },
    run: (core, { caller, body }) => core.objects.updateMany(caller, body.ids, bulkChange(body)),
    present: ({ done, failed }) => ({
      done: [...done],
      failed: failed.map(({ id, code }) => ({ id, code })),
    }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/:object_id',
    tag,
    name: 'getObject',
    summary: 'One object',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    reply: { json: ObjectDetail },
    run: (core, { caller, params }) => core.objects.getObject(caller, params.object_id),
    present: objectDetail,
  }),
  route({
    method: 'patch',
    path: '/v1/objects/:object_id',
    tag,
    name: 'editObject',
    summary: 'Rename or hide an object',
    description: 'A rename, also to the current name, locks the name against automatic renaming.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found', 'in_trash'],
    params: objectPath,
    body: {
      json: object({ filename: optional(renamed.filename), is_hidden: optional(flag()) }),
    },
    reply: { json: ObjectDetail },
    run: (core, { caller, params, body }) =>
      core.objects.editObject(caller, params.object_id, {
        ...(body.filename !== undefined && { filename: body.filename }),
        ...(body.is_hidden !== undefined && { isHidden: body.is_hidden }),
      }),
    present: objectDetail,
  }),
  route({
    method: 'delete',
    path: '/v1/objects/:object_id',
    tag,
    name: 'deleteObject',
    summary: 'Move an object to the trash, or erase it with `permanent`',
    description: 'In the trash, without `permanent`, nothing changes.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    query: object({ permanent: optional(flag()) }),
    reply: { json: Deleted },
    run: (core, { caller, params, query }) =>
      core.objects.deleteObject(caller, params.object_id, query.permanent ?? false),
    present: deleted,
  }),
  route({
    method: 'post',
    path: '/v1/objects/:object_id/restore',
    tag,
    name: 'restoreObject',
    summary: 'Restore an object from the trash',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found'],
    params: objectPath,
    reply: { json: ObjectDetail },
    run: (core, { caller, params }) => core.objects.restoreObject(caller, params.object_id),
    present: objectDetail,
  }),
  route({
    method: 'put',
    path: '/v1/objects/:object_id/collection',
    tag,
    name: 'moveObject',
    summary: 'Move an object into a folder, or with null out of its folder',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found', 'in_trash'],
    params: objectPath,
    body: { json: object(moved) },
    reply: { json: ObjectDetail },
    run: (core, { caller, params, body }) =>
      core.objects.moveObject(caller, params.object_id, body.collection_id),
    present: objectDetail,
  }),
  route({
    method: 'put',
    path: '/v1/objects/:object_id/categories',
    tag,
    name: 'categorizeObject',
    summary: 'Replace the categories of an object',
    description:
      'Of names that differ only in case, the first is kept. The version does not change.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found', 'in_trash'],
    params: objectPath,
    body: { json: object({ categories }) },
    reply: { json: ObjectDetail },
    run: (core, { caller, params, body }) =>
      core.objects.categorizeObject(caller, params.object_id, body.categories),
    present: objectDetail,
  }),
  route({
    method: 'post',
    path: '/v1/objects/:object_id/suggestion',
    tag,
    name: 'answerSuggestion',
    summary: 'Accept or drop the suggested name and folder of an object',
    description:
      'Nothing else is suggested until the content changes. Accepting a name does not lock it. Without a suggestion it is 409 `nothing_suggested`.',
    access: 'owner',
    readsUnlockToken: true,
    errors: ['not_found', 'in_trash', 'nothing_suggested'],
    params: objectPath,
    body: { json: object({ accept: flag() }) },
    reply: { json: ObjectDetail },
    run: (core, { caller, params, body }) =>
      core.objects.resolveSuggestion(caller, params.object_id, body.accept),
    present: objectDetail,
  }),
];
