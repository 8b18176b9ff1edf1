import { MAX_CATEGORIES, MAX_CATEGORY_LENGTH } from '../../../../core/objects/index.ts';
import { route } from '../../route.ts';
import {
  closed,
  filename,
  flag,
  int,
  label,
  list,
  named,
  nullable,
  object,
  optional,
  text,
  uuid,
  withDefault,
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
import {
  listCursor,
  listCursorOf,
  listingOf,
  objectFilters,
  objectOrder,
  positionInList,
} from './filters.ts';

const tag = 'Objects';

const Trash = named('Trash', closed({ retention_days: int({ minimum: 1 }) }));

export const categories = list(label(MAX_CATEGORY_LENGTH), { maxItems: MAX_CATEGORIES });

export const renamed = { filename: filename() };
export const moved = { collection_id: nullable(uuid()) };

export const objectRoutes = [
  route({
    method: 'get',
    path: '/v1/objects',
    tag,
    name: 'listObjects',
    summary: "List the owner's objects",
    description:
      'Hidden objects and the trash are left out by default. `cursor`, the `next_cursor` of an earlier response with the same filters and order, replaces `offset` and costs the same for every page. All filters apply together.',
    access: 'owner',
    scope: 'read',
    readsUnlockToken: true,
    errors: ['hidden_locked', 'unknown_kind', 'unknown_doc_type'],
    query: object({
      ...paging,
      cursor: optional(listCursor),
      order: withDefault(objectOrder, 'newest'),
      ...objectFilters,
    }),
    reply: {
      json: named(
        'ObjectList',
        closed({ items: list(ObjectListItem), total: int(), next_cursor: nullable(text()) }),
      ),
    },
    run: async (core, { caller, query: { limit, offset, cursor, order, ...sent } }) => {
      const listing = listingOf(sent);
      const { next, ...page } = await core.objects.listObjects(caller, listing, {
        limit,
        order,
        ...(cursor === undefined ? { offset } : { after: positionInList(cursor, listing, order) }),
      });
      return { ...page, cursor: listCursorOf(next, listing, order) };
    },
    present: ({ items, total, cursor }) => ({
      items: items.map(objectListItem),
      total,
      next_cursor: cursor,
    }),
  }),
  route({
    method: 'get',
    path: '/v1/objects/trash',
    tag,
    name: 'getTrash',
    summary: 'How long objects remain in the trash',
    description:
      '`retention_days` after `deleted_at`, an object in the trash is erased, within ten minutes.',
    access: 'owner',
    scope: 'read',
    reply: { json: Trash },
    run: (core, { caller }) => core.objects.trashRetention(caller),
    present: (days) => ({ retention_days: days }),
  }),
  route({
    method: 'delete',
    path: '/v1/objects/trash',
    tag,
    name: 'emptyTrash',
    summary: 'Erase everything in the trash',
    description: 'Hidden objects are left alone while the zone is locked.',
    access: 'owner',
    scope: 'write',
    readsUnlockToken: true,
    reply: { json: Deleted },
    run: (core, { caller }) => core.objects.emptyTrash(caller),
    present: deleted,
  }),
  route({
    method: 'get',
    path: '/v1/objects/:object_id',
    tag,
    name: 'getObject',
    summary: 'One object',
    access: 'owner',
    scope: 'read',
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
    scope: 'write',
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
    scope: 'write',
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
    scope: 'write',
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
    scope: 'write',
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
    scope: 'write',
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
    scope: 'write',
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
